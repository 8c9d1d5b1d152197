/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "conf/write.h"
#include "config.h"
#include "sink/record.h"

/* Names and values in turn. */
struct texts {
	char **v;
	size_t n, cap;
};

static void add_text(struct texts *texts, const char *text)
{
	texts->v = xgrow(texts->v, &texts->cap, texts->n + 1, sizeof(char *));
	texts->v[texts->n++] = xstrdup_or_null(text);
}

static void add_option(void *context, const char *name, const char *value)
{
	add_text(context, name);
	add_text(context, value);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return b && !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check_path(const struct setup *setup, const char *path, struct err *err)
{
	const struct {
		const char *path, *what;
	} others[] = {
		{setup->options.output, "output (-o)"},
		{setup->options.replay, "what is replayed (--replay)"},
		{setup->options.errors_path, "faults (-E)"},
		{setup->conf.path, "the configuration"},
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (same_file(path, others[i].path))
			return err_set(err, EINVAL,
				       "the recording (--record) and %s would overwrite each other "
				       "in '%s': name two files",
				       others[i].what, path);
	return 0;
}

static void screen_text(struct strbuf *out, const struct screen *screen)
{
	conf_format_screen(out, screen, NULL);
}

static int begin(struct sink *sink, const struct setup *setup, const char *path, struct err *err)
{
	struct texts options = {.n = 0};
	struct utsname system;
	struct record_about about = {.kernel = system.release, .version = PACKAGE_VERSION};
	int ret;

	uname(&system);
	conf_each_option(&setup->options, add_option, &options);
	add_text(&options, NULL);
	about.option = (const char *const *)options.v;
	ret = record_begin(sink, path, &about, screen_text, err);
	for (size_t i = 0; i < options.n; i++)
		free(options.v[i]);
	free(options.v);
	return ret;
}

int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err)
{
	const struct dest none = DEST_NONE;
	struct sink *sink;
	int ret = check_path(setup, path, err);

	if (!ret)
		ret = outputs_add(o, &sink, &sink_record, &none, err);
	if (ret)
		return ret;
	ret = begin(sink, setup, path, err);
	if (ret)
		outputs_end(o, sink, NULL);
	else if (record_note(sink))
		log_add(&setup->log, LOG_SCREEN, record_note(sink));
	return ret;
}
