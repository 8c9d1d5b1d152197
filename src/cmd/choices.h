/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choices - lists the values that options accept, for the help of commands. The values come from
 * the tables that the parsers use.
 */
#ifndef CMD_CHOICES_H
#define CMD_CHOICES_H

#include "conf/option.h"

/* The values for the options of the monitor; those of --group are groups of tasks, regions, locks
 * or calls. */
extern const struct option_choices choices_monitor[], choices_regions[], choices_locks[],
	choices_calls[];
/* The values for the options of tiptop system. */
extern const struct option_choices choices_system[];
/* The values of --format, for commands without further lists: all (choices_rows), or all but CSV
 * (choices_report). */
extern const struct option_choices choices_rows[], choices_report[];

#endif
