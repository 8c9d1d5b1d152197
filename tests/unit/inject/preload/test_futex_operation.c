/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which calls of futex(2) and its successors wait, and which wake. */
#include <linux/futex.h>

#include "inject/preload/futex_operation.h"
#include "tap.h"

#define ADDRESS 0x1000

static struct futex_operation of(long operation)
{
	return futex_operation_of(SYS_futex, (const long[]){ADDRESS, operation, 1, 0, 0, 0});
}

static void check_roles(void)
{
	static const int waits[] = {FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_WAIT_REQUEUE_PI,
				    FUTEX_WAIT | FUTEX_PRIVATE_FLAG,
				    FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME},
			 wakes[] = {FUTEX_WAKE,      FUTEX_WAKE_BITSET, FUTEX_WAKE_OP,
				    FUTEX_REQUEUE,   FUTEX_CMP_REQUEUE, FUTEX_CMP_REQUEUE_PI,
				    FUTEX_UNLOCK_PI, FUTEX_WAKE_PRIVATE},
			 others[] = {FUTEX_FD, FUTEX_TRYLOCK_PI, 14, 127, -1};

	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
		tap_ok(of(waits[i]).role == FUTEX_ROLE_WAIT && !of(waits[i]).inherits, "%d waits",
		       waits[i]);
	for (size_t i = 0; i < sizeof wakes / sizeof *wakes; i++)
		tap_int(of(wakes[i]).role, FUTEX_ROLE_WAKE, "%d wakes", wakes[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		tap_int(of(others[i]).role, FUTEX_ROLE_NONE, "%d does neither", others[i]);
	tap_ok(of(FUTEX_LOCK_PI).role == FUTEX_ROLE_WAIT && of(FUTEX_LOCK_PI).inherits &&
		       of(13).inherits && of(FUTEX_UNLOCK_PI).inherits,
	       "locks with priority inheritance");
	tap_int(of(FUTEX_WAIT).address, ADDRESS, "the address");
}

static void check_addresses(void)
{
	static const long wrong[] = {0, 1, ADDRESS + 2, -1};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		tap_int(futex_operation_of(SYS_futex,
					   (const long[]){wrong[i], FUTEX_WAKE, 1, 0, 0, 0})
				.role,
			FUTEX_ROLE_NONE, "the address %ld", wrong[i]);
}

static void check_new_calls(void)
{
	const long all[] = {ADDRESS, -1, 9, 2, 0, 0};
	const struct futex_operation v = futex_operation_of(FUTEX_CALL_WAITV, all),
				     w = futex_operation_of(FUTEX_CALL_WAIT, all),
				     r = futex_operation_of(FUTEX_CALL_REQUEUE, all);

	tap_ok(v.role == FUTEX_ROLE_WAIT && v.is_vector && v.address == ADDRESS, "futex_waitv");
	tap_ok(w.role == FUTEX_ROLE_WAIT && !w.is_vector && w.address == ADDRESS, "futex_wait");
	tap_ok(r.role == FUTEX_ROLE_WAKE && r.is_vector, "futex_requeue");
	tap_int(futex_operation_of(FUTEX_CALL_WAKE, all).role, FUTEX_ROLE_WAKE, "futex_wake");
	for (long number = 440; number < 470; number++)
		tap_int(futex_is_call(number), number == 449 || (number >= 454 && number <= 456),
			"%ld is %s call of these", number, futex_is_call(number) ? "a" : "no");
	tap_ok(futex_is_call(SYS_futex) && futex_is_call(422) && !futex_is_call(421) &&
		       !futex_is_call(SYS_getpid) && !futex_is_call(-1),
	       "neither are others");
}

int main(void)
{
	check_roles();
	check_addresses();
	check_new_calls();
	return tap_done();
}
