/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events - a list of events out of the tables event_set and event of a recording, with each value
 * checked.
 */
#ifndef RECORD_EVENTS_H
#define RECORD_EVENTS_H

#include "model/sample_event.h"
#include "record/db.h"

/* Kinds of cores that a machine has at most. */
#define RECORD_CORES 16

/* Reads the list of this number; the caller owns *out. Returns 0 with *out NULL where the list is
 * damaged. */
int record_events_load(struct record_db *db, int64_t id, struct sample_events **out,
		       struct err *err);

#endif
