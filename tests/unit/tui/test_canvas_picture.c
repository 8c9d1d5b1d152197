/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A canvas as text, ANSI, SVG and HTML, dark and light, compared with
 * tests/golden/ui/picture-FORMAT-THEME.txt.
 */
#include <locale.h>

#include "golden.h"
#include "tui/canvas.h"

static void paint(struct canvas *c)
{
	canvas_resize(c, 34, 7);
	canvas_fill(c, 0, 0, 34, LOOK_HEADER);
	canvas_put(c, 2, 0, LOOK_HEADER, "PID  [%CPU]  IPC  COMMAND");
	canvas_put(c, 1, 1, LOOK_NORMAL, "4711   99.9  0.20  <a href=\"x\">&amp;");
	canvas_put(c, 14, 1, LOOK_CRIT | LOOK_STRONG, "0.20");
	canvas_put(c, 1, 2, LOOK_FAINT, "   1    0.0     -  \u4e2d\u6587 na\u00efve");
	canvas_put(c, 1, 3, LOOK_WATCHED, " 900    7.0  0.40  sshd");
	canvas_put(c, 14, 3, LOOK_WARN, "0.40");
	canvas_lay(c, 0, 3, 34, LOOK_CURRENT);
	canvas_put(c, 1, 4, LOOK_DEAD, "1000   55.0");
	canvas_put(c, 20, 4, LOOK_NORMAL, "find");
	canvas_lay(c, 21, 4, 2, LOOK_MATCH);
	canvas_put(c, 0, 6, LOOK_KEY, "h");
	canvas_put(c, 2, 6, LOOK_NORMAL, "help");
}

static void test_formats(const struct canvas *c, const struct theme_list *themes)
{
	static const char *const suffix[] = {"txt", "ans", "svg", "html"};
	static const char *const theme[] = {"default", "light", "high-contrast", "monochrome"};
	struct strbuf out;
	char name[64];

	strbuf_init(&out);
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < (i ? 4 : 1); k++) {
			snprintf(name, sizeof name, "x.%s", suffix[i]);
			strbuf_reset(&out);
			picture_find(name, NULL)
				->write(&out, c, theme_list_find(themes, theme[k], NULL));
			snprintf(name, sizeof name, "picture-%s-%s", suffix[i], theme[k]);
			golden_check("ui", name, out.text);
		}
	strbuf_done(&out);
}

static void test_sizes(const struct theme_list *themes)
{
	static const char *const suffix[] = {".txt", ".ans", ".svg", ".html"};
	struct canvas c = CANVAS_INIT;
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < 4; i++) {
		char name[16];

		snprintf(name, sizeof name, "x%s", suffix[i]);
		canvas_resize(&c, 0, 0);
		picture_find(name, NULL)->write(&out, &c, themes->v[0]);
		canvas_resize(&c, 1, 1);
		canvas_put(&c, 0, 0, LOOK_HEADER, "x");
		picture_find(name, NULL)->write(&out, &c, themes->v[0]);
	}
	tap_ok(strchr(out.text, 'x'), "a canvas of no size is a picture, too");
	canvas_done(&c);
	strbuf_done(&out);
}

/* The Braille dots of graphs are drawn as paths in SVG: as text, each font would place them
 * differently. */
static void test_braille(struct theme_list *themes)
{
	struct canvas c = CANVAS_INIT;
	struct strbuf out;

	strbuf_init(&out);
	canvas_resize(&c, 4, 1);
	canvas_put(&c, 0, 0, LOOK_NORMAL, "a\u2841b");
	picture_find("x.svg", NULL)->write(&out, &c, themes->v[0]);
	tap_ok(strstr(out.text, "d=\"M18.0 9.00h4.5v4.75h-4.5zM18.0 23.25h4.5v4.75h-4.5z\""),
	       "its first dot and its last one on the left");
	tap_ok(strstr(out.text, ">a</tspan>") && strstr(out.text, ">b</tspan>") &&
		       !strstr(out.text, "\u2841"),
	       "between the letters");
	canvas_done(&c);
	strbuf_done(&out);
}

static void test_names(void)
{
	static const char *const bad[] = {"",      "x",     ".svg",     "svg",
					  "x.SVG", "x.png", "x.svg.gz", "x.svg/"};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		tap_ok(!picture_find(bad[i], &err), "'%s' is no name of a picture", bad[i]);
	tap_str(err.text,
		"'x.svg/' does not say what kind of picture it is: end it with .txt, .ans, .svg or "
		".html",
		"and a sentence says what is");
	tap_ok(picture_find("a.b/c d.svg", NULL) == picture_find("x.svg", NULL),
	       "only the end of a name counts");
}

int main(void)
{
	struct theme_list themes = THEME_LIST_INIT;
	struct canvas c = CANVAS_INIT;

	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	theme_list_add_built_in(&themes);
	paint(&c);
	test_formats(&c, &themes);
	test_sizes(&themes);
	test_braille(&themes);
	test_names();
	canvas_done(&c);
	theme_list_done(&themes);
	return tap_done();
}
