/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "compare/saved_word.h"
#include "report/read.h"

#define SIZE_MAX_REPORT ((size_t)256 << 20)
#define STATUS_SIGNAL   128

/* ---- lines ---- */

static struct value value_of(double number)
{
	return isnan(number) ? value_none(QUALITY_NOT_READ) : value_exact(number);
}

static enum unit unit_of(struct json_object *of)
{
	const char *name = report_line_text(of, "unit");
	const int unit = name ? unit_find(name) : UNIT_COUNT;

	return unit < 0 ? UNIT_COUNT : (enum unit)unit;
}

/* The largest status and signal of a process. */
#define STATUS_MAX 255
#define SIGNAL_MAX 127

/* A status that no process has is unknown. */
static struct run_end end_of(double status, double signal)
{
	const bool known = status >= 0 && status <= STATUS_MAX;

	return (struct run_end){.status = known ? (int)status : 0,
				.signal = signal > 0 && signal <= SIGNAL_MAX ? (int)signal : 0,
				.lost = !known};
}

/* A number of runs above this is none. */
#define N_RUNS_MAX 1e9

static long runs_of(double number)
{
	return number > 0 && number <= N_RUNS_MAX ? (long)number : 0;
}

/* Returns whether the measure is a time that the kernel may count in ticks. */
static bool is_coarse(const char *measure)
{
	return !strcmp(measure, "user") || !strcmp(measure, "system");
}

static void put(struct runs *r, const char *name, enum unit unit, double number)
{
	runs_put(r, name, unit, value_of(number))->coarse = is_coarse(name);
}

/* Adds the one run of a summary. */
static void add_run(struct runs *r, struct json_object *summary)
{
	static const char *const times[][2] = {
		{"wall_s", "wall"}, {"cpu_s", "CPU"}, {"user_s", "user"}, {"system_s", "system"}};
	const double status = report_line_number(summary, "status");
	struct json_object *events = report_line_group(summary, "events");
	const struct run_end end =
		end_of(status, status > STATUS_SIGNAL ? status - STATUS_SIGNAL : (double)NAN);
	const char *event;

	r->wanted++;
	runs_begin(r, &end);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		put(r, times[i][1], UNIT_S, report_line_number(summary, times[i][0]));
	for (size_t i = 0; (event = report_line_member(summary, "events", i)); i++) {
		struct json_object *one = report_line_group(events, event);

		put(r, event, unit_of(one), report_line_number(one, "value"));
	}
}

/* Adds the runs of a summary of several runs. */
static void add_runs(struct runs *r, struct json_object *runs)
{
	struct json_object *end, *measure;

	r->wanted += runs_of(report_line_number(runs, "wanted"));
	r->warmups += runs_of(report_line_number(runs, "warmups"));
	for (size_t i = 0; (end = report_line_item(runs, "ends", i)); i++) {
		const struct run_end how = end_of(report_line_number(end, "status"),
						  report_line_number(end, "signal"));

		runs_begin(r, &how);
		for (size_t k = 0; (measure = report_line_item(runs, "measures", k)); k++) {
			const char *name = report_line_text(measure, "name");

			if (name)
				put(r, name, unit_of(measure),
				    report_line_list_number(measure, "values", i));
		}
	}
}

static int take_line(void *context, int number, struct json_object *line, struct err *err)
{
	struct runs *r = context;
	struct json_object *runs = report_line_group(line, "runs");
	const char *type = report_line_text(line, "type");

	(void)number, (void)err;
	if (type && !strcmp(type, "summary") && runs)
		add_runs(r, runs);
	else if (type && !strcmp(type, "summary"))
		add_run(r, line);
	return 0;
}

/* ---- files ---- */

/* Sets *context (a bool) to whether the file has a summary; returns 1, as only the first file
 * matters. */
static int match(void *context, const char *path, struct err *err)
{
	struct strbuf text;
	bool *has = context;

	(void)err;
	strbuf_init(&text);
	if (file_read_all(AT_FDCWD, path, SIZE_MAX_REPORT, &text) > 0)
		*has = strstr(text.text, "\n{\"type\":\"summary\",") != NULL;
	strbuf_done(&text);
	return 1;
}

bool saved_command_match(const char *word)
{
	bool has = saved_word_begins(word, "summary");

	if (!has && saved_word_is_list(word) && saved_word_begins(word, "refresh"))
		saved_word_visit(word, match, &has, NULL);
	return has;
}

static int read_file(void *context, const char *path, struct err *err)
{
	struct runs *r = context;
	const size_t before = r->n;
	int ret = report_lines_visit(path, take_line, r, err);

	if (!ret && r->n == before)
		ret = err_set(
			err, ENODATA,
			"%s: it has no summary of a command: 'tiptop --format json -- COMMAND' "
			"writes one",
			path);
	return ret;
}

int saved_command_read(struct runs *r, const char *word, struct err *err)
{
	return saved_word_visit(word, read_file, r, err);
}
