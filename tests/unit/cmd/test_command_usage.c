/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of --help and the like. */
#include "cmd/command.h"
#include "conf/option.h"
#include "model/kinds.h"
#include "tap.h"

static void test_usage(void)
{
	struct strbuf out;
	size_t longest = 0;

	strbuf_init(&out);
	usage_help(true, &out);
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		char name[64], arg[32] = "";

		if (!row->long_name)
			continue;
		if (row->arg)
			snprintf(arg, sizeof arg, row->kind == OPTION_TASK ? "[%s] " : "<%s> ",
				 row->arg);
		snprintf(name, sizeof name, "%c%c%c --%s %s", row->short_name ? '-' : ' ',
			 row->short_name ? row->short_name : ' ', row->short_name ? ',' : ' ',
			 row->long_name, arg);
		tap_ok(strstr(out.text, name) != NULL, "--help lists '%s'", name);
	}
	for (const char *line = out.text; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > longest)
			longest = strcspn(line, "\n");
	tap_ok(longest > 60 && longest <= 80, "no line of --help is longer than 80 characters");
	tap_ok(out.text[out.len - 1] == '\n', "and the last one ends");
	strbuf_reset(&out);
	usage_help(false, &out);
	for (size_t i = 0; command_usual_options[i]; i++) {
		bool known = false;

		for (size_t k = 0; k < option_locks_live.n_rows; k++)
			known |= option_table[k].long_name &&
				 !strcmp(option_table[k].long_name, command_usual_options[i]);
		tap_ok(known, "'%s' is an option", command_usual_options[i]);
	}
	strbuf_done(&out);
}

static void test_texts(void)
{
	struct strbuf out;

	strbuf_init(&out);
	usage_version(&out);
	tap_ok(!strncmp(out.text, "tiptop ", 7) && strstr(out.text, "warranty"), "--version");
	strbuf_reset(&out);
	usage_build_info(&out);
	tap_ok(strstr(out.text, "libxml2") && strstr(out.text, "compiler: "), "-v");
	strbuf_done(&out);
}

/* Messages name the command for rows of a kind: the kind and the command must refer to each
 * other. */
static void test_kinds(void)
{
	int n = 0;

	for (size_t i = 0; command_table[i]; i++)
		for (const struct command *c = command_table[i]; c; c = c->form) {
			const struct kind *kind = c->rows ? kinds_find(c->rows) : NULL;

			if (!c->rows)
				continue;
			n++;
			tap_ok(kind && kind->command && !strcmp(kind->command, c->name),
			       "the kind '%s' names '%s'", c->rows, c->name);
		}
	tap_ok(n > 3, "%d commands have rows of a kind", n);
}

int main(void)
{
	test_usage();
	test_kinds();
	test_texts();
	return tap_done();
}
