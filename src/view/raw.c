/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/raw.h"

/* Which of its events one of another set is; -1: none. */
static int find_event(const struct sample_events *set, const struct sample_events *from, int event)
{
	if (set == from)
		return event;
	for (int i = 0; i < sample_events_n(set); i++)
		if (sample_event_equal(&set->event[i], &from->event[event]))
			return i;
	return -1;
}

/* Whether the task, or those of the group, are in the present sample. */
static bool is_present(const struct frame *frame, const struct frame_row *row)
{
	const struct sample *sample = frame->sample;
	bool present = row->task->kind->counts_members;

	for (size_t i = 0; i < sample->n && !present; i++)
		present = sample->task[i] == row->task;
	return present;
}

/* Who is a member of a group: the thread, or the process that task i belongs to. */
static const struct task *member_of(const struct sample *sample, size_t i)
{
	const struct owner owner = task_owner(sample->task[i]);
	size_t k = i;

	if (sample->threads)
		return sample->task[i];
	while (k > 0 && task_has_owner(sample->task[k - 1], owner))
		k--;
	for (; k < sample->n && task_has_owner(sample->task[k], owner); k++)
		if (task_is_leader(sample->task[k]))
			return sample->task[k];
	return sample->task[i];
}

/* Whether task i is one of those that the row is of. */
static bool is_behind(const struct frame *frame, const struct task *of, size_t i)
{
	const struct sample *sample = frame->sample;
	const struct view *view = frame->view;
	const struct task *t = sample->task[i];

	if (!of->kind->counts_members)
		return sample->threads ? t == of : task_has_owner(t, task_owner(of));
	t = member_of(sample, i);
	return !group_id_compare(group_key_table[view->group].of(t),
				 (struct group_id){of->id, of->name}) &&
	       filter_match(&view->filter, t, view->show_cmdline);
}

static void add_count(struct raw *raw, const struct task *t, int event)
{
	if (event < 0 || t->unread >> event & 1)
		return;
	raw->sum.value += t->count[event].value;
	raw->sum.enabled_ns += t->count[event].enabled_ns;
	raw->sum.running_ns += t->count[event].running_ns;
	raw->n++;
}

void raw_read(const struct frame *frame, const struct frame_row *row, int first, int n,
	      struct raw *out)
{
	const struct sample *sample = frame->sample;
	const bool present = is_present(frame, row);

	for (int k = 0; k < n; k++)
		out[k] = (struct raw){.present = present};
	for (size_t i = 0; present && i < sample->n; i++) {
		const struct task *t = sample->task[i];
		const bool counts = t->count && is_behind(frame, row->task, i);

		for (int k = 0; counts && k < n; k++)
			add_count(&out[k], t, find_event(t->events, row->from->events, first + k));
	}
}

const char *raw_why_none(const struct frame_row *row, const struct raw *raw)
{
	if (!raw->present)
		return "no reading is kept of a task that has ended";
	if (row->task->counting == COUNT_IDLE)
		return "it is opened when the task runs";
	if (row->task->counting != COUNT_OK)
		return quality_table[count_state_quality(row->task->counting)].text;
	return "it could not be read";
}
