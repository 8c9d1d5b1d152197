/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of futex(2) are paired with their ends. First by hand; then in random orders of what
 * threads do, on two CPUs of which each may lose records, beside a model that knows the true calls:
 * a pair is one of these, and each call is in a pair or counted.
 */
#include "profile/locks/futex_program.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "orders.h"
#include "tap.h"

#define PID 40

static struct futex_pair pair;
static pid_t beginner; /* the task that began the call */
static int n_pairs;

static void note(void *context, const struct futex_pair *p)
{
	(void)context;
	pair = *p;
	beginner = p->enter->task;
	n_pairs++;
}

static struct syscall_record record(enum syscalls_what what, pid_t task, uint64_t time)
{
	return (struct syscall_record){.what = what, .process = PID, .task = task, .time_ns = time};
}

static void enter(struct futex_pairs *p, pid_t task, uint64_t time, long operation)
{
	struct syscall_record r = record(SYSCALLS_ENTER, task, time);

	r.call.number = SYS_futex;
	r.call.argument[0] = 0x1000;
	r.call.argument[1] = (uint64_t)operation;
	futex_pairs_add(p, &r);
}

/* The thread is seen in a call that had begun earlier. */
static void see(struct futex_pairs *p, pid_t task, uint64_t time)
{
	struct syscall_record r = record(SYSCALLS_ENTER, task, time);

	r.call.number = SYS_futex;
	r.call.argument[0] = 0x1000;
	r.call.argument[1] = FUTEX_WAIT;
	r.call.began_before = true;
	futex_pairs_add(p, &r);
}

static void leave(struct futex_pairs *p, pid_t task, uint64_t time, int64_t result)
{
	struct syscall_record r = record(SYSCALLS_EXIT, task, time);

	r.call.number = SYS_futex;
	r.call.result = result;
	futex_pairs_add(p, &r);
}

static void end(struct futex_pairs *p, pid_t task, uint64_t time)
{
	const struct syscall_record r = record(SYSCALLS_END, task, time);

	futex_pairs_add(p, &r);
}

/* Checks that there is one more pair, which ends at this time. */
static void check(int n, uint64_t begin, uint64_t last, int64_t result, bool under_way,
		  const char *what)
{
	tap_ok(n_pairs == n && pair.begin_ns == begin && pair.end_ns == last &&
		       pair.result == result && pair.under_way == under_way,
	       "%s", what);
}

static void test_seen(void)
{
	struct futex_pairs *p = futex_pairs_new(note, NULL);
	struct futex_pair open;

	n_pairs = 0;
	see(p, 41, 100);
	tap_ok(futex_pairs_find_open(p, 41, 130, &open) && open.under_way && open.began_before &&
		       open.begin_ns == 100 && open.end_ns == 130,
	       "a call is under way, and began earlier");
	tap_ok(!futex_pairs_find_open(p, 42, 130, &open), "another thread is in none");
	leave(p, 41, 150, 0);
	check(1, 100, 150, 0, false, "its end");
	tap_ok(pair.began_before, "a pair whose beginning is unknown");
	enter(p, 41, 160, FUTEX_WAIT);
	leave(p, 41, 170, 0);
	tap_ok(n_pairs == 2 && !pair.began_before, "that of the next one is known");
	see(p, 42, 100);
	leave(p, 42, 90, 0);
	enter(p, 42, 95, FUTEX_WAIT);
	leave(p, 42, 120, 0);
	check(3, 95, 120, 0, false, "a call that was seen, and whose records come later, is one");
	tap_ok(!pair.began_before, "whose beginning is known");
	tap_ok(futex_pairs_numbers(p).n_calls == 4 && futex_pairs_numbers(p).n_unpaired == 1,
	       "only the end of the call before has no beginning");
	see(p, 43, 100);
	enter(p, 43, 130, FUTEX_WAIT);
	tap_ok(futex_pairs_numbers(p).n_unpaired == 2 && futex_pairs_find_open(p, 43, 140, &open) &&
		       open.begin_ns == 130,
	       "its end was lost");
	futex_pairs_add(p, &(struct syscall_record){.what = SYSCALLS_LOST, .until_ns = 135});
	tap_ok(!futex_pairs_find_open(p, 43, 140, &open), "a call may have ended in a loss");
	futex_pairs_free(p);
}

static void test_pairs(void)
{
	struct futex_pairs *p = futex_pairs_new(note, NULL);

	n_pairs = 0;
	enter(p, 41, 10, FUTEX_WAIT_PRIVATE);
	enter(p, 42, 11, FUTEX_WAKE_PRIVATE);
	leave(p, 42, 12, 1);
	check(1, 11, 12, 1, false, "a wake");
	tap_ok(pair.operation.role == FUTEX_ROLE_WAKE && pair.task == 42, "of another thread");
	leave(p, 41, 13, 0);
	check(2, 10, 13, 0, false, "the wait that it ends");
	tap_ok(pair.operation.role == FUTEX_ROLE_WAIT && pair.operation.address == 0x1000 &&
		       beginner == 41,
	       "with its futex");
	enter(p, 41, 20, FUTEX_WAIT);
	leave(p, 41, 21, -512);
	tap_int(n_pairs, 2, "a signal: the thread may be killed");
	enter(p, 41, 22, FUTEX_WAIT);
	check(3, 20, 21, -EINTR, false, "it is not, so the wait was interrupted");
	leave(p, 41, 24, -516);
	end(p, 41, 25);
	check(4, 22, 24, 0, true, "it is, so the wait had not ended");
	enter(p, 43, 30, FUTEX_WAIT);
	end(p, 43, 31);
	check(5, 30, 31, 0, true, "a thread that ends in a wait");
	enter(p, 44, 40, FUTEX_WAIT);
	futex_pairs_end(p, 50);
	check(6, 40, 50, 0, true, "a wait at the end");
	tap_int((int)futex_pairs_numbers(p).n_calls, 6, "calls");
	tap_int((int)futex_pairs_numbers(p).n_unpaired, 0, "all in pairs");
	futex_pairs_free(p);
}

static void test_gaps(void)
{
	struct futex_pairs *p = futex_pairs_new(note, NULL);
	struct syscall_record r = record(SYSCALLS_FORK, 42, 20);

	n_pairs = 0;
	leave(p, 41, 10, 0);
	tap_int((int)futex_pairs_numbers(p).n_unpaired, 1, "an end without a beginning");
	enter(p, 41, 11, FUTEX_WAIT);
	enter(p, 41, 12, FUTEX_WAIT);
	tap_int((int)futex_pairs_numbers(p).n_unpaired, 2, "a beginning without an end");
	r.what = SYSCALLS_EXIT;
	r.task = 41;
	r.call.number = FUTEX_CALL_WAKE;
	futex_pairs_add(p, &r);
	tap_int((int)futex_pairs_numbers(p).n_unpaired, 4, "the end of another call");
	enter(p, 42, 15, FUTEX_WAIT);
	r = record(SYSCALLS_FORK, 42, 20);
	futex_pairs_add(p, &r);
	tap_int((int)futex_pairs_numbers(p).n_unpaired, 5, "a new thread with the same id");
	r = record(SYSCALLS_ENTER, 42, 21);
	r.call.number = SYS_getpid;
	futex_pairs_add(p, &r);
	r.what = SYSCALLS_EXIT;
	futex_pairs_add(p, &r);
	tap_ok(!n_pairs && futex_pairs_numbers(p).n_calls == 5, "other calls are passed over");
	enter(p, 42, 30, FUTEX_WAIT);
	futex_pairs_free(p);
	futex_pairs_free(NULL);
}

static void test_losses(void)
{
	struct futex_pairs *p = futex_pairs_new(note, NULL);
	struct syscall_record lost = record(SYSCALLS_LOST, 0, 12);

	n_pairs = 0;
	lost.until_ns = 20;
	enter(p, 41, 10, FUTEX_WAIT);
	futex_pairs_add(p, &lost);
	leave(p, 41, 15, 0);
	tap_int(n_pairs, 0, "a call across a loss");
	enter(p, 41, 16, FUTEX_WAIT);
	leave(p, 41, 30, 0);
	tap_int(n_pairs, 0, "a call that began during a loss");
	enter(p, 41, 31, FUTEX_WAIT);
	leave(p, 41, 32, 0);
	check(1, 31, 32, 0, false, "a call behind it");
	tap_int((int)futex_pairs_numbers(p).n_unpaired, 2, "the others are counted");
	futex_pairs_free(p);
}

/* --- random orders --- */

#define TASKS 5
#define STEPS 400
#define CPUS  2

/* A true call. */
struct call {
	pid_t task;
	uint64_t begin, end;
	int64_t result;
	bool ended, under_way, in_pair;
};

static struct model {
	uint64_t random, now;
	struct call call[STEPS];
	int n, current[TASKS]; /* the call of a task, from 1 on; 0: none */
	bool stopped[TASKS];   /* by a signal, and the task has done nothing since */
	bool loses[CPUS];
	uint64_t last[CPUS], visited;
	struct syscall_record record[4 * STEPS];
	int n_records;
	const char *wrong;
} m;

static unsigned draw(unsigned n)
{
	m.random = m.random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(m.random >> 33) % n;
}

static void write_loss(int cpu, uint64_t until)
{
	struct syscall_record *r = &m.record[m.n_records++];

	*r = record(SYSCALLS_LOST, 0, m.last[cpu]);
	r->until_ns = until;
	/* In the order of time: behind the record of the same time. */
	for (int i = m.n_records - 1; i && m.record[i - 1].time_ns > m.last[cpu]; i--) {
		const struct syscall_record moved = m.record[i];

		m.record[i] = m.record[i - 1];
		m.record[i - 1] = moved;
	}
}

/* Writes a record on a random CPU, unless this one loses it. */
static void write_record(struct syscall_record r)
{
	const int cpu = (int)draw(CPUS);

	if (m.loses[cpu])
		return;
	m.record[m.n_records++] = r;
	m.last[cpu] = r.time_ns;
}

static void toggle_loss(int cpu)
{
	if (m.loses[cpu])
		write_loss(cpu, m.now);
	m.loses[cpu] = !m.loses[cpu];
}

static void do_call(int task)
{
	struct syscall_record r = record(SYSCALLS_ENTER, 50 + task, m.now);

	r.call.number = SYS_futex;
	r.call.argument[0] = 0x1000;
	m.call[m.n] = (struct call){.task = r.task, .begin = m.now};
	m.current[task] = ++m.n;
	m.stopped[task] = false;
	write_record(r);
}

static void do_return(int task)
{
	struct call *c = &m.call[m.current[task] - 1];
	struct syscall_record r = record(SYSCALLS_EXIT, 50 + task, m.now);

	r.call.number = SYS_futex;
	m.stopped[task] = !draw(4);
	r.call.result = m.stopped[task] ? -512 : (int64_t)draw(5) - 2;
	c->end = m.now;
	c->ended = true;
	c->result = m.stopped[task] ? -EINTR : r.call.result;
	if (!m.stopped[task])
		m.current[task] = 0;
	write_record(r);
}

/* The task ends, and another one with the same id begins. */
static void do_end(int task)
{
	struct call *c = m.current[task] ? &m.call[m.current[task] - 1] : NULL;

	if (c) {
		c->end = c->ended ? c->end : m.now;
		c->ended = c->under_way = true;
		c->result = 0;
	}
	m.current[task] = 0;
	m.stopped[task] = false;
	write_record(record(SYSCALLS_END, 50 + task, m.now));
	m.now++;
	write_record(record(SYSCALLS_FORK, 50 + task, m.now));
}

static void do_step(bool losses)
{
	const int task = (int)draw(TASKS);

	m.now++;
	if (losses && !draw(20))
		toggle_loss((int)draw(CPUS));
	else if (!draw(12))
		do_end(task);
	else if (m.current[task] && !m.stopped[task])
		do_return(task);
	else
		do_call(task);
}

static void compare(void *context, const struct futex_pair *p)
{
	(void)context;
	m.visited++;
	for (int i = 0; i < m.n; i++) {
		struct call *c = &m.call[i];

		if (c->task != p->task || c->begin != p->begin_ns)
			continue;
		if (c->in_pair)
			m.wrong = "a call is in two pairs";
		else if (c->end != p->end_ns || c->result != p->result ||
			 c->under_way != p->under_way)
			m.wrong = "a pair has the end of another call";
		c->in_pair = true;
		return;
	}
	m.wrong = "a pair is no call";
}

static const char *try_order(uint64_t seed)
{
	struct futex_pairs *p = futex_pairs_new(compare, NULL);
	const bool losses = seed % 3;
	struct futex_pairs_numbers numbers;

	memset(&m, 0, sizeof m);
	m.random = seed * 0x9e3779b97f4a7c15 + 1;
	for (int i = 0; i < STEPS; i++)
		do_step(losses);
	m.now++;
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (m.loses[cpu])
			toggle_loss(cpu);
	for (int task = 0; task < TASKS; task++)
		if (m.current[task]) {
			struct call *c = &m.call[m.current[task] - 1];

			c->end = c->ended ? c->end : m.now;
			c->under_way = true;
			c->result = 0;
		}
	for (int i = 0; i < m.n_records; i++)
		futex_pairs_add(p, &m.record[i]);
	futex_pairs_end(p, m.now);
	numbers = futex_pairs_numbers(p);
	futex_pairs_free(p);
	if (!m.wrong && m.visited + numbers.n_unpaired != numbers.n_calls)
		m.wrong = "a call is neither in a pair nor counted";
	if (!m.wrong && !losses && (int)m.visited != m.n)
		m.wrong = "a call is missing, though nothing was lost";
	return m.wrong;
}

int main(void)
{
	test_pairs();
	test_seen();
	test_gaps();
	test_losses();
	return orders_try(try_order, 3000, "pairs are true calls, and none is left out unseen");
}
