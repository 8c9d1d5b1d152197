/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * owner - a word for each struct tt, which identifies the thread that opened the struct
 * (arch_thread()). The words lie in pages that the kernel clears in a child process, however the
 * child was created. So a reader needs one comparison to detect both another thread and a child
 * process.
 *
 * Linux before 4.14 cannot clear pages in a child; there the fork handler calls tt_owner_wipe().
 */
#ifndef INJECT_LIB_OWNER_H
#define INJECT_LIB_OWNER_H

#include <stdint.h>

typedef volatile uintptr_t tt_owner;

/* Returns a free word, set to `thread`; NULL: no memory. */
tt_owner *tt_owner_new(uintptr_t thread);
/* Frees a word. NULL is allowed. */
void tt_owner_free(tt_owner *word);
/* Clears all words, in a child process. */
void tt_owner_wipe(void);

#endif
