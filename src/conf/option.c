/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

#define FIELD(name)    .offset = offsetof(struct options, name)
#define LINE_WIDTH     80
#define HELP_COLUMN    30
#define LONG_CODE      256 /* getopt_long() gives LONG_CODE + row for a long name, the letter for a short one */
#define ITERATIONS_MAX 1000000000

const struct option_row option_table[] = {
	{.group = "How it runs",
	 .long_name = "batch",
	 .short_name = 'b',
	 .conf_name = "batch",
	 .kind = OPTION_FLAG,
	 FIELD(batch),
	 .help = "batch mode: write text, take no keys"},
	{.long_name = "output",
	 .short_name = 'o',
	 .arg = "file",
	 .what = "the output file",
	 .kind = OPTION_STRING,
	 FIELD(output),
	 .help = "write the text of batch mode to this file"},
	{.long_name = "delay",
	 .short_name = 'd',
	 .conf_name = "delay",
	 .arg = "seconds",
	 .what = "the delay",
	 .kind = OPTION_DOUBLE,
	 FIELD(delay_s),
	 .min = 0.01,
	 .max = 86400,
	 .help = "time between two refreshes; 2 unless given"},
	{.long_name = "iterations",
	 .short_name = 'n',
	 .conf_name = "max_iter",
	 .arg = "number",
	 .what = "the number of refreshes",
	 .kind = OPTION_LONG,
	 FIELD(iterations),
	 .max = ITERATIONS_MAX,
	 .help = "end after so many refreshes; 0, the default, stands for no end"},
	{.long_name = "kernel",
	 .short_name = 'K',
	 .conf_name = "show_kernel",
	 .kind = OPTION_TOGGLE,
	 FIELD(kernel),
	 .help = "count in the kernel, too"},

	{.group = "Which tasks",
	 .long_name = "pid",
	 .short_name = 'p',
	 .conf_name = "only_pid",
	 .arg = "pid|text",
	 .what = "the task",
	 .kind = OPTION_STRING,
	 FIELD(pid),
	 .none = "0",
	 .help = "only this process or thread, or those whose name (with -c: command line) contains the text"},
	{.conf_name = "only_name", .what = "the task", .kind = OPTION_STRING, FIELD(pid)},
	{.long_name = "user",
	 .short_name = 'u',
	 .conf_name = "only_uid",
	 .arg = "name|uid",
	 .what = "the user",
	 .kind = OPTION_STRING,
	 FIELD(user),
	 .none = "-1",
	 .help = "only tasks of this user"},
	{.long_name = "threads",
	 .short_name = 'H',
	 .conf_name = "show_threads",
	 .kind = OPTION_TOGGLE,
	 FIELD(threads),
	 .help = "one row for each thread instead of each process"},
	{.long_name = "idle",
	 .short_name = 'i',
	 .conf_name = "idle",
	 .kind = OPTION_TOGGLE,
	 FIELD(idle),
	 .help = "idle tasks, too"},
	{.long_name = "cpu-min",
	 .conf_name = "cpu_threshold",
	 .arg = "percent",
	 .what = "the threshold of idle tasks",
	 .kind = OPTION_DOUBLE,
	 FIELD(cpu_min),
	 .max = 100000,
	 .help = "a task below this %CPU counts as idle; 0.00001 unless given"},

	{.group = "What is shown of them",
	 .long_name = "screen",
	 .short_name = 'S',
	 .arg = "number|text",
	 .what = "the screen",
	 .kind = OPTION_STRING,
	 FIELD(screen),
	 .help = "start with this screen, or with the first whose name contains the text"},
	{.long_name = "show-user",
	 .short_name = 'U',
	 .conf_name = "show_user",
	 .kind = OPTION_TOGGLE,
	 FIELD(show_user),
	 .help = "the user of each task"},
	{.long_name = "command-line",
	 .short_name = 'c',
	 .conf_name = "show_cmdline",
	 .kind = OPTION_TOGGLE,
	 FIELD(show_cmdline),
	 .help = "the command line of each task instead of its name"},

	{.group = "Configuration",
	 .long_name = "config",
	 .short_name = 'W',
	 .arg = "path",
	 .what = "the configuration file",
	 .kind = OPTION_STRING,
	 FIELD(conf_path),
	 .help = "read this file, or the .tiptoprc in this folder"},
	{.long_name = "only-conf",
	 .kind = OPTION_FLAG,
	 FIELD(only_conf),
	 .help = "only the screens of the configuration file"},

	{.group = "Information",
	 .long_name = "help",
	 .short_name = 'h',
	 .kind = OPTION_TASK,
	 .number = TASK_HELP,
	 .help = "print this text and exit"},
	{.long_name = "list-screens",
	 .kind = OPTION_TASK,
	 .number = TASK_LIST_SCREENS,
	 .help = "print the number, name and description of each screen and exit"},
	{.long_name = "build-info",
	 .short_name = 'v',
	 .kind = OPTION_TASK,
	 .number = TASK_BUILD_INFO,
	 .help = "print what the program was built with and exit"},
	{.long_name = "version",
	 .kind = OPTION_TASK,
	 .number = TASK_VERSION,
	 .help = "print version and licence and exit"},
};

#define N_ROWS (sizeof option_table / sizeof *option_table)

const size_t option_table_n = N_ROWS;

struct option_list {
	struct {
		bool seen;
		const char *arg; /* the last one */
	} row[N_ROWS];
	int task;
	char **command;
};

void options_init(struct options *o)
{
	*o = (struct options){.task = TASK_MONITOR, .delay_s = 2.0, .cpu_min = 0.00001};
}

void options_done(struct options *o)
{
	free(o->output);
	free(o->pid);
	free(o->user);
	free(o->screen);
	free(o->conf_path);
	*o = (struct options){0};
}

static void *field_of(struct options *o, const struct option_row *row)
{
	return (char *)o + row->offset;
}

static int set_string(char **s, const struct option_row *row, const char *text, const char *typed, struct err *err)
{
	if (!text[0])
		return err_set(err, EINVAL, "%s (%s) must not be empty", row->what, typed);
	free(*s);
	*s = row->none && !strcmp(text, row->none) ? NULL : xstrdup(text);
	return 0;
}

/* Sets the field of an option that has a value. typed is the option as the user wrote it. */
static int set_value(struct options *o, const struct option_row *row, const char *text, const char *typed,
		     struct err *err)
{
	char what[128];

	snprintf(what, sizeof what, "%s (%s)", row->what, typed);
	switch (row->kind) {
	case OPTION_DOUBLE:
		return num_parse_double(text, what, row->min, row->max, field_of(o, row), err);
	case OPTION_LONG:
		return num_parse_int(text, what, (long)row->min, (long)row->max, field_of(o, row), err);
	default:
		return set_string(field_of(o, row), row, text, typed, err);
	}
}

int option_set_conf(struct options *o, const char *name, const char *value, struct err *err)
{
	const struct option_row *row = option_table;
	char typed[64];

	while (row < option_table + N_ROWS && (!row->conf_name || strcmp(row->conf_name, name)))
		row++;
	if (row == option_table + N_ROWS)
		return err_set(err, ENOENT, "unknown option '%s'", name);
	if (row->kind == OPTION_TOGGLE || row->kind == OPTION_FLAG) {
		if (strcmp(value, "0") && strcmp(value, "1"))
			return err_set(err, EINVAL, "the option '%s' must be 0 or 1, not '%s'", name, value);
		*(bool *)field_of(o, row) = value[0] == '1';
		return 0;
	}
	snprintf(typed, sizeof typed, "option '%s'", name);
	return set_value(o, row, value, typed, err);
}

/* A leading '-' makes getopt_long() give words that are no options in order, as code 1; ':' tells a missing argument
 * from an unknown option. */
static void build_getopt(char shorts[2 + 2 * N_ROWS + 1], struct option longs[N_ROWS + 1])
{
	struct option *next = longs;

	*shorts++ = '-';
	*shorts++ = ':';
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct option_row *row = &option_table[i];

		if (row->long_name)
			*next++ = (struct option){row->long_name, row->arg ? required_argument : no_argument, NULL,
						  LONG_CODE + (int)i};
		if (row->short_name)
			*shorts++ = row->short_name;
		if (row->short_name && row->arg)
			*shorts++ = ':';
	}
	*shorts = '\0';
	*next = (struct option){NULL, 0, NULL, 0};
}

static size_t row_of_code(int code)
{
	size_t i = 0;

	if (code >= LONG_CODE)
		return (size_t)(code - LONG_CODE);
	while (i < N_ROWS && option_table[i].short_name != code)
		i++;
	return i;
}

/* The option as it stands in the word: "--delay" of "--delay=1", "-d" of "-bd1". */
static void copy_typed(char *typed, size_t size, const char *word, char letter)
{
	if (!strncmp(word, "--", 2))
		snprintf(typed, size, "%.*s", (int)strcspn(word, "="), word);
	else
		snprintf(typed, size, "-%c", letter);
}

/* What getopt_long() does not know, or takes for the beginning of several names. */
static int scan_unknown_long(const char *typed, struct err *err)
{
	struct strbuf names;
	size_t n = 0;

	strbuf_init(&names);
	for (size_t i = 0; i < N_ROWS; i++) {
		const char *name = option_table[i].long_name;

		if (name && !strncmp(name, typed + 2, strlen(typed + 2)))
			strbuf_addf(&names, "%s--%s", n++ ? ", " : "", name);
	}
	if (n)
		err_set(err, EINVAL, "option '%s' is ambiguous: %s", typed, names.text);
	else
		err_set(err, EINVAL, "unknown option '%s': 'tiptop --help' lists all", typed);
	strbuf_done(&names);
	return -EINVAL;
}

static int scan_fault(int code, const char *word, struct err *err)
{
	char typed[64];

	if (code == 1)
		return err_set(err, EINVAL, "unexpected '%s': put '--' before a command", word);
	copy_typed(typed, sizeof typed, word, (char)optopt);
	if (code == ':')
		return err_set(err, EINVAL, "option %s needs an argument: %s", typed,
			       option_table[row_of_code(optopt)].arg);
	if (optopt >= LONG_CODE)
		return err_set(err, EINVAL, "option %s takes no argument", typed);
	if (!strncmp(word, "--", 2))
		return scan_unknown_long(typed, err);
	if (word[2])
		return err_set(err, EINVAL, "unknown option in '%s': 'tiptop --help' lists all", word);
	return err_set(err, EINVAL, "unknown option '%s': 'tiptop --help' lists all", word);
}

static int scan_option(struct option_list *l, struct options *scratch, int code, const char *word, struct err *err)
{
	size_t i = row_of_code(code);
	const struct option_row *row = &option_table[i];
	char typed[64];

	l->row[i].seen = true;
	if (row->kind == OPTION_TASK && l->task == TASK_MONITOR)
		l->task = row->number;
	if (!row->arg)
		return 0;
	l->row[i].arg = optarg;
	copy_typed(typed, sizeof typed, word, row->short_name);
	return set_value(scratch, row, optarg, typed, err);
}

static int scan_words(struct option_list *l, struct options *scratch, int argc, char **argv, struct err *err)
{
	char shorts[2 + 2 * N_ROWS + 1];
	struct option longs[N_ROWS + 1];
	int code, before, rc;

	build_getopt(shorts, longs);
	opterr = 0;
	optind = 0; /* GNU: start anew, also within a word */
	for (;;) {
		before = optind ? optind : 1;
		code = getopt_long(argc, argv, shorts, longs, NULL);
		if (code == -1)
			break;
		if (code == 1 || code == '?' || code == ':')
			return scan_fault(code, argv[before], err);
		rc = scan_option(l, scratch, code, argv[before], err);
		if (rc)
			return rc;
	}
	/* At the end, only a "--" moves optind. */
	if (optind <= before)
		return 0;
	if (optind == argc)
		return err_set(err, EINVAL, "there is no command behind '--'");
	l->command = argv + optind;
	return 0;
}

int option_scan(struct option_list **out, int argc, char **argv, struct err *err)
{
	struct option_list *l = xcalloc(1, sizeof *l);
	struct options scratch; /* values are tried out here: the real ones wait for the configuration file */
	int rc;

	*out = NULL;
	options_init(&scratch);
	rc = scan_words(l, &scratch, argc, argv, err);
	options_done(&scratch);
	if (rc)
		option_list_free(l);
	else
		*out = l;
	return rc;
}

void option_list_free(struct option_list *l)
{
	free(l);
}

const char *option_given(const struct option_list *l, const char *long_name)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (option_table[i].long_name && !strcmp(option_table[i].long_name, long_name))
			return l->row[i].arg;
	return NULL;
}

int option_task(const struct option_list *l)
{
	return l->task;
}

static int apply_row(const struct option_list *l, size_t i, struct options *o, struct err *err)
{
	const struct option_row *row = &option_table[i];
	bool *flag = field_of(o, row);

	if (row->arg)
		return set_value(o, row, l->row[i].arg, row->long_name, err);
	if (row->kind == OPTION_TOGGLE)
		*flag = !*flag;
	else if (row->kind == OPTION_FLAG)
		*flag = true;
	return 0;
}

int option_apply(const struct option_list *l, struct options *o, struct err *err)
{
	int rc;

	o->task = l->task;
	o->command = l->command;
	for (size_t i = 0; i < N_ROWS; i++) {
		rc = l->row[i].seen ? apply_row(l, i, o, err) : 0;
		if (rc)
			return rc;
	}
	if (o->task == TASK_MONITOR && o->output && !o->batch)
		return err_set(err, EINVAL, "the output file (-o) is for batch mode: add -b");
	return 0;
}

/* Adds text from HELP_COLUMN on, broken at blanks; the line so far is `column` wide. */
static void usage_wrap(struct strbuf *out, const char *text, size_t column)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		if (column > HELP_COLUMN && column + 1 + n > LINE_WIDTH) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		if (column > HELP_COLUMN) {
			strbuf_addch(out, ' ');
			column++;
		}
		for (; column < HELP_COLUMN; column++)
			strbuf_addch(out, ' ');
		strbuf_add(out, text, n);
		column += n;
		text += n + strspn(text + n, " ");
	}
	strbuf_addch(out, '\n');
}

static void usage_row(struct strbuf *out, const struct option_row *row)
{
	size_t start;
	char *help;

	if (row->group)
		strbuf_addf(out, "%s%s:\n", out->len ? "\n" : "", row->group);
	if (!row->long_name)
		return;
	start = out->len;
	if (row->short_name)
		strbuf_addf(out, "  -%c, ", row->short_name);
	else
		strbuf_addstr(out, "      ");
	strbuf_addf(out, "--%s", row->long_name);
	if (row->arg)
		strbuf_addf(out, " <%s>", row->arg);
	help = xasprintf("%s%s", row->help, row->kind == OPTION_TOGGLE ? " (toggle)" : "");
	usage_wrap(out, help, out->len - start);
	free(help);
}

void option_usage(struct strbuf *out)
{
	for (size_t i = 0; i < N_ROWS; i++)
		usage_row(out, &option_table[i]);
}
