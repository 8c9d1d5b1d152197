/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * detail - what there is to be known of one task beyond its reading: all facts, its threads, its
 * limits, the memory of its control group. It is read when somebody looks at that task, and is in
 * no sample.
 *
 * Limits cost a file more and hardly ever change: they stay until they are wanted again.
 *
 * Ownership: everything that it points to lies in its arenas.
 */
#ifndef MODEL_DETAIL_H
#define MODEL_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/fact.h"

/* ---- resctrl ----
 *
 * What groups of tasks hold of the last level of caches, and what they move to and from
 * memory, where the kernel's file system resctrl is mounted. Numbers are those of a group, over all
 * L3 of the machine: of one task only where the group has nothing else.
 */

/* More groups are only counted: each costs some files. */
#define RESCTRL_GROUPS_MAX 16
#define RESCTRL_NAME_MAX   96

enum resctrl_number {
	RESCTRL_OCCUPANCY, /* bytes of L3 */
	RESCTRL_TOTAL,     /* bytes a second from and to memory, */
	RESCTRL_LOCAL,     /* and of that what is near the CPU */
	N_RESCTRL_NUMBERS
};

/* How a number is known, or why not. */
enum resctrl_why {
	RESCTRL_KNOWN,
	RESCTRL_ABSENT,      /* this machine does not count it */
	RESCTRL_UNAVAILABLE, /* the hardware had no number at this moment */
	RESCTRL_ERROR,       /* the hardware knows no such number */
	RESCTRL_UNASSIGNED,  /* no counter is given to this group */
	RESCTRL_UNREADABLE,  /* the file cannot be read, or is not understood */
	RESCTRL_FIRST,       /* it is seen once so far, and nothing can be said of a second */
	RESCTRL_RESET,       /* its counter began anew */
	N_RESCTRL_WHYS
};

/* For people. */
extern const char *const resctrl_why_text[N_RESCTRL_WHYS];

struct resctrl_group {
	char name[RESCTRL_NAME_MAX]; /* below the mount: "", "/web", "/web/mon_groups/a" */
	uint64_t inode;              /* another group may have had this name before */
	uint64_t mono_ns;            /* when it was read */
	enum resctrl_why why[N_RESCTRL_NUMBERS];
	double number[N_RESCTRL_NUMBERS];
	/* Of TOTAL and LOCAL: what has come together so far. */
	enum resctrl_why sum_why[N_RESCTRL_NUMBERS];
	uint64_t sum[N_RESCTRL_NUMBERS];
	bool tasks_known; /* who is in it: not asked of "", which has all that is in no other */
	size_t n_tasks;   /* threads */
	size_t n_own;     /* of those that are looked at */
	bool has_cpus;    /* what runs on some CPUs counts as well */
};

struct resctrl {
	bool mounted;   /* else nothing is known of it */
	bool own_known; /* the first one is that of the task */
	struct resctrl_group group[RESCTRL_GROUPS_MAX];
	size_t n, n_more;
};

/* ---- detail ---- */

/* More threads than these are only counted. */
#define DETAIL_THREADS_MAX 100

struct detail_thread {
	uint64_t id;
	fact_mask known;      /* CPU_NS and PROC_ID */
	uint64_t cpu_ns, cpu; /* time on a CPU so far; the one on which it ran last */
	char state;           /* as in /proc */
	const char *name;
};

/* As the kernel writes it. */
struct detail_limit {
	const char *name, *soft, *hard;
	const char *unit; /* "": it has none */
};

/* What grows while a task waits. */
enum detail_count {
	DETAIL_QUEUE_NS, /* ready to run, but not on a CPU: of all its threads */
	DETAIL_SWITCHES, /* times that one of them gave the CPU up to wait */
	DETAIL_MINFLT,
	DETAIL_MAJFLT,
	/* Of its control group: held back by a quota, over all CPUs; some task of it waited. */
	DETAIL_THROTTLED_NS,
	DETAIL_CPU_PRESSURE_NS,
	DETAIL_IO_PRESSURE_NS,
	DETAIL_MEMORY_PRESSURE_NS,
	DETAIL_OTHER_IDLE_NS, /* of the machine: the CPUs on which it may not run, all together */
	N_DETAIL_COUNTS
};

#define DETAIL_PLACE_MAX 64

/* In no system call, and nobody may tell. */
enum { DETAIL_CALL_NONE = -1, DETAIL_CALL_UNKNOWN = -2 };

/* What it waits for. */
struct detail_wait {
	uint64_t mono_ns; /* when it was looked at; 0: nobody has */
	unsigned known;   /* bit i: count[i] is */
	uint64_t count[N_DETAIL_COUNTS];
	/* Of a task of one thread: the number of the system call that it is in, and the function of
	 * the kernel in which it sleeps, "": none, or nobody may tell. */
	long call;
	char place[DETAIL_PLACE_MAX];
	bool frozen; /* its control group is; false: it is not, or no file tells */
	/* The CPUs on which it may run, as the kernel lists them, and how many there are; of a
	 * process, those of its first thread. "": not known, or the list is too long. */
	char allowed[DETAIL_PLACE_MAX];
	int n_allowed;
	int n_others; /* CPUs that are online, and on which it may not run */
};

#define DETAIL_NO_LIMIT UINT64_MAX

/* The least of the limits that hold for it, and whose that is. */
struct detail_bound {
	const char *why;   /* why it is not known; NULL: it is */
	const char *group; /* NULL: there is no limit */
	uint64_t bytes;
	bool used_known;
	uint64_t used; /* by all of that group */
};

/* What its control groups say of memory. */
struct detail_memory {
	bool read;         /* somebody has asked */
	int error;         /* why its groups are not known: -errno */
	const char *why;   /* why `used` is not known; NULL: it is */
	const char *group; /* the nearest one that counts memory */
	uint64_t used;     /* by all of it */
	struct detail_bound max, high;
	bool has_high; /* there is such a limit */
	bool is_whole; /* no groups are above those that are seen here */
};

/* What is read beside the rest, which is read each time. */
enum detail_want {
	DETAIL_LIMITS = 1, /* else they stay as they are */
	DETAIL_MEMORY = 2,
	DETAIL_RESCTRL = 4
};

struct detail {
	int error; /* why nothing could be read, -ESRCH: it has ended; 0: all that follows holds */
	char state;
	fact_mask known;
	uint64_t fact[N_NUMBER_FACTS];
	const char *text[N_READ_TEXTS]; /* the facts from FACT_FIRST_READ_TEXT on, where known */
	int threads_error;              /* why there are no threads: -errno */
	const struct detail_thread *thread;
	size_t n_threads;
	size_t n_more; /* threads that were not read, as they are too many */
	struct detail_wait wait;
	struct detail_memory memory;
	struct resctrl resctrl; /* as it was read last: rates are of the time between */
	int limits_error;
	const struct detail_limit *limit;
	size_t n_limits;
	struct arena arena, limits_arena;
};

void detail_done(struct detail *d);

#endif
