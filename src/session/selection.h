/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * selection - a recording and a part of it, as one word of a command line:
 *
 *   FILE[,from=TIME][,to=TIME][,pid=PID|TEXT][,filter=FILTER]
 *
 * The parts have the meaning of the options with these names. A part begins with ',' and its name;
 * any other ',' belongs to the file name or the value. A word that begins with a part name uses the
 * file of the word before.
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

/* End of a sentence that says how to make a recording. */
#define SELECTION_HOW                                                                              \
	"'tiptop --record FILE' writes one until q is pressed, 'tiptop --record FILE -- COMMAND' " \
	"while a command runs"

struct selection_part_row {
	const char *name;
	const char *option; /* the option of the monitor */
};

extern const struct selection_part_row selection_part_table[N_SELECTION_PARTS];

struct selection {
	char *file;
	char *part[N_SELECTION_PARTS]; /* NULL: not given */
};

/* Parses a word. before: the selection whose file is used if the word names none; NULL: none.
 * -EINVAL with a sentence. The caller calls selection_done() in any case. */
int selection_parse(struct selection *out, const char *word, const struct selection *before,
		    struct err *err);
/* Replaces the parts that are given. part: NULL: not given. */
void selection_override(struct selection *s, char *const part[N_SELECTION_PARTS]);
void selection_done(struct selection *s);
/* Sets the sentence that a recording is missing, how to make one, and how the command reads it.
 * options: text after the file, "" for none. Returns -EINVAL. */
int selection_explain_missing(const char *command, const char *options, struct err *err);

#endif
