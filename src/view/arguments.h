/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments - the name of a task with what its command line says beside it, which is known already:
 * nothing is read for it. Pure.
 */
#ifndef VIEW_ARGUMENTS_H
#define VIEW_ARGUMENTS_H

#include "base/strbuf.h"
#include "view/frame.h"

/* Appends "simulate --steps 100" of the command line "/opt/sim/simulate --steps 100". Where its
 * first word is not the name, as of a script: "load.py: /usr/bin/python3 load.py". False, with
 * nothing appended: the row has none, has ended, which takes the room, or is a thread beside the
 * first one. */
bool arguments_add_command(struct strbuf *out, const struct frame_row *row);

#endif
