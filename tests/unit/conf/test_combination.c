/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "conf/combination.h"
#include "tap.h"

#define WORDS_MAX 20

static const struct {
	const char *words; /* separated by blanks */
	const char *want;  /* the sentence; NULL: they go together */
} combinations[] = {
	{"-b -i -H --filter x --sort pid --tree -d 1 -n 3 -p 1 -u 0", NULL},
	{"--repeat 3 -K -e cycles -o out -- true", NULL},
	{"--repeat 3 --filter x -- true",
	 "--repeat shows the summary of a command, and no rows: --filter does not go with it"},
	{"--repeat 3 -H -- true",
	 "--repeat shows the summary of a command, and no rows: --threads does not go with it"},
	{"--repeat 3 --fields pid -- true",
	 "--repeat shows the summary of a command, and no rows: --fields does not go with it"},
	{"--repeat 3 -n 2 -- true",
	 "--repeat shows the summary of a command, and no rows: --iterations does not go with it"},
	{"-b -p 1 -- true", NULL}, /* as tiptop 2.3.1 */
	{"-b --no-children -- true", NULL},
	{"-b --no-children", "--no-children is for a command: put it after '--'"},
	{"--replay f --no-children", NULL},
	{"-b --children --no-children -- true",
	 "--children shows the rows that --no-children leaves out: leave one of them out"},
	{"--replay f -d 3", NULL},
	{"--metrics f --metrics-by user", NULL},
	{"--metrics-by user", "--metrics-by is of metrics: add --metrics"},
	{"--explain-verdict --tree --sort pid", NULL},
	{"--explain-verdict --group user",
	 "verdicts (--format, --explain-verdict) are of tasks, not of groups: --group does not go "
	 "with them"},
	{"--format verdicts --values rate",
	 "verdicts (--format, --explain-verdict) are sentences: --values does not go with them"},
	{"--explain-verdict --format csv --fields pid", NULL},
	{"--format csv --epoch", "--epoch is for --format text: csv and json lack it"},
	{"--format json -w 1", "--watch is for --format text: csv and json lack it"},
	{"--format csv -o f -w 1", NULL},
	{"--check --format json",
	 "--check, --show-screen and --encodings print a text of one form: --format does not go "
	 "with them"},
	{"--show-screen 1 -o f",
	 "--check, --show-screen and --encodings print a text of one form: --output does not go "
	 "with them"},
	{"--list-screens --format json -o f", NULL},
	{"-b --group user --tree",
	 "rows are groups (--group), which are no tree: --tree needs --group process"},
	{"-b --group process --tree", NULL},
};

/* Checks a command line; err gets the sentence. */
static int check(const char *words, struct options *o, struct err *err)
{
	char *text = strdup(words), *argv[WORDS_MAX] = {(char *)"tiptop"}, *rest;
	struct option_list *list = NULL;
	int argc = 1, ret;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	ret = option_scan(&list, &option_monitor, argc, argv, err);
	ret = ret ? ret : options_apply(list, o, err);
	ret = ret ? ret : combination_check(list, o, err);
	option_list_free(list);
	free(text);
	return ret;
}

/* A default of the configuration file does not contradict the command line. */
static void test_configuration(void)
{
	struct options o;
	struct err err = ERR_INIT;

	options_init(&o);
	option_set_conf(&o, "filter", "x", &err);
	option_set_conf(&o, "show_threads", "1", &err);
	option_set_conf(&o, "children", "1", &err);
	tap_int(check("--repeat 3 -- true", &o, &err), 0, "options of the file beside --repeat");
	options_done(&o);
	options_init(&o);
	option_set_conf(&o, "children", "1", &err);
	tap_int(check("-b --no-children -- true", &o, &err), 0, "children, in the file only");
	options_done(&o);
	options_init(&o);
	option_set_conf(&o, "group", "user", &err);
	tap_int(check("-b --tree", &o, &err), -EINVAL, "a tree of groups that the file makes");
	options_done(&o);
}

int main(void)
{
	for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++) {
		struct err err = ERR_INIT;
		struct options o;
		int ret;

		options_init(&o);
		ret = check(combinations[i].words, &o, &err);
		tap_int(ret, combinations[i].want ? -EINVAL : 0, "%s", combinations[i].words);
		if (combinations[i].want)
			tap_str(err.text, combinations[i].want, "%s: why", combinations[i].words);
		options_done(&o);
	}
	test_configuration();
	return tap_done();
}
