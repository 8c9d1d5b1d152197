/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * empty_screens - which screens this machine cannot fill, since it has no hardware counters, or
 * which a recording cannot, since it lacks counters of most of their columns, which would show
 * nothing. Those that are for other CPUs are marked as they are hidden (screen_order.h).
 */
#ifndef SESSION_EMPTY_SCREENS_H
#define SESSION_EMPTY_SCREENS_H

#include "session/setup.h"

/* Marks them, once the recording is open, or it is known whether there are hardware counters. */
void lacking_find(struct setup *s);

#endif
