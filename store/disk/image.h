//go:build linux && cgo

// What of a file is not on the disk yet, and what may become of it when the power is lost.
#ifndef MEMRACE_IMAGE_H
#define MEMRACE_IMAGE_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#include "disk.h"
#include "sqlite_abi.h"

// change is one write or truncation since the last sync, with what it takes to undo it.
typedef struct {
	unsigned long long number;
	sqlite3_int64 at, length;  // which bytes it changed
	sqlite3_int64 size;        // of the file before it
	size_t had;                // how many of those bytes there were before
	unsigned char *bytes;      // these
	int truncates;
} change;

// image is a file, told apart by its inode: a journal that is deleted and made anew is two.
// Its changes are guarded by lock; everything else by the list that it stands in.
typedef struct image {
	struct image *next;
	char *path;
	dev_t device;
	ino_t inode;
	int kind;
	int handles;  // of SQLite
	int named;    // the directory has been synced since the file was made
	int deleted;  // it has no name any more, and fd keeps it unless that is -1
	int fd;

	pthread_mutex_t lock;
	change *changes;
	size_t count, room, weight;
	unsigned long long next_number;
} image;

// The list of images, for whoever needs more than one call. The calls below lock it themselves,
// except those that say otherwise.
extern pthread_mutex_t images_lock;
extern image *images;

// image_opened returns the image of a file that was just opened; created says that it was not
// there before. 0 means that there is no memory. images_lock is held.
image *image_opened(const char *path, int kind, int created);
void image_closed(image *);
// image_exists tells whether there is a file of that name.
int image_exists(const char *path);
// image_hold keeps a file that is about to be deleted; 0 if there is none. images_lock is held.
image *image_hold(const char *path);
// image_unhold takes that back if it was not deleted after all. images_lock is held.
void image_unhold(image *);
// image_gone follows a deletion without a sync of the directory. images_lock is held.
void image_gone(image *);
// directory_synced follows a sync of the directory that path is in. images_lock is held.
void directory_synced(const char *path);

// image_note is called before a change, with the image's lock held. 0 means success.
int image_note(image *, sqlite3_file *, sqlite3_int64 at, sqlite3_int64 length, int truncates);
// image_forget drops the changes before number. The image's lock is held.
void image_forget(image *, unsigned long long number);

#endif
