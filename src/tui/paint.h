/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paint - paints a frame onto a canvas. Pure.
 *
 *   tiptop - up 3 days, 4:05, load average: ...          [idle] [threads] root
 *   0[|||||||    34.1%] 1[||         4.0%] Mem[||||:::  5.1G/15.6G] Swp[      0/2.0G]
 *   Tasks:   81 total,   19 shown, every 2 s
 *    0 default  1 branch  2 imix  3 FP  4 mem  5 uOps  6 memory  7 stalls       >
 *   a note, if any
 *     PID [ %CPU] %SYS    P   Mcycle   Minstr   IPC  %MISS  %BMIS  %BUS COMMAND
 *     rows ...
 *   total   163.9   12.1        4520.1   5210.7  1.15   0.40   1.10   2.30  19 tasks
 *   h help  q quit  LEFT RIGHT screen  < > sort  ...   refresh 12  epoch 1795230289  3 errors: e
 *
 * On a low screen, the other parts are left out before the rows and their header. If the title is
 * left out, its flags and user move to the line of the tasks. Lines too long are cut. Columns keep
 * their places: a number too long for its column is shortened. An open panel (help, errors,
 * explanation) covers everything. A prompt, question or message covers the last line.
 */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include "tui/canvas.h"
#include "tui/ui_state.h"

/* Paints the whole canvas, and adapts the scrolling and the current row of ui to the frame. */
void paint_screen(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		  const struct live_info *info);

#endif
