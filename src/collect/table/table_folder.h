/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - finds the tables of preloaded objects: FOLDER/table.PID.NUMBER, with a number for
 * each program that the process has executed; and those of regions,
 * FOLDER/tiptop-regions.PID.NUMBER (inject/lib/regions.h).
 *
 * Folders are named tiptop-WHAT.XXXXXX, in $XDG_RUNTIME_DIR or /dev/shm; the tiptop that starts the
 * command creates them. Only files of this user are opened.
 */
#ifndef COLLECT_TABLE_TABLE_FOLDER_H
#define COLLECT_TABLE_TABLE_FOLDER_H

#include "base/err.h"

struct table_file {
	const char *path; /* valid during the visit only */
	int pid;
	unsigned number;
};

typedef void (*table_visit)(void *context, const struct table_file *file);
typedef void (*folder_visit)(void *context, const char *path);

/* Calls visit for each table in one folder, ordered by name. */
void tables_visit_folder(const char *folder, table_visit visit, void *context);
/* Calls visit for each folder in `parent` that is for tables of `what`; visit may remove that
 * folder. */
void tables_visit_folders(const char *parent, const char *what, folder_visit visit, void *context);
/* Calls visit for each table in all folders of this user that are for tables of `what`. */
void tables_visit_all(const char *what, table_visit visit, void *context);

/* Opens a table for reading. Returns the descriptor; or -errno with a sentence, also if the file is
 * not a regular file or belongs to another user. name: what the sentence calls the table. */
int tables_open_file(const char *path, const char *name, struct err *err);

#endif
