/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/lacks.h"

#include <stdio.h>

#include "lib/thread.h"

/* Why events have no number. */
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

/* Events that some threads could count up to some time only. */
static void write_closed(struct tt_output *o, const struct tt_lines *lines)
{
	const struct table_header *h = o->of;

	for (uint32_t i = 0; i < h->n_events; i++) {
		char key[TABLE_NAME_MAX + 16], sentence[TABLE_NAME_MAX + 128];

		snprintf(key, sizeof key, "closed %s", h->event[i].name);
		snprintf(sentence, sizeof sentence,
			 "threads had a counter of %s that the program has closed: there, it was "
			 "counted up to then",
			 h->event[i].name);
		if (h->event[i].n_closed)
			lines->lack(o, &(struct tt_lack){key, h->event[i].n_closed, sentence});
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

void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum)
{
	const struct table_header *h = o->of;
	const bool ended = sum->of == TT_REPORTED_ENDED || sum->of == TT_REPORTED_CUT;
	const struct tt_lack lack[] = {
		{"going_on", sum->n_going_on,
		 ended ? "calls went on when the process ended: they are in no number"
		       : "calls go on: they are not in the numbers yet"},
		{"torn", sum->n_torn,
		 "rows were being written when the process ended: they may have a part of their "
		 "last call only"},
		{"unseen", sum->n_unseen,
		 "pieces of the table had no room in memory (tmpfs): they are in no number"},
		{"abandoned", sum->n_abandoned,
		 "calls were left without their end, by a jump, an exception or the end of a "
		 "thread: they are in no number"},
		{"unmatched", sum->n_unmatched, "ends were of calls that did not go on"},
		{"too_deep", sum->n_too_deep,
		 "calls had no room, in " TEXT_OF(
			 THREAD_DEPTH) " others of their thread or in "
				       "signal handlers: they are in no number"},
		{"threads_left_out", h->n_homeless,
		 "threads had no room or no memory: nothing of them is known"},
		{"threads_joined", sum->n_unkept,
		 "threads have no rows of their own, for want of memory: they are in the sums"},
		{"labels_left_out", h->n_unlabeled,
		 "regions had no room, as there are " TEXT_OF(TABLE_REGIONS) " labels: nothing of "
									     "them is known"},
		{"units_left_out", h->n_unitless,
		 "times work was said in a unit that had no room, as there are " TEXT_OF(
			 TABLE_UNITS) " units, or that is too long: it is in no number"},
		{"labels_cut", h->n_cut,
		 "labels are too long: they end in '~' and the hash of all of it"},
	};

	write_end(o, lines, sum->of);
	write_reasons(o, lines);
	write_closed(o, lines);
	for (size_t i = 0; i < sizeof lack / sizeof *lack; i++)
		if (lack[i].n)
			lines->lack(o, &lack[i]);
}
