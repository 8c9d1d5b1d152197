/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descendants - the processes that a command creates, directly or not: creator, start, name and end
 * from the kernel's records (pmu/perf/ring.h), exit status from the process connector (struct
 * exits).
 *
 * The command itself is not a descendant, but the list has its name and counts the exits of its
 * threads.
 *
 * A process is in one of these states; the only change is from DESCENDANT_ALIVE to
 * DESCENDANT_ENDED:
 *
 *   DESCENDANT_NAMED   its start record was lost: only its name is known, its end stays unknown
 *   DESCENDANT_ALIVE   it has threads; the command begins in this state
 *   DESCENDANT_ENDED   its last thread has exited
 *
 * Lost records can make the number of threads wrong, but a process ends at most once.
 *
 * The list keeps the latest processes that ended, to distinguish their rows from those of unrelated
 * processes that reuse their pids; none is freed before it is dropped.
 */
#ifndef COLLECT_COMMAND_DESCENDANTS_H
#define COLLECT_COMMAND_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/value.h"
#include "model/sample.h"
#include "pmu/perf/ring.h"

/* ---- exit statuses ----
 *
 * The exit statuses of all processes of the machine, with any parent.
 *
 * The kernel's process connector (linux/cn_proc.h) reports them from Linux 6.6 on, to listeners in
 * the initial pid, user and network namespaces only. Otherwise no reports come. Reports that are
 * not taken in time are lost. So a status may stay unknown.
 *
 * If no reports arrive, a pidfd that was opened while the process lived returns its status after
 * its parent has waited for it (Linux 6.15 and later). The number of pidfds is limited.
 */

struct exits;

/* Maximum number of messages that one call receives. */
#define EXITS_AT_ONCE 64

struct exits_message {
	size_t size; /* 0: not from the kernel */
	char body[256];
};

/* The interface of the kernel, or of a test, which finds its state through `self`. Functions return
 * -errno on failure. */
struct exits_sys {
	int (*listen)(struct exits_sys *self);
	/* Takes the next messages without waiting. Returns how many, at most EXITS_AT_ONCE; fewer
	 * if no more wait, or if the next call returns an error. */
	int (*receive)(struct exits_sys *self, int fd, struct exits_message *out);
	/* hold() returns a pidfd. ask() sets *how to the exit status of its process and returns 0,
	 * or returns -errno while the status is unknown. */
	int (*hold)(struct exits_sys *self, pid_t process);
	int (*ask)(struct exits_sys *self, int fd, int *how);
	void (*close)(struct exits_sys *self, int fd);
};

struct exits_sys exits_kernel(void);

/* The end of a task. The status of a process follows from the reports of all its tasks. */
struct exits_end {
	pid_t process, task;
	int how; /* exit status, as of wait(2) */
};

/* Opens the connector. sys must outlive the result. */
struct exits *exits_open(struct exits_sys *sys);
/* Returns a descriptor that is readable while reports wait; -1: the kernel refused, or tiptop is
 * not in the initial pid namespace. */
int exits_fd(const struct exits *e);
/* Takes the reports that wait. Returns how many exits_next() will return. */
size_t exits_read(struct exits *e);
/* Returns the oldest report in *out; false: none. */
bool exits_next(struct exits *e, struct exits_end *out);
/* Returns whether any report has arrived: then later reports will arrive, too, unless they get
 * lost. */
bool exits_have_arrived(const struct exits *e);
/* Opens a pidfd of a living process. Returns its handle; -1: not possible, or not needed as reports
 * arrive. */
int exits_open_pidfd(struct exits *e, pid_t process);
/* Sets *how to the exit status of the process of a handle. Returns false if it is unknown so
 * far. */
bool exits_query_pidfd(struct exits *e, int held, int *how);
void exits_close_pidfd(struct exits *e, int held);
/* Closes the connector; handles must have been closed. NULL is fine. */
void exits_close(struct exits *e);

/* ---- descendants ---- */

enum descendant_state { DESCENDANT_NAMED, DESCENDANT_ALIVE, DESCENDANT_ENDED };

struct descendant {
	pid_t process;
	enum descendant_state state;
	pid_t creator_pid; /* the process that created it; 0: unknown, or it is the command */
	uint64_t began_ns; /* CLOCK_BOOTTIME */
	uint64_t ended_ns; /* CLOCK_BOOTTIME; valid if DESCENDANT_ENDED */
	uint32_t tasks;    /* living threads; valid if DESCENDANT_ALIVE */
	uint32_t begun;    /* threads that have started */
	uint32_t exits;    /* threads that have exited; for the command, without its first task */
	/* printable; that of the creator until the process sets its own */
	char name[LIFE_NAME_MAX];
	/* The part of `exits` before it last executed a program: these threads belong to the
	 * previous program, whose name is name_before. */
	uint32_t exits_before;
	char name_before[LIFE_NAME_MAX];
	uint32_t heard;   /* threads whose exit status was reported (exits_next()) */
	int held;         /* handle of exits_open_pidfd() to query its end; -1: none */
	uint64_t held_ns; /* CLOCK_BOOTTIME: when that handle was opened */
	bool how_known;
	int how; /* exit status, as of wait(2); valid if how_known */
	/* Used only by callers that process the ends (command_total.c, ended_children.c): */
	uint32_t reported;   /* threads whose final counts have arrived */
	uint32_t n_named;    /* threads for which descendants_name_ended() was called */
	bool counted;        /* its end is included in the totals of its program */
	uint64_t members;    /* bit i: count[i] has the counts of at least one thread */
	struct count *count; /* final counts, summed over threads; NULL: none has arrived; owned */
	bool seen;           /* a sample had a row of it */
	/* per event, the sum over its rows with counts; NULL: no such row; owned */
	uint64_t *shown;
	uint64_t generation; /* of the sample with its first row with counts */
	bool led;            /* one of its rows with counts was that of the leader */
	bool torn;           /* its counters were opened more than once */
	bool waited;         /* its row was due in an earlier sample: it does not wait again */
};

struct descendant_list;

/* Opens the kernel's records of forks, exits and names of the command and its descendants, on the
 * CPUs 0 to n_cpus - 1. Returns NULL if they cannot be opened. */
struct descendant_list *descendants_open(struct perf_sys *sys, int n_cpus, pid_t command);
/* Sets the source of exit statuses (taken over); NULL: none. */
void descendants_set_exits(struct descendant_list *f, struct exits *exits);
/* Announces that the caller reports each exit status by descendants_set_status(), after
 * descendants_read() has processed the end of the process. */
void descendants_expect_statuses(struct descendant_list *f);
void descendants_set_status(struct descendant_list *f, pid_t process, int how);
/* Returns a descriptor that is readable while exit statuses of any process of the machine wait; -1:
 * there is none. */
int descendants_fd(const struct descendant_list *f);
/* Reads exit statuses only, which is cheap. Returns how many exit statuses wait for
 * descendants_read(). */
size_t descendants_poll(struct descendant_list *f);
/* Reads and processes all records and exit statuses that wait. */
void descendants_read(struct descendant_list *f);
/* Returns the i-th process whose exit status the last descendants_read() found, or
 * descendants_set_status() has set since; NULL: none. */
const struct descendant *descendants_nth_with_status(const struct descendant_list *f, size_t i);
/* Returns a process by its pid; NULL: unknown. Valid until the next descendants_read(). */
struct descendant *descendants_find(const struct descendant_list *f, pid_t process);
/* Return the times at which the list was opened, and at which a task of the command last exited (0:
 * none has), in ns of CLOCK_BOOTTIME. */
uint64_t descendants_command_began_ns(const struct descendant_list *f);
uint64_t descendants_command_ended_ns(const struct descendant_list *f);
/* Returns whether exit statuses can be expected; some may get lost. */
bool descendants_get_statuses(const struct descendant_list *f);
/* Adds the final counts of n counters in an exited thread; bit i of members: count[i] is valid.
 * reported: the number of threads whose counts are complete with these. Returns false if there is
 * no such process. */
bool descendants_add_counts(struct descendant_list *f, pid_t process, const struct count *count,
			    int n, uint64_t members, uint32_t reported);
/* Returns whether the command has created a process so far. */
bool descendants_have_any(const struct descendant_list *f);
/* Returns whether the command ever had more than one thread. */
bool descendants_command_has_threads(const struct descendant_list *f);
/* Returns whether the task belongs, or belonged, to a descendant that the list has. */
bool descendants_have(const struct descendant_list *f, const struct task *t);
/* The first function returns the oldest ended process that was not dropped; NULL: none. The second
 * drops it. */
struct descendant *descendants_first_ended(const struct descendant_list *f);
void descendants_drop_first_ended(struct descendant_list *f);
/* Returns the i-th ended process that was not dropped, from 0 (the oldest) on; NULL: none. */
struct descendant *descendants_nth_ended(const struct descendant_list *f, size_t i);
/* Returns the name of a process; "?": unknown. */
const char *descendants_name(const struct descendant_list *f, pid_t process);
/* Returns the name that a process had when its next thread exited, in the order of their exits: an
 * execution ends all other threads, whose final counts arrive when the process has its new name.
 * To be called once for each exited thread, but for the first task of the command. */
const char *descendants_name_ended(struct descendant_list *f, pid_t process);
/* Returns how many records were lost at least: processes may be missing, never end, or have other
 * names. */
uint64_t descendants_lost_records(struct descendant_list *f);
/* Returns how many threads have exited so far; the first task of the command is not counted. */
uint64_t descendants_thread_exits(const struct descendant_list *f);
/* NULL is fine. */
void descendants_free(struct descendant_list *f);

#endif
