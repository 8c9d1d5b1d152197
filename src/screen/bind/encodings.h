/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * encodings - lists the events that a screen opens on a machine, for programs: fields separated by
 * tabs, with a header.
 *
 *   cpu      the model, as in model="..."
 *   screen, column (its id), counter (on a hybrid machine with '@' and the PMU of a kind of cores)
 *   event    the name by the vendor of the CPU, else its name in the screen or in the table
 *   type, config, config1 in hex; the PMU in place of a type that is unknown (foreign_cpu.h)
 *   group    in hex: counters with one number are to be on the PMU at the same time, as columns
 *            join them; 0x0: software events
 *   weight   the value of one count, in decimal
 *
 * A column or screen that is hidden on this machine is one line, with the reason in the field
 * event; so is an event that a kind of cores lacks. Empty fields are "-". Columns without counters
 * have no line.
 */
#ifndef SCREEN_BIND_ENCODINGS_H
#define SCREEN_BIND_ENCODINGS_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* Appends the header. */
void encodings_add_head(struct strbuf *out);
/* Appends the lines of one screen, as declared. */
void encodings_add(struct strbuf *out, const struct screen *declared, const struct machine *m,
		   struct perf_sys *sys);

#endif
