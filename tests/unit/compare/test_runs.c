/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statistics of a command's runs, and their output. */
#include "compare/runs.h"

#include <string.h>

#include "golden.h"

static const struct run_end fine = {.status = 0};

static void add(struct runs *r, const struct run_end *end, double wall, struct value faults)
{
	runs_begin(r, end);
	runs_put(r, "wall", UNIT_S, value_exact(wall));
	runs_put(r, "faults", UNIT_COUNT, faults);
}

static void test_numbers(void)
{
	const struct value scaled = {.number = 30, .share = 0.5f, .quality = QUALITY_SCALED};
	double number[4];
	size_t run[4];
	struct variation s;
	struct runs r;

	runs_init(&r, 4, 0);
	add(&r, &fine, 1, value_count(10));
	add(&r, &fine, 2, value_none(QUALITY_DENIED));
	add(&r, &fine, 3, scaled);
	runs_begin(&r, &fine);
	runs_put(&r, "late", UNIT_COUNT, value_count(5));
	tap_int((long)r.n_measures, 3, "measures come as they are put");
	tap_int((long)runs_numbers(&r, 1, number, run), 2, "what is unknown is not a number");
	tap_ok(number[0] == 10 && number[1] == 30 && run[1] == 2, "of which runs they are");
	runs_variation(&r, 0, &s);
	tap_ok(s.n == 3 && s.mean == 2, "a run that put nothing is not in the mean");
	tap_int((long)runs_numbers(&r, 2, number, run), 1, "nor are runs before the first number");
	tap_int((long)run[0], 3, "of a measure that came late");
	runs_put(&r, "late", UNIT_COUNT, value_count(6))->coarse = true;
	tap_ok(r.measure[2].coarse && r.measure[2].value[3].number == 6, "which is put again");
	tap_int(runs_worst(&r, 0).quality, QUALITY_EXACT, "all exact");
	tap_int(runs_worst(&r, 1).quality, QUALITY_SCALED, "one is scaled");
	runs_done(&r);
	runs_init(&r, 1, 0);
	add(&r, &fine, 1, value_none(QUALITY_DENIED));
	tap_int(runs_worst(&r, 1).quality, QUALITY_DENIED, "none is known: why");
	runs_done(&r);
}

/* Five similar runs and one that is much longer. */
static void make(struct runs *r)
{
	runs_init(r, 6, 2);
	for (int i = 0; i < 6; i++)
		add(r,
		    &(struct run_end){.status = i == 2   ? 3
						: i == 4 ? 139
							 : 0,
				      .signal = i == 4 ? 11 : 0},
		    i == 3 ? 50 : 1 + 0.01 * i, value_count(1000));
}

static void check_text(struct runs *r, const char *want, const char *what)
{
	struct strbuf text;

	strbuf_init(&text);
	runs_add_ends(&text, r);
	tap_str(text.text, want, "%s", what);
	strbuf_done(&text);
}

static void test_ends(void)
{
	struct runs r;

	make(&r);
	check_text(&r,
		   "6 runs after 2 to warm up, of which 2 failed: run 3 ended with status 3, run 5 "
		   "ended by signal 11",
		   "who failed, and how");
	runs_done(&r);
	runs_init(&r, 3, 0);
	check_text(&r, "0 runs of the 3 that were wanted", "none");
	tap_int(runs_status(&r), 0, "nor did one fail");
	runs_begin(&r, &fine);
	check_text(&r, "1 run of the 3 that were wanted, ended with status 0", "fewer than wanted");
	runs_begin(&r, &fine);
	runs_begin(&r, &fine);
	check_text(&r, "3 runs, all ended with status 0", "all");
	runs_done(&r);
	runs_init(&r, 3, 1);
	runs_begin(&r, &fine);
	runs_stop(&r, 3, &(struct run_end){.status = 7});
	check_text(&r,
		   "1 run of the 3 that were wanted after 1 to warm up, ended with status 0; run 2 "
		   "of 3 ended with status 7",
		   "one that stops them");
	tap_int(runs_status(&r), 7, "its status");
	runs_stop(&r, 1, &(struct run_end){.lost = true, .status = 1});
	check_text(&r,
		   "1 run of the 3 that were wanted after 1 to warm up, ended with status 0; run 1 "
		   "of the 1 to warm up ended with an unknown status",
		   "while it warms up");
	runs_done(&r);
}

static void test_text(void)
{
	struct strbuf text;
	struct runs r;

	strbuf_init(&text);
	make(&r);
	runs_add_text(&text, &r, "# ");
	tap_str(text.text,
		"#        MEAN         +-         SD      LEAST       MOST  RUNS\n"
		"#       9.187      20.98      19.99          1         50     6 s wall\n"
		"#        1000          0          0       1000       1000     6 faults\n"
		"# +-: the mean of many more such runs is within this in 95 of 100 cases "
		"(Student's t)\n"
		"# stands out by wall: run 4: 50\n",
		"a table, and what stands out");
	runs_done(&r);
	runs_init(&r, 1, 0);
	add(&r, &fine, 0.5, value_none(QUALITY_DENIED));
	strbuf_reset(&text);
	runs_add_text(&text, &r, "");
	tap_ok(strstr(text.text, "        ?          ?     0 faults: ") != NULL,
	       "what is unknown has its reason");
	runs_done(&r);
	strbuf_done(&text);
}

static void test_json(void)
{
	struct strbuf text;
	struct runs r;

	strbuf_init(&text);
	runs_init(&r, 3, 1);
	add(&r, &fine, 1, value_count(7));
	add(&r, &(struct run_end){.status = 137, .signal = 9}, 3, value_none(QUALITY_DENIED));
	runs_add_json(&text, &r);
	tap_str(text.text,
		"{\"n\":2,\"wanted\":3,\"warmups\":1,\"confidence\":0.95,\"ends\":[{\"status\":0,"
		"\"signal\":null},{\"status\":137,\"signal\":9}],\"stopped_by\":null,\"measures\":["
		"{\"name\":\"wall\","
		"\"unit\":\"s\",\"quality\":\"exact\",\"n\":2,\"mean\":2,\"margin\":null,"
		"\"sd\":1.4142135623730951,\"least\":1,\"most\":3,\"outliers\":[],\"values\":[1,"
		"3]},{\"name\":\"faults\",\"unit\":\"count\",\"quality\":\"exact\",\"n\":1,"
		"\"mean\":7,\"margin\":null,\"sd\":null,\"least\":7,\"most\":7,\"outliers\":[],"
		"\"values\":[7,null]}]}",
		"an object");
	runs_done(&r);
	strbuf_done(&text);
}

static void check_golden(struct strbuf *text, const char *name)
{
	if (text->text[text->len - 1] != '\n')
		strbuf_addch(text, '\n');
	golden_check("runs", name, text->text);
	strbuf_reset(text);
}

/* Measures of all qualities, and more outliers than are listed. */
static void test_formats(void)
{
	const struct value scaled = {.number = 30, .share = 0.5f, .quality = QUALITY_SCALED};
	struct strbuf text;
	struct runs r;

	strbuf_init(&text);
	runs_init(&r, 64, 2);
	for (int i = 0; i < 64; i++) {
		runs_begin(&r, i < 12 ? &(struct run_end){.status = 139, .signal = 11} : &fine);
		runs_put(&r, "wall", UNIT_S, value_exact(i % 5 ? 1 + (i % 2) * 0.001 : 1234567));
		runs_put(&r, "a,\033 \"b\"", UNIT_COUNT, i ? value_exact(7) : scaled);
		runs_put(&r, "none", UNIT_MS, value_none(QUALITY_DENIED));
		runs_put(&r, "coarse", UNIT_NS, value_count(i ? 10 : 1u << 30))->coarse = true;
	}
	runs_add_text(&text, &r, "");
	check_golden(&text, "text");
	runs_add_text(&text, &r, "# ");
	check_golden(&text, "before-text");
	runs_add_ends(&text, &r);
	check_golden(&text, "ends-text");
	runs_done(&r);
	runs_init(&r, 0, 0);
	runs_add_text(&text, &r, "");
	check_golden(&text, "empty-text");
	runs_add_json(&text, &r);
	check_golden(&text, "empty-json");
	runs_done(&r);
	runs_init(&r, 9, 1);
	add(&r, &fine, 2, scaled);
	add(&r, &(struct run_end){.lost = true}, 2, value_count(30));
	runs_put(&r, "none, of \"x\"", UNIT_COUNT, value_none(QUALITY_DENIED));
	runs_stop(&r, 3, &(struct run_end){.status = 139, .signal = 11});
	runs_add_json(&text, &r);
	check_golden(&text, "json");
	runs_done(&r);
	strbuf_done(&text);
}

int main(void)
{
	test_numbers();
	test_ends();
	test_text();
	test_json();
	test_formats();
	return tap_done();
}
