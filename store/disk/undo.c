//go:build linux && cgo

#include "undo.h"

#include <unistd.h>

#include "faults.h"

enum { SECTOR = 512 };

// versions returns how many changes a sector has got to see, of count in all: mostly all or none.
static size_t versions(const left *l, size_t count, unsigned long long sector) {
	unsigned long long state = l->seed ^ sector * 0x9e3779b97f4a7c15ULL;
	switch (random_next(&state) % 4) {
	case 0: return 0;
	case 1: return random_next(&state) % (count + 1);
	default: return count;
	}
}

// put_back writes what a change found between two places of a file; nothing reads as zeros.
static int put_back(int fd, const change *c, sqlite3_int64 from, sqlite3_int64 to) {
	static const unsigned char zeros[SECTOR];
	while (from < to) {
		sqlite3_int64 n = to - from, had = c->at + (sqlite3_int64)c->had - from;
		const unsigned char *bytes = zeros;
		if (had > 0) {
			bytes = c->bytes + (from - c->at);
			n = n < had ? n : had;
		} else {
			n = n < SECTOR ? n : SECTOR;
		}
		ssize_t wrote = pwrite(fd, bytes, (size_t)n, from);
		if (wrote <= 0) return -1;
		from += wrote;
	}
	return 0;
}

static int undo_later(int fd, const image *i, const left *l) {
	sqlite3_int64 size = -1;
	for (size_t n = i->count; n-- > l->first;) {
		const change *c = &i->changes[n];
		sqlite3_int64 keep = n == l->first && !c->truncates ? l->bytes : 0;
		if (put_back(fd, c, c->at + keep, c->at + c->length) != 0) return -1;
		size = c->size;
		if (keep > 0 && c->at + keep > size) size = c->at + keep;
	}
	return size < 0 ? 0 : ftruncate(fd, size);
}

static int undo_sectors(int fd, const image *i, const left *l) {
	for (size_t n = i->count; n-- > 0;) {
		const change *c = &i->changes[n];
		sqlite3_int64 end = c->at + c->length, next;
		for (sqlite3_int64 at = c->at; at < end; at = next) {
			sqlite3_int64 sector = at / SECTOR;
			next = (sector + 1) * SECTOR < end ? (sector + 1) * SECTOR : end;
			if (versions(l, i->count, (unsigned long long)sector) > n) continue;
			if (put_back(fd, c, at, next) != 0) return -1;
		}
	}
	return 0;
}

// undo_some gives each sector, and the size, the state after some number of changes.
static int undo_some(int fd, const image *i, const left *l) {
	off_t size = lseek(fd, 0, SEEK_END);
	size_t seen = versions(l, i->count, ~0ULL);
	if (size < 0 || undo_sectors(fd, i, l) != 0) return -1;
	return ftruncate(fd, seen < i->count ? i->changes[seen].size : size);
}

int undo(int fd, const image *i, const left *l) {
	switch (l->way) {
	case KEPT_ALL: return 0;
	case KEPT_SECTORS: return undo_some(fd, i, l);
	default: return undo_later(fd, i, l);
	}
}
