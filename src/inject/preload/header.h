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

/* Sets `out` to the sentence that measuring stopped for lack of this system call (seccomp_calls.h),
 * `ticks` after its start. Returns false if it did not stop: `out` is empty then. */
bool header_set_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick);
/* Adds a line to a report: that measuring stopped for lack of this system call (seccomp_calls.h),
 * `ns` after its start. Adds nothing if it did not stop. */
void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns);

#endif
