//go:build linux && cgo

#include "image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a file may hold in memory to be undone; beyond it the oldest changes count as written, as
// an operating system writes them sooner or later without being asked.
enum { HEAVIEST = 16 << 20 };

pthread_mutex_t images_lock = PTHREAD_MUTEX_INITIALIZER;
image *images;

static void release(image *gone) {
	image **at = &images;
	while (*at != gone) at = &(*at)->next;
	*at = gone->next;
	for (size_t i = 0; i < gone->count; i++) free(gone->changes[i].bytes);
	free(gone->changes);
	free(gone->path);
	pthread_mutex_destroy(&gone->lock);
	free(gone);
}

// tidy releases an image that nothing can be lost of.
static void tidy(image *i) {
	int whole = i->deleted ? i->fd < 0 : i->named && i->count == 0;
	if (i->handles == 0 && whole) release(i);
}

// drop gives up a file that has lost its name for good.
static void drop(image *i) {
	if (i->fd >= 0) close(i->fd);
	i->fd = -1;
	i->deleted = 1;
	tidy(i);
}

static int is_file(const image *i, const struct stat *s) {
	return i->device == s->st_dev && i->inode == s->st_ino;
}

// sweep drops what has been removed behind SQLite's back, as whole directories are after a test.
static void sweep(void) {
	struct stat s;
	for (image *i = images, *next; i != NULL; i = next) {
		next = i->next;
		if (i->handles > 0) continue;
		char *slash = strrchr(i->path, '/');
		if (i->deleted && slash != NULL) {
			*slash = 0;
			int there = stat(i->path, &s) == 0;
			*slash = '/';
			if (!there) drop(i);
		} else if (stat(i->path, &s) != 0 || !is_file(i, &s)) {
			drop(i);
		}
	}
}

static image *find(const char *path) {
	for (image *i = images; i != NULL; i = i->next)
		if (!i->deleted && strcmp(i->path, path) == 0) return i;
	return NULL;
}

static image *make(const char *path, int kind, int named, const struct stat *s) {
	image *i = calloc(1, sizeof *i);
	if (i == NULL) return NULL;
	if ((i->path = strdup(path)) == NULL) {
		free(i);
		return NULL;
	}
	pthread_mutex_init(&i->lock, NULL);
	i->kind = kind;
	i->named = named;
	i->fd = -1;
	i->device = s->st_dev;
	i->inode = s->st_ino;
	i->next = images;
	return images = i;
}

int image_exists(const char *path) {
	struct stat s;
	return stat(path, &s) == 0;
}

image *image_opened(const char *path, int kind, int created) {
	struct stat s;
	if (kind == DISK_DATABASE) sweep();
	if (stat(path, &s) != 0) memset(&s, 0, sizeof s);
	image *i = find(path);
	if (i != NULL && !is_file(i, &s)) {
		drop(i);
		i = NULL;
	}
	if (i == NULL) i = make(path, kind, !created, &s);
	if (i != NULL) i->handles++;
	return i;
}

void image_closed(image *i) {
	pthread_mutex_lock(&images_lock);
	i->handles--;
	tidy(i);
	pthread_mutex_unlock(&images_lock);
}

image *image_hold(const char *path) {
	struct stat s;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0) return NULL;
	image *i = find(path);
	if (i == NULL && fstat(fd, &s) == 0) i = make(path, DISK_JOURNAL, 1, &s);
	if (i == NULL) close(fd);
	else i->fd = fd;
	return i;
}

void image_unhold(image *i) {
	close(i->fd);
	i->fd = -1;
	tidy(i);
}

// image_gone keeps one file for each name: the one that the disk still has under it, or else the
// latest.
void image_gone(image *gone) {
	gone->deleted = 1;
	for (image *i = images; i != NULL; i = i->next) {
		if (i == gone || !i->deleted || i->fd < 0 || strcmp(i->path, gone->path) != 0) continue;
		drop(i->named ? gone : i);
		return;
	}
}

static size_t directory_length(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

void directory_synced(const char *path) {
	size_t n = directory_length(path);
	for (image *i = images, *next; i != NULL; i = next) {
		next = i->next;
		if (directory_length(i->path) != n || memcmp(i->path, path, n) != 0) continue;
		if (i->deleted) {
			drop(i);
			continue;
		}
		i->named = 1;
		tidy(i);
	}
}

static int make_room(image *i) {
	if (i->count < i->room) return 0;
	size_t room = i->room == 0 ? 16 : 2 * i->room;
	change *grown = realloc(i->changes, room * sizeof *grown);
	if (grown == NULL) return -1;
	i->changes = grown;
	i->room = room;
	return 0;
}

// fetch reads what a change is going to take away.
static int fetch(change *c, sqlite3_file *f) {
	sqlite3_int64 size;
	if (f->pMethods->xFileSize(f, &size) != SQLITE_OK) return -1;
	c->size = size;
	if (c->truncates) c->length = size > c->at ? size - c->at : 0;
	sqlite3_int64 had = size - c->at < c->length ? size - c->at : c->length;
	if (had <= 0) return 0;
	c->had = (size_t)had;
	if ((c->bytes = malloc(c->had)) == NULL) return -1;
	return f->pMethods->xRead(f, c->bytes, (int)had, c->at) == SQLITE_OK ? 0 : -1;
}

int image_note(image *i, sqlite3_file *f, sqlite3_int64 at, sqlite3_int64 length, int truncates) {
	change c = {.at = at, .length = length, .truncates = truncates};
	if (make_room(i) != 0) return -1;
	if (fetch(&c, f) != 0) {
		free(c.bytes);
		return -1;
	}
	c.number = i->next_number++;
	i->weight += c.had + sizeof c;
	i->changes[i->count++] = c;
	if (i->weight > HEAVIEST) image_forget(i, i->changes[i->count / 2].number);
	return 0;
}

void image_forget(image *i, unsigned long long number) {
	size_t n = 0;
	for (; n < i->count && i->changes[n].number < number; n++) {
		i->weight -= i->changes[n].had + sizeof(change);
		free(i->changes[n].bytes);
	}
	if (n == 0) return;
	i->count -= n;
	memmove(i->changes, i->changes + n, i->count * sizeof *i->changes);
}
