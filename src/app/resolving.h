/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolving - waits for the names of a report, until a signal asks for the report without them.
 */
#ifndef APP_RESOLVING_H
#define APP_RESOLVING_H

#include <stdbool.h>

#include "app/signals.h"
#include "profile/locks/resolver.h"

struct resolving {
	const struct signals *signals; /* that are taken */
	bool ended; /* one of them has ended the lookup: that of other reports does not begin */
};

/* Looks up all that is missing, and shows how far it is (base/progress.h). A signal to end gives up
 * the rest. */
void resolving_run(struct resolving *r, struct resolver *names);

#endif
