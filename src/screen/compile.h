/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compile - compiles a declared screen: checks formats, compiles expressions and resolves their
 * names.
 */
#ifndef SCREEN_COMPILE_H
#define SCREEN_COMPILE_H

#include "base/err.h"
#include "screen/screen.h"

/*
 * Compiles all columns, each after the columns that it uses. A column with a fault (unknown name,
 * bad expression, bad format, a cycle of columns) is reported and dropped, and so are the columns
 * that use it; the others stay. A counter that no column uses is reported and not opened. Codes of
 * reports: ENOENT for unknown or unused names, EINVAL for invalid texts. Consequences of a fault
 * that was reported, or of screen.lost, are not reported. May be called once per screen; report
 * must not be NULL.
 *
 * Returns 0; -ENOENT if no column is left, or -ECANCELED if the reason for that was reported;
 * -EINVAL if the screen uses more than SAMPLE_MAX_EVENTS counters, or if its columns copy more than
 * SCREEN_TAKEN_MAX operations from each other.
 */
int screen_compile(struct screen *s, screen_report report, void *context, struct err *err);

#endif
