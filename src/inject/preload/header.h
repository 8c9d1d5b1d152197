/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * header - sentences about an early end of measuring, from the header of a table of locks or of
 * library calls. Used by tiptop only, not by the preloaded objects.
 */
#ifndef INJECT_PRELOAD_HEADER_H
#define INJECT_PRELOAD_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Sets `out` to a sentence: measuring stopped `ticks` after its start, as a filter forbids the
 * system call `lacking` (seccomp_calls.h). If measuring did not stop, returns false and leaves
 * `out` empty. */
bool header_set_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick);
/* Adds a line to a report: measuring stopped `ns` after its start, as a filter forbids the system
 * call `lacking` (seccomp_calls.h). Adds nothing if measuring did not stop. */
void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns);

#endif
