/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stories of tasks on a simulated machine, end to end: from their counts through the history to the
 * page of a task and to the story, live and from a recording. Task blast starts when the IPC of
 * task victim drops. On the first machine they share the L3, on the second they do not, on the
 * third this is unknown.
 */
#include <stdlib.h>
#include <unistd.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/writer.h"
#include "session/page_feed.h"
#include "session/replay_series.h"
#include "tap.h"
#include "view/page.h"

#define SECOND    1000000000ull
#define BEGIN_NS  (1700000000 * SECOND)
#define N_SAMPLES 120
#define CHANGES   80
#define N_EVENTS  4
#define HZ        2e9

static const struct sample_place together[] = {
	{{-1, 0, 0, 0, 0}}, {{-1, 0, 0, 1, 1}}, {{-1, 0, 0, 2, 2}}};
static const struct sample_place apart[] = {
	{{-1, 0, 0, 0, 0}}, {{-1, 0, 0, 1, 1}}, {{-1, 2, 2, 2, 2}}};

/* IPC and cache misses per 1000 instructions. */
struct doing {
	double ipc, misses;
};

static const struct actor {
	uint64_t id, cpu;
	const char *name;
	struct doing before, after; /* IPC 0: it does not run */
} actors[] = {
	{4710, 0, "victim", {1.9, 1.2}, {1.1, 9.5}},
	{4711, 2, "blast", {0, 0}, {0.6, 40}},
};

#define N_ACTORS (sizeof actors / sizeof *actors)

/* A source that makes each sample on request. */
struct made {
	struct source source;
	struct sample_machine *machine;
	struct sample_events *events;
	struct task *task[N_ACTORS]; /* the last reading of each actor */
	uint32_t n;
	uint64_t random;
};

static char folder[128];

static double noise(struct made *m)
{
	m->random = m->random * 6364136223846793005u + 1442695040888963407u;
	return 1 + 0.04 * ((double)(m->random >> 40) / 0x1p24 - 0.5);
}

static struct task *read_task(struct made *m, const struct actor *a, const struct doing *d,
			      const struct task *old)
{
	const double instructions = HZ * d->ipc * noise(m);
	const double more[N_EVENTS] = {instructions, HZ, instructions * d->misses / 1000,
				       instructions / 1000};
	struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS, FACT_PROC_ID), N_EVENTS,
				  &(struct task_texts){.user = "me", .name = a->name});

	t->id = t->owner = a->id;
	t->start_ns = 5;
	t->state = 'R';
	t->counting = COUNT_OK;
	t->facts_read = m->n;
	task_set_events(t, m->events);
	task_set_fact(t, FACT_CPU_NS, (old ? old->fact[0] : 0) + SECOND);
	task_set_fact(t, FACT_PROC_ID, a->cpu);
	for (int i = 0; i < N_EVENTS; i++) {
		const uint64_t ns = (old ? old->count[i].enabled_ns : 0) + SECOND;

		t->count[i] =
			(struct count){(old ? old->count[i].value : 0) + (uint64_t)more[i], ns, ns};
	}
	return t;
}

static int made_next(struct source *source, struct sample *out, struct err *err)
{
	struct made *m = (struct made *)source;

	(void)err;
	m->n++;
	sample_reset(out);
	out->number = m->n;
	out->generation = 1;
	out->mono_ns = out->boot_ns = m->n * SECOND;
	out->wall_ns = BEGIN_NS + out->mono_ns;
	out->host.n_cpus = 3;
	sample_set_machine(out, m->machine);
	for (size_t i = 0; i < N_ACTORS; i++) {
		const struct actor *a = &actors[i];
		const struct doing *d = m->n < CHANGES ? &a->before : &a->after;
		struct task *old = m->task[i];

		if (d->ipc > 0 || !old) {
			m->task[i] = read_task(m, a, d, old);
			task_unref(old);
		}
		sample_add(out, task_ref(m->task[i]));
	}
	return 0;
}

static const struct source_ops made_ops = {.next = made_next};

static void begin_made(struct made *m, const struct sample_place *place)
{
	static const char *const pmu[] = {NULL};
	const struct sample_machine reported = {.arch = "x86",
						.model = "06_5E",
						.boot_id = "1",
						.host = "node1",
						.core = pmu,
						.pmu = pmu,
						.place = place,
						.n_places = place ? 3 : 0};
	const struct sample_event event[N_EVENTS] = {
		{.given = "instructions", .kind = EVENT_HARDWARE, .config = 1, .modes = MODE_USER},
		{.given = "cycles", .kind = EVENT_HARDWARE, .config = 0, .modes = MODE_USER},
		{.given = "cache-misses", .kind = EVENT_HARDWARE, .config = 3, .modes = MODE_USER},
		{.given = "branch-misses", .kind = EVENT_HARDWARE, .config = 5, .modes = MODE_USER},
	};

	*m = (struct made){.source.ops = &made_ops, .random = 1};
	m->machine = sample_machine_new(&reported);
	m->events = sample_events_new(event, N_EVENTS);
}

static void end_made(struct made *m)
{
	for (size_t i = 0; i < N_ACTORS; i++)
		task_unref(m->task[i]);
	sample_events_unref(m->events);
	sample_machine_unref(m->machine);
}

static void record(const char *name, const struct sample_place *place)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	struct record_writer *w;
	struct made m;
	int failed = record_writer_new(&w, name, &about, NULL);

	begin_made(&m, place);
	for (int i = 0; i < N_SAMPLES && !failed; i++) {
		struct sample *s = sample_new();

		made_next(&m.source, s, NULL);
		failed = record_writer_sample(w, s, NULL);
		sample_unref(s);
	}
	failed |= record_writer_close(w, NULL);
	tap_int(failed, 0, "%s is recorded", name);
	end_made(&m);
}

/* ---- what is told ---- */

struct reported {
	struct setup *setup;
	struct story story;
	struct strbuf page, text, json;
};

/* Adds the page of the task whose IPC dropped, as text. */
static void add_page(struct strbuf *out, const struct frame *frame)
{
	struct page page;

	page_init(&page);
	page_reset(&page,
		   &(struct row_id){.kind = &kind_task, .owner = 4710, .id = 4710, .start_ns = 5});
	page_build(&page, &(struct page_input){.frame = frame});
	for (size_t i = 0; i < page.n; i++)
		strbuf_addf(out, "%s\n", page.line[i].text);
	page_done(&page);
}

static void tell_step(void *context, struct pipeline *p)
{
	struct reported *t = context;

	story_feed_add_step(&t->story, &t->setup->display, p);
}

static void tell_end(void *context, struct pipeline *p)
{
	struct reported *t = context;

	tap_int(p->outputs->n_early, 0, "no sample is kept for an output that never comes");
	story_feed_end(&t->story, p);
	add_page(&t->page, pipeline_show(p, &t->setup->display.binding, &t->setup->display.view));
}

/* Makes the story of a recording, as `tiptop what` does, and the page as --replay shows it. */
static void tell_recording(struct reported *t, struct replay_series *g)
{
	const struct story_about about = {.recording = "r.db",
					  .machine =
						  record_reader_machine(g->setup.backend.recording),
					  .rows = 10};
	const struct replay_visitor visit = {
		.past = 16 << 20, .step = tell_step, .end = tell_end, .context = t};
	struct err note = ERR_INIT, err = ERR_INIT;
	struct page page;

	story_feed_begin(&t->story, t->setup);
	tap_int(replay_series_visit(g, &visit, &note, &err), 0, "it is replayed %s", err.text);
	story_end(&t->story);
	page_init(&page);
	story_page_make(&page, &t->story, &about);
	for (size_t i = 0; i < page.n; i++)
		strbuf_addf(&t->text, "%s\n", page.line[i].text);
	story_add_json(&t->json, &t->story, &about);
	page_done(&page);
	story_done(&t->story);
}

/* Makes both as the live screen does: the page, and the story of key V. */
static void tell_live(struct reported *t, const struct sample_place *place)
{
	struct outputs outputs;
	struct pipeline pipeline;
	struct story_feed story_feed = {.asked = 0};
	const struct frame *frame;
	const struct page *page;
	struct made m;
	int failed = 0;

	begin_made(&m, place);
	outputs_init(&outputs, NULL);
	pipeline_init(&pipeline, &m.source, &outputs);
	pipeline_keep_past(&pipeline, 16 << 20);
	for (int i = 0; i < N_SAMPLES; i++)
		failed |= pipeline_step(&pipeline, &t->setup->display.view, NULL);
	tap_int(failed, 0, "live");
	frame = pipeline_show(&pipeline, &t->setup->display.binding, &t->setup->display.view);
	add_page(&t->page, frame);
	t->setup->display.view.story_requests++;
	page = story_feed_update(&story_feed, t->setup, frame, &(struct lifecycle){.status = 0});
	for (size_t i = 0; i < page->n; i++)
		strbuf_addf(&t->text, "%s\n", page->line[i].text);
	story_feed_done(&story_feed);
	pipeline_done(&pipeline);
	outputs_close(&outputs, false, NULL);
	end_made(&m);
}

static void begin_told(struct reported *t, struct replay_series *g)
{
	*t = (struct reported){.setup = &g->setup};
	strbuf_init(&t->page);
	strbuf_init(&t->text);
	strbuf_init(&t->json);
}

static void end_told(struct reported *t)
{
	strbuf_done(&t->page);
	strbuf_done(&t->text);
	strbuf_done(&t->json);
}

/* place: NULL if unknown. named: the sentence about the cause; NULL: none must be named. */
static void check(const char *what, const struct sample_place *place, const char *named)
{
	static const char lack[] = "which CPUs share a core, a cache or memory";
	const struct selection selection = {.file = (char *)"r.db"};
	const struct replay_choice choice = {.screen = NULL};
	const char *want = named ? named : "4711 blast ";
	struct reported then, live;
	struct replay_series g;
	struct err err = ERR_INIT;

	record("r.db", place);
	tap_int(replay_series_open(&g, &selection, &choice, NULL, &err), 0, "%s %s", what,
		err.text);
	begin_told(&then, &g);
	begin_told(&live, &g);
	tell_recording(&then, &g);
	tell_live(&live, place);
	tap_int(strstr(then.page.text, want) != NULL, named != NULL, "%s: the page of a replay",
		what);
	tap_int(strstr(then.text.text, want) != NULL, named != NULL, "what happened");
	tap_int(strstr(then.json.text, want) != NULL, named != NULL, "as JSON");
	tap_int(strstr(live.page.text, want) != NULL, named != NULL, "the live page");
	tap_int(strstr(live.text.text, want) != NULL, named != NULL, "what has happened so far");
	tap_ok(strstr(then.text.text, "4710 victim: IPC 1.9"), "its phase is told in any case");
	tap_int(strstr(then.page.text, lack) != NULL, !place, "what lacks is said on the page");
	tap_int(strstr(then.text.text, lack) != NULL, !place, "in what happened");
	tap_int(strstr(then.json.text, lack) != NULL, !place, "and as JSON");
	end_told(&live);
	end_told(&then);
	replay_series_close(&g);
	unlink("r.db");
}

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/told.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder) || chdir(folder) || setenv("HOME", folder, 1))
		return 1;
	setenv("TZ", "UTC", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("TIPTOP");
	check("a cache is shared", together,
	      "IPC 1.90 -> 1.10 since 22:14:40; 4711 blast began on CPU 2, which shares the L3, at "
	      "that time");
	check("no cache is shared", apart, NULL);
	check("unknown", NULL, NULL);
	rmdir(folder);
	return tap_done();
}
