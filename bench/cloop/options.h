// options are what the command line says.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

// kind is what an operation does; the names are in the order of the constants.
typedef enum { UPSERT, GET, DELETE, KINDS } kind;

extern const char *const kind_names[KINDS];

typedef struct {
	const char *dir;
	const char *journal, *sync;
	long weights[KINDS]; // how often each kind of operation comes
	const char *mix;     // the same as text
	long for_ms, warm_up_ms;
	long sessions, keys, value_size;
	long seed;
} options;

// options_parse reads the command line. What makes no sense ends the process with status 2.
options options_parse(int argc, char **argv);

#endif
