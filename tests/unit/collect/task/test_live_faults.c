/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source while calls fail: first each call of perf_event_open() and /proc functions once,
 * then each kind of call permanently from some call on. Nothing may crash, no descriptor may leak,
 * and no number may be wrong.
 */
#include <errno.h>
#include <stdlib.h>

#include "live_rig.h"

static void scene_processes(struct rig *r)
{
	struct world *w = &r->world;

	rig_configure(r, &(struct rig_want){.n_events = 3,
					    .facts = ALL_FACTS,
					    .filter = FILTER_ALL,
					    .cmdline = true});
	rig_next(r);
	RUN(r, 10, 1);
	RUN(r, 20, 2);
	RUN(r, 22, 3);
	rig_next(r);
	world_start_thread(w, 20, 23, 21);
	RUN(r, 23, 4);
	RUN(r, 20, 1);
	world_start(w, 40, "newcomer");
	RUN(r, 40, 5);
	rig_next(r);
	world_exit(w, 22);
	RUN(r, 23, 6);
	RUN(r, 40, 6);
	rig_next(r);
	RUN(r, 10, 7);
	world_exit(w, 10);
	RUN(r, 40, 7);
	world_reap(w, 40);
	rig_next(r);
	world_reap(w, 10);
	world_exec(w, 30, "another");
	RUN(r, 30, 8);
	RUN(r, 23, 8);
	rig_next(r);
}

static void scene_threads(struct rig *r)
{
	struct world *w = &r->world;

	rig_configure(r, &(struct rig_want){.n_events = 2,
					    .facts = ALL_FACTS,
					    .filter = FILTER_ALL,
					    .threads = true});
	rig_next(r);
	RUN(r, 20, 1);
	RUN(r, 23, 2);
	rig_next(r);
	world_start_thread(w, 20, 24, 23);
	RUN(r, 24, 3);
	rig_next(r);
	RUN(r, 23, 4);
	RUN(r, 24, 4);
	world_exit(w, 23);
	rig_next(r);
	rig_configure(r,
		      &(struct rig_want){.n_events = 1, .filter = {.text = "another", .uid = -1}});
	rig_next(r);
	RUN(r, 30, 5);
	rig_next(r);
	RUN(r, 30, 6);
	world_reap(w, 30);
	rig_next(r);
	rig_next(r);
}

struct machine {
	const char *name;
	struct pmu_script script;
	long n_fds; /* descriptors left for counters; 0: no limit */
};

/* Runs a source through all scenes. Returns false, with the reason in why, if something other than
 * the planned failure goes wrong. */
static bool play(const struct machine *machine, struct fault_plan *plan, char *why, size_t size)
{
	static struct rig r;

	rig_init(&r);
	if (machine->n_fds)
		rig_limit(&r, machine->n_fds);
	r.pmu.script = machine->script;
	r.plan = *plan;
	world_start(&r.world, 10, "alpha");
	world_start(&r.world, 20, "beta");
	world_start_thread(&r.world, 20, 21, 20);
	world_start_thread(&r.world, 20, 22, 20);
	world_start(&r.world, 30, "gamma");
	world_wait(&r.world, 5000000000);
	scene_processes(&r);
	scene_threads(&r);
	rig_done(&r);
	plan->reached = r.plan.reached;
	snprintf(why, size, "%s", r.wrong);
	if (!why[0] && r.pmu.n_open)
		snprintf(why, size, "%d descriptors are left open", r.pmu.n_open);
	if (!why[0] && r.pmu.bad_calls)
		snprintf(why, size, "%d calls made no sense", r.pmu.bad_calls);
	return !why[0];
}

static const struct machine machines[] = {
	{.name = "a good machine"},
	{"two counters at a time", {.max_hardware = 2}, 0},
	{"multiplexing", {.share_running = 1, .share_of = 2}, 0},
	{"no inherit_thread", {.refuse_inherit_thread = true}, 0},
	{"few descriptors", {.max_fds = 14}, 0},
	/* Descriptors are short, so that a task gets counters only once it runs. */
	{.name = "not plenty of descriptors", .n_fds = 3 + 15},
	{"an event that is missing", {.missing = 1}, 0},
};

static const int errors[] = {EIO, EMFILE, EINVAL, EACCES, ENOMEM};

static const char *const kinds[] = {"open", "read", "ioctl",     "close", "host",
				    "pids", "tids", "cpu_clock", "walk",  "facts"};

#define N(array) (sizeof(array) / sizeof *(array))

/* The n-th call of this kind (NULL: any) fails, for every n. */
static void test_every_call(size_t machine, const char *kind, bool from_then_on, int error)
{
	struct fault_plan plan;
	char why[256], first[300] = "";
	long n = 0, wrong = 0;

	do {
		plan = (struct fault_plan){
			.fail_at = ++n, .kind = kind, .from_then_on = from_then_on, .error = error};
		if (play(&machines[machine], &plan, why, sizeof why))
			continue;
		if (!wrong++)
			snprintf(first, sizeof first, "call %ld: %s", n, why);
	} while (plan.reached);
	tap_ok(!wrong, "%s: each call %s%s fails %s with error %d", machines[machine].name,
	       kind ? "of " : "", kind ? kind : "", from_then_on ? "from then on" : "once", error);
	if (wrong)
		printf("# %ld of %ld calls lead to a fault; first: %s\n", wrong, n - 1, first);
}

int main(void)
{
	for (size_t m = 0; m < N(machines); m++) {
		char why[256];

		if (!tap_ok(play(&machines[m], &(struct fault_plan){0}, why, sizeof why),
			    "%s: nothing fails", machines[m].name))
			tap_show("because", why);
		/* All errors on the first machine, which covers all paths; two of them on the
		 * others. */
		for (size_t e = 0; e < (m ? 2 : N(errors)); e++)
			test_every_call(m, NULL, false, errors[e]);
	}
	for (size_t k = 0; k < N(kinds); k++) {
		test_every_call(0, kinds[k], true, EIO);
		/* ESRCH from open() says that the task has gone, and there is no second source to
		 * disprove that. */
		if (strcmp(kinds[k], "open") && strcmp(kinds[k], "ioctl"))
			test_every_call(0, kinds[k], false, ESRCH);
	}
	return tap_done();
}
