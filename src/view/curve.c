/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/curve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/group_key.h"
#include "model/history.h"
#include "view/evaluate.h"
#include "view/past.h"
#include "view/view.h"

/* ---- phases ---- */

static void add(struct phases *p, const struct column *column, const struct phase_change *change,
		struct arena *arena)
{
	if (p->n == p->cap) {
		const struct phases_change *old = p->v;

		p->cap = p->cap ? 2 * p->cap : 16;
		p->v = arena_calloc(arena, p->cap, sizeof *p->v);
		for (size_t i = 0; i < p->n; i++)
			p->v[i] = old[i];
	}
	p->v[p->n++] = (struct phases_change){column, *change};
}

/* Adds the changes of column i of the bound screen at n moments from `first` on. Allocates in the
 * arena. */
static void phases_find(struct phases *p, const struct past_row *of, struct binding *binding,
			size_t i, const struct host *host, uint32_t first, size_t n,
			struct arena *arena)
{
	struct value *v = arena_calloc(arena, n, sizeof *v);
	struct phase phase = {.n = 0};
	struct phase_change change;

	past_read(of, binding, i, (struct shown){.values = VALUES_INTERVAL}, host, first, n, v);
	for (size_t k = 0; k < n; k++)
		if (value_known(v[k]) &&
		    phase_add(&phase, v[k].number, first + (uint32_t)k, &change))
			add(p, &binding->screen->column[i], &change, arena);
}

/* ---- columns ---- */

static bool can_be_drawn(const struct column *c)
{
	return !screen_column_is_text(c) && !c->spark;
}

size_t curve_find_column(const struct screen *screen, const struct view *view)
{
	const char *const names[] = {view->graph.column, "ipc"};
	size_t i;

	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		for (i = 0; i < screen->n_columns; i++)
			if (!strcmp(screen->column[i].id, names[k]) &&
			    can_be_drawn(&screen->column[i]))
				return i;
	if (sort_column_of(screen, view->sort) && can_be_drawn(&screen->column[view->sort]))
		return (size_t)view->sort;
	for (i = 0; i < screen->n_columns && !can_be_drawn(&screen->column[i]); i++)
		;
	return i;
}

size_t curve_next_column(const struct screen *screen, size_t column, int direction)
{
	size_t i = column;

	do
		i += (size_t)direction;
	while (i < screen->n_columns && !can_be_drawn(&screen->column[i]));
	return i < screen->n_columns ? i : column;
}

/* ---- one curve ---- */

static bool same_row(const struct row_id *x, const struct row_id *y)
{
	return x->kind == y->kind && x->id == y->id && x->start_ns == y->start_ns &&
	       x->text == y->text;
}

struct curve_builder {
	struct curves *c;
	const struct frame *frame;
	size_t column;
};

static struct value ask_instructions(const void *context, const struct delta_row *row)
{
	(void)context;
	return work_instructions(row);
}

static void place_by_time(const struct curve_builder *m, struct curve *curve)
{
	for (size_t i = 0; i < m->c->n; i++) {
		const struct history_moment *at =
			history_moment(m->frame->history, m->c->first + (uint32_t)i);

		curve->end[i] = (double)at->mono_ns / 1e9;
		curve->begin[i] = (double)(at->mono_ns - at->interval_ns) / 1e9;
		if (!at->interval_ns)
			curve->v[i] = value_none(QUALITY_NOT_READ);
	}
}

/* Places the moments by instructions; a moment without a count has no place, and so no value. */
static void place_by_instructions(const struct curve_builder *m, const struct past_row *row,
				  struct curve *curve)
{
	struct value *count = arena_calloc(&m->c->arena, m->c->n, sizeof *count);
	double so_far = 0;

	past_each(row, m->c->first, m->c->n, ask_instructions, NULL, count);
	m->c->why =
		"no instructions of this task were counted: press a to draw over time, or show a "
		"screen with IPC";
	for (size_t i = 0; i < m->c->n; i++) {
		curve->begin[i] = so_far;
		if (value_known(count[i])) {
			so_far += count[i].number;
			m->c->why = NULL;
		} else {
			curve->v[i] = count[i];
		}
		curve->end[i] = so_far;
	}
}

static void set_name(struct curve *curve, const struct task *t)
{
	struct strbuf name;

	strbuf_init(&name);
	if (!t->kind->id_is_text)
		strbuf_addf(&name, "%" PRIu64 " ", t->id);
	text_add(&name, t->name);
	snprintf(curve->name, sizeof curve->name, "%s", name.text);
	strbuf_done(&name);
}

/* Returns the kind of values to draw: rates if the view shows rates, else increments, as the
 * history has no totals. */
static struct shown shown_of(const struct view *view)
{
	struct shown shown = view_shown(view);

	if (shown.values != VALUES_RATE)
		shown.values = VALUES_INTERVAL;
	return shown;
}

/* Finds the changes of level of the drawn column, of IPC and of the first column of numbers. */
static void find_phases(const struct curve_builder *m, const struct past_row *row)
{
	const struct screen *screen = m->frame->screen;
	const struct view plain = {.sort = sort_first(screen)};
	const size_t columns[] = {m->column, curve_find_column(screen, &plain),
				  (size_t)sort_first(screen)};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		bool done = !can_be_drawn(&screen->column[columns[i]]);

		for (size_t k = 0; k < i; k++)
			done = done || columns[k] == columns[i];
		if (!done)
			phases_find(&m->c->phases, row, m->frame->binding, columns[i],
				    m->frame->host, m->c->first, m->c->n, &m->c->arena);
	}
}

static void make_curve(const struct curve_builder *m, struct curve *curve,
		       const struct past_row *row)
{
	struct curves *c = m->c;
	const struct frame *frame = m->frame;

	curve->v = arena_calloc(&c->arena, c->n, sizeof *curve->v);
	curve->begin = arena_calloc(&c->arena, c->n, sizeof *curve->begin);
	curve->end = arena_calloc(&c->arena, c->n, sizeof *curve->end);
	past_read(row, frame->binding, m->column, shown_of(frame->view), frame->host, c->first,
		  c->n, curve->v);
	if (c->instructions)
		place_by_instructions(m, row, curve);
	else
		place_by_time(m, curve);
}

/* Returns the sentence why no curve can be drawn of a row; NULL: it can be drawn. */
static const char *empty_reason(const struct past_row *row, const struct frame_row *found)
{
	if (row->group && past_sum_possible(row->frame, row->group))
		return NULL;
	if (row->group)
		return "the filter depends on numbers: which rows passed it in the past is unknown";
	if (history_find(row->history, row->task, row->threads))
		return NULL;
	if (!found)
		return "nothing is kept of this task any more";
	if (found->collapsed)
		return "a collapsed row has no history: press + to expand it";
	return found->from->fresh ? "this task is seen for the first time"
				  : "this task has not run since tiptop looks at it";
}

/* Returns whether the reason holds as long as this screen is shown. */
static bool is_lasting(enum quality q)
{
	return q == QUALITY_UNSUPPORTED || q == QUALITY_DENIED || q == QUALITY_NOT_COUNTED;
}

/* Returns the sentence why the column has no number in any interval, if it cannot have one here;
 * else NULL. */
static const char *never_reason(const struct curve_builder *m, const struct curve *curve)
{
	const struct column *column = &m->frame->screen->column[m->column];
	const char *header = column->header + strspn(column->header, " ");
	const size_t last = m->c->n - 1;
	const char *why;
	struct strbuf text;

	if (!m->c->n || !is_lasting(curve->v[last].quality))
		return NULL;
	strbuf_init(&text);
	strbuf_addf(&text, "%s: %s; < > draw others", header,
		    quality_table[curve->v[last].quality].text);
	why = arena_strdup(&m->c->arena, text.text);
	strbuf_done(&text);
	return why;
}

/* Returns the sentence why all values are unknown; NULL: one is known. A column of totals has a
 * number now, but no history. */
static const char *unknown_reason(const struct curve_builder *m, const struct curve *curve,
				  const struct frame_row *found)
{
	struct binding *binding = m->frame->binding;
	const char *never;
	struct value now;

	for (size_t i = 0; i < m->c->n; i++)
		if (value_known(curve->v[i]))
			return NULL;
	never = never_reason(m, curve);
	if (never || !found)
		return never;
	now = evaluate_column(&m->frame->screen->column[m->column], shown_of(m->frame->view),
			      found->from, m->frame->host,
			      binding_column(binding, found->from->events, m->column));
	return value_known(now) ? "this column is of what has come together so far, of which no "
				  "past is kept: < and > draw others"
				: NULL;
}

/* Adds the curve of a row. A row that left the frame may still have a history, and keeps its
 * name. */
static void add_curve(const struct curve_builder *m, const struct row_id *id)
{
	struct curve *curve = &m->c->curve[m->c->n_curves++];
	const struct task gone = {.kind = id->kind, .id = id->id, .start_ns = id->start_ns};
	struct arena scratch = ARENA_INIT;
	struct frame_row found;
	struct past_row row = {m->frame->history,
			       &gone,
			       m->frame->sample->threads,
			       false,
			       id->kind->counts_members ? id : NULL,
			       m->frame};
	bool is_there;

	if (!same_row(id, &curve->of))
		*curve = (struct curve){.of = *id};
	is_there = frame_find_task(m->frame, id, &scratch, &found);
	if (is_there) {
		row.task = found.task;
		row.present = !found.task->dead;
		set_name(curve, found.task);
	}
	make_curve(m, curve, &row);
	if (m->c->n_curves == 1) {
		find_phases(m, &row);
		m->c->why = m->c->why ? m->c->why : empty_reason(&row, is_there ? &found : NULL);
		m->c->why =
			m->c->why ? m->c->why : unknown_reason(m, curve, is_there ? &found : NULL);
	}
	arena_done(&scratch);
}

/* Adds the curve of all tasks of the row's user, if it is known. */
static void add_user(const struct curve_builder *m, const struct row_id *of)
{
	const struct task gone = {.kind = of->kind, .id = of->id, .start_ns = of->start_ns};
	const struct history_track *track =
		history_find(m->frame->history, &gone, m->frame->sample->threads);
	const struct task *t = track ? history_track_task(track) : NULL;
	struct curve *curve = &m->c->curve[m->c->n_curves];
	struct strbuf name;
	struct row_id user;

	if (!t || !group_key_is_for(GROUP_USER, t->kind))
		return;
	user = past_sum_of_user(t);
	add_curve(m, &user);
	strbuf_init(&name);
	strbuf_addstr(&name, "all of ");
	text_add(&name, t->user);
	snprintf(curve->name, sizeof curve->name, "%s", name.text);
	strbuf_done(&name);
}

/* ---- all ---- */

static const char *no_curve_reason(const struct frame *frame, size_t column)
{
	if (!frame->history)
		return "no past is kept here";
	if (column == frame->screen->n_columns)
		return "this screen has no column of numbers";
	return history_first(frame->history) && frame->moment >= history_first(frame->history)
		       ? NULL
		       : "the history no longer covers this moment";
}

static void copy_times(const struct curve_builder *m)
{
	struct curves *c = m->c;

	c->wall_ns = arena_calloc(&c->arena, c->n, sizeof *c->wall_ns);
	for (size_t i = 0; i < c->n; i++)
		c->wall_ns[i] = history_moment(m->frame->history, c->first + (uint32_t)i)->wall_ns;
}

void curves_build(struct curves *c, const struct frame *frame, const struct row_id *of)
{
	const size_t column = curve_find_column(frame->screen, frame->view);
	const struct row_id *beside = &frame->view->graph.beside;
	const struct curve_builder m = {c, frame, column};

	arena_reset(&c->arena);
	c->n_curves = 0;
	c->phases = (struct phases){.n = 0};
	c->column = NULL;
	c->why = no_curve_reason(frame, column);
	if (c->why)
		return;
	c->column = &frame->screen->column[column];
	c->instructions = frame->view->graph.instructions;
	c->first = history_first(frame->history);
	c->n = frame->moment + 1 - c->first;
	copy_times(&m);
	add_curve(&m, of);
	if (frame->view->graph.user)
		add_user(&m, of);
	else if (beside->kind)
		add_curve(&m, beside);
}

void curves_done(struct curves *c)
{
	arena_done(&c->arena);
	memset(c, 0, sizeof *c);
}
