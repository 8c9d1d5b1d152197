/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of calls: functions with which the wrappers of another object begin and end a call
 * (calls_real.h). That object numbers its functions from 1 on, and knows only the size of struct
 * calls_call. */
#include "inject/preload/calls.h"
#include "inject/preload/calls_real.h"

CALLS_PUBLIC void tiptop_calls_enter(struct calls_call *call, uint32_t number, void *at);
CALLS_PUBLIC void tiptop_calls_leave(struct calls_call *call);

void tiptop_calls_enter(struct calls_call *call, uint32_t number, void *at)
{
	const uint32_t function = calls_n_listed + number;

	*call = (struct calls_call){.own = calls_state, .at = (uintptr_t)at};
	if (number > calls_n_extra())
		call->own = NULL;
	else if (!call->own->ready)
		call->own = calls_begin_thread(function);
	if (call->own)
		calls_enter(call, function);
}

void tiptop_calls_leave(struct calls_call *call)
{
	calls_leave(call);
}
