/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: the unscaled counts of events. */
#include "view/page.h"

#include "base/mem.h"
#include "model/rows.h"
#include "view/frame.h"
#include "view/row_filter.h"

/* Returns the index in `set` of an event of another set; -1: none. */
static int find_event(const struct sample_events *set, const struct sample_events *from, int event)
{
	if (set == from)
		return event;
	for (int i = 0; i < sample_events_n(set); i++)
		if (sample_event_equal(&set->event[i], &from->event[event]))
			return i;
	return -1;
}

/* Returns whether the task is in the current sample; always true for a group. */
static bool is_in_sample(const struct frame *frame, const struct frame_row *row)
{
	const struct sample *sample = frame->sample;
	bool present = row->task->kind->counts_members;

	for (size_t i = 0; i < sample->n && !present; i++)
		present = sample->task[i] == row->task;
	return present;
}

/* The events to read, and where to store them. */
struct reader {
	const struct sample *sample;
	const struct sample_events *events;
	int first, n;
	struct raw_count *out;
};

static void add_count(struct raw_count *raw, const struct task *t, int event)
{
	if (event < 0 || t->unread >> event & 1)
		return;
	raw->sum.value += t->count[event].value;
	raw->sum.enabled_ns += t->count[event].enabled_ns;
	raw->sum.running_ns += t->count[event].running_ns;
	raw->n++;
}

static void add_task(const struct reader *r, const struct task *t)
{
	for (int k = 0; t->count && k < r->n; k++)
		add_count(&r->out[k], t, find_event(t->events, r->events, r->first + k));
}

static void add_item(void *context, const struct rows_item *item)
{
	const struct reader *r = context;

	for (size_t i = item->first; i < item->first + item->n; i++)
		add_task(r, r->sample->task[i]);
}

/* Returns whether an item passes the filters, and so is a member of its group, as in
 * model/fold_groups.c. */
static bool has_passed(const struct frame *frame, const struct rows_item *item,
		       struct arena *scratch)
{
	const struct view *view = frame->view;
	struct row_filter *filter = view->row_filter;
	const struct delta_row *row = item->row;

	if (!filter_match(&view->filter, item->task, view->show_cmdline))
		return false;
	if (!filter)
		return true;
	if (!row && !row_filter_is_of_task(filter))
		row = rows_idle(frame->delta->threads, item, scratch);
	return row_filter_match(filter, item->task, row) == TRI_TRUE;
}

static void add_members(const struct reader *r, const struct frame *frame, const struct task *group)
{
	const struct group_key_row *key = &group_key_table[frame->view->group];
	const struct group_id id = {.number = group->id, .text = group->name};
	struct arena scratch = ARENA_INIT;

	for (struct rows_item item = {.n = 0}; rows_next(frame->delta->threads, &item);) {
		if (!group_id_compare(key->of(item.task), id) && has_passed(frame, &item, &scratch))
			add_item((void *)r, &item);
		arena_reset(&scratch);
	}
	arena_done(&scratch);
}

/* Adds the thread, or all threads of the process. */
static void add_own(const struct reader *r, const struct task *of)
{
	for (size_t i = 0; i < r->sample->n; i++) {
		const struct task *t = r->sample->task[i];

		if (r->sample->threads ? t == of : task_has_owner(t, task_owner(of)))
			add_task(r, t);
	}
}

void raw_read(const struct frame *frame, const struct frame_row *row, int first, int n,
	      struct raw_count *out)
{
	struct reader r = {frame->sample, row->from->events, first, n, out};
	const bool present = is_in_sample(frame, row);

	for (int k = 0; k < n; k++)
		out[k] = (struct raw_count){.present = present};
	if (row->collapsed)
		frame_tree_each(frame, row, add_item, &r);
	else if (frame->delta->groups)
		add_members(&r, frame, row->task);
	else if (present)
		add_own(&r, row->task);
}

const char *raw_why_none(const struct frame_row *row, const struct raw_count *raw)
{
	if (!raw->present)
		return "no reading is kept of a task that has ended";
	if (row->task->counting == COUNT_IDLE)
		return "its counter is opened when the task runs";
	if (row->task->counting != COUNT_OK && row->task->counting != COUNT_WHOLE)
		return quality_table[count_state_quality(row->task->counting)].text;
	return "it could not be read";
}
