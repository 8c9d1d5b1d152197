/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play_rig - simulates other machines, from the kernel to the cells of a screen: a scripted PMU and
 * a made-up sysfs, with a built-in screen. The counts of the PMU are known, and so is each cell.
 */
#ifndef TESTS_PLAY_RIG_H
#define TESTS_PLAY_RIG_H

#include "collect/task/live.h"
#include "fake_proc.h"
#include "fake_sysfs.h"
#include "model/fact_list.h"
#include "model/rows.h"
#include "pmu/event/describe.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"
#include "view/frame.h"

#define PLAY_STEP_NS 40000000u

struct play {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct pmu pmu;
	struct world world;
	struct screen_list screens;
	const struct screen *screen;
	struct screen_numbers numbers;
	struct binding binding;
	struct source *source;
	struct sample sample[2];
	struct delta delta[2], processes;
	struct view view;
	struct frame frame;
	int current;
	bool begun;
};

static inline void play_no_fault(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	tap_ok(false, "the screen is without a fault: %s", err->text);
}

static inline void play_configure(struct play *p)
{
	struct want want = {.filter = FILTER_ALL,
			    .facts = fact_or(p->screen->facts, FACT_SET(FACT_CPU_NS))};
	const struct offer offer = offer_live(&p->machine, &p->pmu.sys, false);
	struct err note = ERR_INIT;
	struct sample_machine *reported;

	counters_make_set(&want.events, p->screen, &offer);
	event_set_describe(&want.events, &p->machine);
	counters_describe(&p->numbers, &want.events);
	binding_init(&p->binding, p->screen, &p->numbers);
	reported = machine_describe(&p->machine, true);
	p->source = source_live_new(&p->pmu.sys, &p->world.proc, reported);
	sample_machine_unref(reported);
	p->source->ops->configure(p->source, &want, &note);
	tap_str(note.text, "", "nothing to complain of");
}

static inline void play_begin(struct play *p, const char *cpu, const struct fake_file *file,
			      size_t n, const struct pmu_script *script, const char *name)
{
	const struct offer offer = offer_live(&p->machine, &p->pmu.sys, false);
	struct err err = ERR_INIT;
	int i;

	memset(p, 0, sizeof *p);
	fake_sysfs_make(&p->sysfs, file, n);
	machine_init(&p->machine, &p->sysfs.host);
	cpu_parse(&p->machine.cpu, cpu);
	pmu_init(&p->pmu);
	p->pmu.script = *script;
	world_init(&p->world, &p->pmu);
	world_start(&p->world, 10, "alpha");
	world_wait(&p->world, 10000000000);
	screen_list_add_built_in(&p->screens, 0, screen_built_in_n - 1);
	i = screen_list_find(&p->screens, name, NULL);
	p->screen = p->screens.v[i];
	tap_int(screen_compile(p->screens.v[i], play_no_fault, NULL, &err), 0, "%s: screen %s", cpu,
		name);
	tap_ok(fit_may_show(p->screens.v[i], &offer), "which is for this CPU");
	fit_screen(p->screens.v[i], &offer);
	for (int k = 0; k < 2; k++) {
		sample_init(&p->sample[k]);
		delta_init(&p->delta[k]);
	}
	delta_init(&p->processes);
	frame_init(&p->frame);
	p->view = (struct view){.idle = true, .filter = FILTER_ALL};
	play_configure(p);
}

#define PLAY_BEGIN(p, cpu, files, script, name)                                                    \
	play_begin(p, cpu, files, sizeof(files) / sizeof *(files), script, name)

static inline void play_step(struct play *p, uint64_t ns)
{
	int old = p->current, new = p->begun ? !old : old;
	struct err err = ERR_INIT;

	if (ns)
		world_run(&p->world, 10, ns);
	world_wait(&p->world, 1000000000);
	if (p->source->ops->next(p->source, &p->sample[new], &err))
		tap_ok(false, "a sample: %s", err.text);
	tap_str(p->sample[new].machine->arch, p->machine.cpu.arch, "the sample tells its machine");
	delta_compute(&p->delta[new], p->begun ? &p->delta[old] : NULL,
		      p->begun ? &p->sample[old] : NULL, &p->sample[new]);
	fold_processes(&p->processes, &p->delta[new]);
	frame_build(&p->frame, &p->binding, &p->view, &p->processes, NULL, 0);
	p->current = new;
	p->begun = true;
}

static inline void play_end(struct play *p)
{
	frame_done(&p->frame);
	binding_done(&p->binding);
	screen_numbers_done(&p->numbers);
	delta_done(&p->processes);
	p->source->ops->free(p->source);
	for (int k = 0; k < 2; k++) {
		delta_done(&p->delta[k]);
		sample_done(&p->sample[k]);
	}
	screen_list_done(&p->screens);
	fake_sysfs_remove(&p->sysfs);
	tap_int(p->pmu.n_open + p->pmu.bad_calls, 0, "nothing is left open, every call made sense");
}

#endif
