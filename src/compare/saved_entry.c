/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* What the columns say of an amount; NaN: nothing. */
struct figures {
	bool any; /* there are such columns */
	bool has_n;
	double n, timed, mean, sd, sd_of_all;
};

/* Of each amount, the time, and what the event counted. */
struct reading {
	struct saved_entry *entry;
	struct strbuf process;
	struct figures time[SAVED_AMOUNTS], event[SAVED_AMOUNTS];
};

static double number_of(const struct report_cell *cell)
{
	return cell->kind == REPORT_VALUE && value_known(cell->value) ? cell->value.number
								      : (double)NAN;
}

static double or_nothing(double number)
{
	return isnan(number) ? 0 : number;
}

/* A copy; "" where there is none. */
static char *text_of(const struct report_record *r, const struct report_cell *cell)
{
	const struct report_scalar s = record_scalar(r, cell);
	struct strbuf number;

	if (cell->kind == REPORT_TEXT)
		return xstrdup(record_text_of(r, cell));
	strbuf_init(&number);
	scalar_add_csv(&number, &s, 0);
	return number.text;
}

/* The same, of a place in a function, without where in it that is. */
static char *place_of(const struct report_record *r, const struct report_cell *cell)
{
	char *text = text_of(r, cell);

	text_cut_place(text);
	return text;
}

static void set_text(char **to, char *text)
{
	free(*to);
	*to = text;
}

static void add_process(struct strbuf *process, char *part)
{
	strbuf_addf(process, "%s ", part);
	free(part);
}

static void take_figure(struct figures *t, const struct report_column *c, double number)
{
	t->any = true;
	t->has_n |= c->role == REPORT_IS_N;
	*(c->role == REPORT_IS_N       ? &t->n
	  : c->role == REPORT_IS_TIMED ? &t->timed
	  : c->role == REPORT_IS_MEAN  ? &t->mean
	  : c->role == REPORT_IS_SD    ? &t->sd
				       : &t->sd_of_all) = number;
}

static void take_amount(struct reading *r, const struct saved_type *type,
			const struct report_column *c, double number)
{
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		if (type->amount[i] && !strcmp(type->amount[i], c->amount))
			take_figure(c->event ? &r->event[i] : &r->time[i], c, number);
}

static void take_cell(struct reading *r, const struct saved_type *type,
		      const struct report_record *record, size_t i)
{
	const struct report_column *c = &record->type->column[i];
	const struct report_cell *cell = &record->cell[i];
	struct saved_entry *e = r->entry;

	switch (c->role) {
	case REPORT_NO_ROLE:
		break;
	case REPORT_IS_NAME:
		set_text(&e->name, text_of(record, cell));
		break;
	case REPORT_IS_PLACE_NAME:
		set_text(&e->name, place_of(record, cell));
		break;
	case REPORT_IS_KIND:
		set_text(&e->kind, text_of(record, cell));
		break;
	case REPORT_IS_CALLER:
		set_text(&e->caller, place_of(record, cell));
		break;
	case REPORT_IS_PROCESS:
		add_process(&r->process, text_of(record, cell));
		break;
	case REPORT_IS_TIMES:
		e->count = or_nothing(number_of(cell));
		break;
	case REPORT_IS_CONTENDED:
		e->contended = number_of(cell);
		break;
	default:
		take_amount(r, type, c, number_of(cell));
	}
}

/* --- amounts --- */

/* The squares of n numbers that have this deviation; of one, there are none. */
static double squares_of(const struct figures *t, double n)
{
	if (!(n > 1))
		return 0;
	return isnan(t->sd_of_all) ? t->sd * t->sd * (n - 1)
				   : t->sd_of_all * t->sd_of_all * (n - 1) * n / (n - 1);
}

static struct moments make_amount(const struct figures *t, double n)
{
	const double timed = isnan(t->timed) ? n : t->timed;

	return (struct moments){
		.n = n,
		.measured = timed,
		.mean = n > 0 ? t->mean : 0,
		.squares = squares_of(t, timed),
	};
}

/* What is wanted of an amount, or what there is: where it happened, but nothing is known of the
 * event, that is not known. Unless its columns say of how many it is, it is of all. */
static struct moments choose(const struct saved *s, const struct reading *r, int i)
{
	static const struct figures nothing = {
		.timed = NAN, .mean = NAN, .sd = NAN, .sd_of_all = NAN};
	const struct figures *time = &r->time[i], *event = &r->event[i];
	const bool by_event = event->any && (s->by_event || !time->any);
	const struct figures *t = by_event ? event : time;

	if (!s->type->amount[i])
		return (struct moments){.n = 0};
	if (!t->has_n)
		return make_amount(t, r->entry->count);
	return or_nothing(t->n) > 0 ? make_amount(t, t->n)
				    : make_amount(&nothing, or_nothing(time->n));
}

/* --- entries --- */

void saved_entry_done(struct saved_entry *e)
{
	free(e->name);
	free(e->kind);
	free(e->caller);
	free(e->process);
}

static void begin(struct reading *r, struct saved_entry *e)
{
	*e = (struct saved_entry){.contended = NAN};
	*r = (struct reading){.entry = e};
	strbuf_init(&r->process);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		r->time[i] = r->event[i] =
			(struct figures){.mean = NAN, .timed = NAN, .sd = NAN, .sd_of_all = NAN};
}

static void settle_texts(struct saved_entry *e)
{
	e->name = e->name ? e->name : xstrdup("");
	e->kind = e->kind ? e->kind : xstrdup("");
	e->caller = e->caller ? e->caller : xstrdup("");
}

void saved_take_entry(struct saved *s, const struct report_record *record)
{
	struct reading r;
	struct saved_entry e;

	begin(&r, &e);
	for (size_t i = 0; i < record->type->n; i++)
		take_cell(&r, s->type, record, i);
	for (int i = 0; i < SAVED_AMOUNTS; i++)
		e.amount[i] = choose(s, &r, i);
	settle_texts(&e);
	e.process = r.process.len ? xstrdup(r.process.text) : NULL;
	e.line = s->n;
	strbuf_done(&r.process);
	s->entry = xgrow(s->entry, &s->cap, s->n + 1, sizeof *s->entry);
	s->entry[s->n++] = e;
}
