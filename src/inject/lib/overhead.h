/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * overhead - what an empty region costs, which is in each call.
 */
#ifndef INJECT_LIB_OVERHEAD_H
#define INJECT_LIB_OVERHEAD_H

#include "inject/lib/thread.h"

/* Notes it in the table, by this thread; and what one adds to the region around it. */
void tt_overhead_measure(struct tt_thread *t);

#endif
