/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/wakes.h"

#include "inject/preload/locks.h"

/* Returns the object of a row; NULL: it is one that threads hold. */
static struct locks_instance *instance_of(const struct locks_row *row)
{
	struct locks_instance *instance = &locks.instance[row->instance - 1];

	return locks_is_held((enum locks_kind)instance->kind) ? NULL : instance;
}

/* Adds to a sum, which saturates at UINT32_MAX. */
static void add(uint32_t *sum, uint64_t n)
{
	*sum = n < UINT32_MAX - *sum ? *sum + (uint32_t)n : UINT32_MAX;
}

/* Adds up the waits and the wakes of the thread for each object, in `owner` and `owner_slot`, which
 * objects that are not held do not use otherwise. Sets met_by of objects for which the thread has
 * waited. */
static void add_up(const struct thread *t)
{
	for (uint32_t number = t->rows; number; number = locks.row[number - 1].next) {
		const struct locks_row *row = &locks.row[number - 1];
		struct locks_instance *instance = instance_of(row);
		const uint64_t waits = locks_n(row, LOCKS_ACQUIRE) + row->failed;

		if (!instance)
			continue;
		if (waits)
			instance->met_by = t->slot->number;
		add(&instance->owner, waits);
		add(&instance->owner_slot, locks_n(row, LOCKS_RELEASE));
	}
}

/* Sets the numbers in rows for objects for which the thread has waited. The sums of an object go to
 * its first row. */
static void note(const struct thread *t)
{
	for (uint32_t number = t->rows; number; number = locks.row[number - 1].next) {
		struct locks_row *row = &locks.row[number - 1];
		struct locks_instance *instance = instance_of(row);

		if (!instance || instance->met_by != t->slot->number)
			continue;
		row->futex.handed = row->futex.woken;
		row->futex.use[LOCKS_BALANCED] += instance->owner < instance->owner_slot
							  ? instance->owner
							  : instance->owner_slot;
		instance->owner = instance->owner_slot = 0;
	}
}

/* Clears the sums of the other objects, for the next thread that exits. */
static void clear_up(const struct thread *t)
{
	for (uint32_t number = t->rows; number; number = locks.row[number - 1].next) {
		struct locks_instance *instance = instance_of(&locks.row[number - 1]);

		if (instance)
			instance->owner = instance->owner_slot = 0;
	}
}

void wakes_note_exit(const struct thread *t)
{
	for (const struct thread *inner = t; inner; inner = inner->inner)
		add_up(inner);
	for (const struct thread *inner = t; inner; inner = inner->inner)
		note(inner);
	for (; t; t = t->inner)
		clear_up(t);
}
