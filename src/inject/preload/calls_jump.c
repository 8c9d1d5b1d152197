/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of calls: longjmp() and its variants, which are not measured. After a jump, the thread
 * counts as being in the program until its next call, whose address on the stack shows which calls
 * were left. */
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

#include "inject/preload/calls.h"
#include "inject/preload/calls_real.h"

static void begin_jump(void)
{
	struct calls_state *own = calls_state;
	struct moment now;

	if (!own->ready) {
		calls_begin_thread(0);
		return;
	}
	events_read_after(own->events, &now);
	calls_open(own);
	calls_add_time(own, &now);
	own->slot->function = 0;
	calls_close(own);
}

#define JUMP(name)                                                                                 \
	CALLS_PUBLIC _Noreturn void jump_##name(void *to, int value) __asm__(#name);               \
	void jump_##name(void *to, int value)                                                      \
	{                                                                                          \
		begin_jump();                                                                      \
		((void (*)(void *, int))calls_real_jump[CALLS_JUMP_##name])(to, value);            \
		__builtin_unreachable();                                                           \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
