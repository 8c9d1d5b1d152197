/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choices - the values that options of a command accept, for its help: each from the table that the
 * parser uses.
 */
#ifndef CMD_CHOICES_H
#define CMD_CHOICES_H

#include "conf/option.h"

/* Those of the monitor; and with the groups of regions, of locks and of calls. */
extern const struct option_choices choices_monitor[], choices_regions[], choices_locks[],
	choices_calls[];
extern const struct option_choices choices_system[];
/* The values of --format: text, CSV or JSON; and text or JSON. */
extern const struct option_choices choices_rows[], choices_report[];

#endif
