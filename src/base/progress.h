/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress - one line on a terminal that shows the progress of a long task: what the task does, how
 * much of it is done, and the estimated time left.
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
 * The line appears after the first second and is updated at most five times a second. The time left
 * is estimated for each track from its own completed units, as units of one track may take longer
 * than those of another. Until every unfinished track has completed a unit, the time left is
 * unknown, and the line shows the time so far instead.
 *
 * If another program, such as a measured command, writes to the terminal at the same time (shared),
 * the line cannot be redrawn. New lines are then written, and only when a unit begins. The time
 * between two lines is at least a second, and at least a tenth of the time that the task has taken
 * so far.
 *
 * The caller provides the clock and the terminal, which is borrowed. With terminal NULL, nothing is
 * shown. progress_set() and progress_set_total() do nothing if p is NULL.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define PROGRESS_TRACKS 8

struct progress_terminal {
	/* Another program writes to the terminal at the same time. */
	bool shared;
	uint64_t (*now_ns)(void); /* a clock that never goes back */
	/* Returns the columns of a line; 0: nothing may be written now. */
	int (*width)(void);
	/* Shows the line in place of the one shown before. NULL: removes the line, if the terminal
	 * may be written to. */
	void (*show)(const char *line);
	/* Writes a line that stays. */
	void (*add)(const char *line);
};

struct progress_task {
	const char *what; /* what is done; with numbered units, the name of one unit */
	bool numbered;    /* units have numbers: "run 7 of 20"; else a percentage is shown */
	struct progress_track {
		const char *label; /* NULL: none */
		double total;      /* units; 0 in all tracks: unknown */
	} track[PROGRESS_TRACKS];
	const char *hint; /* what the user can do; NULL: no hint */
};

struct progress {
	const struct progress_terminal *terminal;
	struct progress_task task; /* its texts are borrowed */
	double done[PROGRESS_TRACKS];
	uint64_t spent_ns[PROGRESS_TRACKS]; /* time that the completed units took */
	/* When the task began, and when the line may be updated next, by now_ns(). */
	uint64_t begin_ns, due_ns;
	int track;        /* the track of the current unit; -1: no unit is running */
	uint64_t unit_ns; /* when the unit began, or the track was last set */
	bool shown;
};

void progress_begin(struct progress *p, const struct progress_terminal *terminal,
		    const struct progress_task *task);
/* Sets the number of units of this track, if it was unknown at the beginning. */
void progress_set_total(struct progress *p, int track, double total);
/* Begins a unit of this track. */
void progress_begin_unit(struct progress *p, int track);
/* Completes the current unit. */
void progress_end_unit(struct progress *p);
/* Sets how many units of this track are done since the task began. */
void progress_set(struct progress *p, int track, double done);
/* Updates the line if it is due. To be called while a unit is running. */
void progress_update(struct progress *p);
/* Returns when progress_update() will have something to show, by the clock of the terminal; 0:
 * never. */
uint64_t progress_due_ns(const struct progress *p);
/* Removes the line before other output. It comes back when it is due. */
void progress_hide(struct progress *p);
void progress_end(struct progress *p);

/* Appends the line for this moment, `width` columns at most. */
void progress_add_line(struct strbuf *out, const struct progress *p, uint64_t now_ns, int width);

#endif
