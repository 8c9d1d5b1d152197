/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain - the panel that explains the sorting column: its formula, the events that were opened
 * for its counters on this machine, and the raw counts of one task. Pure.
 *
 *   -IPC of screen 0, default----------------------------------- < > move, x closes-
 *   instructions per cycle
 *     delta(instr) / delta(cycle)
 *
 *   1.87~: process 4711 simulate, the current row
 *     share 50 %: the counter had to share the PMU: extrapolated from its share of the time
 *
 *   instr (kernel perf event)
 *     event    instructions (PMU cpu, type 0, config 0x1, user mode)
 *     meaning  instructions retired
 *     value    11192 since it was opened
 *     time     4.000 s enabled, 2.000 s running (50 %)
 *     last     5596~ in the last interval (scaled, share 50 %)
 *     total    22384~ in all intervals
 *
 *   and so on, for each counter and variable of the formula.
 *
 * The task is that of cursor_subject(). In the lines "value" and "time" of a process, numbers are
 * sums over its threads as read from the kernel: not scaled, unlike those of "last" and "total".
 */
#ifndef TUI_EXPLAIN_H
#define TUI_EXPLAIN_H

#include "screen/binding.h"
#include "tui/canvas.h"
#include "tui/ui_state.h"
#include "view/frame.h"

/* Paints the panel over the whole canvas, and adapts the scrolling to the number of lines. row: the
 * row of the task; NULL: none. events: the events of the counters; NULL: not known. */
void explain_paint(struct canvas *c, struct ui_state *ui, const struct frame *frame,
		   const struct frame_row *row, const struct origins *events);

#endif
