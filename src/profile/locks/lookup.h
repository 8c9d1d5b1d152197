/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup - a process of its own that looks up names: it gets requests, and sends an answer to each,
 * in their order.
 *
 * Debug information of large programs takes seconds to read, and its files are not trusted: so the
 * parent can go on without it at any time, and survives a file that crashes the libraries.
 */
#ifndef PROFILE_LOCKS_LOOKUP_H
#define PROFILE_LOCKS_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "profile/locks/symbol.h"

/* What is asked of a place: as symbols_add() and symbols_add_line() have it. */
enum lookup_kind { LOOKUP_NAME, LOOKUP_LINE, LOOKUP_KINDS };

struct lookup_request {
	uint64_t place;
	uint32_t number; /* comes back with the answer */
	uint32_t kind;
};

/* A longer text is cut. */
#define LOOKUP_TEXT_MAX 16384

struct lookup_answer {
	uint32_t number;
	uint32_t known; /* 0: there is no text */
	char text[LOOKUP_TEXT_MAX];
};

struct lookup {
	pid_t pid; /* 0: it does not run */
	int fd;    /* readable when there is an answer, or when the process has ended */
};

/* Starts the process. It sees the modules as they are now. */
int lookup_begin(struct lookup *l, const struct locks_module *module, size_t n, struct err *err);
/* Ends it, whatever it does. */
void lookup_end(struct lookup *l);

/* Sends n requests, unless they have no room: 0 or -errno. */
int lookup_send(const struct lookup *l, const struct lookup_request *request, size_t n);
/* Takes the next answer; its text is ended. 1, 0: none is there yet, -errno: the process has
 * ended. */
int lookup_receive(const struct lookup *l, struct lookup_answer *answer);
/* Waits up to timeout_ms until lookup_receive() has something. */
void lookup_wait(const struct lookup *l, int timeout_ms);
/* The CPU time that the process has taken. */
uint64_t lookup_cpu_ns(const struct lookup *l);

#endif
