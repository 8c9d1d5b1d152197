/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futexes - calls futex(2) through syscall(2) in known ways: does the steps in order. Each step
 * uses a variable of its own, and prints what it did to it: "name waits timeouts changed
 * interrupted failed wakes woken".
 *
 *   refused    waits that end otherwise than by a wake
 *   wakes      operations that wake no thread, and one that does not exist
 *   lock       a lock that four threads acquire 50 times each
 *   inherit    a lock with priority inheritance
 *   queue      a thread waits for 20 items, one after the other
 *   crowd      three threads wait until all are woken together
 *   moved      of three threads one is woken, and two are moved to `target`
 *   foreign    a mutex whose memory is passed to futex(2): the mutex has rows, not the futex
 *   reused     a futex in whose memory a mutex is afterwards
 *   storm      signals whose handler wakes, while two threads use a lock
 *   handler    a signal handler wakes during waits
 *   cancel     a thread is canceled: no call of syscall(2) is a cancellation point
 *   child      a child of fork(2) makes seven calls, which are not counted
 *   leave      threads still wait at the end
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAITV        449
#define LOCKERS      4
#define ROUNDS       50
#define ITEMS        20
#define STORM_ROUNDS 3000

/* Numbers of calls for a futex. */
struct done {
	atomic_long waits, timeouts, changed, interrupted, failed, wakes, woken;
};

atomic_uint refused, unwaited, word, inheriting, items, gate, source, target, reused, poked, deaf,
	of_child, stormy, forever;
static pthread_mutex_t foreign = PTHREAD_MUTEX_INITIALIZER;
static struct done lock_done, moved_done;

static void report(const char *name, const struct done *d)
{
	printf("%s %ld %ld %ld %ld %ld %ld %ld\n", name, d->waits, d->timeouts, d->changed,
	       d->interrupted, d->failed, d->wakes, d->woken);
	fflush(stdout);
}

static void expect(long got, long want, const char *what)
{
	if (got == want)
		return;
	fprintf(stderr, "futexes: %s: %ld instead of %ld (%s)\n", what, got, want, strerror(errno));
	exit(9);
}

static void pause_ms(long ms)
{
	const struct timespec t = {.tv_nsec = ms * 1000000};

	nanosleep(&t, NULL);
}

__attribute__((noinline)) static long wait_for(atomic_uint *at, unsigned value, struct done *d)
{
	const long ret = syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);

	if (!ret) {
		d->waits++;
		return ret;
	}
	d->failed++;
	d->changed += errno == EAGAIN;
	d->interrupted += errno == EINTR;
	return ret;
}

__attribute__((noinline)) static long wake(atomic_uint *at, int n, struct done *d)
{
	const long ret = syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);

	d->wakes++;
	d->woken += ret;
	return ret;
}

/* Wakes until n threads have been woken. */
static void wake_all_of(atomic_uint *at, long n, struct done *d)
{
	while (n) {
		n -= wake(at, (int)n, d);
		pause_ms(1);
	}
}

static void ignore(int number)
{
	(void)number;
}

/* A timer that comes again, as the first signal may come before the wait. */
static void start_timer(void (*handler)(int), long ms)
{
	const struct itimerval t = {{0, ms * 1000}, {0, ms * 1000}};
	struct sigaction act = {.sa_handler = handler};

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

static void stop_timer(void)
{
	const struct itimerval t = {{0, 0}, {0, 0}};

	setitimer(ITIMER_REAL, &t, NULL);
}

static void step_refused(void)
{
	const struct timespec soon = {.tv_nsec = 1000000}, never = {.tv_nsec = -1};
	struct {
		uint64_t value, address;
		uint32_t flags, reserved;
	} vector = {1, (uintptr_t)&refused, 2 | FUTEX_PRIVATE_FLAG, 0};
	struct done d = {.timeouts = 3, .changed = 4, .failed = 3 + 4 + 1};

	for (int i = 0; i < 3; i++)
		expect(syscall(SYS_futex, &refused, FUTEX_WAIT_PRIVATE, 0, &soon, NULL, 0) == -1 &&
			       errno == ETIMEDOUT,
		       1, "a timeout");
	for (int i = 0; i < 4; i++)
		expect(syscall(SYS_futex, &refused, FUTEX_WAIT_BITSET_PRIVATE, 1, NULL, NULL, -1) ==
				       -1 &&
			       errno == EAGAIN,
		       1, "another value");
	expect(syscall(SYS_futex, &refused, FUTEX_WAIT_PRIVATE, 0, &never, NULL, 0) == -1 &&
		       errno == EINVAL,
	       1, "an invalid time");
	if (syscall(WAITV, &vector, 1, 0, NULL, 0) == -1) {
		d.failed++;
		d.changed += errno == EAGAIN;
	}
	start_timer(ignore, 5);
	expect(wait_for(&refused, 0, &d) == -1 && errno == EINTR, 1, "a signal");
	stop_timer();
	report("refused", &d);
}

static void step_wakes(void)
{
	static const int operations[] = {FUTEX_WAKE, FUTEX_WAKE_PRIVATE, FUTEX_REQUEUE_PRIVATE};
	struct done d = {.wakes = 6};

	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		errno = 77;
		expect(syscall(SYS_futex, &unwaited, operations[i], 1, 0, &target, 0), 0, "a wake");
		expect(errno, 77, "errno after a success");
	}
	expect(syscall(SYS_futex, &unwaited, FUTEX_WAKE_BITSET, 9, 0, NULL, -1), 0,
	       "a wake of many");
	expect(syscall(SYS_futex, &unwaited, FUTEX_CMP_REQUEUE, 1, 1, &target, 0), 0, "a move");
	expect(syscall(SYS_futex, &unwaited, FUTEX_CMP_REQUEUE, 1, 1, &target, 1) == -1 &&
		       errno == EAGAIN,
	       1, "a move of another value");
	expect(syscall(SYS_futex, &unwaited, 127, 1, NULL, NULL, 0) == -1 && errno == ENOSYS, 1,
	       "no operation");
	expect(syscall(SYS_futex, 0, FUTEX_WAKE, 1, NULL, NULL, 0) == -1 && errno == EFAULT, 1,
	       "no address");
	expect(syscall(SYS_futex, (char *)&unwaited + 1, FUTEX_WAKE, 1, NULL, NULL, 0) == -1 &&
		       errno == EINVAL,
	       1, "no aligned address");
	report("unwaited", &d);
}

static void *acquire_often(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		unsigned free = 0;

		if (!atomic_compare_exchange_strong(&word, &free, 1))
			while (atomic_exchange(&word, 2))
				wait_for(&word, 2, &lock_done);
		pause_ms(1);
		if (atomic_exchange(&word, 0) == 2)
			wake(&word, 1, &lock_done);
	}
	return unused;
}

static void run(int n, void *(*start)(void *), pthread_t *thread)
{
	for (int i = 0; i < n; i++)
		expect(pthread_create(&thread[i], NULL, start, NULL), 0, "a thread");
}

static void join(int n, const pthread_t *thread)
{
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static void step_lock(void)
{
	pthread_t thread[LOCKERS];

	run(LOCKERS, acquire_often, thread);
	join(LOCKERS, thread);
	report("word", &lock_done);
}

static void *inherit(void *unused)
{
	expect(syscall(SYS_futex, &inheriting, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0), 0,
	       "a lock");
	expect(syscall(SYS_futex, &inheriting, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0), 0,
	       "its end");
	return unused;
}

static void step_inherit(void)
{
	const struct done d = {.waits = 3, .wakes = 3};
	pthread_t thread[2];

	expect(syscall(SYS_futex, &inheriting, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0), 0,
	       "a free one");
	run(2, inherit, thread);
	pause_ms(20);
	expect(syscall(SYS_futex, &inheriting, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0), 0,
	       "its end");
	join(2, thread);
	report("inheriting", &d);
}

static struct done queue_done;

static void *take_items(void *unused)
{
	for (unsigned i = 0; i < ITEMS; i++)
		while (items == i)
			wait_for(&items, i, &queue_done);
	return unused;
}

static void step_queue(void)
{
	pthread_t thread;

	run(1, take_items, &thread);
	for (int i = 0; i < ITEMS; i++) {
		pause_ms(1);
		items++;
		/* Not by wake(), which wakes those of locks, too. */
		queue_done.wakes++;
		queue_done.woken +=
			syscall(SYS_futex, &items, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	join(1, &thread);
	report("items", &queue_done);
}

static struct done crowd_done;

static void *pass_gate(void *unused)
{
	while (!gate)
		wait_for(&gate, 0, &crowd_done);
	return unused;
}

static void step_crowd(void)
{
	pthread_t thread[3];

	run(3, pass_gate, thread);
	pause_ms(50);
	gate = 1;
	crowd_done.wakes++;
	crowd_done.woken += syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, 3, NULL, NULL, 0);
	join(3, thread);
	report("gate", &crowd_done);
}

static void *be_moved(void *unused)
{
	wait_for(&source, 0, &moved_done);
	return unused;
}

static void step_moved(void)
{
	struct done to = {.wakes = 0};
	pthread_t thread[3];
	long n = 0;

	run(3, be_moved, thread);
	/* All three are found waiting before any one is woken. */
	while (n < 3) {
		n = syscall(SYS_futex, &source, FUTEX_CMP_REQUEUE_PRIVATE, 0, 3L, &source, 0);
		moved_done.wakes++;
		moved_done.woken += n;
		pause_ms(1);
	}
	expect(syscall(SYS_futex, &source, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2L, &target, 0), 3,
	       "a move");
	moved_done.wakes++;
	moved_done.woken += 3;
	wake_all_of(&target, 2, &to);
	join(3, thread);
	report("source", &moved_done);
	report("target", &to);
}

static void step_foreign(void)
{
	struct done d = {.wakes = 0};

	pthread_mutex_lock(&foreign);
	pthread_mutex_unlock(&foreign);
	wake((atomic_uint *)(void *)&foreign, 1, &d);
	wake((atomic_uint *)(void *)((char *)&foreign + 4), 1, &d);
}

static union {
	atomic_uint futex;
	pthread_mutex_t mutex;
} memory;

static void step_reused(void)
{
	struct done d = {.wakes = 0};

	wake(&memory.futex, 1, &d);
	pthread_mutex_init(&memory.mutex, NULL);
	pthread_mutex_lock(&memory.mutex);
	pthread_mutex_unlock(&memory.mutex);
	report("memory", &d);
}

static struct done poke_done;

static void poke(int number)
{
	const int error = errno;

	(void)number;
	wake(&poked, 1, &poke_done);
	errno = error;
}

static struct done storm_done;
static atomic_int n_busy;

static void *acquire_stormy(void *unused)
{
	for (int i = 0; i < STORM_ROUNDS; i++) {
		unsigned free = 0;

		if (!atomic_compare_exchange_strong(&stormy, &free, 1))
			while (atomic_exchange(&stormy, 2))
				wait_for(&stormy, 2, &storm_done);
		sched_yield();
		if (atomic_exchange(&stormy, 0) == 2)
			wake(&stormy, 1, &storm_done);
	}
	n_busy--;
	return unused;
}

static void step_storm(void)
{
	const struct sigaction act = {.sa_handler = poke};
	pthread_t thread[2];

	sigaction(SIGUSR1, &act, NULL);
	n_busy = 2;
	run(2, acquire_stormy, thread);
	while (n_busy == 2)
		for (int i = 0; i < 2; i++)
			pthread_kill(thread[i], SIGUSR1);
	join(2, thread);
	report("stormy", &storm_done);
}

static void step_handler(void)
{
	struct done d = {.waits = 0};

	start_timer(poke, 3);
	for (int i = 0; i < 10; i++)
		expect(wait_for(&deaf, 0, &d) == -1 && errno == EINTR, 1, "a wait amid a handler");
	stop_timer();
	report("deaf", &d);
	report("poked", &poke_done);
}

static struct done cancel_done;
static atomic_int passed;

static void *be_canceled(void *unused)
{
	wait_for(&of_child, 0, &cancel_done);
	passed = 1;
	pthread_testcancel();
	passed = 2;
	return unused;
}

static void step_cancel(void)
{
	pthread_t thread;
	void *result;

	run(1, be_canceled, &thread);
	pause_ms(20);
	pthread_cancel(thread);
	pause_ms(20);
	wake_all_of(&of_child, 1, &cancel_done);
	pthread_join(thread, &result);
	expect(passed == 1 && result == PTHREAD_CANCELED, 1, "a canceled thread");
	report("of_child", &cancel_done);
}

static void step_child(void)
{
	struct done d = {.wakes = 0};
	int status;
	const pid_t child = fork();

	if (!child) {
		for (int i = 0; i < 7; i++)
			wake(&of_child, 1, &d);
		_exit(0);
	}
	expect(waitpid(child, &status, 0) == child && !status, 1, "a child");
}

static void *wait_forever(void *done)
{
	for (;;)
		wait_for(&forever, 0, done);
	return NULL;
}

static void step_leave(void)
{
	static struct done d;
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		expect(pthread_create(&thread[i], NULL, wait_forever, &d), 0, "a thread");
	pause_ms(100);
}

static const struct step {
	const char *name;
	void (*do_it)(void);
} steps[] = {
	{"refused", step_refused}, {"wakes", step_wakes},     {"lock", step_lock},
	{"inherit", step_inherit}, {"queue", step_queue},     {"crowd", step_crowd},
	{"moved", step_moved},     {"foreign", step_foreign}, {"reused", step_reused},
	{"storm", step_storm},     {"handler", step_handler}, {"cancel", step_cancel},
	{"child", step_child},     {"leave", step_leave},
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
			if (!strcmp(argv[i], steps[k].name))
				steps[k].do_it();
	return 0;
}
