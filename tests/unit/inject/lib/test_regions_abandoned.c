/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that never end, because a jump leaves them, and calls that only seem to. A reader of this
 * test simulates events. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "own_regions.h"
#include "played_regions.h"
#include "tap.h"

TT_REGION(outer, "outer");
TT_REGION(parse, "parse");
TT_REGION(lex, "lex");
TT_REGION(other, "other");
static struct tt_region script = {"script", 0, TT_INTERPRETED};

static jmp_buf back;

/* Clears the rows of the regions, and the error counts in the slot of the thread. */
static void begin_check(void)
{
	struct tt_region *const all[] = {&outer, &parse, &lex, &other, &script};

	forget_calls(all, sizeof all / sizeof *all);
	tt_local.thread->n_frameless = 0;
	slot()->n_abandoned = slot()->n_too_deep = 0;
}

static void is_idle(const char *what)
{
	tap_ok(tt_local.thread->top == &tt_local.thread->frame[1] && !row(&outer)->depth &&
		       !row(&parse)->depth && !row(&lex)->depth,
	       "%s: no call goes on", what);
}

/* --- left by a jump --- */

static __attribute__((noinline)) void run_parse(int depth, bool jumps)
{
	volatile char room[200];

	room[0] = 0;
	if (depth) {
		run_parse(depth - 1, jumps);
		room[0]++;
		return;
	}
	TT_BEGIN(parse);
	counter += 10;
	TT_BEGIN(lex);
	counter += 5;
	if (jumps)
		longjmp(back, 1);
	TT_END(lex);
	TT_END(parse);
}

/* Makes n calls, of which each third one ends and the others are left by longjmp(3). deeper: they
 * are left from within a region. */
static void run_failing(int n, int deeper)
{
	for (volatile int i = 0; i < n; i++)
		if (!setjmp(back))
			run_parse(i % 3 == 2 ? 0 : deeper, i % 3 != 2);
}

static void check_left(int deeper, const char *what)
{
	begin_check();
	run_failing(300, deeper);
	tap_int(row(&parse)->calls, 100, "%s: the calls that end are counted", what);
	tap_int(sum(&parse), 1500, "with what they count");
	tap_int(self(&parse), 1000, "by themselves, too");
	tap_int(sum(&lex), 500, "and the region in them");
	tap_int(slot()->n_abandoned, 400, "the others are abandoned");
	is_idle(what);
}

static void check_left_inside(void)
{
	begin_check();
	TT_BEGIN(outer);
	run_failing(300, 3);
	TT_END(outer);
	tap_int(sum(&parse), 1500, "in another region: what the calls count that end");
	tap_int(sum(&outer), 4500, "the region around them has everything");
	tap_int(self(&outer), 3000, "by itself all but those");
	is_idle("in another region");
}

/* All calls begin at the same height of the stack. */
static void check_same_height(void)
{
	begin_check();
	for (volatile int i = 0; i < 1000; i++) {
		if (setjmp(back))
			continue;
		TT_BEGIN(parse);
		counter += 10;
		if (i % 10 != 9)
			longjmp(back, 1);
		TT_END(parse);
	}
	tap_int(row(&parse)->calls, 100, "at the same height: the calls that end");
	tap_int(sum(&parse), 1000, "and what they count");
	tap_int(slot()->n_abandoned, 900, "the others are abandoned");
}

static void run_other(void)
{
	TT_BEGIN(other);
	counter += 2;
	TT_END(other);
}

static volatile bool fails = true;

static __attribute__((noinline)) void fill(int depth)
{
	TT_BEGIN(parse);
	if (depth > 1)
		fill(depth - 1);
	else if (fails)
		longjmp(back, 1);
	TT_END(parse);
}

static void check_full(void)
{
	begin_check();
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(back))
			fill(THREAD_DEPTH + 6);
	run_other();
	tap_int(sum(&other), 2, "behind a stack that was left full, another region counts");
	tap_int(slot()->n_abandoned, 10 * (THREAD_DEPTH + 6), "the calls on it are abandoned");
	is_idle("behind a full stack");
}

/* --- only looks like it --- */

static inline __attribute__((always_inline)) void run_inlined(int n)
{
	TT_BEGIN(parse);
	counter += 10;
	if (n == 2) {
		TT_BEGIN(parse);
		counter += 10;
		TT_END(parse);
	}
	TT_END(parse);
}

static __attribute__((noinline)) void recurse(int n)
{
	TT_BEGIN(parse);
	counter += 10;
	if (n > 1)
		recurse(n - 1);
	counter++;
	TT_END(parse);
}

static void check_recursion(void)
{
	begin_check();
	run_inlined(2);
	tap_int(row(&parse)->calls, 2, "in each other in one function: two calls");
	tap_int(sum(&parse), 20, "and nothing twice");
	recurse(20);
	tap_int(row(&parse)->calls, 22, "recursion: each call");
	tap_int(sum(&parse), 20 + 20 * 11, "and nothing twice");
	tap_int(slot()->n_abandoned, 0, "none is abandoned");
	is_idle("recursion");
}

/* In an interpreter, all calls begin and end at the same place in code and on the stack. */
static void switch_script(bool begin)
{
	if (begin)
		tt_region_begin(&script);
	else
		tt_region_end(&script);
}

static void check_interpreted(void)
{
	begin_check();
	for (int i = 0; i < 6; i++) {
		switch_script(i < 3);
		counter += 7;
	}
	tap_int(row(&script)->calls, 3, "recursion in an interpreter: each call");
	tap_int(sum(&script), 5 * 7, "and nothing twice");
	tap_int(slot()->n_abandoned, 0, "none is abandoned");
}

static void on_signal(int signal)
{
	(void)signal;
	recurse(2);
}

/* The signal stack may be above or below the stack of the thread. */
static void *run_handler(void *stack)
{
	const stack_t other_stack = {.ss_sp = stack, .ss_size = 1 << 16};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	sigaltstack(&other_stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	TT_BEGIN(parse);
	tt_local.thread->read = play;
	TT_END(parse);
	begin_check();
	TT_BEGIN(parse);
	counter += 10;
	raise(SIGUSR1);
	TT_END(parse);
	tap_int(sum(&parse), 10 + 22, "a handler on another stack measures the same region");
	tap_int(slot()->n_abandoned, 0, "and abandons nothing");
	is_idle("behind a handler");
	return NULL;
}

static void check_handler(void)
{
	char *room =
		mmap(NULL, 3 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		pthread_attr_init(&attributes);
		pthread_attr_setstack(&attributes, room + (1 << 20), 1 << 20);
		pthread_create(&thread, &attributes, run_handler, room + (i ? 2 << 20 : 0));
		pthread_join(thread, NULL);
		pthread_attr_destroy(&attributes);
	}
	munmap(room, 3 << 20);
}

static ucontext_t scheduler, task[2];

static void run_task(int i)
{
	TT_BEGIN(parse);
	counter += 10;
	swapcontext(&task[i], &scheduler);
	TT_END(parse);
}

/* The second coroutine begins at a higher address than the first one, which has not ended. */
static void check_coroutines(void)
{
	static char stack[2][1 << 16];

	begin_check();
	for (int i = 0; i < 2; i++) {
		getcontext(&task[i]);
		task[i].uc_stack.ss_sp = stack[i];
		task[i].uc_stack.ss_size = sizeof stack[i];
		task[i].uc_link = &scheduler;
		makecontext(&task[i], (void (*)(void))run_task, 1, i);
		swapcontext(&scheduler, &task[i]);
	}
	for (int i = 2; i--;)
		swapcontext(&scheduler, &task[i]);
	tap_int(row(&parse)->calls, 2, "coroutines have stacks of their own: both calls count");
	tap_int(slot()->n_abandoned, 0, "none is abandoned");
	is_idle("coroutines");
}

/* --- a thread that ends --- */

static struct table_slot *ended;

static void *end_inside(void *context)
{
	(void)context;
	TT_BEGIN(outer);
	TT_BEGIN(other);
	pthread_exit(NULL);
}

static void check_thread(void)
{
	const uint64_t before = ended->n_abandoned;
	pthread_t thread;

	pthread_create(&thread, NULL, end_inside, NULL);
	pthread_join(thread, NULL);
	tap_int((long long)(ended->n_abandoned - before), 2,
		"what goes on in a thread that ends is abandoned");
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return own_regions_execute(argv);
	TT_BEGIN(other);
	TT_END(other);
	tt_local.thread->read = play;
	ended = tt_regions.ended.block[0];
	check_left(0, "at the same depth");
	check_left(3, "deeper");
	check_left_inside();
	check_same_height();
	check_full();
	check_recursion();
	check_interpreted();
	check_handler();
	check_coroutines();
	check_thread();
	return tap_done();
}
