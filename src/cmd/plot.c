/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop plot -o FILE RECORDING... */
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/replace.h"
#include "cmd/gnuplot.h"
#include "cmd/plot_sides.h"
#include "conf/option_rows.h"
#include "run/print_error.h"

#define ROWS     6
#define ROWS_MAX 100

_Static_assert(PLOT_TEXTS <= GNUPLOT_ARGUMENTS_MAX, "a plot has more texts than gnuplot takes");

struct plot_options {
	int task;
	struct gathering_choice choice;
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
	 .help = "so many tasks of each recording at most, those that used most CPU; 6 unless "
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
		       "plot: '%s' is no size (--size): it is WxH in pixels, each from %d to %d",
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
	return err_set(err, EINVAL, "plot: '%s' (-o) is no picture: it ends with .png or .svg",
		       output);
}

/* The name of the file without its folder, and without its ending. */
static char *short_name(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const char *dot = strrchr(name, '.');

	return dot && dot > name ? xstrndup(name, (size_t)(dot - name)) : xstrdup(name);
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
	for (size_t i = 0; i < s->n_words; i++) {
		label[i] = short_name(s->selection[i].file);
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
	int ret = parse_output(&request, o->output, err);

	if (!ret)
		ret = parse_size(&request, o->size, err);
	if (!ret)
		ret = plot_sides_parse(s, arguments, err);
	if (!ret)
		ret = plot_sides_open(s, &o->choice, err);
	if (!ret)
		ret = plot_sides_choose(s, o->columns, o->over, err);
	if (!ret)
		ret = plot_sides_gather(s, err);
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

	if (!ret)
		ret = plot(s, arguments, &o, &err);
	if (ret)
		status = say_fault(&err, say_is_usage(ret) ? EXIT_USAGE : EXIT_FAILED);
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
		"option of that name does; a further one without FILE is of the same file.\n",
	.options = &options,
	.run = run,
};
