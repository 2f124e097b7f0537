/* The tracepoint as functions, since it is a macro, and the clock that goes with it. */

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "transfer.h"

#include <stdbool.h>
#include <time.h>

/* What LTTng stamps events with. */
uint64_t bench_record_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void bench_record_transfer(uint64_t start, uint64_t from, uint64_t to, uint64_t amount)
{
	lttng_ust_tracepoint(bench_record, transfer, start, from, to, amount);
}

bool bench_record_transfer_enabled(void)
{
	return lttng_ust_tracepoint_enabled(bench_record, transfer);
}
