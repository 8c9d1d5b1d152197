/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pipeline with a made-up source: no interval is lost when a generation of samples ends.
 */
#include <errno.h>

#include "model/kinds.h"
#include "screen/compile.h"
#include "session/pipeline.h"
#include "tap.h"

#define SECOND 1000000000ull

/* The only output, which counts the samples that it gets. */
static int count_sample(struct sink *sink, const struct sample *sample, struct err *err)
{
	(void)err;
	*(int *)sink->state += sample->n == 1;
	return 0;
}

static const struct sink_ops counting = {.name = "counting", .sample = count_sample};

/* A source of one task, which counts 1000 per second with one event. */
struct script {
	struct source source;
	uint64_t now_s, opened_s; /* opened_s: when its counters were opened */
	uint64_t generation;
	struct sample_events *events; /* a set of one event */
	int n_samples;
	int ends;   /* this many samples, from the next on, are each the last of their generation */
	bool fails; /* after the last sample of a generation, reading fails */
	uint64_t ends_s; /* the task ends then; 0: it does not */
};

static int script_next(struct source *source, struct sample *out, struct err *err)
{
	struct script *s = (struct script *)source;
	struct task *t;

	sample_reset(out);
	s->n_samples++;
	if (s->fails && s->opened_s == s->now_s)
		return err_set(err, EIO, "made to fail");
	out->mono_ns = out->boot_ns = s->now_s * SECOND;
	out->generation = s->generation;
	if (s->ends_s && s->now_s > s->ends_s)
		return 0;
	t = sample_add(out, task_new(&kind_task, FACT_NONE, 1, &(struct task_texts){0}));
	t->id = t->owner = 10;
	t->dead = s->now_s == s->ends_s;
	t->counting = COUNT_OK;
	task_set_events(t, s->events);
	t->count[0].value = 1000 * (s->now_s - s->opened_s);
	t->count[0].enabled_ns = t->count[0].running_ns = SECOND * (s->now_s - s->opened_s);
	out->last = s->ends > 0;
	if (s->ends) {
		s->ends--;
		s->generation++;
		s->opened_s = s->now_s;
	}
	return 0;
}

/* Takes a sample after a second. Returns the increment shown, -1 if there is none. */
static double step(struct pipeline *p, struct script *s, int ends)
{
	const struct view view = {.sticky = true, .filter = FILTER_ALL};
	struct err err = ERR_INIT;
	struct value v;

	s->now_s++;
	s->ends = ends;
	if (pipeline_step(p, &view, &err) || p->stage.processes.n != 1)
		return -1;
	v = p->stage.processes.row[0].increment[0];
	return value_known(v) ? v.number : -1;
}

static void begin(struct pipeline *p, struct script *s, const struct source_ops *ops,
		  struct outputs *outputs)
{
	*s = (struct script){.source.ops = ops, .generation = 1};
	s->events =
		sample_events_new(&(struct sample_event){.given = "event", .kind = EVENT_RAW}, 1);
	pipeline_init(p, &s->source, outputs);
}

static void end(struct pipeline *p, struct script *s)
{
	pipeline_done(p);
	sample_events_unref(s->events);
}

static int n_held(const struct pipeline *p)
{
	int n = 0;

	for (int i = 0; i < PIPELINE_SAMPLES; i++)
		n += p->sample[i] && p->sample[i]->n > 0;
	return n;
}

/* A sample with a reference is unchanged until the reference is dropped, even after the pipeline
 * has been freed. */
static void test_kept(const struct source_ops *ops, struct outputs *outputs)
{
	struct sample *kept[5];
	struct pipeline p;
	struct script s;

	begin(&p, &s, ops, outputs);
	for (int i = 0; i < 5; i++) {
		tap_num(step(&p, &s, 0), i ? 1000 : -1, "step %d with samples that are kept", i);
		kept[i] = sample_ref(p.sample[p.stage.current]);
	}
	end(&p, &s);
	for (int i = 0; i < 5; i++) {
		tap_int((int)kept[i]->refs, 1, "sample %d outlives the pipeline", i);
		tap_num((double)kept[i]->task[0]->count[0].value, 1000 * (i + 1),
			"with its counts");
		sample_unref(kept[i]);
	}
}

static struct screen *make_screen(void)
{
	struct screen *screen = screen_new("test", "a test");

	screen_add_counter(screen, "a", "0", NULL);
	screen_add_column(screen, "A", "%4.0f", NULL, "delta(a)");
	screen_compile(screen, NULL, NULL, NULL);
	return screen;
}

/* Returns the number that the screen shows for the task, -1 if none. ahead: the number of the
 * present, even if the view is paused. */
static double shown(struct pipeline *p, struct script *s, struct screen *screen,
		    const struct view *view, bool ahead)
{
	const int head[] = {0};
	const struct frame *frame;
	struct screen_numbers numbers;
	struct binding binding;
	double number = -1;

	screen_numbers_init(&numbers, sample_events_ref(s->events), head, 1);
	binding_init(&binding, screen, &numbers);
	frame = ahead ? pipeline_show_ahead(p, &binding, view) : pipeline_show(p, &binding, view);
	if (frame->n == 1 && value_known(frame_value(frame, &frame->row[0], 0)))
		number = frame_value(frame, &frame->row[0], 0).number;
	binding_done(&binding);
	screen_numbers_done(&numbers);
	return number;
}

/* Returns the number since the mark. marks: how many marks the user has set so far. */
static double since(struct pipeline *p, struct script *s, struct screen *screen, unsigned marks)
{
	const struct view view = {
		.filter = FILTER_ALL, .idle = true, .marks = marks, .values = VALUES_SINCE_MARK};

	return shown(p, s, screen, &view, false);
}

/* A mark is set at the sample shown, and set again when counting begins again. */
static void test_marks(const struct source_ops *ops, struct outputs *outputs)
{
	struct screen *screen = make_screen();
	struct pipeline p;
	struct script s;

	begin(&p, &s, ops, outputs);
	step(&p, &s, 0);
	step(&p, &s, 0);
	tap_num(since(&p, &s, screen, 1), 0, "a mark is set at what is shown");
	step(&p, &s, 0);
	tap_num(since(&p, &s, screen, 1), 1000, "a second later");
	step(&p, &s, 1);
	tap_num(since(&p, &s, screen, 1), 2000, "the last of a generation");
	tap_num(since(&p, &s, screen, 2), 0, "a mark set there");
	step(&p, &s, 1);
	tap_num(since(&p, &s, screen, 2), 1000, "begins with what is compared with it");
	step(&p, &s, 0);
	tap_num(since(&p, &s, screen, 2), 1000, "where counting restarts, so does it");
	step(&p, &s, 0);
	tap_num(since(&p, &s, screen, 2), 2000, "and goes on");
	pipeline_restart(&p);
	step(&p, &s, 0);
	step(&p, &s, 0);
	tap_num(since(&p, &s, screen, 2), 1000, "where nothing before is compared, too");
	end(&p, &s);
	screen_free(screen);
}

/* While paused, the shown sample stays, whatever view of it is chosen. Totals continue to grow. */
static void test_pause(const struct source_ops *ops, struct outputs *outputs, enum group_key group)
{
	struct view view = {.filter = FILTER_ALL, .idle = true, .sticky = true};
	struct screen *screen = make_screen();
	struct pipeline p;
	struct script s;

	begin(&p, &s, ops, outputs);
	p.may_group = true;
	step(&p, &s, 0);
	step(&p, &s, 0);
	view.paused = true;
	tap_num(shown(&p, &s, screen, &view, false), 1000, "paused");
	for (int i = 0; i < 5; i++)
		step(&p, &s, 0);
	view.group = group;
	view.values = VALUES_TOTAL;
	tap_num(shown(&p, &s, screen, &view, false), 2000, "the total that is shown stays");
	tap_num(shown(&p, &s, screen, &view, true), 7000, "others have that of the present");
	step(&p, &s, 1);
	view.values = VALUES_INTERVAL;
	view.paused = false;
	tap_num(shown(&p, &s, screen, &view, false), 1000, "then the present is shown");
	tap_int(n_held(&p), 3, "a sample was held for it");
	step(&p, &s, 0);
	tap_int(n_held(&p), 2, "and is let go");
	view.paused = true;
	shown(&p, &s, screen, &view, false);
	end(&p, &s);
	screen_free(screen);
}

/* A pause that ends before the next refresh changes neither the number of the refresh nor its cost.
 */
static void test_short_pause(const struct source_ops *ops, struct outputs *outputs)
{
	struct view view = {.filter = FILTER_ALL, .idle = true};
	struct screen *screen = make_screen();
	struct pipeline p;
	struct script s;

	begin(&p, &s, ops, outputs);
	step(&p, &s, 0);
	p.number = 7;
	step(&p, &s, 0);
	p.stage.cost.reads = 5;
	p.stage.cost_known = true;
	view.paused = true;
	shown(&p, &s, screen, &view, false);
	tap_int((long)p.stage.frame.number, 7, "paused: the number of the refresh");
	view.paused = false;
	tap_num(shown(&p, &s, screen, &view, false), 1000, "not paused any more");
	tap_int((long)p.stage.frame.number, 7, "the number of the refresh stays");
	tap_ok(p.stage.frame.cost && p.stage.frame.cost->reads == 5, "and so does its cost");
	end(&p, &s);
	screen_free(screen);
}

/* A mark that is set while paused is that of the present, too: what ended before has counted
 * nothing since. */
static void test_pause_marks(const struct source_ops *ops, struct outputs *outputs,
			     enum group_key group)
{
	struct view view = {.filter = FILTER_ALL,
			    .idle = true,
			    .sticky = true,
			    .marks = 1,
			    .group = group,
			    .values = VALUES_SINCE_MARK};
	struct screen *screen = make_screen();
	struct pipeline p;
	struct script s;

	begin(&p, &s, ops, outputs);
	p.may_group = true;
	step(&p, &s, 0);
	step(&p, &s, 0);
	tap_num(shown(&p, &s, screen, &view, false), 0, "a mark");
	s.ends_s = s.now_s + 2;
	step(&p, &s, 0);
	step(&p, &s, 0);
	tap_num(shown(&p, &s, screen, &view, false), 2000, "a task ends");
	step(&p, &s, 0);
	view.paused = true;
	tap_num(shown(&p, &s, screen, &view, false), 2000, "paused");
	step(&p, &s, 0);
	step(&p, &s, 0);
	view.marks = 2;
	tap_num(shown(&p, &s, screen, &view, false), 0, "another mark");
	step(&p, &s, 0);
	view.paused = false;
	tap_num(shown(&p, &s, screen, &view, false), 0, "it is that of the present, too");
	end(&p, &s);
	screen_free(screen);
}

int main(void)
{
	static const struct source_ops ops = {.next = script_next};
	const struct dest none = DEST_NONE;
	struct err err = ERR_INIT;
	struct outputs outputs;
	struct sink *sink;
	struct script s;
	struct pipeline p;
	int n_samples = 0;

	outputs_init(&outputs, NULL);
	outputs_begin(&outputs, &(struct err)ERR_INIT);
	outputs_add(&outputs, &sink, &counting, &none, &err);
	sink->state = &n_samples;

	begin(&p, &s, &ops, &outputs);
	tap_num(step(&p, &s, 0), -1, "the first sample has nothing to compare with");
	tap_num(step(&p, &s, 0), 1000, "the second has");
	tap_num(step(&p, &s, 1), 1000, "the last of a generation is shown");
	tap_int(s.n_samples, 4, "the first of the next one is taken behind it");
	tap_ok(p.sample[p.stage.current]->generation == 1, "and not shown");
	for (int i = 0; i < 3; i++)
		tap_num(step(&p, &s, 1), 1000, "generation %d: none is without an interval", i + 2);
	tap_num(step(&p, &s, 0), 1000, "and none in the one that stays");
	tap_num(step(&p, &s, 0), 1000, "for longer");
	tap_num(step(&p, &s, 2), 1000, "two end at once: the last that had an interval is shown");
	tap_num(step(&p, &s, 0), 1000, "and the next has one");
	tap_int(n_held(&p), 2, "no older sample keeps its readings");
	step(&p, &s, 0);
	tap_int(n_held(&p), 2, "whichever has its place");
	tap_int(n_samples, s.n_samples,
		"each sample goes to the outputs, also one that is not shown");
	end(&p, &s);

	test_kept(&ops, &outputs);
	test_marks(&ops, &outputs);
	test_pause(&ops, &outputs, GROUP_PROCESS);
	test_pause(&ops, &outputs, GROUP_USER);
	test_short_pause(&ops, &outputs);
	test_pause_marks(&ops, &outputs, GROUP_PROCESS);
	test_pause_marks(&ops, &outputs, GROUP_USER);

	begin(&p, &s, &ops, &outputs);
	step(&p, &s, 0);
	s.fails = true;
	tap_num(step(&p, &s, 1), 1000,
		"where the first of the next one cannot be read, the last one is shown");
	tap_num(step(&p, &s, 0), -1, "the one behind it is a start");
	tap_num(step(&p, &s, 0), 1000, "and then all goes on");
	end(&p, &s);
	outputs_close(&outputs, false, &err);
	return tap_done();
}
