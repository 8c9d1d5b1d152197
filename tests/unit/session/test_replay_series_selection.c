/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax for selecting a part of a recording.
 */
#include "session/replay_series.h"

#include "base/strbuf.h"
#include "tap.h"

/* Compares the parsed word with "file|from|to|pid|filter", where '-' is a missing part, or with the
 * error message. */
static void test(const char *word, const char *want)
{
	const struct selection before = {.file = (char *)"before.db"};
	struct selection s;
	struct err err = ERR_INIT;
	struct strbuf text;

	strbuf_init(&text);
	if (selection_parse(&s, word, &before, &err)) {
		strbuf_addstr(&text, err.text);
	} else {
		strbuf_addstr(&text, s.file);
		for (int i = 0; i < N_SELECTION_PARTS; i++)
			strbuf_addf(&text, "|%s", s.part[i] ? s.part[i] : "-");
	}
	tap_str(text.text, want, "%s", word);
	strbuf_done(&text);
	selection_done(&s);
}

/* Options take the place of parts in the word; the others stay. */
static void test_override(void)
{
	char from[] = "+1", filter[] = "b";
	char *const part[N_SELECTION_PARTS] = {
		[SELECTION_FROM] = from, [SELECTION_FILTER] = filter};
	struct selection s;
	struct err err = ERR_INIT;

	tap_ok(!selection_parse(&s, "r.db,to=+9,filter=a", NULL, &err), "a word with two parts");
	selection_override(&s, part);
	tap_str(s.part[SELECTION_FROM], "+1", "a part that the word lacks");
	tap_str(s.part[SELECTION_TO], "+9", "one that stays");
	tap_str(s.part[SELECTION_FILTER], "b", "one that is replaced");
	selection_done(&s);
}

int main(void)
{
	struct selection s;
	struct err err = ERR_INIT;

	test("r.db", "r.db|-|-|-|-");
	test("r.db,from=14:00,to=2026-01-31 14:03:20", "r.db|14:00|2026-01-31 14:03:20|-|-");
	test("r.db,pid=4711,filter=max(ipc, 1) > 2", "r.db|-|-|4711|max(ipc, 1) > 2");
	test("r.db,filter=a,from=+5", "r.db|+5|-|-|a");
	test("to=+300", "before.db|-|+300|-|-");
	test("pid=mcf,to=-1", "before.db|-|-1|mcf|-");
	test("a,b.db", "a,b.db|-|-|-|-");
	test("a,fromage=1.db,pid=7", "a,fromage=1.db|-|-|7|-");
	test("./pid=7", "./pid=7|-|-|-|-");
	test("r.db,pid=", "'pid=' is empty");
	test("r.db,pid=1,to=2,pid=3", "'pid=' is given twice");
	test("", "'' names no recording");
	test(",pid=1", "',pid=1' names no recording");
	tap_ok(selection_parse(&s, "pid=1", NULL, &err), "the first one needs a file");
	tap_str(err.text, "'pid=1' names no recording: FILE,pid=1", "and says so");
	selection_done(&s);
	test_override();
	return tap_done();
}
