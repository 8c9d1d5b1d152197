/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write_part - what the files of write have in common: parts of the state as trees.
 */
#ifndef CONF_WRITE_PART_H
#define CONF_WRITE_PART_H

#include "conf/node.h"
#include "conf/write.h"

/* Where nodes are added. */
struct write_place {
	struct arena *arena;
	struct node *parent;
};

/* Returns what to write for this row, freed by the caller; NULL: nothing. */
char *write_option_text(const struct option_row *row, const struct options *o,
			const struct options *defaults);
/* Adds <options>, with all options that are to be written. */
void write_options(const struct write_place *p, const struct options *o);
/* Adds the screens of the user's own file. */
void write_screens(const struct write_place *p, const struct screen_list *screens);

#endif
