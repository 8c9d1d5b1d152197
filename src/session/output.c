/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/mem.h"
#include "model/kinds.h"
#include "output/metrics.h"
#include "output/output.h"
#include "session/recording.h"
#include "tui/canvas.h"
#include "tui/live.h"

/* Returns whether the destination is the terminal of the live screen. */
static bool is_screen(const struct dest *dest)
{
	struct stat a, b;

	return !fstat(dest->fd, &a) && !fstat(STDOUT_FILENO, &b) && S_ISCHR(a.st_mode) &&
	       isatty(dest->fd) && a.st_rdev == b.st_rdev;
}

/* Checks, before anything is written, that the output is neither the configuration nor the terminal
 * of the live screen. */
static int check_output_file(const struct dest *dest, const struct setup *setup, struct err *err)
{
	if (setup->config.file.path && dest_is(dest, setup->config.file.path))
		return err_set(
			err, EINVAL,
			"output (-o) would overwrite the configuration '%s': name another file",
			dest->path);
	if (options_are_live(&setup->config.options) && is_screen(dest))
		return err_set(err, EINVAL,
			       "output (-o) would overwrite the live screen: name a file, or add "
			       "-b");
	return 0;
}

/* Finds the format of --format, or the default format. */
static int find_format(const struct sink_ops **out, const struct options *options, struct err *err)
{
	*out = options->lines ? &line_sink : sink_table[0];
	return options->format ? sink_find(out, options->format, err) : 0;
}

/* Finds the key of --metrics-by; default: program and user. */
static int metrics_key(const struct options *options, enum group_key *key, struct err *err)
{
	*key = GROUP_PROGRAM_USER;
	return options->metrics_by ? group_key_find(options->metrics_by, &kind_task, key, err) : 0;
}

/* Checks options that need --record. On the live screen, a key may begin a recording later. */
static int check_record(const struct options *o, struct err *err)
{
	const char *what = o->record_max       ? "--record-max"
			   : o->record_when    ? "--record-when"
			   : o->record_around  ? "--record-around"
			   : o->record_screens ? "--record-screens"
					       : NULL;

	if (!what || o->record || options_are_live(o))
		return 0;
	return err_set(err, EINVAL, "%s is of a recording: add --record", what);
}

int output_check(const struct options *options, struct err *err)
{
	const struct sink_ops *format;
	enum group_key key;
	int width, height, ret;

	if (check_record(options, err))
		return -EINVAL;
	if (options->metrics_source && (!options->metrics || !*options->metrics_source))
		return err_set(err, EINVAL,
			       options->metrics ? "--metrics-source: the name is empty"
						: "--metrics-source is of metrics: add --metrics");
	if (options->page && options->batch)
		return err_set(err, EINVAL, "--page is of the live screen: leave out -b");
	if (options->size && !options->screenshot)
		return err_set(err, EINVAL, "--size is that of a picture: add --screenshot");
	if (options->screenshot && !picture_find(options->screenshot, err))
		return -EINVAL;
	if (options->size && shot_parse_size(options->size, &width, &height, err))
		return -EINVAL;
	ret = find_format(&format, options, err);
	return ret ? ret : metrics_key(options, &key, err);
}

int output_check_fields(const struct setup *setup, struct err *err)
{
	const struct options *options = &setup->config.options;
	const struct sink_ops *format;
	int ret = find_format(&format, options, err);

	return ret ? ret
		   : fields_check(options->fields, format->lacks,
				  setup->config.screens.v[setup->display.view.screen],
				  &setup->display.view, err);
}

/* Checks for --append that the header in the file is the one of the lines to append. */
static int check_header(const struct sink *sink, const struct setup *setup, struct err *err)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	ret = sink->ops->header(sink, setup->config.screens.v[setup->display.view.screen],
				&setup->display.view, &text, err);
	if (!ret)
		ret = dest_check(&sink->dest, text.text, err);
	strbuf_done(&text);
	return ret;
}

static int open_file(struct dest *dest, const struct setup *setup, struct err *err)
{
	const char *name = setup->config.options.output;
	const char *path = name && strcmp(name, "-") ? name : NULL;
	int ret = dest_open_or_append(dest, path, setup->config.options.append, err);

	if (!ret && path)
		ret = check_output_file(dest, setup, err);
	if (ret)
		dest_close(dest, true, NULL);
	return ret;
}

/* Checks that no output is the recording that is replayed. */
static int check_inputs(const struct options *o, struct err *err)
{
	const char *const written[] = {o->output, o->metrics, o->screenshot};
	int ret = 0;

	for (size_t i = 0; i < sizeof written / sizeof *written && !ret; i++)
		ret = dest_check_input(written[i], o->replay, err);
	return ret;
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISFIFO(st.st_mode);
}

static int add_file(struct outputs *o, const struct setup *setup, struct err *err)
{
	const struct sink_ops *format;
	struct sink *sink;
	struct dest dest = DEST_NONE;
	int ret = find_format(&format, &setup->config.options, err);

	if (!ret)
		ret = open_file(&dest, setup, err);
	if (!ret)
		ret = outputs_add(o, &sink, format, &dest, err);
	if (ret)
		return ret;
	sink->ends_loop = setup->config.options.batch;
	sink->fields = setup->config.options.fields;
	sink->rows = (size_t)setup->config.options.rows;
	return setup->config.options.append ? check_header(sink, setup, err) : 0;
}

struct fact_set output_facts(const struct options *options)
{
	enum group_key key;

	return options->metrics && !metrics_key(options, &key, NULL) ? group_key_table[key].facts
								     : FACT_NONE;
}

static int add_metrics(struct outputs *o, struct setup *setup, struct err *err)
{
	const struct options *options = &setup->config.options;
	const struct dest dest = {.fd = -1, .path = options->metrics};
	const char *command = setup->config.command_name;
	struct metrics_choice choice = {.n = (size_t)options->rows,
					.source = options->metrics_source};
	/* "locks --live" becomes "locks". */
	char *view = command ? xstrndup(command, strcspn(command, " ")) : NULL;
	struct err note = ERR_INIT;
	struct sink *sink;
	int ret = metrics_key(options, &choice.key, err);

	choice.view = view;
	if (setup->config.screen_asked)
		choice.screen = setup->config.screens.v[setup->display.view.screen]->name;
	if (!ret)
		ret = outputs_add(o, &sink, &metrics_sink, &dest, err);
	if (!ret) {
		sink->ends_loop = options->batch;
		metrics_choose(sink, &choice);
		if (metrics_collide(sink, &note))
			log_add(&setup->config.log, LOG_SCREEN, note.text);
	}
	free(view);
	return ret;
}

/* Adds the output of --screenshot, which writes a new file and renames it, so that readers see a
 * complete picture. */
static int add_shot(struct outputs *o, const struct options *options, const struct live_info *info,
		    struct err *err)
{
	struct dest dest = DEST_NONE;
	struct sink *sink;
	int ret = dest_open_beside(&dest, options->screenshot, true, err);

	if (!ret)
		ret = outputs_add(o, &sink, &shot_sink, &dest, err);
	if (!ret) {
		sink->ends_loop = true;
		shot_set_info(sink, info, options->size);
	}
	return ret;
}

int output_open(struct outputs *o, struct sink **screen, struct setup *setup,
		const struct signals *signals, const struct live_info *info, struct err *err)
{
	const struct options *options = &setup->config.options;
	const struct dest none = DEST_NONE;
	const bool waits = is_fifo(options->output);
	int ret = 0;

	*screen = NULL;
	ret = check_inputs(options, err);
	if (ret)
		return ret;
	/* Files are opened before the live screen takes the terminal, on which errors are
	 * reported. */
	if (waits)
		signals_unblock(signals, true);
	if (options->batch || options->output)
		ret = add_file(o, setup, err);
	if (waits)
		signals_unblock(signals, false);
	if (!ret && options->metrics)
		ret = add_metrics(o, setup, err);
	if (!ret && options->record)
		ret = recording_add(o, setup, options->record, err);
	if (!ret && options->screenshot)
		ret = add_shot(o, options, info, err);
	if (!ret && options_are_live(options))
		ret = outputs_add(o, screen, &live_sink, &none, err);
	if (ret)
		outputs_close(o, true, NULL);
	else if (*screen)
		(*screen)->ends_loop = true;
	return ret;
}

int output_close(struct outputs *o, struct sink *screen, bool hurry, int ret, struct err *err)
{
	struct err own = ERR_INIT;
	int own_ret;

	if (screen && hurry)
		live_at_once(live_of(screen));
	if (hurry)
		outputs_hurry(o);
	own_ret = outputs_close(o, ret != 0, &own);
	/* After a signal, output that was not read in time is not an error. */
	if (ret || !own_ret || own_ret == -ECANCELED)
		return ret;
	*err = own;
	return own_ret;
}
