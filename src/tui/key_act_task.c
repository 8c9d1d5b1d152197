/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of key_act: what is done to tasks: the tagged ones, or that of the current row. */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "tui/key_act.h"
#include "tui/live.h"

static void add(struct ui_state *ui, int32_t pid, uint64_t id, uint64_t start_ns, bool threads)
{
	ui->tasks = xgrow(ui->tasks, &ui->cap_tasks, ui->n_tasks + 1, sizeof *ui->tasks);
	ui->tasks[ui->n_tasks++] = (struct live_task){
		.pid = pid, .id = (int32_t)id, .start_ns = start_ns, .whole = !threads};
}

/* Writes what prompts say of them. */
static void name_subject(struct ui_state *ui, const struct task *current)
{
	const struct sample *sample = ui->frame ? ui->frame->sample : NULL;
	const struct task *one =
		ui->tags.n && sample ? tags_find_task(&ui->tags.v[0], sample) : current;
	char *out = ui->ask.subject;

	if (ui->n_tasks > 1)
		snprintf(out, sizeof ui->ask.subject, "%zu tagged tasks", ui->n_tasks);
	else if (ui->n_tasks)
		snprintf(out, sizeof ui->ask.subject, "%" PRId32 " %s", ui->tasks[0].id,
			 one ? one->name : "");
	else
		*out = '\0';
}

/* Collects them. False: there is none, and a sentence says why. */
static bool collect(struct ui_state *ui, const struct view *view)
{
	const struct frame_row *row = ui->frame ? cursor_subject(&ui->cursor, ui->frame) : NULL;
	const struct task *t = row ? row->task : NULL;
	char text[128];

	ui->n_tasks = 0;
	for (size_t i = 0; i < ui->tags.n; i++) {
		const struct row_id *id = &ui->tags.v[i];

		add(ui, (int32_t)id->owner, id->id, id->start_ns, view->threads);
	}
	if (ui->n_tasks) {
		name_subject(ui, NULL);
		return true;
	}
	if (t && !t->kind->pid) {
		snprintf(text, sizeof text, "a %s is no task: g shows tasks one by one again",
			 t->kind->name);
		ask_message(&ui->ask, text);
		return false;
	}
	if (t && !t->dead)
		add(ui, t->kind->pid(t), t->id, t->start_ns, view->threads);
	name_subject(ui, t);
	return true;
}

/* Asks for the tasks to be held while the user types. */
static unsigned hold(const struct key_row *row, struct ui_state *ui, enum request_kind then, int by)
{
	ui->ask.ready = (struct request){.kind = REQUEST_HOLD, .then = then, .signal = by};
	return row->reaction | REACT_REQUEST;
}

unsigned act_signal(const struct key_row *row, struct ui_state *ui, struct view *view,
		    const struct screen_list *screens)
{
	(void)screens;
	if (!collect(ui, view))
		return REACT_PAINT;
	ui->ask.victim = ui->n_tasks ? ui->tasks[0].pid : 0;
	ask_open(&ui->ask, ui->tags.n ? REQUEST_KILL_TAGGED : REQUEST_KILL, view);
	ui->ask.draft.offered = ui->ask.victim;
	return ui->n_tasks ? hold(row, ui, REQUEST_KILL, 0) : row->reaction;
}

static unsigned begin(const struct key_row *row, struct ui_state *ui, const struct view *view,
		      enum request_kind then, int by)
{
	if (!collect(ui, view))
		return REACT_PAINT;
	if (!ui->n_tasks) {
		ask_message(&ui->ask, ui->frame && ui->frame->n
					      ? "the task in the current row has ended"
					      : "there is no row");
		return REACT_PAINT;
	}
	return hold(row, ui, then, by);
}

unsigned act_nice(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	return begin(row, ui, view, row->arg ? REQUEST_NICE_BY : REQUEST_NICE, (int)row->arg);
}

unsigned act_cpus(const struct key_row *row, struct ui_state *ui, struct view *view,
		  const struct screen_list *screens)
{
	(void)screens;
	return begin(row, ui, view, REQUEST_CPUS, 0);
}
