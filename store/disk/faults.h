//go:build linux && cgo

// Which call goes wrong, and how many calls there were.
#ifndef MEMRACE_FAULTS_H
#define MEMRACE_FAULTS_H

#include "disk.h"

typedef struct {
	int error;                // a result code of SQLite, 0 for none
	int lost;                 // a sync that is to do nothing
	long long slow;           // nanoseconds to wait before
	unsigned long long dice;  // for whatever else has to be chosen
} fault;

// random_next is splitmix64, see Steele, Lea, Flood: Fast splittable pseudorandom number
// generators (2014).
unsigned long long random_next(unsigned long long *state);

fault fault_of_read(int kind);
fault fault_of_write(int kind, const void *from, int bytes);
fault fault_of_sync(int kind);
void count_directory_sync(void);

#endif
