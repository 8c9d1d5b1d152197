/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: facts, threads and limits of a task. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "view/format.h"
#include "view/page_part.h"

#define VALUE_WIDTH 10
#define TIME_WIDTH  9

/* ---- facts ---- */

/* The reading of a sample; what that has not, or has of an earlier refresh, as it is now. */
static struct value fact_of(const struct page_writer *w, enum fact f)
{
	const struct detail *d = w->in->detail;
	const struct value v = delta_fact_now(w->row->from, f);

	if (v.quality == QUALITY_EXACT || w->row->task->dead || !d || d->error ||
	    !(d->known & FACT_BIT(f)))
		return v;
	return fact_table[f].kind == FACT_COUNTER ? value_count(d->fact[f])
						  : value_exact((double)(int64_t)d->fact[f]);
}

/* Times and sizes for people, all else with all digits. */
static void add_number(struct strbuf *out, enum fact f, struct value v)
{
	const enum unit unit = fact_table[f].unit;

	if (!value_known(v))
		return;
	if (unit == UNIT_NS || unit == UNIT_KIB)
		unit_add(out, unit, v.number);
	else
		strbuf_addf(out, "%.0f", v.number);
}

/* What the help says of the number itself is not what is shown here: "(ns)". */
static size_t help_length(const char *help)
{
	const char *unit = strstr(help, " (");

	return unit ? (size_t)(unit - help) : strlen(help);
}

static void write_fact(struct page_writer *w, enum fact f, struct value v)
{
	const struct fact_row *fact = &fact_table[f];
	struct strbuf number;

	strbuf_init(&number);
	add_number(&number, f, v);
	strbuf_pad(&w->text, ' ', VALUE_WIDTH - (int)number.len);
	strbuf_addf(&w->text, "%s%s %s%.*s", number.text, quality_table[v.quality].mark,
		    v.quality == QUALITY_EXACT ? " " : "", (int)help_length(fact->help),
		    fact->help);
	format_quality(&w->text, v, w->row->task->dead);
	page_add(w, PAGE_ENTRY, fact->name);
	strbuf_done(&number);
}

void page_write_facts(struct page_writer *w)
{
	const struct kind *kind = w->row->task->kind;
	struct strbuf left;

	strbuf_init(&left);
	if (*kind->facts & (FACT_BIT(N_NUMBER_FACTS) - 1))
		page_add_text(w, PAGE_TITLE, NULL, "Facts, of now or since it began");
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		const struct value v = fact_of(w, (enum fact)f);

		if (!(*kind->facts & FACT_BIT(f)) ||
		    (fact_table[f].of_ended && !w->row->task->dead))
			continue;
		if (v.quality == QUALITY_NOT_READ)
			strbuf_addf(&left, "%s%s", left.len ? ", " : "", fact_table[f].name);
		else
			write_fact(w, (enum fact)f, v);
	}
	if (left.len) {
		strbuf_addf(&w->text, "not read now: %s", left.text);
		page_add(w, PAGE_TEXT, NULL);
	}
	strbuf_done(&left);
}

/* ---- threads ---- */

static void write_thread(struct page_writer *w, uint64_t id, char state, struct value cpu,
			 struct value time, const char *name)
{
	struct strbuf part;
	char label[32];

	strbuf_init(&part);
	strbuf_addf(&w->text, "%c ", state);
	if (value_known(cpu))
		strbuf_addf(&w->text, "%4.0f", cpu.number);
	else
		strbuf_addf(&w->text, "%4s", quality_table[cpu.quality].mark);
	if (value_known(time))
		unit_add(&part, UNIT_NS, time.number);
	else
		strbuf_addstr(&part, quality_table[time.quality].mark);
	strbuf_pad(&w->text, ' ', 1 + TIME_WIDTH - (int)part.len);
	strbuf_addf(&w->text, "%s ", part.text);
	text_add(&w->text, name);
	snprintf(label, sizeof label, "%" PRIu64, id);
	page_add(w, PAGE_ENTRY, label);
	strbuf_done(&part);
}

static void write_threads_head(struct page_writer *w)
{
	strbuf_addf(&w->text, "S  CPU%*s NAME", 1 + TIME_WIDTH, "TIME");
	page_add(w, PAGE_HEAD, "TID");
}

static struct value known_or_not(bool known, uint64_t number)
{
	return known ? value_count(number) : value_none(QUALITY_NOT_READ);
}

static void write_read_threads(struct page_writer *w, const struct detail *d)
{
	write_threads_head(w);
	for (size_t i = 0; i < d->n_threads; i++) {
		const struct detail_thread *t = &d->thread[i];

		write_thread(w, t->id, t->state,
			     known_or_not(t->known & FACT_BIT(FACT_PROC_ID), t->cpu),
			     known_or_not(t->known & FACT_BIT(FACT_CPU_NS), t->cpu_ns), t->name);
	}
	if (!d->n_more)
		return;
	strbuf_addf(&w->text, "and %zu more: only the first %d are read", d->n_more,
		    DETAIL_THREADS_MAX);
	page_add(w, PAGE_TEXT, NULL);
}

static struct value fact_of_task(const struct task *t, enum fact f)
{
	const bool known = t->known & FACT_BIT(f);

	return known_or_not(known, known ? task_fact(t, f) : 0);
}

/* Where rows are threads, the sample has them. */
static void write_sampled_threads(struct page_writer *w)
{
	const struct sample *s = w->in->frame->sample;
	const struct owner owner = task_owner(w->row->task);

	write_threads_head(w);
	for (size_t i = 0; i < s->n; i++)
		if (task_has_owner(s->task[i], owner))
			write_thread(w, s->task[i]->id, s->task[i]->state,
				     fact_of_task(s->task[i], FACT_PROC_ID),
				     fact_of_task(s->task[i], FACT_CPU_NS), s->task[i]->name);
}

void page_write_threads(struct page_writer *w)
{
	const struct detail *d = w->in->detail;

	if (!w->row->task->kind->pid)
		return;
	page_add_text(w, PAGE_TITLE, NULL, "Threads, and the CPUs on which they ran last");
	if (d && !d->error && !d->threads_error) {
		write_read_threads(w, d);
		return;
	}
	if (!d && w->in->frame->sample->threads) {
		write_sampled_threads(w);
		return;
	}
	if (d)
		strbuf_addf(&w->text, "none were read: %s",
			    strerror(-(d->error ? d->error : d->threads_error)));
	else
		strbuf_addstr(&w->text, "not known: there are processes here, not their threads");
	page_add(w, PAGE_TEXT, NULL);
}

/* ---- limits ---- */

/* The unit only where it says more than the name. */
void page_write_limits(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	int error;

	if (!w->row->task->kind->pid || !d)
		return;
	/* Those of a task that has ended meanwhile stay. */
	error = d->n_limits ? 0 : d->error ? d->error : d->limits_error;
	page_add_text(w, PAGE_TITLE, NULL, "Limits, as they were when this page was opened");
	if (error) {
		strbuf_addf(&w->text, "/proc/%" PRIu64 "/limits cannot be read: %s",
			    w->row->task->owner, strerror(-error));
		page_add(w, PAGE_TEXT, NULL);
		return;
	}
	strbuf_addf(&w->text, "%12s  %12s", "SOFT", "HARD");
	page_add(w, PAGE_HEAD, "");
	for (size_t i = 0; i < d->n_limits; i++) {
		const struct detail_limit *l = &d->limit[i];

		strbuf_addf(&w->text, "%12s  %12s  %s", l->soft, l->hard, l->unit);
		page_add(w, PAGE_ENTRY, l->name);
	}
}
