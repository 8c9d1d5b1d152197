/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/faults.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Returns ret, but -EIO in place of -EPIPE: for the loop, -EPIPE means that the reader of the
 * output has exited, which is not an error. */
static int refuse(int ret, struct err *err)
{
	if (ret == -EPIPE)
		err->code = EIO;
	return ret ? -err->code : 0;
}

/* Checks, before anything is written, that the file of -E is neither the output nor the
 * configuration. */
static int check_error_file(const struct dest *dest, const struct configuration *config,
			    struct err *err)
{
	const struct options *o = &config->options;
	const char *output = o->output && strcmp(o->output, "-") ? o->output : "/dev/stdout";

	if (dest_is(dest, output))
		return err_set(err, EINVAL,
			       "output (-o) and faults (-E) would overwrite each other in '%s': "
			       "name two files",
			       dest->path);
	if (config->file.path && dest_is(dest, config->file.path))
		return err_set(
			err, EINVAL,
			"faults (-E) would overwrite the configuration '%s': name another file",
			dest->path);
	return 0;
}

int faults_open(struct faults *f, const struct configuration *config, struct err *err)
{
	const struct options *o = &config->options;
	int ret;

	*f = (struct faults){
		.dest = DEST_NONE, .silent = options_are_live(o), .printed = config->log.n};
	if (!o->errors_path)
		return 0;
	f->printed = 0;
	f->silent = false;
	ret = dest_check_input(o->errors_path, o->replay, err);
	if (!ret)
		ret = dest_open(&f->dest, o->errors_path, err);
	if (!ret)
		ret = check_error_file(&f->dest, config, err);
	if (!ret)
		ret = dest_begin(&f->dest, err);
	if (ret)
		dest_close(&f->dest, true, NULL);
	f->silent = ret != 0;
	return refuse(ret, err);
}

static void print_to_terminal(struct faults *f, const char *line)
{
	if (f->progress)
		progress_hide(f->progress);
	fputs(line, stderr);
}

int faults_say(struct faults *f, const char *sentence, struct err *err)
{
	struct strbuf line;
	int ret = 0;

	if (f->silent)
		return 0;
	strbuf_init(&line);
	strbuf_addf(&line, "tiptop: %s\n", sentence);
	if (f->dest.fd >= 0)
		ret = refuse(dest_write(&f->dest, line.text, line.len, err), err);
	else
		print_to_terminal(f, line.text);
	strbuf_done(&line);
	return ret;
}

int faults_print(struct faults *f, struct log *log, bool end, struct err *err)
{
	struct strbuf text;
	int ret = 0;

	strbuf_init(&text);
	for (size_t i = end ? 0 : f->printed; i < log->n && !ret; i++) {
		struct log_line *line = &log->line[i];

		if (i < f->printed && line->printed == log_count_news(log, i))
			continue;
		line->printed = log_count_news(log, i);
		strbuf_reset(&text);
		log_put_line(log, i, &text);
		ret = faults_say(f, text.text, err);
	}
	f->printed = log->n;
	for (int kind = 0; end && kind < N_LOG_KINDS && !ret; kind++) {
		strbuf_reset(&text);
		if (log_put_dropped(log, (enum log_kind)kind, &text))
			ret = faults_say(f, text.text, err);
	}
	strbuf_done(&text);
	return ret;
}

bool faults_have_said(const struct faults *f, const struct log *log, const char *sentence)
{
	for (size_t i = 0; !f->silent && f->dest.fd < 0 && i < f->printed; i++)
		if (!strcmp(log->line[i].text, sentence))
			return true;
	return false;
}

int faults_close(struct faults *f, struct err *err)
{
	return refuse(dest_close(&f->dest, false, err), err);
}
