/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress - one line on a terminal that says how far a long task is: what it does, how much of it
 * is done, and how long the rest takes.
 *
 *   progress_begin(&p, terminal, &(struct progress_task){.what = "reading r.db", .track = {{NULL,
 *                                                        bytes}}});
 *   progress_set(&p, 0, done); ...         tiptop: reading r.db 41 % [####......] about 3 s left
 *   progress_end(&p);                      nothing of the line remains
 *
 *   progress_begin(&p, terminal, &(struct progress_task){.what = "run", .numbered = true,
 *                                                        .track = {{"A", 10}, {"B", 10}}});
 *   progress_begin_unit(&p, 0); ... progress_update(&p); ... progress_end_unit(&p);
 *                                          tiptop: run 7 of 20 [###...] A 1.82 s, about 21 s left
 *
 * The line is shown once a second has passed, and at most five times a second after that. What
 * remains is estimated from what is done: for each track from its own units, as those of one may
 * take longer than those of another. It is unknown, and said so, until a unit of each track that
 * still has some is complete.
 *
 * On a terminal that others write to at the same time (shared), as a command that is measured,
 * whole lines are written, each before a unit begins; they stay. The time between two of them is a
 * second at least, and a tenth of the time that has passed.
 *
 * The clock and the terminal are those of the caller; the terminal is borrowed. NULL: nothing is
 * shown, and each of these functions does nothing. So do progress_set() and progress_set_total()
 * where p is NULL.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define PROGRESS_TRACKS 2

struct progress_terminal {
	bool shared;
	uint64_t (*now_ns)(void); /* a clock that does not go back */
	/* The columns of a line; 0: nothing may be written at the moment. */
	int (*width)(void);
	/* Shows the line in place of the one that is shown. NULL: removes that, where it may be
	 * written. */
	void (*show)(const char *line);
	/* Writes a line that stays. */
	void (*add)(const char *line);
};

struct progress_task {
	const char *what; /* what is done; where it is numbered, what one unit is called */
	bool numbered;    /* units have numbers: "run 7 of 20"; else a share is shown */
	struct progress_track {
		const char *label; /* NULL: none */
		double total;      /* units; of all tracks 0: unknown */
	} track[PROGRESS_TRACKS];
	const char *hint; /* what the user may do; NULL: nothing to say */
};

struct progress {
	const struct progress_terminal *terminal;
	struct progress_task task; /* its texts are borrowed */
	double done[PROGRESS_TRACKS];
	uint64_t spent_ns[PROGRESS_TRACKS]; /* what the units that are done have taken */
	uint64_t begin_ns, due_ns;
	int track;        /* of the unit that has begun; -1: none has */
	uint64_t unit_ns; /* when it began, or the track was set last */
	bool shown;
};

void progress_begin(struct progress *p, const struct progress_terminal *terminal,
		    const struct progress_task *task);
/* This track has so many units, which was unknown at the begin. */
void progress_set_total(struct progress *p, int track, double total);
/* Begins a unit of this track. */
void progress_begin_unit(struct progress *p, int track);
/* The unit that has begun is complete. */
void progress_end_unit(struct progress *p);
/* So many units of this track are done, since the begin of the task. */
void progress_set(struct progress *p, int track, double done);
/* Shows how far it is, where that is due. To be called while a unit goes on. */
void progress_update(struct progress *p);
/* Returns when progress_update() has something to show, by the clock of the terminal; 0: never. */
uint64_t progress_due_ns(const struct progress *p);
/* Removes the line, as something else will be written. It comes back when it is due. */
void progress_hide(struct progress *p);
void progress_end(struct progress *p);

/* Appends the line of this moment, not wider than so many columns. */
void progress_add_line(struct strbuf *out, const struct progress *p, uint64_t now_ns, int width);

#endif
