/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the live screen: their names, sets of them, and the order in which a key cycles through
 * the sets.
 */
#include "tap.h"
#include "view/view.h"

/* Parses a text and formats the result. Returns this, or the message of the error. */
static const char *again(const char *text)
{
	static char result[ERR_TEXT_MAX];
	struct err err = ERR_INIT;
	unsigned hidden = 0;
	struct strbuf out;

	strbuf_init(&out);
	if (parts_parse(text, &hidden, &err))
		strbuf_addstr(&out, err.text);
	else
		parts_add(&out, hidden);
	snprintf(result, sizeof result, "%s", out.text);
	strbuf_done(&out);
	return result;
}

static void test_texts(void)
{
	unsigned hidden = 0;

	tap_str(again("auto"), "auto", "all parts where they have room");
	tap_str(again("full"), "full", "all parts");
	tap_str(again("compact"), "compact", "few");
	tap_str(again("table"), "table", "none but the table");
	tap_str(again("footer,meters"), "meters,footer", "some, in the order of the screen");
	tap_str(again("title,meters,tasks,tabs,note,total,footer"), "full", "all by their names");
	tap_str(again("title,,tabs"),
		"there is no part '': auto, full, compact and table stand alone, or some of "
		"title, meters, tasks, tabs, note, total, footer with ',' between them",
		"a name that is missing");
	tap_ok(strstr(again("title,compact"), "no part 'compact'"), "a set among names");
	tap_ok(strstr(again("rows"), "no part 'rows'"), "the rows cannot be chosen");
	tap_ok(strstr(again(""), "no part ''"), "an empty text");
	tap_int(parts_parse("table", &hidden, NULL), 0, "where only the table is shown");
	tap_ok(!(hidden & (PART_BIT(PART_ROWS) | PART_BIT(PART_NAMES))),
	       "rows and the names of columns stay");
}

static void test_next(void)
{
	unsigned hidden = PARTS_AUTO, some;

	parts_parse("tabs", &some, NULL);
	hidden = parts_next(hidden, PARTS_AUTO);
	tap_ok(hidden & PART_BIT(PART_METERS) && !(hidden & PART_BIT(PART_TASKS)),
	       "behind all comes compact");
	tap_int(parts_next(PARTS_FULL, PARTS_FULL), hidden, "whichever all it is");
	hidden = parts_next(hidden, PARTS_AUTO);
	tap_ok(hidden & PART_BIT(PART_TASKS), "then table");
	tap_int(parts_next(hidden, PARTS_AUTO), PARTS_AUTO, "then all again");
	tap_int(parts_next(hidden, PARTS_FULL), PARTS_FULL, "as the user wants them");
	tap_int(parts_next(some, PARTS_AUTO), PARTS_AUTO, "and so behind a set of one's own");
}

int main(void)
{
	test_texts();
	test_next();
	return tap_done();
}
