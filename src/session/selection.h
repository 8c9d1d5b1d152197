/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * selection - a recording and which part of it, as one word of a command line:
 *
 *   FILE[,from=TIME][,to=TIME][,pid=PID|TEXT][,filter=FILTER]
 *
 * The parts mean what the options of these names do. A part begins with ',' and its name; any other
 * ',' belongs to what it stands in. A word that begins with a part is of the same file as the one
 * before it.
 */
#ifndef SESSION_SELECTION_H
#define SESSION_SELECTION_H

#include "base/err.h"

enum selection_part {
	SELECTION_FROM,
	SELECTION_TO,
	SELECTION_PID,
	SELECTION_FILTER,
	N_SELECTION_PARTS
};

/* How a recording is made: the end of a sentence. */
#define SELECTION_HOW                                                                              \
	"'tiptop --record FILE' writes one until q is pressed, 'tiptop --record FILE -- COMMAND' " \
	"while a command runs"

struct selection_part_row {
	const char *name;
	const char *option; /* of the monitor */
};

extern const struct selection_part_row selection_part_table[N_SELECTION_PARTS];

struct selection {
	char *file;
	char *part[N_SELECTION_PARTS]; /* NULL: not given */
};

/* before: the one that a word without a file goes on with; NULL: there is none. -EINVAL with a
 * sentence. What was made is freed by selection_done() in any case. */
int selection_parse(struct selection *out, const char *word, const struct selection *before,
		    struct err *err);
void selection_done(struct selection *s);
/* Says that a command was given no recording, how one is made, and how the command then reads it:
 * options stand behind the file, "" for none. -EINVAL. */
int selection_explain_missing(const char *command, const char *options, struct err *err);

#endif
