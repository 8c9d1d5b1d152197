/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolver - looks up the names of addresses, each once, in a helper process; and writes the names
 * of locks (locks_name_...).
 *
 * A name that is requested and not known yet is queued. So a text is made twice: first to find out
 * which names it needs, and again when they are known.
 *
 *   locks_lines_add(..., resolver, &scratch);
 *   while (resolver_step(r) && resolver_n_missing(r)) resolver_wait(r, 100);
 *   locks_lines_add(..., resolver, &text);
 *
 * All names are looked up before source lines, which take much longer. Both are looked up in the
 * order in which they were first requested.
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
 * The helper process: it receives requests and sends an answer to each, in their order.
 *
 * Debug information of large programs takes seconds to read, and the files are not trusted. So the
 * parent can give up the process at any time, and survives a file that crashes the libraries.
 */

/* The kind of text: that of symbols_add() or of symbols_add_line(). */
enum lookup_kind { LOOKUP_NAME, LOOKUP_LINE, LOOKUP_KINDS };

struct lookup_request {
	uint64_t place;
	uint32_t number; /* returned with the answer */
	uint32_t kind;
};

/* Longer texts are truncated. */
#define LOOKUP_TEXT_MAX 16384

struct lookup_answer {
	uint32_t number;
	uint32_t known; /* 0: no text was found */
	char text[LOOKUP_TEXT_MAX];
};

struct lookup {
	pid_t pid; /* 0: not running */
	int fd;    /* readable if there is an answer, or the process has ended */
};

/* ---- resolver ---- */

struct resolver;

/* Makes a resolver; starts no process yet. module: [n], borrowed. */
struct resolver *resolver_new(const struct locks_module *module, size_t n);
void resolver_free(struct resolver *r);
/* Sets the process of the modules, for names of code that it has generated (symbol_table.h). A
 * helper process that is already running does not see the change. */
void resolver_set_process(struct resolver *r, const struct perf_map_process *process);
/* Replaces the modules, which may have changed or moved in memory. Returns whether texts that were
 * not found are looked up again: of places that were in no module when they were requested, and are
 * in one now. */
bool resolver_set_modules(struct resolver *r, const struct locks_module *module, size_t n);

/* Like symbols_add(), symbols_add_line() and symbols_add_file(). Return false if there is no such
 * text, or it is not known yet. */
bool resolver_add_name(struct resolver *r, struct strbuf *out, uint64_t place);
bool resolver_add_line(struct resolver *r, struct strbuf *out, uint64_t place);
bool resolver_add_file(struct resolver *r, struct strbuf *out, uint64_t place);

/* Return how many texts of a kind were requested, and how many of these were answered. */
size_t resolver_n_wanted(const struct resolver *r, enum lookup_kind kind);
size_t resolver_n_answered(const struct resolver *r, enum lookup_kind kind);
/* Return how many texts of all kinds are still missing, and how many were given up. */
size_t resolver_n_missing(const struct resolver *r);
size_t resolver_n_given_up(const struct resolver *r);
/* Returns how many of the known names are those of the nearest function (SYMBOL_NEAREST), and
 * appends the names of their files, separated by commas, each once. */
size_t resolver_add_nearest(struct resolver *r, struct strbuf *files);
/* Returns how many of the known names are those of generated code (symbol_table.h). */
size_t resolver_n_generated(struct resolver *r);
/* Returns how often a missing text was requested. If the number is unchanged after a text was made,
 * the text is complete. */
size_t resolver_n_misses(const struct resolver *r);

/* Sends requests and takes the answers that have arrived, without blocking. Returns false if texts
 * were given up, also because the lookup fails now. */
bool resolver_step(struct resolver *r);
/* Waits up to timeout_ms for an answer. */
void resolver_wait(const struct resolver *r, int timeout_ms);
/* Returns the descriptor that becomes readable with an answer; -1: no process is running. */
int resolver_fd(const struct resolver *r);
/* Returns the CPU time of the present helper process in ns. */
uint64_t resolver_cpu_ns(const struct resolver *r);
/* Gives up all missing texts, and those requested later. reason: continues "were not looked up,
 * as"; copied; only the first call sets it. */
void resolver_give_up(struct resolver *r, const char *reason);
/* Returns why texts were given up; NULL: none were. */
const char *resolver_reason(const struct resolver *r);

/* ---- names of locks ----
 *
 * Appends names of locks and callers, and says which numbers exist for each kind of
 * lock.
 */

/* Appends the name of a caller: function and offset, else file and offset, else the address; "-":
 * none. */
void locks_name_add_caller(struct resolver *names, struct strbuf *out, uint64_t caller);
/* Appends file and line of the call in the source. Returns false if they are unknown. */
bool locks_name_add_source(struct resolver *names, struct strbuf *out, uint64_t caller);
/* Appends the name of a lock: its variable, else the caller that acquired it first, in brackets;
 * "other" for NULL. */
void locks_name_add(struct resolver *names, struct strbuf *out, const struct locks_instance *i);
/* Returns the kind of a lock, such as "mutex"; of an rwlock "rwlock-read" if `shared`, else
 * "rwlock-write"; "-" for NULL. */
const char *locks_name_kind(const struct locks_instance *i, bool shared);
/* Returns whether it is known how many acquisitions had to wait. It is known for the kinds of locks
 * that a thread holds after acquiring them (locks_is_held()), and for NULL: several locks. */
bool locks_name_knows_contended(const struct locks_instance *i);
/* Returns whether the owner of a lock is known: only for the kinds of locks_is_held(), and not for
 * several locks, nor over several processes. */
bool locks_name_knows_owner(const struct locks_instance *i);

#endif
