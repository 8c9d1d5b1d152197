/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop import FILE. */
#include "cmd/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "conf/option.h"
#include "conf/write.h"
#include "conf/xml.h"
#include "pmu/event/foreign_cpu.h"
#include "run/command_output.h"
#include "run/helper.h"
#include "screen/import/import.h"
#include "session/config_files.h"
#include "session/setup.h"
#include "session/setup_start.h"

struct import_options {
	int task;
	char *metrics, *for_cpu, *conf_path;
};

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	{.long_name = "metric",
	 .short_name = 'm',
	 .arg = "name",
	 .what = "the metric",
	 .kind = OPTION_LIST,
	 .offset = offsetof(struct import_options, metrics),
	 .help = "only this metric of the file, or several: a,b"},
	{.long_name = "for-cpu",
	 .arg = "name",
	 .what = "the CPU",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct import_options, for_cpu),
	 .help = "with the events of this CPU (zen4, 06_AD, 41_D40), not of this machine"},
	COMMAND_CONFIG_ROW(
		struct import_options, conf_path,
		"use the CPUs and events of this file, not those of the files that tiptop finds"),
};

static const struct option_set options = {
	.program = "tiptop import",
	.no_table = "prints a screen for a configuration file",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct import_options),
	.n_words = 1,
};

static void report(void *context, int line, const struct err *fault)
{
	struct import_request *request = context;

	progress_hide(request->progress);
	if (line)
		fprintf(stderr, "tiptop: %s:%d: %s\n", request->path, line, fault->text);
	else
		fprintf(stderr, "tiptop: %s: %s\n", request->path, fault->text);
}

static int read_whole(struct strbuf *text, const char *path, struct err *err)
{
	ssize_t n = file_read_all(AT_FDCWD, path, CONF_MAX_BYTES, text);

	if (n < 0)
		return err_set(err, (int)-n, "cannot read '%s': %s", path, strerror((int)-n));
	if (n >= CONF_MAX_BYTES)
		return err_set(err, EFBIG,
			       "'%s' has more than %d bytes: it cannot be a file of metrics", path,
			       CONF_MAX_BYTES);
	if (strlen(text->text) != (size_t)n)
		return err_set(err, EINVAL, "'%s' is not a text file: it has a byte 0", path);
	return 0;
}

static int translate(struct strbuf *out, const char *path, const struct import_options *o,
		     const struct machine *machine, struct err *err)
{
	struct progress progress;
	struct import_request request = {path, NULL, o->metrics, machine, &progress};
	struct import made;
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	ret = read_whole(&text, path, err);
	if (!ret) {
		request.text = text.text;
		progress_begin(&progress, progress_terminal(false),
			       &(struct progress_task){.what = "translating metrics"});
		ret = import_read(&made, &request, report, &request, err);
		progress_end(&progress);
		if (!ret)
			conf_format_screen(out, made.screen, made.notes.text);
		import_done(&made);
	}
	strbuf_done(&text);
	return ret;
}

/* Sets up the machine whose events are used, this one or that of --for-cpu, with the CPUs and
 * events of the user's files. */
static int find_machine(struct configuration *config, struct backend *backend,
			const struct option_list *arguments, const struct import_options *o,
			struct err *err)
{
	if (setup_tables(config, backend, arguments, err))
		return -err->code;
	if (o->for_cpu && machine_set_foreign(&backend->machine, o->for_cpu, err))
		return err_prefix(err, "--for-cpu");
	return 0;
}

static int run(const struct option_list *arguments)
{
	const char *path = option_word(arguments, 0);
	struct import_options o = {.task = 0};
	struct err err = ERR_INIT;
	struct setup setup;
	struct strbuf text;
	int status;

	if (!path) {
		err_set(&err, EINVAL, "import: a file is missing: 'tiptop help import' says which");
		return print_fault(&err, EXIT_USAGE);
	}
	if (option_apply(arguments, &o, &err)) {
		option_clear(&options, &o);
		return print_fault(&err, EXIT_USAGE);
	}
	setup_init(&setup);
	strbuf_init(&text);
	if (find_machine(&setup.config, &setup.backend, arguments, &o, &err) ||
	    translate(&text, path, &o, &setup.backend.machine, &err))
		status = print_fault(&err, err.code == EINVAL ? EXIT_USAGE : EXIT_FAILED);
	else
		status = print_text(&text, 0);
	strbuf_done(&text);
	setup_done(&setup);
	option_clear(&options, &o);
	return status;
}

const struct command command_import = {
	.name = "import",
	.words = "file",
	.help = "print metrics of likwid or perf as a screen",
	.text = "Prints a performance group of likwid, or a file of metrics in JSON as perf has\n"
		"them, as a configuration file with one screen. What has no counterpart is said.\n",
	.example = "tiptop import FLOPS_DP.txt >flops.xml",
	.options = &options,
	.run = run,
};
