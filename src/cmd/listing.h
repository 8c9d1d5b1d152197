/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing - the lists of events, columns, filters and screens, as reports: text is for people, and
 * for grep and awk: a line for each, with fields in a fixed order and aligned; the last field is
 * free text. Lines that begin with '#' explain the others: the first one names the fields.
 *
 * What else is printed of screens is text: each function appends whole lines to `out`.
 */
#ifndef CMD_LISTING_H
#define CMD_LISTING_H

#include "base/strbuf.h"
#include "pmu/check/pmu_info.h"
#include "pmu/event/machine.h"
#include "report/report.h"
#include "screen/filter_list.h"
#include "screen/screen.h"
#include "session/setup.h"

/* ---- pmu text ----
 *
 * What counts on this machine, in a few words for the header: "skylake 4+3".
 */

/* Appends a core PMU: its name, and how many counters of any event and how many of one event only
 * it has; those are left out where they are not known. */
void pmu_text_add(struct strbuf *out, const struct pmu_info *pmu, const struct pmu_counters *c);
/* That of all core PMUs, which the caller frees; NULL: there is none. */
char *pmu_text_new(const struct machine *m);

/* ---- listing ---- */

/* Prints the list that one of these options asks for, as the options say that stand beside it:
 * those of the configuration file hold for what is measured. Returns the exit status. */
int listing_print(int task, struct setup *setup, const struct option_list *arguments);

/* Adds the events whose name, PMU or description contains the pattern, without regard to case;
 * NULL: all. Returns how many there are; where there is none, nothing is added. */
size_t listing_events(struct report *out, const struct machine *m, struct perf_sys *sys,
		      const char *pattern);
/* Takes apart a number that is an event, as pmu/event/decode.h has it. */
int listing_code(struct report *out, const struct machine *m, const char *code, struct err *err);
/* Adds what an expression may use: variables, functions, operators, and of each screen its counters
 * and columns. */
void listing_columns(struct report *out, const struct screen_list *screens);
/* Adds the filters that have names: for which of the screens they are, and what is wrong with those
 * that are for none. */
void listing_filters(struct report *out, const struct filter_list *filters,
		     const struct screen_list *screens);
/* Unless they are to be a table, text has them as tiptop 2.3.1: " 0: 'name', description". */
void listing_screens(struct report *out, const struct screen_list *screens, const struct machine *m,
		     bool as_table);

/* Those that are for this machine, and those that are not. */
struct listing_all_screens {
	const struct screen_list *shown, *hidden;
};

/* What the screens count, as screen/bind/encodings.h has it: on this machine; or on each CPU of the
 * table.
 */
void listing_encodings(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
		       const struct listing_all_screens *screens);
void listing_all_encodings(struct strbuf *out, const struct event_table *table,
			   const struct listing_all_screens *screens);

/* The screen as a configuration file has it, by its name, also one that is hidden here; or as -S
 * finds it. -EINVAL with a sentence where there is none. */
int listing_screen(struct strbuf *out, const struct screen_list *screens,
		   const struct screen_list *hidden, const char *what, struct err *err);

#endif
