/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of options with another table than that of the monitor. */
#include <errno.h>
#include <string.h>

#include "conf/option.h"
#include "tap.h"

struct others {
	bool loud;
	double length;
	char *name;
};

/* A table of another command: with its own struct, words that are not options, and the command's
 * name in messages. */
int main(void)
{
	static const struct option_row rows[] = {
		{.long_name = "loud",
		 .short_name = 'l',
		 .kind = OPTION_FLAG,
		 .offset = offsetof(struct others, loud)},
		{.long_name = "length",
		 .arg = "m",
		 .what = "the length",
		 .kind = OPTION_DOUBLE,
		 .offset = offsetof(struct others, length),
		 .max = 10},
		{.long_name = "name",
		 .short_name = 'n',
		 .arg = "text",
		 .what = "the name",
		 .kind = OPTION_STRING,
		 .offset = offsetof(struct others, name)},
	};
	static const struct option_set set = {.program = "tiptop other",
					      .row = rows,
					      .n_rows = sizeof rows / sizeof *rows,
					      .size = sizeof(struct others),
					      .n_words = 2};
	const char *argv[] = {"other", "a", "-ln", "x", "--length=2.5", "b", "c", NULL};
	struct option_list *list = NULL;
	struct others o = {.name = NULL};
	struct err err = ERR_INIT;

	tap_int(option_scan(&list, &set, 6, (char **)argv, &err), 0, "another table");
	tap_int(option_apply(list, &o, &err), 0, "sets the fields");
	tap_ok(o.loud && o.length == 2.5 && !strcmp(o.name, "x"), "of its own struct");
	tap_str(option_word(list, 0), "a", "the first word");
	tap_str(option_word(list, 1), "b", "the second word");
	tap_ok(!option_word(list, 2), "there is no third");
	option_list_free(list);
	option_clear(&set, &o);
	tap_ok(!o.name, "its strings are freed");
	tap_int(option_scan(&list, &set, 7, (char **)argv, &err), -EINVAL, "a word too many");
	tap_str(err.text, "unexpected 'c'", "the sentence");
	argv[1] = "--wide";
	tap_int(option_scan(&list, &set, 2, (char **)argv, &err), -EINVAL, "an unknown option");
	tap_str(err.text, "unknown option '--wide': see 'tiptop other --help'",
		"the sentence names the command");
	argv[1] = "-lw";
	tap_int(option_scan(&list, &set, 2, (char **)argv, &err), -EINVAL, "an unknown letter");
	tap_str(err.text, "unknown option in '-lw': see 'tiptop other --help'",
		"and this sentence does, too");
	argv[1] = "--length=11";
	tap_int(option_scan(&list, &set, 2, (char **)argv, &err), -ERANGE, "a number too large");
	return tap_done();
}
