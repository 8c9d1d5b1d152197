/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - where the tables are that preloaded objects make: FOLDER/table.PID.NUMBER, a
 * number for each program that the process has executed; and those of regions,
 * FOLDER/tiptop-regions.PID.NUMBER (inject/lib/table_file.h).
 *
 * Folders are called tiptop-WHAT.XXXXXX, and are made in $XDG_RUNTIME_DIR or /dev/shm by the tiptop
 * that started the command. Only files of this user are opened.
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

/* Calls visit for each table in one folder, in the order of their names. */
void tables_visit_folder(const char *folder, table_visit visit, void *context);
/* Calls visit for each folder in this one that is for tables of `what`; the visit may remove it. */
void tables_visit_folders(const char *parent, const char *what, folder_visit visit, void *context);
/* As tables_visit_folder(), in all folders of this user that are for tables of `what`. */
void tables_visit_all(const char *what, table_visit visit, void *context);

/* Opens a table for reading: -errno with a sentence, which calls it `name`, where it is no file, or
 * of somebody else. */
int tables_open_file(const char *path, const char *name, struct err *err);

#endif
