/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/views.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "model/fact.h"

/* The columns that all have for numbers that most CPUs count, with their names for it. */
static const struct {
	const char *column, *given[2];
} known[] = {
	{"cycles", {"cycles", "cpu-cycles"}},
	{"instructions", {"instructions"}},
	{"cache_references", {"cache-references"}},
	{"cache_misses", {"cache-misses"}},
	{"branches", {"branches", "branch-instructions"}},
	{"branch_misses", {"branch-misses"}},
};

#define N_KNOWN ((int)(sizeof known / sizeof *known))

/* The columns that the views of all layouts have. */
static const char *const fixed[] = {"reading", "sample", "task", "counts_s", "facts_s", "cpu_ns"};

#define N_FIXED ((int)(sizeof fixed / sizeof *fixed))
#define KNOWN   "cycles, instructions, cache_references, cache_misses, branches, branch_misses"

/* The library takes 500 at most. */
#define LAYOUTS_MAX "400"

static bool is_head(const struct sample_events *set, int i)
{
	return !set->event[i].part_of;
}

static bool is_called(const struct sample_event *e, int name)
{
	for (int i = 0; i < 2 && known[name].given[i]; i++)
		if (!strcmp(e->given, known[name].given[i]))
			return true;
	return false;
}

/* The first number of this name, in that group if there is one; -1: none. group < 0: in any. */
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

/* The group of which most is shown: that of the instructions that are counted with cycles. */
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

/* Appends how much a column has grown; NULL in it is `none`. */
static void add_growth(struct strbuf *out, const char *column, int n)
{
	strbuf_addf(out, "ifnull(r.%s_%d, 0) - ifnull(p.%s_%d, 0)", column, n, column, n);
}

/* A running time that is NULL is the enabled time. */
static void add_running(struct strbuf *out, int slot)
{
	strbuf_addf(out,
		    "ifnull(r.running_%d, ifnull(r.enabled_%d, 0)) - "
		    "ifnull(p.running_%d, ifnull(p.enabled_%d, 0))",
		    slot, slot, slot, slot);
}

/* Whether the part can be had, and added to the others. */
static bool is_part(const struct sample_events *set, int head, int k)
{
	return set->event[k].quality == QUALITY_EXACT &&
	       !strcmp(set->event[k].unit, set->event[head].unit);
}

/* Appends, of the number at `head`: what was counted, how long it was enabled, how long it ran, and
 * the least of all these, which shows that something went backwards: as grown_N, enabled_N,
 * running_N and least_N. */
static void add_raw(struct strbuf *out, const struct record_layout *l, int head)
{
	const struct sample_events *set = l->events;
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
		add_growth(out, "count", k);
		strbuf_addch(out, ')');
		if (scale)
			strbuf_addf(out, " * %.17g", scale == SCALE_NOTHING ? 0 : scale);
		add_growth(&all, "count", k);
		strbuf_addstr(&all, ", ");
		strbuf_addstr(&enabled, n ? ", " : "");
		add_growth(&enabled, "enabled", l->slot[k]);
		strbuf_addstr(&running, n ? " + (" : "(");
		add_running(&running, l->slot[k]);
		strbuf_addch(&running, ')');
		add_running(&all, l->slot[k]);
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

/* The parts of the number at `head` as bits, and whether one of them cannot be had. */
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

/* Appends the increment of the number at `head`; -1: it was not counted. */
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

/* How many columns before that of this number are called the same. */
static int same_before(const struct sample_events *set, int head)
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

/* Its name in quotes, with a number behind it where there was one before. */
static void add_name(struct strbuf *out, const struct sample_events *set, int head)
{
	const int before = same_before(set, head);

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

/* All numbers by their own names, behind those that are known to all. */
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

/* States 1, 2 and 8 are COUNT_OK, COUNT_INHERITED and COUNT_IDLE: what another one counts, or
 * nobody needs, is nothing. */
void record_view_layout(const struct record_layout *l, struct strbuf *out)
{
	const bool has_cpu = l->facts & FACT_BIT(FACT_CPU_NS);

	strbuf_addf(out, "CREATE VIEW interval_%" PRId64 " AS SELECT ", l->id);
	for (int i = 0; i < N_FIXED; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", fixed[i]);
	add_numbers(out, l->events);
	strbuf_addf(out,
		    " FROM (SELECT r.id AS reading, r.sample AS sample, r.task AS task, "
		    "r.counts_ns / 1e9 AS counts_s, r.facts_ns / 1e9 AS facts_s, %s AS cpu_ns, "
		    "ifnull(r.unread, 0) AS unread, "
		    "(r.flags >> 5 = 2 OR (r.flags >> 5 = 8 AND p.id IS NOT NULL)) AS stood, "
		    "ifnull(r.flags >> 5 = 1 AND p.flags >> 5 = 1 AND r.flags & 16 AND "
		    "p.flags & 16 AND NOT r.flags & 2, 0) AS counted",
		    has_cpu ? "CASE WHEN NOT r.flags & 4 THEN r.CPU_NS - p.CPU_NS END" : "NULL");
	for (int i = 0; i < sample_events_n(l->events); i++)
		if (is_shown(l->events, i))
			add_raw(out, l, i);
	strbuf_addf(out,
		    " FROM reading_%" PRId64 " r LEFT JOIN reading_%" PRId64
		    " p ON p.id = r.previous)",
		    l->id, l->id);
}

/* clang-format off */
#define RATIOS \
	"1.0 * instructions / cycles AS ipc, 1000.0 * cache_misses / instructions AS cache_mpki," \
	" 1000.0 * branch_misses / instructions AS branch_mpki"

#define VIEW_ALL \
	"CREATE VIEW interval AS SELECT sample.wall_ns / 1e9 AS time," \
	" sample.run AS run, sample.id AS sample, sample.threads AS threads, task.kind AS kind, task.owner AS pid," \
	" task.number AS tid, task.name AS name, task.process AS process, task.user AS user, task.cmdline AS command," \
	" counts_s AS interval_s, cpu_ns / 1e9 AS cpu_s, cpu_ns / 1e7 / facts_s AS cpu_pct, " KNOWN ", " RATIOS \
	" FROM ("

#define VIEW_ONE "SELECT reading, sample, task, counts_s, facts_s, cpu_ns, " KNOWN " FROM interval_%" PRId64

#define VIEW_ALL_END ") i JOIN sample ON sample.id = i.sample JOIN task ON task.id = i.task"

#define SUM(column) "CASE WHEN count(*) = count(" column ") THEN sum(" column ") END AS " column
/* Of a process, its leader has the CPU time, but where each thread has a row. */
#define OF_ALL(column) \
	"CASE WHEN threads THEN sum(" column ") ELSE max(CASE WHEN tid = pid THEN " column " END) END AS " column

const char record_view_processes[] =
	"CREATE VIEW process AS SELECT time, run, sample, pid, name, user, command,"
	" interval_s, cpu_s, cpu_pct, " KNOWN ", " RATIOS " FROM (SELECT time, run, sample, pid, process AS name, user,"
	" max(CASE WHEN tid = pid THEN command END) AS command, max(interval_s) AS interval_s, "
	OF_ALL("cpu_s") ", " OF_ALL("cpu_pct") ", " SUM("cycles") ", " SUM("instructions") ", "
	SUM("cache_references") ", " SUM("cache_misses") ", " SUM("branches") ", " SUM("branch_misses")
	" FROM interval GROUP BY sample, kind, pid)";
/* clang-format on */

int record_view_all(struct record_db *db, struct strbuf *out, struct err *err)
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
		strbuf_addstr(out, n++ ? " UNION ALL " : VIEW_ALL);
		strbuf_addf(out, VIEW_ONE, (int64_t)sqlite3_column_int64(stmt, 0));
	}
	strbuf_addstr(out, n ? VIEW_ALL_END : "");
	sqlite3_finalize(stmt);
	return ret;
}
