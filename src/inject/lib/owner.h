/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * owner - whose counters these are: a word for each struct tt, which has the thread that opened it
 * (arch_thread()). The words lie in pages that the kernel clears in a child, however it was made:
 * so one comparison tells a reader both that it is another thread and that it is a child.
 *
 * Where the kernel cannot clear them (before Linux 4.14), the handler of fork() has to:
 * tt_owner_wipe().
 */
#ifndef INJECT_LIB_OWNER_H
#define INJECT_LIB_OWNER_H

#include <stdint.h>

typedef volatile uintptr_t tt_owner;

/* A word that has this thread; NULL: there is no memory. */
tt_owner *tt_owner_new(uintptr_t thread);
/* NULL is fine. */
void tt_owner_free(tt_owner *word);
/* In a child: none has a thread any more. */
void tt_owner_wipe(void);

#endif
