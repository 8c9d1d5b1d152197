/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "theme/look.h"

#include <stddef.h>

const struct look_row look_table[N_LOOKS] = {
	[LOOK_NORMAL] = {'n', NULL},
	[LOOK_FAINT] = {'f', "a task that did not run, or no number"},
	[LOOK_ROUGH] = {'r', "an estimate or a lower bound"},
	[LOOK_DEAD] = {'d', "a task that has ended: its last numbers"},
	[LOOK_WATCHED] = {'w', "a task that you watch (key w)"},
	[LOOK_HEADER] = {'h', NULL},
	[LOOK_NOTE] = {'y', NULL},
};
