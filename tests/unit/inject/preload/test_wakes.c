/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exit of a thread that waited for an object and woke others, in two rows: the calls that wake,
 * at most as many as its waits. */
#include "inject/preload/locks.h"
#include "inject/preload/thread.h"
#include "inject/preload/wakes.h"
#include "tap.h"

#define MANY ((uint64_t)UINT32_MAX)

static struct locks_instance instance;
static struct locks_row row[2];
static struct locks_thread slot = {.number = 1};
static struct thread thread = {.slot = &slot, .rows = 1};

/* --- the functions that wakes.h needs --- */

struct locks locks = {.instance = &instance, .row = row};

/* --- sums --- */

/* The first row waits, the second one does half of the waits again, and all wakes. */
static uint64_t balanced(uint64_t waits, uint64_t wakes)
{
	instance = (struct locks_instance){.kind = LOCKS_COND};
	row[0] = (struct locks_row){.instance = 1, .next = 2};
	row[1] = (struct locks_row){.instance = 1, .failed = waits / 2};
	row[0].untimed[LOCKS_ACQUIRE] = waits - waits / 2;
	row[1].untimed[LOCKS_RELEASE] = wakes;
	wakes_note_exit(&thread);
	return row[0].futex.use[LOCKS_BALANCED] + row[1].futex.use[LOCKS_BALANCED];
}

int main(void)
{
	tap_int((long long)balanced(5, 3), 3, "fewer wakes than waits");
	tap_int((long long)balanced(5, 8), 5, "or more");
	tap_int((long long)balanced(5, MANY + 3), 5, "many more");
	tap_int((long long)balanced(MANY + 3, 7), 7, "or far fewer");
	tap_int((long long)balanced(3 * MANY, MANY + 3), (long long)MANY, "the most that is told");
	tap_ok(!instance.owner && !instance.owner_slot, "the sums are cleared");
	return tap_done();
}
