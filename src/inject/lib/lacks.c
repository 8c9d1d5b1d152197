/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/lacks.h"

#include <stdio.h>

#include "base/text.h"
#include "inject/lib/thread.h"

/* Writes a line, with its sentence in the singular or plural according to lack->n
 * (text_pluralize()). */
static void write_lack(struct tt_output *o, const struct tt_lines *lines,
		       const struct tt_lack *lack)
{
	char sentence[TABLE_NAME_MAX + 192];

	text_pluralize(sentence, sizeof sentence, lack->sentence, lack->n);
	lines->lack(o, &(struct tt_lack){lack->key, lack->n, sentence});
}

/* Writes a line for each event that is not counted, or not in the requested modes, with the reason.
 */
static void write_reasons(struct tt_output *o, const struct tt_lines *lines)
{
	const struct table_header *h = o->of;

	for (uint32_t i = 0; i < h->n_events; i++) {
		char key[TABLE_NAME_MAX + 16];

		snprintf(key, sizeof key, "not_counted %s", h->event[i].name);
		if (h->event[i].reason[0])
			lines->lack(o, &(struct tt_lack){key, 0, h->event[i].reason});
	}
}

/* Writes a line for each event that is no longer counted in some threads, as the program has closed
 * its descriptors. */
static void write_closed(struct tt_output *o, const struct tt_lines *lines)
{
	const struct table_header *h = o->of;

	for (uint32_t i = 0; i < h->n_events; i++) {
		char key[TABLE_NAME_MAX + 16], sentence[TABLE_NAME_MAX + 128];

		snprintf(key, sizeof key, "closed %s", h->event[i].name);
		snprintf(sentence, sizeof sentence,
			 "{thread|threads} had a counter of %s that the program has closed: there, "
			 "it was counted up to then",
			 h->event[i].name);
		if (h->event[i].n_closed)
			write_lack(o, lines,
				   &(struct tt_lack){key, h->event[i].n_closed, sentence});
	}
}

static void write_end(struct tt_output *o, const struct tt_lines *lines, enum tt_reported of)
{
	static const struct tt_lack lack[] = {
		[TT_REPORTED_RUNS] = {"runs", 0,
				      "the process still runs: the numbers are those up to now"},
		[TT_REPORTED_CUT] = {"cut_short", 0,
				     "the process was ended by a signal or _exit(2), or executed "
				     "another program: the numbers are those up to then"},
	};

	if (of == TT_REPORTED_RUNS || of == TT_REPORTED_CUT)
		lines->lack(o, &lack[of]);
}

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

#define IN_NO_NUMBER ": {it is|they are} in no number"
#define TOO_DEEP                                                                                   \
	"{call|calls} had no room, in " TEXT_OF(                                                   \
		THREAD_DEPTH) " others of {its|their} thread or "                                  \
			      "behind " TEXT_OF(                                                   \
				      THREAD_WAITING) " that signal handlers ended amid the "      \
						      "writing of one" IN_NO_NUMBER
#define WAITED                                                                                     \
	"{call|calls} waited while {its|their} thread did something else: what {it|they} counted " \
	"is not known, and {its|their} own time has that of the regions in {it|them}"
#define UNLABELED                                                                                  \
	"{region|regions} had no room, as there are " TEXT_OF(                                     \
		TABLE_REGIONS) " labels or no memory: nothing of {it|them} is known"
#define ROWLESS                                                                                    \
	"{call|calls} had no room, as there are " TEXT_OF(                                         \
		TABLE_REGIONS) " labels, or no slot or memory for {its|their} thread" IN_NO_NUMBER
#define UNITLESS                                                                                   \
	"{time|times} work was said in a unit that had no room, as there are " TEXT_OF(            \
		TABLE_UNITS) " units, or that is too long: it is in no number"

/* Writes a line with the number of calls that are in progress, or that were in progress when the
 * process ended. */
static void write_going_on(struct tt_output *o, const struct tt_lines *lines,
			   const struct tt_lacks *sum)
{
	const bool ended = sum->of == TT_REPORTED_ENDED || sum->of == TT_REPORTED_CUT;
	const struct tt_lack lack = {
		"going_on", sum->n_going_on,
		ended ? "{call|calls} went on when the process ended" IN_NO_NUMBER
		      : "{call goes|calls go} on: {it is|they are} not in the numbers yet"};

	if (lack.n)
		write_lack(o, lines, &lack);
}

void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum)
{
	const struct table_header *h = o->of;
	const struct tt_lack lack[] = {
		{"torn", sum->n_torn,
		 "{row was|rows were} being written when the process ended: a part of {its|their} "
		 "last call may be missing"},
		{"unseen", sum->n_unseen,
		 "{piece|pieces} of the table had no room in memory (tmpfs)" IN_NO_NUMBER},
		{"abandoned", sum->n_abandoned,
		 "{call was left without its|calls were left without their} end, by a jump, an "
		 "exception or the end of a thread" IN_NO_NUMBER},
		{"waited", sum->n_waited, WAITED},
		{"unmatched", sum->n_unmatched,
		 "{end was of a call|ends were of calls} that did not go on"},
		{"too_deep", sum->n_too_deep, TOO_DEEP},
		{"threads_left_out", h->n_homeless,
		 "{thread|threads} had no room or no memory: nothing of {it|them} is known"},
		{"threads_joined", sum->threads_joined,
		 "{thread has|threads have} no rows of {its|their} own, for lack of memory: {it "
		 "is|they are} in the sums"},
		{"calls_left_out", sum->n_rowless, ROWLESS},
		{"labels_left_out", h->n_unlabeled, UNLABELED},
		{"units_left_out", h->n_unitless, UNITLESS},
		{"labels_cut", h->n_cut,
		 "{label is too long: it ends|labels are too long: they end} in '~' and the hash "
		 "of all of it"},
	};

	write_end(o, lines, sum->of);
	write_reasons(o, lines);
	write_closed(o, lines);
	write_going_on(o, lines, sum);
	for (size_t i = 0; i < sizeof lack / sizeof *lack; i++)
		if (lack[i].n)
			write_lack(o, lines, &lack[i]);
}
