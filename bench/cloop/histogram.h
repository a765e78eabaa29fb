// histogram counts times in buckets that are no wider than 1 in 128 of what they hold.
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

enum { HALF_BITS = 7, BUCKETS = (64 - HALF_BITS) << HALF_BITS };

typedef struct {
	uint64_t count, sum, longest;
	uint64_t buckets[BUCKETS];
} histogram;

void histogram_add(histogram *h, uint64_t nanoseconds);

// histogram_percentile returns a percentile in nanoseconds, or 0 where fewer samples lie above it
// than it takes to tell: ten, but for a median.
uint64_t histogram_percentile(const histogram *h, double percentile);

#endif
