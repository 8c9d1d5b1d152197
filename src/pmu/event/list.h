/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_list - the events that this machine knows by name, and whether they can be counted here.
 *
 * The generic events, those of the table that this CPU has, those of the PMUs in sysfs, libpfm4's
 * for the PMUs of the cores, tracepoints. On a hybrid machine there is a row for each kind of cores
 * that has the event.
 *
 * Whether an event can be counted is found out by opening it on tiptop itself, in user mode,
 * disabled: so it never gets onto the PMU, since some hypervisors do not bear it that many numbers
 * are tried out. A top-down metric is opened behind SLOTS. Each one is closed at once, but for the
 * first of each type, which is kept until the list is made: the kernel takes a PMU into use with
 * its first event and out of use with its last one, which costs far more than an opening. For all
 * tracepoints, one is asked: opening one changes code of the kernel, which takes 40 ms, and who may
 * count one may count all.
 *
 * Ownership: the list owns its strings; event_list_done() frees them.
 */
#ifndef PMU_EVENT_LIST_H
#define PMU_EVENT_LIST_H

#include "pmu/event/machine.h"

enum event_opens {
	OPENS_YES,
	OPENS_ABSENT,
	OPENS_DENIED,
	OPENS_REFUSED,
	OPENS_BUSY,
	OPENS_FAILED,
	OPENS_UNTRIED,
	OPENS_UNUSABLE,
	N_EVENT_OPENS
};

/* The declaration of an answer: one word for scripts, and a sentence without a full stop. */
struct event_opens_row {
	const char *name, *text;
};

extern const struct event_opens_row event_opens_table[N_EVENT_OPENS];

struct event_row {
	char *name; /* as event_name_resolve() takes it */
	char *pmu;  /* the kernel's name of it, or libpfm4's; "-": it has none here */
	char *help; /* what it counts, or why it is unusable; one line, never empty */
	bool has_code;
	struct event event; /* type, config* and topdown, where it has a code */
	uint8_t opens;      /* enum event_opens */
};

struct event_list {
	struct event_row *row;
	size_t n, cap;
	/* 0: those that fit the text are in the list; -ENODATA: none was looked for, since there
	 * was no text; -EACCES: tracefs may not be read; -ENOENT: tracefs is not mounted. */
	int tracepoints;
};

/* Lists the events whose name, PMU or help contains the text, without regard to case. NULL or "":
 * all events but tracepoints, of which there are thousands. */
void event_list_make(struct event_list *l, const struct machine *m, struct perf_sys *sys,
		     const char *text);
void event_list_done(struct event_list *l);

#endif
