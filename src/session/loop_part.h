/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_part - internal declarations shared by the files of the loop.
 */
#ifndef SESSION_LOOP_PART_H
#define SESSION_LOOP_PART_H

#include "session/loop.h"

/* Takes the next sample and shows it. */
int loop_refresh(struct loop *loop, struct err *err);
/* Builds the frame of the current delta and writes it. refresh: the delta is new; batch mode writes
 * no other frames. */
int loop_show(struct loop *loop, bool refresh, struct err *err);
/* Sets the source's filter to those descendants of the command that the source has to read. */
void loop_fit_family(struct loop *loop);
/* Callbacks for the start and the end of the command. */
extern const struct lifecycle_hooks loop_hooks;
/* On the live screen, says that the command's input and output are /dev/null. */
void loop_say_where_output_is(struct loop *loop);
/* Quits; asks first if a command is running. */
void loop_quit(struct loop *loop);
/* Sends SIGTERM to the command, after the user was asked and chose to end it; tiptop ends when the
 * command has exited. */
void loop_end_command(struct loop *loop);
/* Sets the note above the table: the end of the command; else faults of the screen and of the
 * source; else why a screen without hardware counters was chosen, which is not a fault. Prints new
 * faults. */
int loop_update_note(struct loop *loop, struct err *err);
/* In batch mode with a filter: reports once that no task passes it, and keeps the reason in
 * loop->none_passed until one does. Ends the loop when the only task of -p has exited. */
int loop_check_filter(struct loop *loop, struct err *err);

#endif
