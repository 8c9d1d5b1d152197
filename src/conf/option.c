/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/option.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/suggestion.h"

/* getopt_long() returns OPTION_LONG_CODE + row for a long name, and the letter for a short name. */
#define OPTION_LONG_CODE 256

/* ---- fault ----
 * Messages about a wrong word of a command line. */

/* Returns the row for a code of getopt_long(); set->n_rows: none. */
static size_t option_row_of_code(const struct option_set *set, int code)
{
	size_t i = 0;

	if (code >= OPTION_LONG_CODE)
		return (size_t)(code - OPTION_LONG_CODE);
	while (i < set->n_rows && set->row[i].short_name != code)
		i++;
	return i;
}

/* Sets `typed` to the option as written: "--delay" of "--delay=1", "-d" of "-bd1". */
static void option_copy_typed(char *typed, size_t size, const char *word, char letter)
{
	if (!strncmp(word, "--", 2))
		snprintf(typed, size, "%.*s", (int)strcspn(word, "="), word);
	else
		snprintf(typed, size, "-%c", letter);
}

/* Returns whether the option concerns tables: which rows and fields, in which format, to which
 * file. */
static bool is_table_option(const char *typed)
{
	static const char *const names[] = {"--append", "--fields", "--format", "--heat",
					    "--output", "--rows",   "--sort",   "-o"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(typed, names[i]))
			return true;
	return false;
}

static int refuse_table_option(const struct option_set *set, const char *typed, struct err *err)
{
	return err_set(err, EINVAL, "'%s' is an option of tables: %s %s", typed, set->program,
		       set->no_table);
}

/* Sets the error for a long option that is unknown or ambiguous. Returns -EINVAL. */
static int scan_unknown_long(const struct option_set *set, const char *typed, struct err *err)
{
	struct suggestion near;
	struct strbuf names;
	size_t n = 0;

	strbuf_init(&names);
	suggestion_begin(&near, typed + 2);
	for (size_t i = 0; i < set->n_rows; i++) {
		const char *name = set->row[i].long_name;

		if (name)
			suggestion_offer(&near, name);
		if (name && !strncmp(name, typed + 2, strlen(typed + 2)))
			strbuf_addf(&names, "%s--%s", n++ ? ", " : "", name);
	}
	if (n)
		err_set(err, EINVAL, "option '%s' is ambiguous: %s", typed, names.text);
	else
		err_set(err, EINVAL, "unknown option '%s'%s: see '%s --help'", typed,
			suggestion_prefixed(&near, "--"), set->program);
	strbuf_done(&names);
	return -EINVAL;
}

/* Sets the error for the code that getopt_long() returned. Returns -EINVAL. */
static int option_scan_fault(const struct option_set *set, int code, const char *word,
			     struct err *err)
{
	char typed[64];

	if (code == 1)
		return err_set(err, EINVAL,
			       set->takes_command ? "unexpected '%s': put '--' before a command"
						  : "unexpected '%s'",
			       word);
	option_copy_typed(typed, sizeof typed, word, (char)optopt);
	if (code == ':')
		return err_set(err, EINVAL, "option %s needs an argument: %s", typed,
			       set->row[option_row_of_code(set, optopt)].arg);
	if (optopt >= OPTION_LONG_CODE)
		return err_set(err, EINVAL, "option %s takes no argument", typed);
	if (set->no_table && is_table_option(typed))
		return refuse_table_option(set, typed, err);
	if (!strncmp(word, "--", 2))
		return scan_unknown_long(set, typed, err);
	if (word[2])
		return err_set(err, EINVAL, "unknown option in '%s': see '%s --help'", word,
			       set->program);
	return err_set(err, EINVAL, "unknown option '%s': see '%s --help'", word, set->program);
}

/* ---- keys ----
 * Data of the configuration file that is not in option_table: keys, and the places of options. */

void options_add_key(struct options *o, const char *set, const char *key, const char *action,
		     int line)
{
	o->keys = xgrow(o->keys, &o->cap_keys, o->n_keys + 1, sizeof *o->keys);
	o->keys[o->n_keys++] = (struct key_choice){xstrdup_or_null(set), xstrdup_or_null(key),
						   xstrdup_or_null(action), line};
}

static void options_free_keys(struct options *o)
{
	for (size_t i = 0; i < o->n_keys; i++) {
		free(o->keys[i].set);
		free(o->keys[i].key);
		free(o->keys[i].action);
	}
	free(o->keys);
}

void options_add_place(struct options *o, const char *conf_name, int element, int line)
{
	o->places = xgrow(o->places, &o->cap_places, o->n_places + 1, sizeof *o->places);
	o->places[o->n_places++] =
		(struct option_place){option_find_conf(conf_name), element, line};
}

/* Returns the place that has set the option last; NULL: none, or the command line has set it. */
static const struct option_place *find_place(const struct options *o, const char *conf_name)
{
	const size_t row = option_find_conf(conf_name);

	for (size_t i = o->n_places; i-- > 0;)
		if (o->places[i].row == row)
			return o->given[row] ? NULL : &o->places[i];
	return NULL;
}

bool options_are_from_file(const struct options *o, const char *conf_name)
{
	return find_place(o, conf_name);
}

int options_line(const struct options *o, const char *conf_name)
{
	const struct option_place *place = find_place(o, conf_name);

	return place ? place->line : 0;
}

/* ---- usage ----
 * The list of options for --help. */

#define LINE_WIDTH  80
#define HELP_COLUMN 30

/* Appends text in the columns from HELP_COLUMN to LINE_WIDTH, with line breaks at blanks. column:
 * the length of the current line so far. */
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

/* Appends " (text, csv, json)" if the option has a list of allowed words. */
static void add_choices(struct strbuf *out, const struct option_row *row,
			const struct option_choices *choices)
{
	const char *name;

	while (choices && choices->option && strcmp(choices->option, row->long_name) != 0)
		choices++;
	if (!choices || !choices->option)
		return;
	for (size_t i = 0; (name = choices->at(i)); i++)
		strbuf_addf(out, "%s%s", i ? ", " : " (", name);
	strbuf_addch(out, ')');
}

static void usage_row(struct strbuf *out, const struct option_row *row,
		      const struct option_choices *choices)
{
	const size_t start = out->len;
	struct strbuf help;

	if (!row->long_name)
		return;
	if (row->short_name)
		strbuf_addf(out, "  -%c, ", row->short_name);
	else
		strbuf_addstr(out, "      ");
	strbuf_addf(out, "--%s", row->long_name);
	if (row->arg)
		strbuf_addf(out, row->kind == OPTION_TASK ? " [%s]" : " <%s>", row->arg);
	strbuf_init(&help);
	strbuf_addf(&help, "%s%s", row->help, row->kind == OPTION_TOGGLE ? " (toggle)" : "");
	add_choices(&help, row, choices);
	usage_wrap(out, help.text, out->len - start);
	strbuf_done(&help);
}

void option_usage(const struct option_set *set, const struct option_choices *choices,
		  struct strbuf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < set->n_rows; i++) {
		if (set->row[i].group)
			strbuf_addf(out, "%s%s:\n", out->len > start ? "\n" : "",
				    set->row[i].group);
		usage_row(out, &set->row[i], choices);
	}
}

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

void option_usage_some(const struct option_set *set, const struct option_choices *choices,
		       const char *const *names, struct strbuf *out)
{
	for (size_t i = 0; i < set->n_rows; i++)
		if (set->row[i].long_name && is_among(set->row[i].long_name, names))
			usage_row(out, &set->row[i], choices);
}

/* ---- option ---- */

#define SHORTS_MAX     (2 + 2 * OPTION_ROWS_MAX + 1)
#define LONGS_MAX      (OPTION_ROWS_MAX + OPTION_BEGINNINGS_MAX + 1)
#define PATTERN_NAME   "ptiptop" /* called by this name, the first word is the argument of -p */
#define PATTERN_OPTION 'p'

struct option_list {
	const struct option_set *set;
	struct {
		bool seen;
		char *arg; /* the last argument; for a list, all of them joined */
	} row[OPTION_ROWS_MAX];
	int task;
	bool pattern_next; /* the next word that is not an option is the argument of -p */
	const char *word[OPTION_WORDS_MAX];
	size_t n_words;
	char **command;
};

/* Returns the field of a row in *values; NULL: values is NULL. */
static void *field_of(void *values, const struct option_row *row)
{
	return values ? (char *)values + row->offset : NULL;
}

/* Returns whether the row has a string field: for OPTION_TASK, the field of its argument. */
static bool is_string(const struct option_row *row)
{
	return row->kind == OPTION_STRING || row->kind == OPTION_LIST ||
	       (row->kind == OPTION_TASK && row->what);
}

/* Returns whether the row's argument can only be the word row->arg, for which there is no field. */
static bool is_word(const struct option_row *row)
{
	return row->kind == OPTION_TASK && row->arg && !row->what;
}

void option_clear(const struct option_set *set, void *values)
{
	for (size_t i = 0; i < set->n_rows; i++) {
		char **text = field_of(values, &set->row[i]);

		if (!is_string(&set->row[i]))
			continue;
		free(*text);
		*text = NULL;
	}
}

void options_init(struct options *o)
{
	*o = (struct options){.task = TASK_MONITOR, .delay_s = 2.0, .cpu_min = 0.00001};
}

void options_done(struct options *o)
{
	option_clear(&option_monitor, o);
	options_free_keys(o);
	free(o->places);
	/* Strings that options of "tiptop system" set: option_monitor has no rows for them. */
	free(o->cgroup);
	free(o->cpus);
	free(o->spread);
	*o = (struct options){0};
}

bool options_are_live(const struct options *o)
{
	return !o->batch && !o->screenshot;
}

static int set_string(char **s, const struct option_row *row, const char *text, const char *typed,
		      struct err *err)
{
	bool none = !text[0] || (row->none && !strcmp(text, row->none));

	if (!text[0] && !row->may_be_empty)
		return err_set(err, EINVAL, "%s (%s) must not be empty", row->what, typed);
	if (row->is_file && !strcmp(text, "-"))
		return err_set(err, EINVAL, "%s (%s) must be the name of a file, not '-'",
			       row->what, typed);
	free(*s);
	*s = none ? NULL : xstrdup(text);
	return 0;
}

/* Sets the field of an option with a value. typed: the option as the user wrote it. */
static int set_value(void *values, const struct option_row *row, const char *text,
		     const char *typed, struct err *err)
{
	char what[128];

	snprintf(what, sizeof what, "%s (%s)", row->what, typed);
	switch (row->kind) {
	case OPTION_DOUBLE:
		return num_parse_double(text, what, row->min, row->max, field_of(values, row), err);
	case OPTION_LONG:
		return num_parse_int(text, what, (long)row->min, (long)row->max,
				     field_of(values, row), err);
	default:
		return set_string(field_of(values, row), row, text, typed, err);
	}
}

size_t option_find_conf(const char *name)
{
	size_t i = 0;

	while (i < option_table_n &&
	       (!option_table[i].conf_name || strcmp(option_table[i].conf_name, name) != 0))
		i++;
	return i;
}

static int refuse_conf_name(const char *name, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (size_t i = 0; i < option_table_n; i++)
		if (option_table[i].conf_name)
			suggestion_offer(&near, option_table[i].conf_name);
	return err_set(err, ENOENT, "unknown option '%s'%s", name, suggestion_text(&near));
}

int option_set_conf(struct options *o, const char *name, const char *value, struct err *err)
{
	const struct option_row *row = &option_table[option_find_conf(name)];
	char typed[64];

	if (row == option_table + option_table_n)
		return refuse_conf_name(name, err);
	if (row->kind == OPTION_IGNORED)
		return 0;
	if (row->kind == OPTION_TOGGLE || row->kind == OPTION_FLAG) {
		if (strcmp(value, "0") && strcmp(value, "1"))
			return err_set(err, EINVAL, "the option '%s' must be 0 or 1, not '%s'",
				       name, value);
		*(bool *)field_of(o, row) = value[0] == '1';
		return 0;
	}
	snprintf(typed, sizeof typed, "option '%s'", name);
	return set_value(o, row, value, typed, err);
}

static int argument_of(const struct option_row *row)
{
	if (!row->arg)
		return no_argument;
	return row->kind == OPTION_TASK ? optional_argument : required_argument;
}

/* Builds the tables for getopt_long(). A leading '-' makes it return words that are not options,
 * too, with the code 1. The ':' after it makes getopt_long() return ':' for a missing argument, and
 * '?' for other faults. */
static void build_getopt(const struct option_set *set, char shorts[SHORTS_MAX],
			 struct option longs[LONGS_MAX])
{
	struct option *next = longs;

	*shorts++ = '-';
	*shorts++ = ':';
	for (size_t i = 0; i < set->n_rows; i++) {
		const struct option_row *row = &set->row[i];

		if (row->long_name)
			*next++ = (struct option){row->long_name, argument_of(row), NULL,
						  OPTION_LONG_CODE + (int)i};
		if (row->short_name)
			*shorts++ = row->short_name;
		if (row->short_name && argument_of(row) == required_argument)
			*shorts++ = ':';
		for (size_t k = 0; row->long_name && k < set->n_beginnings; k++)
			if (!strcmp(set->beginning[k].long_name, row->long_name))
				*next++ = (struct option){set->beginning[k].beginning,
							  argument_of(row), NULL,
							  OPTION_LONG_CODE + (int)i};
	}
	*shorts = '\0';
	*next = (struct option){NULL, 0, NULL, 0};
}

static void store_argument(char **arg, const struct option_row *row, const char *text)
{
	const char *between = row->between ? row->between : ",";
	char *all = row->kind == OPTION_LIST && *arg ? xasprintf("%s%s%s", *arg, between, text)
						     : xstrdup(text);

	free(*arg);
	*arg = all;
}

static int scan_option(struct option_list *l, void *scratch, int code, const char *word,
		       struct err *err)
{
	size_t i = option_row_of_code(l->set, code);
	const struct option_row *row = &l->set->row[i];
	char typed[64];

	l->row[i].seen = true;
	if (row->kind == OPTION_TASK && !l->task)
		l->task = row->number;
	if (!row->arg || !optarg)
		return 0;
	store_argument(&l->row[i].arg, row, optarg);
	option_copy_typed(typed, sizeof typed, word, row->short_name);
	if (is_word(row))
		return strcmp(optarg, row->arg) ? err_set(err, EINVAL,
							  "option %s takes '%s' or nothing, not "
							  "'%s'",
							  typed, row->arg, optarg)
						: 0;
	return set_value(scratch, row, optarg, typed, err);
}

/* If an option with an optional argument has none, sets optarg to the next word unless that is an
 * option: getopt_long() only accepts "--OPTION=ARG". */
static void take_optional(const struct option_set *set, int code, int argc, char **argv)
{
	const struct option_row *row = &set->row[option_row_of_code(set, code)];

	if (argument_of(row) == optional_argument && !optarg && optind < argc &&
	    argv[optind][0] != '-')
		optarg = argv[optind++];
}

static int scan_words(struct option_list *l, void *scratch, int argc, char **argv, struct err *err)
{
	char shorts[SHORTS_MAX];
	struct option longs[LONGS_MAX];
	int code, before, rc;

	build_getopt(l->set, shorts, longs);
	opterr = 0;
	optind = 0; /* a GNU extension: restarts getopt_long(), even if it stopped inside a word */
	for (;;) {
		before = optind ? optind : 1;
		code = getopt_long(argc, argv, shorts, longs, NULL);
		if (code == -1)
			break;
		if (code == 1 && l->pattern_next) {
			code = PATTERN_OPTION;
			l->pattern_next = false;
		}
		if (code == 1 && l->n_words < l->set->n_words) {
			l->word[l->n_words++] = optarg;
			continue;
		}
		/* The "--" before a command is no argument: the option has none. */
		if (code != 1 && code != '?' && optarg == argv[optind - 1] &&
		    !strcmp(optarg, "--")) {
			optopt = code;
			code = ':';
		}
		if (code == 1 || code == '?' || code == ':')
			return option_scan_fault(l->set, code, argv[before], err);
		take_optional(l->set, code, argc, argv);
		rc = scan_option(l, scratch, code, argv[before], err);
		if (rc)
			return rc;
	}
	/* When getopt_long() returns -1, it has moved optind only if there was a "--". */
	if (optind <= before)
		return 0;
	if (!l->set->takes_command)
		return err_set(err, EINVAL, "unexpected '--'");
	if (optind == argc)
		return err_set(err, EINVAL, "there is no command after '--'");
	l->command = argv + optind;
	return 0;
}

bool option_is_pattern_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, PATTERN_NAME);
}

int option_scan(struct option_list **out, const struct option_set *set, int argc, char **argv,
		struct err *err)
{
	struct option_list *l = xcalloc(1, sizeof *l);
	/* Values are only checked now; option_apply() stores them, after the configuration file was
	 * read. */
	void *scratch = set->size ? xcalloc(1, set->size) : NULL;
	int rc;

	*out = NULL;
	l->set = set;
	l->pattern_next = set->word_is_pattern ||
			  (set->takes_pattern && argc > 0 && option_is_pattern_name(argv[0]));
	rc = scan_words(l, scratch, argc, argv, err);
	option_clear(set, scratch);
	free(scratch);
	if (rc)
		option_list_free(l);
	else
		*out = l;
	return rc;
}

void option_list_free(struct option_list *l)
{
	for (size_t i = 0; l && i < l->set->n_rows; i++)
		free(l->row[i].arg);
	free(l);
}

/* Returns the index of the row with this name; the number of rows: none. */
static size_t find_row(const struct option_set *set, const char *long_name)
{
	size_t i = 0;

	while (i < set->n_rows &&
	       (!set->row[i].long_name || strcmp(set->row[i].long_name, long_name)))
		i++;
	return i;
}

const char *option_given(const struct option_list *l, const char *long_name)
{
	const size_t i = find_row(l->set, long_name);

	return i < l->set->n_rows ? l->row[i].arg : NULL;
}

bool option_is_given(const struct option_list *l, const char *long_name)
{
	const size_t i = find_row(l->set, long_name);

	return i < l->set->n_rows && l->row[i].seen;
}

int option_task(const struct option_list *l)
{
	return l->task;
}

static int apply_row(const struct option_list *l, size_t i, void *values, struct err *err)
{
	const struct option_row *row = &l->set->row[i];
	bool *flag = field_of(values, row);

	if (l->row[i].arg && !is_word(row))
		return set_value(values, row, l->row[i].arg, row->long_name, err);
	if (row->kind == OPTION_TOGGLE)
		*flag = !*flag;
	else if (row->kind == OPTION_FLAG)
		*flag = true;
	return 0;
}

char **option_command(const struct option_list *l)
{
	return l->command;
}

const char *option_word(const struct option_list *l, size_t i)
{
	return i < l->n_words ? l->word[i] : NULL;
}

int option_apply(const struct option_list *l, void *values, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < l->set->n_rows && !rc; i++)
		if (l->row[i].seen)
			rc = apply_row(l, i, values, err);
	return rc;
}

/* Returns whether the task opens no counters, so that it works for a CPU other than this one. */
static bool needs_no_pmu(int task)
{
	return task == TASK_LIST_SCREENS || task == TASK_LIST_EVENTS || task == TASK_LIST_COLUMNS ||
	       task == TASK_LIST_FILTERS || task == TASK_SHOW_SCREEN || task == TASK_ENCODINGS;
}

/* Returns whether --format writes to standard output, so that there can be no live screen. */
static bool implies_batch(const struct options *o)
{
	return o->format && strcmp(o->format, "text") != 0 &&
	       (!o->output || !strcmp(o->output, "-"));
}

/* Fails if an option concerns written lines, but none are written. */
static int refuse_unwritten(const struct options *o, struct err *err)
{
	const char *what = o->format                ? "the format (--format) is"
			   : o->fields              ? "the fields (--fields) are"
			   : o->rows && !o->metrics ? "the number of rows (--rows) is"
			   : o->safe_names          ? "the form of names (--safe-names) is"
			   : o->verbose             ? "the cost of each refresh (--verbose) is"
						    : NULL;

	return what ? err_set(err, EINVAL, "%s for what is written: add -b, or -o", what) : 0;
}

static int check_replay(const struct options *o, struct err *err)
{
	if (o->replay && o->command)
		return err_set(err, EINVAL, "a recording (--replay) is shown: nothing is run");
	if (o->replay || (!o->from && !o->to))
		return 0;
	return err_set(err, EINVAL, "--from and --to are times of a recording: add --replay");
}

int option_check_append(bool append, const char *output, struct err *err)
{
	if (append && (!output || !strcmp(output, "-")))
		return err_set(err, EINVAL, "--append is for a file: name it with -o");
	return 0;
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = xstrdup(by);
}

/* Returns whether a text is a PID rather than a part of a name. */
static bool is_pid(const char *text)
{
	return text && *text && !text[strspn(text, "0123456789")];
}

/* Applies --explain-verdict: sets -b, --format verdicts and -S why, but keeps another format,
 * screen (-S) or events (-e) of the user. A task that is named by its PID is explained while it is
 * idle, too: why it waits is the question. */
static void take_explanation(const struct option_list *l, struct options *o)
{
	o->batch = true;
	if (!o->format)
		replace(&o->format, "verdicts");
	if (!option_given(l, "screen") && !o->events)
		replace(&o->screen, "why");
	o->idle |= is_pid(option_given(l, "pid"));
}

/* Returns whether an option that sets this field is on the command line. */
static bool sets_field(const struct option_list *l, size_t offset)
{
	for (size_t i = 0; i < l->set->n_rows; i++)
		if (l->row[i].seen && l->set->row[i].offset == offset)
			return true;
	return false;
}

int options_apply(const struct option_list *l, struct options *o, struct err *err)
{
	int rc = option_apply(l, o, err);

	o->task = l->task;
	o->command = l->command;
	for (size_t i = 0; i < option_table_n; i++)
		o->given[i] = sets_field(l, option_table[i].offset);
	if (!rc && o->for_cpu && !needs_no_pmu(o->task))
		return err_set(err, EINVAL,
			       "--for-cpu is for --list-screens, --list-events, --list-columns, "
			       "--list-filters, --show-screen and --encodings only: nothing can be "
			       "counted or checked for a CPU of another machine");
	rc = rc ? rc : check_replay(o, err);
	if (!rc && o->explain_verdict)
		take_explanation(l, o);
	/* With --repeat there are no rows to show. */
	o->batch |= implies_batch(o) || o->repeat;
	rc = rc ? rc : option_check_append(o->append, o->output, err);
	if (rc || o->task != TASK_MONITOR || o->batch)
		return rc;
	if (o->output && !strcmp(o->output, "-"))
		return err_set(
			err, EINVAL,
			"standard output (-o -) has the live screen: name a file, or add -b");
	return o->output ? 0 : refuse_unwritten(o, err);
}
