/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_series - a part of a recording, selected by one word of a command line, and its frames as
 * series. The rows are those of "tiptop -b --replay", for replay_series_collect() with idle tasks;
 * display options of the configuration file are ignored.
 *
 *   selection_parse()
 *   replay_series_open()      then g->setup has the screen and the machine
 *   replay_series_collect()
 *   replay_series_close(), selection_done()
 */
#ifndef SESSION_REPLAY_SERIES_H
#define SESSION_REPLAY_SERIES_H

#include "base/err.h"
#include "compare/series.h"
#include "session/setup.h"

/* ---- selection ----
 *
 * A recording and a part of it, as one word of a command line:
 *
 *   FILE[,from=TIME][,to=TIME][,pid=PID|TEXT][,filter=FILTER]
 *
 * The parts have the meaning of the options with these names. A part begins with ',' and its name;
 * any other ',' belongs to the file name or the value. A word that begins with a part name uses the
 * file of the word before.
 */

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

/* ---- series ---- */

struct replay_series {
	struct setup setup;
	struct option_list *arguments;
};

/* The options that commands over recordings share. */
struct replay_choice {
	char *screen;    /* like -S; NULL: the screen of the recording */
	char *conf_path; /* like -W; NULL: the default files */
	/* The file that will be written, which must not be one that is read; NULL: standard
	 * output. */
	const char *output;
};

/* Opens a selection. before: a series opened earlier, whose screen is selected by its name, and
 * whose logged messages are not repeated; NULL: none. Returns 0, -EINVAL for a usage error, or
 * another -errno; call replay_series_close() in any case. */
int replay_series_open(struct replay_series *g, const struct selection *selection,
		       const struct replay_choice *choice, const struct replay_series *before,
		       struct err *err);
/* The option --step of commands that read a recording: REPLAY_STEP_AUTO, or seconds. */
#define REPLAY_STEP_AUTO (-1)
#define REPLAY_STEP_MAX  86400

/* Makes the series visit steps of step_s seconds (record_reader_set_step()); 0: each sample.
 * REPLAY_STEP_AUTO: visits each sample or, if the selection has more than 100,000 readings, steps
 * of whole minutes, about 200 or fewer unless they would be longer than a day; but each sample if
 * steps would have fewer than two. Sets *out_s to the length of steps, in s; 0: none. Call it
 * before replay_series_visit(). */
int replay_series_set_step(struct replay_series *g, long step_s, long *out_s, struct err *err);
const struct screen *replay_series_screen(const struct replay_series *g);
/* Adds all frames to the list, their rows grouped by the key, with values of this kind. note: a
 * remark on the recording; code 0: none. -ENODATA with a sentence: the selection has no rows. */
int replay_series_collect(struct replay_series *g, enum group_key key, enum values values,
			  struct series_list *list, struct err *note, struct err *err);
/* Callbacks for each step through the selection; rows are not grouped. */
struct replay_visitor {
	size_t past; /* bytes of history to keep, see pipeline_keep_past(); 0: none */
	void (*step)(void *context, struct pipeline *p);
	void (*end)(void *context, struct pipeline *p); /* called after the last step; NULL: none */
	void *context;
};

int replay_series_visit(struct replay_series *g, const struct replay_visitor *visit,
			struct err *note, struct err *err);
/* Checks that the rows of the recording are tasks. command: that describes only these, "what".
 * -ENODATA with a sentence: they are not. */
int replay_series_check_tasks(const struct replay_series *g, const char *command, struct err *err);
/* Sets the sentence why the selection has no rows, and returns -ENODATA. n_intervals: number of
 * intervals that it has. time, tasks: names of the options by which the user selects times and
 * tasks. */
int replay_series_explain_none(const struct replay_series *g, size_t n_intervals, const char *time,
			       const char *tasks, struct err *err);
void replay_series_close(struct replay_series *g);

#endif
