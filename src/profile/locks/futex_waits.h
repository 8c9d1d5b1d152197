/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex_waits - what a process has that waits by futex(2) itself, so that its locks are not in the
 * table: as far as the files that it has mapped tell it.
 */
#ifndef PROFILE_LOCKS_FUTEX_WAITS_H
#define PROFILE_LOCKS_FUTEX_WAITS_H

#include "base/strbuf.h"
#include "inject/preload/table.h"

/* A sentence about a module in place of what is in `out`, which names the file. False: there is
 * nothing to say of it. */
bool unseen_tell(const struct locks_module *m, struct strbuf *out);

#endif
