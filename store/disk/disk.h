//go:build linux && cgo

// What Go calls of the layer. Times are in nanoseconds.
#ifndef MEMRACE_DISK_H
#define MEMRACE_DISK_H

enum { DISK_DATABASE, DISK_JOURNAL, DISK_WAL, DISK_KINDS };

enum { READ_ERROR, WRITE_ERROR, FULL, SYNC_ERROR, LOST_SYNC, SLOW_SYNC, DISK_FAULTS };

// disk_strike says which calls a fault strikes: the nth, and all after it if onward is set, or
// each with a chance of chance in 2^64.
typedef struct {
	unsigned long long nth;
	int onward;
	unsigned long long chance;
} disk_strike;

typedef struct {
	unsigned long long seed;
	disk_strike strikes[DISK_FAULTS];
	long long slow_by;
} disk_faults;

typedef struct {
	long long reads, writes, bytes, syncs;
} disk_file_counts;

typedef struct {
	disk_file_counts files[DISK_KINDS];
	long long directory_syncs;
	long long commits;
	long long struck[DISK_FAULTS];
} disk_counts;

// disk_put_over puts a layer over the default VFS under the given name, which has to last: the one
// that only counts, which becomes the default, or the one that notes changes too. It returns a
// result code of SQLite, or -1 if there is no SQLite in the program.
int disk_put_over(const char *name, int only_counts);
void disk_set(const disk_faults *);
void disk_count(disk_counts *);
// disk_cut never returns.
void disk_cut(unsigned long long seed);

#endif
