/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter_trial - finds out whether the filter of system calls under which tiptop runs, as in a
 * container, allows what a preloaded object does in a command: a child makes these calls, with
 * arguments by which they do nothing. It may be ended by one of them; the command is not.
 */
#ifndef RUN_FILTER_TRIAL_H
#define RUN_FILTER_TRIAL_H

#include <stdint.h>

/* Returns the number of a call that is not allowed (inject/preload/seccomp_calls.h); 0: all are, or
 * there is no filter. needs: enum seccomp_needs. */
uint32_t filter_trial_find_lacking(unsigned needs);

#endif
