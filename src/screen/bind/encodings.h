/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * encodings - what a screen opens on a machine, for programs: lines of fields with a tab between
 * them, the first of which names them.
 *
 *   cpu      the model, as model="..." has it
 *   screen, column (its id), counter (on a hybrid machine with '@' and the PMU of a kind of cores)
 *   event    what the maker of the CPU calls it, or else its name in the screen or in the table
 *   type, config, config1 in hex; the PMU in the place of a type that is not known (elsewhere.h)
 *   group    in hex: counters of one number are wanted on the PMU at the same time, since columns
 *            join them; 0x0 has those that the kernel itself counts
 *   weight   what one count stands for, in decimal
 *
 * A column or a screen that this machine hides is one line, with the reason in the place of the
 * event; so is the event that a kind of cores lacks. What has no value is "-". Columns that show no
 * counter have no line.
 */
#ifndef SCREEN_BIND_ENCODINGS_H
#define SCREEN_BIND_ENCODINGS_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "screen/screen.h"

/* The line that names the fields. */
void encodings_add_head(struct strbuf *out);
/* The lines of one screen, as it was declared. */
void encodings_add(struct strbuf *out, const struct screen *declared, const struct machine *m,
		   struct perf_sys *sys);

#endif
