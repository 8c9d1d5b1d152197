/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop plot -o FILE RECORDING... */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/destination.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "cmd/command.h"
#include "compare/comparison.h"
#include "compare/plot.h"
#include "compare/series.h"
#include "conf/option.h"
#include "run/command_output.h"
#include "run/helper.h"
#include "session/replay_series.h"

/* ---- gnuplot ----
 *
 * Runs gnuplot(1), which gets a script, data and arguments for the script, and returns a picture.
 * It runs without a shell, reads no configuration of the user, and leaves no files.
 */

#define GNUPLOT_ARGUMENTS_MAX 9

#define PROGRAM     "gnuplot"
#define PICTURE_MAX (256 << 20)
#define SAID_MAX    (1 << 20)

/* The files of gnuplot, all in memory, by their descriptors in gnuplot. */
enum { FILE_OUT = 1, FILE_SAID = 2, FILE_DATA = 3, FILE_SCRIPT = 4, N_FILES };

static int open_files(int file[N_FILES], const struct strbuf *script, const struct strbuf *data,
		      struct err *err)
{
	for (int i = 0; i < N_FILES; i++)
		file[i] = -1;
	for (int i = FILE_OUT; i < N_FILES; i++) {
		file[i] = helper_new_file(i == FILE_DATA     ? data
					  : i == FILE_SCRIPT ? script
							     : NULL,
					  err);
		if (file[i] < 0)
			return -err->code;
	}
	return 0;
}

static void close_files(int file[N_FILES])
{
	for (int i = 0; i < N_FILES; i++)
		if (file[i] >= 0)
			close(file[i]);
}

/* Sets err to the last line of gnuplot's messages, which is the reason; lines before it are
 * warnings, or show the place in the script. */
static int complain(int said_fd, struct err *err)
{
	struct strbuf said;
	char *line, *rest = NULL, *reason = NULL;

	strbuf_init(&said);
	helper_read_file(said_fd, SAID_MAX, &said);
	for (line = strtok_r(said.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (line[strspn(line, " \t")])
			reason = line + strspn(line, " \t");
	err_set(err, EIO, "gnuplot could not draw: %s", reason ? reason : "it does not say why");
	strbuf_done(&said);
	return -EIO;
}

static int run_gnuplot(const int file[N_FILES], char *const argv[], struct strbuf *picture,
		       struct err *err)
{
	int status, ret = helper_run(argv, file, N_FILES, NULL, "drawing the picture", &status);

	if (ret == -ENOENT)
		return err_set(
			err, ENOENT,
			"pictures are drawn by gnuplot, which is not installed: it is in the "
			"package gnuplot-nox (Debian, Ubuntu) or gnuplot (Fedora, Arch)");
	if (ret)
		return err_set(err, -ret, "cannot run gnuplot: %s", strerror(-ret));
	if (!status && lseek(file[FILE_OUT], 0, SEEK_END) > PICTURE_MAX)
		return err_set(
			err, EFBIG,
			"plot: the picture is larger than %d MiB: draw fewer tasks (--rows), "
			"or a part of the recording",
			PICTURE_MAX >> 20);
	if (status || helper_read_file(file[FILE_OUT], PICTURE_MAX, picture) <= 0)
		return complain(file[FILE_SAID], err);
	return 0;
}

/* Runs gnuplot; the script finds the data in /dev/fd/3, and the arguments as ARG1 and so on.
 * -ENOENT: gnuplot is not installed; -EIO: it failed. */
static int gnuplot_run(const struct strbuf *script, const struct strbuf *data,
		       const struct strbuf *argument, size_t n_arguments, struct strbuf *picture,
		       struct err *err)
{
	char *argv[4 + GNUPLOT_ARGUMENTS_MAX + 1] = {(char *)PROGRAM, (char *)"--default-settings",
						     (char *)"-c", (char *)"/dev/fd/4"};
	int file[N_FILES], ret;

	for (size_t i = 0; i < n_arguments && i < GNUPLOT_ARGUMENTS_MAX; i++)
		argv[4 + i] = argument[i].text;
	ret = open_files(file, script, data, err);
	if (!ret)
		ret = run_gnuplot(file, argv, picture, err);
	close_files(file);
	return ret;
}

/* ---- sides ----
 *
 * The input of a plot: parts of recordings, the columns to draw, and their series.
 *
 *   plot_sides_parse(); plot_sides_open(); plot_sides_choose(); plot_sides_collect();
 *   plot_sides_done() in any case
 *
 * Errors: -errno with a sentence; -EINVAL: a mistake of the user.
 */

#define PLOT_SIDES_MAX OPTION_WORDS_MAX

struct plot_sides {
	struct selection selection[PLOT_SIDES_MAX];
	struct replay_series replay[PLOT_SIDES_MAX];
	struct series_list list[PLOT_SIDES_MAX];
	const char *word[PLOT_SIDES_MAX]; /* as the user wrote them; borrowed */
	size_t n_words, n_open, n_lists;
	/* Indices in the screen of the first side: the columns of the panels; after them the column
	 * of the axis, unless the axis is time. */
	struct columns columns;
	const struct column *column[PLOT_PANELS_MAX + 1];
	size_t n_panels;
};

/* Parses the words of the command line. */
static int plot_sides_parse(struct plot_sides *s, const struct option_list *arguments,
			    struct err *err)
{
	const char *word;

	for (; s->n_words < PLOT_SIDES_MAX && (word = option_word(arguments, s->n_words));
	     s->n_words++) {
		s->word[s->n_words] = word;
		if (selection_parse(&s->selection[s->n_words], word,
				    s->n_words ? &s->selection[s->n_words - 1] : NULL, err))
			return err_prefix(err, "plot");
	}
	if (!s->n_words)
		return selection_explain_missing("plot", " -o PICTURE.svg", err);
	return 0;
}

static int plot_sides_open(struct plot_sides *s, const struct replay_choice *choice,
			   struct err *err)
{
	int ret = 0;

	while (s->n_open < s->n_words && !ret) {
		const size_t i = s->n_open++;

		ret = replay_series_open(&s->replay[i], &s->selection[i], choice,
					 i ? &s->replay[0] : NULL, err);
	}
	return ret;
}

/* Chooses the columns of the panels, and after them that of the axis. columns: as for
 * columns_find(); NULL: the first column of the screen. axis: a column that counts; NULL: time. */
static int plot_sides_choose(struct plot_sides *s, const char *columns, const char *axis,
			     struct err *err)
{
	const struct screen *screen = replay_series_screen(&s->replay[0]);
	struct columns over = {.n = 0};
	int ret = columns_find(&s->columns, columns, screen, err);

	if (!ret && !columns)
		s->columns.n = 1;
	if (!ret && s->columns.n > PLOT_PANELS_MAX)
		ret = err_set(err, EINVAL, "plot: a picture has %d panels at most (-c)",
			      PLOT_PANELS_MAX);
	if (!ret && axis)
		ret = columns_find(&over, axis, screen, err);
	if (!ret && over.n && (over.n > 1 || screen->column[over.v[0]].kind != COLUMN_COUNT))
		ret = err_set(err, EINVAL,
			      "plot: '%s' (--over) is not a column that counts, such as minstr of "
			      "the screen default",
			      axis);
	s->n_panels = s->columns.n;
	if (!ret && over.n) {
		s->columns.v = xgrow(s->columns.v, &s->columns.cap, s->columns.n + 1,
				     sizeof *s->columns.v);
		s->columns.v[s->columns.n++] = over.v[0];
	}
	for (size_t i = 0; i < s->columns.n && !ret; i++)
		s->column[i] = &screen->column[s->columns.v[i]];
	columns_done(&over);
	return ret;
}

static struct match_side match_side(const struct plot_sides *s, size_t i)
{
	return (struct match_side){s->selection[i].file, replay_series_screen(&s->replay[i]),
				   &s->replay[i].setup.display.origins};
}

/* Begins the list of series of side i; refuses columns whose meaning differs from that on the first
 * side. */
static int begin_list(struct plot_sides *s, size_t i, struct err *err)
{
	const struct match_side first = match_side(s, 0), other = match_side(s, i);
	size_t column[PLOT_PANELS_MAX + 1];

	for (size_t k = 0; k < s->columns.n; k++) {
		struct err why = ERR_INIT;

		if (match_find(&first, s->columns.v[k], &other, &column[k], &why))
			return err_set(err, EINVAL, "'%s' cannot be drawn together: %s",
				       s->column[k]->id, why.text);
	}
	series_list_init(&s->list[s->n_lists++], column, s->columns.n);
	return 0;
}

/* Collects the series of all sides; prints their notes. */
static int plot_sides_collect(struct plot_sides *s, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->n_words && !ret; i++) {
		struct err note = ERR_INIT;

		ret = begin_list(s, i, err);
		if (!ret)
			ret = replay_series_collect(&s->replay[i], GROUP_PROCESS, VALUES_RATE,
						    &s->list[i], &note, err);
		if (!ret && note.code)
			print_fault(&note, 0);
		series_list_rank(&s->list[i]);
	}
	return ret;
}

static void plot_sides_done(struct plot_sides *s)
{
	columns_done(&s->columns);
	for (size_t i = 0; i < PLOT_SIDES_MAX; i++) {
		if (i < s->n_lists)
			series_list_done(&s->list[i]);
		selection_done(&s->selection[i]);
	}
	while (s->n_open)
		replay_series_close(&s->replay[--s->n_open]);
}

/* ---- plot ---- */

#define ROWS     6
#define ROWS_MAX 100

_Static_assert(PLOT_TEXTS <= GNUPLOT_ARGUMENTS_MAX, "a plot has more texts than gnuplot takes");

struct plot_options {
	int task;
	struct replay_choice choice;
	char *columns, *over, *output, *size;
	long rows;
};

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	{.long_name = "output",
	 .short_name = 'o',
	 .arg = "file",
	 .what = "the picture",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct plot_options, output),
	 .help = "the picture to write: .png or .svg"},
	COMMAND_COLUMNS_ROW(
		struct plot_options, columns,
		"these columns, by their ids or headers, each in a panel: ipc,miss; unless given, "
		"the first one"),
	{.long_name = "over",
	 .arg = "time|id",
	 .what = "the axis",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct plot_options, over),
	 .none = "time",
	 .help = "over time, or over what a column has counted so far: minstr"},
	COMMAND_SCREEN_ROW(struct plot_options, choice.screen,
			   "the columns of this screen; unless given, that of the first recording"),
	{.long_name = "rows",
	 .arg = "number",
	 .what = "the number of tasks",
	 .kind = OPTION_LONG,
	 .offset = offsetof(struct plot_options, rows),
	 .min = 1,
	 .max = ROWS_MAX,
	 .help = "at most this many tasks of each recording, those with most CPU time; 6 unless "
		 "given"},
	{.long_name = "size",
	 .arg = "WxH",
	 .what = "the size of the picture",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct plot_options, size),
	 .help = "width and height in pixels"},
	COMMAND_CONFIG_ROW(struct plot_options, choice.conf_path,
			   "read the screens of this file, or of the .tiptoprc in this folder"),
};

static const struct option_set options = {
	.program = "tiptop plot",
	.no_table = "draws a picture",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct plot_options),
	.n_words = PLOT_SIDES_MAX,
};

#define PIXELS_MIN 200
#define PIXELS_MAX 10000

static int parse_size(struct plot_request *r, const char *size, struct err *err)
{
	int end = 0;

	if (!size)
		return 0;
	if (sscanf(size, "%5dx%5d%n", &r->width, &r->height, &end) == 2 && !size[end] &&
	    r->width >= PIXELS_MIN && r->width <= PIXELS_MAX && r->height >= PIXELS_MIN &&
	    r->height <= PIXELS_MAX)
		return 0;
	return err_set(err, EINVAL,
		       "plot: '%s' is not a size (--size): write WxH in pixels, each from %d to %d",
		       size, PIXELS_MIN, PIXELS_MAX);
}

static int parse_output(struct plot_request *r, const char *output, struct err *err)
{
	const char *ending = output ? strrchr(output, '.') : NULL;

	if (!output)
		return err_set(err, EINVAL, "plot: -o is missing: the picture to write");
	r->svg = ending && !strcmp(ending, ".svg");
	if (r->svg || (ending && !strcmp(ending, ".png")))
		return 0;
	return err_set(err, EINVAL,
		       "plot: '%s' (-o) is not a picture: its name must end with .png or .svg",
		       output);
}

/* Returns the name of the file without its folder and its suffix; the caller frees it. */
static char *short_name(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const char *dot = strrchr(name, '.');

	return dot && dot > name ? xstrndup(name, (size_t)(dot - name)) : xstrdup(name);
}

/* Makes the labels of the sides, owned by the caller: the short names of the files or, if two of
 * them have the same one, the words as the user wrote them. */
static void make_labels(const struct plot_sides *s, char *label[PLOT_SIDES_MAX])
{
	bool same = false;

	for (size_t i = 0; i < s->n_words; i++) {
		label[i] = short_name(s->selection[i].file);
		for (size_t k = 0; k < i; k++)
			same = same || !strcmp(label[i], label[k]);
	}
	for (size_t i = 0; i < s->n_words && same; i++) {
		free(label[i]);
		label[i] = xstrdup(s->word[i]);
	}
}

static int draw(struct plot_sides *s, struct plot_request *r, struct strbuf *picture,
		struct err *err)
{
	struct plot_side side[PLOT_SIDES_MAX];
	char *label[PLOT_SIDES_MAX] = {NULL};
	struct strbuf title;
	struct plot plot;
	int ret;

	strbuf_init(&title);
	make_labels(s, label);
	for (size_t i = 0; i < s->n_words; i++) {
		strbuf_addf(&title, "%s%s", i ? ", " : "", label[i]);
		if (s->n_words == 1) {
			strbuf_addstr(&title, " from ");
			clock_add_date(&title, s->list[i].span.begin_ns);
		}
		side[i] = (struct plot_side){&s->list[i], s->n_words > 1 ? label[i] : NULL};
	}
	r->side = side;
	r->n_sides = s->n_words;
	r->column = s->column;
	r->n_panels = s->n_panels;
	r->over = s->columns.n > s->n_panels ? s->column[s->n_panels] : NULL;
	r->title = title.text;
	plot_init(&plot);
	ret = plot_make(&plot, r, err);
	fputs(plot.notes.text, stderr);
	if (!ret)
		ret = gnuplot_run(&plot.script, &plot.data, plot.text, plot.n_texts, picture, err);
	plot_done(&plot);
	strbuf_done(&title);
	for (size_t i = 0; i < s->n_words; i++)
		free(label[i]);
	return ret;
}

static int plot(struct plot_sides *s, const struct option_list *arguments,
		const struct plot_options *o, struct err *err)
{
	struct plot_request request = {.rows = (size_t)o->rows};
	struct strbuf picture;
	int ret = plot_sides_parse(s, arguments, err);

	if (!ret)
		ret = parse_output(&request, o->output, err);
	if (!ret)
		ret = parse_size(&request, o->size, err);
	if (!ret)
		ret = plot_sides_open(s, &o->choice, err);
	if (!ret)
		ret = plot_sides_choose(s, o->columns, o->over, err);
	if (!ret)
		ret = plot_sides_collect(s, err);
	if (ret)
		return ret;
	strbuf_init(&picture);
	ret = draw(s, &request, &picture, err);
	if (!ret)
		ret = replace_file(o->output, &picture, true, err);
	strbuf_done(&picture);
	return ret;
}

static int run(const struct option_list *arguments)
{
	struct plot_options o = {.rows = ROWS};
	struct plot_sides *s = xcalloc(1, sizeof *s);
	struct err err = ERR_INIT;
	int ret = option_apply(arguments, &o, &err), status = 0;

	o.choice.output = o.output;
	if (!ret)
		ret = plot(s, arguments, &o, &err);
	if (ret)
		status = print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	plot_sides_done(s);
	free(s);
	option_clear(&options, &o);
	return status;
}

const struct command command_plot = {
	.name = "plot",
	.words = "recording...",
	.help = "draw columns of recordings over time, as a picture",
	.text = "Draws columns of tasks, over time or over what another column has counted, of\n"
		"one recording or of several together, and writes a picture; gnuplot draws it.\n"
		"A part of a recording is written as\n"
		"FILE[,from=TIME][,to=TIME][,pid=PID][,filter=FILTER], where each means what the\n"
		"option of that name does. A further one without FILE, such as from=14:10, is of\n"
		"the same file.\n",
	.example = "tiptop plot day.db -c cpu -o cpu.png",
	.options = &options,
	.run = run,
};
