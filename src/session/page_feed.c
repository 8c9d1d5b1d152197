/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/page_feed.h"

#include <inttypes.h>

#include "collect/task/procfs.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "pmu/check/privilege.h"
#include "session/summary_feed.h"
#include "session/verdict_engine.h"
#include "view/interference.h"
#include "view/row_filter.h"

/* ---- paging ---- */

/* Binds all screens for the page. Does so again only after a change of the current screen or of the
 * modes of counting: then columns that were left out of a screen may be available. */
static void bind_all(struct paging *p, struct setup *s)
{
	if (p->bound.n && p->present == s->display.view.screen &&
	    p->bound.kernel == s->display.view.kernel)
		return;
	bound_screens_done(&p->bound);
	bound_screens_make(&p->bound, s, (const struct screen *const *)s->config.screens.v,
			   s->config.screens.n);
	p->present = s->display.view.screen;
}

static void close_page(struct paging *p)
{
	bound_screens_done(&p->bound);
	page_done(&p->page);
	curves_done(&p->curves);
	detail_done(&p->detail);
	task_unref(p->task);
	*p = (struct paging){.asked = p->asked};
}

/* Keeps the last reading of the row: with it, the source can read details even after the row has
 * left the samples. */
static void store_task(struct paging *p, const struct frame *frame)
{
	struct arena scratch = ARENA_INIT;
	struct frame_row row;

	if (frame_find_task(frame, &p->page.of, &scratch, &row) && row.task != p->task) {
		task_unref(p->task);
		p->task = task_ref(row.task);
	}
	arena_done(&scratch);
}

static void read_detail(struct paging *p, struct setup *s, const struct frame *frame)
{
	const bool all = p->asked != s->display.view.page_requests;
	bool raised;

	if (!s->backend.source->ops->detail || !p->task || !p->task->kind->pid ||
	    (!all && p->number == frame->number))
		return;
	raised = privilege_raise();
	s->backend.source->ops->detail(s->backend.source, p->task,
				       DETAIL_MEMORY | DETAIL_RESCTRL | (all ? DETAIL_LIMITS : 0),
				       &p->detail);
	privilege_lower(raised);
	p->has_detail = true;
}

/* Returns the verdicts about the row; NULL: the row is not a single task, or the frame has no
 * interval. */
static const struct verdict_lines *judge(struct paging *p, struct display *display,
					 const struct frame *frame)
{
	const struct verdict_lines *lines = NULL;
	struct arena scratch = ARENA_INIT;
	struct frame_row row;

	if (frame_find_task(frame, &p->page.of, &scratch, &row) && row.task->kind == &kind_task &&
	    frame->interval_ns)
		lines = verdict_engine_explain(display->verdict_engine, frame->sample, row.from,
					       p->has_detail ? &p->detail : NULL);
	arena_done(&scratch);
	return lines;
}

static bool same_row(const struct row_id *x, const struct row_id *y)
{
	return x->kind == y->kind && x->id == y->id && x->start_ns == y->start_ns &&
	       x->text == y->text;
}

bool paging_find(const struct frame *frame, uint64_t id, struct row_id *out)
{
	struct rows_item item = {.n = 0};

	while (rows_next(frame->delta, &item))
		if (task_number(item.task) == id && !item.task->kind->id_is_text) {
			*out = row_id_of(item.task);
			return true;
		}
	return false;
}

const struct curves *paging_curves(const struct paging *p, const struct frame *frame)
{
	return p->page.of.kind && frame->history ? &p->curves : NULL;
}

const struct page *paging_update(struct paging *p, struct setup *s, const struct frame *frame)
{
	const struct row_id *of = &s->display.view.page;
	const struct verdict_lines *lines;

	if (!of->kind || !same_row(of, &p->page.of))
		close_page(p);
	if (!of->kind)
		return NULL;
	if (!p->page.of.kind)
		page_reset(&p->page, of);
	bind_all(p, s);
	store_task(p, frame);
	read_detail(p, s, frame);
	p->asked = s->display.view.page_requests;
	p->number = frame->number;
	if (frame->history)
		curves_build(&p->curves, frame, of);
	lines = judge(p, &s->display, frame);
	page_build(&p->page, &(struct page_input){
				     .frame = frame,
				     .screen = p->bound.screen,
				     .n_screens = p->bound.n,
				     .no_counters = backend_no_counters(&s->backend),
				     .detail = p->has_detail ? &p->detail : NULL,
				     .curves = paging_curves(p, frame),
				     .verdict = lines ? lines->v : NULL,
				     .n_verdicts = lines ? lines->n : 0,
			     });
	return &p->page;
}

void paging_done(struct paging *p)
{
	close_page(p);
}

/* ---- story_feed ---- */

/* A change is examined this many refreshes after it was seen: by then its possible causes are
 * known. */
#define WAIT_MOMENTS 16

/* The most programs and verdicts on the page of the live screen. */
#define ROWS 20

void story_feed_begin(struct story *story, const struct setup *s)
{
	story_init(story, verdict_engine_rules(s->display.verdict_engine));
	story->no_counters = backend_no_counters(&s->backend);
}

/* Judges a row and adds it; then passes it to `watch`, unless that is NULL. */
static void add_row(struct story *story, struct display *display, const struct sample *sample,
		    const struct story_row *in,
		    void (*watch)(void *context, const struct story_row *row), void *context)
{
	struct story_row row = *in;
	struct verdict_findings judged;

	if (row.row->task->kind == &kind_task && story_wants_verdict(row.row)) {
		verdict_engine_find(display->verdict_engine, sample, row.row, row.thread, &judged);
		row.cell = judged.cell;
		row.found = judged.found;
		row.n_found = judged.n;
	}
	story_row(story, &row);
	if (watch)
		watch(context, &row);
}

/* Returns whether rows of this kind are part of stories: tasks, and the rest of a command, whose
 * counts are in no other row. */
static bool is_in_story(const struct kind *kind)
{
	return kind == &kind_task || kind == &kind_rest;
}

static bool passes(const struct display *display, const struct delta_row *row)
{
	return is_in_story(row->task->kind) &&
	       filter_match(&display->view.filter, row->task, display->view.show_cmdline) &&
	       (!display->row_filter ||
		row_filter_match(display->row_filter, row->task, row) == TRI_TRUE);
}

static struct story_time time_of(const struct history *h, uint32_t moment)
{
	return (struct story_time){.moment = moment, .wall_ns = history_moment(h, moment)->wall_ns};
}

/* Adds the exit status of a child, if known. */
static void add_child_exit(struct story *story, const struct task *t, struct story_time at)
{
	int64_t how;

	if (!t->dead || !fact_in(t->known, FACT_EXIT))
		return;
	how = (int64_t)task_fact(t, FACT_EXIT);
	story_exit(story, &(struct story_exit){.at = at,
					       .id = t->id,
					       .name = t->process,
					       .signal = how < 0 ? (int)-how : 0,
					       .status = how < 0 ? 0 : (int)how});
}

/* ---- changes ---- */

static void add_change(struct story *story, const struct interference_input *in, size_t i)
{
	const struct change *c = changes_at(in->changes, i);
	struct interference found;
	struct strbuf text;

	if (c->kind == CHANGE_BEGAN || c->moment < history_first(in->history))
		return;
	story_change(story, &(struct story_change){
				    .at = time_of(in->history, c->moment),
				    .id = c->of.id,
				    .name = c->name,
				    .before = c->before,
				    .after = c->after,
				    .likelier = c->likelier,
				    .of = c->kind == CHANGE_IPC ? STORY_IPC : STORY_CPU,
			    });
	if (!story->no_culprit)
		story->no_culprit = interference_missing(in, i);
	if (!interference_find(&found, in, i))
		return;
	strbuf_init(&text);
	strbuf_addf(&text, "%" PRIu64 " %s: ", c->of.id, c->name);
	interference_describe(&text, &found);
	strbuf_addstr(&text, "; ");
	interference_explain(&text, &found);
	story_note(story, &(struct story_note){.at = time_of(in->history, c->moment),
					       .of = c->name,
					       .text = text.text,
					       .id = interference_id(&found)});
	strbuf_done(&text);
}

/* Adds the changes seen at the moments from..to. */
static void add_changes(struct story *story, const struct interference_input *in, uint32_t from,
			uint32_t to)
{
	for (size_t i = 0; i < changes_n(in->changes); i++) {
		const uint32_t seen = changes_at(in->changes, i)->seen;

		if (seen >= from && seen <= to)
			add_change(story, in, i);
	}
}

static struct interference_input input_of(const struct pipeline *p)
{
	const struct sample *sample = pipeline_delta(p)->sample;

	return (struct interference_input){.changes = p->changes,
					   .history = p->history,
					   .machine = sample->machine,
					   .threads = sample->threads,
					   .last = history_last(p->history)};
}

void story_feed_end(struct story *story, const struct pipeline *p)
{
	const struct interference_input in = input_of(p);

	if (in.last)
		add_changes(story, &in, in.last < WAIT_MOMENTS ? 0 : in.last - WAIT_MOMENTS + 1,
			    in.last);
}

static void add_ripe_changes(struct story *story, const struct pipeline *p)
{
	const struct interference_input in = input_of(p);

	if (in.last > WAIT_MOMENTS)
		add_changes(story, &in, in.last - WAIT_MOMENTS, in.last - WAIT_MOMENTS);
}

void story_feed_add_step(struct story *story, struct display *display, struct pipeline *p)
{
	story_feed_watch_step(story, display, p, NULL, NULL);
}

void story_feed_watch_step(struct story *story, struct display *display, struct pipeline *p,
			   void (*watch)(void *context, const struct story_row *row), void *context)
{
	const struct delta *delta = pipeline_delta(p);
	const struct sample *sample = delta->sample;

	story_interval(story, &(struct story_interval){.wall_ns = sample->wall_ns,
						       .mono_ns = sample->mono_ns,
						       .interval_ns = delta->interval_ns,
						       .n_left_out = sample->n_left_out,
						       .n_cpus = sample->host.n_cpus});
	if (display->row_filter) {
		display->binding.shown = view_shown(&display->view);
		row_filter_begin(display->row_filter, &display->binding, sample,
				 display->view.show_cmdline);
	}
	for (size_t i = 0; i < delta->n; i++)
		if (passes(display, &delta->row[i])) {
			add_row(story, display, sample,
				&(struct story_row){.row = &delta->row[i],
						    .thread = sample->threads,
						    .born = delta->row[i].born},
				watch, context);
			add_child_exit(story, delta->row[i].task,
				       time_of(p->history, history_last(p->history)));
		}
	add_ripe_changes(story, p);
}

int story_feed_read_command(struct story_command *out, struct record_reader *r, struct err *err)
{
	struct sample begin, end;
	int ret;

	sample_init(&begin);
	sample_init(&end);
	ret = record_reader_ending(r, &out->ending, &begin, &end, err);
	out->ended = ret == 1;
	if (out->ended) {
		out->ran_ns = end.mono_ns - begin.mono_ns + out->ending.from_ns;
		out->words = out->ending.command;
		ret = 0;
	} else if (!ret) {
		ret = record_reader_command(r, &out->words, err);
	}
	sample_done(&begin);
	sample_done(&end);
	return ret;
}

/* ---- the history ---- */

struct from_history {
	struct story *story;
	struct setup *setup;
	const struct frame *frame;
	const struct lifecycle *life;
	const char *command; /* the command's name; NULL: the command has no row */
	struct story_time command_ended;
	uint64_t begin_ns; /* begin of the span, CLOCK_BOOTTIME as start_ns */
	struct history_walk walk;
};

/* Returns the begin of the first interval of the history, CLOCK_BOOTTIME as start times of
 * tasks. */
static uint64_t begin_of(const struct frame *frame)
{
	const struct history *h = frame->history;
	const struct history_moment *first = history_moment(h, history_first(h));
	const uint64_t ago_ns = frame->sample->mono_ns - (first->mono_ns - first->interval_ns);

	return ago_ns < frame->sample->boot_ns ? frame->sample->boot_ns - ago_ns : 0;
}

/* Adds the history of a row. The history has only the last reading of the row: so the exit status
 * belongs to the last record, and the state of the task is unknown in all records. */
static void add_track(void *context, const struct history_track *track)
{
	struct from_history *f = context;
	const struct task *last = history_track_task(track);
	const bool born = last->start_ns >= f->begin_ns;
	struct history_walk *w = &f->walk;
	struct task then = *last;
	struct story_time ended = {0};
	bool fresh, first = true;

	if (!is_in_story(last->kind))
		return;
	then.state = '?';
	history_walk_begin(w, track, history_first(f->frame->history), &then);
	while (history_walk_next(w) && w->moment <= f->frame->moment) {
		if (w->fresh)
			continue;
		then.dead = last->dead && !history_walk_peek(w, &fresh);
		if (then.dead)
			ended = time_of(f->frame->history, w->moment);
		w->row.born = born && first;
		first = false;
		add_row(f->story, &f->setup->display, f->frame->sample,
			&(struct story_row){.row = &w->row,
					    .thread = history_track_is_thread(track),
					    .born = w->row.born},
			NULL, NULL);
	}
	if (last->id == (uint64_t)f->life->spawn.pid) {
		f->command = last->name;
		f->command_ended = ended;
	} else if (ended.moment) {
		add_child_exit(f->story, last, ended);
	}
}

/* Adds the exit status of the command, which only its parent gets. */
static void add_exit(const struct from_history *f)
{
	const struct lifecycle *life = f->life;

	if (life->state == LIFECYCLE_REAPED && !life->lost)
		story_exit(f->story,
			   &(struct story_exit){
				   .at = f->command_ended,
				   .id = (uint64_t)life->spawn.pid,
				   .name = f->command
						   ? f->command
						   : summary_task_name(
							     f->setup->config.options.command[0]),
				   .signal = life->signal,
				   .status = life->signal ? 0 : life->status});
}

static void add_history(struct story *story, struct setup *s, const struct frame *frame,
			const struct lifecycle *life)
{
	struct from_history f = {.story = story,
				 .setup = s,
				 .frame = frame,
				 .life = life,
				 .begin_ns = begin_of(frame)};

	for (uint32_t i = history_first(frame->history); i <= frame->moment; i++) {
		const struct history_moment *m = history_moment(frame->history, i);

		story_interval(story,
			       &(struct story_interval){.wall_ns = m->wall_ns,
							.mono_ns = m->mono_ns,
							.interval_ns = m->interval_ns,
							.n_left_out = frame->sample->n_left_out,
							.n_cpus = frame->sample->host.n_cpus});
	}
	add_changes(story,
		    &(struct interference_input){.changes = frame->changes,
						 .history = frame->history,
						 .machine = frame->sample->machine,
						 .threads = frame->sample->threads,
						 .last = frame->moment},
		    0, frame->moment);
	history_each(frame->history, add_track, &f);
	history_walk_done(&f.walk);
	add_exit(&f);
}

/* Reads the number of processes killed for lack of memory; false: unknown, as in a recording. */
static bool read_kills(const struct backend *backend, uint64_t *kills)
{
	return !backend->recording && !oom_read_kills(kills);
}

static void add_kills(struct story *story, const struct backend *backend,
		      const struct story_feed *t)
{
	uint64_t kills;

	if (t->kills_known && read_kills(backend, &kills) && kills >= t->kills)
		story_kills(story, kills - t->kills);
}

static void make_page(struct story_feed *t, struct setup *s, const struct frame *frame,
		      const struct lifecycle *life)
{
	const struct story_about about = {.recording = s->config.options.replay,
					  .machine = frame->sample->machine,
					  .rows = ROWS};
	struct story story;

	story_feed_begin(&story, s);
	if (frame->history && history_first(frame->history))
		add_history(&story, s, frame, life);
	add_kills(&story, &s->backend, t);
	story_end(&story);
	story_page_make(&t->page, &story, &about);
	story_done(&story);
}

const struct page *story_feed_update(struct story_feed *t, struct setup *s,
				     const struct frame *frame, const struct lifecycle *life)
{
	if (!t->began) {
		t->began = true;
		t->kills_known = read_kills(&s->backend, &t->kills);
	}
	if (t->asked != s->display.view.story_requests) {
		t->asked = s->display.view.story_requests;
		make_page(t, s, frame, life);
	}
	return t->asked ? &t->page : NULL;
}

void story_feed_done(struct story_feed *t)
{
	page_done(&t->page);
}
