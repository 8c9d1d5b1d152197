/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other machines are recorded, and replayed here. The output of the replay equals the original
 * output, byte for byte, in each format and for each group key.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "collect/replay.h"
#include "golden.h"
#include "model/fact_list.h"
#include "output/metrics.h"
#include "output/output.h"
#include "output/record_output.h"
#include "play_rig.h"
#include "screen/compile.h"
#include "session/pipeline.h"

#define N_STEPS     24
#define FORMATS_MAX 8

static char folder[128], recording[160];

/* The files of one output: one for each group key and format. */
struct texts {
	char name[N_GROUP_KEYS][FORMATS_MAX][192], metrics[192];
	struct outputs of[N_GROUP_KEYS];
};

static void begin_texts(struct texts *t, const char *who)
{
	struct sink *sink;

	for (int g = 0; g < N_GROUP_KEYS; g++) {
		outputs_init(&t->of[g], NULL);
		for (int f = 0; sink_table[f]; f++) {
			struct dest dest = DEST_NONE;

			snprintf(t->name[g][f], sizeof t->name[g][f], "%s/%s-%d-%s", folder, who, g,
				 sink_table[f]->name);
			dest_open(&dest, t->name[g][f], NULL);
			outputs_add(&t->of[g], &sink, sink_table[f], &dest, NULL);
		}
		if (g == GROUP_PROCESS) {
			snprintf(t->metrics, sizeof t->metrics, "%s/%s.prom", folder, who);
			outputs_add(&t->of[g], &sink, &metrics_sink,
				    &(struct dest){.fd = -1, .path = t->metrics}, NULL);
			metrics_choose(sink, &(struct metrics_choice){.key = GROUP_PROGRAM_USER});
		}
		outputs_begin(&t->of[g], NULL);
	}
}

static void show(struct texts *t, struct pipeline *p, struct binding *binding, struct view *view)
{
	for (int g = 0; g < N_GROUP_KEYS; g++) {
		view->group = (enum group_key)g;
		outputs_frame(&t->of[g], pipeline_show(p, binding, view), true, NULL);
	}
	view->group = GROUP_PROCESS;
	p->number++;
}

static void end_texts(struct texts *t)
{
	for (int g = 0; g < N_GROUP_KEYS; g++)
		outputs_close(&t->of[g], false, NULL);
}

static void compare_file(const char *then, const char *now, const char *what, const char *golden)
{
	struct strbuf a, b;

	strbuf_init(&a);
	strbuf_init(&b);
	file_read_all(AT_FDCWD, then, 1 << 24, &a);
	file_read_all(AT_FDCWD, now, 1 << 24, &b);
	tap_ok(a.len > 500 && !strcmp(a.text, b.text), "%s: %zu bytes are the same", what, a.len);
	if (golden)
		golden_check("replay", golden, a.text);
	unlink(then);
	unlink(now);
	strbuf_done(&a);
	strbuf_done(&b);
}

/* golden: also compares the original output with golden files. */
static void compare(struct texts *then, struct texts *now, bool golden)
{
	char what[128];

	for (int g = 0; g < N_GROUP_KEYS; g++)
		for (int f = 0; sink_table[f]; f++) {
			const bool checked = golden && g == GROUP_PROCESS;

			snprintf(what, sizeof what, "%s by %s", sink_table[f]->name,
				 group_key_table[g].name);
			compare_file(then->name[g][f], now->name[g][f], what,
				     checked ? sink_table[f]->name : NULL);
		}
	compare_file(then->metrics, now->metrics, "metrics", golden ? "metrics" : NULL);
}

/* Simulates a step: tasks run, wait, start, change their names, and end. */
static void happen(struct world *w, int step)
{
	if (step == 2) {
		world_start(w, 20, "beta");
		world_start_thread(w, 20, 21, 20);
		world_start(w, 30, "gamma");
		world_task(w, 20)->uid = 1000;
		world_task(w, 30)->cgroup = "/a slice";
	}
	if (step % 3)
		world_run(w, 10, (uint64_t)step * 1000000);
	if (step > 2 && step < 17 && step % 5 < 3)
		world_run(w, 21, 7000000);
	if (step > 2 && step < 20 && step % 7 == 0)
		world_run(w, 20, 3000000);
	if (step == 9)
		world_exec(w, 10, "omega");
	if (step == 12)
		world_exit(w, 30);
	if (step == 14)
		world_reap(w, 30);
	if (step == 17)
		world_exit(w, 21);
	world_wait(w, 1000000000 + (uint64_t)step);
}

/* Requests all facts, so that all group keys have values. */
static void want_all(struct play *p, bool threads)
{
	struct want want = {
		.filter = FILTER_ALL, .facts = fact_all, .threads = threads, .cmdline = true};
	const struct offer offer = offer_live(&p->machine, &p->pmu.sys, false);
	struct err note = ERR_INIT;

	counters_make_set(&want.events, p->screen, &offer);
	event_set_describe(&want.events, &p->machine);
	p->source->ops->configure(p->source, &want, &note);
}

static void look(struct play *p, struct texts *t)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	struct outputs samples;
	struct pipeline pipeline;
	struct sink *sink;
	struct err err = ERR_INIT;
	int failed = 0;

	outputs_init(&samples, NULL);
	outputs_add(&samples, &sink, &sink_record, &(struct dest)DEST_NONE, NULL);
	tap_int(record_begin(sink, recording, &about, NULL, &err), 0, "it is recorded %s",
		err.text);
	outputs_begin(&samples, NULL);
	pipeline_init(&pipeline, p->source, &samples);
	pipeline.may_group = true;
	begin_texts(t, "then");
	for (int i = 0; i < N_STEPS; i++) {
		happen(&p->world, i);
		failed |= pipeline_step(&pipeline, &p->view, &err);
		if (i)
			show(t, &pipeline, &p->binding, &p->view);
	}
	tap_int(failed, 0, "each sample %s", err.text);
	end_texts(t);
	pipeline_done(&pipeline);
	outputs_close(&samples, false, NULL);
}

/* Returns the built-in screen of this name, fitted to the recorded machine. */
static struct screen *fit_again(struct screen_list *screens, const char *name,
				const struct offer *offer)
{
	int i;

	*screens = (struct screen_list)SCREEN_LIST_INIT;
	screen_list_add_built_in(screens, 0, screen_built_in_n - 1);
	i = screen_list_find(screens, name, NULL);
	screen_compile(screens->v[i], play_no_fault, NULL, &(struct err)ERR_INIT);
	fit_screen(screens->v[i], offer);
	return screens->v[i];
}

static void look_again(struct view *view, const char *name, struct texts *t)
{
	struct record_reader *reader;
	struct screen_numbers numbers;
	struct screen_list screens;
	struct outputs no_output;
	struct event_set events;
	struct binding binding;
	struct pipeline pipeline;
	struct machine machine;
	struct source *source;
	struct offer offer;
	struct screen *screen;
	struct err err = ERR_INIT;
	int n = 0;

	tap_int(record_reader_new(&reader, recording, &err), 0, "it is opened %s", err.text);
	machine_restore(&machine, record_reader_machine(reader));
	offer = offer_recorded(&machine, record_reader_events(reader), false);
	screen = fit_again(&screens, name, &offer);
	counters_make_set(&events, screen, &offer);
	offer.ops->describe(&offer, &events);
	counters_describe(&numbers, &events);
	event_set_done(&events);
	binding_init(&binding, screen, &numbers);
	source = source_replay_new(reader,
				   &(struct replay_pace){.at_once = true, .to_ns = INT64_MAX});
	outputs_init(&no_output, NULL);
	outputs_begin(&no_output, NULL);
	pipeline_init(&pipeline, source, &no_output);
	pipeline.may_group = true;
	begin_texts(t, "now");
	while (!pipeline_step(&pipeline, view, &err))
		if (n++)
			show(t, &pipeline, &binding, view);
	end_texts(t);
	tap_int(n, N_STEPS, "all samples %s%s", err.text, record_reader_fault(reader) ?: "");
	pipeline_done(&pipeline);
	outputs_close(&no_output, false, NULL);
	source->ops->free(source);
	binding_done(&binding);
	screen_numbers_done(&numbers);
	screen_list_done(&screens);
	record_reader_free(reader);
}

static void check(struct play *p, const char *name, bool threads, bool golden)
{
	static struct texts then, now;

	unlink(recording);
	want_all(p, threads);
	p->view.threads = threads;
	look(p, &then);
	look_again(&p->view, name, &now);
	compare(&then, &now, golden);
}

static const struct fake_file intel[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/cpu/format/umask", "config:8-15\n"},
};

static const struct fake_file alder_lake[] = {
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-15\n"},
	{"devices/cpu_core/format/event", "config:0-7\n"},
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "16-23\n"},
	{"devices/cpu_atom/format/event", "config:0-7\n"},
};

static const struct fake_file neoverse[] = {
	{"devices/armv8_pmuv3_0/type", "8\n"},
	{"devices/armv8_pmuv3_0/cpus", "0-3\n"},
	{"devices/armv8_pmuv3_0/format/event", "config:0-15\n"},
};

#define CHECK(cpu, files, script, name, threads, golden)                                           \
	do {                                                                                       \
		static struct play p;                                                              \
		PLAY_BEGIN(&p, cpu, files, script, name);                                          \
		check(&p, name, threads, golden);                                                  \
		play_end(&p);                                                                      \
	} while (0)

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/replays.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder))
		return 1;
	snprintf(recording, sizeof recording, "%s/r.db", folder);
	setenv("TZ", "UTC", 1);
	CHECK("x86:06_5E", intel, &((struct pmu_script){.never_above = 4}), "default", false,
	      false);
	CHECK("x86:06_5E", intel, &((struct pmu_script){.share_running = 2, .share_of = 5}),
	      "branch", true, false);
	CHECK("x86:19_11", intel, &((struct pmu_script){.never_above = 6}), "frontend", false,
	      false);
	CHECK("x86:06_97", alder_lake,
	      &((struct pmu_script){.core_type = {4, 10}, .share_running = 1, .share_of = 4}),
	      "default", false, true);
	CHECK("arm64:41_D0C", neoverse, &((struct pmu_script){.never_above = 6}), "default", false,
	      false);
	unlink(recording);
	rmdir(folder);
	return tap_done();
}
