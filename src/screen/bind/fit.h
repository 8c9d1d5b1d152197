/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - reduces a screen for many CPUs to the columns that this machine can show.
 *
 * Columns of a built-in screen that share an id show the same for different CPUs: the first one
 * that has events here is kept; it is optional only if all of them are. Then optional columns are
 * dropped if the machine lacks one of their counters, or the kinds of cores that they distinguish.
 * A counter that is refused for another reason than absence counts as present, so that columns do
 * not depend on permissions.
 */
#ifndef SCREEN_BIND_FIT_H
#define SCREEN_BIND_FIT_H

#include "screen/bind/offer.h"
#include "screen/screen.h"

/* Returns whether the compiled screen is for this CPU, by the names of its events. A screen from a
 * file without "needs" always is. Called for all screens at the start. */
bool fit_may_show(const struct screen *screen, const struct offer *offer);

/* Returns whether the compiled column is only useful with several kinds of cores. */
bool fit_tells_cores_apart(const struct column *column);

/* Drops columns of a compiled screen that is for this CPU, before it is shown; at least one stays.
 * Repeated calls do nothing. */
void fit_screen(struct screen *screen, const struct offer *offer);

#endif
