/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_entry - a line of a report (saved_report.h): the entry that its columns make, by their
 * roles.
 */
#ifndef COMPARE_SAVED_ENTRY_H
#define COMPARE_SAVED_ENTRY_H

#include "compare/saved_report.h"

/* Adds the entry of a record that was read by the columns of the report. */
void saved_take_entry(struct saved *s, const struct report_record *record);
void saved_entry_done(struct saved_entry *e);

#endif
