/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - from a screen for many CPUs to the one that this machine can show.
 *
 * Columns that share an id (screen/column_id.h) say the same for different CPUs: the first that has
 * events here is kept, and it may be left out only if all of them may. Then optional columns are
 * left out where the machine lacks one of their counters, or the kinds of cores that they tell
 * apart. A counter that is refused for other reasons than its absence counts as had: a column does
 * not come and go with permissions.
 */
#ifndef BIND_FIT_H
#define BIND_FIT_H

#include "event/machine.h"
#include "screen/screen.h"

/* Leaves out columns of the compiled screen. Returns whether it is for this CPU: one that comes
 * from a file and needs nothing special is, if it has a column left. */
bool fit_screen(struct screen *screen, const struct machine *machine, struct perf_sys *sys);

#endif
