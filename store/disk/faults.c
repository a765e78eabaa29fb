//go:build linux && cgo

#include "faults.h"

#include <pthread.h>
#include <stdatomic.h>

#include "sqlite_abi.h"

static struct {
	atomic_llong reads, writes, bytes, syncs;
} counted[DISK_KINDS];
static atomic_llong directory_syncs, commits, struck[DISK_FAULTS];

// What is set, and the calls since then. Nothing is locked as long as nothing is set.
static atomic_int armed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static disk_faults set;
static unsigned long long reads, writes, syncs;

unsigned long long random_next(unsigned long long *state) {
	unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static int could_strike(const disk_strike *s) { return s->nth != 0 || s->chance != 0; }

void disk_set(const disk_faults *f) {
	pthread_mutex_lock(&lock);
	set = *f;
	reads = writes = syncs = 0;
	int any = 0;
	for (int i = 0; i < DISK_FAULTS; i++) any |= could_strike(&f->strikes[i]);
	atomic_store(&armed, any);
	pthread_mutex_unlock(&lock);
}

void disk_count(disk_counts *to) {
	for (int i = 0; i < DISK_KINDS; i++) {
		to->files[i].reads = atomic_load(&counted[i].reads);
		to->files[i].writes = atomic_load(&counted[i].writes);
		to->files[i].bytes = atomic_load(&counted[i].bytes);
		to->files[i].syncs = atomic_load(&counted[i].syncs);
	}
	to->directory_syncs = atomic_load(&directory_syncs);
	to->commits = atomic_load(&commits);
	for (int i = 0; i < DISK_FAULTS; i++) to->struck[i] = atomic_load(&struck[i]);
}

void count_directory_sync(void) { atomic_fetch_add(&directory_syncs, 1); }

// strikes tells whether a fault strikes call number n of its sort. Each fault that is set rolls
// dice of its own, so that to set another one changes nothing for the first.
static int strikes(int sort, unsigned long long n) {
	const disk_strike *s = &set.strikes[sort];
	unsigned long long state = set.seed ^ ((unsigned long long)sort + 1) << 56 ^ n;
	int yes = s->nth != 0 && (n == s->nth || (s->onward && n > s->nth));
	if (s->chance != 0) yes |= random_next(&state) <= s->chance;
	if (yes) atomic_fetch_add(&struck[sort], 1);
	return yes;
}

static unsigned long long dice(unsigned long long n) {
	unsigned long long state = ~set.seed ^ n;
	return random_next(&state);
}

fault fault_of_read(int kind) {
	fault f = {0};
	atomic_fetch_add(&counted[kind].reads, 1);
	if (!atomic_load(&armed)) return f;
	pthread_mutex_lock(&lock);
	if (strikes(READ_ERROR, ++reads)) f.error = SQLITE_IOERR_READ;
	pthread_mutex_unlock(&lock);
	return f;
}

// commits_frame tells whether a write to a WAL is the header of the last frame of a transaction: it
// alone says how many pages the database has then (https://sqlite.org/fileformat2.html#walformat).
static int commits_frame(const unsigned char *header, int bytes) {
	return bytes == 24 && (header[4] | header[5] | header[6] | header[7]) != 0;
}

fault fault_of_write(int kind, const void *from, int bytes) {
	fault f = {0};
	atomic_fetch_add(&counted[kind].writes, 1);
	atomic_fetch_add(&counted[kind].bytes, bytes);
	if (kind == DISK_WAL && commits_frame(from, bytes)) atomic_fetch_add(&commits, 1);
	if (!atomic_load(&armed)) return f;
	pthread_mutex_lock(&lock);
	f.dice = dice(++writes);
	if (strikes(WRITE_ERROR, writes)) f.error = SQLITE_IOERR_WRITE;
	else if (strikes(FULL, writes)) f.error = SQLITE_FULL;
	pthread_mutex_unlock(&lock);
	return f;
}

fault fault_of_sync(int kind) {
	fault f = {0};
	atomic_fetch_add(&counted[kind].syncs, 1);
	if (!atomic_load(&armed)) return f;
	pthread_mutex_lock(&lock);
	syncs++;
	if (strikes(SLOW_SYNC, syncs)) f.slow = set.slow_by;
	if (strikes(SYNC_ERROR, syncs)) f.error = SQLITE_IOERR_FSYNC;
	else f.lost = strikes(LOST_SYNC, syncs);
	pthread_mutex_unlock(&lock);
	return f;
}
