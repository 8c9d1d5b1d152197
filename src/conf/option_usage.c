/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of option: the options as --help lists them. */
#include <string.h>

#include "conf/option.h"

#define LINE_WIDTH  80
#define HELP_COLUMN 30

/* Appends text from HELP_COLUMN on, broken at blanks. column: the width of the line so far. */
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

/* Appends " (text, csv, json)", where the option takes such names. */
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
