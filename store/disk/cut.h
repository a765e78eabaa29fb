//go:build linux && cgo

// Loss of power.
#ifndef MEMRACE_CUT_H
#define MEMRACE_CUT_H

// lose_power takes back a choice of what is not on the disk, says on standard error which, and
// ends the process as a SIGKILL would. Nobody else may be using a file any more.
void lose_power(unsigned long long seed) __attribute__((noreturn));

#endif
