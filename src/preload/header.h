/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * header - how the tables of locks and of library calls begin, as tiptop reads them. The objects in
 * other processes have no use for it.
 *
 * The process may write anything into its file: what is not looked at here is to be checked by
 * whoever uses it.
 */
#ifndef PRELOAD_HEADER_H
#define PRELOAD_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "preload/event_note.h"
#include "preload/header_begin.h"

/* Reads the header of this size, which begins so, and is to have this magic and size of a row.
 * -errno with a sentence, which goes on from "the table of locks of the process 4711". */
int header_read(int fd, void *header, size_t size, const char *magic, size_t row_size,
		struct err *err);
/* Puts a sentence in place of what is in `out`: that measuring has stopped for want of this system
 * call (seccomp_calls.h), so many ticks behind its begin. False: it has not. */
bool header_tell_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick);
/* Adds a line of a report: that measuring has stopped for want of this system call
 * (seccomp_calls.h), ns behind its begin; nothing where it has not. */
void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns);
/* Makes the names of n events, at most EVENT_NOTES_MAX, ended and harmless. */
void header_tame_events(struct event_note *event, uint32_t n);

#endif
