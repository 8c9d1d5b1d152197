/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolver - names of the addresses of a process: each is looked up once, by a process of its own.
 *
 * What is asked for and not known yet is wanted from then on. So a text is made twice: once to see
 * what it wants, and again when that is there.
 *
 *   locks_lines_add(..., resolver, &scratch);
 *   while (resolver_step(r) && resolver_n_missing(r)) resolver_wait(r, 100);
 *   locks_lines_add(..., resolver, &text);
 *
 * Names come before lines of the source, which take much longer, and each in the order in which
 * they were asked for first.
 */
#ifndef PROFILE_LOCKS_RESOLVER_H
#define PROFILE_LOCKS_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "profile/locks/symbol.h"

/* ---- lookup ----
 *
 * A process of its own that looks up names: it gets requests, and sends an answer to each,
 * in their order.
 *
 * Debug information of large programs takes seconds to read, and its files are not trusted: so the
 * parent can go on without it at any time, and survives a file that crashes the libraries.
 */

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

/* ---- resolver ---- */

struct resolver;

/* module: [n], borrowed. Nothing is started yet. */
struct resolver *resolver_new(const struct locks_module *module, size_t n);
void resolver_free(struct resolver *r);
/* The process has other modules by now, or they have moved. */
void resolver_set_modules(struct resolver *r, const struct locks_module *module, size_t n);

/* As symbols_add(), symbols_add_line() and symbols_add_file(). False: there is none, or it is not
 * known yet. */
bool resolver_add_name(struct resolver *r, struct strbuf *out, uint64_t place);
bool resolver_add_line(struct resolver *r, struct strbuf *out, uint64_t place);
bool resolver_add_file(struct resolver *r, struct strbuf *out, uint64_t place);

/* How many answers of a kind are wanted, and how many of them are there. */
size_t resolver_n_wanted(const struct resolver *r, enum lookup_kind kind);
size_t resolver_n_answered(const struct resolver *r, enum lookup_kind kind);
/* How many of all kinds are not there yet, and how many will not come. */
size_t resolver_n_missing(const struct resolver *r);
size_t resolver_n_given_up(const struct resolver *r);
/* How often something was asked for that is not there yet: as long as that is the same, all of what
 * was asked for was. */
size_t resolver_n_misses(const struct resolver *r);

/* Goes on with the lookup, without waiting: takes the answers that are there. False: it has failed,
 * and what is missing is given up. */
bool resolver_step(struct resolver *r);
/* Waits until resolver_step() has something to take, or for timeout_ms. */
void resolver_wait(const struct resolver *r, int timeout_ms);
/* The descriptor that is readable then; -1: nothing runs. */
int resolver_fd(const struct resolver *r);
/* The CPU time that the lookup has taken. */
uint64_t resolver_cpu_ns(const struct resolver *r);
/* Gives up what is missing, and what will be asked for. reason: why, in words that go on from "were
 * not looked up, as"; it is kept. */
void resolver_give_up(struct resolver *r, const char *reason);
/* NULL: nothing was given up. */
const char *resolver_reason(const struct resolver *r);

#endif
