/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of views: those of all layouts together. */
#include <inttypes.h>

#include "record/views.h"

/* The library takes 500 at most. */
#define LAYOUTS_MAX "400"

#define KNOWN "cycles, instructions, cache_references, cache_misses, branches, branch_misses"

/* clang-format off */
#define RATIOS \
	"1.0 * instructions / cycles AS ipc, 1000.0 * cache_misses / instructions AS cache_mpki," \
	" 1000.0 * branch_misses / instructions AS branch_mpki"

/* Facts that went with the end of a task are of no interval. */
#define VIEW_ALL_FIRST \
	"CREATE VIEW interval AS SELECT sample.wall_ns / 1e9 AS time," \
	" sample.run AS run, sample.id AS sample, sample.threads AS threads, task.kind AS kind, task.owner AS pid," \
	" task.number AS tid, task.name AS name, task.process AS process, task.user AS user, task.cmdline AS command," \
	" counts_s AS interval_s, cpu_ns / 1e9 AS cpu_s, cpu_ns / 1e7 / facts_s AS cpu_pct, " KNOWN ", " RATIOS \
	" FROM ("

#define VIEW_ALL_NOW \
	"CREATE VIEW interval AS SELECT sample.wall_ns / 1e9 AS time," \
	" sample.run AS run, sample.id AS sample, sample.threads AS threads, task.kind AS kind, task.owner AS pid," \
	" task.number AS tid, task.name AS name, task.process AS process, task.user AS user, task.cmdline AS command," \
	" counts_s AS interval_s, cpu_ns / 1e9 AS cpu_s, cpu_ns / 1e7 / ifnull(facts_s, counts_s) AS cpu_pct," \
	" cpu_ns IS NOT NULL AND facts_s IS NULL AS cpu_counted, " KNOWN ", " RATIOS \
	" FROM ("

static const char *const view_all[N_RECORD_VIEW_FORMS] = {
	[RECORD_VIEW_FIRST] = VIEW_ALL_FIRST,
	[RECORD_VIEW_NOW] = VIEW_ALL_NOW,
};

#define VIEW_ONE "SELECT reading, sample, task, counts_s, facts_s, cpu_ns, " KNOWN " FROM interval_%" PRId64

#define VIEW_ALL_END ") i JOIN sample ON sample.id = i.sample JOIN task ON task.id = i.task"

#define SUM(column) "CASE WHEN count(*) = count(" column ") THEN sum(" column ") END AS " column
/* Of a process, its leader has the CPU time, but where each thread has a row. */
#define OF_LEADER(column) \
	"CASE WHEN threads THEN sum(" column ") ELSE max(CASE WHEN tid = pid THEN " column " END) END AS " column
/* Once it has ended, the counters of its threads have it. */
#define OF_ALL(column) \
	"CASE WHEN threads OR max(tid = pid AND cpu_counted) THEN sum(" column ")" \
	" ELSE max(CASE WHEN tid = pid THEN " column " END) END AS " column

#define VIEW_PROCESSES(OF) \
	"CREATE VIEW process AS SELECT time, run, sample, pid, name, user, command," \
	" interval_s, cpu_s, cpu_pct, " KNOWN ", " RATIOS \
	" FROM (SELECT time, run, sample, pid, process AS name, user," \
	" max(CASE WHEN tid = pid THEN command END) AS command, max(interval_s) AS interval_s, " \
	OF("cpu_s") ", " OF("cpu_pct") ", " SUM("cycles") ", " SUM("instructions") ", " \
	SUM("cache_references") ", " SUM("cache_misses") ", " SUM("branches") ", " SUM("branch_misses") \
	" FROM interval GROUP BY sample, kind, pid)"

const char *const record_view_processes[N_RECORD_VIEW_FORMS] = {
	[RECORD_VIEW_FIRST] = VIEW_PROCESSES(OF_LEADER),
	[RECORD_VIEW_NOW] = VIEW_PROCESSES(OF_ALL),
};
/* clang-format on */

int record_view_all(struct record_db *db, enum record_view_form form, struct strbuf *out,
		    struct err *err)
{
	sqlite3_stmt *stmt;
	int n = 0,
	    ret = record_db_prepare(
		    db, &stmt,
		    "SELECT id FROM layout WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = "
		    "'view' AND name = 'interval_' || layout.id) ORDER BY id DESC "
		    "LIMIT " LAYOUTS_MAX,
		    err);

	if (ret)
		return ret;
	while ((ret = record_db_step(db, stmt, err)) == 1) {
		strbuf_addstr(out, n++ ? " UNION ALL " : view_all[form]);
		strbuf_addf(out, VIEW_ONE, (int64_t)sqlite3_column_int64(stmt, 0));
	}
	strbuf_addstr(out, n ? VIEW_ALL_END : "");
	sqlite3_finalize(stmt);
	return ret;
}
