/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The descriptors of counters that must stay open. */
#include <errno.h>

#include "inject/lib/counters.h"
#include "tap.h"

/* Descriptors must stay open if a count may need a system call: an Arm PMU may have a page although
 * user space may not read its counter. */
static void check_need_calls(void)
{
	static struct perf_event_mmap_page page;
	struct tt t = {.n = 2, .n_parts = 2, .n_mapped = 2, .state = {TT_OK, TT_OK}};

	t.part[1].event = 1;
	t.part[0].page = t.part[1].page = &page;
	tap_ok(!tt_counters_need_calls(&t), "what user space reads needs no descriptor");
	t.state[1] = TT_SYSCALL;
	tap_ok(tt_counters_need_calls(&t), "but where the kernel had to be asked all the same");
	t.state[1] = TT_SCALED;
	tap_ok(tt_counters_need_calls(&t), "and where the event is multiplexed");
	t.state[1] = TT_OK;
	t.part[1].page = NULL;
	tap_ok(tt_counters_need_calls(&t), "and what has no page");
}

/* The remedy depends on the modes: the kernel forbids users to count in the kernel from level 2 on,
 * and to count at all from level 3 on, which some distributions have. */
static void check_forbidden(void)
{
	struct event event = {.own_modes = true, .no_kernel = true};
	struct tt t = {.n = 1,
		       .name = {(char *)(uintptr_t) "cycles"},
		       .reason = {EACCES},
		       .set = {.n = 1, .event = &event}};

	tap_ok(strstr(tt_counters_explain(&t, 0), "perf_event_paranoid to 2 or less"),
	       "forbidden in user mode");
	event.no_kernel = false;
	tap_ok(strstr(tt_counters_explain(&t, 0), "perf_event_paranoid to 1 or less"),
	       "forbidden in the kernel");
}

/* On a hybrid machine, the program has closed the descriptor of one kind of cores. */
static void check_part_lost(void)
{
	struct tt *t = tt_open("page-faults");
	struct tt_value value[TT_MAX_EVENTS];

	if (!t || t->n_parts != 1) {
		tap_skip("a lost part", "page faults cannot be counted here");
		return;
	}
	t->part[1] = (struct counters_part){.fd = -1, .leader = -1};
	t->n_parts = 2;
	tt_counters_read(t, value);
	tap_int(value[0].state, TT_DENIED, "what the other kind has counted is not all");
	t->n_parts = 1;
	tt_close(t);
}

int main(void)
{
	check_part_lost();
	check_need_calls();
	check_forbidden();
	return tap_done();
}
