/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * race - runs several commands in turns, each the given number of times, for tiptop compare --run.
 *
 * Each round runs all commands, in an order by which each command has each place in a round, and
 * each other command before it, equally often after n rounds, or 2 n if n is odd (Williams,
 * Experimental designs balanced for the estimation of residual effects of treatments, Australian
 * Journal of Scientific Research A 2, 1949). With two commands: A B, B A.
 *
 * Ownership: setup, signals and the objects that `how` points to are borrowed.
 */
#ifndef CMD_RACE_H
#define CMD_RACE_H

#include "cmd/repeat.h"
#include "compare/sides.h"

struct race {
	struct repeat_config how[SIDES_MAX]; /* [n], to be set before race_run() */
	size_t n;
	struct repetition side[SIDES_MAX];
	bool begun;
};

/* Runs all commands until each has run as often as wanted, one of them has failed, or a signal has
 * ended tiptop. -errno with a sentence: a command cannot be run at all. */
int race_run(struct race *race, struct setup *setup, struct signals *signals, struct err *err);
/* Frees all sides; also after a race that was never run. */
void race_done(struct race *race);
/* Returns the signal that ended tiptop; 0: none. */
int race_signal(const struct race *race);
/* Returns the exit status of a command that could not be run; 0: all could be run. */
int race_status(const struct race *race);
/* Sets why to the reason for which the race stopped early. Returns the exit status; 0: it did not
 * stop early. */
int race_explain(const struct race *race, struct err *why);

#endif
