/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The marks: each is explained in the legend and in the README; and their explanations in the
 * footer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tap.h"
#include "tui/keymap.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/live.h"

static char *read_readme(void)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/README", srcdir ? srcdir : "."), *text = xcalloc(1, 1 << 20);
	FILE *file = fopen(path, "r");

	tap_ok(file && fread(text, 1, (1 << 20) - 1, file) > 0, "README can be read");
	if (file)
		fclose(file);
	free(path);
	return text;
}

static void test_table(void)
{
	char *readme = read_readme();

	for (int q = 0; q < N_QUALITIES; q++)
		tap_int(mark_of_quality((enum quality)q) == N_MARKS, !*quality_table[q].mark,
			"the mark of what is %s is in the table", quality_table[q].name);
	for (int i = 0; i < N_MARKS; i++) {
		struct strbuf meaning;
		char *line;

		strbuf_init(&meaning);
		keymap_add_text(NULL, mark_table[i].text, &meaning);
		line = xasprintf("\n  %s  %s\n", mark_table[i].sign, meaning.text);
		tap_ok(strstr(readme, line) != NULL, "README explains '%s': %s", mark_table[i].sign,
		       meaning.text);
		free(line);
		strbuf_done(&meaning);
	}
	free(readme);
}

static void check_foot(struct legend *l, int room, const char *want, const char *what)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addstr(&text, "");
	legend_add(l, room, &text);
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
}

static void test_foot(void)
{
	const unsigned all = MARK_BIT(N_MARKS) - 1;
	struct legend l = {.seen = all};

	check_foot(&l, 100, "", "a picture explains nothing");
	l = (struct legend){.wanted = true};
	check_foot(&l, 100, "", "nor does a screen without marks");
	tap_ok(!legend_clear(&l), "there is nothing to take away");
	l.seen = MARK_BIT(MARK_UNKNOWN) | MARK_BIT(MARK_THREADS);
	check_foot(&l, 100, "? = not known", "a mark that shows");
	l.seen = MARK_BIT(MARK_ESTIMATE);
	check_foot(&l, 100, "~ = estimate  ? = not known", "another one: the first one stays");
	tap_ok(legend_clear(&l), "a key takes it away");
	l.seen = MARK_BIT(MARK_ESTIMATE) | MARK_BIT(MARK_ENDED);
	check_foot(&l, 100, "x = ended", "only what is new comes later");
	legend_clear(&l);
	check_foot(&l, 100, "", "and nothing a second time");
	l = (struct legend){.wanted = true, .seen = all};
	check_foot(&l, 100,
		   "~ = estimate  ' = last known  * = in part  ? = not known  - = no such number  "
		   "x = ended",
		   "all at once");
	l = (struct legend){.wanted = true, .seen = all};
	check_foot(&l, 30, "~ = estimate  ' = last known", "as many as there is room for");
	legend_clear(&l);
	check_foot(&l, 30, "* = in part  ? = not known", "the others follow");
	check_foot(&l, -3, "", "without room, none");
}

/* A key that removes the explanation from the footer still has its usual effect. */
static void test_key(void)
{
	struct screen_list screens = SCREEN_LIST_INIT;
	struct view view = {.show_cmdline = false};
	struct ui_state ui = {.legend = {.wanted = true, .shown = MARK_BIT(MARK_ESTIMATE)}};
	unsigned reactions = keys_apply(&ui, &view, &screens, 'c');

	tap_ok(reactions & REACT_PAINT && view.show_cmdline, "a key takes it away, and does its "
							     "work");
	tap_int(ui.legend.explained, MARK_BIT(MARK_ESTIMATE), "it does not come back");
	tap_ok(!(keys_apply(&ui, &view, &screens, 'c') & REACT_PAINT), "the next one paints less");
	ui_state_done(&ui);
}

int main(void)
{
	test_table();
	test_foot();
	test_key();
	return tap_done();
}
