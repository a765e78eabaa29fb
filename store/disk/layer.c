//go:build linux && cgo

// The layers themselves: each hands the calls on to the default VFS. Both count them and make
// faults; one notes what they change.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cut.h"
#include "disk.h"
#include "faults.h"
#include "image.h"
#include "sqlite_abi.h"

// layered is a file as SQLite sees it. The file of the default VFS follows it in memory.
typedef struct {
	sqlite3_file base;
	image *image;  // NULL in the layer that only counts
	int kind;
	int new_name;  // the next sync is one of the directory too
} layered;

static sqlite3_vfs *under;
static sqlite3_vfs noting, counting;

static layered *of(sqlite3_file *f) { return (layered *)f; }

static sqlite3_file *real(sqlite3_file *f) { return (sqlite3_file *)(of(f) + 1); }

// Whoever is about to touch a file goes through the gate. A cut closes it for good, waits for
// those inside and then is alone.
static atomic_int closed;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;

static void wait_for_the_end(void) {
	for (;;) pause();
}

static void enter(void) {
	if (atomic_load(&closed)) wait_for_the_end();
	pthread_rwlock_rdlock(&gate);
}

static void leave(void) { pthread_rwlock_unlock(&gate); }

void disk_cut(unsigned long long seed) {
	if (atomic_exchange(&closed, 1)) wait_for_the_end();
	pthread_rwlock_wrlock(&gate);
	lose_power(seed);
}

static int layer_close(sqlite3_file *f) {
	image *i = of(f)->image;
	if (i == NULL) return real(f)->pMethods->xClose(real(f));
	enter();
	int rc = real(f)->pMethods->xClose(real(f));
	image_closed(i);
	leave();
	return rc;
}

static int layer_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at) {
	fault wrong = fault_of_read(of(f)->kind);
	if (wrong.error) return wrong.error;
	if (of(f)->image == NULL) return real(f)->pMethods->xRead(real(f), to, n, at);
	enter();
	int rc = real(f)->pMethods->xRead(real(f), to, n, at);
	leave();
	return rc;
}

// write_noted writes what can be taken back.
static int write_noted(sqlite3_file *f, const void *from, int n, sqlite3_int64 at) {
	image *i = of(f)->image;
	enter();
	pthread_mutex_lock(&i->lock);
	int rc = image_note(i, real(f), at, n, 0) == 0
		? real(f)->pMethods->xWrite(real(f), from, n, at)
		: SQLITE_IOERR_NOMEM;
	pthread_mutex_unlock(&i->lock);
	leave();
	return rc;
}

// layer_write leaves a part of what it was given if it goes wrong.
static int layer_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at) {
	fault wrong = fault_of_write(of(f)->kind, from, n);
	if (wrong.error) n = (int)(wrong.dice % (unsigned)n);
	int rc = SQLITE_OK;
	if (n > 0 && of(f)->image != NULL) rc = write_noted(f, from, n, at);
	else if (n > 0) rc = real(f)->pMethods->xWrite(real(f), from, n, at);
	return wrong.error ? wrong.error : rc;
}

static int layer_truncate(sqlite3_file *f, sqlite3_int64 size) {
	image *i = of(f)->image;
	if (i == NULL) return real(f)->pMethods->xTruncate(real(f), size);
	enter();
	pthread_mutex_lock(&i->lock);
	int rc = image_note(i, real(f), size, 0, 1) == 0
		? real(f)->pMethods->xTruncate(real(f), size)
		: SQLITE_IOERR_NOMEM;
	pthread_mutex_unlock(&i->lock);
	leave();
	return rc;
}

static void wait_for(long long nanoseconds) {
	struct timespec t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	while (nanosleep(&t, &t) != 0) {}
}

// name_synced follows the first sync of a journal or a WAL that SQLite was to make, with which the
// default VFS syncs the directory.
static void name_synced(layered *f) {
	if (!f->new_name) return;
	f->new_name = 0;
	count_directory_sync();
	if (f->image == NULL) return;
	pthread_mutex_lock(&images_lock);
	directory_synced(f->image->path);
	pthread_mutex_unlock(&images_lock);
}

// sync_noted forgets what was written before the sync began; more may have come since.
static int sync_noted(sqlite3_file *f, int flags) {
	image *i = of(f)->image;
	enter();
	pthread_mutex_lock(&i->lock);
	unsigned long long before = i->next_number;
	pthread_mutex_unlock(&i->lock);
	int rc = real(f)->pMethods->xSync(real(f), flags);
	if (rc == SQLITE_OK) {
		pthread_mutex_lock(&i->lock);
		image_forget(i, before);
		pthread_mutex_unlock(&i->lock);
		name_synced(of(f));
	}
	leave();
	return rc;
}

static int layer_sync(sqlite3_file *f, int flags) {
	fault wrong = fault_of_sync(of(f)->kind);
	if (wrong.slow) wait_for(wrong.slow);
	if (wrong.error || wrong.lost) return wrong.error;
	if (of(f)->image != NULL) return sync_noted(f, flags);
	int rc = real(f)->pMethods->xSync(real(f), flags);
	if (rc == SQLITE_OK) name_synced(of(f));
	return rc;
}

static int layer_size(sqlite3_file *f, sqlite3_int64 *size) {
	return real(f)->pMethods->xFileSize(real(f), size);
}

static int layer_lock(sqlite3_file *f, int level) {
	return real(f)->pMethods->xLock(real(f), level);
}

static int layer_unlock(sqlite3_file *f, int level) {
	return real(f)->pMethods->xUnlock(real(f), level);
}

static int layer_reserved(sqlite3_file *f, int *out) {
	return real(f)->pMethods->xCheckReservedLock(real(f), out);
}

// layer_control answers the pragma that has the name of the layer that notes changes, so that a
// connection can be asked whether it goes through it.
static int layer_control(sqlite3_file *f, int op, void *arg) {
	char **words = arg;
	if (of(f)->image != NULL && op == SQLITE_FCNTL_PRAGMA && strcmp(words[1], noting.zName) == 0) {
		words[0] = sqlite3_mprintf("on");
		return SQLITE_OK;
	}
	return real(f)->pMethods->xFileControl(real(f), op, arg);
}

static int layer_sector(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }

// layer_device promises no atomic batches, which would go round the layer.
static int layer_device(sqlite3_file *f) {
	return real(f)->pMethods->xDeviceCharacteristics(real(f)) & ~SQLITE_IOCAP_BATCH_ATOMIC;
}

static int layer_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **to) {
	return real(f)->pMethods->xShmMap(real(f), page, size, extend, to);
}

static int layer_shm_lock(sqlite3_file *f, int offset, int n, int flags) {
	return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void layer_shm_barrier(sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); }

static int layer_shm_unmap(sqlite3_file *f, int remove) {
	return real(f)->pMethods->xShmUnmap(real(f), remove);
}

static const sqlite3_io_methods methods = {
	2, layer_close, layer_read, layer_write, layer_truncate, layer_sync, layer_size,
	layer_lock, layer_unlock, layer_reserved, layer_control, layer_sector, layer_device,
	layer_shm_map, layer_shm_lock, layer_shm_barrier, layer_shm_unmap,
};

static int kind_of(int flags) {
	if (flags & SQLITE_OPEN_MAIN_DB) return DISK_DATABASE;
	if (flags & SQLITE_OPEN_MAIN_JOURNAL) return DISK_JOURNAL;
	if (flags & SQLITE_OPEN_WAL) return DISK_WAL;
	return DISK_KINDS;
}

// open_under opens a file of the default VFS, and leaves nothing open if that goes wrong.
static int open_under(const char *name, sqlite3_file *to, int flags, int *out) {
	to->pMethods = NULL;
	int rc = under->xOpen(under, name, to, flags, out);
	if (rc != SQLITE_OK && to->pMethods != NULL) to->pMethods->xClose(to);
	return rc;
}

// open_noted opens a file whose changes are noted.
static int open_noted(const char *name, sqlite3_file *f, int flags, int *out) {
	enter();
	pthread_mutex_lock(&images_lock);
	int there = image_exists(name);
	int rc = open_under(name, real(f), flags, out);
	if (rc == SQLITE_OK && (of(f)->image = image_opened(name, of(f)->kind, !there)) == NULL) {
		real(f)->pMethods->xClose(real(f));
		rc = SQLITE_IOERR_NOMEM;
	}
	pthread_mutex_unlock(&images_lock);
	leave();
	return rc;
}

// layer_open leaves temporary files to the default VFS: they do not outlive the process.
static int layer_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
	int kind = kind_of(flags);
	if (name == NULL || kind == DISK_KINDS) return under->xOpen(under, name, f, flags, out);
	f->pMethods = NULL;
	of(f)->image = NULL;
	of(f)->kind = kind;
	of(f)->new_name = kind != DISK_DATABASE && (flags & SQLITE_OPEN_CREATE) != 0;
	int rc = vfs == &counting
		? open_under(name, real(f), flags, out)
		: open_noted(name, f, flags, out);
	if (rc == SQLITE_OK) f->pMethods = &methods;
	return rc;
}

static int counting_delete(sqlite3_vfs *vfs, const char *name, int sync_directory) {
	int rc = under->xDelete(under, name, sync_directory);
	if (rc == SQLITE_OK && (sync_directory & 1)) count_directory_sync();
	return rc;
}

static int noting_delete(sqlite3_vfs *vfs, const char *name, int sync_directory) {
	enter();
	pthread_mutex_lock(&images_lock);
	image *held = image_hold(name);
	int rc = under->xDelete(under, name, sync_directory);
	if (held != NULL && rc == SQLITE_OK) image_gone(held);
	else if (held != NULL) image_unhold(held);
	if (rc == SQLITE_OK && (sync_directory & 1)) {
		count_directory_sync();
		directory_synced(name);
	}
	pthread_mutex_unlock(&images_lock);
	leave();
	return rc;
}

int disk_put_over(const char *name, int only_counts) {
	if (sqlite3_vfs_find == NULL || sqlite3_vfs_register == NULL) return -1;
	if (under == NULL && (under = sqlite3_vfs_find(NULL)) == NULL) return -1;
	sqlite3_vfs *vfs = only_counts ? &counting : &noting;
	*vfs = *under;
	if (vfs->iVersion > 3) vfs->iVersion = 3;
	vfs->pNext = NULL;
	vfs->zName = name;
	vfs->szOsFile = (int)sizeof(layered) + under->szOsFile;
	vfs->xOpen = layer_open;
	vfs->xDelete = only_counts ? counting_delete : noting_delete;
	return sqlite3_vfs_register(vfs, only_counts);
}
