/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of the command line that name the files of a side. */
#include "compare/saved_report.h"

#include <errno.h>

#include "golden.h"

static int add(void *context, const char *path, struct err *err)
{
	(void)err;
	strbuf_addf(context, "%s%s", ((struct strbuf *)context)->len ? " | " : "", path);
	return 0;
}

static void check(const char *word, const char *want)
{
	const bool is_list = strstr(want, " | ") != NULL;
	struct strbuf got;

	strbuf_init(&got);
	tap_int(saved_word_visit(word, add, &got, NULL), 0, "'%s' is visited", word);
	tap_str(got.text, want, "file by file");
	tap_ok(saved_word_is_list(word) == is_list, "it is %s list", is_list ? "a" : "no");
	strbuf_done(&got);
}

static int refuse(void *context, const char *path, struct err *err)
{
	(void)path;
	++*(int *)context;
	return err_set(err, 7, "no");
}

int main(void)
{
	struct err err = ERR_INIT;
	struct strbuf twice;
	int calls = 0;

	golden_write("word.a", "{\"type\":\"summary\",\"x\":1}\n");
	golden_write("word.b", "{\"type\":\"refresh\"}\n");
	golden_write("word,c", "x");
	check("word.a", "word.a");
	check("word.a,word.b", "word.a | word.b");
	check("word.a,none,word.b", "word.a | none | word.b");
	check("word.a,from=+3,word.b,to=+5,filter=a = 1,2",
	      "word.a,from=+3 | word.b,to=+5,filter=a = 1,2");
	check("word,c", "word,c");
	check("word,c,from=+3", "word,c,from=+3");
	check("from=+3,to=+5", "from=+3,to=+5");
	check("word.a,from=+3,word.a,to=+5", "word.a,from=+3 | word.a,to=+5");
	check("", "");
	tap_ok(saved_word_begins("word.a,word.b", "summary"), "the type of the first file");
	tap_ok(!saved_word_begins("word.a", "summ") && !saved_word_begins("word.b", "summary") &&
		       !saved_word_begins("none", "summary") && !saved_word_begins("", "summary"),
	       "and of no other one");
	tap_int(saved_word_visit("word.a,word.b", refuse, &calls, &err), -7,
		"an error is returned");
	tap_int(calls, 1, "at once");
	strbuf_init(&twice);
	tap_int(saved_word_visit("word.b,word.a,none,word.a", add, &twice, &err), -EINVAL,
		"the same runs twice are refused");
	tap_str(err.text, "'word.b,word.a,none,word.a' names 'word.a' twice: it would count twice",
		"with the reason");
	strbuf_done(&twice);
	remove("word.a");
	remove("word.b");
	remove("word,c");
	return tap_done();
}
