/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locks - the table of locks of this process (table.h), in the file that process.h makes.
 */
#ifndef INJECT_PRELOAD_LOCKS_H
#define INJECT_PRELOAD_LOCKS_H

#include "inject/preload/table.h"

struct locks {
	struct locks_header *header; /* NULL: this process is not measured */
	struct locks_module *module;
	struct locks_instance *instance; /* [0] has the number 1 */
	struct locks_thread *slot;
	struct locks_wait *wait;
	struct locks_past *past;
	struct locks_chain *chain; /* [0] is not used */
	struct locks_row *row;     /* [0] has the number 1 */
};

extern struct locks locks;

#endif
