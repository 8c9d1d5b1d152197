/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * raw - the loop of "tiptop system --raw": sets of counters take turns on the CPUs, and what each
 * has counted is written when its turn ends.
 *
 * It ends after so many turns, or cycles of all sets where there is a period, by a signal, or when
 * the reader of its output has gone; then come the totals.
 */
#ifndef CMD_RAW_H
#define CMD_RAW_H

#include "base/destination.h"
#include "collect/cpu/rotation.h"
#include "collect/cpu/ticks.h"
#include "run/pace.h"
#include "run/signals.h"

struct raw {
	/* What is wanted. */
	double interval_s, period_s; /* period_s: 0: none */
	long count;                  /* 0: no end */
	char stamp;                  /* 'u', 'd': a line with the time before each tick; 0: none */
	bool no_header;
	enum report_format_id format;
	/* What it runs on, which the caller makes and ends. */
	struct ticks ticks;
	int n_sets;
	struct dest dest;
	struct signals signals;
	/* Its own. */
	struct turns turns;
	struct pace pace;
	struct strbuf text;
	bool counting; /* the turn has begun */
	long taken;
	bool done;
	int signal; /* that ended it; 0: none */
};

/* Returns 0, or -errno with a sentence; -EPIPE: the reader has gone. */
int raw_run(struct raw *r, struct err *err);

#endif
