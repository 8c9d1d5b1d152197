/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_part - what the files of the loop have in common.
 */
#ifndef SESSION_LOOP_PART_H
#define SESSION_LOOP_PART_H

#include "session/loop.h"

/* Takes the next sample and shows it. */
int loop_refresh(struct loop *loop, struct err *err);
/* Builds the frame of the present delta and hands it on. In batch mode only refreshes are printed.
 */
int loop_show(struct loop *loop, bool refresh, struct err *err);
/* Tells the source of which descendants of the command it has to read. */
void loop_fit_family(struct loop *loop);
/* What the loop does where the command starts and ends. */
extern const struct lifecycle_hooks loop_hooks;
/* On the live screen, the output of the command is nowhere. */
void loop_say_where_output_is(struct loop *loop);
/* Quits, unless a command runs that is asked about. */
void loop_quit(struct loop *loop);
/* The answer: tiptop ends it, and then itself. */
void loop_end_command(struct loop *loop);
/* The command has ended: there is nothing left to count anew, and its last numbers stay. Returns
 * the reactions that are left. */
unsigned loop_keep_counters(struct loop *loop, const struct view *before, unsigned reaction);
/* What is said beside the numbers: the end of the command, else the faults of the screen and of the
 * source, else why a screen without hardware counters was chosen, which is no fault. */
int loop_update_note(struct loop *loop, struct err *err);
/* Batch mode with a filter, where nobody sees that there is nothing to see: it is said once that
 * none passes. The end of the only task that was asked for, by its number, is the end. */
int loop_check_filter(struct loop *loop, struct err *err);

#endif
