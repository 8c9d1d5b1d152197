/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of command: tiptop regions [PID]. */
#include "app/command.h"

#include "model/kinds.h"

const struct command command_regions = {
	.name = "regions",
	.words = "[pid|text]",
	.help = "show regions of code that programs measure",
	.text = "Shows a row for each region of code that a running program measures itself\n"
		"(tiptop(3)): of the process with this number, of those with this text in their\n"
		"names, or of all. A program does so where it is started with TIPTOP_REGIONS.\n",
	.options = &option_regions,
	.rows = "region",
};
