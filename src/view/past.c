/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "model/group_key.h"
#include "view/evaluate.h"
#include "view/row_filter.h"

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

bool past_sum_possible(const struct frame *frame, const struct row_id *group)
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

void past_each(const struct past_row *of, uint32_t from, size_t n, past_compute *ask,
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

void past_read(const struct past_row *of, struct binding *binding, size_t i, struct shown shown,
	       const struct host *host, uint32_t from, size_t n, struct value *out)
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
