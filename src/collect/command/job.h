/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job - what the tasks that are followed have counted: rows of events and ticks.
 *
 * Each task has a group of counters of its own from its first instruction on (trace.h), so every
 * row has the exact counts of its task. What a process has counted is the sum over its tasks, those
 * that have ended and those that live, and of threads that no tracer is told of;
 * where it is not known what these have counted, it is a part.
 *
 *   row         of         counts
 *   init_lwp    a task     0: the first task of a process, or of its new image
 *   lwp_create  a task     0: a further thread
 *   lwp_exit    a task     all that it has counted since it began, or since the last exec
 *   fini_lwp    a task     the same, of the last task of a process or of its old image
 *   fork        a task     none; the number of the new process
 *   exec        a process  what the old image has counted; then a row without, the new image
 *   exit        a process  what it has counted since the last exec; how it has ended
 *   tick        a task     what it has counted since the last tick
 *
 * Where there are several sets of counters, they take turns, one a tick; the last rows of a task
 * and of a process are then one for each set. A set that had only some of the turns has counted a
 * part (QUALITY_PARTIAL), and one that had none is unknown.
 *
 * Instead of counters, numbers that the kernel has of each task can be read (job_set_read()).
 *
 * The names of the rows, and what they mean, are those of cputrack(1) of Solaris.
 *
 * Ownership: sys and the sets are borrowed. A row is valid during the call only.
 */
#ifndef COLLECT_COMMAND_JOB_H
#define COLLECT_COMMAND_JOB_H

#include "base/value.h"
#include "collect/command/trace.h"
#include "pmu/perf/event.h"
#include "pmu/perf/group.h"
#include "pmu/perf/lives.h"
#include "report/counts.h"

/* ---- kernel threads ----
 *
 * Threads of a process that is followed of which no tracer is told, as the kernel
 * makes them itself for it: workers of io_uring.
 *
 * That they began is in the kernel's records (pmu/perf/lives.h). What they have counted is what
 * counters that all threads of the process inherit have beyond those of the tasks that are
 * followed. Of events of a PMU that is not known, as no counter is taken for it; nor where several
 * sets take turns.
 */

/* What is inherited, and by whom. */
struct others {
	struct perf_sys *sys;
	struct event_set set; /* events of a PMU are in no group of its plan */
	bool counts;          /* the set is counted; else it is not known what they count */
	struct lives *lives;  /* NULL: not known whether there are any */
};

/* Those of one process. */
struct process_kthreads {
	struct group *group; /* NULL: none could be opened */
	struct count last[EVENT_SET_MAX];
	uint32_t followed, begun; /* tasks of it, and threads, since its last exec */
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
	pid_t task;                /* 0: it is of the process */
	int set;                   /* whose counts these are */
	const struct value *value; /* [set.n_counters]; NULL: it has none */
	pid_t made;                /* of FORK: the new process */
	const char *image;         /* of EXEC: its name; NULL: it is the row of the counts */
	bool ended;                /* of EXIT: how it has ended is known */
	int how;                   /* as wait(2) has it */
};

struct follow_task;
struct follow_process;

/* Reads what a task has done since it began, a number for each counter of the set. Returns a bit
 * for each that is not known. */
typedef uint64_t job_read(void *context, pid_t task, uint64_t *out);

struct job {
	struct perf_sys *sys;
	const struct event_set *set; /* [n_sets] */
	int n_sets, current;
	size_t n_values;    /* of all sets */
	bool command;       /* the first exec is the start of the command */
	bool follows_exec;  /* else a process is left at its exec */
	bool verbose;       /* rows of init_lwp and fini_lwp, too */
	int refused;        /* why the counters of a task could not be opened; 0: they could */
	pid_t refused_task; /* of which task */
	pid_t lost;         /* executes what this user may not read: not counted. 0: none does */
	struct follow_task *task;
	size_t n_tasks, cap_tasks;
	struct follow_process *process;
	size_t n_processes, cap_processes;
	struct others others;
	struct value *row; /* [n_values] room for one row */
	/* In the place of counters, with the one set, whose events are names alone; NULL: counters
	 * are opened. */
	job_read *read;
	void *read_context;
	void (*tell)(void *context, const struct follow_row *row);
	void *context;
};

void job_init(struct job *j, struct perf_sys *sys, const struct event_set *set, int n_sets);
void job_done(struct job *j);
/* Before the first event: numbers that are read in the place of counters. */
void job_set_read(struct job *j, job_read *read, void *context);
/* Takes an event of the tracer. Returns false where its task is not to be followed any more. */
bool job_handle_event(struct job *j, const struct trace_event *event);
/* An interval has ended: tells of all tasks, and goes on with the next set. */
void job_tick(struct job *j);

/* ---- lines ----
 *
 * Rows of a job as text, CSV or JSON.
 *
 * Text: a header, then a line a row, in columns: time in seconds since the start, process, task,
 * kind, counts. What is not known is '-', a count that is extrapolated has '~' behind it. What a
 * row has beside counts stands behind '#': the number of a new process, the name of an image, with
 * several sets the names of the counters, and with what status or by what signal a process has
 * ended: 0, as most do, is no remark, so that the rows are those of cputrack.
 *
 * CSV: the same, one record a row, with all digits, and each status; not known is nothing. JSON:
 * one object a line, "type":"follow"; not known is null.
 */

struct follow_lines {
	struct report_counts counts;
};

/* set: [n_sets], borrowed. */
void follow_lines_init(struct follow_lines *l, enum report_format_id format,
		       const struct event_set *set, int n_sets);
void follow_lines_done(struct follow_lines *l);
/* Chooses the fields that are written; NULL: all. -EINVAL with a sentence: there is no such field.
 */
int follow_lines_choose(struct follow_lines *l, const char *fields, struct err *err);
/* Appends the header, if the format has one. */
void follow_lines_header(struct follow_lines *l, struct strbuf *out);
void follow_lines_row(struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row);

#endif
