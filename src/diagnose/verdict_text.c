/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/verdict_text.h"

#include <inttypes.h>
#include <string.h>

#include "diagnose/rules_part.h"

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

/* What a text says that sends people there. */
#define PAGE "the page of the task"

void tell_word(struct strbuf *out, const struct verdict *v)
{
	strbuf_addf(out, "%s%s", v->rule->row->word, v->sure == SURE_MAYBE ? "?" : "");
}

void tell_sentence(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	fill(out, t, &v->rule->says);
}

void tell_numbers(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	const char *between = "";

	for (size_t k = 0; k < v->rule->n_names; k++) {
		const size_t i = v->rule->name[k];
		const struct metric_row *row = t->rules->metric[i].row;

		if (!value_known(t->cell[i]))
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

void tell_sure(struct strbuf *out, const struct tell *t, const struct verdict *v)
{
	static const char *const words[] = {
		[SURE_MAYBE] = "maybe", [SURE_LIKELY] = "likely", [SURE_SURE] = "sure"};
	const struct verdict_row *row = v->rule->row;

	strbuf_addstr(out, words[v->sure]);
	if (row->surer && *row->surer && !(t->on_page && strstr(row->surer, PAGE)))
		strbuf_addf(out, "; surer: %s", row->surer);
}

size_t tell_n_next(const struct verdict *v)
{
	return v->rule->row->n_next;
}

bool tell_next(struct strbuf *run, struct strbuf *why, const struct tell *t,
	       const struct verdict *v, size_t i)
{
	return fill(run, t, &v->rule->run[i]) && fill(why, t, &v->rule->why[i]);
}

const struct verdict_row *tell_row(const struct verdict *v)
{
	return v->rule->row;
}

bool tell_unknown(struct strbuf *out, const struct tell *t, enum quality why)
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
