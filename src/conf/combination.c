/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/combination.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Options that choose tasks or shape rows. */
#define ROW_OPTIONS                                                                                \
	"pid user filter threads group values children no-children tree idle cpu-min sticky "      \
	"sort watch show-user command-line epoch timestamp safe-names verbose rows fields"
#define TEXT_LINE_OPTIONS "epoch timestamp safe-names verbose watch"

typedef bool condition(const struct option_list *l, const struct options *o);

static bool has_format(const struct options *o, const char *name)
{
	return o->format && !strcmp(o->format, name);
}

static bool is_repeated(const struct option_list *l, const struct options *o)
{
	(void)l;
	return o->repeat;
}

static bool has_no_command(const struct option_list *l, const struct options *o)
{
	(void)l;
	return !o->command && !o->replay;
}

static bool has_children(const struct option_list *l, const struct options *o)
{
	(void)o;
	return option_is_given(l, "children");
}

static bool has_no_metrics(const struct option_list *l, const struct options *o)
{
	(void)l;
	return !o->metrics;
}

static bool writes_verdicts(const struct option_list *l, const struct options *o)
{
	(void)l;
	return has_format(o, "verdicts");
}

/* Returns whether rows are written as CSV or JSON only. */
static bool writes_data(const struct option_list *l, const struct options *o)
{
	(void)l;
	return !options_are_live(o) && (has_format(o, "csv") || has_format(o, "json"));
}

/* Returns whether a text is printed that is no list of rows. */
static bool prints_text(const struct option_list *l, const struct options *o)
{
	const int task = option_task(l);

	(void)o;
	return task == TASK_CHECK || task == TASK_SHOW_SCREEN || task == TASK_ENCODINGS;
}

static bool has_groups(const struct option_list *l, const struct options *o)
{
	(void)l;
	return o->group;
}

/* Combinations: if applies() is true, none of the options, which are separated by blanks, has an
 * effect. The sentence is `before`, the option, and `after`. */
static const struct combination {
	condition *applies;
	const char *options, *before, *after;
} combination_table[] = {
	{is_repeated, ROW_OPTIONS " delay iterations no-collect",
	 "--repeat shows the summary of a command, and no rows: ", " does not go with it"},
	{has_no_command, "no-children", "", " is for a command: put it after '--'"},
	{has_children, "no-children", "--children shows the rows that ",
	 " leaves out: leave one of them out"},
	{has_no_metrics, "metrics-by", "", " is of metrics: add --metrics"},
	{writes_verdicts, "group",
	 "verdicts (--format, --explain-verdict) are of tasks, not of groups: ",
	 " does not go with them"},
	{writes_verdicts, "fields values show-user " TEXT_LINE_OPTIONS,
	 "verdicts (--format, --explain-verdict) are sentences: ", " does not go with them"},
	{writes_data, TEXT_LINE_OPTIONS, "", " is for --format text: csv and json lack it"},
	{prints_text, "format fields rows output append",
	 "--check, --show-screen and --encodings print a text of one form: ",
	 " does not go with them"},
	{has_groups, "tree",
	 "rows are groups (--group), which are no tree: ", " needs --group process"},
};

/* Refuses the first of these options that was given. */
static int check(const struct combination *c, const struct option_list *l, struct err *err)
{
	char name[32];
	size_t n;

	for (const char *at = c->options; *at; at += n, at += strspn(at, " ")) {
		n = strcspn(at, " ");
		snprintf(name, sizeof name, "%.*s", (int)n, at);
		if (option_is_given(l, name))
			return err_set(err, EINVAL, "%s--%s%s", c->before, name, c->after);
	}
	return 0;
}

int combination_check(const struct option_list *l, const struct options *o, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < sizeof combination_table / sizeof *combination_table && !ret; i++)
		if (combination_table[i].applies(l, o))
			ret = check(&combination_table[i], l, err);
	return ret;
}
