/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines - the lines of an XML text, and what of them is blank. Pure.
 *
 * A line ends with LF, CR LF or CR, as the file has it. All places are offsets into the text.
 */
#ifndef CONF_LINES_H
#define CONF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_NOWHERE SIZE_MAX

struct lines {
	const char *text;
	size_t len;
};

/* Where the line of this place begins. */
size_t lines_start(const struct lines *l, size_t at);
/* Behind the line break that is here; at the end of the text there is none. */
size_t lines_pass_break(const struct lines *l, size_t at);
/* Behind the blanks that begin here, and where those begin that end here. */
size_t lines_pass_blanks(const struct lines *l, size_t at);
size_t lines_blanks_before(const struct lines *l, size_t at);
/* Whether only blanks are before the place in its line. */
bool lines_begins(const struct lines *l, size_t at);
/* Whether only blanks are from the place to the end of the line. */
bool lines_ends(const struct lines *l, size_t at);
/* Where the line ends, if only blanks and comments are from here to there; else LINES_NOWHERE. A
 * comment may go on for several lines. */
size_t lines_tail(const struct lines *l, size_t at);
/* The line break that the text has first, or else "\n". */
const char *lines_break(const struct lines *l);

#endif
