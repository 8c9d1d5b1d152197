/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_additions - measures functions that a user lists, in addition to those of config/calls.list:
 * compiles wrappers of them into an object, which is preloaded after tiptop-calls.so.
 *
 * The user's file has the format of config/calls.list. The script config/calls.awk converts both
 * into C: the list when tiptop is built, the user's file at run time. The script and the list are
 * built into the program; awk and cc have to be installed. The object has its own folder, since the
 * folder of the tables may be on a file system that is mounted noexec.
 */
#ifndef RUN_CALL_ADDITIONS_H
#define RUN_CALL_ADDITIONS_H

#include "base/err.h"
#include "run/wait.h"

#define CALL_ADDITIONS_MAX 512

struct call_additions {
	char folder[CALL_ADDITIONS_MAX];      /* "": none */
	char object[CALL_ADDITIONS_MAX + 32]; /* "": none */
	const struct signals *signals;
	int ended_by; /* the signal that ended tiptop during the compilation; 0: none */
};

/* The lines of config/calls.awk and of config/calls.list; NULL ends each. */
extern const char *const calls_awk[], *const calls_list[];

/* Compiles the wrappers of the functions listed in the file `path`. signals (borrowed) must have
 * been blocked by signals_block(). A signal that ends tiptop also ends the running awk or cc, and
 * sets a->ended_by. Returns 0, or -errno with a sentence; call call_additions_remove() in both
 * cases. */
int call_additions_make(struct call_additions *a, const char *path, const struct signals *signals,
			struct err *err);
void call_additions_remove(struct call_additions *a);

#endif
