/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring - reads the records that the kernel writes for an event: perf_event_open(2), "MMAP layout".
 *
 * The kernel writes at data_head; tiptop reads at data_tail and advances it. If tiptop is too slow,
 * the kernel drops records and later reports how many (PERF_RECORD_LOST). Rings to which several
 * CPUs write at once can be damaged (Linux 6.18 and earlier), so each length is checked: after an
 * impossible record, or if data_head is too far ahead, all unread data are dropped, and reading
 * goes on after them. Lost records and damages are counted.
 *
 * Ownership: the ring owns its mapping and the descriptor; ring_close() frees both.
 */
#ifndef PMU_PERF_RING_H
#define PMU_PERF_RING_H

#include "pmu/perf/sys.h"

struct ring;

struct ring_record {
	uint32_t type;    /* PERF_RECORD_... */
	uint16_t misc;    /* PERF_RECORD_MISC_... */
	uint16_t size;    /* of the body, in bytes; a multiple of 8 */
	const void *body; /* the bytes after the header; valid until the next call */
};

struct ring_losses {
	uint64_t records; /* records for which the kernel had no room */
	uint64_t damages; /* how often the data were not a valid record */
};

/* Maps a ring of `pages` pages, a power of two. If locked memory is short, halves that number until
 * it fits, down to `least`. Takes ownership of the descriptor; closes it on failure, too. Returns 0
 * or -errno. */
int ring_open(struct ring **out, struct perf_sys *sys, int fd, size_t pages, size_t least);
/* Returns the descriptor; it is readable once the ring has as much data as the event's
 * watermark. */
int ring_fd(const struct ring *r);
/* Reads the next record. False: no record is unread. */
bool ring_next(struct ring *r, struct ring_record *out);
/* Returns the bytes that the kernel may write at this moment. It drops a record that needs more. */
uint64_t ring_room(const struct ring *r);
/* Asks the kernel how many records were lost, if the event of the ring reports it
 * (PERF_FORMAT_LOST). Unlike PERF_RECORD_LOST, this includes records that were lost after the last
 * written one. */
void ring_read_losses(struct ring *r);
/* Returns the losses since the ring was opened. */
struct ring_losses ring_losses(const struct ring *r);
/* Unmaps and frees the ring and closes its descriptor. r may be NULL. */
void ring_close(struct ring *r);

/* Detects rings that have stopped: more records were expected than received, and none was received
 * for RING_STILL_NS. The kernel no longer writes to a ring that it has damaged. */
struct ring_watch {
	uint64_t since_ns;       /* when ring_watch_update() last stored the numbers */
	uint64_t expected, came; /* the numbers of records at that time */
	uint64_t given_up;       /* this many missing records are no longer expected */
};

#define RING_STILL_NS 100000000u

/* Compares the numbers of records, at most once per RING_STILL_NS, with those stored by the last
 * comparison. expected, came: records expected and received so far. Returns true if the rings have
 * stopped; the missing records are then no longer expected. */
bool ring_watch_update(struct ring_watch *w, uint64_t now_ns, uint64_t expected, uint64_t came);

#endif
