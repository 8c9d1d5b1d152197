/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target - the tasks that a key is about, from the moment of the key on: their numbers may be given
 * to others while the user types, so each is held by a pidfd, and checked by when it started.
 *
 * Linux before 5.3 has no pidfd: there the start is checked once more, just before something is
 * done.
 *
 * Ownership: the list owns its memory and descriptors; targets_release() gives them back.
 */
#ifndef SESSION_TARGET_H
#define SESSION_TARGET_H

#include "base/err.h"
#include "base/strbuf.h"
#include "tui/live.h"

struct target {
	struct live_task task;
	int fd; /* -1: the kernel has no pidfd */
};

struct targets {
	struct target *v;
	size_t n, cap;
};

/* Those of them that are still who they were; the others have ended. */
void targets_take(struct targets *t, const struct live_task *tasks, size_t n);
void targets_release(struct targets *t);
/* The one with this pid; NULL: it is none of them. */
const struct target *targets_find(const struct targets *t, long pid);

/*
 * What is done to a task. A process is all of its threads. -errno, with a sentence that says what
 * is missing; -ESRCH where it has ended.
 */
/* Who it belongs to, and what is missing to be allowed to send it a signal. */
int target_say_denied(const struct target *t, int signal, struct err *err);
int target_signal(const struct target *t, int signal, struct err *err);
int target_nice(const struct target *t, int *nice, struct err *err);
int target_set_nice(const struct target *t, int nice, struct err *err);
/* CPUs are written as the kernel does: "0-3,8". */
int target_cpus(const struct target *t, struct strbuf *out, struct err *err);
int target_set_cpus(const struct target *t, const char *list, struct err *err);

#endif
