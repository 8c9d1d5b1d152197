/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group_key - by what tasks, CPUs, regions or locks can be put together to one row: the table of
 * keys.
 *
 * Members whose key is the same are one group. Where the key of a task is not known, it is in the
 * group "?".
 */
#ifndef MODEL_GROUP_KEY_H
#define MODEL_GROUP_KEY_H

#include "base/err.h"
#include "model/sample.h"

enum group_key {
	GROUP_PROCESS, /* no groups: the threads of a process are its row, as ever */
	GROUP_USER,
	GROUP_PROGRAM,
	GROUP_PROGRAM_USER,
	GROUP_SESSION,
	GROUP_CGROUP,
	GROUP_CONTAINER,
	GROUP_CORE, /* of CPUs, from here on */
	GROUP_SOCKET,
	GROUP_CORE_KIND,
	GROUP_MACHINE,
	GROUP_MODE,   /* of modes of CPUs */
	GROUP_REGION, /* of regions */
	GROUP_LOCK,   /* of locks */
	GROUP_CALL,   /* of library calls */
	N_GROUP_KEYS
};

/* Which group it is: number and text together. The texts are borrowed from the member. */
struct group_id {
	uint64_t number;
	const char *text;
	/* The program that all members are of, since it is a part of the key; else NULL. */
	const char *program;
};

struct group_key_row {
	const char *name;           /* for --group */
	const struct kind *kind;    /* of the rows */
	const struct kind *of_kind; /* what its members are; NULL: whatever there is */
	fact_mask facts;            /* what must be read for it */
	struct group_id (*of)(const struct task *member);
};

extern const struct group_key_row group_key_table[N_GROUP_KEYS];

/* By its name, of those of this kind. -EINVAL with a sentence: there is none. */
int group_key_find(const char *name, const struct kind *kind, enum group_key *key, struct err *err);
/* Whether things of this kind can be put together by it. */
bool group_key_is_for(enum group_key key, const struct kind *kind);
/* By what things of this kind are the same in another recording: there, processes have other
 * numbers, and what ran on one CPU runs on another one. */
enum group_key group_key_stable(const struct kind *kind);
/* Whether the task is a member of this group; GROUP_PROCESS: of none in particular, so yes. */
bool group_has(enum group_key key, struct group_id id, const struct task *t);
/* By number, then by text. */
int group_id_compare(struct group_id x, struct group_id y);

#endif
