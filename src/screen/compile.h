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
 * Compiles all columns, each after those that it uses. A column with a fault (unknown name, bad
 * expression, bad format, a circle of columns) is reported and dropped, and so are the columns that
 * use it; the others stay. A counter that no column uses is reported (built-in screens have none)
 * and not opened. Codes of reports: ENOENT for unknown or unused names, EINVAL for invalid texts.
 * Consequences of a fault that was reported, or of screen.lost, are not reported. May be called
 * once per screen; report must not be NULL. Returns 0; -ENOENT if no column is left, or -ECANCELED
 * if the reason was reported; -EINVAL if it uses more than SAMPLE_MAX_EVENTS counters, or copies
 * more than SCREEN_TAKEN_MAX operations.
 */
int screen_compile(struct screen *s, screen_report report, void *context, struct err *err);

#endif
