/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of lines share: numbers and names of a report, as people and programs see them. */
#ifndef PROFILE_LOCKS_LINES_PART_H
#define PROFILE_LOCKS_LINES_PART_H

#include "profile/locks/estimate.h"
#include "profile/locks/lines.h"

/* The places of columns in CSV: those of events stand behind all phases. */
#define LINES_PLACE_EVENTS 7

extern const char *const lines_phase_names[LOCKS_PHASES], *const lines_state_names[LOCKS_STATES];

/* Ticks of the clock as ns. */
uint64_t lines_ns(const struct locks_lines *l, uint64_t ticks);
/* The mean of what is known, in ns. */
double lines_mean(const struct locks_lines *l, const struct locks_estimate *e);
/* Whether only one in so many acquisitions was timed; and whether all the same it is known how long
 * threads were in the state. */
bool lines_is_sampled(const struct locks_lines *l);
bool lines_knows_state(const struct locks_lines *l, int state);
double lines_percent(uint64_t part, uint64_t all);
/* Acquisitions in 10,000 ticks of all threads. */
double lines_density(const struct locks_report *r);

/* As profile/locks/lock_name.h has them. */
void lines_add_caller(const struct locks_lines *l, struct strbuf *out, uint64_t caller);
void lines_add_name(const struct locks_lines *l, struct strbuf *out,
		    const struct locks_instance *i);
void lines_add_instance(struct strbuf *out, const struct locks_instance *i);
const char *lines_kind(const struct locks_line *line);
bool lines_knows_contended(const struct locks_line *line);
bool lines_knows_owner(const struct locks_line *line);

/* --- columns and cells --- */

/* What is known of it, else not; and what is estimated, marked so. */
struct value lines_known(uint64_t count, bool known);
struct value lines_estimated(double number, const struct locks_estimate *e);
/* Fills the columns that all types begin with: "type", "schema" and "pid". */
void lines_put_begin(struct report_record *record, const struct locks_lines *l, const char *type);
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
/* Whether any thread counted it all the time. */
bool lines_knows_event(const struct locks_lines *l, uint32_t event);
/* What the program has counted, and how that was read. */
void lines_events_add_text_head(const struct locks_lines *l, struct strbuf *out, uint32_t event);

/* --- rows of threads: lines_threads.c --- */

extern const struct report_type lines_threads_type;
void lines_threads_add(const struct locks_lines *l, struct report *report);

/* --- text: lines_text.c --- */

/* The sentences above the tables. */
void lines_add_head(const struct locks_lines *l, struct strbuf *out);
/* A caller, with the line of the source if it is known, without the folder of its file. */
void lines_add_place(const struct locks_lines *l, struct strbuf *out, uint64_t caller);

#endif
