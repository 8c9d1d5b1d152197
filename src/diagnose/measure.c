/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/measure.h"

#include <stdlib.h>

#include "base/mem.h"
#include "diagnose/evidence.h"
#include "diagnose/rules_part.h"
#include "view/evaluate.h"

/* A value that is equal for all rows with the same events. */
struct fixed {
	bool is;
	struct value value;
};

/* Sets of events in the cache; the rows of a sample rarely have more. */
#define SETS_MAX 4

struct fixed_set {
	struct sample_events *events;
	bool filled;
	struct fixed *source; /* the values of all sources of all metrics, in order */
	struct fixed *metric; /* [n_metrics] the part that comes from columns */
};

struct measures {
	const struct rules *rules;
	struct binding *const *binding;
	struct fixed_set set[SETS_MAX];
	size_t oldest; /* index of the oldest set */
};

struct measures *measures_new(const struct rules *r, struct binding *const *binding)
{
	struct measures *m = xcalloc(1, sizeof *m);

	*m = (struct measures){.rules = r, .binding = binding};
	return m;
}

static void drop_set(struct fixed_set *set)
{
	sample_events_unref(set->events);
	free(set->source);
	free(set->metric);
	*set = (struct fixed_set){.filled = false};
}

void measures_free(struct measures *m)
{
	for (size_t i = 0; m && i < SETS_MAX; i++)
		drop_set(&m->set[i]);
	free(m);
}

static struct value evidence_of(const struct verdict_case *c, int evidence)
{
	if (evidence == EVIDENCE_CPU_MS)
		return value_combine(c->row->cpu_ns.number / 1e6, c->row->cpu_ns, value_exact(0));
	if (evidence == EVIDENCE_QUEUE_EARLIER)
		return value_divide(delta_waited_earlier(c->row), value_exact(1e9));
	return c->evidence ? c->evidence[evidence] : value_none(QUALITY_NOT_READ);
}

/* Returns whether none of the column's counters is counted. */
static bool has_no_counts(const struct column *column, const struct bound *bound, int n_counters)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		const int symbol = expr_ref_at(column->expr, i).symbol;

		if (symbol >= n_counters || bound[symbol].event >= 0)
			return false;
	}
	return true;
}

/* Evaluates a column. Sets *fixed if the result is the same for all rows with these events. */
static struct value from_column(const struct measures *of, const struct verdict_case *c,
				const struct metric_source *s, bool *fixed)
{
	const struct column *column = &of->rules->screens.v[s->screen]->column[s->column];
	struct binding *binding = of->binding[s->screen];
	const struct bound *bound = binding_column(binding, c->row->events, s->column);

	*fixed = has_no_counts(column, bound, binding->numbers->n_counters);
	return evaluate_column(column, (struct shown){.values = VALUES_INTERVAL}, c->row, c->host,
			       bound);
}

/* Returns the first known value of the sources, which are for different CPUs. If there is none,
 * returns the reason of the last source. */
static struct value from_columns(const struct measures *of, const struct verdict_case *c,
				 const struct metric *m, const struct fixed *fixed)
{
	struct value v = value_none(QUALITY_NOT_READ);
	bool ignored;

	for (size_t i = 0; i < m->n_sources && !value_known(v); i++) {
		const struct metric_source *s = &m->source[i];
		const struct value x =
			fixed[i].is ? fixed[i].value : from_column(of, c, s, &ignored);

		/* QUALITY_UNSUPPORTED says less than any other reason. */
		if (value_known(x) || x.quality != QUALITY_UNSUPPORTED || i == 0 ||
		    v.quality == QUALITY_UNSUPPORTED)
			v = value_combine(x.number * s->times, x, value_exact(0));
	}
	return v;
}

static void fill_set(const struct measures *of, const struct verdict_case *c, struct fixed_set *set)
{
	const struct rules *r = of->rules;
	struct fixed *next = set->source;

	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct metric *m = &r->metric[i];
		const struct fixed *first = next;

		set->metric[i].is = true;
		for (size_t k = 0; k < m->n_sources; k++, next++) {
			next->value = from_column(of, c, &m->source[k], &next->is);
			set->metric[i].is = set->metric[i].is && next->is;
		}
		if (set->metric[i].is)
			set->metric[i].value = from_columns(of, c, m, first);
	}
	set->filled = true;
}

static size_t count_sources(const struct rules *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_metrics; i++)
		n += r->metric[i].n_sources;
	return n;
}

/* Returns the cached set for the events of the row; fills it on first use. */
static const struct fixed_set *find_set(struct measures *m, const struct verdict_case *c)
{
	const struct rules *r = m->rules;
	struct fixed_set *set;

	for (size_t i = 0; i < SETS_MAX; i++)
		if (m->set[i].filled && m->set[i].events == c->row->events)
			return &m->set[i];
	set = &m->set[m->oldest];
	m->oldest = (m->oldest + 1) % SETS_MAX;
	drop_set(set);
	set->events = sample_events_ref(c->row->events);
	set->source = xcalloc(count_sources(r), sizeof *set->source);
	set->metric = xcalloc(r->n_metrics, sizeof *set->metric);
	fill_set(m, c, set);
	return set;
}

static struct value measure(const struct measures *of, const struct verdict_case *c, size_t i,
			    const struct fixed_set *set, const struct fixed *source)
{
	const struct rules *r = of->rules;
	const struct metric *m = &r->metric[i];
	struct value v = value_none(QUALITY_NOT_READ);

	if (m->row->expr)
		v = evaluate_column(&r->metrics->column[i],
				    (struct shown){.values = VALUES_INTERVAL}, c->row, c->host,
				    NULL);
	if (!value_known(v) && m->n_sources)
		v = set->metric[i].is ? set->metric[i].value : from_columns(of, c, m, source);
	if (!value_known(v) && m->evidence >= 0)
		v = evidence_of(c, m->evidence);
	return v;
}

static struct value cell_of(const struct rules *r, const struct value *cell, enum evidence evidence)
{
	const size_t i = rules_find_evidence(r, evidence);

	return i < r->n_metrics ? cell[i] : value_none(QUALITY_NOT_READ);
}

/* Returns the share of the interval, in %, in which the task neither ran nor waited for a CPU.
 * Unknown if the task began or ended in the interval. */
static struct value sleep_share(const struct verdict_case *c, struct value queue)
{
	const struct value cpu = evaluate_cpu(c->row);
	const double left = 100 - cpu.number - queue.number;

	if (c->row->born || c->row->task->dead || c->row->task->ended)
		return value_none(QUALITY_FRESH);
	return value_combine(left > 0 || !value_known(cpu) || !value_known(queue) ? left : 0, cpu,
			     queue);
}

void measures_compute(struct measures *m, const struct verdict_case *c, struct value *cell)
{
	const struct rules *r = m->rules;
	const struct fixed_set *set = find_set(m, c);
	const struct fixed *source = set->source;
	struct value threads;
	size_t i;

	for (i = 0; i < r->n_metrics; source += r->metric[i++].n_sources)
		cell[i] = measure(m, c, i, set, source);
	i = rules_find_evidence(r, EVIDENCE_ASLEEP);
	if (i < r->n_metrics)
		cell[i] = sleep_share(c, cell_of(r, cell, EVIDENCE_QUEUE));
	threads = cell_of(r, cell, EVIDENCE_THREADS);
	if (c->threads || (value_known(threads) && threads.number == 1))
		return;
	for (i = 0; i < r->n_metrics; i++)
		if (r->metric[i].row->single)
			cell[i] = value_none(QUALITY_DIFFER);
}
