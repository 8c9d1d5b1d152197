/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - reduces a screen that is declared for many CPUs to the columns that this machine can show.
 *
 * Columns that share an id show the same on different CPUs. Of these, the first one whose events
 * this machine knows is kept, and the others are dropped; it becomes optional only if all of them
 * are. Then an optional column is dropped if the machine lacks one of its counters, or if it
 * compares kinds of cores and the machine has only one kind. A counter that the kernel refuses for
 * a reason other than absence counts as present, so that columns do not depend on permissions.
 */
#ifndef SCREEN_BIND_FIT_H
#define SCREEN_BIND_FIT_H

#include "screen/bind/offer.h"
#include "screen/screen.h"

/* Returns whether the compiled screen is for this CPU: the CPU has the events of all columns that
 * are not optional. Always true for a user's screen without "needs". Looks up the names of events,
 * but opens none, since it is called for all screens at the start. */
bool fit_may_show(const struct screen *screen, const struct offer *offer);

/* Returns whether the compiled column compares kinds of cores, so that it is only useful on a
 * hybrid machine. */
bool fit_tells_cores_apart(const struct column *column);

/* Drops the columns that this machine cannot show, before the screen is shown for the first time;
 * at least one column stays. The screen must be compiled, and for this CPU (fit_may_show()). Later
 * calls do nothing. */
void fit_screen(struct screen *screen, const struct offer *offer);

#endif
