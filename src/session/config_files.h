/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config_files - builds the list of screens from the configuration files and the command line.
 *
 * Faults of the configuration are printed with file and line when found. An obvious mistake (an
 * expression, format or number that cannot be parsed) ends tiptop. A name that this version or
 * machine does not have (an unknown event, a counter for another CPU) only leaves out its column.
 */
#ifndef SESSION_CONFIG_FILES_H
#define SESSION_CONFIG_FILES_H

#include "session/setup.h"

/* Reads the configuration files, applies the command line, and builds the list of screens. -EINVAL,
 * -ERANGE: usage error. -EBADMSG: fault of the configuration; err has no sentence if the only fault
 * has been printed already. */
int setup_configuration(struct setup *s, const struct option_list *arguments, struct err *err);
/* Reads only the CPUs and events of the configuration files, and identifies the machine; ignores
 * their faults. -errno with a sentence: the file of -W cannot be opened. */
int setup_tables(struct configuration *config, struct backend *backend,
		 const struct option_list *arguments, struct err *err);
/* Reads the configuration files completely, identifies the machine, and prints faults. Returns
 * -EBADMSG, with the final sentence to print in err, if a file cannot be read or has mistakes. */
int setup_tables_report(struct setup *s, const struct option_list *arguments, struct err *err);

#endif
