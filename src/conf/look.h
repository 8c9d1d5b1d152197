/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * look - what a piece of the screen means; a theme says how that is shown (theme.h).
 *
 * An attribute is a look, and LOOK_STRONG where it has more weight.
 */
#ifndef CONF_LOOK_H
#define CONF_LOOK_H

enum look {
	LOOK_NORMAL,
	/* Tasks and their numbers. */
	LOOK_FAINT,
	LOOK_ROUGH,
	LOOK_DEAD,
	LOOK_WATCHED,
	LOOK_ANCESTOR,
	LOOK_TOTALS,
	LOOK_WARN,
	LOOK_CRIT,
	LOOK_HEAT_1, /* from the least to the most */
	LOOK_HEAT_2,
	LOOK_HEAT_3,
	LOOK_HEAT_4,
	LOOK_HEAT_5,
	/* What is laid over rows and texts. */
	LOOK_CURRENT,
	LOOK_FOLLOWED,
	LOOK_TAGGED,
	LOOK_MATCH,
	/* What stands around the table, and in panels. */
	LOOK_HEADER,
	LOOK_TAB,
	LOOK_TAB_CURRENT,
	LOOK_NOTE,
	LOOK_MESSAGE,
	LOOK_ERROR,
	LOOK_KEY,
	LOOK_LABEL,
	/* The parts of bars. */
	LOOK_BAR_FRAME,
	LOOK_BAR_EMPTY,
	LOOK_BAR_USER,
	LOOK_BAR_NICE,
	LOOK_BAR_SYSTEM,
	LOOK_BAR_IRQ,
	LOOK_BAR_STEAL,
	LOOK_BAR_WAIT,
	LOOK_BAR_USED,
	LOOK_BAR_BUFFERS,
	LOOK_BAR_CACHE,
	LOOK_BAR_SWAP,
	/* Graphs. */
	LOOK_CURVE_1,
	LOOK_CURVE_2,
	N_LOOKS
};

/* A bit that is or-ed to a look and gives it more weight. */
#define LOOK_STRONG   0x80
#define LOOK_OF(attr) ((attr)&0x7f)

struct look_row {
	char letter;      /* its letter in dumps; upper case where it is strong */
	const char *name; /* in themes */
	/* What it says of a task or number, for the help; NULL: nothing worth telling. */
	const char *help;
};

extern const struct look_row look_table[N_LOOKS];

#endif
