/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configuration - from the configuration file and the command line to the list of screens.
 *
 * Faults of the configuration are printed with file and line as they are found. A fault that the
 * writer surely did not mean (an expression, format or number that cannot be read) ends the start;
 * what only does not fit here (an unknown name, a counter for another CPU) leaves out its column.
 */
#ifndef SESSION_CONFIGURATION_H
#define SESSION_CONFIGURATION_H

#include "session/setup.h"

/* Reads the configuration file, puts the command line on top, and makes the list of screens.
 * -EINVAL and -ERANGE: a usage error. -EBADMSG: a fault of the configuration, without a sentence if
 * its only fault has been printed. */
int setup_configuration(struct setup *s, const struct option_list *arguments, struct err *err);
/* Only the CPUs and events of the files that it would read; what is wrong in them is passed over.
 */
void setup_tables(struct setup *s, const struct option_list *arguments);
/* The same, with what is wrong in them said: -EBADMSG, with the sentence for the end, where a file
 * cannot be read or has mistakes. */
int setup_tables_report(struct setup *s, const struct option_list *arguments, struct err *err);

#endif
