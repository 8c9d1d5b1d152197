/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * detail - details of one task beyond its reading: all facts, its threads, its limits, the memory
 * of its control group. They are read while the task's page is shown, and are in no sample. Also in
 * no sample is struct ending: how a followed command ended.
 *
 * Limits cost one more file and rarely change: they are read again only if DETAIL_LIMITS is wanted.
 *
 * Ownership: everything that a detail points to lies in its arenas.
 */
#ifndef MODEL_DETAIL_H
#define MODEL_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/value.h"
#include "model/fact.h"

/* ---- resctrl ----
 *
 * Cache occupancy and memory bandwidth of groups of tasks, if the kernel's file system resctrl is
 * mounted. Numbers are those of a whole group, summed over all L3 caches of the machine: they are
 * those of one task only if the group has no other task.
 */

/* The most groups that are read, as each costs several files; further ones are only counted. */
#define RESCTRL_GROUPS_MAX 16
#define RESCTRL_NAME_MAX   96

enum resctrl_number {
	RESCTRL_OCCUPANCY, /* bytes of L3 */
	RESCTRL_TOTAL,     /* bytes per second from and to memory */
	RESCTRL_LOCAL,     /* the part of RESCTRL_TOTAL that stays on the NUMA node of the CPU */
	N_RESCTRL_NUMBERS
};

/* Whether a number is known, and if not, why. */
enum resctrl_why {
	RESCTRL_KNOWN,
	RESCTRL_ABSENT,      /* this machine does not count it */
	RESCTRL_UNAVAILABLE, /* the hardware had no number at this moment */
	RESCTRL_ERROR,       /* the hardware reports an error */
	RESCTRL_UNASSIGNED,  /* no counter is assigned to this group */
	RESCTRL_UNREADABLE,  /* the file cannot be read or parsed */
	RESCTRL_FIRST,       /* the group was read only once so far: there is no rate yet */
	RESCTRL_RESET,       /* its counter restarted */
	N_RESCTRL_WHYS
};

/* The reasons as sentences for users. */
extern const char *const resctrl_why_text[N_RESCTRL_WHYS];

struct resctrl_group {
	char name[RESCTRL_NAME_MAX]; /* below the mount: "", "/web", "/web/mon_groups/a" */
	uint64_t inode;              /* distinguishes groups that had the same name */
	uint64_t mono_ns;            /* when it was read */
	enum resctrl_why why[N_RESCTRL_NUMBERS];
	double number[N_RESCTRL_NUMBERS];
	/* Of RESCTRL_TOTAL and RESCTRL_LOCAL: the bytes since counting began, without a rate. */
	enum resctrl_why sum_why[N_RESCTRL_NUMBERS];
	uint64_t sum[N_RESCTRL_NUMBERS];
	/* False if the tasks cannot be read; and for the root group "", whose tasks are not read:
	 * it has all tasks that are in no other group. */
	bool tasks_known;
	size_t n_tasks; /* threads */
	size_t n_own;   /* threads of the task of this detail */
	/* It has CPUs, or may have: tasks of the root group count here while they run on these. */
	bool has_cpus;
};

struct resctrl {
	bool mounted;   /* false: the other fields mean nothing */
	bool own_known; /* group[0] is the group of the task */
	struct resctrl_group group[RESCTRL_GROUPS_MAX];
	size_t n, n_more;
};

/* ---- detail ---- */

/* The most threads that are read; further ones are only counted. */
#define DETAIL_THREADS_MAX 100

struct detail_thread {
	uint64_t id;
	struct fact_set known; /* CPU_NS and PROC_ID */
	uint64_t cpu_ns, cpu;  /* time on a CPU so far; the CPU on which it ran last */
	char state;            /* as in /proc */
	const char *name;
};

/* One resource limit, in the kernel's words (/proc/PID/limits). */
struct detail_limit {
	const char *name, *soft, *hard;
	const char *unit; /* "": none */
};

/* Counters that grow while a task waits. */
enum detail_count {
	DETAIL_QUEUE_NS, /* ready to run, but not on a CPU; sum over its threads */
	DETAIL_SWITCHES, /* voluntary context switches; sum over its threads */
	DETAIL_MINFLT,
	DETAIL_MAJFLT,
	/* Of its control group: the time it was throttled by a CPU quota, summed over all CPUs; the
	 * times that some task of the group waited (PSI). */
	DETAIL_THROTTLED_NS,
	DETAIL_CPU_PRESSURE_NS,
	DETAIL_IO_PRESSURE_NS,
	DETAIL_MEMORY_PRESSURE_NS,
	DETAIL_OTHER_IDLE_NS, /* of the machine: idle time of the CPUs on which the task may not
				 run, summed */
	N_DETAIL_COUNTS
};

#define DETAIL_PLACE_MAX 64

/* Special values of detail_wait.call: the task is in no system call; it may not be read. */
enum { DETAIL_CALL_NONE = -1, DETAIL_CALL_UNKNOWN = -2 };

/* The waits of the task. */
struct detail_wait {
	uint64_t mono_ns; /* when it was read; 0: never */
	unsigned known;   /* bit i: count[i] is known */
	uint64_t count[N_DETAIL_COUNTS];
	/* Of a thread, or of the first thread of a process: the number of the system call that it
	 * is in, and the function of the kernel in which it sleeps; "": none, or not readable. */
	long call;
	char place[DETAIL_PLACE_MAX];
	bool frozen; /* its control group is frozen; false: it is not, or that is unknown */
	/* The CPUs on which the task may run, as the kernel lists them, and their number; of a
	 * process, those of its first thread. "": unknown, or the list is too long. */
	char allowed[DETAIL_PLACE_MAX];
	int n_allowed;
	int n_others; /* CPUs that are online and on which the task may not run */
};

#define DETAIL_NO_LIMIT UINT64_MAX

/* The lowest memory limit of the control groups of a task. */
struct detail_bound {
	const char *why;   /* why it is unknown; NULL: it is known */
	const char *group; /* the group that sets it; NULL: no limit */
	uint64_t bytes;
	bool used_known;
	uint64_t used; /* bytes used by all of `group` */
};

/* The memory of the control groups of a task. */
struct detail_memory {
	bool read;         /* false: not wanted, or `error`; the rest is then unknown */
	int error;         /* why its groups are unknown: -errno */
	const char *why;   /* why `used` is unknown; NULL: it is known */
	const char *group; /* the nearest group that counts memory */
	uint64_t used;     /* bytes used by all of `group`, not only by the task */
	struct detail_bound max, high;
	bool has_high; /* memory.high exists */
	bool is_whole; /* no groups exist above those visible here */
};

/* Parts that are read only on demand. */
enum detail_want {
	DETAIL_LIMITS = 1, /* read the limits; without it, they stay as they are */
	DETAIL_MEMORY = 2,
	DETAIL_RESCTRL = 4
};

struct detail {
	int error; /* why nothing could be read, -ESRCH: the task has ended; 0: all that follows is
		      valid */
	char state;
	struct fact_set known;
	uint64_t fact[FACT_MAX];
	const char
		*text[FACT_TEXTS_MAX]; /* the facts from FACT_FIRST_READ_TEXT on; NULL: unknown */
	int threads_error;             /* why the threads are unknown: -errno */
	const struct detail_thread *thread;
	size_t n_threads;
	size_t n_more; /* threads that were not read, above DETAIL_THREADS_MAX */
	struct detail_wait wait;
	struct detail_memory memory;
	struct resctrl resctrl; /* rates are over the time since the previous reading */
	int limits_error;
	const struct detail_limit *limit;
	size_t n_limits;
	struct arena arena, limits_arena;
};

void detail_done(struct detail *d);

/* ---- ending ----
 *
 * How a followed command ended, and data about its descendants, besides the numbers of its row
 * (kind_command).
 *
 * Ownership: all pointers are borrowed.
 */

/* The ended processes of one program. */
struct ending_program {
	const char *name;
	uint64_t processes;
	struct value cpu_ns;
	/* How many of the processes ended by a signal or with a status other than 0. */
	struct value failed;
};

/* The source of the counts of each task that ended. Recordings store these values: they must not
 * change. */
enum ending_each {
	ENDING_SUM = 0,      /* none: only the sum over all tasks is known */
	ENDING_REPORTED = 1, /* the kernel reported it (PERF_RECORD_READ) */
	ENDING_TRACED = 2    /* each task was followed by ptrace(2) */
};

struct ending {
	char *const *command; /* its arguments, terminated by NULL */
	int status;           /* as a shell reports it */
	bool unknown;         /* the status is unknown */
	/* Why the total lacks events or tasks; NULL: it lacks none, or the rows tell why. */
	const char *left_out;
	bool alone; /* reports of the ends of its tasks were not requested (--repeat) */
	/* Unless `each` is ENDING_SUM: the tasks that ended, and the ends whose reports were
	 * lost. */
	enum ending_each each;
	uint64_t ended, lost;
	uint64_t reopened; /* how often perf's ring buffers stalled and were reopened */
	bool damaged;      /* the records are damaged: more may be missing than was counted */
	/* [number of events] Each event's sum over the ended tasks. If `each` is ENDING_SUM: NULL,
	 * or all are unknown. */
	const struct value *count;
	/* Sorted by CPU time, the largest first; NULL: unknown. */
	const struct ending_program *program;
	size_t n_programs;
	uint64_t names_lost; /* process names lost: some counts then belong to other programs, or to
				"?" */
	uint64_t from_ns; /* from the start of the command to the start of counting (ns); 0: counted
			     from its start */
};

#endif
