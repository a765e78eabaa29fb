// cloop is what SQLite itself can do: one thread calls prepared statements, each a transaction,
// and nothing stands between. It writes Go's benchmark format, as memrace bench does. The names of
// slots, their number and the values are those of memrace bench.
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "histogram.h"
#include "options.h"
#include "sqlite3.h"

static const char schema[] =
	"CREATE TABLE memories (session_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
	" updated_at INTEGER NOT NULL, PRIMARY KEY (session_id, key)) STRICT";

static const char *const sql[KINDS] = {
	"INSERT INTO memories (session_id, key, value, updated_at) VALUES (?1, ?2, ?3, ?4)"
	" ON CONFLICT (session_id, key) DO UPDATE"
	" SET value = excluded.value, updated_at = excluded.updated_at",
	"SELECT value FROM memories WHERE session_id = ?1 AND key = ?2",
	"DELETE FROM memories WHERE session_id = ?1 AND key = ?2",
};

// result is what came of the operations of one kind.
typedef struct {
	uint64_t done; // returned in the measured time
	histogram took; // of those that were called in it
} result;

typedef struct {
	options options;
	sqlite3 *db;
	sqlite3_stmt *statements[KINDS];
	char *value;
	uint64_t dice;
	result results[KINDS];
} loop;

static void check(const loop *l, const char *what, int code, int want) {
	if (code == want) return;
	fprintf(stderr, "cloop: %s: %s\n", what, sqlite3_errmsg(l->db));
	exit(1);
}

static uint64_t now(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// roll returns a number below n (splitmix64, Steele, Lea and Flood 2014).
static uint64_t roll(loop *l, uint64_t n) {
	uint64_t z = l->dice += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % n;
}

// set gives the connection a setting and ends the process if it does not take.
static void set(const loop *l, const char *name, const char *want, const char *reads) {
	char text[64];
	sqlite3_stmt *s;
	snprintf(text, sizeof text, "PRAGMA %s = %s", name, want);
	check(l, text, sqlite3_exec(l->db, text, NULL, NULL, NULL), SQLITE_OK);
	snprintf(text, sizeof text, "PRAGMA %s", name);
	check(l, text, sqlite3_prepare_v2(l->db, text, -1, &s, NULL), SQLITE_OK);
	check(l, text, sqlite3_step(s), SQLITE_ROW);
	const char *got = (const char *)sqlite3_column_text(s, 0);
	if (got == NULL || strcmp(got, reads) != 0) {
		fprintf(stderr, "cloop: %s is %s, and %s was asked for\n", name, got, want);
		exit(1);
	}
	check(l, text, sqlite3_finalize(s), SQLITE_OK);
}

static void open_database(loop *l) {
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/memories.db", l->options.dir);
	check(l, path, sqlite3_open(path, &l->db), SQLITE_OK);
	set(l, "journal_mode", l->options.journal, l->options.journal);
	set(l, "synchronous", l->options.sync, strcmp(l->options.sync, "full") == 0 ? "2" : "1");
	check(l, "make the schema", sqlite3_exec(l->db, schema, NULL, NULL, NULL), SQLITE_OK);
	for (int k = 0; k < KINDS; k++) {
		check(l, sql[k], sqlite3_prepare_v2(l->db, sql[k], -1, &l->statements[k], NULL), SQLITE_OK);
	}
}

// call makes one operation on a slot.
static void call(loop *l, kind k, long slot) {
	char session[16], key[16];
	int m = snprintf(session, sizeof session, "s%ld", slot % l->options.sessions);
	int n = snprintf(key, sizeof key, "k%ld", slot / l->options.sessions);
	sqlite3_stmt *s = l->statements[k];
	sqlite3_bind_text(s, 1, session, m, SQLITE_STATIC);
	sqlite3_bind_text(s, 2, key, n, SQLITE_STATIC);
	if (k == UPSERT) {
		sqlite3_bind_text(s, 3, l->value, (int)l->options.value_size, SQLITE_STATIC);
		sqlite3_bind_int64(s, 4, (sqlite3_int64)now(CLOCK_REALTIME));
	}
	int code = sqlite3_step(s);
	if (code == SQLITE_ROW) {
		memcpy(l->value, sqlite3_column_text(s, 0), (size_t)sqlite3_column_bytes(s, 0));
		code = sqlite3_step(s);
	}
	check(l, sql[k], code, SQLITE_DONE);
	check(l, sql[k], sqlite3_reset(s), SQLITE_OK);
}

static kind choose(loop *l) {
	long sum = 0;
	for (int k = 0; k < KINDS; k++) sum += l->options.weights[k];
	long n = (long)roll(l, (uint64_t)sum);
	int k = 0;
	while (n >= l->options.weights[k]) n -= l->options.weights[k++];
	return (kind)k;
}

// play fills every slot and makes operations until the time is over.
static void play(loop *l) {
	long slots = l->options.sessions * l->options.keys;
	for (long i = 0; i < slots; i++) call(l, UPSERT, i);
	uint64_t start = now(CLOCK_MONOTONIC) + (uint64_t)l->options.warm_up_ms * 1000000u;
	uint64_t end = start + (uint64_t)l->options.for_ms * 1000000u;
	for (uint64_t from; (from = now(CLOCK_MONOTONIC)) < end;) {
		kind k = choose(l);
		call(l, k, (long)roll(l, (uint64_t)slots));
		uint64_t to = now(CLOCK_MONOTONIC);
		if (to >= start && to < end) l->results[k].done++;
		if (from >= start) histogram_add(&l->results[k].took, to - from);
	}
}

static void print_mix(const char *mix) {
	fputs("/mix=", stdout);
	for (; *mix != '\0'; mix++) putchar(*mix == '=' ? ':' : *mix);
}

static void print_line(const loop *l, kind k) {
	const histogram *h = &l->results[k].took;
	double seconds = (double)l->options.for_ms / 1000;
	printf("Benchmark%c%s", kind_names[k][0] - 'a' + 'A', kind_names[k] + 1);
	if (strchr(l->options.mix, ',') != NULL) print_mix(l->options.mix);
	printf("/store=c-loop/clients=1\t%llu\t%.1f ops/sec", (unsigned long long)h->count,
		(double)l->results[k].done / seconds);
	if (h->count > 0) printf("\t%.1f ns/op", (double)h->sum / (double)h->count);
	const double percentiles[] = {50, 90, 99, 99.9};
	for (int i = 0; i < 4; i++) {
		uint64_t took = histogram_percentile(h, percentiles[i]);
		if (took > 0) printf("\t%llu p%g-ns/op", (unsigned long long)took, percentiles[i]);
	}
	printf("\t%llu max-ns/op\n", (unsigned long long)h->longest);
}

static void print(const loop *l) {
	printf("sqlite-version: %s\nsqlite-source: %s\nthreadsafe: %d\njournal-mode: %s\n"
		"synchronous: %s\n\n", sqlite3_libversion(), sqlite3_sourceid(), sqlite3_threadsafe(),
		l->options.journal, l->options.sync);
	for (int k = 0; k < KINDS; k++) {
		if (l->options.weights[k] > 0) print_line(l, (kind)k);
	}
}

int main(int argc, char **argv) {
	static loop l;
	l.options = options_parse(argc, argv);
	l.dice = (uint64_t)l.options.seed;
	l.value = malloc((size_t)l.options.value_size);
	if (l.value == NULL) {
		fputs("cloop: there is no memory for a value\n", stderr);
		return 1;
	}
	memset(l.value, 'v', (size_t)l.options.value_size);
	open_database(&l);
	play(&l);
	for (int k = 0; k < KINDS; k++) sqlite3_finalize(l.statements[k]);
	check(&l, "close", sqlite3_close(l.db), SQLITE_OK);
	print(&l);
	return 0;
}
