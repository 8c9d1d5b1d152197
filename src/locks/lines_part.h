/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of lines share: numbers and names of a report, as people and programs see them. */
#ifndef LOCKS_LINES_PART_H
#define LOCKS_LINES_PART_H

#include "locks/estimate.h"
#include "locks/lines.h"

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

/* As locks/name.h has them. */
void lines_add_caller(const struct locks_lines *l, struct strbuf *out, uint64_t caller);
void lines_add_name(const struct locks_lines *l, struct strbuf *out,
		    const struct locks_instance *i);
void lines_add_instance(struct strbuf *out, const struct locks_instance *i);
const char *lines_kind(const struct locks_line *line);
bool lines_knows_contended(const struct locks_line *line);
bool lines_knows_owner(const struct locks_line *line);

/* --- events: lines_events.c --- */

void lines_events_add_csv_header(const struct locks_lines *l, struct strbuf *out);
void lines_events_add_csv(const struct locks_lines *l, struct strbuf *out,
			  const struct locks_line *line);
/* The members "events" of the program and of a lock; nothing where there are none. */
void lines_events_add_json_head(const struct locks_lines *l, struct strbuf *out);
void lines_events_add_json(const struct locks_lines *l, struct strbuf *out,
			   const struct locks_line *line);
/* Whether any thread counted it all the time. */
bool lines_knows_event(const struct locks_lines *l, uint32_t event);
/* What the program has counted, and how that was read. */
void lines_events_add_text_head(const struct locks_lines *l, struct strbuf *out, uint32_t event);
/* [up to, calls] of each bucket that has some, in the unit that `scale` / 2^32 gives. */
void lines_add_histogram(struct strbuf *out, const struct locks_quantity *q, uint64_t scale);

/* --- JSON --- */

/* What all objects begin with. */
void lines_begin_object(const struct locks_lines *l, struct strbuf *out, const char *type);
void lines_add_count(struct strbuf *out, const char *key, uint64_t count);
/* null where it is not known. */
void lines_add_known(struct strbuf *out, const char *key, uint64_t count, bool known);

/* --- rows of threads: lines_threads.c --- */

void lines_threads_add_csv(const struct locks_lines *l, struct strbuf *out);
void lines_threads_add_json(const struct locks_lines *l, struct strbuf *out);
void lines_threads_add_text(const struct locks_lines *l, struct strbuf *out);

/* --- text --- */

/* Its columns of names are as wide as the names. */
void lines_text_add(const struct locks_lines *l, struct strbuf *out);

#endif
