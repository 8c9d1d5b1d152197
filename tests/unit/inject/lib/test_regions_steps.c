/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signal handlers that begin and end a region at each single instruction of other regions: no call
 * is lost, none is counted twice, and no frame stays. The trap flag of x86 makes the CPU raise
 * SIGTRAP after each instruction.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "inject/lib/thread.h"
#include "tap.h"
#include <tiptop.h>

#define STEPS_MAX 20000

TT_REGION(outer, "outer");
TT_REGION(inner, "inner");
TT_REGION(handler, "handler");

/* The instruction at which a handler comes, counted from the start; the number of instructions so
 * far; and of handlers. */
static volatile long at, n_steps, n_handlers;
/* The first handler comes when a row is being written, and is itself interrupted. */
static volatile bool nested;

#ifdef __x86_64__
#define CAN_TRAP  true
#define TRAP_FLAG 0x100
static void set_trap(bool on)
{
	if (on)
		__asm__ volatile("sub $128, %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
				 "add $128, %%rsp" ::
					 : "memory", "cc");
	else
		__asm__ volatile("sub $128, %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
				 "add $128, %%rsp" ::
					 : "memory", "cc");
}

/* Ends the traps after the handler that has this context. */
static void end_traps(void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}
#else
#define CAN_TRAP false
static void set_trap(bool on)
{
	(void)on;
}

static void end_traps(void *context)
{
	(void)context;
}
#endif

static void run_handler(bool trapped)
{
	n_handlers++;
	if (trapped)
		set_trap(true);
	TT_BEGIN(handler);
	TT_END(handler);
	if (trapped)
		set_trap(false);
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info;
	if (nested && !n_handlers) {
		if (tt_local.thread->writing)
			run_handler(true);
	} else if (n_steps++ == at) {
		run_handler(false);
	}
	if (n_steps > at)
		end_traps(context);
}

/* Runs two regions, one inside the other. `inner` of the call before was left without its end, so
 * that its frame is marked as abandoned. */
static void run_regions(void)
{
	TT_BEGIN(outer);
	TT_BEGIN(inner);
	TT_END(outer);
	n_steps = n_handlers = 0;
	set_trap(!nested);
	TT_BEGIN(outer);
	TT_BEGIN(inner);
	set_trap(true);
	TT_END(inner);
	TT_END(outer);
	set_trap(false);
}

static long calls_of(const struct tt_region *region)
{
	struct tt_numbers n;

	tt_get_numbers(region->label, TT_THREAD, &n);
	return (long)n.calls;
}

static bool is_idle(const struct tt_thread *t)
{
	return t->top == &t->frame[1] && !t->n_waiting && !t->writing && !t->row[outer.id]->depth &&
	       !t->row[inner.id]->depth && !t->row[handler.id]->depth;
}

/* Runs the regions with a handler at instruction `at`. Returns whether all calls are counted. */
static bool is_whole(void)
{
	const struct tt_thread *t = tt_local.thread;
	long handled, calls;

	tt_reset(NULL);
	t->slot->n_abandoned = t->slot->n_unmatched = t->slot->n_too_deep = 0;
	run_regions();
	handled = calls_of(&handler);
	calls = calls_of(&outer) + calls_of(&inner);
	if (handled == n_handlers && calls == 3 && is_idle(t) && t->slot->n_abandoned == 1 &&
	    !t->slot->n_unmatched && !t->slot->n_too_deep)
		return true;
	printf("# instruction %ld: %ld of %ld handlers, %ld of 3 calls, %lu unmatched, %s\n", at,
	       handled, n_handlers, calls, (unsigned long)t->slot->n_unmatched,
	       is_idle(t) ? "idle" : "not idle");
	return false;
}

/* Returns false if a call was lost: the state of the thread is then useless for other checks. */
static bool check_steps(const char *what, bool nest)
{
	bool good = true;

	nested = nest;
	n_steps = STEPS_MAX;
	for (at = 0; good && at <= n_steps; at++)
		good = is_whole();
	return tap_ok(good && at > 100 && at < STEPS_MAX, "%s: at each of %ld instructions", what,
		      at);
}

static int run_again(char **argv)
{
	setenv("TIPTOP_REGIONS", "", 1);
	setenv("TIPTOP_REPORT", "/dev/null", 1);
	execv("/proc/self/exe", argv);
	return 1;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_NODEFER | SA_SIGINFO};

	(void)argc;
	if (!getenv("TIPTOP_REGIONS"))
		return run_again(argv);
	if (!CAN_TRAP) {
		tap_skip("steps", "the CPU has no trap flag");
		return tap_done();
	}
	sigaction(SIGTRAP, &action, NULL);
	at = -1;
	run_regions();
	TT_BEGIN(handler);
	TT_END(handler);
	if (check_steps("one handler", false))
		check_steps("a handler in a handler that interrupts the writing of a row", true);
	return tap_done();
}
