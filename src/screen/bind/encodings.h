/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * encodings - describes the events that a screen opens on a machine: with their codes for programs
 * (encodings_add()), and in words for users (origins_fill()).
 *
 * For programs, these are lines with fields separated by tabs, below a header line:
 *
 *   cpu      the model, as in model="..."
 *   screen   its name
 *   column   its id
 *   counter  its alias; on a hybrid machine ALIAS@PMU, with the PMU of the kind of cores
 *   event    the name by the vendor of the CPU, else its name in the screen or in the event table
 *   type     in hex; if it is unknown (foreign_cpu.h), the name of the PMU
 *   config, config1  in hex
 *   group    in hex: the counters with one number should be on the PMU at the same time, because
 *            columns use them together; 0x0: a software event
 *   weight   the value of one count, in decimal
 *
 * A screen or column that is hidden on this machine has one line, with the reason in the field
 * "event"; so has an event that a kind of cores lacks. Empty fields are "-". Columns without
 * counters have no line.
 */
#ifndef SCREEN_BIND_ENCODINGS_H
#define SCREEN_BIND_ENCODINGS_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "screen/binding.h"
#include "screen/screen.h"

/* Appends the header line. */
void encodings_add_head(struct strbuf *out);
/* Appends the lines of one screen, which is declared, not compiled. */
void encodings_add(struct strbuf *out, const struct screen *declared, const struct machine *m,
		   struct perf_sys *sys);

/* ---- origins ----
 *
 * Describes the events of a set as texts for users: fills a struct origins (screen/binding.h) with
 * names, codes, modes and meanings.
 */

/* Replaces the contents of the list with descriptions of all events of the set. */
void origins_fill(struct origins *out, const struct event_set *set, const struct machine *m);

#endif
