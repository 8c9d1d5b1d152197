/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/untraced_counts.h"

#include <errno.h>
#include <inttypes.h>

static uint64_t count_threads(const struct kin_list *list, pid_t process, uint32_t followed)
{
	const struct kin *kin = list ? kin_find(list, process) : NULL;

	return kin && kin->begun > followed ? kin->begun - followed : 0;
}

void unfollowed_add(struct unfollowed *u, struct kin_list *kin, const struct final *final,
		    uint32_t followed, int n)
{
	const uint64_t threads = count_threads(kin, final->process, followed);

	u->threads += threads;
	if (final->members)
		kin_add_counts(kin, final->process, final->count, n, final->members,
			       (uint32_t)threads);
}

static bool counts_hardware(const struct event_set *set)
{
	for (int i = 0; i < set->plan.n; i++)
		if (set->plan.member[i].group != EVENT_NO_GROUP &&
		    event_is_hardware(&set->event[set->plan.member[i].event]))
			return true;
	return false;
}

bool unfollowed_lacks(const struct unfollowed *u, const struct event_set *set, struct err *why)
{
	if (!u->threads || !counts_hardware(set))
		return false;
	err_set(why, ENODATA,
		"hardware events lack those of %" PRIu64
		" thread%s that the kernel made for the command, of which no tracer is told; "
		"without --exact, they have them",
		u->threads, u->threads == 1 ? "" : "s");
	return true;
}
