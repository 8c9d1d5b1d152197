/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_total - a command with all its descendants, processes and threads, as one row, including
 * those that no refresh saw.
 *
 * The kernel computes the sum: inherited counters are opened on the child that becomes the command,
 * and count from its first instruction. A read returns the sum over living and exited tasks; so the
 * inherited task clock is the CPU time. Facts of getrusage(2), user and system time among them,
 * cover the command and the descendants that were waited for.
 *
 * Where the kernel reports the final counts of each exited task (pmu/perf/ring.h), these are
 * added up, too. The difference to the total belongs to the first task of the command, to living
 * tasks, and to tasks whose reports were lost. Without such reports, only the total is known.
 *
 * With --exact, ptrace(2) follows each task instead (traced.h), and each task has its own counters.
 * The counts of each task are then known on all kernels, but tasks are stopped at their start and
 * at execve(2).
 *
 * If tasks are shown as rows, too, each task of the command has two sets of counters: those of the
 * total and those of its row. A trial finds which hardware events of the total fit on the PMU
 * beside the set of the row, so that the total causes no multiplexing. Without rows, the total has
 * the whole PMU. Events that do not fit are not counted, and the reason is reported.
 *
 * struct run_sum adds up several runs of a command.
 */
#ifndef COLLECT_COMMAND_COMMAND_TOTAL_H
#define COLLECT_COMMAND_COMMAND_TOTAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/value.h"
#include "collect/command/descendants.h"
#include "collect/task/proc.h"
#include "model/detail.h"
#include "model/sample.h"
#include "pmu/perf/event.h"
#include "pmu/perf/ring.h"

/* ---- program totals ----
 *
 * The ended tasks of a command, by the names of their programs.
 */

struct program {
	char name[LIFE_NAME_MAX]; /* "?": unknown */
	uint64_t processes;
	uint64_t known; /* processes with a known exit status */
	/* known to have exited with a status other than 0, or to have been killed by a signal */
	uint64_t failed;
	uint64_t cpu_ns;
};

struct programs {
	struct program *program;
	size_t n, cap;
};

/* Adds the CPU time of an exited task. process: it is counted as the end of a process, too. */
void programs_add(struct programs *p, const char *name, bool process, uint64_t cpu_ns);
/* Adds the exit status of one process of a program, as of wait(2). */
void programs_add_end(struct programs *p, const char *name, int how);
/* Returns how many processes of the program failed. If some exit statuses are unknown, the number
 * is a lower bound (QUALITY_PARTIAL), or unknown if no known status is a failure. */
struct value program_failed(const struct program *p);
/* Returns the programs, [n], sorted by CPU time, largest first. Valid until the next call. */
const struct program *programs_list(struct programs *p, size_t *n);
void programs_done(struct programs *p);

/* ---- command total ---- */

struct command_total;

enum command_total_mode {
	COMMAND_TOTAL_ALONE,    /* no rows share the PMU, and ends of tasks are not needed */
	COMMAND_TOTAL_REPORTED, /* ends of tasks come from reports of the kernel, if it has them */
	COMMAND_TOTAL_TRACED    /* ptrace(2) follows each task */
};

/* Creates the total of a command with this name, and chooses the events that can be counted. set:
 * taken over. sys and proc must outlive the result; machine: a reference is taken; may be NULL.
 * note: events that cannot be counted, with the reason (code 0: none). */
struct command_total *command_total_new(struct perf_sys *sys, struct proc *proc,
					const struct sample_machine *machine, struct event_set *set,
					const char *name, enum command_total_mode way,
					struct err *note);
/* Opens the counters on a child process that has not called execve(2) yet. Closes those of the
 * previous child: COMMAND_TOTAL_ALONE may follow several commands one after the other. note: why
 * the counters could not be opened. Returns 0, or -errno with a sentence if the child cannot be
 * traced. */
int command_total_follow(struct command_total *w, pid_t pid, struct err *note, struct err *err);
/* Takes a sample, whose only row is the command. used: resource usage of waited-for processes;
 * NULL: none were reported. */
void command_total_sample(struct command_total *w, const struct rusage *used, struct sample *out);

/* Sets the source of exit statuses of children (descendants.h; taken over); NULL: none. Call it
 * only after command_total_follow(), which opens the list of descendants: if there is no such list,
 * the source is closed unused. */
void command_total_set_exits(struct command_total *w, struct exits *exits);
/* Returns a descriptor that is readable while exit statuses wait to be read; -1: there is none. */
int command_total_exits_fd(const struct command_total *w);
/* Reads the exit statuses that wait; if these are many, processes them as command_total_read_ends()
 * does. Call it only if command_total_exits_fd() returns a descriptor. */
void command_total_poll_exits(struct command_total *w);
/* Sets the exit status of the command, as of wait(2), before it is reaped. Then stops tracing the
 * descendants that still live. */
void command_total_set_status(struct command_total *w, int how);

/* These three functions add rows of ended children, and the row of the rest, to samples of tasks
 * (ended_children.h). Call command_total_begin_rows() with the sample taken before the command
 * runs. For each later sample, call command_total_look() before it is taken, and
 * command_total_add_rows() after that. */
void command_total_begin_rows(struct command_total *w, const struct sample *before);
void command_total_look(struct command_total *w);
void command_total_add_rows(struct command_total *w, bool wanted, struct sample *s);
/* Returns whether the row is that of a living or ended descendant that the list has, or the row of
 * the rest; false for the command itself. */
bool command_total_has(const struct command_total *w, const struct task *t);

/* The kernel's reports of exited tasks. */
struct command_total_ends {
	enum ending_each each;
	uint64_t tasks;    /* reports received */
	uint64_t lost;     /* reports lost */
	uint64_t reopened; /* how often ring buffers went silent and were opened again */
	bool damaged;      /* a ring buffer had an invalid record: further reports may be missing */
	/* lost records of forks, exits and names (descendants_lost_records()) */
	uint64_t names_lost;
};

/* Reads and processes the reports that wait. */
void command_total_read_ends(struct command_total *w);
/* Returns the i-th descriptor that is readable while reports wait; -1: no more. */
int command_total_fd(const struct command_total *w, size_t i);
struct command_total_ends command_total_ends(const struct command_total *w);
/* Returns whether tasks of a traced command were not counted, so that the total, or the total of
 * hardware events, is unknown. why: the number of such tasks, and the reason. */
bool command_total_explain_missing(const struct command_total *w, struct err *why);
/* Returns the count of event i, summed over the exited tasks. */
struct value command_total_ended_count(const struct command_total *w, int i);
/* Returns the programs of ended tasks, [n], sorted by the CPU time of these tasks, largest first;
 * valid until more reports are taken. NULL: none is known. */
const struct program *command_total_programs(struct command_total *w, size_t *n);
/* NULL is fine. */
void command_total_free(struct command_total *w);

/* ---- sum of runs ----
 *
 * Adds up several runs of a command as if they were one run: each run continues the counts of the
 * runs before it, without the time between the runs.
 *
 * So ratios over all runs are ratios of sums, like the ratios of one interval.
 */

struct run_sum {
	struct sample begin, end; /* one row each; empty before the first run */
};

void run_sum_init(struct run_sum *s);
void run_sum_done(struct run_sum *s);
/* Adds a run: the increments between two samples of its command total. Borrows both. */
void run_sum_add(struct run_sum *s, const struct sample *from, const struct sample *to);

#endif
