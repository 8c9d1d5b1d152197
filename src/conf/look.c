/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/look.h"

#include <stddef.h>

/* clang-format off */
const struct look_row look_table[N_LOOKS] = {
	[LOOK_NORMAL]      = {'n', "normal", NULL},
	[LOOK_FAINT]       = {'f', "faint", "a task that did not run, or no number"},
	[LOOK_ROUGH]       = {'r', "rough", "an estimate or a lower bound"},
	[LOOK_DEAD]        = {'d', "dead", "a task that has ended: its last numbers"},
	[LOOK_WATCHED]     = {'w', "watched", "a task that you watch (key w)"},
	[LOOK_ANCESTOR]    = {'a', "ancestor", NULL},
	[LOOK_TOTALS]      = {'t', "totals", NULL},
	[LOOK_WARN]        = {'u', "warn", NULL},
	[LOOK_CRIT]        = {'x', "crit", NULL},
	[LOOK_HEAT_1]      = {'1', "heat-1", NULL},
	[LOOK_HEAT_2]      = {'2', "heat-2", NULL},
	[LOOK_HEAT_3]      = {'3', "heat-3", NULL},
	[LOOK_HEAT_4]      = {'4', "heat-4", NULL},
	[LOOK_HEAT_5]      = {'5', "heat-5", NULL},
	[LOOK_CURRENT]     = {'c', "current", NULL},
	[LOOK_FOLLOWED]    = {'o', "followed", NULL},
	[LOOK_TAGGED]      = {'s', "tagged", NULL},
	[LOOK_MATCH]       = {'m', "match", NULL},
	[LOOK_HEADER]      = {'h', "header", NULL},
	[LOOK_TAB]         = {'b', "tab", NULL},
	[LOOK_TAB_CURRENT] = {'i', "tab-current", NULL},
	[LOOK_NOTE]        = {'y', "note", NULL},
	[LOOK_MESSAGE]     = {'q', "message", NULL},
	[LOOK_ERROR]       = {'e', "error", NULL},
	[LOOK_KEY]         = {'k', "key", NULL},
	[LOOK_LABEL]       = {'l', "label", NULL},
	[LOOK_BAR_FRAME]   = {'[', "bar-frame", NULL},
	[LOOK_BAR_EMPTY]   = {'.', "bar-empty", NULL},
	[LOOK_BAR_USER]    = {'|', "bar-user", NULL},
	[LOOK_BAR_NICE]    = {'-', "bar-nice", NULL},
	[LOOK_BAR_SYSTEM]  = {'#', "bar-system", NULL},
	[LOOK_BAR_IRQ]     = {'!', "bar-irq", NULL},
	[LOOK_BAR_STEAL]   = {'%', "bar-steal", NULL},
	[LOOK_BAR_WAIT]    = {'~', "bar-wait", NULL},
	[LOOK_BAR_USED]    = {'=', "bar-used", NULL},
	[LOOK_BAR_BUFFERS] = {':', "bar-buffers", NULL},
	[LOOK_BAR_CACHE]   = {'+', "bar-cache", NULL},
	[LOOK_BAR_SWAP]    = {'$', "bar-swap", NULL},
	[LOOK_CURVE_1]     = {'g', "curve-1", NULL},
	[LOOK_CURVE_2]     = {'v', "curve-2", NULL},
};
/* clang-format on */
