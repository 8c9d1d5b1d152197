/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of state of processes, threads and counters in the live source: each event in each state.
 */
#include <string.h>

#include "collect/task/live_process.h"
#include "live_rig.h"

static struct live *live_of(const struct rig *r)
{
	return (struct live *)r->source;
}

/* Returns the process beta, which has three threads. */
static struct process *beta(const struct rig *r)
{
	return table_get(&live_of(r)->table, 20);
}

static int open_on_beta(const struct rig *r)
{
	return pmu_open_on(&r->pmu, 20) + pmu_open_on(&r->pmu, 21) + pmu_open_on(&r->pmu, 22);
}

/* Brings beta into this state, for most states by the events that lead there on a real machine. */
static void begin_in(struct rig *r, enum life state)
{
	struct rig_want want = RIG_WANT(1, .facts = ALL_FACTS);

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

/* Checks that the event has the effects that the table of states in process_table.h lists. */
static void check_event(enum life state, enum life_event event)
{
	enum life after = life_after(state, event);
	bool detached = (event == LIFE_LEAVE || event == LIFE_RESTART) && state <= LIFE_WATCHED;
	bool ended = state == LIFE_WATCHED && after == LIFE_ENDED;
	struct fact_set known_before;
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
	tap_ok(fact_equal(beta(&r)->thread[0].task->known, detached ? FACT_NONE : known_before),
	       "the facts that are remembered");
	tap_int(beta(&r)->n, detached ? 1 : n_before, "the threads that are");
	tap_int(beta(&r)->thread[0].task->lost, lost_before || ended,
		"its facts have gone where it ends now");
	rig_done(&r);
	tap_int(r.pmu.n_open, 0, "no descriptor is left open");
}

/* Checks each event in each state of a thread that is not the leader. rows: rows are threads. */
static void check_thread(enum thread_life state, enum thread_event event, bool rows)
{
	enum thread_life after = thread_life_after(state, event);
	struct rig_want want = RIG_WANT(1, .facts = ALL_FACTS, .threads = rows);
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

/* Brings the counters of beta, or of its thread 21 if rows are threads, into this state. Returns
 * the thread that keeps the state. */
static struct thread *begin_counters(struct rig *r, enum counters state, bool rows)
{
	struct rig_want want = RIG_WANT(1, .threads = rows);
	struct thread *t;

	rig_begin(r);
	r->pmu.script.refuse_inherit_thread = true;
	for (int tid = 20; tid <= 22; tid++)
		pmu_task(&r->pmu, tid)->denied = state == COUNTERS_ABSENT;
	rig_configure(r, &want);
	if (state == COUNTERS_IDLE || state == COUNTERS_WAIT)
		live_of(r)->attach.max_fds = 0;
	rig_next(r);
	if (state == COUNTERS_WAIT) {
		for (int i = 0; i < 2; i++) {
			RUN(r, 20, 1);
			rig_next(r);
		}
	}
	t = process_find_thread(beta(r), rows ? 21 : 20);
	if (state == COUNTERS_UNTRIED)
		live_change_counters(live_of(r), beta(r), t, COUNTERS_RESET);
	if (state == COUNTERS_REVOKED)
		live_change_counters(live_of(r), beta(r), t, COUNTERS_REVOKE);
	if (state == COUNTERS_FINAL)
		live_change_counters(live_of(r), beta(r), t, COUNTERS_END);
	return t;
}

/* Checks each event in each state of counters. It applies to all threads of beta, or to thread 21
 * if rows are threads. */
static void check_counters(enum counters state, enum counters_event event, bool rows)
{
	enum counters after = counters_after(state, event);
	bool closes = event == COUNTERS_REVOKE && after,
	     waits_on = state == COUNTERS_WAIT && after == COUNTERS_WAIT;
	bool sleeps = event == COUNTERS_SLEEP && after;
	static struct rig r;
	struct thread *t = begin_counters(&r, state, rows);
	int open = open_on_beta(&r), its = rows ? pmu_open_on(&r.pmu, 21) : open;
	uint32_t since = t->since;

	tap_int(t->counters, state, "%s: counters in the state %d",
		rows ? "rows of threads" : "processes", state);
	tap_int(its > 0,
		state == COUNTERS_UNTRIED || state == COUNTERS_OPEN || state == COUNTERS_FINAL,
		"open or not");
	live_of(&r)->refresh++;
	live_change_counters(live_of(&r), beta(&r), t, event);
	tap_int(t->counters, after ? after : state, "event %d", event);
	tap_int((long)live_of(&r)->refused, !after, "it is counted where it cannot happen");
	tap_int(t->since, !after || waits_on ? since : live_of(&r)->refresh, "since when it is so");
	tap_int(open_on_beta(&r), open - (closes ? its : 0),
		"they are closed where others take them");
	if (sleeps)
		for (size_t i = rows; i < (rows ? 2 : beta(&r)->n); i++)
			tap_int(beta(&r)->thread[i].task->counting, COUNT_IDLE,
				"who sleeps has counted nothing");
	rig_done(&r);
	tap_int(r.pmu.n_open, 0, "no descriptor is left open");
}

/* An event that its state does not allow is counted, and logged once. */
static void test_refused(void)
{
	struct log log = LOG_INIT;
	static struct rig r;

	begin_in(&r, LIFE_WATCHED);
	live_of(&r)->want.log = &log;
	live_change(live_of(&r), beta(&r), LIFE_VANISH);
	rig_next(&r);
	rig_next(&r);
	tap_str(r.wrong, "1 events came in states that do not have them",
		"what cannot happen is not silent");
	tap_ok(log.n == 1 && strstr(log.line[0].text, "this is a fault of tiptop"),
	       "people are told once: %s", log.n ? log.line[0].text : "nothing");
	log_done(&log);
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
	for (enum counters state = COUNTERS_UNTRIED; state < N_COUNTERS; state++)
		for (enum counters_event event = 0; event < N_COUNTERS_EVENTS; event++) {
			check_counters(state, event, false);
			check_counters(state, event, true);
		}
	test_refused();
	return tap_done();
}
