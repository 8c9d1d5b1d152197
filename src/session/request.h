/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request - carries out requests from the prompt of the live screen, also on the tasks that were
 * selected for a key: sends signals, sets nice values and CPUs.
 *
 * If the screen does not show the result by itself, a sentence on the line of the prompt does.
 * After a failure the prompt stays open, with the input and the reason. A failed request changes
 * nothing; only an action on several tasks may succeed for some of them.
 */
#ifndef SESSION_REQUEST_H
#define SESSION_REQUEST_H

#include "base/err.h"
#include "base/strbuf.h"
#include "session/setup.h"
#include "tui/live.h"

/* ---- targets ----
 *
 * Pids may be reused while the user types. So from the key press on, each task is held by a pidfd
 * and identified by its start time. Linux before 5.3 has no pidfd: the start time is then checked
 * again just before each action.
 *
 * Ownership: the list owns its memory and descriptors; targets_release() frees them.
 */

struct target {
	struct live_task task;
	int fd; /* pidfd; -1: not supported by the kernel */
};

struct targets {
	struct target *v;
	size_t n, cap;
};

/* Holds those of the tasks that still exist, in place of the targets held before. */
void targets_take(struct targets *t, const struct live_task *tasks, size_t n);
void targets_release(struct targets *t);
/* Returns the target with this pid; NULL: none. */
const struct target *targets_find(const struct targets *t, long pid);

/*
 * Actions on a task. On a process, an action applies to all of its threads. Return 0, or -errno
 * with a sentence that says what is missing; -ESRCH: the task has exited.
 */
int target_signal(const struct target *t, int signal, struct err *err);
int target_nice(const struct target *t, int *nice, struct err *err);
int target_set_nice(const struct target *t, int nice, struct err *err);
/* Get or set the CPUs on which the task may run, as a list in the kernel's format: "0-3,8". */
int target_cpus(const struct target *t, struct strbuf *out, struct err *err);
int target_set_cpus(const struct target *t, const char *list, struct err *err);

/* ---- requests ---- */

/* The action that the loop must do after a request. */
enum request_effect {
	EFFECT_NONE,
	EFFECT_SHOW,   /* build the frame again */
	EFFECT_DELAY,  /* restart the timer and build the frame again */
	EFFECT_SCREEN, /* the screen needs other counters */
	EFFECT_COUNT,  /* more tasks are to be counted: take a sample at once */
	EFFECT_QUIT,
	EFFECT_ASK_QUIT,   /* quit, after a question if a command is running */
	EFFECT_END_COMMAND /* end the command and quit */
};

/* Handles a request. targets: the tasks selected for a key, kept until the request of its
 * prompt. */
enum request_effect request_handle(struct setup *s, struct live *live, struct targets *targets,
				   const struct request *request);

#endif
