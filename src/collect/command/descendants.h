/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descendants - the processes that a command makes, and those that these make: who made them and
 * when, what they are called, when they ended; as the kernel tells it (pmu/perf/lives.h), and how
 * (process_exits.h).
 *
 * The command itself is none of them; its name is known, and the ends of its threads are counted.
 *
 * A process goes through these states, each once and in this order:
 *
 *   DESCENDANT_NAMED   its start was lost: nothing but its name is known, and its end will not be
 *   DESCENDANT_ALIVE   it has threads; the command is in this state from the beginning
 *   DESCENDANT_ENDED   its last thread has ended
 *
 * Records that were lost can make the number of its threads wrong, not the order of the states.
 *
 * Those that have ended are remembered until there are many, so that rows of them can be told from
 * those of strangers who have their pids by then.
 */
#ifndef COLLECT_COMMAND_DESCENDANTS_H
#define COLLECT_COMMAND_DESCENDANTS_H

#include "base/count.h"
#include "collect/command/process_exits.h"
#include "model/sample.h"
#include "pmu/perf/lives.h"

enum descendant_state { DESCENDANT_NAMED, DESCENDANT_ALIVE, DESCENDANT_ENDED };

struct descendant {
	pid_t process;
	enum descendant_state state;
	pid_t maker;       /* the process that made it; 0: nobody knows, or it is the command */
	uint64_t began_ns; /* CLOCK_BOOTTIME */
	uint64_t ended_ns; /* of DESCENDANT_ENDED */
	uint32_t tasks;    /* its threads that live, of DESCENDANT_ALIVE */
	uint32_t begun;    /* those that began */
	uint32_t exits;    /* and those that have ended; of the command, but its first task */
	char name[LIFE_NAME_MAX]; /* tamed; of a child, that of its maker, until it gets its own */
	uint32_t heard;           /* of how many of these it was told how (process_exits.h) */
	int held;                 /* by it, its end is asked for (process_exits.h); -1: it is not */
	uint64_t held_ns;         /* since then */
	bool how_known;
	int how; /* it ended, as wait(2) has it; where that is known */
	/* For whoever takes the ends. */
	uint32_t told;       /* of how many of its threads the last counts have come */
	bool counted;        /* its end was counted among those of its program */
	uint64_t members;    /* bit i: count[i] is told of each of them */
	struct count *count; /* their sum; NULL: none has come; owned */
	bool seen;           /* a sample had a row of it */
	uint64_t *shown;     /* of each event, what its rows had; NULL: none had any; owned */
	uint64_t generation; /* of the first of these rows */
	bool led;            /* its leader had one */
	bool torn;           /* counters of it were opened more than once */
	bool waited;         /* its counts did not come with its end */
};

struct descendant_list;

/* By what happens on the CPUs below n_cpus. NULL: the kernel does not tell. */
struct descendant_list *descendants_open(struct perf_sys *sys, int n_cpus, pid_t command);
/* Takes over who tells how they end; NULL: nobody does. */
void descendants_set_exits(struct descendant_list *f, struct exits *exits);
/* Instead of them, the owner tells how each ends: descendants_set_status(), once its end was taken.
 */
void descendants_expect_statuses(struct descendant_list *f);
void descendants_set_status(struct descendant_list *f, pid_t process, int how);
/* Readable while there is news of how tasks end, of all of the machine; -1: never. */
int descendants_fd(const struct descendant_list *f);
/* Takes this news alone, which is cheap. Returns how much waits for descendants_read(). */
size_t descendants_poll(struct descendant_list *f);
/* Takes what has come. */
void descendants_read(struct descendant_list *f);
/* The i-th of those of which that has made known how they ended. NULL: there is none. */
const struct descendant *descendants_nth_with_status(const struct descendant_list *f, size_t i);
/* NULL: there is none. Valid until more is taken. */
struct descendant *descendants_find(const struct descendant_list *f, pid_t process);
/* When the command began to be followed, and when the last of its tasks ended that has so far; 0:
 * none has. CLOCK_BOOTTIME. */
uint64_t descendants_command_began_ns(const struct descendant_list *f);
uint64_t descendants_command_ended_ns(const struct descendant_list *f);
/* Whether it will be told how those end that do, unless it is lost. */
bool descendants_get_statuses(const struct descendant_list *f);
/* Adds what n counters have counted in a thread that has ended, of those of which a bit of members
 * is set; told: of so many threads all is known with that. False: there is no such process. */
bool descendants_add_counts(struct descendant_list *f, pid_t process, const struct count *count,
			    int n, uint64_t members, uint32_t told);
/* Whether the command has made any so far. */
bool descendants_have_any(const struct descendant_list *f);
/* Whether the command has had more than one thread. */
bool descendants_command_has_threads(const struct descendant_list *f);
/* Whether the task is, or was, of such a process. */
bool descendants_have(const struct descendant_list *f, const struct task *t);
/* The oldest of those that have ended and were not passed on so far. NULL: there is none. */
struct descendant *descendants_first_ended(const struct descendant_list *f);
void descendants_drop_first_ended(struct descendant_list *f);
/* The i-th behind that one. NULL: there is none. */
const struct descendant *descendants_nth_ended(const struct descendant_list *f, size_t i);
/* "?": nobody knows. */
const char *descendants_name(const struct descendant_list *f, pid_t process);
/* How many records were lost: processes may be missing, live forever, or have other names. */
uint64_t descendants_lost_records(struct descendant_list *f);
/* How many threads have ended so far, of the command but its first task. */
uint64_t descendants_thread_exits(const struct descendant_list *f);
/* NULL is fine. */
void descendants_free(struct descendant_list *f);

#endif
