//go:build linux && cgo

// The part of SQLite's interface that a layer under it needs, declared anew: it is stable
// (https://sqlite.org/c3ref/vfs.html, https://sqlite.org/c3ref/io_methods.html), and the header of
// the driver, which SQLite itself is compiled into, cannot be included from another module.
#ifndef MEMRACE_SQLITE_ABI_H
#define MEMRACE_SQLITE_ABI_H

typedef long long sqlite3_int64;
typedef struct sqlite3_file sqlite3_file;
typedef struct sqlite3_vfs sqlite3_vfs;

typedef struct {
	int iVersion;
	int (*xClose)(sqlite3_file *);
	int (*xRead)(sqlite3_file *, void *to, int n, sqlite3_int64 at);
	int (*xWrite)(sqlite3_file *, const void *from, int n, sqlite3_int64 at);
	int (*xTruncate)(sqlite3_file *, sqlite3_int64 size);
	int (*xSync)(sqlite3_file *, int flags);
	int (*xFileSize)(sqlite3_file *, sqlite3_int64 *size);
	int (*xLock)(sqlite3_file *, int level);
	int (*xUnlock)(sqlite3_file *, int level);
	int (*xCheckReservedLock)(sqlite3_file *, int *out);
	int (*xFileControl)(sqlite3_file *, int op, void *arg);
	int (*xSectorSize)(sqlite3_file *);
	int (*xDeviceCharacteristics)(sqlite3_file *);
	// From version 2 on; without version 3 SQLite maps no file into memory.
	int (*xShmMap)(sqlite3_file *, int page, int size, int extend, void volatile **);
	int (*xShmLock)(sqlite3_file *, int offset, int n, int flags);
	void (*xShmBarrier)(sqlite3_file *);
	int (*xShmUnmap)(sqlite3_file *, int remove);
} sqlite3_io_methods;

struct sqlite3_file {
	const sqlite3_io_methods *pMethods;
};

struct sqlite3_vfs {
	int iVersion;
	int szOsFile;
	int mxPathname;
	sqlite3_vfs *pNext;
	const char *zName;
	void *pAppData;
	int (*xOpen)(sqlite3_vfs *, const char *name, sqlite3_file *, int flags, int *out);
	int (*xDelete)(sqlite3_vfs *, const char *name, int sync_directory);
	// Methods that the layer hands on as they are, to the end of version 3.
	void (*rest[14])(void);
};

enum {
	SQLITE_OK = 0,
	SQLITE_IOERR = 10,
	SQLITE_NOTFOUND = 12,
	SQLITE_FULL = 13,
	SQLITE_IOERR_READ = SQLITE_IOERR | 1 << 8,
	SQLITE_IOERR_SHORT_READ = SQLITE_IOERR | 2 << 8,
	SQLITE_IOERR_WRITE = SQLITE_IOERR | 3 << 8,
	SQLITE_IOERR_FSYNC = SQLITE_IOERR | 4 << 8,
	SQLITE_IOERR_NOMEM = SQLITE_IOERR | 12 << 8,

	SQLITE_OPEN_CREATE = 0x4,
	SQLITE_OPEN_MAIN_DB = 0x100,
	SQLITE_OPEN_MAIN_JOURNAL = 0x800,
	SQLITE_OPEN_WAL = 0x80000,

	SQLITE_FCNTL_PRAGMA = 14,
	SQLITE_IOCAP_BATCH_ATOMIC = 0x4000,
};

// Weak, so that a program without SQLite links and is told so.
sqlite3_vfs *sqlite3_vfs_find(const char *name) __attribute__((weak));
int sqlite3_vfs_register(sqlite3_vfs *, int make_default) __attribute__((weak));
char *sqlite3_mprintf(const char *format, ...) __attribute__((weak));

#endif
