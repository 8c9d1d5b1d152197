/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preloading_input - what a preloaded object measures: the events of --events, functions that the
 * user lists; whether the filters of this process and the program let it; and the files that the
 * user names.
 *
 * The object looks up no names: events are passed on as numbers, in the format that it reads
 * (inject/preload/events.h). They count in user mode, unless a modifier says otherwise. Functions
 * are compiled into an object of their own.
 */
#ifndef RUN_PRELOADING_INPUT_H
#define RUN_PRELOADING_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "inject/preload/table_note.h"
#include "run/wait.h"

/* ---- files ---- */

/* Checks that the report (-o) and the stacks (--folded) are written to two files, and overwrite
 * none that is read (--rules, --functions); NULL: there is no such file. Returns 0, or -EINVAL with
 * a sentence. */
int preloading_check_files(const char *output, const char *folded, const char *rules,
			   const char *functions, struct err *err);

/* ---- trial of filters ----
 *
 * Finds out whether the system-call filters that tiptop runs under, as in a container, allow the
 * calls of a preloaded object: a child makes these calls, with arguments that have no effect. A
 * filter may kill the child; the command is not at risk.
 */

/* Returns the number of a call that is not allowed (inject/preload/seccomp_filter.h); 0: all
 * needed ones are, there is no filter, or this cannot be found out. needs: enum seccomp_needs. */
uint32_t filter_trial_find_lacking(unsigned needs);

/* ---- musl ---- */

/* Returns whether a program, or the interpreter of a script, uses the C library musl, whose loader
 * fails to load the objects, which need glibc, and ends the program. program: the first word of the
 * command. */
bool program_uses_musl(const char *program);

/* ---- events ---- */

/* Appends the events of the list. A name that is not an event on any machine is an error; an event
 * that this machine lacks is passed on as lacking. modes: add each event twice, for user mode and
 * for the kernel; an event that cannot be counted by mode is an error. note: gets the first reason
 * why an event counts in all modes, or why an Arm PMU lacks one; code 0: there is none; may be
 * NULL. Returns 0, or -errno with a sentence. */
int preloading_events_add(struct strbuf *out, const char *list, bool modes, struct err *note,
			  struct err *err);

/* Prints to standard error which parts of the list have no effect on counts, if there are any. */
void preloading_events_print_ignored(const char *list);
/* Sets the names in note[] to those in a text made by preloading_events_add(), by the number of the
 * event, as events_name() of the preloaded object does in its table. Returns the number of
 * events. */
uint32_t preloading_events_name(const char *text, struct event_note note[EVENT_NOTES_MAX]);

/* Returns a list of the names that these events have in rows of running programs, for screens. With
 * `modes`, an event has a name for user mode and one for the kernel, else one for each phase of a
 * lock. The caller frees the list. */
char *preloading_events_of_rows(const char *list, bool modes);

/* ---- functions ----
 *
 * Measures functions that a user lists, in addition to those of config/calls.list: compiles
 * wrappers of them into an object, which is preloaded after tiptop-calls.so.
 *
 * The user's file has the format of config/calls.list. The script config/calls.awk converts both
 * into C: the list when tiptop is built, the user's file at run time. The script and the list are
 * built into the program; awk and cc have to be installed. The object has its own folder, since the
 * folder of the tables may be on a file system that is mounted noexec.
 */

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
