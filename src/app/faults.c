/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/faults.h"

#include <errno.h>
#include <string.h>

static int refuse(const struct faults *f, struct err *err)
{
	/* Not as EPIPE, which stands for the reader of the output who has gone. */
	return err_set(err, errno == EPIPE ? EIO : errno, "cannot write '%s': %s", f->path, strerror(errno));
}

int faults_open(struct faults *f, const struct options *o, const struct log *log, struct err *err)
{
	*f = (struct faults){.file = o->batch ? stderr : NULL, .path = o->errors_path, .told = log->n};
	if (!f->path)
		return 0;
	f->file = fopen(f->path, "we");
	f->told = 0;
	return f->file ? 0 : refuse(f, err);
}

int faults_say(struct faults *f, const char *sentence, struct err *err)
{
	if (!f->file)
		return 0;
	fprintf(f->file, "tiptop: %s\n", sentence);
	return fflush(f->file) && f->path ? refuse(f, err) : 0;
}

int faults_print(struct faults *f, struct log *log, bool end, struct err *err)
{
	struct strbuf text;
	int ret = 0;

	strbuf_init(&text);
	for (size_t i = end ? 0 : f->told; i < log->n && !ret; i++) {
		struct log_line *line = &log->line[i];

		if (i < f->told && line->told == line->tasks.n)
			continue;
		line->told = line->tasks.n;
		strbuf_reset(&text);
		log_put_line(log, i, &text);
		ret = faults_say(f, text.text, err);
	}
	f->told = log->n;
	for (int kind = 0; end && kind < N_LOG_KINDS && !ret; kind++) {
		strbuf_reset(&text);
		if (log_put_dropped(log, (enum log_kind)kind, &text))
			ret = faults_say(f, text.text, err);
	}
	strbuf_done(&text);
	return ret;
}

int faults_close(struct faults *f, struct err *err)
{
	FILE *file = f->file;

	f->file = NULL;
	return f->path && file && fclose(file) ? refuse(f, err) : 0;
}
