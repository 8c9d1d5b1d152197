/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring - reads the records that the kernel writes for an event (perf_event_open(2), "MMAP layout"),
 * and two uses of them: struct finals reads the final counts of tasks that ended, struct lives the
 * forks, ends and name changes of tasks.
 *
 * The kernel writes at data_head; tiptop reads at data_tail and advances it. If tiptop is too slow,
 * the kernel drops records and later reports how many (PERF_RECORD_LOST). Rings to which several
 * CPUs write at once can be damaged (Linux 6.18 and earlier), so each length is checked: after an
 * impossible record, or if data_head is too far ahead, all unread data are dropped, and reading
 * goes on after them. Lost records and damages are counted.
 *
 * Ownership: the ring owns its mapping and the descriptor; ring_close() frees both, as
 * finals_close() and lives_close() do for all of their rings. Errors are -errno, without a
 * sentence.
 */
#ifndef PMU_PERF_RING_H
#define PMU_PERF_RING_H

#include "pmu/perf/group.h"
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

/* Maps a ring of `pages` pages, a power of two. If this fails, mostly as locked memory is short,
 * halves that number until it succeeds, down to `least`. Takes ownership of the descriptor; closes
 * it on failure, too. Returns 0 or -errno. */
int ring_open(struct ring **out, struct perf_sys *sys, int fd, size_t pages, size_t least);
/* Returns the descriptor; it is readable once the ring has as much data as the event's
 * watermark. */
int ring_fd(const struct ring *r);
/* Reads the next record. False: no record is unread. */
bool ring_next(struct ring *r, struct ring_record *out);
/* Returns the free bytes at this moment; the kernel drops a record that has as many bytes or more.
 */
uint64_t ring_room(const struct ring *r);
/* Asks the kernel how many records were lost, if the event of the ring reports it
 * (PERF_FORMAT_LOST). Unlike PERF_RECORD_LOST, this includes records that were lost after the last
 * written one. */
void ring_read_losses(struct ring *r);
/* Returns the losses since the ring was opened. */
struct ring_losses ring_losses(const struct ring *r);
/* Returns the offset of a clock, "monotonic" or "boottime", in the time namespace of this process,
 * modulo 2^64: records have the kernel's own time. 0: none, or unknown, as /proc has that of future
 * children. */
uint64_t ring_clock_offset(const char *clock);
/* Unmaps and frees the ring and closes its descriptor. r may be NULL. */
void ring_close(struct ring *r);

/* Detects rings that have stopped: more records were expected than received, and none was received
 * for 100 ms. The kernel no longer writes to a ring that it has damaged. */
struct ring_watch {
	uint64_t since_ns;       /* when ring_watch_update() last stored the numbers */
	uint64_t expected, came; /* the numbers of records at that time */
	uint64_t given_up;       /* this many missing records are no longer expected */
};

/* Compares the numbers of records, at most once per 100 ms, with those stored by the last
 * comparison. expected, came: records expected and received so far. Returns true if the rings have
 * stopped; the missing records are then no longer expected. */
bool ring_watch_update(struct ring_watch *w, uint64_t now_ns, uint64_t expected, uint64_t came);

/* ---- finals ----
 *
 * Reads the final counts of tasks that inherited a group and have ended, which the kernel writes
 * into a ring (PERF_RECORD_READ).
 *
 * Linux from 5.13 up to some releases of 6.18 writes no such records (probe_finals() tests whether
 * it does). Each kernel group has a ring of its own, to which its last member writes: rings that
 * several events share are damaged when tasks end at the same time on two CPUs.
 *
 * The task on which the group was opened inherited nothing, and has no record.
 */

struct finals;

/* The end of one task. With several kernel groups, each of them has a record of it. */
struct final {
	pid_t process, task;
	/* The record is from the first group: counting only such records counts each task once. */
	bool first;
	uint64_t members; /* bit i: count[i] is valid */
	struct count count[EVENT_SET_MAX];
};

/* Opens the rings of a group that was opened on tid with set->finals. Returns 0 or -errno. */
int finals_open(struct finals **out, struct perf_sys *sys, const struct group *g, pid_t tid);
/* Reads the next record. False: no record is unread. */
bool finals_next(struct finals *f, struct final *out);
/* Replaces the rings, which stopped (ring_watch), by new ones; unread records are lost. Returns 0,
 * or -errno with some of the old rings left. */
int finals_reopen(struct finals *f);
/* Returns how many ends of tasks are missing, as the kernel had no room for their records, and how
 * often the ring was damaged. */
struct ring_losses finals_losses(const struct finals *f);
/* Returns the descriptor of the i-th ring, readable once a page of records (half of the smallest
 * ring) is unread; -1: there is no i-th. */
int finals_fd(const struct finals *f, size_t i);
/* Closes the rings and frees f. f may be NULL. */
void finals_close(struct finals *f);

/* ---- lives ----
 *
 * Reads the kernel's records of the forks, exits and name changes of a task and all its
 * descendants. The kernel writes them into one ring for each CPU.
 *
 * Records of one CPU are in the order of time. To order records of several CPUs, compare their
 * times.
 */

#define LIFE_NAME_MAX 16

struct lives;

/* To order records with equal times, compare these values. */
enum lives_what { LIVES_BEGIN, LIVES_NAME, LIVES_END };

struct life {
	enum lives_what what;
	pid_t process, task;
	/* For LIVES_BEGIN: the process that created the task; if the task is a thread, its own
	 * process. */
	pid_t creator_pid;
	/* CLOCK_BOOTTIME of the time namespace of this process, like start_ns of tasks. */
	uint64_t time_ns;
	char name[LIFE_NAME_MAX]; /* for LIVES_NAME: the new name of the process */
	/* For LIVES_NAME: the name was changed by execve(2), not by the process itself. */
	bool executes;
};

/* Opens a ring on tid for each online CPU below n_cpus. Returns 0 or -errno. */
int lives_open(struct lives **out, struct perf_sys *sys, int n_cpus, pid_t tid);
/* Reads the next record; skips name changes of threads other than the main thread. False: no record
 * is unread. */
bool lives_next(struct lives *l, struct life *out);
/* Returns the losses of all CPUs. */
struct ring_losses lives_losses(struct lives *l);
/* Closes the rings and frees l. l may be NULL. */
void lives_close(struct lives *l);

#endif
