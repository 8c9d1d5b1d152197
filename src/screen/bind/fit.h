/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - from a screen for many CPUs to the one that this machine can show.
 *
 * Columns of a built-in screen that share a header say the same for different CPUs: the first one
 * that has events here is kept; it may be left out only if all of them may. Then optional columns
 * are left out where the machine lacks one of their counters, or lacks the kinds of cores that they
 * tell apart. A counter that is refused for another reason than its absence counts as one that the
 * machine has, so that a column does not come and go with permissions.
 */
#ifndef SCREEN_BIND_FIT_H
#define SCREEN_BIND_FIT_H

#include "screen/bind/offer.h"
#include "screen/screen.h"

/* Whether the compiled screen is for this CPU, by the names of its events. One that comes from a
 * file and needs nothing special always is. This is asked of all screens at the start. */
bool fit_may_show(const struct screen *screen, const struct offer *offer);

/* Whether the compiled column is of use only where there are several kinds of cores. */
bool fit_tells_cores_apart(const struct column *column);

/* Leaves out columns of a compiled screen that is for this CPU, when it is to be shown: one at
 * least stays. The second time, nothing is done. */
void fit_screen(struct screen *screen, const struct offer *offer);

#endif
