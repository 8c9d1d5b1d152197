/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing - the lists of events, columns, filters and screens, as reports. Text is for people, and
 * for grep and awk: one line for each row, with aligned fields in a fixed order; the last field is
 * free text. Lines that begin with '#' explain the rows; the first of these lines has the names of
 * the fields.
 *
 * listing_screen() and the functions for encodings append text to `out`, in whole lines.
 */
#ifndef CMD_LISTING_H
#define CMD_LISTING_H

#include "base/strbuf.h"
#include "pmu/check/pmu_info.h"
#include "pmu/event/machine.h"
#include "report/report.h"
#include "screen/screen.h"
#include "session/setup.h"

/* ---- pmu text ----
 *
 * The core PMUs of this machine, in a few words for the header: "skylake 4+3".
 */

/* Appends a core PMU: its name, and the numbers of its general and its fixed counters, if known. */
void pmu_text_add(struct strbuf *out, const struct pmu_info *pmu, const struct pmu_counters *c);
/* Returns the text of all core PMUs, which the caller frees; NULL: there is none. */
char *pmu_text_new(const struct machine *m);

/* ---- listing ---- */

/* Prints the list of one of the tasks TASK_LIST_*, with the options of the command line. Options of
 * the configuration file are for measurements and do not apply. Returns the exit status. */
int listing_print(int task, struct setup *setup, const struct option_list *arguments);

/* Adds the events whose name, PMU or description contains the pattern, regardless of case; NULL:
 * all. Returns their number; if it is 0, nothing is added. */
size_t listing_events(struct report *out, const struct machine *m, struct perf_sys *sys,
		      const char *pattern);
/* Adds the explanation of an event that is given as a number, see pmu/event/raw_event.h. */
int listing_code(struct report *out, const struct machine *m, const char *code, struct err *err);
/* Adds everything that an expression may use: variables, functions, operators, and for each screen
 * its counters and columns. */
void listing_columns(struct report *out, const struct screen_list *screens);
/* Adds the named filters, with the screens that each applies to; for a filter that applies to no
 * screen, adds the reason. */
void listing_filters(struct report *out, const struct filter_list *filters,
		     const struct screen_list *screens);
/* Adds the screens. Unless as_table is set, text has them in the form of tiptop 2.3.1: " 0: 'name',
 * description". */
void listing_screens(struct report *out, const struct screen_list *screens, const struct machine *m,
		     bool as_table);

/* The screens for this machine, and the screens that are hidden on it. */
struct listing_all_screens {
	const struct screen_list *shown, *hidden;
};

/* Append the encodings of the screens' events (screen/bind/encodings.h): listing_encodings() on
 * this machine, listing_all_encodings() on each CPU of the table. */
void listing_encodings(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
		       const struct listing_all_screens *screens);
void listing_all_encodings(struct strbuf *out, const struct event_table *table,
			   const struct listing_all_screens *screens);

/* Appends a screen in the form of a configuration file. what: the name of a screen, which may be
 * hidden; or the argument of -S. -EINVAL with a sentence: there is no such screen. */
int listing_screen(struct strbuf *out, const struct screen_list *screens,
		   const struct screen_list *hidden, const char *what, struct err *err);

#endif
