/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * header - what the header of a table of locks or of library calls says of its end, in words. The
 * objects in other processes have no use for it.
 */
#ifndef INJECT_PRELOAD_HEADER_H
#define INJECT_PRELOAD_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Puts a sentence in place of what is in `out`: that measuring has stopped for want of this system
 * call (seccomp_calls.h), so many ticks behind its begin. False: it has not. */
bool header_set_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick);
/* Adds a line of a report: that measuring has stopped for want of this system call
 * (seccomp_calls.h), ns behind its begin; nothing where it has not. */
void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns);

#endif
