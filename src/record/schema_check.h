/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema_check - whether what a file declares is what tiptop declares, word for word, in the
 * version that the file has. It is asked before any row is read or written.
 *
 * Refused: a table of ours that is missing or has other words; views other than those that
 * views.h makes of the same events; triggers, virtual tables, generated columns.
 *
 * Other plain tables and indexes are ignored by a reader. Who writes refuses them too, since each
 * insertion would maintain such an index.
 */
#ifndef RECORD_SCHEMA_CHECK_H
#define RECORD_SCHEMA_CHECK_H

#include "record/db.h"

enum schema_use { SCHEMA_READ, SCHEMA_WRITE };

/* -EBADMSG with a sentence: the file is refused. An empty file is fine. */
int schema_check(struct record_db *db, enum schema_use use, struct err *err);
/* Returns whether the table of the readings of this layout is there, as tiptop makes it. */
bool schema_has_readings(struct record_db *db, int64_t layout);

#endif
