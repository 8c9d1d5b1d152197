/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching: what configure() detects about the machine; and that each thread of a process is
 * counted once, even if threads start or exit while they are attached.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "attach_rig.h"
#include "model/fact_list.h"

static void test_configure(void)
{
	struct err note = ERR_INIT;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	configure(&a, 3, false, &note);
	tap_int(note.code, 0, "a good machine: nothing to say");
	tap_int(a.n_usable, 3, "all events can be had");
	tap_int(pmu.n_open, 3, "each stays open on tiptop itself");
	tap_ok(a.set.inherit, "groups inherit");
	pmu.most_open = 0;
	configure(&a, 2, true, &note);
	tap_int(pmu.n_open, 2, "other events: the old ones are closed");
	tap_int(pmu.most_open, 5, "but only after the new ones were opened");
	tap_ok(!a.set.inherit, "groups of threads do not inherit");
	pmu.script.missing = 1;
	pmu.script.denied = 2;
	configure(&a, 3, false, &note);
	tap_int(a.set.event[0].quality, QUALITY_UNSUPPORTED, "an event that the machine lacks");
	tap_int(a.set.event[1].quality, QUALITY_DENIED, "one that is not allowed");
	tap_int(a.set.event[2].quality, QUALITY_EXACT, "one that can be had");
	tap_int(note.code, ENOENT, "the note is about the first");
	tap_ok(note.text[0] && note.text[strlen(note.text) - 1] != '.', "and a sentence");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* A switch to another screen that uses some of the open events: plans are made for the columns of
 * the new screen, and no counter is opened or closed. */
static void test_go_on(void)
{
	struct err note = ERR_INIT;
	struct event_set set;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	configure(&a, 4, false, &note);
	event_set_init(&set);
	event_set_add(&set, "another")->config = 3;
	event_set_add(&set, "name")->config = 1;
	event_set_add(&set, "unknown")->config = 99;
	event_set_join(&set, 1 | 2);
	event_set_join(&set, 2 | 4);
	set.n_wishes = 1;
	attach_go_on(&a, &set);
	tap_int(a.set.n, 4, "the events stay");
	tap_int(a.set.n_together, 2, "the columns are those of the other screen");
	tap_int((int)a.set.together[0], 8 | 2, "by what their counters are");
	tap_int((int)a.set.together[1], 2, "as far as they are counted");
	tap_int(a.set.n_wishes, 1, "wishes are wishes");
	tap_int(pmu.n_open, 4, "nothing is opened or closed");
	tap_int(set.n, 0, "the set has moved");
	attach_done(&a);
}

static void test_fallbacks(void)
{
	struct err note = ERR_INIT;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	pmu.script.refuse_inherit_thread = true;
	configure(&a, 2, false, &note);
	tap_ok(!a.set.inherit && a.n_usable == 2 && !note.code,
	       "no inherit_thread: a group for each thread, no complaint");
	pmu.script.refuse_exclude_guest = EOPNOTSUPP;
	configure(&a, 2, false, &note);
	tap_ok(a.set.event[0].guest_too && a.n_usable == 2 && !note.code,
	       "no exclude_guest: without it, no complaint");
	pmu.script = (struct pmu_script){.max_fds = 3};
	configure(&a, 4, false, &note);
	tap_int(a.set.event[3].quality, QUALITY_NOFILE, "no descriptor for an event on oneself");
	tap_int(a.why.code, EMFILE, "is noted");
	tap_int(note.code, 0, "but not for good");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* An event that its PMU counts for a whole socket is not counted for any task, and the note says
 * why. */
static void test_shared(void)
{
	struct err note = ERR_INIT;
	struct event_set set;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	attach_init(&a, &pmu.sys);
	make_set(&set, 2);
	set.event[0].what = strdup("uncore_imc_0/cas_count_read/");
	set.event[0].shared = true;
	attach_configure(&a, &set, false, &note);
	tap_int(a.set.event[0].quality, QUALITY_UNSUPPORTED, "an event that CPUs share");
	tap_int(a.set.event[1].quality, QUALITY_EXACT, "the other one is counted");
	tap_int(pmu.n_open, 1, "and it alone is open");
	tap_str(note.text,
		"'uncore_imc_0/cas_count_read/' counts for a whole socket, or another part of the "
		"machine that CPUs share, and its counts cannot be attributed to a task or a CPU: "
		"'tiptop "
		"system --group socket' shows it, on a screen with rows=\"socket\"",
		"why");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

static void test_states(void)
{
	struct group *g, *h;
	struct err err = ERR_INIT;
	struct rlimit old, low;
	struct attach a;
	struct pmu pmu;

	pmu_init(&pmu);
	for (int tid = 1; tid <= 4; tid++)
		pmu_task_add(&pmu, tid);
	pmu_task(&pmu, 2)->denied = true;
	pmu_exit(&pmu, 3);
	attach_init(&a, &pmu.sys);
	tap_int(attach_open(&a, 1, false, &g, NULL), COUNT_NONE, "nothing to count");
	getrlimit(RLIMIT_NOFILE, &old);
	low = (struct rlimit){(rlim_t)attach_reserve() + 3 + 5, old.rlim_max};
	setrlimit(RLIMIT_NOFILE, &low);
	configure(&a, 3, true, NULL);
	setrlimit(RLIMIT_NOFILE, &old);
	tap_int(a.max_fds, 5, "the budget");
	tap_int(attach_open(&a, 2, false, &g, &err), COUNT_DENIED, "not allowed");
	tap_ok(strstr(err.text, "2"), "a sentence says which task");
	tap_ok(!g, "no group then");
	tap_int(attach_open(&a, 3, false, &g, NULL), COUNT_GONE, "gone");
	tap_int(attach_open(&a, 1, false, &g, NULL), COUNT_OK, "counted");
	tap_int(a.n_fds, 3, "its descriptors are counted, too");
	tap_int(attach_open(&a, 4, false, &h, NULL), COUNT_NOFILE,
		"no room for another in the budget");
	attach_close(&a, g);
	tap_int(attach_open(&a, 4, false, &h, NULL), COUNT_OK, "now there is");
	attach_close(&a, h);
	attach_close(&a, NULL);
	tap_int(a.n_fds, 0, "and all is given back");
	pmu.script.missing = 7;
	tap_int(attach_open(&a, 4, false, &h, NULL), COUNT_UNSUPPORTED,
		"what the kernel cannot count on this task");
	attach_done(&a);
	tap_int(pmu.n_open + pmu.bad_calls, 0, "nothing is left open");
}

/* The number of the call that opens a counter, at which thread 21 starts another thread. */
static int open_at;

static void start_thread_at(struct pmu *pmu, void *context, int tid)
{
	(void)tid;
	if (pmu->calls.open == open_at)
		world_start_thread(context, 20, 30, 21);
}

/* A thread that starts at any moment while the others are attached is counted exactly once. */
static void test_race(void)
{
	static struct rig r;
	int once = 0, tries = 0;

	for (open_at = 1; open_at <= 8; open_at++) {
		rig_begin_beta(&r);
		r.pmu.on_open = start_thread_at;
		r.pmu.context = &r.world;
		rig_configure(&r, &(struct rig_want)RIG_WANT(2));
		rig_next(&r);
		if (!world_task(&r.world, 30))
			world_start_thread(&r.world, 20, 30, 21);
		r.pmu.on_open = NULL;
		RUN(&r, 20, 1);
		RUN(&r, 21, 2);
		RUN(&r, 30, 4);
		rig_next(&r);
		once += !strcmp(rig_increment(&r, 20, 0), "exact 280000");
		tries++;
		rig_done(&r);
		tap_str(r.wrong, "",
			"a thread starts when counter %d is opened: no number is wrong", open_at);
	}
	tap_int(once, tries, "it is counted once, whenever it starts");
}

static void one_more_thread(struct world *w, int pid)
{
	static int next;

	if (w->n < 60)
		world_start_thread(w, pid, 100 + next++, pid);
}

/* A process starts threads faster than they can be attached: attempts are limited, and the sum is
 * partial. */
static void test_never_still(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	r.world.on_tids = one_more_thread;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	tap_ok(r.world.calls.tids <= 10, "the attempts are limited");
	r.world.on_tids = NULL;
	RUN(&r, 20, 1);
	RUN(&r, r.world.last_pid, 2);
	rig_next(&r);
	tap_int(rig_row(&r, 20)->increment[0].quality, QUALITY_PARTIAL, "its sum is partial");
	rig_end(&r, "never still");
}

/* A counter with inherit_thread outlives its thread: threads that this one started are still
 * counted. */
static void test_creator_ends(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	/* VCSW: a fact that is read thread by thread, so threads must be listed. */
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = FACT_SET(FACT_VCSW)));
	rig_next(&r);
	world_start_thread(&r.world, 20, 30, 21);
	RUN(&r, 30, 1);
	rig_next(&r);
	world_exit(&r.world, 21);
	RUN(&r, 30, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 80000", "when a thread ends");
	RUN(&r, 30, 3);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 120000", "those that it started are counted on");
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_VCSW)), "exact 1200",
		"and their facts added");
	rig_end(&r, "the creator ends");
}

static void test_group_per_thread(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	rig_next(&r);
	RUN(&r, 20, 1);
	RUN(&r, 21, 2);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 120000", "a group for each thread: their sum");
	world_start_thread(&r.world, 20, 30, 21);
	RUN(&r, 30, 4);
	RUN(&r, 21, 1);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "partial 40000",
		"a thread that came meanwhile makes it partial");
	tap_num(rig_row(&r, 20)->cpu_ns.number, 200000, "but not the CPU time");
	RUN(&r, 30, 4);
	world_exit(&r.world, 21);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 160000", "once");
	tap_int(pmu_open_on(&r.pmu, -1), 0, "the counters of a thread that ended are closed");
	rig_end(&r, "a group for each thread");
}

/* When a thread has exited, the facts of its process become exact again. */
static void test_facts_after_end(void)
{
	static struct rig r;

	rig_begin_beta(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = FACT_SET(FACT_VCSW)));
	rig_next(&r);
	world_exit(&r.world, 21);
	for (int i = 0; i < 3; i++) {
		RUN(&r, 20, 1);
		rig_next(&r);
	}
	tap_str(rig_value(delta_fact(rig_row(&r, 20), FACT_VCSW)), "exact 400",
		"long after the end of a thread");
	rig_end(&r, "facts after an end");
}

static void test_thread_rows(void)
{
	static struct rig r;
	const struct task *t;

	rig_begin_beta(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1, .facts = ALL_FACTS, .threads = true));
	rig_next(&r);
	tap_int(rig_sample(&r)->n, 2, "a row for each thread");
	tap_ok(rig_sample(&r)->threads, "as the sample says");
	RUN(&r, 20, 1);
	RUN(&r, 21, 2);
	world_start_thread(&r.world, 20, 30, 21);
	RUN(&r, 30, 4);
	rig_next(&r);
	tap_str(rig_increment(&r, 20, 0), "exact 40000", "the leader for itself");
	tap_str(rig_increment(&r, 21, 0), "exact 80000", "the other for itself");
	tap_str(rig_value(delta_fact(rig_row(&r, 21), FACT_VCSW)), "exact 800", "with its facts");
	tap_str(rig_increment(&r, 30, 0), "fresh", "a new thread has no counts yet");
	tap_str(rig_value(delta_fact(rig_row(&r, 30), FACT_VCSW)), "exact 1600",
		"but facts since its birth");
	RUN(&r, 21, 8);
	world_exit(&r.world, 21);
	RUN(&r, 30, 1);
	rig_next(&r);
	t = rig_task(&r, 21);
	tap_ok(t && t->dead, "a thread that ended is sampled once more, dead");
	tap_str(rig_increment(&r, 21, 0), "exact 320000", "with its final counts");
	tap_str(rig_increment(&r, 30, 0), "exact 40000", "the new thread by its own group");
	rig_next(&r);
	tap_ok(!rig_task(&r, 21), "and then gone");
	rig_end(&r, "thread rows");
}

/* Counters cannot be opened at first, for lack of memory or since another program has reserved the
 * PMU. Opening is retried. */
static void test_refused(void)
{
	static const int errors[] = {ENOMEM, EBUSY, EINTR};
	static struct rig r;

	for (int i = 0; i < 6; i++) {
		struct log log = LOG_INIT;

		rig_begin_beta(&r);
		r.pmu.script.refuse_inherit_thread = i % 2;
		rig_configure(&r,
			      &(struct rig_want){.n_events = 2, .filter = FILTER_ALL, .log = &log});
		r.plan = (struct fault_plan){
			.kind = "open", .fail_at = 2, .from_then_on = true, .error = errors[i / 2]};
		rig_next(&r);
		tap_int(rig_task(&r, 20)->counting, COUNT_REFUSED, "%s: refused",
			strerrorname_np(errors[i / 2]));
		tap_int(r.pmu.n_open, 2, "nothing stays open but on tiptop itself");
		tap_int((long)log.n, 1, "a sentence says it: %s",
			log.n ? log.line[0].text : "none");
		RUN(&r, 20, 1);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "not-read", "there is no number, and not 0");
		r.plan = (struct fault_plan){.n = 0};
		for (int k = 0; k < 12; k++) {
			RUN(&r, 20, 1);
			RUN(&r, 21, 2);
			rig_next(&r);
		}
		tap_str(rig_increment(&r, 20, 0), "exact 120000", "later it is counted");
		log_done(&log);
		rig_end(&r, "refused");
	}
}

/* Events cannot be opened when the screen is chosen, because another program has reserved the PMU
 * or descriptors are short. Trying again later succeeds. */
static void test_refused_events(void)
{
	static const struct {
		int error;
		const char *quality;
	} table[] = {{EBUSY, "not-scheduled"}, {ENOMEM, "not-read"}, {ENFILE, "nofile"}};
	static struct rig r;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *name = strerrorname_np(table[i].error);
		int n = 0;

		rig_begin_beta(&r);
		r.plan = (struct fault_plan){.kind = "open",
					     .fail_at = 1,
					     .from_then_on = true,
					     .error = table[i].error};
		rig_configure(&r, &(struct rig_want)RIG_WANT(2));
		tap_int(r.note.code, 0, "%s: nothing is said for good", name);
		rig_next(&r);
		tap_ok(r.source->ops->note(r.source), "%s: but for now: %s", name,
		       r.source->ops->note(r.source));
		RUN(&r, 20, 1);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 1), table[i].quality, "%s: why there is no number",
			name);
		r.plan = (struct fault_plan){.n = 0};
		do {
			RUN(&r, 20, 1);
			RUN(&r, 21, 2);
			rig_next(&r);
		} while (strcmp(rig_increment(&r, 20, 0), "exact 120000") && ++n < 30);
		tap_ok(n < 30, "%s: after some refreshes (%d) there is one", name, n);
		tap_ok(!r.source->ops->note(r.source), "%s: and nothing to say", name);
		world_start_thread(&r.world, 20, 30 + (int)i, 21);
		RUN(&r, 30 + (int)i, 1);
		rig_next(&r);
		tap_str(rig_increment(&r, 20, 0), "exact 40000",
			"%s: threads to come are counted, too", name);
		rig_end(&r, "refused events");
	}
}

/* The counters of one of three threads cannot be opened: the sum is partial until a retry
 * succeeds. */
static void test_refused_thread(void)
{
	static struct rig r;
	int n = 0;

	rig_begin_beta(&r);
	rig_configure(&r, &(struct rig_want)RIG_WANT(1));
	r.plan = (struct fault_plan){.kind = "open", .fail_at = 2, .error = ENOMEM};
	rig_next(&r);
	do {
		RUN(&r, 20, 1);
		RUN(&r, 21, 2);
		rig_next(&r);
		tap_ok(strcmp(rig_increment(&r, 20, 0), "exact 40000"),
		       "the second thread is not left out");
	} while (strcmp(rig_increment(&r, 20, 0), "exact 120000") && ++n < 30);
	tap_ok(n > 0 && n < 30, "refused a thread: after some refreshes (%d) all are counted", n);
	rig_end(&r, "refused a thread");
}

int main(void)
{
	test_configure();
	test_go_on();
	test_fallbacks();
	test_shared();
	test_states();
	test_refused();
	test_refused_thread();
	test_refused_events();
	test_race();
	test_never_still();
	test_creator_ends();
	test_group_per_thread();
	test_facts_after_end();
	test_thread_rows();
	return tap_done();
}
