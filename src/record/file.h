/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file - opens and checks the file of a recording, for writing or for reading.
 *
 * Writing: the journal is a write-ahead log, so that other programs can read the file while it
 * grows. The index of such a log needs shared memory. On a file system without it, the journal is a
 * rollback journal (no_log in db.h has the reason), and a log left by an earlier writer is first
 * merged into the file. With synchronous=OFF nothing waits for the disk: a process killed at any
 * moment leaves a consistent file, but a loss of power may damage it. Only one process writes a
 * file at a time, if its file system has locks.
 *
 * Neither the reader nor the writer trusts a file: its schema is checked first (schema_check()),
 * its triggers and views do not run, no other file can be attached, values are limited to
 * RECORD_TEXT_MAX bytes, and a statement that runs too long is interrupted. A reader opens the file
 * read-only.
 *
 * Errors: -errno with a sentence that names the file.
 */
#ifndef RECORD_FILE_H
#define RECORD_FILE_H

#include "base/err.h"
#include "record/db.h"

/* Opens the file for writing; creates it if needed. -EEXIST: the file exists, but is not a
 * recording, is damaged, or has a newer version. -EBUSY: another program is writing it. */
int record_file_create(struct record_db *db, const char *path, struct err *err);
/* Checks that the path still leads to the file that is written, and that this file was not cut off.
 * Call it outside of transactions. -ESTALE: other programs have moved, replaced, deleted or cut off
 * the file, so that its readers do not find what is written. */
int record_file_check_place(struct record_db *db, struct err *err);
/* Opens the file for reading. */
int record_file_open(struct record_db *db, const char *path, struct err *err);
/* Closes the file. If no other program reads it, first merges the write-ahead log into the file, so
 * that the recording is a single file. */
void record_file_finish(struct record_db *db);

/* ---- schema ----
 *
 * Compares the schema of a file with tiptop's own schema of the same version, word
 * for word, before any row is read or written.
 *
 * Refused: a table of tiptop that is missing or declared differently; views other than those that
 * views.h makes for the layouts of the file; triggers, virtual tables, generated columns.
 *
 * A reader ignores other plain tables and indexes. A writer refuses these tables and indexes too,
 * as each insertion would have to update such an index.
 */

enum schema_use { SCHEMA_READ, SCHEMA_WRITE };

/* Returns -EBADMSG with a sentence if the file is refused. An empty file passes. */
int schema_check(struct record_db *db, enum schema_use use, struct err *err);
/* Returns whether the file has the table of readings of this layout, declared as tiptop does. */
bool schema_has_readings(struct record_db *db, int64_t layout);

#endif
