/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/fact_list.h"
#include "tui/sheet.h"
#include "view/format.h"
#include "view/page.h"
#include "view/view.h"

/* The column in which the texts after the labels begin. */
#define TEXT_X 11

/* The data to explain. */
struct subject {
	const struct frame *frame;
	/* The sorting column; NULL: sorted by PID, USER or COMMAND. */
	const struct column *declared;
	const struct frame_row *row; /* NULL: none */
	const struct origins *events;
};

__attribute__((format(printf, 3, 4))) static void put_entry(struct sheet *s, const char *label,
							    const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	sheet_entry(s, TEXT_X, LOOK_FAINT, label, text);
	free(text);
}

/* Appends the number without decimals, if it is known, and the mark of its quality. */
static void add_value(struct strbuf *out, struct value v)
{
	uint64_t count;

	if (value_is_count(v, &count))
		strbuf_addf(out, "%" PRIu64, count);
	else if (value_known(v))
		strbuf_addf(out, "%.0f", v.number);
	strbuf_addstr(out, quality_table[v.quality].mark);
}

/* Writes "last  12345~ in the last interval (scaled, ...)", or "last  ?: why". */
static void put_value(struct sheet *s, const char *label, struct value v, const char *since)
{
	struct strbuf text;

	strbuf_init(&text);
	add_value(&text, v);
	if (value_known(v))
		strbuf_addstr(&text, since);
	format_quality(&text, v, false);
	put_entry(s, label, "%s", text.text);
	strbuf_done(&text);
}

/* Writes the total. Its share of the time is left out, as each interval has another share. */
static void put_total(struct sheet *s, struct value v)
{
	struct strbuf text;

	strbuf_init(&text);
	add_value(&text, v);
	put_entry(s, "total", "%s in all intervals", text.text);
	strbuf_done(&text);
}

/* ---- counters ---- */

/* before: the event of the same counter on the previous kind of cores; NULL: e is the first
 * event. */
static void write_event(struct sheet *s, const struct origin *e, const struct origin *before)
{
	if (!e->what)
		put_entry(s, "event", "none was found");
	else
		put_entry(s, "event", "%s (PMU %s, %s, %s)", e->what, e->pmu, e->code, e->modes);
	if (e->meaning && !(before && before->meaning && !strcmp(e->meaning, before->meaning)))
		put_entry(s, "meaning", "%s", e->meaning);
}

static void write_events(struct sheet *s, const struct origins *events, const char *counter)
{
	const struct origin *before = NULL;

	for (size_t i = 0; events && i < events->n; i++)
		if (!strcmp(events->v[i].counter, counter)) {
			write_event(s, &events->v[i], before);
			before = &events->v[i];
		}
	if (!before)
		put_entry(s, "event", "not known");
}

/* where: the kind of cores, if the counter has an event for each kind; else "". */
static void write_reading(struct sheet *s, const struct subject *x, int event, const char *where)
{
	enum quality quality = x->row->from->events->event[event].quality;
	struct strbuf text;
	struct raw_count r;

	if (quality != QUALITY_EXACT) {
		put_entry(s, "value", "none%s: %s", where, quality_table[quality].text);
		return;
	}
	raw_read(x->frame, x->row, event, 1, &r);
	if (!r.n) {
		put_entry(s, "value", "none%s: %s", where, raw_why_none(x->row, &r));
		return;
	}
	strbuf_init(&text);
	strbuf_addf(&text, "%" PRIu64 " since it was opened%s", r.sum.value, where);
	if (r.n > 1)
		strbuf_addf(&text, ", the sum of %d threads", r.n);
	put_entry(s, "value", "%s", text.text);
	strbuf_reset(&text);
	strbuf_addf(&text, "%.3f s enabled, %.3f s running", (double)r.sum.enabled_ns / 1e9,
		    (double)r.sum.running_ns / 1e9);
	if (r.sum.enabled_ns) {
		strbuf_addstr(&text, " (");
		format_percent(&text, (double)r.sum.running_ns / (double)r.sum.enabled_ns);
		strbuf_addstr(&text, r.sum.running_ns >= r.sum.enabled_ns ? ": exact)" : ")");
	}
	put_entry(s, "time", "%s", text.text);
	strbuf_done(&text);
}

static void write_counts(struct sheet *s, const struct subject *x, int head)
{
	const struct sample_events *set = x->row->from->events;
	struct value increment = x->row->from->increment[head], total = x->row->from->total[head];
	bool parts = sample_events_next_part(set, head, head) < set->n, any = false;

	for (int i = head; i < set->n; i = sample_events_next_part(set, head, i)) {
		const char *where =
			set->event[i].core > 0 ? ", on the slower cores" : ", on the faster cores";

		write_reading(s, x, i, parts ? where : "");
		any = any || set->event[i].quality == QUALITY_EXACT;
	}
	if (!any)
		return;
	put_value(s, "last", increment, " in the last interval");
	if (value_known(total) && total.quality != QUALITY_EXACT)
		put_total(s, total);
}

static void write_counter(struct sheet *s, const struct subject *x, int counter)
{
	const char *alias = x->frame->screen->alias[counter];
	struct strbuf title;
	struct bound bound;

	strbuf_init(&title);
	strbuf_addf(&title, "%s (kernel perf event)", alias);
	sheet_title(s, title.text);
	strbuf_done(&title);
	write_events(s, x->events, alias);
	if (!x->row)
		return;
	bound = binding_column(x->frame->binding, x->row->from->events,
			       (size_t)x->frame->view->sort)[counter];
	if (bound.event >= 0)
		write_counts(s, x, bound.event);
	else
		put_entry(s, "value", "none: %s", quality_table[bound.quality].text);
}

/* ---- variables ---- */

/* named: also shows the name of the fact. */
static void write_fact(struct sheet *s, const struct subject *x, int f, bool named)
{
	const struct fact_row *fact = &fact_table[f];
	struct strbuf origin;

	strbuf_init(&origin);
	fact_add_origin(&origin, f);
	put_entry(s, "source", "%s%s%s%s%s", named ? fact->name : "", named ? ", " : "",
		  *origin.text != '/' && strchr(origin.text, ':') ? "/proc/PID/" : "", origin.text,
		  fact->per_thread && !x->frame->sample->threads ? ", the sum of its threads" : "");
	strbuf_done(&origin);
	if (!x->row || fact->kind == FACT_TEXT)
		return;
	put_value(s, "value", delta_fact_now(x->row->from, f),
		  fact->kind == FACT_COUNTER ? " since it began" : "");
	if (fact->kind == FACT_COUNTER)
		put_value(s, "last", delta_fact(x->row->from, f), " in the last interval");
}

static void add_seconds(struct strbuf *out, struct value ns)
{
	if (value_known(ns))
		strbuf_addf(out, "%.6f s", ns.number / 1e9);
	strbuf_addstr(out, quality_table[ns.quality].mark);
}

/* Appends how %CPU is computed from the CPU time: the length of the interval, and the share of one
 * CPU. Appends nothing for a sum of tasks, whose intervals may differ. */
static void add_cpu_share(struct strbuf *out, const struct delta_row *row)
{
	const struct value share = delta_cpu_share(row);

	if (row->sums || !value_known(share))
		return;
	strbuf_addf(out, " of %.6f s: %.1f %% of one CPU",
		    (double)(row->cpu_counted ? row->counts_ns : row->facts_ns) / 1e9,
		    share.number * 100);
}

static void write_cpu_time(struct sheet *s, const struct subject *x)
{
	struct strbuf text;

	put_entry(s, "source",
		  "its CPU clock; of a thread, the time that its counters were enabled");
	if (x->frame->view->with_ended)
		put_entry(s, "and",
			  "of a process, that of children that have ended and were "
			  "waited for, of all their life (A)");
	if (!x->row)
		return;
	strbuf_init(&text);
	add_seconds(&text, x->row->from->cpu_ns);
	strbuf_addstr(&text, " on a CPU in the last interval");
	add_cpu_share(&text, x->row->from);
	format_quality(&text, x->row->from->cpu_ns, x->row->task->dead);
	put_entry(s, "last", "%s", text.text);
	strbuf_done(&text);
}

static void write_core_time(struct sheet *s, const struct subject *x)
{
	struct strbuf text;

	put_entry(s, "source", "the time that its counters were on the PMU of each kind of cores");
	if (!x->row)
		return;
	strbuf_init(&text);
	add_seconds(&text, x->row->from->fast_ns);
	strbuf_addstr(&text, " on the faster cores, of ");
	add_seconds(&text, x->row->from->core_ns);
	strbuf_addstr(&text, " on any");
	format_quality(&text, x->row->from->fast_ns, x->row->task->dead);
	put_entry(s, "last", "%s", text.text);
	strbuf_done(&text);
}

static void write_variable(struct sheet *s, const struct subject *x, int v)
{
	const struct variable_row variable = variable_at(v);

	sheet_title(s, variable.name);
	put_entry(s, "meaning", "%s", variable.help);
	if (v == VARIABLE_CPU_TOT) {
		write_cpu_time(s, x);
	} else if (v == VARIABLE_FAST_CORES) {
		write_core_time(s, x);
	} else if (v == VARIABLE_VERDICT) {
		put_entry(s, "from",
			  "the rules of tiptop, by what is counted "
			  "now and by /proc");
		put_entry(s, "more",
			  "Enter shows the page of the row, with the numbers behind it, "
			  "its certainty, and what to do next");
	} else {
		for (int f = 0; f < N_FACTS; f++)
			if (fact_in(variable.facts, f))
				write_fact(s, x, f, v < VARIABLE_FIRST_FACT);
		if (v < VARIABLE_FIRST_FACT)
			put_entry(s, "limit",
				  "not above CPU_TOT of the same interval, which is more precise");
	}
}

/* ---- the panel ---- */

/* Writes "1.87~: process 4711 simulate, the current row", and the quality of the number. */
static void write_cell(struct sheet *s, const struct subject *x)
{
	struct value v = frame_value(x->frame, x->row, (size_t)x->frame->view->sort);
	const struct task *of = x->row->task;
	struct strbuf text, cell;

	strbuf_init(&text);
	strbuf_init(&cell);
	format_row_cell(&cell, x->frame, x->row, (size_t)x->frame->view->sort);
	strbuf_addf(&text, "%s%s: %s ", format_trim_cell(&cell, x->declared),
		    value_known(v) ? quality_table[v.quality].mark : "",
		    x->frame->sample->threads ? of->kind->part : of->kind->name);
	if (!of->kind->id_is_text)
		strbuf_addf(&text, "%" PRIu64 "%s", of->id, *of->name ? " " : "");
	text_add(&text, of->name);
	strbuf_addf(&text, "%s, %s", x->row->collapsed ? " and all below it" : "",
		    x->row->watched ? "watched" : "the current row");
	sheet_title(s, text.text);
	strbuf_reset(&text);
	if (v.share < 1) {
		format_share(&text, v);
		strbuf_addstr(&text, ": ");
	}
	strbuf_addstr(&text, v.quality == QUALITY_EXACT
				     ? "exact"
				     : quality_text((enum quality)v.quality, x->row->task->dead));
	sheet_text(s, SHEET_INDENT, LOOK_NORMAL, text.text);
	strbuf_done(&text);
	strbuf_done(&cell);
}

/* Writes each counter and variable of the formula once, however often it is used. */
static void write_references(struct sheet *s, const struct subject *x)
{
	const struct expr *expr = x->declared->expr;

	for (size_t i = 0; i < expr_n_refs(expr); i++) {
		int symbol = expr_ref_at(expr, i).symbol;
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen = seen || expr_ref_at(expr, k).symbol == symbol;
		if (seen)
			continue;
		if (symbol < SYMBOL_VARIABLE)
			write_counter(s, x, symbol);
		else
			write_variable(s, x, symbol - SYMBOL_VARIABLE);
	}
}

static const char *beside_columns(const struct kind *kind, int sort)
{
	if (sort == SORT_PID)
		return kind->id_help;
	if (sort == SORT_USER)
		return "the effective user of the process (/proc/PID/status: Uid)";
	return kind->label_help;
}

/* Returns the name of the sorting column as in the header. The names of the id and of the last
 * field (COMMAND) depend on the kind of rows. */
static const char *header_name(const struct frame *frame, int sort, int *len)
{
	const char *name = sort == SORT_PID ? frame->kind->id_name : frame->kind->label_name;

	if (sort == SORT_USER || sort_column_of(frame->screen, sort))
		return sort_name(frame->screen, sort, len);
	*len = (int)strlen(name);
	return name;
}

static void write_sheet(struct sheet *s, const void *context)
{
	const struct subject *x = context;
	const struct unit_row *unit;

	if (!x->declared) {
		sheet_text(s, 0, LOOK_NORMAL, beside_columns(x->frame->kind, x->frame->view->sort));
		return;
	}
	unit = &unit_table[x->declared->unit];
	if (strcmp(x->declared->desc, x->declared->text))
		sheet_text(s, 0, LOOK_NORMAL, x->declared->desc);
	sheet_text(s, SHEET_INDENT, LOOK_FAINT, x->declared->text);
	if (*unit->name)
		put_entry(s, "unit", "%s: %s", unit->name, unit->help);
	if (x->declared->warn.text)
		put_entry(s, "warn", "%s", x->declared->warn.text);
	if (x->declared->crit.text)
		put_entry(s, "crit", "%s", x->declared->crit.text);
	if (x->row)
		write_cell(s, x);
	else
		sheet_title(s, "no task is shown whose numbers could be here");
	write_references(s, x);
}

void explain_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		   const struct frame_row *row, const struct origins *events)
{
	static const struct key_hint hint[] = {{"sort-left", "move", "sort-right"},
					       {"explain", "closes", NULL},
					       {NULL, NULL, NULL}};
	const struct key_hints hints = {ui->keymap, hint};
	const struct screen *screen = frame->screen;
	struct subject subject = {
		.frame = frame,
		.declared = sort_column_of(screen, frame->view->sort),
		.row = row,
		.events = events,
	};
	struct strbuf title;
	int len;
	const char *name = header_name(frame, frame->view->sort, &len);

	strbuf_init(&title);
	strbuf_addf(&title, "%.*s of screen %d, %s", len, name, screen->number, screen->name);
	sheet_paint(c, &ui->panel_lines, title.text, &hints, write_sheet, &subject);
	strbuf_done(&title);
}
