/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resctrl - what groups of tasks hold of the last level of caches, and what they move to and from
 * memory, where the kernel's file system resctrl is mounted. Numbers are those of a group, over all
 * L3 of the machine: of one task only where the group has nothing else.
 */
#ifndef MODEL_RESCTRL_H
#define MODEL_RESCTRL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	RESCTRL_ANEW,        /* its counter began anew */
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

#endif
