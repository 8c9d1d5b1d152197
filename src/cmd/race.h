/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * race - two commands that run in turns, as often as each is wanted.
 *
 * Ownership: setup, signals and what `how` points to are borrowed.
 */
#ifndef CMD_RACE_H
#define CMD_RACE_H

#include "cmd/repeating.h"

struct race {
	struct repeat_how how[2]; /* to be filled before race_run() */
	struct repeating side[2];
	bool begun;
};

/* Runs both until one has run as often as it is wanted, has failed, or a signal has ended tiptop.
 * -errno with a sentence where one cannot be run at all. */
int race_run(struct race *race, struct setup *setup, struct signals *signals, struct err *err);
/* Also of one that was not run. */
void race_done(struct race *race);
/* The signal that has ended it; 0: none. */
int race_signal(const struct race *race);
/* The status of a command that could not be run; 0: both could. */
int race_status(const struct race *race);
/* Why one of them was the last to run; returns the status to end with, 0: nothing to say. */
int race_explain(const struct race *race, struct err *why);

#endif
