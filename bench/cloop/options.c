#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const kind_names[KINDS] = {"upsert", "get", "delete"};

static const char usage[] =
	"usage: cloop --dir DIR [--journal wal|delete] [--sync full|normal] [--mix MIX] [--for MS]\n"
	"             [--warm-up MS] [--sessions N] [--keys N] [--value-size BYTES] [--seed N]\n"
	"MIX is upsert=1, or weights as in upsert=45,get=50,delete=5.\n";

static void refuse(const char *option, const char *value, const char *right) {
	fprintf(stderr, "cloop: %s %s: %s\n%s", option, value, right, usage);
	exit(2);
}

static long number(const char *option, const char *text, long least, long most) {
	char *end, right[80];
	errno = 0;
	long n = strtol(text, &end, 10);
	if (*text == '\0' || *end != '\0' || errno != 0 || n < least || n > most) {
		snprintf(right, sizeof right, "it is no whole number from %ld to %ld", least, most);
		refuse(option, text, right);
	}
	return n;
}

static const char *one_of(const char *option, const char *text, const char *a, const char *b) {
	if (strcmp(text, a) == 0 || strcmp(text, b) == 0) return text;
	char right[80];
	snprintf(right, sizeof right, "it is neither %s nor %s", a, b);
	refuse(option, text, right);
	return NULL;
}

// weigh reads one "kind=weight" of a mix.
static void weigh(const char *mix, const char *part, long *weights) {
	for (int k = 0; k < KINDS; k++) {
		size_t n = strlen(kind_names[k]);
		if (strncmp(part, kind_names[k], n) == 0 && part[n] == '=') {
			weights[k] = number("--mix", part + n + 1, 1, 1000000);
			return;
		}
	}
	refuse("--mix", mix, "it is no list of weights of upsert, get and delete");
}

static void parse_mix(options *o, const char *mix) {
	char text[128];
	if (snprintf(text, sizeof text, "%s", mix) >= (int)sizeof text || *mix == '\0') {
		refuse("--mix", mix, "it is empty or too long");
	}
	memset(o->weights, 0, sizeof o->weights);
	o->mix = mix;
	for (char *part = strtok(text, ","); part != NULL; part = strtok(NULL, ",")) {
		weigh(mix, part, o->weights);
	}
}

enum { DIR = 'd', JOURNAL, SYNC, MIX, FOR, WARM_UP, SESSIONS, KEYS, VALUE_SIZE, SEED };

static const struct option names[] = {
	{"dir", required_argument, NULL, DIR},
	{"journal", required_argument, NULL, JOURNAL},
	{"sync", required_argument, NULL, SYNC},
	{"mix", required_argument, NULL, MIX},
	{"for", required_argument, NULL, FOR},
	{"warm-up", required_argument, NULL, WARM_UP},
	{"sessions", required_argument, NULL, SESSIONS},
	{"keys", required_argument, NULL, KEYS},
	{"value-size", required_argument, NULL, VALUE_SIZE},
	{"seed", required_argument, NULL, SEED},
	{NULL, 0, NULL, 0},
};

static void set(options *o, int option, const char *value) {
	switch (option) {
	case DIR: o->dir = value; break;
	case JOURNAL: o->journal = one_of("--journal", value, "wal", "delete"); break;
	case SYNC: o->sync = one_of("--sync", value, "full", "normal"); break;
	case MIX: parse_mix(o, value); break;
	case FOR: o->for_ms = number("--for", value, 1, 3600000); break;
	case WARM_UP: o->warm_up_ms = number("--warm-up", value, 0, 3600000); break;
	case SESSIONS: o->sessions = number("--sessions", value, 1, 100000); break;
	case KEYS: o->keys = number("--keys", value, 1, 100000); break;
	case VALUE_SIZE: o->value_size = number("--value-size", value, 1, 1 << 24); break;
	case SEED: o->seed = number("--seed", value, 0, LONG_MAX); break;
	default: fputs(usage, stderr); exit(2); // getopt has said what is wrong
	}
}

options options_parse(int argc, char **argv) {
	options o = {.journal = "wal", .sync = "full", .weights = {[UPSERT] = 1}, .mix = "upsert=1",
		.for_ms = 1000, .warm_up_ms = 100, .sessions = 16, .keys = 8, .value_size = 128, .seed = 1};
	for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) set(&o, c, optarg);
	if (optind < argc) refuse("the argument", argv[optind], "there are only options");
	if (o.dir == NULL) refuse("--dir", "is missing", "name an empty directory");
	return o;
}
