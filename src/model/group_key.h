/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group_key - the keys by which tasks, CPUs, regions, locks or library calls can be grouped into
 * one row.
 *
 * Members with the same key are one group. Tasks whose key is unknown are in the group "?".
 */
#ifndef MODEL_GROUP_KEY_H
#define MODEL_GROUP_KEY_H

#include "base/err.h"
#include "model/sample.h"

enum group_key {
	GROUP_PROCESS, /* no groups: threads are folded into processes as usual */
	GROUP_USER,
	GROUP_PROGRAM,
	GROUP_PROGRAM_USER,
	GROUP_SESSION,
	GROUP_CGROUP,
	GROUP_CONTAINER,
	GROUP_CORE, /* groups of CPUs, up to GROUP_MACHINE */
	GROUP_SOCKET,
	GROUP_CORE_KIND,
	GROUP_MACHINE,
	GROUP_MODE,   /* groups of modes of CPUs */
	GROUP_REGION, /* groups of regions */
	GROUP_LOCK,   /* groups of locks */
	GROUP_CALL,   /* groups of library calls */
	N_GROUP_KEYS
};

/* The id of a group: number and text together. The texts are borrowed from the member. */
struct group_id {
	uint64_t number;
	const char *text;
	/* The program of all members, if it is a part of the key; else NULL. */
	const char *program;
};

struct group_key_row {
	const char *name;           /* for --group */
	const struct kind *kind;    /* the kind of the rows of groups */
	const struct kind *of_kind; /* the kind of the members; NULL: any */
	struct fact_set facts;      /* the facts that must be read to find the group of a member */
	struct group_id (*of)(const struct task *member);
};

extern const struct group_key_row group_key_table[N_GROUP_KEYS];

/* Finds a key for this kind by name. Returns -EINVAL with a sentence if there is none. */
int group_key_find(const char *name, const struct kind *kind, enum group_key *key, struct err *err);
/* Returns whether rows of this kind can be grouped by the key. */
bool group_key_is_for(enum group_key key, const struct kind *kind);
/* Returns the key by which rows of this kind are matched between recordings, in which processes
 * have different pids, and CPUs do different work. */
enum group_key group_key_stable(const struct kind *kind);
/* Returns whether the task is a member of this group; GROUP_PROCESS: always true. */
bool group_has(enum group_key key, struct group_id id, const struct task *t);
/* Compares by number, then by text. */
int group_id_compare(struct group_id x, struct group_id y);

#endif
