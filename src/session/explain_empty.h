/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain_empty - why no task passes the filters of -p and -u: for batch mode, where nobody looks
 * at an empty screen.
 */
#ifndef SESSION_EXPLAIN_EMPTY_H
#define SESSION_EXPLAIN_EMPTY_H

#include "base/err.h"
#include "view/view.h"

/* Makes the sentence. -ESRCH: the task with that number cannot come any more, as it has ended or is
 * somebody else's. -ENOENT: no task of that name or user is there now. 0: no reason is known. */
int nobody_explain(const struct view *view, struct err *err);

#endif
