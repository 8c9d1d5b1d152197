/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of module: handles libraries that the program unloads: other libraries may be mapped at
 * their addresses later. */
#include <dlfcn.h>

#include "inject/preload/locks.h"
#include "inject/preload/measure.h"
#include "inject/preload/process.h"
#include "inject/preload/real.h"

static bool had(const struct locks_module *m, uint64_t place)
{
	const uint64_t address = locks_place_address(place);

	return address >= m->begin && address < m->end && locks_place_layer(place) == m->layer;
}

/* Ends all locks and callers in an unloaded file, as other locks and callers may be at the same
 * addresses later. */
static void end_all_of(const struct locks_module *m)
{
	const struct locks_header *h = locks.header;

	for (uint32_t i = 0; i < h->n_instances; i++) {
		const struct locks_instance *lock = &locks.instance[i];

		if (!lock->several && had(m, locks_place(lock->address, lock->layer)))
			instance_destroy((uintptr_t)lock->address);
	}
	for (uint32_t i = 0; i < h->n_rows; i++)
		if (had(m, locks.row[i].caller))
			__atomic_store_n(&locks.row[i].ended, 1, __ATOMIC_RELEASE);
}

/* Calls no other function of the dynamic loader: another thread may be in dlclose() at the same
 * time. */
FIND_PUBLIC int dlclose(void *library)
{
	struct thread *t = find_thread();
	struct guard g;
	int ret;

	if (!t || !process_enter(&g))
		return real.dlclose(library);
	module_note_all();
	guard_leave(&g);
	ret = real.dlclose(library);
	if (!process_enter(&g))
		return ret;
	module_find_unmapped(end_all_of);
	guard_leave(&g);
	return ret;
}
