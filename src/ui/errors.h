/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * errors - the window of the faults so far, the newest last. Pure.
 */
#ifndef UI_ERRORS_H
#define UI_ERRORS_H

#include "base/log.h"
#include "ui/canvas.h"
#include "ui/keys.h"

/* Covers the whole canvas; fits the scrolling to the number of lines. */
void errors_paint(struct canvas *c, struct scroll *scroll, const struct log *log);
/* "3 errors: e", what the foot says of them; nothing where there is none. */
void errors_add_hint(struct strbuf *out, const struct log *log);

#endif
