/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema_check - compares the schema of a file with tiptop's own schema of the same version, word
 * for word, before any row is read or written.
 *
 * Refused: a table of tiptop that is missing or declared differently; views other than those that
 * views.h makes for the layouts of the file; triggers, virtual tables, generated columns.
 *
 * A reader ignores other plain tables and indexes. A writer refuses these tables and indexes too,
 * as each insertion would have to update such an index.
 */
#ifndef RECORD_SCHEMA_CHECK_H
#define RECORD_SCHEMA_CHECK_H

#include "record/db.h"

enum schema_use { SCHEMA_READ, SCHEMA_WRITE };

/* Returns -EBADMSG with a sentence if the file is refused. An empty file passes. */
int schema_check(struct record_db *db, enum schema_use use, struct err *err);
/* Returns whether the file has the table of readings of this layout, declared as tiptop does. */
bool schema_has_readings(struct record_db *db, int64_t layout);

#endif
