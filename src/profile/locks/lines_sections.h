/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines_sections - part of lines: the sections of a report of locks, each of some columns and
 * sentences; and what they need of lines.c.
 */
#ifndef PROFILE_LOCKS_LINES_SECTIONS_H
#define PROFILE_LOCKS_LINES_SECTIONS_H

#include "profile/locks/lines.h"
#include "profile/locks/report.h"

/* The version of the fields in JSON. */
#define LINES_SCHEMA 1

/* Values of csv_place (report/report.h): events come after all phases, notes last. */
#define LINES_PLACE_EVENTS 7
#define LINES_PLACE_NOTES  9

extern const char *const lines_phase_names[LOCKS_PHASES], *const lines_state_names[LOCKS_STATES];

double lines_percent(uint64_t part, uint64_t all);
/* Converts ticks of the clock to ns. */
uint64_t lines_ns(const struct locks_lines *l, uint64_t ticks);
/* Returns whether the time of this state of locks (LOCKS_WAITING, ...) is known. */
bool lines_knows_state(const struct locks_lines *l, int state);

/* Returns the mean of an estimate, in ns. */
double lines_mean(const struct locks_lines *l, const struct locks_estimate *e);
/* Returns whether acquisitions were sampled. */
bool lines_is_sampled(const struct locks_lines *l);
/* Returns the acquisitions per 10,000 ticks of all threads. */
double lines_density(const struct locks_report *r);

/* --- the head: lines_text.c --- */

/* Appends the sentences above the tables. */
void lines_head_add_text(const struct locks_lines *l, struct strbuf *out);

/* --- columns and cells --- */

/* Returns a count, or a value without a number if it is unknown. */
struct value lines_known(uint64_t count, bool known);
/* Fills "histogram": [upper end, calls] of each bucket that has calls. The upper ends are
 * multiplied by scale / 2^32. */
void lines_put_histogram(struct report_record *record, const struct locks_quantity *q,
			 uint64_t scale);

/* Fills the first columns of all types: "type", "schema" and "pid". */
void lines_put_begin(struct report_record *record, const struct locks_lines *l, const char *type);

/* Declares the groups of columns of the phases: for a lock, or else for a program. */
void lines_declare_phases(struct report_own_type *t, bool is_lock);
/* Fills the columns of a phase. */
void lines_put_phase(struct report_record *record, const struct locks_lines *l,
		     const struct locks_row *row, int phase);

/* --- locks that several processes share: lines_sections.c --- */

/* Copies the lines of the report that have rows in it. Returns their number. */
size_t lines_shared_leave_out(const struct locks_lines *l, struct locks_line *line);
/* Declare and fill the column of a lock: how many processes have used it. */
void lines_shared_declare_row(struct report_own_type *t, const struct locks_lines *l);
void lines_shared_put_row(struct report_record *record, const struct locks_line *line);
/* Say, in text and in the columns of a program, which part of its acquisitions is in rows over
 * several processes. */
void lines_shared_add_text(const struct locks_lines *l, struct strbuf *out);
void lines_shared_put(struct report_record *record, const struct locks_lines *l);
/* Declares and adds the sentence and the record for all locks that processes share. */
void lines_shared_add(const struct locks_lines *l, struct report *report,
		      struct report_own_type *t);

/* --- chains: lines_sections.c --- */

/* Fills "chains_reason", if chains are wanted and some may be missing. */
void lines_chains_put(struct report_record *record, const struct locks_lines *l);
/* Adds a sentence about the chains of waits, and a record for each. */
void lines_chains_add(const struct locks_lines *l, struct report *report);

/* --- events: lines_sections.c --- */

/* Declares the group "events", for the program, or if is_lock for a lock. For locks, each event
 * that could be counted gets a table in text. */
void lines_events_declare(struct report_own_type *t, const struct locks_lines *l, bool is_lock);
/* Fills the group "events". line NULL: for the program. */
void lines_events_put(struct report_record *record, const struct locks_lines *l,
		      const struct locks_line *line);
/* Fills "notes" of a lock: the reasons why counts of events are incomplete or cover all modes. */
void lines_events_put_notes(struct report_record *record, const struct locks_lines *l);
/* Appends the sentences about an event: its counts in the program, and how it was read. */
void lines_events_add_text_head(const struct locks_lines *l, struct strbuf *out, uint32_t event);

/* --- cost: lines_text.c --- */

/* Appends the sentence that says what waiting for locks costs, where, and what to try. */
void lines_cost_add_text(const struct locks_lines *l, struct strbuf *out);

/* --- what shorter holds would save: lines_text.c --- */

/* Appends a sentence for each lock. */
void lines_halving_add_text(const struct locks_lines *l, struct strbuf *out);
/* Fill the columns of a program, and of a lock. */
void lines_halving_put(struct report_record *record, const struct locks_lines *l);
void lines_halving_put_row(struct report_record *record, const struct locks_lines *l,
			   const struct locks_line *line);

/* --- states of threads: lines_sections.c --- */

/* Declare and fill the columns of the states, for a thread, or for the program in JSON only. */
void lines_states_declare(struct report_own_type *t, bool is_thread);
void lines_states_put(struct report_record *record, const struct states *s, bool is_thread);
/* Appends the sentences about what all threads did with their time. */
void lines_states_add_text(const struct states *s, struct strbuf *out);

/* --- threads: lines_sections.c --- */

/* Declares the columns of threads. */
void lines_threads_declare(struct report_own_type *t);
/* Adds the heading and a record for each thread. */
void lines_threads_add(const struct locks_lines *l, struct report *report,
		       const struct report_own_type *t);

#endif
