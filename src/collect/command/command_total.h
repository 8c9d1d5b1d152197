/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_total - a command with all that it makes, processes and threads, as one row: also of
 * those that lived too short a while for any refresh to see them.
 *
 * The kernel adds up: the counters are opened on the child that is to become the command, count
 * from its first instruction, and are inherited by whatever it makes. A read gives the sum over
 * those that live and those that have ended. So does the task clock, which is the CPU time. What
 * getrusage(2) tells, the times in user mode and in the kernel among it, is of the command and of
 * all that was waited for.
 *
 * Where the kernel tells what each task has counted that ends (pmu/perf/finals.h), these are added
 * up, too. What then is left of the whole is that of the first task of the command, of those that
 * live, and of those whose ends were lost. Where it does not, only the whole is known.
 *
 * On demand each task is followed by ptrace(2) instead (traced.h), and has counters of its own:
 * then what each has counted is known on all kernels, at the price of stops.
 *
 * Each task of the command carries these counters beside those of its own row. Hardware events are
 * therefore opened only as far as both sets are on the PMU together, which is tried: nothing takes
 * turns because of this. One that is alone has all of the PMU. What does not fit is not counted,
 * and says so.
 */
#ifndef COLLECT_COMMAND_COMMAND_TOTAL_H
#define COLLECT_COMMAND_COMMAND_TOTAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/value.h"
#include "collect/command/process_exits.h"
#include "collect/task/proc.h"
#include "model/ending.h"
#include "pmu/perf/event.h"
#include "pmu/perf/lives.h"

/* ---- program totals ----
 *
 * The processes of a command that have ended, put together by the names of their
 * programs.
 */

struct program {
	char name[LIFE_NAME_MAX]; /* "?": nobody knows */
	uint64_t processes;
	uint64_t known;  /* of so many it is known how they ended, */
	uint64_t failed; /* of which so many did with a status that is not 0, or by a signal */
	uint64_t cpu_ns;
};

struct programs {
	struct program *program;
	size_t n, cap;
};

/* A task has ended that used so much of a CPU. process: with it its process has. */
void programs_add(struct programs *p, const char *name, bool process, uint64_t cpu_ns);
/* It has become known how one of its processes ended, as wait(2) has it. */
void programs_add_end(struct programs *p, const char *name, int how);
/* How many of them failed: more did, perhaps, where it is not known of all (QUALITY_PARTIAL), and
 * it is unknown where none is known to have. */
struct value program_failed(const struct program *p);
/* Those that were met, the one with the most CPU time first. Valid until the next call. */
const struct program *programs_list(struct programs *p, size_t *n);
void programs_done(struct programs *p);

/* ---- command total ---- */

struct command_total;

enum command_total_mode {
	COMMAND_TOTAL_ALONE, /* there are no rows beside it, whose counters would have to be spared,
			and nobody asks for the ends of tasks */
	COMMAND_TOTAL_REPORTED, /* of ends is known what the kernel tells */
	COMMAND_TOTAL_TRACED    /* each task is followed by ptrace(2) */
};

/* Chooses what is counted of a command of this name. Takes the set over. The seams must outlive it;
 * of `machine`, which may be NULL, it takes a reference. note: what cannot be counted, and why
 * (code 0: nothing to say). */
struct command_total *command_total_new(struct perf_sys *sys, struct proc *proc,
					const struct sample_machine *machine, struct event_set *set,
					const char *name, enum command_total_mode way,
					struct err *note);
/* Opens the counters on a child that waits before its execve(2), and closes those of the one
 * before: one that is alone may follow several, one after the other. -errno with a sentence: it
 * cannot be traced. */
int command_total_follow(struct command_total *w, pid_t pid, struct err *note, struct err *err);
/* Samples the one row. used: by all that was waited for; NULL: not known. */
void command_total_sample(struct command_total *w, const struct rusage *used, struct sample *out);

/* Takes over who tells how the children of the command end (process_exits.h), once it is followed;
 * NULL: nobody does. */
void command_total_set_exits(struct command_total *w, struct exits *exits);
/* Readable while there is news of ends; -1: never. */
int command_total_exits_fd(const struct command_total *w);
void command_total_poll_exits(struct command_total *w);
/* The command has ended, as wait(2) has it, and was not reaped. What lives on is not traced any
 * more. */
void command_total_set_status(struct command_total *w, int how);

/* A sample of tasks gets rows of children and of the rest (ended_children.h), where these are
 * wanted: command_total_look() has to come before the sample is taken, command_total_add_rows()
 * behind it, for each of them after the one that was taken before the command went on. */
void command_total_begin_rows(struct command_total *w, const struct sample *before);
void command_total_look(struct command_total *w);
void command_total_add_rows(struct command_total *w, bool wanted, struct sample *s);
/* Whether the task is, or was, one of what the command has made; not the command itself. */
bool command_total_has(const struct command_total *w, const struct task *t);

/* What the kernel has told of the ends of tasks. */
struct command_total_ends {
	enum ending_each each;
	uint64_t tasks; /* so many ends were told */
	uint64_t lost;  /* and so many were lost */
	/* How often nothing came from the rings any more, so that others were opened. */
	uint64_t reopened;
	/* Something stood in a ring that was no record: ends may be missing that nobody counts. */
	bool damaged;
	uint64_t names_lost; /* see descendants_lost_records() */
};

/* Takes the ends that are there. */
void command_total_read_ends(struct command_total *w);
/* Readable while ends wait; -1: there is no i-th. */
int command_total_fd(const struct command_total *w, size_t i);
struct command_total_ends command_total_ends(const struct command_total *w);
/* Whether tasks of a command that is traced were not counted, so that nobody knows the whole, or
 * that of hardware events; says how many, and why. */
bool command_total_explain_missing(const struct command_total *w, struct err *why);
/* What those that have ended have counted of event i of the row. */
struct value command_total_ended_count(const struct command_total *w, int i);
/* Their programs, the one with the most CPU time first; valid until more ends are taken. NULL:
 * nobody knows. */
const struct program *command_total_programs(struct command_total *w, size_t *n);
/* NULL is fine. */
void command_total_free(struct command_total *w);

#endif
