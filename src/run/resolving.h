/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolving - waits for the names of a report, until a signal asks for the report without them.
 */
#ifndef RUN_RESOLVING_H
#define RUN_RESOLVING_H

#include <stdbool.h>

#include "profile/locks/resolver.h"
#include "run/signals.h"

struct resolving {
	const struct signals *signals; /* that are taken */
	bool ended; /* one of them has ended the lookup: that of other reports does not begin */
};

/* Looks up all that is missing, and shows how far it is (base/progress.h). A signal to end gives up
 * the rest. */
void resolving_run(struct resolving *r, struct resolver *names);

#endif
