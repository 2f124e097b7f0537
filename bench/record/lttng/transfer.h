/* The tracepoint bench_record:transfer. LTTng includes this file several times, with its macros defined differently. */

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench_record

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "transfer.h"

#if !defined(BENCH_RECORD_TRANSFER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_RECORD_TRANSFER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	bench_record, transfer,
	LTTNG_UST_TP_ARGS(uint64_t, start, uint64_t, from, uint64_t, to, uint64_t, amount),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, start, start)
		lttng_ust_field_integer(uint64_t, from, from)
		lttng_ust_field_integer(uint64_t, to, to)
		lttng_ust_field_integer(uint64_t, amount, amount)))

#endif

#include <lttng/tracepoint-event.h>
