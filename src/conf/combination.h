/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * combination - refuses options of the command line that would have no effect beside the others.
 *
 * Only options of the command line are refused: a default of the configuration file that does not
 * apply is without effect. Preferences that an alias of the shell may have are accepted: those for
 * the live screen (--theme, --layout and others) in batch mode, and -d with --replay, whose head
 * has the recorded delay.
 */
#ifndef CONF_COMBINATION_H
#define CONF_COMBINATION_H

#include "base/err.h"
#include "conf/option.h"

/* Returns -EINVAL, with a sentence that names the option and the reason, if an option of *l has no
 * effect. o: the options after options_apply(). */
int combination_check(const struct option_list *l, const struct options *o, struct err *err);

#endif
