#include "histogram.h"

static const double beyond = 10;

static int bucket_of(uint64_t v) {
	int bits = v == 0 ? 0 : 64 - __builtin_clzll(v);
	int n = bits > HALF_BITS + 1 ? bits - HALF_BITS - 1 : 0;
	return (n << HALF_BITS) + (int)(v >> n);
}

// highest_of returns the largest value of a bucket.
static uint64_t highest_of(int b) {
	int n = (b >> HALF_BITS) > 1 ? (b >> HALF_BITS) - 1 : 0;
	return ((uint64_t)(b - (n << HALF_BITS) + 1) << n) - 1;
}

void histogram_add(histogram *h, uint64_t nanoseconds) {
	h->count++;
	h->sum += nanoseconds;
	if (nanoseconds > h->longest) h->longest = nanoseconds;
	h->buckets[bucket_of(nanoseconds)]++;
}

uint64_t histogram_percentile(const histogram *h, double percentile) {
	double above = (double)h->count * (100 - percentile) / 100;
	if (h->count == 0 || (percentile > 50 && above < beyond - 1e-6)) return 0;
	uint64_t seen = 0;
	for (int b = 0; b < BUCKETS; b++) {
		seen += h->buckets[b];
		if ((double)seen >= (double)h->count - above) {
			uint64_t v = highest_of(b);
			return v < h->longest ? v : h->longest;
		}
	}
	return h->longest;
}
