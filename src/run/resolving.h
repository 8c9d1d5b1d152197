/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolving - waits for the lookup of the names and source lines in a report. A signal ends the
 * wait, and the report is written without the missing names.
 */
#ifndef RUN_RESOLVING_H
#define RUN_RESOLVING_H

#include <stdbool.h>

#include "profile/locks/resolver.h"
#include "run/wait.h"

struct resolving {
	const struct signals *signals; /* blocked by signals_block(); borrowed */
	bool ended; /* a signal ended a lookup: lookups for later reports are skipped */
};

/* Looks up all missing names, and shows the progress (base/progress.h). A signal that ends tiptop
 * ends the lookup, and sets r->ended. */
void resolving_run(struct resolving *r, struct resolver *names);

#endif
