/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - where processes make their tables: a folder in memory of the user's own, which is
 * there as long as tiptop looks at them.
 *
 * It has an entry for each program that a process has executed, and they come in that order.
 */
#ifndef APP_TABLE_FOLDER_H
#define APP_TABLE_FOLDER_H

#include "base/err.h"
#include "base/file.h"

#define TABLE_FOLDER_MAX 160

struct table_folder {
	char path[TABLE_FOLDER_MAX]; /* "": there is none */
};

/* Makes it, in $XDG_RUNTIME_DIR or in /dev/shm. what: "locks", as its name and messages say. */
int table_folder_make(struct table_folder *f, const char *what, struct err *err);
/* Opens the table with this name for reading. It is the file of nobody else. */
int table_folder_open(const struct table_folder *f, const char *name, struct err *err);
/* Removes it with all tables. What is in it beside them stays, and so does the folder then. */
void table_folder_remove(struct table_folder *f);

#endif
