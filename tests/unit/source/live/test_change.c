/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the live source does when the state of a process changes: each event in each state.
 */
#include "live_rig.h"
#include "source/live/part.h"

static struct live *live_of(const struct rig *r)
{
	return (struct live *)r->source;
}

/* beta, which has three threads, all counted. */
static struct process *beta(const struct rig *r)
{
	return table_get(&live_of(r)->table, 20);
}

static int open_on_beta(const struct rig *r)
{
	return pmu_open_on(&r->pmu, 20) + pmu_open_on(&r->pmu, 21) + pmu_open_on(&r->pmu, 22);
}

/* Brings it there in the way in which a machine does. */
static void begin_in(struct rig *r, enum life state)
{
	struct rig_want want = {.n_events = 1, .facts = ALL_FACTS, .filter = FILTER_ALL};

	rig_begin(r);
	r->pmu.script.refuse_inherit_thread = true;
	if (state == LIFE_UNWANTED)
		want.filter.text = "alpha";
	rig_configure(r, &want);
	rig_next(r);
	if (state == LIFE_NEW)
		rig_configure(r, &want);
	if (state == LIFE_ENDED)
		live_change(live_of(r), beta(r), LIFE_END);
	if (state == LIFE_REPORTED || state == LIFE_GONE) {
		RUN(r, 20, 1);
		for (int tid = 22; tid >= 20; tid--)
			world_exit(&r->world, tid);
		rig_next(r);
	}
	if (state == LIFE_GONE)
		live_change(live_of(r), beta(r), LIFE_VANISH);
	tap_int(beta(r)->life, state, "in the state %d", state);
	tap_int(open_on_beta(r), state == LIFE_WATCHED ? 3 : 0, "and counted where it is watched");
}

/* What is done is what the header says. */
static void check_event(enum life state, enum life_event event)
{
	enum life after = life_after(state, event);
	bool detached = (event == LIFE_LEAVE || event == LIFE_RESTART) && state <= LIFE_WATCHED;
	bool ended = state == LIFE_WATCHED && after == LIFE_ENDED;
	fact_mask known_before;
	uint32_t n_before;
	bool lost_before;
	static struct rig r;

	begin_in(&r, state);
	known_before = beta(&r)->thread[0].task->known;
	n_before = beta(&r)->n;
	lost_before = beta(&r)->thread[0].task->lost;
	live_change(live_of(&r), beta(&r), event);
	tap_int(beta(&r)->life, after ? after : state, "state %d, event %d", state, event);
	tap_int((long)live_of(&r)->refused, !after, "it is counted where it cannot happen");
	tap_int(open_on_beta(&r), state == LIFE_WATCHED && !detached && !ended ? 3 : 0,
		"what stays open");
	tap_int(beta(&r)->thread[0].task->known, detached ? 0 : known_before,
		"the facts that are remembered");
	tap_int(beta(&r)->n, detached ? 1 : n_before, "the threads that are");
	tap_int(beta(&r)->thread[0].task->lost, lost_before || ended,
		"its facts have gone where it ends now");
	rig_done(&r);
	tap_int(r.pmu.n_open, 0, "no descriptor is left open");
}

/* Each event in each state of a thread that is not the leader. Where rows are threads, its end is
 * in its own row. */
static void check_thread(enum thread_life state, enum thread_event event, bool rows)
{
	enum thread_life after = thread_life_after(state, event);
	struct rig_want want = {
		.n_events = 1, .facts = ALL_FACTS, .threads = rows, .filter = FILTER_ALL};
	bool ended = state == THREAD_LIVES ? event == THREAD_END : event != THREAD_RETURN || !after;
	static struct rig r;
	struct thread *t;

	rig_begin(&r);
	r.pmu.script.refuse_inherit_thread = true;
	rig_configure(&r, &want);
	rig_next(&r);
	t = process_find_thread(beta(&r), 21);
	if (state != THREAD_LIVES)
		live_change_thread(live_of(&r), beta(&r), t, THREAD_END);
	if (state == THREAD_GONE)
		live_change_thread(live_of(&r), beta(&r), t, THREAD_DROP);
	live_change_thread(live_of(&r), beta(&r), t, event);
	tap_int(t->life, after ? after : state, "a thread in the state %d, event %d", state, event);
	tap_int((long)live_of(&r)->refused, !after, "it is counted where it cannot happen");
	tap_int(pmu_open_on(&r.pmu, 21), !ended, "its counters are open as long as it lives");
	tap_int(rows ? t->task->lost : t->task->ended, ended, "its reading says how it stands");
	rig_done(&r);
	tap_int(r.pmu.n_open, 0, "no descriptor is left open");
}

/* The rig tells of it. */
static void test_refused(void)
{
	static struct rig r;

	begin_in(&r, LIFE_WATCHED);
	live_change(live_of(&r), beta(&r), LIFE_VANISH);
	rig_next(&r);
	tap_str(r.wrong, "1 events came in states that do not have them",
		"what cannot happen is not silent");
	rig_done(&r);
}

int main(void)
{
	for (enum life state = LIFE_UNWANTED; state < N_LIVES; state++)
		for (enum life_event event = 0; event < N_LIFE_EVENTS; event++)
			check_event(state, event);
	for (enum thread_life state = THREAD_LIVES; state < N_THREAD_LIVES; state++)
		for (enum thread_event event = 0; event < N_THREAD_EVENTS; event++)
			check_thread(state, event, false);
	check_thread(THREAD_LIVES, THREAD_END, true);
	test_refused();
	return tap_done();
}
