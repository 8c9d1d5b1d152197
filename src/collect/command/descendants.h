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
 *   KIN_NAMED   its start was lost: nothing but its name is known, and its end will not be
 *   KIN_ALIVE   it has threads; the command is in this state from the beginning
 *   KIN_ENDED   its last thread has ended
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

enum kin_state { KIN_NAMED, KIN_ALIVE, KIN_ENDED };

struct kin {
	pid_t process;
	enum kin_state state;
	pid_t maker;       /* the process that made it; 0: nobody knows, or it is the command */
	uint64_t began_ns; /* CLOCK_BOOTTIME */
	uint64_t ended_ns; /* of KIN_ENDED */
	uint32_t tasks;    /* its threads that live, of KIN_ALIVE */
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

struct kin_list;

/* By what happens on the CPUs below n_cpus. NULL: the kernel does not tell. */
struct kin_list *kin_open(struct perf_sys *sys, int n_cpus, pid_t command);
/* Takes over who tells how they end; NULL: nobody does. */
void kin_listen(struct kin_list *f, struct exits *exits);
/* Instead of them, the owner tells how each ends: kin_tell_how(), once its end was taken. */
void kin_expect_told(struct kin_list *f);
void kin_tell_how(struct kin_list *f, pid_t process, int how);
/* Readable while there is news of how tasks end, of all of the machine; -1: never. */
int kin_fd(const struct kin_list *f);
/* Takes this news alone, which is cheap. Returns how much waits for kin_take(). */
size_t kin_hear(struct kin_list *f);
/* Takes what has come. */
void kin_take(struct kin_list *f);
/* The i-th of those of which that has made known how they ended. NULL: there is none. */
const struct kin *kin_told(const struct kin_list *f, size_t i);
/* NULL: there is none. Valid until more is taken. */
struct kin *kin_find(const struct kin_list *f, pid_t process);
/* When the command began to be followed, and when the last of its tasks ended that has so far; 0:
 * none has. CLOCK_BOOTTIME. */
uint64_t kin_command_began_ns(const struct kin_list *f);
uint64_t kin_command_ended_ns(const struct kin_list *f);
/* Whether it will be told how those end that do, unless it is lost. */
bool kin_tells_how(const struct kin_list *f);
/* Adds what n counters have counted in a thread that has ended, of those of which a bit of members
 * is set; told: of so many threads all is known with that. False: there is no such process. */
bool kin_add_counts(struct kin_list *f, pid_t process, const struct count *count, int n,
		    uint64_t members, uint32_t told);
/* Whether the command has made any so far. */
bool kin_has_any(const struct kin_list *f);
/* Whether the command has had more than one thread. */
bool kin_has_threads(const struct kin_list *f);
/* Whether the task is, or was, of such a process. */
bool kin_has(const struct kin_list *f, const struct task *t);
/* The oldest of those that have ended and were not passed on so far. NULL: there is none. */
struct kin *kin_first_ended(const struct kin_list *f);
void kin_pass_on(struct kin_list *f);
/* The i-th behind that one. NULL: there is none. */
const struct kin *kin_ended_behind(const struct kin_list *f, size_t i);
/* "?": nobody knows. */
const char *kin_name(const struct kin_list *f, pid_t process);
/* How many records were lost: processes may be missing, live forever, or have other names. */
uint64_t kin_lost(struct kin_list *f);
/* How many threads have ended so far, of the command but its first task. */
uint64_t kin_exits(const struct kin_list *f);
/* NULL is fine. */
void kin_free(struct kin_list *f);

#endif
