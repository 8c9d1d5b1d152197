/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain - fills in what view/explain.h shows: from the events of a set to names,
 * numbers and sentences.
 */
#ifndef BIND_EXPLAIN_H
#define BIND_EXPLAIN_H

#include "event/machine.h"
#include "view/explain.h"

/* For all events of the set; replaces what is there. */
void explain_fill(struct explain *out, const struct event_set *set, const struct machine *m);

#endif
