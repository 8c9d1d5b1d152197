/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static int refuse(const struct faults *f, struct err *err)
{
	/* Not as EPIPE, which stands for the reader of the output who has gone. */
	return err_set(err, errno == EPIPE ? EIO : errno, "cannot write '%s': %s", f->path,
		       strerror(errno));
}

/* Nothing was written yet. */
static int check_file(int fd, const struct setup *setup, struct err *err)
{
	const struct options *o = &setup->options;
	const char *output = o->output && strcmp(o->output, "-") ? o->output : "/dev/stdout";

	if (file_is(fd, output))
		return err_set(err, EINVAL,
			       "output (-o) and faults (-E) would overwrite each other in '%s': "
			       "name two files",
			       o->errors_path);
	if (setup->conf_file && file_is(fd, setup->conf_file))
		return err_set(
			err, EINVAL,
			"faults (-E) would overwrite the configuration '%s': name another file",
			o->errors_path);
	return 0;
}

int faults_open(struct faults *f, const struct setup *setup, struct err *err)
{
	const struct options *o = &setup->options;
	struct stat st;
	bool made;
	int fd;

	*f = (struct faults){
		.file = o->batch ? stderr : NULL, .path = o->errors_path, .told = setup->log.n};
	if (!f->path)
		return 0;
	f->told = 0;
	made = lstat(f->path, &st) != 0;
	fd = open(f->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0 && check_file(fd, setup, err)) {
		close(fd);
		if (made)
			unlink(f->path);
		f->file = NULL;
		return -err->code;
	}
	/* What is no regular file has nothing to be cut off. */
	if (fd >= 0 && ftruncate(fd, 0) && errno != EINVAL) {
		close(fd);
		fd = -1;
	}
	f->file = fd < 0 ? NULL : fdopen(fd, "w");
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
