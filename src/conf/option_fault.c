/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of option: what is wrong with a word of a command line. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "conf/option_part.h"

size_t option_row_of_code(const struct option_set *set, int code)
{
	size_t i = 0;

	if (code >= OPTION_LONG_CODE)
		return (size_t)(code - OPTION_LONG_CODE);
	while (i < set->n_rows && set->row[i].short_name != code)
		i++;
	return i;
}

void option_copy_typed(char *typed, size_t size, const char *word, char letter)
{
	if (!strncmp(word, "--", 2))
		snprintf(typed, size, "%.*s", (int)strcspn(word, "="), word);
	else
		snprintf(typed, size, "-%c", letter);
}

/* Whether the option is one of those that say what is written of a table. */
static bool is_of_tables(const char *typed)
{
	static const char *const names[] = {"--append", "--fields", "--format", "--heat",
					    "--output", "--rows",   "--sort",   "-o"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(typed, names[i]))
			return true;
	return false;
}

static int refuse_of_tables(const struct option_set *set, const char *typed, struct err *err)
{
	return err_set(err, EINVAL, "'%s' is an option of tables: %s %s", typed, set->program,
		       set->no_table);
}

/* Makes the sentence for a long option that getopt_long() does not know, or takes for the beginning
 * of several names. */
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
		err_set(err, EINVAL, "unknown option '%s'%s: '%s --help' lists all", typed,
			suggestion_prefixed(&near, "--"), set->program);
	strbuf_done(&names);
	return -EINVAL;
}

int option_scan_fault(const struct option_set *set, int code, const char *word, struct err *err)
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
	if (set->no_table && is_of_tables(typed))
		return refuse_of_tables(set, typed, err);
	if (!strncmp(word, "--", 2))
		return scan_unknown_long(set, typed, err);
	if (word[2])
		return err_set(err, EINVAL, "unknown option in '%s': 'tiptop --help' lists all",
			       word);
	return err_set(err, EINVAL, "unknown option '%s': '%s --help' lists all", word,
		       set->program);
}
