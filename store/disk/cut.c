//go:build linux && cgo

#include "cut.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults.h"
#include "undo.h"

enum { KILLED = 128 + 9, BROKEN = 1 };

static unsigned long long dice;

static unsigned pick(size_t n) { return (unsigned)(random_next(&dice) % n); }

static const char *base(const image *i) {
	const char *slash = strrchr(i->path, '/');
	return slash == NULL ? i->path : slash + 1;
}

// give_up ends the process in a way that nobody takes for a loss of power.
static void give_up(const char *what, const image *i) {
	dprintf(2, "power loss: %s %s: %s\n", what, i->path, strerror(errno));
	_exit(BROKEN);
}

static void tell(const image *i, const left *l) {
	dprintf(2, "power loss: %s: %zu changes not synced, ", base(i), i->count);
	switch (l->way) {
	case KEPT_ALL: dprintf(2, "all kept\n"); break;
	case KEPT_NONE: dprintf(2, "none kept\n"); break;
	case KEPT_FIRST:
		dprintf(2, "the first %zu and %lld bytes of the next kept\n", l->first, l->bytes);
		break;
	default: dprintf(2, "some sectors kept\n");
	}
}

// choose decides what is left of the changes of a file. What no change is kept of has KEPT_NONE.
static left choose(const image *i, int way) {
	left l = {.way = way, .seed = random_next(&dice)};
	if (way == KEPT_FIRST) {
		l.first = pick(i->count);
		l.bytes = pick((size_t)i->changes[l.first].length + 1);
		if (i->changes[l.first].truncates) l.bytes = 0;
	}
	return l;
}

static void lose_changes(const image *i, int fd, int way) {
	if (i->count == 0) return;
	left l = choose(i, way);
	tell(i, &l);
	if (undo(fd, i, &l) != 0) give_up("take back changes of", i);
}

// lose_bytes rolls back what is in a file. It leaves the file open: to close it would drop the
// locks of this process.
static void lose_bytes(const image *i, int way) {
	int fd = i->deleted ? i->fd : open(i->path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		if (i->deleted || errno == ENOENT) return;
		give_up("open", i);
	}
	lose_changes(i, fd, way);
}

static void reappear(const image *i) {
	static char block[1 << 16];
	struct stat s;
	ssize_t n;
	off_t at = 0;
	if (fstat(i->fd, &s) != 0) give_up("look at", i);
	if (unlink(i->path) != 0 && errno != ENOENT) give_up("remove", i);
	int fd = open(i->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, s.st_mode & 0777);
	if (fd < 0) give_up("make", i);
	while ((n = pread(i->fd, block, sizeof block, at)) > 0) {
		if (pwrite(fd, block, (size_t)n, at) != n) give_up("write", i);
		at += n;
	}
	if (n < 0) give_up("read", i);
	dprintf(2, "power loss: %s: the deletion was not synced, it is there again\n", base(i));
}

static void vanish(const image *i) {
	if (unlink(i->path) != 0 && errno != ENOENT) give_up("remove", i);
	dprintf(2, "power loss: %s: its name was not synced, it is gone\n", base(i));
}

static const image *current(const char *path) {
	for (const image *i = images; i != NULL; i = i->next)
		if (!i->deleted && strcmp(i->path, path) == 0) return i;
	return NULL;
}

// lose_name decides which file a name leads to, if the directory has not been synced since that
// changed: to the one that there is, the deleted one or none.
static void lose_name(const image *i, int way) {
	int lost = way == KEPT_NONE ? 1 : way == KEPT_ALL ? 0 : (int)pick(3);
	if (lost == 0) return;
	if (i->deleted && (lost == 1) == i->named) {
		reappear(i);
		return;
	}
	const image *now = i->deleted ? current(i->path) : i;
	if (now != NULL && !now->named) vanish(now);
}

static int replaced(const image *i) {
	for (const image *old = images; old != NULL; old = old->next)
		if (old != i && old->deleted && old->fd >= 0 && strcmp(old->path, i->path) == 0) return 1;
	return 0;
}

static void lose_names(int way) {
	for (const image *i = images; i != NULL; i = i->next) {
		int unsure = i->deleted ? i->fd >= 0 : !i->named && !replaced(i);
		if (unsure) lose_name(i, way);
	}
}

void lose_power(unsigned long long seed) {
	dice = seed;
	pthread_mutex_lock(&images_lock);
	// One in eight keeps everything, as a SIGKILL does, and two lose everything.
	unsigned plan = pick(8);
	int way = plan == 0 ? KEPT_ALL : plan < 3 ? KEPT_NONE : KEPT_WAYS;
	dprintf(2, "power loss: seed %llu\n", seed);
	for (const image *i = images; i != NULL; i = i->next)
		lose_bytes(i, way == KEPT_WAYS ? (int)pick(KEPT_WAYS) : way);
	lose_names(way);
	_exit(KILLED);
}
