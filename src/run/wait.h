/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait - what tiptop waits for with one poll(2): descriptors, the time of the next sample (pace),
 * and signals.
 *
 *   wait_reset(&w); wait_add(&w, ...); ...; wait_run(&w, &done, &err);
 *
 * The table of descriptors has the function that is called when one is ready. Fill it again before
 * each wait, since the descriptors change. Among them are those of a pace and of the signals.
 *
 * Errors: -errno with a sentence. Times are in ns on CLOCK_MONOTONIC, unless their name says s or
 * ms.
 */
#ifndef RUN_WAIT_H
#define RUN_WAIT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "collect/cpu/ticks.h"
#include "collect/source.h"

/* Called with the context of its row and the ready descriptor. Returns 0, or -errno with a
 * sentence. */
typedef int wait_function(void *context, int fd, struct err *err);

struct wait {
	struct pollfd *fd; /* [n] */
	struct wait_row {
		wait_function *ready;
		void *context;
	} * row; /* [n] */
	size_t n, cap_fd, cap_row;
	uint64_t until_ns; /* on CLOCK_MONOTONIC; 0: no limit */
	struct wait_row late;
};

#define WAIT_INIT                                                                                  \
	{                                                                                          \
		.until_ns = 0                                                                      \
	}

void wait_reset(struct wait *w);
void wait_done(struct wait *w);
/* Adds a descriptor. events: as for poll(2); 0: call the function when the other end is closed
 * (POLLHUP, POLLERR). fd < 0: adds nothing. */
void wait_add(struct wait *w, int fd, short events, wait_function *ready, void *context);
/* Limits the wait to this moment of CLOCK_MONOTONIC: if nothing is ready by then, calls `late` with
 * -1 as its descriptor; late NULL: only ends the wait. Of several limits, the earliest is used.
 * until_ns 0: adds no limit. */
void wait_until(struct wait *w, uint64_t until_ns, wait_function *late, void *context);
/* Returns the ms that poll(2) may wait until this moment, rounded up; at most INT_MAX, 24 days.
 * until_ns 0: returns -1, which means for ever. */
int wait_ms_until(uint64_t until_ns);
/* Waits until a descriptor is ready or the time is up; calls the functions of the ready descriptors
 * in the order of the table, until one fails or sets *done. A signal ends the wait, too. Returns 0,
 * or -errno with a sentence. */
int wait_run(const struct wait *w, const bool *done, struct err *err);

/* ---- pace ----
 *
 * The next sample is taken after each delay, as the user has set it, or at the times that the
 * source sets.
 *
 * With pace.whole, the first interval is as long as the others, for output that programs read.
 * Samples are then due at multiples of the delay since the start (collect/cpu/ticks.h): a late
 * sample does not delay the next one, and times that have passed meanwhile are skipped.
 *
 * The loop waits for pace.timer_fd and, unless it is -1, for the descriptor of the source.
 */

struct pace {
	const struct source *source; /* borrowed; NULL: a sample is due after each delay */
	int timer_fd;                /* readable when a sample is due; -1: not begun */
	bool whole;                  /* the first delay is as long as the others */
	struct rotation rotation;    /* the intervals; used if `whole` */
	uint64_t (*now)(void);       /* CLOCK_MONOTONIC; set by pace_begin() if NULL */
};

int pace_begin(struct pace *p, const struct source *source, struct err *err);
void pace_end(struct pace *p);

/* Arms the timer: a sample is due after each delay, the first one after min(delay_s, first_s), or
 * after delay_s if p->whole. If the source sets the times, arms the timer for the time of its next
 * sample instead. */
int pace_start(struct pace *p, double delay_s, double first_s, struct err *err);
/* Arms the timer for one sample at this moment of CLOCK_MONOTONIC; UINT64_MAX: never. */
int pace_at(struct pace *p, uint64_t mono_ns, struct err *err);
/* Arms the timer for the next sample if the source sets the times, else does nothing; call it after
 * each sample. */
int pace_next(struct pace *p, struct err *err);
/* Returns the descriptor of the source to wait for, or -1. */
int pace_source_fd(const struct pace *p);
/* Reads the timer; call it when timer_fd is readable. *due: a sample is due; false if the timer was
 * re-armed meanwhile. If a sample is due, p->whole is set and the source sets no times, arms the
 * timer for the end of the next interval. */
int pace_read_timer(struct pace *p, bool *due, struct err *err);

/* ---- signals ----
 *
 * The signals that tiptop handles and the meaning of each, in one table.
 *
 * These signals are blocked and read one by one from a signalfd by the loop, so no handler
 * interrupts other code. All other signals keep their effect.
 *
 * The command does not inherit these changes: its signals are as they were at the start of tiptop.
 * Only SIGCHLD gets its default action in tiptop and in the command: if SIGCHLD were ignored, the
 * exit status of a child could not be read.
 */

enum signal_meaning {
	SIGNAL_NONE,   /* none is pending */
	SIGNAL_END,    /* end tiptop */
	SIGNAL_CHILD,  /* the command may have ended */
	SIGNAL_RESIZE, /* the terminal has a new size */
	/* Begin the summary now; only with SIGNALS_COMMAND. */
	SIGNAL_MARK,
	/* SIGNAL_STOP and SIGNAL_CONTINUE are read only with SIGNALS_SCREEN. */
	SIGNAL_STOP, /* Ctrl-Z */
	/* tiptop runs again after a stop by other means (kill -STOP): a shell may have written to
	 * the terminal meanwhile. */
	SIGNAL_CONTINUE,
};

struct signals {
	int fd; /* a signalfd; readable while a signal is pending; -1: not begun */
	/* The mask at the start of tiptop. */
	sigset_t mask;
	sigset_t taken; /* the mask while the signals are blocked */
	/* The signals that tiptop ignores and that were ignored at its start. */
	sigset_t ignored;
};

/* The signals to block in addition to those that end tiptop. */
enum signals_for { SIGNALS_PLAIN = 0, SIGNALS_SCREEN = 1, SIGNALS_COMMAND = 2 };

/* A signal that was read. */
struct signal_event {
	enum signal_meaning meaning;
	int number;
	bool by_terminal; /* sent by a key, to all processes in the foreground of the terminal */
};

/* Saves the signal mask and the ignored signals that the program was started with; call it before
 * anything else. It may be called again. */
void signals_begin(struct signals *s);
/* Restores the signals of the start, in the child that becomes the command. */
void signals_restore(const struct signals *s);
/* Blocks the signals and opens the signalfd. Signals that were ignored at the start (nohup) stay
 * ignored. uses: a sum of enum signals_for: SIGNALS_SCREEN if a screen has to be restored at a
 * stop, SIGNALS_COMMAND if there is a command with a summary. Returns 0, or -errno with a
 * sentence. */
int signals_block(struct signals *s, unsigned uses, struct err *err);
/* Reads the next pending signal; SIGNAL_NONE: none. */
struct signal_event signals_next(const struct signals *s);
/* Returns whether a signal that ends tiptop is pending; does not read it. */
bool signals_end_pending(void);
/* Restores the signal mask of the start (through: true), so that signals act at once; or blocks the
 * signals again (false). For a wait in which tiptop reads no signals and has nothing to clean
 * up. */
void signals_unblock(const struct signals *s, bool through);
/* Stops the program, as Ctrl-Z would, until SIGCONT, and discards that pending SIGCONT. If no shell
 * could continue the program (a session leader, as in xterm -e), the kernel does not let it
 * stop. */
void signals_stop(void);
/* Ends the program by this signal, so that its parent sees that signal. */
void signals_die(int number);
void signals_done(struct signals *s);

#endif
