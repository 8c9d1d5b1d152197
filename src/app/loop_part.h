/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_part - what the files of the loop have in common.
 */
#ifndef APP_LOOP_PART_H
#define APP_LOOP_PART_H

#include "app/loop.h"

/* What is said beside the numbers: the end of the command, else the faults of the screen and of the
 * source, else why a screen without hardware counters was chosen, which is no fault. */
int loop_update_note(struct loop *loop, struct err *err);

#endif
