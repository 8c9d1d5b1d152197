/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * errors - the panel that lists the faults so far, the newest last. Pure.
 */
#ifndef TUI_ERRORS_H
#define TUI_ERRORS_H

#include "base/log.h"
#include "tui/canvas.h"
#include "tui/ui_state.h"

/* Paints the panel over the whole canvas, and adapts the scrolling to the number of lines. */
void errors_paint(struct canvas *c, struct ui_state *ui, const struct log *log);
/* Appends the number of faults and the key of the panel, "3 errors: e", for the footer; "3+" if the
 * log has dropped faults; nothing if there was no fault. */
void errors_add_hint(struct strbuf *out, const struct log *log);

#endif
