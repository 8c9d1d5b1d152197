/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prompt of a filter: the text is checked while it is typed, and an error is shown below its
 * position.
 */
#include <string.h>

#include "base/strbuf.h"
#include "screen/compile.h"
#include "tap.h"
#include "tui/ask.h"
#include "tui/key.h"
#include "tui/keys.h"

static void report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("s", NULL);

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_compile(s, report, NULL, NULL);
	return s;
}

static unsigned type(struct ask *a, const struct view *view, const char *text)
{
	unsigned reaction = REACT_NONE;

	for (; *text; text++)
		reaction = ask_key(a, view, *text == '\n' ? KEYCODE_ENTER : *text);
	return reaction;
}

/* Paints the prompt on a canvas of this size. Compares all lines that are not empty, each followed
 * by '|'. */
static void check(const struct ask *a, int width, int height, const char *want, const char *what)
{
	struct canvas c = CANVAS_INIT;
	struct strbuf dump, lines;

	canvas_resize(&c, width, height);
	ask_paint(a, &c);
	strbuf_init(&dump);
	strbuf_init(&lines);
	canvas_dump(&c, false, &dump);
	for (const char *p = dump.text; *p;) {
		size_t len = strcspn(p, "\n"), used = len;

		while (used && p[used - 1] == ' ')
			used--;
		if (used) {
			strbuf_add(&lines, p, used);
			strbuf_addch(&lines, '|');
		}
		p += len + (p[len] == '\n');
	}
	tap_str(lines.text, want, "%s", what);
	strbuf_done(&lines);
	strbuf_done(&dump);
	canvas_done(&c);
}

static void test_typing(void)
{
	struct filter_list named = FILTER_LIST_INIT;
	struct screen *screen = make_screen();
	const struct view view = {.filter = FILTER_ALL, .watch = FILTER_ALL};
	struct ask a = {.screen = screen, .filters = &named};

	filter_list_add(&named, "busy", "cpu > 20", NULL);
	ask_open(&a, REQUEST_ROW_FILTER, &view);
	check(&a, 100, 20,
	      "a text, /a regular expression/ or a condition: cpu > 20 && user == 'db'; "
	      "under(pid); "
	      "@busy|Filter:                                                                   "
	      "Enter accepts, ESC cancels|",
	      "it says what may be typed, and which filters have names");
	type(&a, &view, "cpu");
	tap_int((long)a.fault, 0, "a name is a text");
	type(&a, &view, " >");
	check(&a, 100, 20,
	      "Filter: cpu >                                                             Enter "
	      "accepts, ESC cancels|"
	      "             ^ column 6: a number, a name or '(' is expected, not the "
	      "end|",
	      "a condition is not finished: the mark is where it should go on");
	type(&a, &view, " usr");
	check(&a, 40, 20,
	      "Filter: cpu > usr|              ^|column 7: there is no counter, variable|or "
	      "column 'usr' in this screen (did you|mean 'user'?)|",
	      "where there is no room behind the mark, below it");
	check(&a, 40, 4, "column 7: there is no counter, variable+|Filter: cpu > usr|",
	      "on a low screen it stands above");
	type(&a, &view, "\n");
	tap_int(a.mode, ASK_PROMPT, "Enter leaves it open");
	tap_int(a.ready.kind, REQUEST_NONE, "and asks for nothing");
	type(&a, &view,
	     "\x15"
	     "cpu > 20");
	tap_int((long)a.fault, 0, "mended");
	tap_ok(type(&a, &view, "\n") & REACT_REQUEST, "Enter takes it");
	tap_int(a.ready.kind, REQUEST_ROW_FILTER, "the request");
	tap_str(a.ready.text, "cpu > 20", "and its text");
	screen_free(screen);
	filter_list_done(&named);
}

static void test_given(void)
{
	struct screen *screen = make_screen();
	const struct view view = {
		.filter = FILTER_ALL, .watch = FILTER_ALL, .filter_text = "ipc < 1"};
	struct ask a = {.screen = screen};

	ask_open(&a, REQUEST_ROW_FILTER, &view);
	tap_str(a.prompt.text, "ipc < 1", "what is set can be mended");
	tap_int((long)a.fault, 1, "and what is wrong with it on this screen is said at once");
	tap_ok(type(&a, &view, "\x15\n") & REACT_REQUEST, "an empty one");
	tap_str(a.ready.text, "", "takes the filter away");
	ask_open(&a, REQUEST_ROW_FILTER, &view);
	ask_key(&a, &view, KEYCODE_ESC);
	tap_int(a.mode, ASK_NOTHING, "ESC keeps what was");
	screen_free(screen);
}

/* The mark of an error stays below its character when a long text is scrolled. */
static void test_scrolled(void)
{
	struct screen *screen = make_screen();
	const struct view view = {.filter = FILTER_ALL, .watch = FILTER_ALL};
	struct ask a = {.screen = screen};

	ask_open(&a, REQUEST_ROW_FILTER, &view);
	type(&a, &view, "cpu > 1 && cpu > 2 && cpu > 3 && x > 4");
	tap_int((long)a.fault, 34, "the place in the text");
	for (int width = 12; width < 60; width++) {
		struct canvas c = CANVAS_INIT;
		int x = prompt_column(&a.prompt, width, a.fault - 1);

		canvas_resize(&c, width, 1);
		prompt_paint(&a.prompt, &c, 0);
		tap_ok(x >= 0 && x < width && c.cell[x].ch == 'x', "the mark at width %d", width);
		canvas_done(&c);
	}
	screen_free(screen);
}

static void test_near_signal(void)
{
	struct err err = ERR_INIT;
	int signal;

	tap_ok(signame_parse("SIGTERN", &signal, &err) &&
		       strstr(err.text, "'SIGTERN' (did you mean 'TERM'?)"),
	       "a mistyped signal has one that may be meant");
}

int main(void)
{
	test_typing();
	test_given();
	test_scrolled();
	test_near_signal();
	return tap_done();
}
