//go:build linux && cgo

// How much of the changes of a file a loss of power leaves, and how the rest is taken back.
#ifndef MEMRACE_UNDO_H
#define MEMRACE_UNDO_H

#include "image.h"

enum { KEPT_ALL, KEPT_NONE, KEPT_FIRST, KEPT_SECTORS, KEPT_WAYS };

// left is what a loss of power leaves of the changes of a file.
typedef struct {
	int way;
	size_t first;          // how many changes are whole, for KEPT_FIRST
	sqlite3_int64 bytes;   // and how much of the next one there is
	unsigned long long seed;  // for KEPT_SECTORS
} left;

// undo takes back what is not left. It returns 0, or -1 with errno set.
int undo(int fd, const image *, const left *);

#endif
