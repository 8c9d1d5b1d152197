/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_list - the tables that there are (table_folder.h), each as long as its file is there or
 * somebody has it open: whose it is, and whether that one lives.
 */
#ifndef COLLECT_TABLE_TABLE_LIST_H
#define COLLECT_TABLE_TABLE_LIST_H

#include "collect/table/table_process.h"

struct found {
	char *path;
	int pid;
	unsigned number; /* of the programs that the process has executed */
	bool met;        /* its file is there */
	bool said;       /* that it cannot be opened */
	int fd;          /* -1: not open */
	/* Of one that was opened. The name is "?" where it had ended before. */
	uint64_t start_ticks;
	struct table_process process;
	/* The caller's. */
	bool is_new, over;
	void *rows;
};

struct found_list {
	struct found *v; /* by path: those of a process stand together */
	size_t n, cap;
	size_t known; /* the first ones of them were there before, while it is updated */
};

/* Looks for tables in one folder, or where that is NULL in all that are for `what`. The new ones
 * have only is_new. What is neither there nor open is dropped. */
void found_update(struct found_list *list, const char *folder, const char *what);
void found_done(struct found_list *list);

/* Opens it and finds out whose it is. False: it is not begun yet, as its first byte is 0; or cannot
 * be read, which is said once. One of another version is of the process that has its number now. */
bool found_open(struct found *f, struct proc *proc, struct log *log);
void found_close(struct found *f);
/* Whether the process of an open one has gone, or executes another program, which has the next
 * table. */
bool found_has_ended(const struct found_list *list, const struct found *f);

#endif
