/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choices - what the options of a command take, for its help: each from the table that reads them.
 */
#ifndef CMD_CHOICES_H
#define CMD_CHOICES_H

#include "conf/option.h"

/* The monitor's; the same with the groups of regions, of locks and of calls. */
extern const struct option_choices choices_monitor[], choices_regions[], choices_locks[],
	choices_calls[];
extern const struct option_choices choices_system[];
/* --format of what is written as text, CSV or JSON, and as text or JSON. */
extern const struct option_choices choices_rows[], choices_report[];

#endif
