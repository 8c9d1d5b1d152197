/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sql_number - queries of a database that return one number. */
#ifndef TESTS_SQL_NUMBER_H
#define TESTS_SQL_NUMBER_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the number, -1 if there is no result. */
static inline int64_t sql_number(const char *file, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db;
	int64_t n = -1;

	sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL);
	if (!sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) && sqlite3_step(stmt) == SQLITE_ROW)
		n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return n;
}

#endif
