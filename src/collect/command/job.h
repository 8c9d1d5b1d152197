/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job - makes the rows of 'tiptop follow': the events and ticks of followed tasks, with their
 * counts.
 *
 * Each task has its own group of counters, from its first instruction on (trace.h) unless it
 * existed before it was followed. The count of a process is the sum over its tasks, ended and
 * living, and over threads that no tracer sees. If the counts of such threads are unknown, the sum
 * is partial.
 *
 *   row         of         counts
 *   init_lwp    a task     0: the first task of a process, or of its new image
 *   lwp_create  a task     0: another thread
 *   lwp_exit    a task     since it began, or since the last exec
 *   fini_lwp    a task     the same, of the last task of a process or of its old image
 *   fork        a task     none; the pid of the new process
 *   exec        a process  those of the old image; then a row without counts, with the new image,
 *                          if that is followed
 *   exit        a process  since the last exec; with the exit status
 *   tick        a task     since the last tick, or since its first row, if that is later
 *
 * Several sets of counters take turns, one per tick. The end of a task or process then has one row
 * for each set. Counts of a set that was not counted all the time are partial (QUALITY_PARTIAL);
 * those of a set that was never counted are unknown.
 *
 * Instead of counters, numbers that the kernel has for each task can be read (job_set_read()).
 *
 * The names and meanings of the rows are those of cputrack(1) of Solaris.
 *
 * Ownership: sys and the sets are borrowed. A row is valid during the call only.
 */
#ifndef COLLECT_COMMAND_JOB_H
#define COLLECT_COMMAND_JOB_H

#include "base/value.h"
#include "collect/command/trace.h"
#include "pmu/perf/event.h"
#include "pmu/perf/group.h"
#include "pmu/perf/ring.h"
#include "report/counts.h"

/* ---- increments ---- */

/* Sets out[] to the increments of n numbers of the kernel that only grow, and last[] to the
 * numbers. unknown: bit i: number i could not be read; out[i] is then unknown and last[i] stays. */
void number_increments(const uint64_t *now, uint64_t unknown, int n, struct count *last,
		       struct value *out);

/* ---- kernel threads ----
 *
 * Threads of a followed process that no tracer sees, as the kernel creates them itself for it:
 * workers of io_uring.
 *
 * The kernel's records (pmu/perf/ring.h) show that such threads began; if some of them were lost,
 * any process may have such threads. Counters that all threads
 * of the process inherit include the counts of these threads, as the excess over the counts of the
 * followed tasks. Counts of PMU events in these threads are unknown, since no hardware counter is
 * used for this. If several sets take turns, all counts of these threads are unknown.
 */

/* The inherited events and the kernel's records, for the kernel threads of all processes. */
struct others {
	struct perf_sys *sys;
	struct event_set set; /* the groups of its plan have no PMU events */
	bool counts;          /* the set is counted; false: counts of kernel threads are unknown */
	struct lives *lives;  /* NULL: unknown whether there are kernel threads */
};

/* The state of one followed process from which the counts of its kernel threads are found. */
struct process_kthreads {
	struct group *group; /* counters that its threads inherit; NULL: not open */
	struct count last[EVENT_SET_MAX];
	uint32_t followed, begun; /* followed tasks, and started threads, since the last exec */
};

/* ---- job ---- */

enum follow_kind {
	FOLLOW_TICK,
	FOLLOW_LWP_CREATE,
	FOLLOW_LWP_EXIT,
	FOLLOW_INIT_LWP,
	FOLLOW_FINI_LWP,
	FOLLOW_FORK,
	FOLLOW_EXEC,
	FOLLOW_EXIT,
	N_FOLLOW_KINDS
};

extern const char *const follow_kind_names[N_FOLLOW_KINDS];

struct follow_row {
	enum follow_kind kind;
	pid_t process;
	pid_t task;                /* 0: the row of a process */
	int set;                   /* index of the set of these counts */
	const struct value *value; /* [set.n_counters]; NULL: none */
	pid_t made;                /* FORK: the new process */
	/* EXEC: the name of the image; NULL: this is the row with counts */
	const char *image;
	bool ended; /* EXIT: `how` is valid */
	int how;    /* as from wait(2) */
};

struct follow_task;
struct follow_process;

/* Reads one number for each counter of the set: the sum since the task began. Returns the mask of
 * the numbers that could not be read. */
typedef uint64_t job_read(void *context, pid_t task, uint64_t *out);

struct job {
	struct perf_sys *sys;
	const struct event_set *set; /* [n_sets] */
	int n_sets, current;
	size_t n_values;   /* sum of n_counters over all sets */
	bool command;      /* the first exec is the start of the command */
	bool follows_exec; /* false: stop following a process at its exec */
	bool verbose;      /* report init_lwp and fini_lwp, too */
	/* -errno of the first task whose counters could not be opened; 0: none */
	int refused;
	pid_t refused_task; /* the task of `refused` */
	/* a task that is not counted, as it executes a program that this user may not read; 0:
	 * none */
	pid_t lost;
	struct follow_task *task;
	size_t n_tasks, cap_tasks;
	struct follow_process *process;
	size_t n_processes, cap_processes;
	struct others others;
	struct value *row; /* [n_values] scratch, for one row */
	/* Reads the numbers of a task in place of counters (job_set_read()); the job then has one
	 * set, whose events give only the names. NULL: counters are opened. */
	job_read *read;
	void *read_context;
	void (*tell)(void *context, const struct follow_row *row);
	void *context;
};

void job_init(struct job *j, struct perf_sys *sys, const struct event_set *set, int n_sets);
void job_done(struct job *j);
/* Replaces counters by numbers that are read; call it before the first event. */
void job_set_read(struct job *j, job_read *read, void *context);
/* Handles an event of the tracer. Returns false if its task is not to be followed any more. */
bool job_handle_event(struct job *j, const struct trace_event *event);
/* Ends an interval: reports all tasks, and changes to the next set. */
void job_tick(struct job *j);

/* ---- lines ----
 *
 * Rows of a job as text, CSV or JSON.
 *
 * Text: a header, then a line per row, in columns: time in seconds since the start, process, task,
 * kind, counts. An unknown count is '-'; one that is extrapolated is followed by '~'. '#' precedes
 * the remark: the pid of a new process, the name of an image, with several sets the names of the
 * counters, and the exit status or signal of a process; status 0, the most frequent, is left out,
 * so that the rows are those of cputrack.
 *
 * CSV: the same, one record per row, with all digits, and every status; an unknown value is empty.
 * JSON: one object per line, "type":"follow"; an unknown value is null.
 */

struct follow_lines {
	struct report_counts counts;
};

/* Initializes the lines. set: [n_sets], borrowed. */
void follow_lines_init(struct follow_lines *l, enum report_format_id format,
		       const struct event_set *set, int n_sets);
void follow_lines_done(struct follow_lines *l);
/* Selects the fields to write; NULL: all. Returns 0, or -EINVAL with a sentence: no such field. */
int follow_lines_choose(struct follow_lines *l, const char *fields, struct err *err);
/* Appends the header, if the format has one. */
void follow_lines_header(struct follow_lines *l, struct strbuf *out);
void follow_lines_row(struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row);

#endif
