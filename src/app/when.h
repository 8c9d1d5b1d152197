/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when - a time in a recording, as users write it:
 *
 *   14:03  14:03:20          in the local zone, the first one that the recording can have
 *   2026-01-31 14:03[:20]    (or with a T between them)
 *   +90  -90                 seconds after its begin; before its end
 */
#ifndef APP_WHEN_H
#define APP_WHEN_H

#include <stdint.h>

#include "base/err.h"

/* first_ns, last_ns: of the recording, on the clock of people. -EINVAL: it is no time. */
int when_parse(const char *text, uint64_t first_ns, uint64_t last_ns, uint64_t *out,
	       struct err *err);

#endif
