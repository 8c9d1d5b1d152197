/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topics: each variable has one, and so has each built-in column. */
#include <string.h>

#include "base/mem.h"
#include "screen/screen.h"
#include "tap.h"

static void test_variables(void)
{
	for (int v = 0; v < n_variables; v++)
		tap_ok(topic_of_variable(v) > TOPIC_OTHER && topic_of_variable(v) < N_TOPICS,
		       "%s has a topic", variable_at(v).name);
	for (int t = 0; t < N_TOPICS; t++)
		tap_ok(topic_title[t], "topic %d has a heading", t);
}

static void test_built_in(void)
{
	struct screen_list l = SCREEN_LIST_INIT;

	screen_list_add_built_in(&l, 0, screen_built_in_n);
	for (size_t i = 0; i < l.n; i++) {
		topic_set(l.v[i]);
		for (size_t c = 0; c < l.v[i]->n_columns; c++)
			tap_int(l.v[i]->column[c].topic > TOPIC_OTHER,
				strcmp(l.v[i]->column[c].text, "0 / 0") != 0,
				"%s:%s has a topic, unless it stands for what a CPU lacks",
				l.v[i]->name, l.v[i]->column[c].header);
	}
	screen_list_done(&l);
}

static void test_names(void)
{
	static const struct {
		const char *header, *text;
		enum topic topic;
	} row[] = {
		{"counter", "delta(x) / CPU_TOT", TOPIC_COUNTERS},
		{"behind", "CPU_TOT + delta(x)", TOPIC_COUNTERS},
		{"first", "RSS_KB / CPU_TOT", TOPIC_MEMORY},
		{"column", "100 * first", TOPIC_MEMORY},
		{"bracket", "1 + [counter]", TOPIC_COUNTERS},
		{"number", "7 + 1", TOPIC_OTHER},
		{"unknown", "nosuch + 1", TOPIC_OTHER},
		{"circle", "[round] + 1", TOPIC_OTHER},
		{"round", "[circle] + 1", TOPIC_OTHER},
	};
	const size_t n = sizeof row / sizeof *row;
	struct screen *s = screen_new("s", NULL);

	screen_add_counter(s, "x", "", NULL)->event = xstrdup("cycles");
	for (size_t i = 0; i < n; i++)
		screen_add_column(s, row[i].header, "%f", NULL, row[i].text);
	topic_set(s);
	for (size_t i = 0; i < n; i++)
		tap_int(s->column[i].topic, row[i].topic, "%s: %s", row[i].header, row[i].text);
	screen_free(s);
}

int main(void)
{
	test_variables();
	test_built_in();
	test_names();
	return tap_done();
}
