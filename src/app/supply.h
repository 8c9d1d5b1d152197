/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * supply - where the samples of a setup come from, and all that depends on it: the machine that
 * events and screens are for, who is asked for events, and the source itself. Here that is the
 * running machine; the rest of app/ does not know.
 */
#ifndef APP_SUPPLY_H
#define APP_SUPPLY_H

#include "app/setup.h"
#include "bind/offer.h"

/* Sets the machine that is here, with the built-in table. */
void supply_find_machine(struct machine *m);
/* Sets the machine, but for its table, and s->counts_others. The options have been read. */
void supply_identify(struct setup *s);
/* Who is asked for events. kernel: they are to be counted in the kernel, too. */
struct offer supply_offer(struct setup *s, bool kernel);
/* Makes the source, and says in s->hardware why there are no hardware counters. */
int supply_open(struct setup *s, struct err *err);

#endif
