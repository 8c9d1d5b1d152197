/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring - the records that the kernel writes for an event: perf_event_open(2), "MMAP layout".
 *
 * The kernel writes at data_head, tiptop takes at data_tail and says so; where tiptop is too slow,
 * the kernel drops records and later says how many (PERF_RECORD_LOST). Rings that several CPUs
 * write at once can be damaged (6.18 and earlier), so no length that stands in one is believed: a
 * record that cannot be, or a head that is too far ahead, drops all that is there, and the ring
 * goes on behind it. Both losses are counted.
 *
 * Ownership: the ring has its mapping and the descriptor, which has to stay open as long.
 */
#ifndef PMU_PERF_RING_H
#define PMU_PERF_RING_H

#include "pmu/perf/sys.h"

struct ring;

struct ring_record {
	uint32_t type;    /* PERF_RECORD_... */
	uint16_t misc;    /* PERF_RECORD_MISC_... */
	uint16_t size;    /* of the body, in bytes; a multiple of 8 */
	const void *body; /* what stands behind the header; valid until the next call */
};

struct ring_losses {
	uint64_t records; /* that the kernel had no room for */
	uint64_t damages; /* how often something stood there that was no record */
};

/* Maps a ring of so many pages, a power of two. Where memory that may be locked is short, the ring
 * has fewer: half as many, and so on, but so many at least. Takes the descriptor over, and closes
 * it on failure, too. Returns 0 or -errno. */
int ring_open(struct ring **out, struct perf_sys *sys, int fd, size_t pages, size_t least);
/* It is readable once there is as much as its event has asked for. */
int ring_fd(const struct ring *r);
/* Takes the next record. False: there is none. */
bool ring_next(struct ring *r, struct ring_record *out);
/* Asks the kernel how many records were lost, where the event of the ring tells it
 * (PERF_FORMAT_LOST): also those behind which nothing has been written. */
void ring_read_losses(struct ring *r);
/* What was lost since the ring was opened. */
struct ring_losses ring_losses(const struct ring *r);
/* NULL is fine. */
void ring_close(struct ring *r);

/* Whether rings stand still: more was to come than has come, and nothing came for a while. A kernel
 * that has damaged a ring writes nothing to it any more. */
struct ring_watch {
	uint64_t since_ns;       /* when it was looked at last */
	uint64_t expected, came; /* what there was then */
	uint64_t given_up;       /* so much is not waited for any more */
};

#define RING_STILL_NS 100000000u

/* Takes what was to come so far, and what has come. True: they stand still; what is missing is not
 * waited for again. */
bool ring_watch_update(struct ring_watch *w, uint64_t now_ns, uint64_t expected, uint64_t came);

#endif
