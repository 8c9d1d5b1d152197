/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/curve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "model/group_key.h"
#include "model/history.h"
#include "view/evaluate.h"
#include "view/row_filter.h"
#include "view/view.h"

/* ---- sum ---- */

/* A member with records in the moments to read. */
struct member {
	struct history_walk walk;
	uint32_t next; /* moment of its next record; 0: none */
	bool fresh;    /* the next record has no numbers */
};

struct sum {
	const struct frame *frame;
	const struct row_id *group;
	enum group_key key;
	const struct row_test *test;
	uint32_t from;
	uint32_t unknown; /* up to this moment nothing is known */
	struct member *member;
	size_t n, cap;
	struct arena arena; /* reset for each moment */
};

/* ---- members ---- */

static enum group_key key_of(const struct row_id *group)
{
	int key = GROUP_PROCESS + 1;

	while (key < N_GROUP_KEYS && group_key_table[key].kind != group->kind)
		key++;
	return (enum group_key)key;
}

static uint64_t text_of(const struct kind *kind, const char *text)
{
	return kind->id_is_text ? hash_text(text, strlen(text)) : 0;
}

static struct row_id row_id_of_group(const struct kind *kind, struct group_id id)
{
	return (struct row_id){kind, id.number, id.number, 0, text_of(kind, id.text)};
}

struct row_id past_sum_of_user(const struct task *task)
{
	const struct group_key_row *key = &group_key_table[GROUP_USER];

	return row_id_of_group(key->kind, key->of(task));
}

static bool is_member(const struct sum *s, const struct task *t)
{
	const struct group_key_row *key = &group_key_table[s->key];
	const struct view *view = s->frame->view;
	struct row_id id;

	if (t->kind->counts_members || !group_key_is_for(s->key, t->kind) ||
	    !filter_match(&view->filter, t, view->show_cmdline))
		return false;
	id = row_id_of_group(key->kind, key->of(t));
	return id.id == s->group->id && id.text == s->group->text &&
	       (!s->test || s->test->ask(s->test->context, t, NULL) == TRI_TRUE);
}

static bool is_start(const struct sum *s, uint32_t moment)
{
	return !history_moment(s->frame->history, moment)->interval_ns;
}

/* Looks at the next record of a member. What the member did before a fresh record is unknown,
 * unless counting restarted for all. */
static void look_ahead(struct sum *s, struct member *m)
{
	m->next = history_walk_peek(&m->walk, &m->fresh);
	if (m->next && m->fresh && !is_start(s, m->next) && m->next > s->unknown)
		s->unknown = m->next;
}

static void take_member(void *context, const struct history_track *track)
{
	struct sum *s = context;
	const struct task *t = history_track_task(track);
	struct member *m;

	if (history_track_is_thread(track) != s->frame->sample->threads || !is_member(s, t))
		return;
	if (history_track_cut(track) > s->unknown)
		s->unknown = history_track_cut(track);
	s->member = xgrow(s->member, &s->cap, s->n + 1, sizeof *s->member);
	m = &s->member[s->n];
	*m = (struct member){.next = 0};
	history_walk_begin(&m->walk, track, s->from, t);
	look_ahead(s, m);
	s->n += m->next != 0;
}

/* ---- values ---- */

static void go_on(struct sum *s, struct member *m)
{
	history_walk_next(&m->walk);
	look_ahead(s, m);
}

/* Moves all members to their last records before a moment. */
static void go_to(struct sum *s, uint32_t moment)
{
	for (size_t i = 0; i < s->n; i++)
		while (s->member[i].next && s->member[i].next < moment)
			go_on(s, &s->member[i]);
}

/* Sums up a moment. Returns false if no member has done anything so far. */
static bool fold(struct sum *s, uint32_t moment, struct delta_row *row)
{
	struct folding f = {.arena = &s->arena,
			    .joins = fold_joins(s->frame->delta),
			    .interval_ns = history_moment(s->frame->history, moment)->interval_ns,
			    .facts = fact_numbers,
			    .keeps_ended = true};
	struct member *known = NULL;
	struct fold_sum sum;
	size_t n = 0;

	fold_sum_begin(&sum, &f, row, s->group->kind, (struct fold_id){s->group->id, ""});
	for (size_t i = 0; i < s->n; i++) {
		struct member *m = &s->member[i];

		if (m->next == moment)
			go_on(s, m);
		if (m->walk.moment == moment && !m->walk.fresh) {
			fold_sum_add(&sum, &m->walk.row);
			n++;
		}
		if (m->walk.moment && !m->walk.fresh)
			known = m;
	}
	if (!n && known) {
		history_walk_idle(&known->walk, f.interval_ns);
		fold_sum_add(&sum, &known->walk.row);
	}
	fold_sum_end(&sum);
	folding_done(&f);
	return known;
}

static void begin(struct sum *s)
{
	const struct view *view = s->frame->view;

	s->test = row_filter_test(view->row_filter);
	s->unknown = history_lost(s->frame->history);
	history_each(s->frame->history, take_member, s);
}

static void end(struct sum *s)
{
	for (size_t i = 0; i < s->n; i++)
		history_walk_done(&s->member[i].walk);
	free(s->member);
	arena_done(&s->arena);
}

/* Returns whether the members of this group can be found in the history; false if the filter
 * depends on numbers. */
static bool past_sum_possible(const struct frame *frame, const struct row_id *group)
{
	const struct row_test *test = row_filter_test(frame->view->row_filter);

	return key_of(group) < N_GROUP_KEYS && (!test || test->of_task);
}

void past_sum_each(const struct frame *frame, const struct row_id *group, uint32_t from, size_t n,
		   past_compute *ask, const void *context, struct value *out)
{
	struct sum s = {.frame = frame, .group = group, .key = key_of(group), .from = from};

	for (size_t k = 0; k < n; k++)
		out[k] = value_none(QUALITY_NOT_READ);
	if (!past_sum_possible(frame, group))
		return;
	begin(&s);
	go_to(&s, from);
	for (uint32_t at = from; at < from + n; at++) {
		/* fold() may find that the sum is unknown up to a later moment; the sum of this
		 * moment is still known then. */
		const uint32_t unknown = s.unknown;
		struct delta_row row;

		arena_reset(&s.arena);
		if (fold(&s, at, &row) && at > unknown && !is_start(&s, at))
			out[at - from] = ask(context, &row);
	}
	end(&s);
}

/* ---- past ---- */

/* The row whose past is read. */
struct past_row {
	const struct history *history;
	const struct task *task;
	bool threads; /* rows are threads */
	bool present; /* the row is in the last moment: since its last record it was idle */
	/* For a group its identity, and the frame whose view selects its members; else NULL. See
	 * past_sum_possible(). */
	const struct row_id *group;
	const struct frame *frame;
};

/* A request: the value to compute, the moments, and the result. */
struct reading {
	past_compute *ask;
	const void *context;
	uint32_t from, to; /* from `from` to before `to` */
	struct value *out;
};

/* Fills the moments from a record to before `to`, in which the row was idle. */
static void fill_idle(const struct reading *r, struct history_walk *w, const struct history *h,
		      uint32_t to)
{
	uint32_t at = w->moment + 1 > r->from ? w->moment + 1 : r->from;
	struct value idle;

	to = to < r->to ? to : r->to;
	if (at >= to)
		return;
	history_walk_idle(w, history_moment(h, at)->interval_ns);
	idle = r->ask(r->context, &w->row);
	for (; at < to; at++)
		if (history_moment(h, at)->interval_ns)
			r->out[at - r->from] = idle;
}

/* Fills out[n] with what ask() returns for n moments, the first of which is `from`. */
static void past_each(const struct past_row *of, uint32_t from, size_t n, past_compute *ask,
		      const void *context, struct value *out)
{
	const struct reading r = {ask, context, from, from + (uint32_t)n, out};
	const struct history_track *track;
	struct history_walk w = {.cap = 0};

	if (of->group) {
		past_sum_each(of->frame, of->group, from, n, ask, context, out);
		return;
	}
	track = history_find(of->history, of->task, of->threads);
	for (size_t k = 0; k < n; k++)
		out[k] = value_none(QUALITY_NOT_READ);
	history_walk_begin(&w, track, from, of->task);
	while (history_walk_next(&w) && w.moment < r.to) {
		bool fresh;
		const uint32_t next = history_walk_peek(&w, &fresh);

		if (w.fresh)
			continue;
		if (w.moment >= from)
			out[w.moment - from] = ask(context, &w.row);
		if (next && !fresh)
			fill_idle(&r, &w, of->history, next);
		else if (!next && of->present)
			fill_idle(&r, &w, of->history, history_last(of->history) + 1);
	}
	history_walk_done(&w);
}

/* A column of a bound screen. */
struct cell {
	struct binding *binding;
	size_t column;
	struct shown shown;
	const struct host *host;
};

static struct value ask_cell(const void *context, const struct delta_row *row)
{
	const struct cell *c = context;

	return evaluate_column(&c->binding->screen->column[c->column], c->shown, row, c->host,
			       binding_column(c->binding, row->events, c->column));
}

/* Sets out to the values of column i of the bound screen. */
static void past_read(const struct past_row *of, struct binding *binding, size_t i,
		      struct shown shown, const struct host *host, uint32_t from, size_t n,
		      struct value *out)
{
	const struct cell cell = {binding, i, shown, host};

	past_each(of, from, n, ask_cell, &cell, out);
}

void past_read_last(const struct frame *frame, const struct frame_row *row, size_t i, size_t n,
		    struct value *out)
{
	const struct row_id id = row_id_of(row->task);
	const struct past_row of = {frame->history,
				    row->task,
				    frame->sample->threads,
				    !row->task->dead,
				    row->task->kind->counts_members ? &id : NULL,
				    frame};
	const uint32_t first = frame->history ? history_first(frame->history) : 0;
	/* A paused frame may show a moment that is not kept any more. */
	const size_t kept = first && frame->moment >= first ? frame->moment + 1 - first : 0;
	/* The history does not know which rows a collapsed row had. */
	const size_t m = row->collapsed ? 0 : kept < n ? kept : n;

	for (size_t k = 0; k < n - m; k++)
		out[k] = value_none(QUALITY_NOT_READ);
	if (m)
		past_read(&of, frame->binding, i, view_shown(frame->view), frame->host,
			  frame->moment + 1 - (uint32_t)m, m, out + n - m);
}

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
	m->c->why = "no instructions of this task were counted: press " KEY_OF(
		"graph-axis") " to draw over time, or show a screen with IPC";
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
		return "a collapsed row has no history: press " KEY_OF("expand") " to expand it";
	return found->from->fresh ? "this task is seen for the first time"
				  : "this task has not run since tiptop first saw it";
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
	strbuf_addf(&text,
		    "%s: %s; " KEY_OF("graph-column-left") " " KEY_OF(
			    "graph-column-right") " draw others",
		    header, quality_table[curve->v[last].quality].text);
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
	return value_known(now)
		       ? "this column is a total so far, and has no history: " KEY_OF(
				 "graph-column-left") " and " KEY_OF("graph-column-right") " select"
											   " other "
											   "columns"
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
	curve->ended = id->kind->pid && !row.present;
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
