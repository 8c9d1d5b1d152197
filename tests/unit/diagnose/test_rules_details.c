/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The evidence from reading the details of a task. */
#include "diagnose/rules.h"
#include "model/fact_list.h"

#include <stdio.h>
#include <sys/syscall.h>

#include "tap.h"

static const char *const names[] = {"device", "lock", "pipe",  "socket",
				    "timer",  "poll", "child", "frozen"};

/* Returns the name of the place where the task is found to wait; "" for no known place, "?" if it
 * is unknown. */
static const char *seen(long call, const char *place, char state)
{
	const struct detail_wait never = {.mono_ns = 0};
	struct detail d = {.state = state, .wait = {.mono_ns = 1, .call = call}};
	struct value e[N_EVIDENCE];
	const char *at = "";

	snprintf(d.wait.place, sizeof d.wait.place, "%s", place);
	evidence_read(e, &never, &d);
	for (int i = EVIDENCE_IN_DEVICE; i <= EVIDENCE_FROZEN; i++) {
		if (!value_known(e[i]))
			return "?";
		if (e[i].number == 1)
			at = names[i - EVIDENCE_IN_DEVICE];
	}
	return at;
}

static void test_places(void)
{
	static const struct {
		long call;
		const char *place;
		char state;
		const char *want;
	} table[] = {
		{SYS_futex, "", 'S', "lock"},
		{SYS_futex, "futex_do_wait", 'S', "lock"},
		{DETAIL_CALL_UNKNOWN, "futex_wait_queue", 'S', "lock"},
		{SYS_read, "anon_pipe_read", 'S', "pipe"},
		{SYS_read, "pipe_read", 'S', "pipe"},
		{SYS_write, "pipe_wait_writable", 'S', "pipe"},
		{SYS_clock_nanosleep, "hrtimer_nanosleep", 'S', "timer"},
		{SYS_ppoll, "do_sys_poll", 'S', "poll"},
		{DETAIL_CALL_UNKNOWN, "ep_poll", 'S', "poll"},
		{SYS_wait4, "do_wait", 'S', "child"},
		{SYS_recvfrom, "unix_stream_read_generic", 'S', "socket"},
		{SYS_accept4, "inet_csk_accept", 'S', "socket"},
		{SYS_read, "folio_wait_bit_common", 'D', "device"},
		{DETAIL_CALL_UNKNOWN, "", 'D', "device"},
		{SYS_fsync, "jbd2_log_wait_commit", 'D', "device"},
		{SYS_clone, "kernel_clone", 'D', "child"},
		{DETAIL_CALL_NONE, "__refrigerator", 'D', "frozen"},
		{SYS_futex, "__refrigerator", 'D', "frozen"},
		{SYS_clock_nanosleep, "get_signal", 'S', "timer"},
		/* Calls of 32-bit tasks, where the kernel function cannot be read. */
		{407, "", 'S', "timer"},
		{413, "", 'S', "poll"},
		{414, "", 'S', "poll"},
		{422, "", 'S', "lock"},
		{SYS_read, "n_tty_read", 'S', ""},
		{DETAIL_CALL_NONE, "", 'R', ""},
		{DETAIL_CALL_UNKNOWN, "", 'S', "?"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_str(seen(table[i].call, table[i].place, table[i].state), table[i].want,
			"call %ld, place '%s', state %c", table[i].call, table[i].place,
			table[i].state);
}

/* In the unified hierarchy, a frozen task sleeps in the same kernel function as a task that handles
 * a signal. */
static void test_frozen(void)
{
	const struct detail_wait never = {.mono_ns = 0};
	const struct detail d = {.state = 'S',
				 .wait = {.mono_ns = 1,
					  .call = SYS_clock_nanosleep,
					  .place = "get_signal",
					  .frozen = true}};
	struct value e[N_EVIDENCE];

	evidence_read(e, &never, &d);
	tap_ok(e[EVIDENCE_FROZEN].number == 1 && e[EVIDENCE_IN_TIMER].number == 0,
	       "a task of a frozen group sleeps for no time that it has set");
}

/* The kernel reports a wait when it ends, so it may have begun before the interval. */
static void test_queue(void)
{
	const struct detail_wait before = {.mono_ns = 1000000000, .known = 1 << DETAIL_QUEUE_NS};
	struct detail d = {.known = FACT_SET(FACT_NUM_THREADS),
			   .wait = {.mono_ns = 2000000000,
				    .known = 1 << DETAIL_QUEUE_NS,
				    .count = {[DETAIL_QUEUE_NS] = 10830000000}}};
	struct value e[N_EVIDENCE];

	d.fact[FACT_NUM_THREADS] = 1;
	evidence_read(e, &before, &d);
	tap_ok(e[EVIDENCE_QUEUE].number == 100 && e[EVIDENCE_QUEUE].quality == QUALITY_UNEQUAL,
	       "a thread waits for all of the interval at most");
	d.fact[FACT_NUM_THREADS] = 20;
	evidence_read(e, &before, &d);
	tap_ok(e[EVIDENCE_QUEUE].number == 1083 && e[EVIDENCE_QUEUE].quality == QUALITY_EXACT,
	       "of many, the sum may be more");
}

static void test_growing(void)
{
	struct detail_wait before = {.mono_ns = 1000000000u,
				     .known = 1 << DETAIL_QUEUE_NS | 1 << DETAIL_THROTTLED_NS |
					      1 << DETAIL_SWITCHES,
				     .count = {[DETAIL_QUEUE_NS] = 7, [DETAIL_SWITCHES] = 100}};
	struct detail d = {.state = 'S',
			   .known = FACT_SET(FACT_NUM_THREADS),
			   .fact = {[FACT_NUM_THREADS] = 3},
			   .wait = {.mono_ns = 3000000000u,
				    .known = 1 << DETAIL_QUEUE_NS | 1 << DETAIL_SWITCHES |
					     1 << DETAIL_THROTTLED_NS | 1 << DETAIL_MAJFLT,
				    .count = {[DETAIL_QUEUE_NS] = 500000007,
					      [DETAIL_SWITCHES] = 90,
					      [DETAIL_THROTTLED_NS] = 40000000}}};
	struct value e[N_EVIDENCE];

	evidence_read(e, &before, &d);
	tap_num(e[EVIDENCE_QUEUE].number, 25, "half a second in two is 25 %%");
	tap_num(e[EVIDENCE_THROTTLED].number, 20, "and 40 ms are 20 in a second");
	tap_num(e[EVIDENCE_THREADS].number, 3, "threads are a state");
	tap_ok(!value_known(e[EVIDENCE_SWITCHES]), "what has become less is not known");
	tap_ok(!value_known(e[EVIDENCE_MAJOR]), "nor what was not known before");
	before.mono_ns = 0;
	evidence_read(e, &before, &d);
	tap_ok(!value_known(e[EVIDENCE_QUEUE]), "one look tells nothing of what grows");
	d.error = -3;
	evidence_read(e, &before, &d);
	tap_ok(!value_known(e[EVIDENCE_THREADS]), "nor does one that failed");
}

/* If the set of allowed CPUs has changed, the idle times of the others cannot be compared. */
static void test_cpus(void)
{
	struct detail_wait before = {.mono_ns = 1000000000u,
				     .known = 1 << DETAIL_OTHER_IDLE_NS,
				     .count = {[DETAIL_OTHER_IDLE_NS] = 5000000000u},
				     .allowed = "0",
				     .n_allowed = 1,
				     .n_others = 3};
	struct detail d = {.state = 'R', .wait = before};
	struct value e[N_EVIDENCE];

	d.wait.mono_ns = 2000000000u;
	d.wait.count[DETAIL_OTHER_IDLE_NS] = 7500000000u;
	evidence_read(e, &before, &d);
	tap_num(e[EVIDENCE_ALLOWED_CPUS].number, 1, "it may run on one CPU");
	tap_num(e[EVIDENCE_OTHER_CPUS].number, 3, "not on three");
	tap_num(e[EVIDENCE_OTHER_IDLE].number, 250, "which were idle for 2.5 s in one");
	snprintf(before.allowed, sizeof before.allowed, "%s", "1");
	evidence_read(e, &before, &d);
	tap_ok(!value_known(e[EVIDENCE_OTHER_IDLE]), "it was bound to another one before");
	snprintf(before.allowed, sizeof before.allowed, "%s", "0");
	before.n_others = 2;
	evidence_read(e, &before, &d);
	tap_ok(!value_known(e[EVIDENCE_OTHER_IDLE]), "a CPU came online");
	d.wait.known = 0;
	evidence_read(e, &before, &d);
	tap_ok(!value_known(e[EVIDENCE_ALLOWED_CPUS]), "the CPUs could not be read");
}

int main(void)
{
	test_cpus();
	test_places();
	test_frozen();
	test_queue();
	test_growing();
	return tap_done();
}
