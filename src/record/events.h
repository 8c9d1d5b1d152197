/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events - reads one list of events from the tables event_set and event of a recording; checks each
 * value.
 */
#ifndef RECORD_EVENTS_H
#define RECORD_EVENTS_H

#include "model/sample_event.h"
#include "record/db.h"

/* The maximal number of kinds of cores of a machine; a larger index in a file is invalid. */
#define RECORD_CORES 16

/* Reads the list with this id into *out, owned by the caller. Returns 0 with *out NULL if the list
 * is damaged. */
int record_events_load(struct record_db *db, int64_t id, struct sample_events **out,
		       struct err *err);

#endif
