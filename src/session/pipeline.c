/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/pipeline.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "model/fold_groups.h"
#include "model/rows.h"
#include "pmu/check/privilege.h"
#include "view/row_filter.h"
#include "view/view.h"

static void stage_init(struct stage *s)
{
	*s = (struct stage){.current = 0};
	delta_init(&s->processes);
	delta_init(&s->groups);
	retired_groups_init(&s->retired);
	dead_init(&s->dead);
	frame_init(&s->frame);
}

static void stage_done(struct stage *s)
{
	frame_done(&s->frame);
	dead_done(&s->dead);
	retired_groups_done(&s->retired);
	delta_done(&s->groups);
	delta_done(&s->processes);
}

void pipeline_init(struct pipeline *p, struct source *source, struct outputs *outputs)
{
	memset(p, 0, sizeof *p);
	p->source = source;
	p->outputs = outputs;
	for (int i = 0; i < PIPELINE_SAMPLES; i++)
		delta_init(&p->delta[i]);
	stage_init(&p->stage);
}

void pipeline_done(struct pipeline *p)
{
	history_free(p->history);
	changes_free(p->changes);
	stage_done(&p->stage);
	if (p->paused)
		stage_done(&p->ahead);
	for (int i = 0; i < PIPELINE_SAMPLES; i++) {
		delta_done(&p->delta[i]);
		sample_unref(p->sample[i]);
	}
}

void pipeline_keep_past(struct pipeline *p, size_t bytes)
{
	p->history = history_new(bytes);
	p->changes = changes_new();
}

/* Returns the delta of the stage's threads or processes. */
static const struct delta *delta_of(const struct pipeline *p, const struct stage *s)
{
	return p->sample[s->current]->threads ? &p->delta[s->current] : &s->processes;
}

const struct delta *pipeline_delta(const struct pipeline *p)
{
	return delta_of(p, &p->stage);
}

static void fold_stage(const struct pipeline *p, struct stage *s)
{
	if (!p->sample[s->current]->threads)
		fold_processes(&s->processes, &p->delta[s->current]);
}

/* If the user has set a mark, sets it again in a delta that has none, the first of a new
 * generation. */
static void renew_mark(struct pipeline *p, int i)
{
	if (p->marks && !p->delta[i].mark)
		delta_mark(&p->delta[i]);
}

/* Returns the stage that steps update. */
static struct stage *updated_stage(struct pipeline *p)
{
	return p->paused ? &p->ahead : &p->stage;
}

static void mark_stage(struct pipeline *p, struct stage *s)
{
	delta_mark(&p->delta[s->current]);
	retired_groups_mark(&s->retired);
	dead_mark(&s->dead);
	fold_stage(p, s);
}

/* If the user has set a new mark, sets it at the shown sample; and, while paused, at that of the
 * present; and at the newest sample, which may be the first of another generation. */
static void take_marks(struct pipeline *p, const struct view *view)
{
	if (p->marks == view->marks)
		return;
	p->marks = view->marks;
	mark_stage(p, &p->stage);
	if (p->paused)
		mark_stage(p, &p->ahead);
	if (p->newest != updated_stage(p)->current)
		delta_mark(&p->delta[p->newest]);
}

static void begin_pause(struct pipeline *p)
{
	stage_init(&p->ahead);
	p->ahead.current = p->stage.current;
	p->ahead.number = p->stage.number;
	p->ahead.moment = p->stage.moment;
	p->ahead.cost = p->stage.cost;
	p->ahead.cost_known = p->stage.cost_known;
	retired_groups_copy(&p->ahead.retired, &p->stage.retired);
	dead_copy(&p->ahead.dead, &p->stage.dead);
	fold_stage(p, &p->ahead);
	p->paused = true;
}

/* Shows the stage that continued, from now on. The frame of the old stage is kept, as it has the
 * positions of rows. */
static void end_pause(struct pipeline *p)
{
	const struct frame frame = p->stage.frame;

	frame_init(&p->stage.frame);
	stage_done(&p->stage);
	p->stage = p->ahead;
	frame_done(&p->stage.frame);
	p->stage.frame = frame;
	p->paused = false;
}

static void update_retired(struct pipeline *p, struct stage *s, const struct view *view)
{
	if (p->may_group || view->group != GROUP_PROCESS)
		retired_groups_update(&s->retired, delta_of(p, s), &view->filter,
				      view->show_cmdline, row_filter_test(view->row_filter));
}

static void keep_history(struct pipeline *p, struct stage *s)
{
	if (!p->history)
		return;
	history_add(p->history, delta_of(p, s));
	s->moment = history_last(p->history);
	changes_add(p->changes, delta_of(p, s), s->moment);
}

/* Returns the delta of rows: tasks or their groups. */
static const struct delta *row_delta(struct pipeline *p, struct stage *s, const struct view *view,
				     const struct screen *screen)
{
	const struct grouping by = {
		.key = view->group,
		.filter = &view->filter,
		.watch = view->watching ? &view->watch : NULL,
		.use_cmdline = view->show_cmdline,
		.test = row_filter_test(view->row_filter),
		.sticky = view->sticky,
		.only = view->few_facts ? screen->facts : FACT_NONE,
	};

	if (view->group == GROUP_PROCESS)
		return delta_of(p, s);
	/* The filters of the view may have changed since pipeline_step(). */
	update_retired(p, s, view);
	fold_groups(&s->groups, delta_of(p, s), &by, &s->retired);
	return &s->groups;
}

static bool is_held(const struct pipeline *p, int i)
{
	return i == p->stage.current || i == p->newest || (p->paused && i == p->ahead.current);
}

static int free_slot(const struct pipeline *p)
{
	int i = 0;

	while (p->begun && is_held(p, i))
		i++;
	return i;
}

uint64_t pipeline_collect(struct pipeline *p)
{
	const bool raised = privilege_raise();
	const uint64_t next_ns = p->source->ops->collect ? p->source->ops->collect(p->source) : 0;

	privilege_lower(raised);
	return next_ns;
}

static int take_sample(struct pipeline *p, int i, const struct view *view, struct err *err)
{
	bool raised;
	int ret;

	/* A sample to which an output still holds a reference must not be overwritten. */
	if (!p->sample[i] || p->sample[i]->refs > 1) {
		sample_unref(p->sample[i]);
		p->sample[i] = sample_new();
	}
	raised = privilege_raise();
	if (p->whole)
		command_total_look(p->whole);
	ret = p->source->ops->next(p->source, p->sample[i], err);
	if (p->whole && !ret)
		command_total_add_rows(p->whole, view->children || view->record_children,
				       p->sample[i]);
	privilege_lower(raised);
	return ret;
}

/* Releases all samples other than `old` that are neither shown nor needed for the next delta; so
 * readings that no remaining sample shares are freed. */
static void drop_others(struct pipeline *p, int old)
{
	for (int i = 0; i < PIPELINE_SAMPLES; i++)
		if (!is_held(p, i) && i != old && p->sample[i]) {
			delta_done(&p->delta[i]);
			delta_init(&p->delta[i]);
			sample_unref(p->sample[i]);
			p->sample[i] = NULL;
		}
}

/* Maximum number of samples that a step takes to begin a generation. A sample may be the last of
 * its generation at once, as the plan of the counters may be dropped right after it. */
#define START_TRIES 3

/* If the newest sample is the last of its generation, takes the first sample of the next one. If
 * that fails, the next step takes it. */
static int start_generation(struct pipeline *p, const struct view *view, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < START_TRIES && !ret && p->sample[p->newest]->last; i++) {
		int next = free_slot(p);
		struct err why = ERR_INIT;

		if (take_sample(p, next, view, &why))
			return 0;
		delta_compute(&p->delta[next], NULL, NULL, p->sample[next]);
		renew_mark(p, next);
		p->newest = next;
		ret = outputs_sample(p->outputs, p->sample[next], err);
	}
	return ret;
}

/* Returns whether the use of CPUs and memory is shown or recorded. */
static bool shows_machine(const struct pipeline *p, const struct view *view)
{
	return !(view->hidden & PART_BIT(PART_METERS)) || outputs_want_machine_use(p->outputs);
}

int pipeline_step(struct pipeline *p, const struct view *view, struct err *err)
{
	struct stage *stage = updated_stage(p);
	int old = p->newest, new = free_slot(p);
	int ret;

	if (p->source->ops->watch_machine)
		p->source->ops->watch_machine(p->source, shows_machine(p, view));
	ret = take_sample(p, new, view, err);
	if (ret)
		return ret;
	if (!view->sticky || p->sample[new]->generation != p->sample[stage->current]->generation)
		dead_reset(&stage->dead);
	else if (p->begun)
		dead_collect(&stage->dead, delta_of(p, stage));
	delta_compute(&p->delta[new], p->begun ? &p->delta[old] : NULL,
		      p->begun ? p->sample[old] : NULL, p->sample[new]);
	renew_mark(p, new);
	stage->current = p->newest = new;
	stage->number = p->number;
	p->begun = true;
	fold_stage(p, stage);
	keep_history(p, stage);
	/* A row filter needs the screen, so show() calls this in place of the step. */
	if (!view->row_filter)
		update_retired(p, stage, view);
	ret = outputs_sample(p->outputs, p->sample[new], err);
	if (!ret)
		ret = start_generation(p, view, err);
	drop_others(p, old);
	return ret;
}

void pipeline_follow(struct pipeline *p, struct command_total *whole)
{
	p->whole = whole;
	command_total_begin_rows(whole, p->sample[p->newest]);
}

void pipeline_restart(struct pipeline *p)
{
	const struct pipeline old = *p;

	p->history = NULL;
	p->changes = NULL;
	pipeline_done(p);
	pipeline_init(p, old.source, old.outputs);
	p->history = old.history;
	p->changes = old.changes;
	if (p->history) {
		history_reset(p->history);
		changes_reset(p->changes);
	}
	p->whole = old.whole;
	p->may_group = old.may_group;
	p->marks = old.marks;
	p->number = old.number;
	p->cpu_ns = old.cpu_ns;
	p->mono_ns = old.mono_ns;
}

void pipeline_measure(struct pipeline *p)
{
	uint64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID), mono_ns = clock_ns(CLOCK_MONOTONIC);
	struct own_cost *cost = &updated_stage(p)->cost;
	struct source_cost looked;

	p->source->ops->cost(p->source, &looked);
	cost->tasks = looked.tasks;
	cost->ran = looked.ran;
	cost->reads = looked.reads;
	cost->groups = looked.groups;
	cost->n_fds = (size_t)looked.descriptors;
	if (p->mono_ns) {
		cost->cpu_us = (double)(cpu_ns - p->cpu_ns) / 1e3;
		cost->share_pct =
			100 * (double)(cpu_ns - p->cpu_ns) / (double)(mono_ns - p->mono_ns);
		updated_stage(p)->cost_known = true;
	}
	p->cpu_ns = cpu_ns;
	p->mono_ns = mono_ns;
}

static const struct frame *show(struct pipeline *p, struct stage *s, struct binding *binding,
				const struct view *view)
{
	if (view->row_filter) {
		binding->shown = view_shown(view);
		row_filter_begin(view->row_filter, binding, p->sample[s->current],
				 view->show_cmdline);
		update_retired(p, s, view);
	}
	frame_build(&s->frame, binding, view, row_delta(p, s, view, binding->screen), &s->dead,
		    s->number);
	s->frame.use = &p->delta[s->current].use;
	s->frame.least_share = delta_least_share(&p->delta[s->current]);
	s->frame.history = p->history;
	s->frame.changes = p->changes;
	s->frame.moment = s->moment;
	s->frame.cost = s->cost_known ? &s->cost : NULL;
	return &s->frame;
}

const struct frame *pipeline_show(struct pipeline *p, struct binding *binding,
				  const struct view *view)
{
	if (p->paused && !view->paused)
		end_pause(p);
	take_marks(p, view);
	if (view->paused && !p->paused)
		begin_pause(p);
	return show(p, &p->stage, binding, view);
}

void pipeline_end_pause(struct pipeline *p, struct view *view)
{
	view->paused = false;
	if (p->paused)
		end_pause(p);
}

const struct frame *pipeline_show_ahead(struct pipeline *p, struct binding *binding,
					const struct view *view)
{
	return show(p, &p->ahead, binding, view);
}

/* ---- unseen note ---- */

/* Refreshes in a row after which unseen CPU time becomes a note, and for which the note stays: so
 * the table does not move with each burst of short tasks. */
#define UNSEEN_IN_A_ROW 2
#define UNSEEN_STAYS    5

const char *unseen_note_update(struct unseen_note *note, const struct pipeline *p,
			       const char *advice)
{
	const uint64_t number = p->stage.number;
	struct unseen u;

	if (note->number != number) {
		u = unseen_compute(pipeline_delta(p));
		note->number = number;
		note->in_a_row = unseen_matters(&u) ? note->in_a_row + 1 : 0;
		if (note->in_a_row >= UNSEEN_IN_A_ROW) {
			snprintf(note->text, sizeof note->text,
				 "%.1f CPUs ran tasks too short to have a row%s",
				 u.unseen.number / 100, advice);
			note->until = number + UNSEEN_STAYS;
		}
	}
	return number <= note->until ? note->text : "";
}
