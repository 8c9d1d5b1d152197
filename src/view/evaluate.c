/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/evaluate.h"

#include <math.h>

#include "model/fact_list.h"
#include "model/kinds.h"

/* Whether an expression has used increments of counts, and of facts: their intervals may differ. */
struct used {
	bool counts, facts;
};

/* The span of totals: all, since the mark, or before it. */
enum span { SPAN_ALL, SPAN_SINCE, SPAN_BEFORE };

/* The context of an evaluation. */
struct context {
	const struct delta_row *row;
	const struct host *host;
	const struct bound *bound; /* [n_counters] */
	struct used *used;
	/* The column, whose values are those of `shown`; NULL: a name is evaluated as it is
	 * written. */
	const struct column *column;
	struct shown shown;
	enum span span;
};

static struct value scale(struct value v, double factor)
{
	v.number *= factor;
	v.rest = 0;
	return v;
}

struct value evaluate_cpu(const struct delta_row *row)
{
	return scale(delta_cpu_share(row), 100);
}

struct value evaluate_cpu_with_ended(const struct delta_row *row)
{
	const struct value own = evaluate_cpu(row);
	struct value ended;

	if (!kind_is(row->task->kind, &kind_task) || !task_is_leader(row->task))
		return own;
	ended = scale(delta_fact_rate(row, FACT_CHILD_NS), 100e-9);
	/* If the kernel does not add the time of the children, its own time is a part. */
	if (ended.quality == QUALITY_NOT_READ)
		return value_accumulate(own, ended);
	return value_combine(own.number + ended.number, own, ended);
}

/* Limits a part of the CPU time to the whole CPU time, which it may exceed: the time in the kernel
 * is counted in whole ticks, the time on a CPU in ns. If only the whole is QUALITY_UNEQUAL, sets
 * the quality of the part to QUALITY_UNEQUAL instead. */
static struct value at_most(struct value part, struct value whole)
{
	if (!value_known(part) || !value_known(whole) || !(part.number > whole.number))
		return part;
	if (part.quality == whole.quality)
		part.number = whole.number;
	else if (part.quality == QUALITY_EXACT && whole.quality == QUALITY_UNEQUAL)
		part.quality = QUALITY_UNEQUAL;
	return part;
}

/* Returns a part of the CPU time that is counted in ticks, in %; it has the interval of the
 * facts. */
static struct value part_percent(const struct delta_row *row, int fact)
{
	return at_most(scale(delta_fact_rate(row, fact), 100e-9), evaluate_cpu(row));
}

static struct value in_span(enum span span, struct value total, struct value since)
{
	if (span == SPAN_BEFORE)
		return value_combine(total.number - since.number, total, since);
	return since;
}

static struct value total_of(const struct delta_row *row, int event, enum span span)
{
	if (span == SPAN_ALL)
		return row->total[event];
	return in_span(span, row->total[event], delta_count_since(row, event));
}

static struct value total_of_fact(const struct delta_row *row, int fact, enum span span)
{
	if (span == SPAN_ALL)
		return delta_fact_now(row, fact);
	return in_span(span, delta_fact_now(row, fact), delta_fact_since(row, fact));
}

static struct value load_fact(const struct delta_row *row, int fact, enum expr_mode mode,
			      enum span span)
{
	if (mode == EXPR_TOTAL)
		return total_of_fact(row, fact, span);
	/* A gauge has no increment. */
	if (fact_table[fact].kind == FACT_GAUGE)
		return value_none(QUALITY_NOT_READ);
	return mode == EXPR_DELTA ? delta_fact(row, fact) : delta_fact_rate(row, fact);
}

static struct value load_variable(const struct context *c, int variable, enum expr_mode mode,
				  enum span span)
{
	const struct delta_row *row = c->row;

	switch (variable) {
	case VARIABLE_CPU_TOT:
		c->used->counts |= row->cpu_counted;
		c->used->facts |= !row->cpu_counted || c->shown.with_ended;
		return c->shown.with_ended ? evaluate_cpu_with_ended(row) : evaluate_cpu(row);
	case VARIABLE_FAST_CORES:
		c->used->counts = true;
		return value_divide(scale(row->fast_ns, 100), row->core_ns);
	case VARIABLE_MEM_TOTAL_KB:
		return c->host->mem_total_kb ? value_count(c->host->mem_total_kb)
					     : value_none(QUALITY_NOT_READ);
	case VARIABLE_VERDICT: /* see condition.h */
		return value_none(QUALITY_NOT_READ);
	case VARIABLE_CPU_SYS:
		c->used->facts = true;
		return part_percent(row, FACT_STIME_NS);
	case VARIABLE_CPU_USER:
		c->used->facts = true;
		return part_percent(row, FACT_UTIME_NS);
	default:
		c->used->facts |= mode != EXPR_TOTAL;
		return load_fact(row, variable - VARIABLE_FIRST_FACT, mode, span);
	}
}

static struct value load(const void *context, struct expr_ref ref)
{
	const struct context *c = context;
	/* A total that is written in the expression itself is one of all time, whatever the view
	 * shows. */
	const enum span span = ref.mode == EXPR_TOTAL ? SPAN_ALL : c->span;
	struct bound bound;

	if (c->column)
		ref.mode = column_mode(c->column, c->shown.values, ref.mode);
	if (ref.symbol >= SYMBOL_VARIABLE)
		return load_variable(c, ref.symbol - SYMBOL_VARIABLE, ref.mode, span);
	bound = c->bound[ref.symbol];
	if (bound.event < 0)
		return value_none(bound.quality);
	if (ref.mode == EXPR_TOTAL)
		return total_of(c->row, bound.event, span);
	c->used->counts = true;
	return ref.mode == EXPR_DELTA ? c->row->increment[bound.event]
				      : delta_count_rate(c->row, bound.event);
}

static const char *load_text(const void *context, struct expr_ref ref)
{
	const struct context *c = context;

	if (ref.symbol == SYMBOL_VARIABLE + VARIABLE_VERDICT)
		return NULL;
	return task_text(c->row->task, ref.symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT);
}

struct value evaluate_column(const struct column *column, struct shown shown,
			     const struct delta_row *row, const struct host *host,
			     const struct bound *bound)
{
	struct used used = {false, false};
	struct context context = {row, host, bound, &used, column, shown, SPAN_SINCE};
	struct value v, before;

	if (shown.values != VALUES_SINCE_MARK)
		context.span = SPAN_ALL;
	v = expr_eval(column->expr, load, load_text, &context);
	if (column_shows_change(column, shown.values)) {
		context.span = SPAN_BEFORE;
		before = expr_eval(column->expr, load, load_text, &context);
		return value_combine(v.number - before.number, v, before);
	}
	if (row->unequal && used.counts && used.facts && v.quality < QUALITY_UNEQUAL)
		v.quality = QUALITY_UNEQUAL;
	return v;
}

struct value evaluate_name(struct expr_ref ref, const struct delta_row *row,
			   const struct host *host, const struct bound *bound)
{
	struct used used = {false, false};
	struct context context = {
		.row = row, .host = host, .bound = bound, .used = &used, .span = SPAN_ALL};

	return load(&context, ref);
}

/* ---- work ---- */

/* Generic events, with the same numbers on all kernels: PERF_COUNT_HW_*. */
enum { CYCLES = 0, INSTRUCTIONS = 1, CACHE_MISSES = 3, BRANCH_MISSES = 5 };

static bool is_event(const struct sample_event *e, uint64_t config)
{
	return e->kind == EVENT_HARDWARE && e->config == config && !e->part_of &&
	       e->quality == QUALITY_EXACT;
}

/* Returns the index of an event: in the group of the event `with`, if there is one, else the first;
 * -1: none. */
static int find_event(const struct sample_events *set, uint64_t config, int with)
{
	int found = -1;

	for (int i = 0; i < sample_events_n(set); i++) {
		if (!is_event(&set->event[i], config))
			continue;
		if (with < 0 || set->event[i].group == set->event[with].group)
			return i;
		found = found < 0 ? i : found;
	}
	return found;
}

static void find_events(struct work_events *e, const struct sample_events *set)
{
	e->of = set;
	e->instructions = find_event(set, INSTRUCTIONS, -1);
	e->cycles = find_event(set, CYCLES, e->instructions);
	e->misses = find_event(set, CACHE_MISSES, e->instructions);
	e->mispredicted = find_event(set, BRANCH_MISSES, e->instructions);
}

static bool is_whole(struct value v)
{
	return v.quality == QUALITY_EXACT || v.quality == QUALITY_SCALED;
}

/* Returns the increment of an event; NaN if it is multiplexed and not in the group of the
 * instructions, as then its ratio to the instructions is not true. */
static double read_event(const struct work_events *e, const struct delta_row *row, int i)
{
	struct value v;
	bool together;

	if (i < 0)
		return NAN;
	v = row->increment[i];
	together = e->instructions >= 0 &&
		   e->of->event[i].group == e->of->event[e->instructions].group;
	return is_whole(v) && (together || v.quality == QUALITY_EXACT) ? v.number : NAN;
}

static double number_of(struct value v)
{
	return value_known(v) ? v.number : NAN;
}

void work_read(struct work *w, struct work_events *e, const struct delta_row *row)
{
	const struct value cpu = delta_fact_now(row, FACT_PROC_ID);

	if (!e->of || e->of != row->events)
		find_events(e, row->events);
	*w = (struct work){
		.cpu_share = number_of(delta_cpu_share(row)),
		.seconds = (double)row->counts_ns / 1e9,
		.instructions = read_event(e, row, e->instructions),
		.cycles = read_event(e, row, e->cycles),
		.misses = read_event(e, row, e->misses),
		.mispredicted = read_event(e, row, e->mispredicted),
		.cpu = value_known(cpu) ? (int)cpu.number : -1,
	};
}

struct value work_instructions(const struct delta_row *row)
{
	const int i = find_event(row->events, INSTRUCTIONS, -1);

	return i < 0 ? value_none(QUALITY_NOT_COUNTED) : row->increment[i];
}
