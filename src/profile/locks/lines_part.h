/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of lines share: numbers and names of a report, as people and programs see them. */
#ifndef PROFILE_LOCKS_LINES_PART_H
#define PROFILE_LOCKS_LINES_PART_H

#include "profile/locks/estimate.h"
#include "profile/locks/lines.h"

/* The places of columns in CSV: those of events stand behind all phases. */
#define LINES_PLACE_EVENTS 7

extern const char *const lines_phase_names[LOCKS_PHASES], *const lines_state_names[LOCKS_STATES];

double lines_percent(uint64_t part, uint64_t all);

/* --- columns and cells --- */

/* What is known of it, else not; and what is estimated, marked so. */
struct value lines_known(uint64_t count, bool known);
/* Fills "histogram": [up to, calls] of each bucket that has some, in the unit that `scale` / 2^32
 * gives. */
void lines_put_histogram(struct report_record *record, const struct locks_quantity *q,
			 uint64_t scale);

/* --- events: lines_events.c --- */

/* Adds the group "events" of the program, or of a lock: then each event that is known has a table
 * of the text. */
void lines_events_declare(struct report_own_type *t, const struct locks_lines *l, bool is_lock);
/* Fills it. line: NULL: of the program. */
void lines_events_put(struct report_record *record, const struct locks_lines *l,
		      const struct locks_line *line);
/* What the program has counted, and how that was read. */
void lines_events_add_text_head(const struct locks_lines *l, struct strbuf *out, uint32_t event);

#endif
