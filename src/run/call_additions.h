/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_additions - functions that a user wants to be measured beside those of config/calls.list: an
 * object with wrappers of them, which is preloaded behind tiptop-calls.so.
 *
 * The file is written as config/calls.list is. The same script makes C of both, this one when
 * tiptop runs: the script and the list are in the program, awk and cc are those of the machine. The
 * object lies in a folder of its own, as where tables are may be of a kind from which nothing is
 * executed.
 */
#ifndef RUN_CALL_ADDITIONS_H
#define RUN_CALL_ADDITIONS_H

#include "base/err.h"
#include "run/signals.h"

#define CALL_ADDITIONS_MAX 512

struct call_additions {
	char folder[CALL_ADDITIONS_MAX];      /* "": there is none */
	char object[CALL_ADDITIONS_MAX + 32]; /* "": there is none */
	const struct signals *signals;
	int ended_by; /* the signal that ended tiptop while it was made; 0: none */
};

/* config/calls.awk and config/calls.list, by lines; the last one is NULL. */
extern const char *const calls_awk[], *const calls_list[];

/* Makes the object of the functions in the file. signals have been taken: one that is to end tiptop
 * ends the helpers. */
int call_additions_make(struct call_additions *a, const char *path, const struct signals *signals,
			struct err *err);
void call_additions_remove(struct call_additions *a);

#endif
