/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diagnose/rules.h"
#include "model/fact_list.h"
#include "view/evaluate.h"

/* ---- verdict text ---- */

/* column_format_read() has checked that a format is that of one number. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void add_number(struct strbuf *out, const char *format, struct value v)
{
	if (!value_known(v)) {
		strbuf_addstr(out, quality_table[v.quality].mark);
		return;
	}
	strbuf_addf(out, format, v.number);
}

static bool add_event(struct strbuf *out, const struct tell *t, const struct metric *m)
{
	for (size_t i = 0; i < m->n_sources && t->binding; i++) {
		const struct metric_source *s = &m->source[i];
		const struct column *column = &t->rules->screens.v[s->screen]->column[s->column];
		const struct screen_numbers *numbers = t->binding[s->screen]->numbers;
		const int symbol = expr_ref_at(column->expr, 0).symbol;
		const struct sample_event *e;

		if (symbol >= numbers->n_counters)
			continue;
		e = &numbers->events->event[numbers->head[symbol]];
		if (e->kind == EVENT_NONE || !e->resolved[0])
			continue;
		strbuf_addstr(out, e->resolved);
		return true;
	}
	return false;
}

static bool fill(struct strbuf *out, const struct tell *t, const struct template *template)
{
	const struct kind *kind = t->task->kind;

	for (size_t i = 0; i < template->n; i++) {
		const struct piece *p = &template->piece[i];

		switch (p->kind) {
		case PIECE_TEXT:
			strbuf_addstr(out, p->text);
			break;
		case PIECE_NUMBER:
			add_number(out, p->text,
				   condition_value(p->number, t->task, NULL, t->cell));
			break;
		case PIECE_PID:
			if (!kind->pid)
				return false;
			strbuf_addf(out, "%" PRId32, kind->pid(t->task));
			break;
		case PIECE_EVENT:
			if (!add_event(out, t, &t->rules->metric[p->metric]))
				return false;
			break;
		}
	}
	return true;
}

/* The phrase in verdicts that refers users to the page. */
#define PAGE "the page of the task"

void verdict_word(struct strbuf *out, const struct verdict *v)
{
	strbuf_addf(out, "%s%s", v->rule->row->word, v->sure == SURE_MAYBE ? "?" : "");
}

void verdict_sentence(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	fill(out, t, &v->rule->says);
}

static bool has_name(const struct rule *rule, size_t metric)
{
	for (size_t i = 0; i < rule->n_names; i++)
		if (rule->name[i] == metric)
			return true;
	return false;
}

/* Returns whether the condition of the rule, or of a rule that it covers, names the metric. */
static bool is_evidence(const struct rules *r, const struct rule *rule, size_t metric)
{
	bool named = has_name(rule, metric);

	for (size_t i = 0; i < rule->n_covers && !named; i++)
		named = has_name(&r->rule[rule->covers[i]], metric);
	return named;
}

void verdict_numbers(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	const char *between = "";

	for (size_t i = 0; i < t->rules->n_metrics; i++) {
		const struct metric_row *row = t->rules->metric[i].row;

		if (!value_known(t->cell[i]) || !is_evidence(t->rules, v->rule, i))
			continue;
		strbuf_addf(out, "%s%s ", between, row->desc);
		add_number(out, row->format, t->cell[i]);
		if (t->cell[i].quality != QUALITY_EXACT)
			strbuf_addstr(out, quality_table[t->cell[i].quality].mark);
		if (row->unit && *row->unit)
			strbuf_addf(out, " %s", row->unit);
		between = ", ";
	}
}

void verdict_certainty(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	static const char *const words[] = {
		[SURE_MAYBE] = "maybe", [SURE_LIKELY] = "likely", [SURE_SURE] = "sure"};
	const struct verdict_row *row = v->rule->row;

	strbuf_addstr(out, words[v->sure]);
	if (row->surer && *row->surer && !(t->on_page && strstr(row->surer, PAGE)))
		strbuf_addf(out, "; to confirm: %s", row->surer);
}

size_t verdict_n_steps(const struct verdict *v)
{
	return v->rule->row->n_next;
}

static bool names_pid(const struct template *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->piece[i].kind == PIECE_PID)
			return true;
	return false;
}

bool verdict_step(struct strbuf *run, struct strbuf *why, const struct tell *t,
		  const struct verdict *v, size_t i)
{
	/* The PID of a task that has ended may belong to another one by now. */
	if (t->task->dead && names_pid(&v->rule->run[i]))
		return false;
	return fill(run, t, &v->rule->run[i]) && fill(why, t, &v->rule->why[i]);
}

const struct verdict_row *verdict_rule_row(const struct verdict *v)
{
	return v->rule->row;
}

bool verdict_unknown(struct strbuf *out, const struct tell *t, enum quality why)
{
	const char *between = "";

	for (size_t i = 0; i < t->rules->n_metrics; i++) {
		const struct metric *m = &t->rules->metric[i];

		if (!m->n_sources || value_known(t->cell[i]) || t->cell[i].quality != why)
			continue;
		strbuf_addf(out, "%s%s", between, m->row->desc);
		between = ", ";
	}
	return *between;
}

/* ---- judge ---- */

size_t judge_max(const struct rules *r)
{
	return r->n;
}

size_t judge_rule(const struct rules *r, const struct verdict *v)
{
	return (size_t)(v->rule - r->rule);
}

struct beginning {
	struct rules *rules;
	const struct sample *sample;
};

static void begin_condition(void *context, struct condition *c)
{
	const struct beginning *b = context;

	condition_begin(c, &b->rules->binding, b->sample, false);
}

void judge_begin(struct rules *r, const struct sample *sample)
{
	struct beginning b = {r, sample};

	for (size_t i = 0; i < r->n; i++) {
		const struct rule *rule = &r->rule[i];

		begin_condition(&b, rule->when);
		begin_condition(&b, rule->rank);
		template_each(&rule->says, begin_condition, &b);
		for (size_t k = 0; k < rule->row->n_next; k++) {
			template_each(&rule->run[k], begin_condition, &b);
			template_each(&rule->why[k], begin_condition, &b);
		}
	}
}

static enum sure sure_of(const struct rule *rule, const struct value *cell)
{
	enum sure sure = !strcmp(rule->row->sure, "sure")     ? SURE_SURE
			 : !strcmp(rule->row->sure, "likely") ? SURE_LIKELY
							      : SURE_MAYBE;

	for (size_t i = 0; i < rule->n_names; i++)
		if (value_known(cell[rule->name[i]]) &&
		    cell[rule->name[i]].quality != QUALITY_EXACT)
			return sure == SURE_SURE ? SURE_LIKELY : SURE_MAYBE;
	return sure;
}

/* Returns whether the task was on a CPU for at least this many ms. */
static bool has_run_ms(const struct rules *r, const struct value *cell, double ms)
{
	return r->cpu_ms < r->n_metrics && value_known(cell[r->cpu_ms]) &&
	       cell[r->cpu_ms].number >= ms;
}

/* Returns which of the first 64 metrics are known, as bits. */
static uint64_t known_bits(const struct rules *r, const struct value *cell)
{
	uint64_t known = 0;

	for (size_t i = 0; i < r->n_metrics && i < 64; i++)
		known |= (uint64_t)value_known(cell[i]) << i;
	return known;
}

/* Returns whether the rule applies. known: known_bits(). For most rules, a limit does not hold, or
 * a metric that the rule needs is unknown: their condition is not evaluated. */
static bool rule_applies(const struct rules *r, const struct rule *rule, const struct task *task,
			 const struct value *cell, uint64_t known)
{
	if (rule->need_bits & ~known || rule->without_bits & known)
		return false;
	for (size_t i = 0; i < rule->n_limits; i++)
		if (!expr_limit_holds(&rule->limit[i], cell[rule->limit[i].ref]))
			return false;
	for (size_t i = 0; i < rule->n_need; i++)
		if (!value_known(cell[rule->need[i]]))
			return false;
	for (size_t i = 0; i < rule->n_without; i++)
		if (value_known(cell[rule->without[i]]))
			return false;
	if (rule->by_counters && !has_run_ms(r, cell, rule->cpu_ms))
		return false;
	return rule->all_limits || condition_test(rule->when, task, NULL, cell) == TRI_TRUE;
}

/* Inserts a verdict by rank; equal ranks keep the order of the table. */
static void insert(struct verdict *found, size_t n, struct verdict v)
{
	for (; n && found[n - 1].rank < v.rank; n--)
		found[n] = found[n - 1];
	found[n] = v;
}

static bool is_covered(const struct rules *r, const struct verdict *v, const struct verdict *found,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < found[i].rule->n_covers; k++)
			if (&r->rule[found[i].rule->covers[k]] == v->rule)
				return true;
	return false;
}

/* Drops covered verdicts, from the last one on: of two that cover each other, one stays. Returns
 * how many are left. */
static size_t drop_covered(const struct rules *r, struct verdict *found, size_t n)
{
	for (size_t i = n; i--;)
		if (is_covered(r, &found[i], found, n)) {
			memmove(&found[i], &found[i + 1], (n - i - 1) * sizeof *found);
			n--;
		}
	return n;
}

size_t judge_row(struct rules *r, const struct task *task, const struct value *cell,
		 struct verdict *found)
{
	const uint64_t known = known_bits(r, cell);
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct rule *rule = &r->rule[i];
		struct value rank;

		if (!rule_applies(r, rule, task, cell, known))
			continue;
		rank = condition_value(rule->rank, task, NULL, cell);
		insert(found, n++,
		       (struct verdict){rule, value_known(rank) ? rank.number : 0,
					sure_of(rule, cell)});
	}
	return drop_covered(r, found, n);
}

/* ---- metrics ---- */

/* A value that is equal for all rows with the same events, unless one of the counted events has a
 * worse reason than QUALITY_NOT_COUNTED in a row. */
struct fixed {
	bool is;
	uint64_t counted; /* a bit for each of these events; 0: the value is equal for all rows */
	struct value value;
};

/* Sets of events in the cache; the rows of a sample rarely have more. */
#define SETS_MAX 4

struct fixed_set {
	struct sample_events *events;
	bool filled;
	struct fixed *source; /* the values of all sources of all metrics, in order */
	struct fixed *metric; /* [n_metrics] the part that comes from columns */
	struct value *cell;   /* [n_metrics] all metrics, without evidence from details */
	/* varying: the metrics whose values may differ between rows. lacking: the metrics whose
	 * values may differ only if an event has a worse reason than QUALITY_NOT_COUNTED. */
	size_t *varying, n_varying;
	size_t *lacking, n_lacking;
};

struct measures {
	const struct rules *rules;
	struct binding *const *binding;
	size_t *first; /* [n_metrics] index of the first source of each metric */
	/* [n_metrics] the facts without which the expression of a metric is unknown, if only
	 * details can replace it */
	struct fact_set *facts;
	size_t *single, n_single;      /* the metrics of single threads */
	size_t asleep, queue, threads; /* metrics of this evidence; n_metrics: none */
	struct fixed_set set[SETS_MAX];
	size_t oldest; /* index of the oldest set */
};

/* Returns whether the evidence comes from details. */
static bool is_detail(int evidence)
{
	return evidence >= 0 && evidence != EVIDENCE_CPU_MS && evidence != EVIDENCE_QUEUE_EARLIER;
}

static struct fact_set facts_of(const struct rules *r, size_t i)
{
	const struct expr *e = r->metrics->column[i].expr;
	const struct metric *m = &r->metric[i];
	struct fact_set facts = FACT_NONE;

	if (!m->row->expr || m->n_sources || !is_detail(m->evidence) || !expr_spreads_unknown(e))
		return facts;
	for (size_t k = 0; k < expr_n_refs(e); k++) {
		const int f = expr_ref_at(e, k).symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT;

		if (f >= 0 && f < N_NUMBER_FACTS)
			fact_add(&facts, f);
	}
	return facts;
}

static void list_metrics(struct measures *m)
{
	const struct rules *r = m->rules;
	size_t n = 0;

	m->first = xcalloc(r->n_metrics, sizeof *m->first);
	m->facts = xcalloc(r->n_metrics, sizeof *m->facts);
	m->single = xcalloc(r->n_metrics, sizeof *m->single);
	for (size_t i = 0; i < r->n_metrics; i++) {
		m->first[i] = n;
		m->facts[i] = facts_of(r, i);
		n += r->metric[i].n_sources;
		if (r->metric[i].row->single)
			m->single[m->n_single++] = i;
	}
	m->asleep = rules_find_evidence(r, EVIDENCE_ASLEEP);
	m->queue = rules_find_evidence(r, EVIDENCE_QUEUE);
	m->threads = rules_find_evidence(r, EVIDENCE_THREADS);
}

struct measures *measures_new(const struct rules *r, struct binding *const *binding)
{
	struct measures *m = xcalloc(1, sizeof *m);

	*m = (struct measures){.rules = r, .binding = binding};
	list_metrics(m);
	return m;
}

static void drop_set(struct fixed_set *set)
{
	sample_events_unref(set->events);
	free(set->source);
	free(set->metric);
	free(set->cell);
	free(set->varying);
	free(set->lacking);
	*set = (struct fixed_set){.filled = false};
}

void measures_free(struct measures *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < SETS_MAX; i++)
		drop_set(&m->set[i]);
	free(m->first);
	free(m->facts);
	free(m->single);
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

/* Returns whether no counter of the column has an event, or some have none for a reason that makes
 * the column unknown whatever the others count. Sets *fixed; but if no counter has an event, the
 * caller computes its value. */
static bool lacks_counts(const struct column *column, const struct bound *bound, int n_counters,
			 struct fixed *fixed)
{
	uint8_t worst = 0;
	bool total = false;

	fixed->counted = 0;
	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		const struct expr_ref ref = expr_ref_at(column->expr, i);
		struct bound of;

		if (ref.symbol >= n_counters)
			return false;
		of = bound[ref.symbol];
		if (of.event < 0 && of.quality > worst)
			worst = of.quality;
		if (of.event >= SAMPLE_MAX_EVENTS)
			return false;
		if (of.event >= 0)
			fixed->counted |= 1ull << of.event;
		total = total || (of.event >= 0 && ref.mode == EXPR_TOTAL);
	}
	fixed->value = value_none(worst);
	return !fixed->counted ||
	       (worst >= QUALITY_NOT_COUNTED && !total && expr_spreads_unknown(column->expr));
}

static struct value from_column(const struct measures *of, const struct verdict_case *c,
				const struct metric_source *s)
{
	const struct column *column = &of->rules->screens.v[s->screen]->column[s->column];
	const struct bound *bound =
		binding_column(of->binding[s->screen], c->row->events, s->column);

	return evaluate_column(column, (struct shown){.values = VALUES_INTERVAL}, c->row, c->host,
			       bound);
}

/* Returns what all rows with the events of this row have in common. */
static struct fixed fix_column(const struct measures *of, const struct verdict_case *c,
			       const struct metric_source *s)
{
	const struct column *column = &of->rules->screens.v[s->screen]->column[s->column];
	struct binding *binding = of->binding[s->screen];
	const struct bound *bound = binding_column(binding, c->row->events, s->column);
	struct fixed fixed;

	fixed.is = lacks_counts(column, bound, binding->numbers->n_counters, &fixed);
	if (fixed.is && !fixed.counted)
		fixed.value = from_column(of, c, s);
	return fixed;
}

/* Returns the events of the row whose reason is worse than QUALITY_NOT_COUNTED. */
static uint64_t worse_events(const struct delta_row *row)
{
	uint64_t worse = 0;

	for (int i = 0; i < sample_events_n(row->events) && i < SAMPLE_MAX_EVENTS; i++)
		if (row->increment[i].quality > QUALITY_NOT_COUNTED)
			worse |= 1ull << i;
	return worse;
}

/* Returns the first known value of the sources, which are for different CPUs. If there is none,
 * returns the reason of the last source that has another reason than QUALITY_UNSUPPORTED, or else
 * this one. */
static struct value from_columns(const struct measures *of, const struct verdict_case *c,
				 const struct metric *m, const struct fixed *fixed, uint64_t worse)
{
	struct value v = value_none(QUALITY_NOT_READ);

	for (size_t i = 0; i < m->n_sources && !value_known(v); i++) {
		const struct metric_source *s = &m->source[i];
		const struct value x = fixed[i].is && !(fixed[i].counted & worse)
					       ? fixed[i].value
					       : from_column(of, c, s);

		/* QUALITY_UNSUPPORTED says less than any other reason. */
		if (value_known(x) || x.quality != QUALITY_UNSUPPORTED || i == 0 ||
		    v.quality == QUALITY_UNSUPPORTED)
			v = value_combine(x.number * s->times, x, value_exact(0));
	}
	return v;
}

static struct value measure(const struct measures *of, const struct verdict_case *c, size_t i,
			    const struct fixed_set *set, uint64_t worse)
{
	const struct rules *r = of->rules;
	const struct metric *m = &r->metric[i];
	const struct fixed *fixed = &set->metric[i];
	struct value v = value_none(QUALITY_NOT_READ);

	if (m->row->expr)
		v = evaluate_column(&r->metrics->column[i],
				    (struct shown){.values = VALUES_INTERVAL}, c->row, c->host,
				    NULL);
	if (!value_known(v) && m->n_sources)
		v = fixed->is && !(fixed->counted & worse)
			    ? fixed->value
			    : from_columns(of, c, m, &set->source[of->first[i]], worse);
	if (!value_known(v) && m->evidence >= 0)
		v = evidence_of(c, m->evidence);
	return v;
}

static void fix_metric(const struct measures *of, const struct verdict_case *c,
		       struct fixed_set *set, size_t i)
{
	const struct metric *m = &of->rules->metric[i];
	struct fixed *source = &set->source[of->first[i]], *metric = &set->metric[i];

	metric->is = true;
	for (size_t k = 0; k < m->n_sources; k++) {
		source[k] = fix_column(of, c, &m->source[k]);
		metric->is = metric->is && source[k].is;
		metric->counted |= source[k].counted;
	}
	if (metric->is)
		metric->value = from_columns(of, c, m, source, 0);
}

/* Returns whether the metric may differ between rows with the same events, without details and
 * without reasons worse than QUALITY_NOT_COUNTED. */
static bool varies(const struct metric *m, const struct fixed *fixed)
{
	return m->row->expr || !fixed->is || (m->evidence >= 0 && !is_detail(m->evidence));
}

static void fill_set(const struct measures *of, const struct verdict_case *c, struct fixed_set *set)
{
	const struct verdict_case plain = {c->row, c->host, c->threads, NULL};
	const struct rules *r = of->rules;

	for (size_t i = 0; i < r->n_metrics; i++) {
		fix_metric(of, c, set, i);
		if (varies(&r->metric[i], &set->metric[i])) {
			set->varying[set->n_varying++] = i;
			continue;
		}
		set->cell[i] = measure(of, &plain, i, set, 0);
		if (set->metric[i].counted)
			set->lacking[set->n_lacking++] = i;
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
	set->cell = xcalloc(r->n_metrics, sizeof *set->cell);
	set->varying = xcalloc(r->n_metrics, sizeof *set->varying);
	set->lacking = xcalloc(r->n_metrics, sizeof *set->lacking);
	fill_set(m, c, set);
	return set;
}

static struct value cell_of(const struct rules *r, const struct value *cell, size_t metric)
{
	return metric < r->n_metrics ? cell[metric] : value_none(QUALITY_NOT_READ);
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

/* Computes the metrics of a row without details. */
static void compute_plain(const struct measures *m, const struct verdict_case *c,
			  const struct fixed_set *set, uint64_t worse, struct value *cell)
{
	const struct fact_set known = c->row->sums ? fact_all : c->row->task->known;

	memcpy(cell, set->cell, m->rules->n_metrics * sizeof *cell);
	for (size_t i = 0; i < set->n_varying; i++) {
		const size_t k = set->varying[i];

		cell[k] = fact_within(m->facts[k], known) ? measure(m, c, k, set, worse)
							  : value_none(QUALITY_NOT_READ);
	}
	for (size_t i = 0; worse && i < set->n_lacking; i++)
		cell[set->lacking[i]] = measure(m, c, set->lacking[i], set, worse);
}

void measures_compute(struct measures *m, const struct verdict_case *c, struct value *cell)
{
	const struct rules *r = m->rules;
	const struct fixed_set *set = find_set(m, c);
	const uint64_t worse = worse_events(c->row);
	struct value threads;

	if (c->evidence)
		for (size_t i = 0; i < r->n_metrics; i++)
			cell[i] = measure(m, c, i, set, worse);
	else
		compute_plain(m, c, set, worse, cell);
	if (m->asleep < r->n_metrics)
		cell[m->asleep] = sleep_share(c, cell_of(r, cell, m->queue));
	threads = cell_of(r, cell, m->threads);
	if (c->threads || (value_known(threads) && threads.number == 1))
		return;
	for (size_t i = 0; i < m->n_single; i++)
		cell[m->single[i]] = value_none(QUALITY_DIFFER);
}
