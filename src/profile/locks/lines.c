/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "inject/lib/clock.h"
#include "inject/preload/seccomp_filter.h"
#include "inject/preload/table_note.h"
#include "profile/locks/lines_sections.h"
#include "profile/locks/resolver.h"
#include "profile/locks/symbol.h"

const char *const lines_phase_names[LOCKS_PHASES] = {"acquire", "hold", "release"};
const char *const lines_state_names[LOCKS_STATES] = {"waiting", "holding", "free", "own"};

/* --- numbers --- */

uint64_t lines_ns(const struct locks_lines *l, uint64_t ticks)
{
	return tt_multiply(ticks, l->copy->header.ns_per_tick);
}

double lines_mean(const struct locks_lines *l, const struct locks_estimate *e)
{
	return (double)e->sum / (double)e->n * (double)l->copy->header.ns_per_tick / 4294967296.0;
}

/* Returns the standard deviation in ns; NaN: unknown. */
static double stddev_of(const struct locks_lines *l, const struct locks_estimate *e)
{
	return e->stddev * (double)l->copy->header.ns_per_tick / 4294967296.0;
}

bool lines_is_sampled(const struct locks_lines *l)
{
	return l->copy->header.sample > 1;
}

bool lines_knows_state(const struct locks_lines *l, int state)
{
	if (l->copy->kernel.alone)
		return state == LOCKS_WAITING;
	return !lines_is_sampled(l) || (state != LOCKS_HOLDING && state != LOCKS_FREE);
}

double lines_percent(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

double lines_density(const struct locks_report *r)
{
	const uint64_t time = locks_report_time(r);

	return time ? 1e4 * (double)locks_n(&r->all, LOCKS_ACQUIRE) / (double)time : 0;
}

/* --- names --- */

/* Functions of resolver.h with the arguments of this report. */
static void lines_add_caller(const struct locks_lines *l, struct strbuf *out, uint64_t caller)
{
	locks_name_add_caller(l->names, out, caller);
}

/* Appends a caller, followed by the source file (without its folder) and line if they are known. */
static void lines_add_place(const struct locks_lines *l, struct strbuf *out, uint64_t caller)
{
	struct strbuf source;
	const char *name;

	lines_add_caller(l, out, caller);
	strbuf_init(&source);
	if (locks_name_add_source(l->names, &source, caller)) {
		name = strrchr(source.text, '/');
		strbuf_addf(out, " (%s)", name ? name + 1 : source.text);
	}
	strbuf_done(&source);
}

static void lines_add_name(const struct locks_lines *l, struct strbuf *out,
			   const struct locks_instance *i)
{
	locks_name_add(l->names, out, i);
}

static void lines_add_instance(struct strbuf *out, const struct locks_instance *i)
{
	if (i->several)
		strbuf_addf(out, "%u addresses", i->generation);
	else if (!i->address)
		strbuf_addf(out, "inode %" PRIu64 "+0x%" PRIx64, i->memory.inode, i->memory.offset);
	else
		strbuf_addf(out, "0x%" PRIx64, i->address);
	if (i->generation > 1 && !i->several)
		strbuf_addf(out, "#%u", i->generation);
}

static const char *lines_kind(const struct locks_line *line)
{
	return locks_name_kind(line->instance, line->sum.shared);
}

static bool lines_knows_contended(const struct locks_line *line)
{
	return locks_name_knows_contended(line->instance);
}

static bool lines_knows_owner(const struct locks_line *line)
{
	return locks_name_knows_owner(line->instance);
}

/* --- columns --- */

/* clang-format off */
static const struct report_column program_columns[] = {
	{.id = "type"}, {.id = "schema"}, {.id = "pid"}, {.id = "threads"}, {.id = "dynamic"}, {.id = "static"},
	{.id = "per_10k_ticks"}, {.id = "unit"}, {.id = "time"}, {.id = "waiting"}, {.id = "holding"},
	{.id = "free"}, {.id = "own"}, {.id = "sample"}, {.id = "measuring"}, {.id = "cpu_time"},
	{.id = "under_way"}, {.id = "under_way_ns"}, {.id = "held"}, {.id = "unmeasured"}, {.id = "too_deep"},
	{.id = "unmatched"}, {.id = "threads_left_out"}, {.id = "stopped_after"}, {.id = "stopped_for"},
	{.id = "futex_calls"}, {.id = "futex_caller"}, {.id = "unseen"}, {.id = "names_given_up"},
	{.id = "names_nearest"}, {.id = "names_generated"},
	{.id = "static_at_least"}, {.id = "futex_left_out"}, {.id = "waiting_idle"}, {.id = "group"},
	{.id = "shared_dynamic"}, {.id = "shared_static"}, {.id = "halving_time"}, {.id = "halving_reason"},
	{.id = "kernel"}, {.id = "kernel_lost"}, {.id = "kernel_unpaired"}, {.id = "chains_reason"},
	{.id = "rows", .counts_rest = true},
};

/* The columns of a lock. For the line without a lock, CSV has a caller, and JSON has none. */
static const struct report_column lock_columns[] = {
	{.id = "type"},
	{.id = "schema"},
	{.id = "pid", .csv = "pid"},
	{.id = "name", .csv = "name", .title = "# lock", .width = -1, .max_width = 48, .table = REPORT_EACH_TABLE,
	 .rank = 1, .role = REPORT_IS_NAME, .has_offset = true},
	{.id = "name_symbol", .role = REPORT_IS_NAME},
	{.id = "address", .csv = "address"},
	{.id = "generation", .csv = "generation"},
	{.id = "addresses", .csv = "addresses"},
	{.id = "kind", .csv = "kind", .title = "kind", .width = -1, .max_width = 48, .table = REPORT_EACH_TABLE,
	 .rank = 8, .role = REPORT_IS_KIND},
	{.title = "instance", .width = -1, .max_width = 48, .table = REPORT_EACH_TABLE, .rank = 13, .field = "address"},
	{.title = "caller", .width = -1, .max_width = 48, .table = REPORT_EACH_TABLE, .rank = 5, .field = "caller"},
	{.id = "owner_changes", .csv = "owner_changes", .csv_place = 2, .title = "owners", .width = 8, .place = 2,
	 .rank = 14},
	{.id = "caller", .role = REPORT_IS_CALLER, .has_offset = true},
	{.id = "caller_symbol", .role = REPORT_IS_CALLER},
	{.csv = "caller", .csv_place = 1},
	{.id = "source"},
	{.csv = "source", .csv_place = 5},
	{.id = "holder", .csv = "holder", .csv_place = 4},
	{.title = "waited for", .width = -1, .place = 4, .rank = 6, .field = "holder"},
	{.id = "holder_ns", .csv = "holder_ns", .csv_place = 4},
	{.id = "acquisitions", .csv = "acquisitions", .csv_place = 1, .title = "acquired", .width = 10, .place = 1,
	 .rank = 3, .role = REPORT_IS_TIMES},
	{.id = "contended", .csv = "contended", .csv_place = 1, .role = REPORT_IS_CONTENDED},
	{.title = "cont%", .width = 6, .digits = 1, .place = 1, .rank = 4, .field = "contended"},
	{.id = "nested", .csv = "nested", .csv_place = 1},
	{.id = "failed", .csv = "failed", .csv_place = 1},
	{.id = "failed_ns", .csv = "failed_ns", .csv_place = 8},
	{.title = "failed in", .width = 11, .digits = 3, .per = 1e6, .unit = "ms", .place = 2, .rank = 15,
	 .field = "failed_ns"},
	{.id = "under_way", .csv = "under_way", .csv_place = 8,
	 .title = "wait", .width = 5, .no_zero = true, .place = 2, .rank = 16},
	{.id = "under_way_ns", .csv = "under_way_ns", .csv_place = 8},
	{.title = "so far", .width = 11, .digits = 3, .per = 1e6, .unit = "ms", .place = 2, .rank = 17,
	 .field = "under_way_ns"},
	{.id = "unit"},
};

/* The columns of a futex, which text has only if there is one; and the use of an object, which text has only
 * if there is one that is not held. */
static const struct report_column futex_columns[] = {
	{.id = "timeouts", .csv = "timeouts", .csv_place = 8, .title = "timeouts", .width = 9, .place = 2},
	{.id = "changed", .csv = "changed", .csv_place = 8, .title = "changed", .width = 8, .place = 2},
	{.id = "interrupted", .csv = "interrupted", .csv_place = 8, .title = "signals", .width = 8, .place = 2},
	{.id = "wakes", .csv = "wakes", .csv_place = 8, .title = "wakes", .width = 9, .place = 2},
	{.id = "woken", .csv = "woken", .csv_place = 8, .title = "woken", .width = 9, .place = 2},
	{.id = "idle", .csv = "idle", .csv_place = 8},
	{.id = "certainty", .csv = "certainty", .csv_place = 8},
	{.title = "use", .width = -1, .place = 2, .rank = 5, .field = "certainty"},
};

/* The columns of a phase. For a phase without calls, JSON has the sum 0; for a single call, CSV has the
 * deviation 0, and JSON none. */
static const struct report_column phase_columns[] = {
	{.id = "n", .role = REPORT_IS_N},
	{.id = "timed", .csv = "_timed", .csv_place = 6, .role = REPORT_IS_TIMED},
	{.id = "sum"},
	{.csv = "_ns", .csv_place = 3,
	 .title = "", .width = 10, .digits = 3, .per = 1e6, .unit = "ms", .mark = REPORT_MARK_BEFORE, .place = 3},
	{.id = "mean", .csv = "_mean_ns", .csv_digits = 3, .csv_place = 3,
	 .title = "ns each", .width = 8, .mark = REPORT_MARK_BEFORE, .place = 3, .role = REPORT_IS_MEAN},
	{.id = "max", .csv = "_max_ns", .csv_place = 3,
	 .title = "max us", .width = 10, .digits = 3, .per = 1e3, .place = 3},
	{.id = "stddev", .role = REPORT_IS_SD},
	{.csv = "_stddev_ns", .csv_digits = 3, .csv_place = 3},
	{.id = "histogram"},
};
/* clang-format on */

/* Returns whether the report has a line whose kind is `first` or a later one of enum locks_kind. */
static bool has_kind(const struct locks_report *r, enum locks_kind first)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->line[i].instance && r->line[i].instance->kind >= first)
			return true;
	return false;
}

static void declare_futex(struct report_own_type *t, const struct locks_lines *l)
{
	const bool has = has_kind(l->report, LOCKS_FUTEX),
		   has_use = has_kind(l->report, LOCKS_COND);

	for (size_t i = 0; i < sizeof futex_columns / sizeof *futex_columns; i++) {
		struct report_column c = futex_columns[i];

		c.title = (c.width < 0 ? has_use : has) ? c.title : NULL;
		report_own_type_add(t, c);
	}
}

/* rank: of the three columns with titles: sum, mean and maximum. */
void lines_declare_phases(struct report_own_type *t, bool is_lock)
{
	static const int rank[LOCKS_PHASES][3] = {{2, 9, 11}, {7, 10, 12}, {18, 19, 20}};
	struct strbuf name;

	strbuf_init(&name);
	for (int p = 0; p < LOCKS_PHASES; p++) {
		const size_t group =
			report_own_type_add(t, (struct report_column){.id = lines_phase_names[p]});
		const int *next = rank[p];

		for (size_t i = 0; i < sizeof phase_columns / sizeof *phase_columns; i++) {
			struct report_column c = phase_columns[i];

			strbuf_reset(&name);
			strbuf_addf(&name, "%s%s", lines_phase_names[p], c.csv ? c.csv : "");
			c.title = c.title && !*c.title ? lines_phase_names[p] : c.title;
			c.title = is_lock ? c.title : NULL;
			c.rank = c.title ? *next++ : 0;
			c.csv = is_lock && c.csv ? name.text : NULL;
			c.amount = lines_phase_names[p];
			report_own_type_add(t, c);
		}
		report_own_type_group(t, group);
	}
	strbuf_done(&name);
}

/* --- cells --- */

struct value lines_known(uint64_t count, bool known)
{
	return known ? value_count(count) : value_none(QUALITY_NOT_READ);
}

static struct value lines_estimated(double number, const struct locks_estimate *e)
{
	return (struct value){number, 1, e->exact ? QUALITY_EXACT : QUALITY_SCALED, 0};
}

void lines_put_begin(struct report_record *record, const struct locks_lines *l, const char *type)
{
	record_text(record, "type", type);
	record_count(record, "schema", LINES_SCHEMA);
	record_value(record, "pid", lines_known(l->copy->header.container.pid, !l->n_processes));
}

/* The last bucket has no upper end. */
void lines_put_histogram(struct report_record *record, const struct locks_quantity *q,
			 uint64_t scale)
{
	record_list(record, "histogram", 2);
	for (int b = 0; b < LOCKS_BUCKETS; b++) {
		if (!q->bucket[b])
			continue;
		record_item(record, b < LOCKS_BUCKETS - 1
					    ? value_exact(ldexp((double)scale, b - 32))
					    : value_none(QUALITY_NOT_READ));
		record_item(record, value_count(q->bucket[b]));
	}
}

void lines_put_phase(struct report_record *record, const struct locks_lines *l,
		     const struct locks_row *row, int phase)
{
	const struct locks_estimate e = locks_estimate(row, (enum locks_phase)phase);
	const struct locks_quantity *q = &row->phase[phase];
	const double stddev = stddev_of(l, &e);
	/* The kernel's records are waits, not acquisitions of locks. */
	const bool counted = !l->copy->kernel.alone || row != &l->report->all;

	record_group(record, lines_phase_names[phase]);
	record_value(record, "n", lines_known(e.n, counted));
	record_value(record, "timed", lines_known(q->n, counted));
	record_value(record, "sum", lines_known(lines_ns(l, e.sum), counted && (e.known || !e.n)));
	record_value(record, "",
		     e.known ? lines_estimated((double)lines_ns(l, e.sum), &e)
			     : value_none(QUALITY_NOT_READ));
	record_value(record, "mean",
		     e.known ? lines_estimated(lines_mean(l, &e), &e)
			     : value_none(QUALITY_NOT_READ));
	record_value(record, "max", lines_known(lines_ns(l, e.max), q->n));
	record_number(record, "stddev", stddev);
	record_number(record, "", isnan(stddev) && e.exact && e.n ? 0 : stddev);
	lines_put_histogram(record, q, l->copy->header.ns_per_tick);
}

/* Moves the text of `part` into the column with this id. */
static void put_part(struct report_record *record, const char *id, struct strbuf *part)
{
	record_text(record, id, part->text);
	strbuf_reset(part);
}

static void put_stop(struct report_record *record, const struct locks_lines *l)
{
	const struct locks_header *h = &l->copy->header;
	const char *call = seccomp_calls_name(h->lacking_call);

	record_value(record, "stopped_after", lines_known(lines_ns(l, h->end - h->begin), call));
	record_optional_text(record, "stopped_for", call);
}

/* Fills the columns about calls of futex(2), and about files whose locks are not here. */
static void put_unseen(struct report_record *record, const struct locks_lines *l)
{
	struct strbuf part;

	strbuf_init(&part);
	if (l->report->n_futex)
		lines_add_caller(l, &part, l->copy->header.futex_caller);
	record_count(record, "futex_calls", l->report->n_futex);
	record_text(record, "futex_caller", l->report->n_futex ? part.text : NULL);
	record_list(record, "unseen", 1);
	for (uint32_t i = 0; i < l->copy->header.n_modules; i++) {
		strbuf_reset(&part);
		if (futex_waits_explain(&l->copy->module[i], l->copy->kernel.used, &part))
			record_item_text(record, part.text);
	}
	strbuf_done(&part);
}

static void put_origins(struct report_record *record, const struct locks_lines *l)
{
	struct strbuf files;

	strbuf_init(&files);
	record_count(record, "names_nearest", resolver_add_nearest(l->names, &files));
	record_count(record, "names_generated", resolver_n_generated(l->names));
	strbuf_done(&files);
}

/* Fills the columns about the calls that the kernel has recorded. */
static void put_kernel(struct report_record *record, const struct locks_kernel *kernel)
{
	record_optional_text(record, "kernel",
			     !kernel->used   ? NULL
			     : kernel->alone ? "alone"
					     : "added");
	record_value(record, "kernel_lost", lines_known(kernel->n_lost, kernel->used));
	record_value(record, "kernel_unpaired", lines_known(kernel->n_unpaired, kernel->used));
}

static void put_program(struct report_record *record, const struct locks_lines *l)
{
	const struct locks_header *h = &l->copy->header;
	const struct locks_report *r = l->report;
	const bool alone = l->copy->kernel.alone;

	lines_put_begin(record, l, "locks");
	record_count(record, "threads", h->n_threads);
	record_value(record, "dynamic", lines_known(locks_n(&r->all, LOCKS_ACQUIRE), !alone));
	record_value(record, "static", lines_known(r->instances, !alone));
	record_number(record, "per_10k_ticks", alone ? (double)NAN : lines_density(r));
	record_text(record, "unit", "ns");
	record_count(record, "time", lines_ns(l, locks_report_time(r)));
	for (int s = 0; s < LOCKS_STATES; s++)
		record_value(record, lines_state_names[s],
			     lines_known(lines_ns(l, r->ticks[s]), lines_knows_state(l, s)));
	record_count(record, "sample", h->sample);
	record_value(record, "measuring", lines_known(lines_ns(l, r->own), h->overhead_ticks));
	record_value(record, "cpu_time", lines_known(r->cpu_ns, r->cpu_ns));
	record_count(record, "under_way", r->n_under_way);
	record_count(record, "under_way_ns", lines_ns(l, r->under_way));
	record_value(record, "held", lines_known(locks_report_held(r), !alone));
	record_value(record, "unmeasured", lines_known(r->n_unmeasured, !alone));
	record_value(record, "too_deep", lines_known(r->n_too_deep, !alone));
	record_value(record, "unmatched", lines_known(r->n_unmatched, !alone));
	record_count(record, "threads_left_out", h->n_homeless);
	put_stop(record, l);
	put_unseen(record, l);
	record_count(record, "names_given_up", resolver_n_given_up(l->names));
	put_origins(record, l);
	record_count(record, "static_at_least", r->at_least);
	record_count(record, "futex_left_out", r->n_futex_left_out);
	record_count(record, "waiting_idle", lines_ns(l, r->idle));
	record_optional_text(record, "group", locks_group_key_name(l->group));
	lines_shared_put(record, l);
	lines_halving_put(record, l);
	put_kernel(record, &l->copy->kernel);
	lines_chains_put(record, l);
	record_absent(record, "rows");
	for (int p = 0; p < LOCKS_PHASES; p++)
		lines_put_phase(record, l, &r->all, p);
	lines_states_put(record, &r->states, false);
	lines_events_put(record, l, NULL);
}

/* Fills a column with the symbol of a name: without the offset, which another version of the
 * program does not share. */
static void put_symbol(struct report_record *record, const char *id, const char *name)
{
	char *symbol = xstrdup(name);

	text_cut_offset(symbol);
	record_text(record, id, symbol);
	free(symbol);
}

/* Fills the columns "address", "generation" and "addresses". */
static void put_instance(struct report_record *record, const struct locks_instance *i)
{
	struct strbuf address;

	if (!i) {
		record_absent(record, "address");
		record_absent(record, "generation");
		record_absent(record, "addresses");
		return;
	}
	strbuf_init(&address);
	strbuf_addf(&address, "0x%" PRIx64, i->address);
	record_text(record, "address", i->several || !i->address ? NULL : address.text);
	record_value(record, "generation",
		     lines_known(i->generation, !i->several && !i->n_processes));
	record_count(record, "addresses", i->several ? i->generation : 1);
	strbuf_done(&address);
}

/* Fills the columns about the caller. */
static void put_caller(struct report_record *record, const struct locks_lines *l,
		       const struct locks_line *line, struct strbuf *part)
{
	const bool knows = locks_name_add_source(l->names, part, line->sum.caller);
	struct strbuf caller;

	strbuf_init(&caller);
	lines_add_caller(l, &caller, line->sum.caller);
	if (line->instance) {
		record_value(record, "owner_changes",
			     lines_known(line->instance->owner_changes, lines_knows_owner(line)));
		record_text(record, "caller", caller.text);
		put_symbol(record, "caller_symbol", caller.text);
	} else {
		record_absent(record, "owner_changes");
		record_absent(record, "caller");
		record_absent(record, "caller_symbol");
	}
	record_text(record, "", caller.text);
	if (line->instance)
		record_text(record, "source", knows ? part->text : NULL);
	else
		record_absent(record, "source");
	put_part(record, "", part);
	strbuf_done(&caller);
}

/* Fills the columns about the holder, with its share of the time waited. */
static void put_holder(struct report_record *record, const struct locks_lines *l,
		       const struct locks_line *line, struct strbuf *part)
{
	const double share =
		lines_percent(line->holder_ticks, line->sum.waited + line->sum.under_way);

	if (line->holder)
		lines_add_caller(l, part, line->holder);
	record_text(record, "holder", line->holder ? part->text : NULL);
	if (line->holder)
		strbuf_addf(part, " %.0f %%", share);
	else
		strbuf_addch(part, '-');
	put_part(record, "", part);
	record_value(record, "holder_ns",
		     lines_known(lines_ns(l, line->holder_ticks), line->holder));
}

/* Fills the columns of put_names() and put_caller() for a group. */
static void put_group(struct report_record *record, const struct locks_lines *l,
		      const struct locks_line *line, struct strbuf *part)
{
	const struct locks_group *g = &line->group;
	const bool in_text = l->format == REPORT_AS_TEXT, one = g->n_locks == 1,
		   one_caller = !g->several_callers && line->sum.caller,
		   is_array = g->n_locks > 1 &&
			      (l->group == LOCKS_BY_VARIABLE || l->group == LOCKS_BY_ARRAY);

	if (l->group == LOCKS_BY_PLACE && in_text)
		lines_add_place(l, part, line->sum.caller);
	else
		strbuf_addstr(part, g->name);
	if (is_array && in_text)
		strbuf_addf(part, "[%" PRIu64 "]", g->n_locks);
	record_text(record, "name", part->text);
	put_symbol(record, "name_symbol", part->text);
	strbuf_reset(part);
	if (one || !line->instance) {
		put_instance(record, line->instance);
	} else {
		record_text(record, "address", NULL);
		record_value(record, "generation", value_none(QUALITY_NOT_READ));
		record_count(record, "addresses", g->n_locks);
	}
	if (line->instance)
		record_text(record, "kind", g->kind);
	else
		record_absent(record, "kind");
	if (one)
		lines_add_instance(part, line->instance);
	else if (line->instance)
		strbuf_addf(part, "%" PRIu64 " locks", g->n_locks);
	else
		strbuf_addch(part, '-');
	put_part(record, "", part);
	if (one_caller && l->group != LOCKS_BY_PLACE)
		lines_add_place(l, part, line->sum.caller);
	else
		strbuf_addch(part, '-');
	put_part(record, "", part);
	record_value(record, "owner_changes", lines_known(g->owner_changes, g->knows_owner));
	if (one_caller)
		lines_add_caller(l, part, line->sum.caller);
	record_text(record, "caller", one_caller ? part->text : NULL);
	if (one_caller)
		put_symbol(record, "caller_symbol", part->text);
	else
		record_text(record, "caller_symbol", NULL);
	record_text(record, "", one_caller ? part->text : NULL);
	strbuf_reset(part);
	record_text(record, "source",
		    one_caller && locks_name_add_source(l->names, part, line->sum.caller)
			    ? part->text
			    : NULL);
	put_part(record, "", part);
}

static void put_names(struct report_record *record, const struct locks_lines *l,
		      const struct locks_line *line, struct strbuf *part)
{
	lines_add_name(l, part, line->instance);
	record_text(record, "name", part->text);
	put_symbol(record, "name_symbol", part->text);
	strbuf_reset(part);
	put_instance(record, line->instance);
	record_optional_text(record, "kind", line->instance ? lines_kind(line) : NULL);
	if (line->instance)
		lines_add_instance(part, line->instance);
	else
		strbuf_addch(part, '-');
	put_part(record, "", part);
	lines_add_place(l, part, line->sum.caller);
	put_part(record, "", part);
}

/* Fills the columns about acquisitions, failed attempts and waits in progress. */
static void put_numbers(struct report_record *record, const struct locks_lines *l,
			const struct locks_line *line)
{
	const struct locks_row *sum = &line->sum;
	const uint64_t n = locks_n(sum, LOCKS_ACQUIRE), lost = lines_ns(l, sum->lost),
		       under_way = lines_ns(l, sum->under_way);
	const bool knows = lines_knows_contended(line);

	record_count(record, "acquisitions", n);
	record_value(record, "contended", lines_known(sum->contended, knows));
	record_number(record, "", knows && n ? lines_percent(sum->contended, n) : (double)NAN);
	record_count(record, "nested", sum->nested);
	record_count(record, "failed", sum->failed);
	record_count(record, "failed_ns", lost);
	record_value(record, "", lines_known(lost, sum->failed));
	record_count(record, "under_way", sum->n_under_way);
	record_count(record, "under_way_ns", under_way);
	record_value(record, "", lines_known(under_way, sum->n_under_way));
}

/* Fills the columns about the use of an object: for locks or for work. */
static void put_use(struct report_record *record, const struct locks_line *line)
{
	const char *certainty = wait_rules_certainty(line->certainty);
	const bool is_held = !line->instance || locks_is_held(line->instance->kind);
	char text[32];

	snprintf(text, sizeof text, "%s, %s", line->idle ? "work" : "lock", certainty);
	if (line->instance) {
		record_count(record, "idle", line->idle);
		record_text(record, "certainty", certainty);
	} else {
		record_absent(record, "idle");
		record_absent(record, "certainty");
	}
	record_text(record, "", is_held ? "lock" : text);
}

/* Fills the columns about a futex, which other locks do not have. */
static void put_futex(struct report_record *record, const struct locks_line *line)
{
	const struct locks_futex *futex = &line->sum.futex;
	const struct {
		const char *id;
		uint64_t count;
	} counts[] = {
		{"timeouts", futex->timeouts},
		{"changed", futex->changed},
		{"interrupted", futex->interrupted},
		{"wakes", locks_n(&line->sum, LOCKS_RELEASE)},
		{"woken", futex->woken},
	};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (line->instance && line->instance->kind == LOCKS_FUTEX)
			record_count(record, counts[i].id, counts[i].count);
		else
			record_absent(record, counts[i].id);
	put_use(record, line);
}

static void put_lock(struct report_record *record, const struct locks_lines *l,
		     const struct locks_line *line)
{
	struct strbuf part;

	strbuf_init(&part);
	lines_put_begin(record, l, "lock");
	if (line->group.name) {
		put_group(record, l, line, &part);
	} else {
		put_names(record, l, line, &part);
		put_caller(record, l, line, &part);
	}
	put_holder(record, l, line, &part);
	put_numbers(record, l, line);
	record_text(record, "unit", "ns");
	put_futex(record, line);
	lines_shared_put_row(record, line);
	lines_halving_put_row(record, l, line);
	for (int p = 0; p < LOCKS_PHASES; p++)
		lines_put_phase(record, l, &line->sum, p);
	lines_events_put(record, l, line);
	lines_events_put_notes(record, l);
	strbuf_done(&part);
}

/* --- report --- */

static void add_head(const struct locks_lines *l, struct report *report)
{
	struct strbuf head;

	strbuf_init(&head);
	lines_head_add_text(l, &head);
	report_note(report, head.text);
	strbuf_done(&head);
}

static void declare(struct report_own_type *t, const struct locks_lines *l, bool is_lock)
{
	if (is_lock)
		report_own_type_init(t, lock_columns, sizeof lock_columns / sizeof *lock_columns);
	else
		report_own_type_init(t, program_columns,
				     sizeof program_columns / sizeof *program_columns);
	if (is_lock) {
		declare_futex(t, l);
		lines_shared_declare_row(t, l);
		report_own_type_add(t, (struct report_column){.id = "halving_saves"});
	}
	lines_declare_phases(t, is_lock);
	if (!is_lock)
		lines_states_declare(t, false);
	lines_events_declare(t, l, is_lock);
}

void locks_lines_declare(struct report_own_type *t, const struct event_note event[],
			 uint32_t n_events, bool threads)
{
	const struct locks_report none = {.n = 0};
	struct locks_copy copy = {.header = {.n_events = n_events}};

	memcpy(copy.header.event, event, n_events * sizeof *event);
	if (threads)
		lines_threads_declare(t);
	else
		declare(t, &(struct locks_lines){.copy = &copy, .report = &none}, true);
}

static void add_lines(const struct locks_lines *l, struct report *report,
		      const struct report_type *type)
{
	struct locks_report own = *l->report;
	struct locks_groups groups = {.n = 0};
	const struct locks_line *line;
	size_t n;

	own.line = xreallocarray(NULL, own.n + 1, sizeof *own.line);
	own.n = n = lines_shared_leave_out(l, own.line);
	line = own.line;
	if (n || !l->report->n || l->format != REPORT_AS_TEXT)
		report_heading(report, type);
	if (l->group) {
		locks_groups_make(&groups, l->group, l->copy, &own, l->names);
		line = groups.line;
		n = groups.n;
	}
	for (size_t i = 0; i < n; i++)
		put_lock(report_add(report, type), l, &line[i]);
	if (l->group == LOCKS_BY_ARRAY && groups.n_names)
		report_note(report,
			    "# x[n]: n locks, of one variable or first acquired at one place\n");
	locks_groups_done(&groups);
	free(own.line);
}

/* Adds what is known of the whole program, or of all processes. */
static void add_whole(const struct locks_lines *l, struct report *report,
		      struct report_own_type *whole)
{
	if (l->n_processes) {
		lines_shared_add(l, report, whole);
		return;
	}
	declare(whole, l, false);
	add_head(l, report);
	put_program(report_add(report, &whole->type), l);
}

static void lines_add(const struct locks_lines *l, struct strbuf *out)
{
	struct report_own_type whole, row;
	struct report report;

	report_init(&report);
	if (l->threads)
		lines_threads_declare(&row);
	else
		declare(&row, l, true);
	add_whole(l, &report, &whole);
	if (l->threads)
		lines_threads_add(l, &report, &row);
	else if (l->chains)
		lines_chains_add(l, &report);
	else
		add_lines(l, &report, &row.type);
	if (l->selection)
		report_select(&report, l->selection);
	report_formats[l->format].write(&report, l->is_first, out);
	report_done(&report);
	report_own_type_done(&whole);
	report_own_type_done(&row);
}

void locks_lines_add(const struct locks_lines *l, struct strbuf *out)
{
	struct locks_lines with = *l;
	struct halvings halvings = {.n = 0};

	if (!l->n_processes)
		halving_find(&halvings, l->copy, l->report);
	with.halvings = &halvings;
	lines_add(&with, out);
}
