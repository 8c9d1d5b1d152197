/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "locks/lines_part.h"

#include <inttypes.h>
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "lib/clock.h"
#include "locks/name.h"
#include "locks/unseen.h"
#include "preload/header.h"

#define SCHEMA 1

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

/* NaN: not known. */
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

void lines_add_caller(const struct locks_lines *l, struct strbuf *out, uint64_t caller)
{
	locks_name_add_caller(l->names, out, caller);
}

void lines_add_name(const struct locks_lines *l, struct strbuf *out, const struct locks_instance *i)
{
	locks_name_add(l->names, out, i);
}

void lines_add_instance(struct strbuf *out, const struct locks_instance *i)
{
	if (i->several)
		strbuf_addf(out, "%u addresses", i->generation);
	else
		strbuf_addf(out, "0x%" PRIx64, i->address);
	if (i->generation > 1 && !i->several)
		strbuf_addf(out, "#%u", i->generation);
}

const char *lines_kind(const struct locks_line *line)
{
	return locks_name_kind(line->instance, line->sum.shared);
}

bool lines_knows_contended(const struct locks_line *line)
{
	return locks_name_knows_contended(line->instance);
}

bool lines_knows_owner(const struct locks_line *line)
{
	return locks_name_knows_owner(line->instance);
}

/* --- CSV --- */

static void add_csv_header(const struct locks_lines *l, struct strbuf *out)
{
	strbuf_addstr(
		out,
		"pid,name,address,generation,addresses,kind,caller,acquisitions,contended,nested,"
		"failed,owner_changes");
	for (int p = 0; p < LOCKS_PHASES; p++)
		strbuf_addf(out, ",%s_ns,%s_mean_ns,%s_max_ns,%s_stddev_ns", lines_phase_names[p],
			    lines_phase_names[p], lines_phase_names[p], lines_phase_names[p]);
	strbuf_addstr(out, ",holder,holder_ns,source");
	for (int p = 0; p < LOCKS_PHASES; p++)
		strbuf_addf(out, ",%s_timed", lines_phase_names[p]);
	lines_events_add_csv_header(l, out);
	strbuf_addstr(out, ",failed_ns,under_way,under_way_ns");
	strbuf_addch(out, '\n');
}

static void add_csv_text(struct strbuf *out, struct strbuf *part)
{
	strbuf_addch(out, ',');
	csv_add_text(out, part->text);
	strbuf_reset(part);
}

static void add_csv_instance(struct strbuf *out, const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;

	if (i->several)
		strbuf_addf(out, ",,,%u", i->generation);
	else
		strbuf_addf(out, ",0x%" PRIx64 ",%u,1", i->address, i->generation);
	strbuf_addf(out, ",%s", lines_kind(line));
}

static void add_csv_phase(const struct locks_lines *l, struct strbuf *out,
			  const struct locks_row *row, enum locks_phase phase)
{
	const struct locks_estimate e = locks_estimate(row, phase);

	if (e.known)
		strbuf_addf(out, ",%" PRIu64 ",%.3f", lines_ns(l, e.sum), lines_mean(l, &e));
	else
		strbuf_addstr(out, ",,");
	if (row->phase[phase].n)
		strbuf_addf(out, ",%" PRIu64, lines_ns(l, e.max));
	else
		strbuf_addch(out, ',');
	if (!isnan(e.stddev))
		strbuf_addf(out, ",%.3f", stddev_of(l, &e));
	else
		strbuf_addstr(out, e.exact && e.n ? ",0.000" : ",");
}

static void add_csv_line(const struct locks_lines *l, struct strbuf *out,
			 const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;
	const struct locks_row *sum = &line->sum;
	struct strbuf part;

	strbuf_init(&part);
	strbuf_addf(out, "%u", l->copy->header.pid);
	lines_add_name(l, &part, i);
	add_csv_text(out, &part);
	if (i)
		add_csv_instance(out, line);
	else
		strbuf_addstr(out, ",,,,");
	lines_add_caller(l, &part, sum->caller);
	add_csv_text(out, &part);
	strbuf_addf(out, ",%" PRIu64 ",", locks_n(sum, LOCKS_ACQUIRE));
	if (lines_knows_contended(line))
		strbuf_addf(out, "%" PRIu64, sum->contended);
	strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",", sum->nested, sum->failed);
	if (lines_knows_owner(line))
		strbuf_addf(out, "%" PRIu64, i->owner_changes);
	for (int p = 0; p < LOCKS_PHASES; p++)
		add_csv_phase(l, out, sum, (enum locks_phase)p);
	if (line->holder) {
		lines_add_caller(l, &part, line->holder);
		add_csv_text(out, &part);
		strbuf_addf(out, ",%" PRIu64, lines_ns(l, line->holder_ticks));
	} else {
		strbuf_addstr(out, ",,");
	}
	locks_name_add_source(l->names, &part, sum->caller);
	add_csv_text(out, &part);
	strbuf_done(&part);
	for (int p = 0; p < LOCKS_PHASES; p++)
		strbuf_addf(out, ",%" PRIu64, sum->phase[p].n);
	lines_events_add_csv(l, out, line);
	strbuf_addf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, lines_ns(l, sum->lost),
		    sum->n_under_way, lines_ns(l, sum->under_way));
	strbuf_addch(out, '\n');
}

/* --- JSON --- */

void lines_add_count(struct strbuf *out, const char *key, uint64_t count)
{
	json_key(out, key);
	json_count(out, count);
}

void lines_add_known(struct strbuf *out, const char *key, uint64_t count, bool known)
{
	json_key(out, key);
	if (known)
		json_count(out, count);
	else
		json_text(out, NULL);
}

void lines_begin_object(const struct locks_lines *l, struct strbuf *out, const char *type)
{
	json_begin(out, '{');
	json_key(out, "type");
	json_text(out, type);
	lines_add_count(out, "schema", SCHEMA);
	lines_add_count(out, "pid", l->copy->header.pid);
}

/* The last one has no end. */
void lines_add_histogram(struct strbuf *out, const struct locks_quantity *q, uint64_t scale)
{
	json_key(out, "histogram");
	json_begin(out, '[');
	for (int b = 0; b < LOCKS_BUCKETS; b++) {
		if (!q->bucket[b])
			continue;
		json_begin(out, '[');
		json_number(out, b < LOCKS_BUCKETS - 1 ? ldexp((double)scale, b - 32)
						       : (double)INFINITY);
		json_count(out, q->bucket[b]);
		json_end(out, ']');
	}
	json_end(out, ']');
}

static void add_json_phase(const struct locks_lines *l, struct strbuf *out, int p,
			   const struct locks_row *row)
{
	const struct locks_estimate e = locks_estimate(row, (enum locks_phase)p);
	const struct locks_quantity *q = &row->phase[p];

	json_key(out, lines_phase_names[p]);
	json_begin(out, '{');
	lines_add_count(out, "n", e.n);
	lines_add_count(out, "timed", q->n);
	lines_add_known(out, "sum", lines_ns(l, e.sum), e.known || !e.n);
	json_key(out, "mean");
	json_number(out, e.known ? lines_mean(l, &e) : NAN);
	json_key(out, "max");
	json_number(out, q->n ? (double)lines_ns(l, q->max) : NAN);
	json_key(out, "stddev");
	json_number(out, stddev_of(l, &e));
	lines_add_histogram(out, q, l->copy->header.ns_per_tick);
	json_end(out, '}');
}

static void add_futex(const struct locks_lines *l, struct strbuf *out)
{
	struct strbuf part;

	strbuf_init(&part);
	if (l->report->n_futex)
		lines_add_caller(l, &part, l->copy->header.futex_caller);
	lines_add_count(out, "futex_calls", l->report->n_futex);
	json_key(out, "futex_caller");
	json_text(out, l->report->n_futex ? part.text : NULL);
	strbuf_done(&part);
}

static void add_unseen(const struct locks_lines *l, struct strbuf *out)
{
	struct strbuf part;

	strbuf_init(&part);
	json_key(out, "unseen");
	json_begin(out, '[');
	for (uint32_t i = 0; i < l->copy->header.n_modules; i++)
		if (unseen_tell(&l->copy->module[i], &part))
			json_text(out, part.text);
	json_end(out, ']');
	strbuf_done(&part);
}

static void add_json_head(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_header *h = &l->copy->header;
	const struct locks_report *r = l->report;

	lines_begin_object(l, out, "locks");
	lines_add_count(out, "threads", h->n_threads);
	lines_add_count(out, "dynamic", locks_n(&r->all, LOCKS_ACQUIRE));
	lines_add_count(out, "static", r->instances);
	json_key(out, "per_10k_ticks");
	json_number(out, lines_density(r));
	json_key(out, "unit");
	json_text(out, "ns");
	lines_add_count(out, "time", lines_ns(l, locks_report_time(r)));
	for (int s = 0; s < LOCKS_STATES; s++)
		lines_add_known(out, lines_state_names[s], lines_ns(l, r->ticks[s]),
				lines_knows_state(l, s));
	lines_add_count(out, "sample", h->sample);
	lines_add_known(out, "measuring", lines_ns(l, r->own), h->overhead_ticks);
	lines_add_known(out, "cpu_time", r->cpu_ns, r->cpu_ns);
	lines_add_count(out, "under_way", r->n_under_way);
	lines_add_count(out, "under_way_ns", lines_ns(l, r->under_way));
	lines_add_count(out, "held", locks_report_held(r));
	lines_add_count(out, "unmeasured", r->n_unmeasured);
	lines_add_count(out, "too_deep", r->n_too_deep);
	lines_add_count(out, "unmatched", r->n_unmatched);
	lines_add_count(out, "threads_left_out", h->n_homeless);
	header_add_json_stop(out, h->lacking_call, lines_ns(l, h->end - h->begin));
	add_futex(l, out);
	add_unseen(l, out);
	lines_add_count(out, "names_given_up", resolver_given_up(l->names));
	lines_add_count(out, "static_at_least", r->at_least);
	for (int p = 0; p < LOCKS_PHASES; p++)
		add_json_phase(l, out, p, &r->all);
	lines_events_add_json_head(l, out);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

static void add_json_text(struct strbuf *out, const char *key, struct strbuf *part)
{
	json_key(out, key);
	json_text(out, part->text);
	strbuf_reset(part);
}

static void add_json_instance(struct strbuf *out, const struct locks_instance *i)
{
	struct strbuf address;

	strbuf_init(&address);
	strbuf_addf(&address, "0x%" PRIx64, i->address);
	json_key(out, "address");
	json_text(out, i->several ? NULL : address.text);
	lines_add_known(out, "generation", i->generation, !i->several);
	lines_add_count(out, "addresses", i->several ? i->generation : 1);
	strbuf_done(&address);
}

static void add_json_line(const struct locks_lines *l, struct strbuf *out,
			  const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;
	const struct locks_row *sum = &line->sum;
	struct strbuf part;

	strbuf_init(&part);
	lines_begin_object(l, out, "lock");
	lines_add_name(l, &part, i);
	add_json_text(out, "name", &part);
	if (i) {
		add_json_instance(out, i);
		json_key(out, "kind");
		json_text(out, lines_kind(line));
		lines_add_known(out, "owner_changes", i->owner_changes, lines_knows_owner(line));
		lines_add_caller(l, &part, sum->caller);
		add_json_text(out, "caller", &part);
		json_key(out, "source");
		json_text(out,
			  locks_name_add_source(l->names, &part, sum->caller) ? part.text : NULL);
		strbuf_reset(&part);
	}
	if (line->holder)
		lines_add_caller(l, &part, line->holder);
	json_key(out, "holder");
	json_text(out, line->holder ? part.text : NULL);
	lines_add_known(out, "holder_ns", lines_ns(l, line->holder_ticks), line->holder);
	strbuf_done(&part);
	lines_add_count(out, "acquisitions", locks_n(sum, LOCKS_ACQUIRE));
	lines_add_known(out, "contended", sum->contended, lines_knows_contended(line));
	lines_add_count(out, "nested", sum->nested);
	lines_add_count(out, "failed", sum->failed);
	lines_add_count(out, "failed_ns", lines_ns(l, sum->lost));
	lines_add_count(out, "under_way", sum->n_under_way);
	lines_add_count(out, "under_way_ns", lines_ns(l, sum->under_way));
	json_key(out, "unit");
	json_text(out, "ns");
	for (int p = 0; p < LOCKS_PHASES; p++)
		add_json_phase(l, out, p, sum);
	lines_events_add_json(l, out, line);
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

/* --- all --- */

static void add_csv(const struct locks_lines *l, struct strbuf *out)
{
	if (l->threads) {
		lines_threads_add_csv(l, out);
		return;
	}
	if (l->is_first)
		add_csv_header(l, out);
	for (size_t i = 0; i < l->report->n; i++)
		add_csv_line(l, out, &l->report->line[i]);
}

static void add_json(const struct locks_lines *l, struct strbuf *out)
{
	add_json_head(l, out);
	if (l->threads)
		lines_threads_add_json(l, out);
	for (size_t i = 0; !l->threads && i < l->report->n; i++)
		add_json_line(l, out, &l->report->line[i]);
}

void locks_lines_add(const struct locks_lines *l, struct strbuf *out)
{
	static void (*const add[])(const struct locks_lines *l, struct strbuf *out) = {
		[LOCKS_TEXT] = lines_text_add,
		[LOCKS_CSV] = add_csv,
		[LOCKS_JSON] = add_json,
	};

	add[l->format](l, out);
}
