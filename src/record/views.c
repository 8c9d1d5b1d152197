/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/views.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "model/fact.h"
#include "model/fact_list.h"

/* ---- all ----
 * The views over all layouts. */

/* SQLite allows 500 terms in a compound SELECT. */
#define LAYOUTS_MAX "400"

#define KNOWN "cycles, instructions, cache_references, cache_misses, branches, branch_misses"

/* clang-format off */
#define RATIOS \
	"1.0 * instructions / cycles AS ipc, 1000.0 * cache_misses / instructions AS cache_mpki," \
	" 1000.0 * branch_misses / instructions AS branch_mpki"

/* If the facts were lost at the end of a task, facts_s is NULL, and the forms after the first divide
 * the CPU time by counts_s. */
#define NUMBERS_FIRST \
	" counts_s AS interval_s, cpu_ns / 1e9 AS cpu_s, cpu_ns / 1e7 / facts_s AS cpu_pct, " KNOWN ", " RATIOS \
	" FROM ("

#define NUMBERS \
	" counts_s AS interval_s, cpu_ns / 1e9 AS cpu_s, cpu_ns / 1e7 / ifnull(facts_s, counts_s) AS cpu_pct," \
	" cpu_ns IS NOT NULL AND facts_s IS NULL AS cpu_counted, " KNOWN ", " RATIOS \
	" FROM ("

#define OF_TASK \
	" task.kind AS kind, task.owner AS pid," \
	" task.number AS tid, task.name AS name, task.process AS process, task.user AS user, task.cmdline AS command,"

#define OF_SAMPLE \
	" sample.wall_ns / 1e9 AS time," \
	" sample.run AS run, sample.id AS sample, sample.threads AS threads,"

/* The statement: begin, then for each layout `of`, its id and `end_of`, then end.
 *
 * The current form begins with the samples, and searches the readings of each sample by the range of
 * their ids: so a condition on time or sample needs no other readings. CROSS JOIN keeps SQLite from
 * changing this order; the plus sign keeps it from building an index over all readings. */
static const struct {
	const char *begin, *of, *end_of, *end;
} view_all[N_RECORD_VIEW_FORMS] = {
	[RECORD_VIEW_FIRST] = {
		"CREATE VIEW interval AS SELECT" OF_SAMPLE OF_TASK NUMBERS_FIRST,
		"SELECT reading, sample, task, counts_s, facts_s, cpu_ns, " KNOWN " FROM interval_", "",
		") i JOIN sample ON sample.id = i.sample JOIN task ON task.id = i.task"},
	[RECORD_VIEW_SECOND] = {
		"CREATE VIEW interval AS SELECT" OF_SAMPLE OF_TASK NUMBERS,
		"SELECT reading, sample, task, counts_s, facts_s, cpu_ns, " KNOWN " FROM interval_", "",
		") i JOIN sample ON sample.id = i.sample JOIN task ON task.id = i.task"},
	[RECORD_VIEW_NOW] = {
		"CREATE VIEW interval AS SELECT time, run, sample, threads," OF_TASK NUMBERS,
		"SELECT s.wall_ns / 1e9 AS time, s.run AS run, s.id AS sample, s.threads AS threads, task, counts_s,"
		" facts_s, cpu_ns, " KNOWN " FROM sample s CROSS JOIN interval_",
		" v WHERE +v.sample = s.id AND v.reading >= s.first_reading AND v.reading < ifnull((SELECT"
		" n.first_reading FROM sample n WHERE n.id > s.id ORDER BY n.id LIMIT 1), 9223372036854775807)",
		") i JOIN task ON task.id = i.task"},
};

#define SUM(column) "CASE WHEN count(*) = count(" column ") THEN sum(" column ") END AS " column
/* The CPU time of a process is in the row of its leader. If each thread has its own CPU time
 * (threads), sums over all rows. */
#define OF_LEADER(column) \
	"CASE WHEN threads THEN sum(" column ") ELSE max(CASE WHEN tid = pid THEN " column " END) END AS " column
/* Like OF_LEADER, but also sums over all rows if the process has exited and its CPU time comes from
 * the counters of its threads (cpu_counted). */
#define OF_ALL(column) \
	"CASE WHEN threads OR max(tid = pid AND cpu_counted) THEN sum(" column ")" \
	" ELSE max(CASE WHEN tid = pid THEN " column " END) END AS " column

#define VIEW_PROCESSES(OF, KEY) \
	"CREATE VIEW process AS SELECT time, run, sample, pid, name, user, command," \
	" interval_s, cpu_s, cpu_pct, " KNOWN ", " RATIOS \
	" FROM (SELECT time, run, sample, pid, process AS name, user," \
	" max(CASE WHEN tid = pid THEN command END) AS command, max(interval_s) AS interval_s, " \
	OF("cpu_s") ", " OF("cpu_pct") ", " SUM("cycles") ", " SUM("instructions") ", " \
	SUM("cache_references") ", " SUM("cache_misses") ", " SUM("branches") ", " SUM("branch_misses") \
	" FROM interval GROUP BY " KEY ")"

const char *const record_view_processes[N_RECORD_VIEW_FORMS] = {
	[RECORD_VIEW_FIRST] = VIEW_PROCESSES(OF_LEADER, "sample, kind, pid"),
	[RECORD_VIEW_SECOND] = VIEW_PROCESSES(OF_ALL, "sample, kind, pid"),
	/* A condition on a column of the key is applied before the rows are grouped. */
	[RECORD_VIEW_NOW] = VIEW_PROCESSES(OF_ALL, "sample, time, run, kind, pid"),
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
		strbuf_addstr(out, n++ ? " UNION ALL " : view_all[form].begin);
		strbuf_addf(out, "%s%" PRId64 "%s", view_all[form].of,
			    (int64_t)sqlite3_column_int64(stmt, 0), view_all[form].end_of);
	}
	strbuf_addstr(out, n ? view_all[form].end : "");
	sqlite3_finalize(stmt);
	return ret;
}

/* ---- views ---- */

#define NAMES_MAX 3

/* Columns that all views have, and the names of the events that they show. br_retired and
 * br_mis_pred_retired are Arm's names for retired branches and retired mispredicted branches. */
static const struct {
	const char *column, *given[NAMES_MAX];
} known[] = {
	{"cycles", {"cycles", "cpu-cycles"}},
	{"instructions", {"instructions"}},
	{"cache_references", {"cache-references"}},
	{"cache_misses", {"cache-misses"}},
	{"branches", {"branches", "branch-instructions", "br_retired"}},
	{"branch_misses", {"branch-misses", "br_mis_pred_retired"}},
};

#define N_KNOWN ((int)(sizeof known / sizeof *known))

/* The other columns that all views have. */
static const char *const fixed[] = {"reading", "sample", "task", "counts_s", "facts_s", "cpu_ns"};

#define N_FIXED ((int)(sizeof fixed / sizeof *fixed))

/* The maximal number of other layouts that are searched for the previous reading: SQLite joins at
 * most 64 tables. */
#define OTHERS_MAX 12

/* The layout of a view, layout[0], and the other layouts that are searched for the previous
 * reading. Joined for the previous reading, their tables have the aliases p, p1, p2, ... */
struct view_of {
	struct record_layout layout[1 + OTHERS_MAX];
	int n;
};

static bool is_head(const struct sample_events *set, int i)
{
	return !set->event[i].part_of;
}

static bool is_called(const struct sample_event *e, int name)
{
	for (int i = 0; i < NAMES_MAX && known[name].given[i]; i++)
		if (!strcmp(e->given, known[name].given[i]))
			return true;
	return false;
}

/* Returns the index of the first counter called known[name], preferably in this group; group < 0:
 * in any group. -1: there is no such counter. */
static int find_known(const struct sample_events *set, int name, int group)
{
	int found = -1;

	for (int i = 0; i < sample_events_n(set); i++) {
		if (!is_head(set, i) || !is_called(&set->event[i], name))
			continue;
		if (group < 0 || set->event[i].group == group)
			return i;
		found = found < 0 ? i : found;
	}
	return found;
}

/* Returns the group that the columns of `known` show: the first group with instructions and cycles,
 * else the first group with instructions; -1: none. */
static int best_group(const struct sample_events *set)
{
	int last = -1;

	for (int i = 0; i < sample_events_n(set); i++) {
		const int group = set->event[i].group;
		const int cycles = find_known(set, 0, group);

		if (!is_head(set, i) || !is_called(&set->event[i], 1))
			continue;
		if (cycles >= 0 && set->event[cycles].group == group)
			return group;
		last = last < 0 ? group : last;
	}
	return last;
}

static void add_alias(struct strbuf *out, int i)
{
	strbuf_addch(out, 'p');
	if (i)
		strbuf_addf(out, "%d", i);
}

/* Appends a column of the previous reading. That reading is in one of the layouts at most; the
 * columns of the others are NULL. */
static void add_previous(struct strbuf *out, const struct view_of *v, const char *column)
{
	strbuf_addstr(out, v->n > 1 ? "coalesce(" : "");
	for (int i = 0; i < v->n; i++) {
		strbuf_addstr(out, i ? ", " : "");
		add_alias(out, i);
		strbuf_addf(out, ".%s", column);
	}
	strbuf_addstr(out, v->n > 1 ? ")" : "");
}

/* Appends a column of the previous reading: "count" of event k, or "enabled" or "running" of the
 * slot of event k. Each layout may have another slot for the event. */
static void add_previous_count(struct strbuf *out, const struct view_of *v, const char *column,
			       int k)
{
	const bool of_slot = strcmp(column, "count") != 0;

	strbuf_addstr(out, v->n > 1 ? "coalesce(" : "");
	for (int i = 0; i < v->n; i++) {
		strbuf_addstr(out, i ? ", " : "");
		add_alias(out, i);
		strbuf_addf(out, ".%s_%d", column, of_slot ? v->layout[i].slot[k] : k);
	}
	strbuf_addstr(out, v->n > 1 ? ")" : "");
}

/* Appends the increment of a column of event k; NULL counts as 0. */
static void add_growth(struct strbuf *out, const struct view_of *v, const char *column, int k)
{
	const bool of_slot = strcmp(column, "count") != 0;

	strbuf_addf(out, "ifnull(r.%s_%d, 0) - ifnull(", column,
		    of_slot ? v->layout[0].slot[k] : k);
	add_previous_count(out, v, column, k);
	strbuf_addstr(out, ", 0)");
}

/* Appends the increment of the running time of event k; NULL equals the enabled time. */
static void add_running(struct strbuf *out, const struct view_of *v, int k)
{
	const int slot = v->layout[0].slot[k];

	strbuf_addf(out, "ifnull(r.running_%d, ifnull(r.enabled_%d, 0)) - ifnull(", slot, slot);
	add_previous_count(out, v, "running", k);
	strbuf_addstr(out, ", ifnull(");
	add_previous_count(out, v, "enabled", k);
	strbuf_addstr(out, ", 0))");
}

/* Returns whether part k was counted, and in the unit of its head, so that both can be added. */
static bool is_part(const struct sample_events *set, int head, int k)
{
	return set->event[k].quality == QUALITY_EXACT &&
	       !strcmp(set->event[k].unit, set->event[head].unit);
}

/* Appends four columns for the counter at `head`, N: grown_N, its increment; enabled_N and
 * running_N, the increments of its times; least_N, the least of all increments of its parts, which
 * is negative if a number went backwards. */
static void add_raw(struct strbuf *out, const struct view_of *v, int head)
{
	const struct sample_events *set = v->layout[0].events;
	struct strbuf enabled, running, all;
	int n = 0;

	strbuf_init(&enabled);
	strbuf_init(&running);
	strbuf_init(&all);
	for (int k = head; k < set->n; k = sample_events_next_part(set, head, k)) {
		const double scale = set->event[k].scale;

		if (!is_part(set, head, k))
			continue;
		strbuf_addstr(out, n ? " + (" : ", (");
		add_growth(out, v, "count", k);
		strbuf_addch(out, ')');
		if (scale)
			strbuf_addf(out, " * %.17g", scale == SCALE_NOTHING ? 0 : scale);
		add_growth(&all, v, "count", k);
		strbuf_addstr(&all, ", ");
		strbuf_addstr(&enabled, n ? ", " : "");
		add_growth(&enabled, v, "enabled", k);
		strbuf_addstr(&running, n ? " + (" : "(");
		add_running(&running, v, k);
		strbuf_addch(&running, ')');
		add_running(&all, v, k);
		strbuf_addstr(&all, ", ");
		n++;
	}
	strbuf_addf(out,
		    " AS grown_%d, %s(%s) AS enabled_%d, %s AS running_%d, min(%s%s) AS least_%d",
		    head, n > 1 ? "max" : "", enabled.text, head, running.text, head, all.text,
		    enabled.text, head);
	strbuf_done(&enabled);
	strbuf_done(&running);
	strbuf_done(&all);
}

/* Returns a mask of the events that are counted parts of the counter at `head`. *lacking: some
 * parts are not counted. */
static uint64_t parts_of(const struct sample_events *set, int head, bool *lacking)
{
	uint64_t bits = 0;

	*lacking = false;
	for (int k = head; k < set->n; k = sample_events_next_part(set, head, k)) {
		if (is_part(set, head, k))
			bits |= 1ull << k;
		*lacking = *lacking || set->event[k].lacking || !is_part(set, head, k);
	}
	return bits;
}

static bool is_shown(const struct sample_events *set, int i)
{
	return is_head(set, i) && sample_events_quality(set, i) == QUALITY_EXACT;
}

/* Appends an expression for the increment of the counter at `head`; NULL if head is -1. */
static void add_increment(struct strbuf *out, const struct sample_events *set, int head)
{
	bool lacking;
	uint64_t bits;

	if (head < 0 || !is_shown(set, head)) {
		strbuf_addstr(out, "NULL");
		return;
	}
	bits = parts_of(set, head, &lacking);
	strbuf_addf(out,
		    "CASE WHEN stood THEN 0 WHEN NOT counted OR unread & %" PRId64
		    " OR least_%d < 0 THEN NULL WHEN running_%d >= enabled_%d THEN grown_%d ",
		    (int64_t)bits, head, head, head, head);
	if (!lacking)
		strbuf_addf(out, "ELSE 1.0 * grown_%d * enabled_%d / running_%d ", head, head,
			    head);
	strbuf_addstr(out, "END");
}

/* Returns the number of earlier columns with the name of this counter. */
static int n_same_names(const struct sample_events *set, int head)
{
	const char *name = set->event[head].given;
	int n = 0;

	for (int i = 0; i < N_FIXED; i++)
		n += !strcasecmp(fixed[i], name);
	for (int i = 0; i < N_KNOWN; i++)
		n += !strcasecmp(known[i].column, name);
	for (int i = 0; i < head; i++)
		n += is_head(set, i) && !strcasecmp(set->event[i].given, name);
	return n;
}

/* Appends the counter's name in quotes, with a number after it if an earlier column has the same
 * name. */
static void add_name(struct strbuf *out, const struct sample_events *set, int head)
{
	const int before = n_same_names(set, head);

	strbuf_addch(out, '"');
	for (const char *name = set->event[head].given; *name; name++) {
		if (*name == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, *name);
	}
	if (before)
		strbuf_addf(out, "_%d", before + 1);
	strbuf_addch(out, '"');
}

/* Appends the columns of `known`, then all counters by their own names. */
static void add_numbers(struct strbuf *out, const struct sample_events *set)
{
	const int group = best_group(set);

	for (int name = 0; name < N_KNOWN; name++) {
		strbuf_addstr(out, ", ");
		add_increment(out, set, find_known(set, name, group));
		strbuf_addf(out, " AS %s", known[name].column);
	}
	for (int i = 0; i < sample_events_n(set); i++) {
		if (!is_head(set, i))
			continue;
		strbuf_addstr(out, ", ");
		add_increment(out, set, i);
		strbuf_addstr(out, " AS ");
		add_name(out, set, i);
	}
}

/* Appends the CPU time of a task whose facts were lost at its end: the enabled time of the first
 * counter that was read in this reading and in the previous one. */
static void add_time_counted(struct strbuf *out, const struct view_of *v)
{
	const struct record_layout *l = &v->layout[0];

	strbuf_addstr(out, "CASE WHEN NOT counted THEN NULL");
	for (int k = 0; k < sample_events_n(l->events); k++)
		strbuf_addf(out,
			    " WHEN NOT (unread | unread_before) & %" PRId64
			    " AND ran_%d >= 0 THEN ran_%d",
			    (int64_t)(1ull << k), l->slot[k], l->slot[k]);
	strbuf_addstr(out, " END");
}

static bool has_cpu(const struct record_layout *l)
{
	return fact_in(l->facts, FACT_CPU_NS);
}

/* Appends the CPU time of the previous reading, from the layouts that have this fact. */
static void add_cpu_before(struct strbuf *out, const struct view_of *v)
{
	strbuf_addstr(out, "coalesce(NULL");
	for (int i = 0; i < v->n; i++) {
		strbuf_addstr(out, ", ");
		if (has_cpu(&v->layout[i])) {
			add_alias(out, i);
			strbuf_addstr(out, ".CPU_NS");
		} else {
			strbuf_addstr(out, "NULL");
		}
	}
	strbuf_addch(out, ')');
}

static void add_raws(struct strbuf *out, const struct view_of *v)
{
	for (int i = 0; i < sample_events_n(v->layout[0].events); i++)
		if (is_shown(v->layout[0].events, i))
			add_raw(out, v, i);
}

/* In the statement, flags >> 5 is enum count_state: 1 is COUNT_OK, 2 COUNT_INHERITED, 8 COUNT_IDLE.
 * The increment of a task in state 2, or in state 8 with a previous reading, is 0. */
static void add_first_form(struct strbuf *out, const struct view_of *v)
{
	const struct record_layout *l = &v->layout[0];

	add_numbers(out, l->events);
	strbuf_addf(out,
		    " FROM (SELECT r.id AS reading, r.sample AS sample, r.task AS task, "
		    "r.counts_ns / 1e9 AS counts_s, r.facts_ns / 1e9 AS facts_s, %s AS cpu_ns, "
		    "ifnull(r.unread, 0) AS unread, "
		    "(r.flags >> 5 = 2 OR (r.flags >> 5 = 8 AND p.id IS NOT NULL)) AS stood, "
		    "ifnull(r.flags >> 5 = 1 AND p.flags >> 5 = 1 AND r.flags & 16 AND "
		    "p.flags & 16 AND NOT r.flags & 2, 0) AS counted",
		    has_cpu(l) ? "CASE WHEN NOT r.flags & 4 THEN r.CPU_NS - p.CPU_NS END" : "NULL");
	add_raws(out, v);
	strbuf_addf(out,
		    " FROM reading_%" PRId64 " r LEFT JOIN reading_%" PRId64
		    " p ON p.id = r.previous)",
		    l->id, l->id);
}

/* Appends the interval of the counts or of the facts (what): the time since the previous reading;
 * for a first reading, the time since the sample before. */
static void add_interval(struct strbuf *out, const char *what)
{
	strbuf_addf(out, "ifnull(r.%s_ns, s.mono_ns - q.mono_ns + 1000 * r.%s_us) / 1e9", what,
		    what);
}

/* Appends flags_before, unread_before and cpu_before, which are columns of the previous reading;
 * and cpu_now. */
static void add_reading_before(struct strbuf *out, const struct view_of *v)
{
	strbuf_addstr(out, ", ");
	add_previous(out, v, "flags");
	strbuf_addstr(out, " AS flags_before, ifnull(");
	add_previous(out, v, "unread");
	strbuf_addstr(out, ", 0) AS unread_before, ");
	add_cpu_before(out, v);
	strbuf_addf(out, " AS cpu_before, %s AS cpu_now",
		    has_cpu(&v->layout[0]) ? "r.CPU_NS" : "NULL");
}

static void add_sources(struct strbuf *out, const struct view_of *v)
{
	strbuf_addf(out, " FROM reading_%" PRId64 " r", v->layout[0].id);
	for (int i = 0; i < v->n; i++) {
		strbuf_addf(out, " LEFT JOIN reading_%" PRId64 " ", v->layout[i].id);
		add_alias(out, i);
		strbuf_addstr(out, " ON ");
		add_alias(out, i);
		strbuf_addstr(out, ".id = r.previous");
	}
	strbuf_addstr(out, " LEFT JOIN sample s ON s.id = r.sample"
			   " LEFT JOIN sample q ON q.id = r.sample - 1 AND q.run = s.run AND "
			   "q.generation = s.generation"
			   " LEFT JOIN task t ON t.id = r.task");
}

/* Three nested SELECTs: the readings (innermost), their comparison, the increments. State 9 is
 * COUNT_WHOLE: the whole count belongs to the interval in which the task was first seen. So does
 * the whole CPU time, also of other tasks that started in that interval; start times are in clock
 * ticks, hence 10 ms of tolerance. */
static void add_current_form(struct strbuf *out, const struct view_of *v)
{
	const struct record_layout *l = &v->layout[0];

	add_numbers(out, l->events);
	strbuf_addstr(out, " FROM (SELECT *, CASE WHEN born THEN cpu_now WHEN NOT lost THEN "
			   "CASE WHEN cpu_now >= cpu_before THEN cpu_now - cpu_before END ELSE ");
	add_time_counted(out, v);
	strbuf_addstr(out, " END AS cpu_ns FROM (SELECT *, "
			   "(state = 2 OR (state = 8 AND flags_before IS NOT NULL)) AS stood, "
			   "ifnull(has AND (whole OR (flags_before >> 5 IN (1, 9) AND "
			   "flags_before & 16 AND NOT torn)), 0) AS counted FROM (SELECT "
			   "r.id AS reading, r.sample AS sample, r.task AS task");
	strbuf_addstr(out, ", ");
	add_interval(out, "counts");
	strbuf_addstr(out, " AS counts_s, CASE WHEN NOT r.flags & 4 THEN ");
	add_interval(out, "facts");
	strbuf_addstr(out, " END AS facts_s, ifnull(r.unread, 0) AS unread, r.flags >> 5 AS state, "
			   "r.flags >> 5 IN (1, 9) AND r.flags & 16 AS has, r.flags & 2 AS torn, "
			   "r.flags & 4 AS lost, "
			   "r.facts_ns IS NULL AND q.id IS NOT NULL AND r.flags >> 5 = 9 AS whole, "
			   "r.facts_ns IS NULL AND q.id IS NOT NULL AND (r.flags >> 5 = 9 OR "
			   "t.start_ns + 10000000 > q.boot_ns) AS born");
	add_reading_before(out, v);
	for (int slot = 0; slot < l->n_slots; slot++) {
		int k = 0;

		while (l->slot[k] != slot)
			k++;
		strbuf_addstr(out, ", ");
		add_growth(out, v, "enabled", k);
		strbuf_addf(out, " AS ran_%d", slot);
	}
	add_raws(out, v);
	add_sources(out, v);
	strbuf_addstr(out, ")))");
}

/* Loads a layout, and the other layouts with the same set of events whose ids are nearest. */
static int load(struct record_db *db, int64_t layout, struct view_of *v, struct err *err)
{
	struct sample_events *events = NULL;
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(
		db, &stmt,
		"SELECT id, facts, single, event_set FROM layout WHERE event_set = (SELECT "
		"event_set FROM layout WHERE id = ?1) AND (id = ?1 OR EXISTS (SELECT 1 FROM "
		"sqlite_schema WHERE name = 'reading_' || layout.id)) ORDER BY id <> ?1, "
		"abs(id - ?1), id LIMIT ?2",
		err);

	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, layout);
	sqlite3_bind_int64(stmt, 2, 1 + OTHERS_MAX);
	while ((ret = record_db_step(db, stmt, err)) == 1) {
		const int64_t set = sqlite3_column_int64(stmt, 3);
		const char *names = record_db_text(stmt, 1);
		struct fact_set facts = FACT_NONE;

		if (set && !events) {
			ret = record_events_load(db, set, &events, err);
			if (ret || !events)
				break;
		}
		record_facts_parse(names ? names : "", &facts);
		record_layout_init(&v->layout[v->n], events, facts, sqlite3_column_int(stmt, 2));
		v->layout[v->n++].id = sqlite3_column_int64(stmt, 0);
	}
	sqlite3_finalize(stmt);
	sample_events_unref(events);
	return ret < 0 ? ret : 0;
}

int record_view_layout(struct record_db *db, int64_t layout, enum record_view_form form,
		       struct strbuf *out, struct err *err)
{
	struct view_of *v = xcalloc(1, sizeof *v);
	int ret = load(db, layout, v, err);
	const int n = v->n;

	if (!ret && n) {
		strbuf_addf(out, "CREATE VIEW interval_%" PRId64 " AS SELECT ", layout);
		for (int i = 0; i < N_FIXED; i++)
			strbuf_addf(out, "%s%s", i ? ", " : "", fixed[i]);
		if (form == RECORD_VIEW_FIRST) {
			v->n = 1;
			add_first_form(out, v);
		} else {
			add_current_form(out, v);
		}
	}
	for (int i = 0; i < n; i++)
		record_layout_done(&v->layout[i]);
	free(v);
	return ret;
}

/* ---- events ---- */

/* Reads a row of the table event. n: the number of rows before it. Returns false if a value is out
 * of range. */
static bool read_event(sqlite3_stmt *stmt, int n, struct sample_event *e)
{
	int64_t kind, core, part_of, group, quality, too;
	int column = 0;

	e->given = record_db_text(stmt, column++);
	e->resolved = record_db_text(stmt, column++);
	e->pmu = record_db_text(stmt, column++);
	e->format = record_db_text(stmt, column++);
	e->unit = record_db_text(stmt, column++);
	kind = sqlite3_column_int64(stmt, column++);
	e->config = (uint64_t)sqlite3_column_int64(stmt, column++);
	e->config1 = (uint64_t)sqlite3_column_int64(stmt, column++);
	e->config2 = (uint64_t)sqlite3_column_int64(stmt, column++);
	e->scale = sqlite3_column_double(stmt, column++);
	group = sqlite3_column_int64(stmt, column++);
	part_of = sqlite3_column_int64(stmt, column++);
	e->modes = (uint8_t)sqlite3_column_int64(stmt, column++);
	core = sqlite3_column_int64(stmt, column++);
	quality = sqlite3_column_int64(stmt, column++);
	too = sqlite3_column_int64(stmt, column++);
	e->guests_too = too & 1;
	e->modes_too = too >> 1 & 1;
	e->lacking = sqlite3_column_int64(stmt, column++) != 0;
	e->kind = (uint8_t)kind;
	e->group = (uint16_t)group;
	e->part_of = (uint16_t)part_of;
	e->core = (int8_t)core;
	e->quality = (uint8_t)quality;
	return kind >= 0 && kind < N_EVENT_KINDS && group >= 0 && group <= SAMPLE_NO_GROUP &&
	       part_of >= 0 && part_of <= n && core >= SAMPLE_ANY_CORE && core < RECORD_CORES &&
	       quality >= 0 && quality < N_QUALITIES && isfinite(e->scale) && e->scale >= 0;
}

/* Returns whether each part belongs to a head, not to another part (sample_event.h). */
static bool is_sound(const struct sample_event *event, int n)
{
	for (int i = 0; i < n; i++)
		if (event[i].part_of && event[event[i].part_of - 1].part_of)
			return false;
	return true;
}

/* Returns a copy of the set with the event added, and drops the old set. Copies the event at once,
 * as SQLite's texts are valid only until the next step. */
static struct sample_events *add_event(struct sample_events *set, const struct sample_event *e)
{
	struct sample_event event[SAMPLE_MAX_EVENTS];
	struct sample_events *more;
	int n = set->n;

	memcpy(event, set->event, (size_t)n * sizeof *event);
	event[n] = *e;
	more = sample_events_new(event, n + 1);
	sample_events_unref(set);
	return more;
}

/* Returns the number of events that the table event_set declares for the set; -1: the set is not in
 * the table. */
static int64_t count_events(struct record_db *db, int64_t id)
{
	int64_t n = -1;

	record_db_numberf(db, -1, &n, NULL, "SELECT n FROM event_set WHERE id = %lld",
			  (long long)id);
	return n;
}

int record_events_load(struct record_db *db, int64_t id, struct sample_events **out,
		       struct err *err)
{
	static const char sql[] =
		"SELECT given, resolved, pmu, format, unit, kind, config, config1, config2, scale, "
		"event_group, part_of, modes, core, quality, guests_too, lacking FROM event "
		"WHERE event_set = ? ORDER BY n LIMIT 65";
	struct sample_events *set = sample_events_new(NULL, 0);
	sqlite3_stmt *stmt;
	bool sound = true;
	int ret = record_db_prepare(db, &stmt, sql, err);

	*out = NULL;
	if (ret) {
		sample_events_unref(set);
		return ret;
	}
	sqlite3_bind_int64(stmt, 1, id);
	while (sound && (ret = record_db_step(db, stmt, err)) == 1) {
		struct sample_event e;

		sound = set->n < SAMPLE_MAX_EVENTS && read_event(stmt, set->n, &e);
		if (sound)
			set = add_event(set, &e);
	}
	sqlite3_finalize(stmt);
	if (ret < 0 || !sound || count_events(db, id) != set->n || !is_sound(set->event, set->n)) {
		sample_events_unref(set);
		return ret < 0 ? ret : 0;
	}
	*out = set;
	return 0;
}
