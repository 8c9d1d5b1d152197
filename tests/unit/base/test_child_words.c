/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splitting a text into the words of a command line, without a shell. */
#include "base/child.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "tap.h"

/* clang-format off */
static const struct {
	const char *text, *want; /* each word in brackets; NULL: the text is refused */
} rows[] = {
	{"make -j2 all", "[make][-j2][all]"},
	{"  a\tb\n c ", "[a][b][c]"},
	{"sh -c 'exit 3'", "[sh][-c][exit 3]"},
	{"'a'\"b\"c", "[abc]"},
	{"'' x", "[][x]"},
	{"'it''s' \"it's\"", "[its][it's]"},
	{"\"say \\\"hi\\\" \\\\ \\n\"", "[say \"hi\" \\ \\n]"},
	{"a\\ b \\'c '\\'", "[a b]['c][\\]"},
	{"echo $HOME *.c ~ | cat > x; y && z", "[echo][$HOME][*.c][~][|][cat][>][x;][y][&&][z]"},
	{"", NULL},
	{" \t", NULL},
	{"a 'b", NULL},
	{"a \"b\\\"", NULL},
	{"a \\", NULL},
};
/* clang-format on */

int main(void)
{
	struct err err = ERR_INIT;
	char **words;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int ret = words_split(&words, rows[i].text, "--run", &err);
		struct strbuf got;

		strbuf_init(&got);
		for (char **word = words; word && *word; word++)
			strbuf_addf(&got, "[%s]", *word);
		if (rows[i].want)
			tap_str(got.text, rows[i].want, "split: %s", rows[i].text);
		tap_int(ret, rows[i].want ? 0 : -EINVAL, "taken, or not: %s", rows[i].text);
		strbuf_done(&got);
		words_free(words);
	}
	words_split(&words, "a 'b", "--run", &err);
	tap_str(err.text, "--run: a quote has no end: 'a 'b'", "the sentence");
	return tap_done();
}
