/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configuration - builds the list of screens from the configuration files and the command line.
 *
 * Faults of the configuration are printed with file and line when found. An obvious mistake (an
 * expression, format or number that cannot be parsed) ends the start; what only does not fit here
 * (an unknown name, a counter for another CPU) leaves out its column.
 */
#ifndef SESSION_CONFIGURATION_H
#define SESSION_CONFIGURATION_H

#include "session/setup.h"

/* Reads the configuration files, applies the command line, and builds the list of screens. -EINVAL,
 * -ERANGE: usage error. -EBADMSG: fault of the configuration, without a sentence if its only fault
 * has been printed. */
int setup_configuration(struct setup *s, const struct option_list *arguments, struct err *err);
/* Reads only the CPUs and events of the configuration files; ignores faults. */
void setup_tables(struct setup *s, const struct option_list *arguments);
/* Does the same and reports faults: -EBADMSG with the final sentence if a file cannot be read or
 * has mistakes. */
int setup_tables_report(struct setup *s, const struct option_list *arguments, struct err *err);

#endif
