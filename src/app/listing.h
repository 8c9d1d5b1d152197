/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing - the texts of --list-events, --list-columns and --list-filters, for people and for grep
 * and awk: a line for each, with fields in a fixed order and aligned; the last field is free text.
 * Lines that begin with '#' explain the others: the first one names the fields.
 *
 * Each function appends whole lines to `out`.
 */
#ifndef APP_LISTING_H
#define APP_LISTING_H

#include "base/strbuf.h"
#include "event/machine.h"
#include "screen/filter_list.h"
#include "screen/screen.h"

/* What stands at the end of a list for a CPU that is not here. */
#define LISTING_ELSEWHERE                                                                          \
	"of a CPU that is not here only the tables of tiptop were asked: not its sysfs, tracefs "  \
	"and libpfm4, which may know more"

/* Lists the events whose name, PMU or description contains the pattern, without regard to case;
 * NULL: all. Returns how many there are; where there is none, nothing is appended. */
size_t listing_events(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
		      const char *pattern);
/* Takes apart a number that is an event, as event/decode.h has it. */
int listing_code(struct strbuf *out, const struct machine *m, const char *code, struct err *err);
/* The same as JSON: an array of objects, in one line. */
size_t listing_events_json(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
			   const char *pattern);
int listing_code_json(struct strbuf *out, const struct machine *m, const char *code,
		      struct err *err);
/* Lists what an expression may use: variables, functions, operators, and of each screen its
 * counters and columns. */
void listing_columns(struct strbuf *out, const struct screen_list *screens);

/* Lists the filters that have names: for which of the screens they are, and what is wrong with
 * those that are for none. */
void listing_filters(struct strbuf *out, const struct filter_list *filters,
		     const struct screen_list *screens);

/* Those that are for this machine, and those that are not. */
struct listing_screens {
	const struct screen_list *shown, *hidden;
};

/* What the screens count, as bind/encodings.h has it: on this machine; or on each CPU of the table.
 */
void listing_encodings(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
		       const struct listing_screens *screens);
void listing_all_encodings(struct strbuf *out, const struct event_table *table,
			   const struct listing_screens *screens);

/* The screen as a configuration file has it, by its name, also one that is hidden here; or as -S
 * finds it. -EINVAL with a sentence where there is none. */
int listing_screen(struct strbuf *out, const struct screen_list *screens,
		   const struct screen_list *hidden, const char *what, struct err *err);

#endif
