/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locks - the table of locks of this process (table.h), in the file that process.h makes.
 */
#ifndef INJECT_PRELOAD_LOCKS_H
#define INJECT_PRELOAD_LOCKS_H

#include "inject/preload/table.h"

struct locks {
	struct locks_header *header; /* NULL: nothing is measured */
	struct locks_module *module;
	struct locks_instance *instance; /* [0] is the first one, whose number is 1 */
	struct locks_thread *slot;
	struct locks_wait *wait;
	struct locks_past *past;
	struct locks_row *row; /* [0] is the first one, whose number is 1 */
};

extern struct locks locks;

/* Notes what measuring takes, as the table has it: it is the same in children of fork(2), which
 * find it in their tables. */
void locks_note_cost(void);
/* Notes the end in the table: without the guard. */
void locks_end(void);

#endif
