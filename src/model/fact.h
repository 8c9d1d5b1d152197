/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fact - what the kernel tells of a task in /proc and by its CPU clock, or of a CPU, and what
 * programs tell of their regions and locks: numbers and texts.
 *
 * One row per fact; the name is the one that expressions use. A counter only grows; a gauge is a
 * state, which may be below 0 (as int64_t). A text stands for itself: nothing is computed from it.
 * What several tasks have together is a sum, if the fact is a counter or a state that adds: memory
 * (what they share is counted for each of them) and threads. Of other facts they have one if they
 * agree. A fact marked per_thread exists for threads only: a process has the sum over its threads,
 * with what was read of those that have ended. One marked of_process is told of processes only: of
 * the threads, the leader has it. One marked of_ended is known of none that lives.
 */
#ifndef MODEL_FACT_H
#define MODEL_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/unit.h"

/* ---- topic ----
 *
 * What a number is about: each fact and each variable has one. Screens offer their columns
 * by it, see screen/screen.h.
 */

enum topic {
	TOPIC_OTHER, /* of columns that name nothing */
	TOPIC_IDENTITY,
	TOPIC_CPU_TIME,
	TOPIC_WAITING,
	TOPIC_MEMORY,
	TOPIC_COUNTERS,
	TOPIC_REGIONS,
	TOPIC_LOCKS,
	TOPIC_PLACE,
	N_TOPICS
};

/* ---- fact ---- */

enum fact {
	FACT_CPU_NS,
	FACT_UTIME_NS,
	FACT_STIME_NS,
	FACT_PROC_ID,
	FACT_MINFLT,
	FACT_MAJFLT,
	FACT_VCSW,
	FACT_NVCSW,
	FACT_MIGRATIONS,
	FACT_WAIT_NS,
	FACT_NUM_THREADS,
	FACT_RSS_KB,
	FACT_VSZ_KB,
	FACT_NICE,
	FACT_SESSION,
	FACT_PPID,
	FACT_CHILD_NS,
	FACT_EXIT,
	FACT_LIFE_NS,
	FACT_CORE,
	FACT_SOCKET,
	FACT_CORE_KIND,
	FACT_IDLE_NS,
	FACT_IOWAIT_NS,
	FACT_STEAL_NS,
	FACT_CALLS,
	FACT_REGION_NS,
	FACT_SELF_NS,
	FACT_MIN_NS,
	FACT_MAX_NS,
	FACT_WORK1,
	FACT_WORK2,
	FACT_WORK3,
	FACT_WORK4,
	FACT_ACQUISITIONS,
	FACT_CONTENDED,
	FACT_ACQUIRE_NS,
	FACT_HOLDS,
	FACT_HOLD_NS,
	FACT_RELEASES,
	FACT_RELEASE_NS,
	FACT_OWNER_CHANGES,
	FACT_TRYING_NS,
	/* Texts. The first ones come with every reading; the others, from FACT_FIRST_READ_TEXT on,
	 * are read on demand. */
	FACT_USER,
	FACT_STATE,
	FACT_PROGRAM,
	FACT_CGROUP,
	FACT_CONTAINER,
	FACT_EXECUTABLE,
	FACT_HISTOGRAM,
	FACT_KIND,
	FACT_CALLER,
	N_FACTS
};

#define N_NUMBER_FACTS       FACT_USER /* the texts follow */
#define FACT_FIRST_READ_TEXT FACT_CGROUP
#define N_READ_TEXTS         (N_FACTS - FACT_FIRST_READ_TEXT)

enum fact_kind { FACT_COUNTER, FACT_GAUGE, FACT_TEXT };

/* The files of /proc/PID that have numbers; fact_file_name[] is what the kernel calls them. */
enum fact_file {
	FACT_FILE_NONE, /* it is read elsewhere */
	FACT_FILE_STAT,
	FACT_FILE_STATUS,
	FACT_FILE_SCHEDSTAT,
	FACT_FILE_SCHED,
	N_FACT_FILES
};

extern const char *const fact_file_name[N_FACT_FILES];

/* What a number in a file is to be multiplied by. */
enum fact_scale { FACT_AS_IS, FACT_TICKS, FACT_BYTES, FACT_PAGES };

/* The kinds of rows that may have a fact (model/kinds.h). */
enum fact_of {
	FACT_OF_TASK,
	FACT_OF_CPU,
	FACT_OF_CPU_CGROUP,
	FACT_OF_CPU_MODE,
	FACT_OF_CPU_SOCKET,
	FACT_OF_COMMAND,
	FACT_OF_REGION,
	FACT_OF_LOCK,
	FACT_OF_CALL,
	FACT_OF_REST,
	N_FACT_OF
};

struct fact_row {
	const char *name;
	enum fact_kind kind;
	enum unit unit;
	enum topic topic;
	bool per_thread;
	bool of_process;
	bool of_ended;
	bool drifts; /* may change though the task does not run */
	bool adds;   /* a state of a whole process that can be added up over processes */
	enum fact_file file;
	/* Where it stands in the file: in those that have names, after this one; in the others by
	 * its number, from 1 on; of two numbers it is the sum. */
	const char *field;
	int at[2];
	enum fact_scale scale;
	const char *origin; /* where the kernel shows it, if not as "file: field"; see proc(5) */
	/* How --metrics calls it, and explains it; NULL: it is none. */
	const char *metric, *metric_help;
	const char *help;
};

extern const struct fact_row fact_table[N_FACTS];

/* A set of facts is a mask of FACT_BIT()s. */
typedef uint64_t fact_mask;

#define FACT_BIT(fact) ((fact_mask)1 << (fact))

_Static_assert(N_FACTS < 64, "a set of facts has room for all");

/* How many facts are in the set. It is asked for each fact of each reading: what compilers make of
 * __builtin_popcount() for any CPU is a call, and a table. */
static inline int fact_count(fact_mask set)
{
	set -= set >> 1 & 0x5555555555555555u;
	set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
	return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* Sets that the table makes: facts that a kind of rows may have; all; those that stand in a file;
 * those that are per_thread; those that may change though the task does not run. */
extern const fact_mask fact_of_table[N_FACT_OF];
extern const fact_mask fact_all;
extern const fact_mask fact_in_file[N_FACT_FILES];
extern const fact_mask fact_per_thread, fact_of_process, fact_drifting;

/* The texts that come with every reading: nobody has to ask for them. */
fact_mask fact_always_read(void);
/* The texts that are read on demand. */
fact_mask fact_read_texts(void);
/* Appends where the kernel shows it: "stat: utime". */
void fact_add_origin(struct strbuf *out, enum fact fact);

#endif
