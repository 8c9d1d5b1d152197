/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * local - the data of each thread, in initial-exec TLS: an access is one instruction and takes no
 * lock. Such TLS is scarce for a library that is loaded by dlopen(3), so it is at most 256 bytes.
 */
#ifndef INJECT_LIB_LOCAL_H
#define INJECT_LIB_LOCAL_H

#include <stdarg.h>
#include <stddef.h>

#define LOCAL_ERROR_MAX 200

struct tt_thread;

struct tt_local {
	struct tt_thread *thread; /* the thread's state for regions (thread.h); NULL: none yet */
	int n_reports; /* reports that the thread still has to write, including one in progress */
	char error[LOCAL_ERROR_MAX];
};

_Static_assert(sizeof(struct tt_local) <= 256, "initial-exec TLS is scarce");

extern __thread struct tt_local tt_local __attribute__((tls_model("initial-exec")));

/* Sets the text of tt_strerror(), truncated if it is too long. Returns -code. */
int tt_error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
