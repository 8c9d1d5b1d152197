/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame_rig - builds a frame from made-up tasks: two samples one second apart, their delta, a
 * screen, and a view.
 *
 *   frame_rig_init(&r, screen); frame_rig_add(&r, &(struct rig_task){...}); ...;
 *   frame = frame_rig_build(&r);
 *
 * The mark, for values since a mark, is the first sample.
 */
#ifndef TESTS_FRAME_RIG_H
#define TESTS_FRAME_RIG_H

#include <string.h>

#include "model/delta.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "screen/compile.h"
#include "view/frame.h"

/* A task, and its activity in the second between the samples. count[] is in the order in which the
 * columns of the screen use the counters. Counters run all the time, unless share_pct is set. */
struct rig_task {
	int id, pid; /* pid 0: same as id */
	int parent;  /* 0: none */
	const char *name, *cmdline, *user;
	const char *process; /* NULL: same as name */
	const char *cgroup;  /* NULL: unknown */
	uint32_t uid;
	enum count_state counting;
	uint64_t count[8];
	uint64_t cpu_ns, stime_ns, utime_ns, wait_ns;
	uint64_t num_threads, processor;
	int share_pct; /* 0: 100 % */
	bool dead, fresh;
};

struct frame_rig {
	struct sample sample[2];
	struct delta delta[2], processes;
	struct screen *screen;
	struct view view;
	struct frame frame;
	struct sample_events *events; /* of all tasks; the screen's counters first */
	struct screen_numbers numbers;
	struct binding binding;
};

static inline void frame_rig_report(void *context, int line, const struct err *err)
{
	(void)line;
	printf("# %s: %s\n", (const char *)context, err->text);
}

/* Sets n events, instead of one for each counter of the screen. The test may change them. */
static inline void frame_rig_set_events(struct frame_rig *r, int n)
{
	struct sample_event event[SAMPLE_MAX_EVENTS] = {{.given = NULL}};

	for (int i = 0; i < n; i++) {
		event[i].kind = EVENT_RAW;
		event[i].config = (uint64_t)i;
	}
	sample_events_unref(r->events);
	r->events = sample_events_new(event, n);
}

static inline void frame_rig_unbind(struct frame_rig *r)
{
	binding_done(&r->binding);
	screen_numbers_done(&r->numbers);
}

static inline struct binding *frame_rig_bind(struct frame_rig *r)
{
	int head[SAMPLE_MAX_EVENTS];

	for (int i = 0; i < SAMPLE_MAX_EVENTS; i++)
		head[i] = i;
	frame_rig_unbind(r);
	screen_numbers_init(&r->numbers, sample_events_ref(r->events), head,
			    (int)r->screen->n_aliases);
	binding_init(&r->binding, r->screen, &r->numbers);
	return &r->binding;
}

/* Takes ownership of the screen, which is declared but not compiled. */
static inline void frame_rig_init(struct frame_rig *r, struct screen *screen)
{
	memset(r, 0, sizeof *r);
	r->screen = screen;
	if (screen->number < 0)
		screen->number = 0;
	screen_compile(screen, frame_rig_report, (void *)"screen", NULL);
	r->view = (struct view){.delay_s = 1, .filter = FILTER_ALL, .watch = FILTER_ALL};
	frame_init(&r->frame);
	delta_init(&r->processes);
	frame_rig_set_events(r, (int)screen->n_aliases);
	for (int k = 0; k < 2; k++) {
		struct sample *s = &r->sample[k];

		delta_init(&r->delta[k]);
		sample_init(s);
		s->refs = 1;
		s->mono_ns = s->boot_ns = (uint64_t)(100 + k) * 1000000000u;
		s->wall_ns = 1700000000000000000u + s->mono_ns;
		s->host = (struct host){3 * 86400 + 4 * 3600 + 5 * 60 + 59,
					0.125,
					1.5,
					12.25,
					4,
					8192,
					0,
					0,
					false,
					false};
	}
}

static inline void frame_rig_done(struct frame_rig *r)
{
	frame_done(&r->frame);
	delta_done(&r->processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&r->delta[k]);
		sample_done(&r->sample[k]);
	}
	frame_rig_unbind(r);
	sample_events_unref(r->events);
	screen_free(r->screen);
}

static inline void frame_rig_set_fact(struct task *t, int fact, uint64_t value)
{
	task_set_fact(t, fact, value);
}

static inline void frame_rig_add(struct frame_rig *r, const struct rig_task *from)
{
	for (uint64_t k = from->fresh ? 1 : 0; k < 2; k++) {
		struct sample *s = &r->sample[k];
		struct task *t =
			sample_add(s, task_new(&kind_task, fact_all, 0,
					       &(struct task_texts){.read = {from->cgroup}}));
		uint64_t on_pmu = from->share_pct ? from->cpu_ns * (uint64_t)from->share_pct / 100
						  : from->cpu_ns;

		t->id = (uint64_t)from->id;
		t->owner = (uint64_t)(from->pid ? from->pid : from->id);
		t->start_ns = 1;
		t->uid = from->uid;
		t->user = from->user ? from->user : "user";
		t->name = from->name ? from->name : "task";
		t->process = from->process ? from->process : t->name;
		t->cmdline = from->cmdline;
		t->state = 'S';
		t->dead = k && from->dead;
		t->counting = (uint8_t)from->counting;
		frame_rig_set_fact(t, FACT_CPU_NS, 5000 + k * from->cpu_ns);
		frame_rig_set_fact(t, FACT_STIME_NS, 5000 + k * from->stime_ns);
		frame_rig_set_fact(t, FACT_UTIME_NS, 5000 + k * from->utime_ns);
		if (from->wait_ns)
			frame_rig_set_fact(t, FACT_WAIT_NS, 5000 + k * from->wait_ns);
		frame_rig_set_fact(t, FACT_NUM_THREADS, from->num_threads ? from->num_threads : 1);
		frame_rig_set_fact(t, FACT_PROC_ID, from->processor);
		frame_rig_set_fact(t, FACT_PPID, (uint64_t)from->parent);
		task_set_events(t, r->events);
		if (from->counting == COUNT_OK) {
			struct count *count =
				arena_calloc(&s->arena, (size_t)r->events->n, sizeof *count);

			for (int i = 0; i < r->events->n; i++)
				count[i] = (struct count){100 + k * from->count[i],
							  100 + k * from->cpu_ns, 100 + k * on_pmu};
			t->count = count;
		}
	}
}

static inline const struct frame *frame_rig_build(struct frame_rig *r)
{
	for (int k = 0; k < 2; k++) {
		sample_sort(&r->sample[k]);
		delta_compute(&r->delta[k], k ? &r->delta[0] : NULL, k ? &r->sample[0] : NULL,
			      &r->sample[k]);
		if (!k && r->view.values == VALUES_SINCE_MARK)
			delta_mark(&r->delta[k]);
	}
	if (!r->view.threads)
		fold_processes(&r->processes, &r->delta[1]);
	frame_build(&r->frame, frame_rig_bind(r), &r->view,
		    r->view.threads ? &r->delta[1] : &r->processes, NULL, 1);
	return &r->frame;
}

#endif
