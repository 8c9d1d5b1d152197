/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * look - what a piece of the screen means; a theme says how that looks (theme.h).
 *
 * An attribute is a look, and LOOK_STRONG where it has more weight.
 */
#ifndef THEME_LOOK_H
#define THEME_LOOK_H

enum look {
	LOOK_NORMAL,
	LOOK_FAINT,
	LOOK_ROUGH,
	LOOK_DEAD,
	LOOK_WATCHED,
	LOOK_HEADER,
	LOOK_NOTE,
	N_LOOKS
};

/* A bit that is or-ed to a look and gives it more weight. */
#define LOOK_STRONG   0x80
#define LOOK_OF(attr) ((attr)&0x7f)

struct look_row {
	char letter; /* its letter in dumps; upper case where it is strong */
	/* What it says of a task or number, for the help; NULL: nothing worth telling. */
	const char *help;
};

extern const struct look_row look_table[N_LOOKS];

#endif
