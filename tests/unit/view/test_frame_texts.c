/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of texts: output, sorting, and unknown or missing texts.
 */
#include "frame_rig.h"
#include "model/fact_list.h"
#include "screen/compile.h"
#include "tap.h"
#include "view/condition.h"
#include "view/evaluate.h"
#include "view/format.h"
#include "view/row_filter.h"
#include "view/view.h"

static const struct rig_task tasks[] = {
	{.id = 10, .name = "a", .user = "root", .cpu_ns = 1000000, .cgroup = "/b"},
	{.id = 20, .name = "b", .user = "al ice", .cpu_ns = 1000000, .cgroup = "/A\033"},
	{.id = 30, .name = "c", .user = "a name that is long", .cpu_ns = 1000000},
	{.id = 40, .name = "d", .user = "bob", .cpu_ns = 1000000, .cgroup = ""},
};

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("texts", NULL);

	screen_add_column(s, "USER", "%-8s", NULL, "USER");
	screen_add_column(s, "S", "%s", NULL, "STATE");
	screen_add_column(s, "GROUP", "<%s>", NULL, "CGROUP");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "  MEM", "%5h", NULL, "MEM_TOTAL_KB");
	frame_rig_init(r, s);
	for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
		frame_rig_add(r, &tasks[i]);
	r->view.sort = SORT_PID;
	r->view.reverse = true;
}

static void check_row(const struct frame_rig *r, size_t i, const char *want)
{
	struct strbuf out;

	strbuf_init(&out);
	format_row(&out, &r->frame, &r->frame.row[i]);
	tap_str(out.text, want, "row %zu", i);
	strbuf_done(&out);
}

static void test_rows(void)
{
	struct strbuf header;
	struct frame_rig r;

	begin(&r);
	frame_rig_build(&r);
	strbuf_init(&header);
	format_header(&header, &r.frame);
	tap_str(header.text, "[ PID] USER     S GROUP  %CPU   MEM COMMAND ",
		"names stand above the beginnings of texts");
	strbuf_done(&header);
	check_row(&r, 0, "   10  root     S </b>    0.1  8.0M ");
	check_row(&r, 1, "   20  al ice   S </A?>   0.1  8.0M ");
	check_row(&r, 2, "   30  a name that is long S ?       0.1  8.0M ");
	check_row(&r, 3, "   40  bob      S <->     0.1  8.0M ");
	r.view.safe_names = true;
	check_row(&r, 1, "   20  al_ice   S </A?>   0.1  8.0M ");
	check_row(&r, 2, "   30  a_name_that_is_long S ?       0.1  8.0M ");
	frame_rig_done(&r);
}

static void check_order(struct frame_rig *r, const char *column, int a, int b, int c, int d)
{
	const int want[] = {a, b, c, d};
	int right = 0;

	r->view.reverse = false;
	sort_parse(r->screen, column, &r->view.sort, &r->view.reverse, NULL);
	frame_rig_build(r);
	for (size_t i = 0; i < 4; i++)
		right += r->frame.row[i].task->id == (uint64_t)want[i];
	tap_int(right, 4, "sorted by %s", column);
}

static void test_sorting(void)
{
	struct frame_rig r;

	begin(&r);
	check_order(&r, "user", 30, 20, 40, 10);
	check_order(&r, "user:desc", 10, 40, 20, 30);
	/* Unknown values come last in both directions; empty texts are the smallest. */
	check_order(&r, "group", 40, 20, 10, 30);
	check_order(&r, "group:desc", 10, 20, 40, 30);
	frame_rig_done(&r);
}

/* A screen with a column of users has no second one beside the columns, whatever -U says. */
static void test_user(void)
{
	struct screen *without = screen_new("without", NULL);
	struct frame_rig r;
	bool reverse = false;
	int sort;

	begin(&r);
	r.view.show_user = true;
	frame_rig_build(&r);
	tap_ok(!r.frame.show_user, "a screen with a column of users needs none beside");
	check_row(&r, 0, "   10  root     S </b>    0.1  8.0M ");
	tap_int(sort_first(r.screen), 3, "it is sorted by its first number");
	sort_parse(r.screen, "user", &sort, &reverse, NULL);
	tap_int(sort, 0, "'user' is its column");
	screen_add_column(without, "S", "%s", NULL, "STATE");
	screen_compile(without, frame_rig_report, (void *)"screen", NULL);
	tap_ok(view_shows_user(&r.view, without), "one without has him beside the columns");
	r.view.show_user = false;
	tap_ok(!view_shows_user(&r.view, without), "where he is wanted");
	tap_int(sort_first(without), 0, "one of texts only is sorted by the first of them");
	screen_free(without);
	frame_rig_done(&r);
}

/* Returns the %CPU of a row as its verdict; of task 40, none. */
static const char *say_cpu(void *context, const struct sample *sample, const struct delta_row *row)
{
	(void)sample;
	snprintf(context, 16, "%.0f", evaluate_cpu(row).number + 0.01);
	return row->task->id == 40 ? NULL : context;
}

/* The verdict engine is in a layer above: this test takes its place. */
static void test_verdict(void)
{
	struct screen *s = screen_new("s", NULL);
	struct frame_rig r;
	char words[16];
	const struct judged judged = {say_cpu, NULL, words};
	struct strbuf text;

	screen_add_column(s, "VERDICT", "%-8s", NULL, "VERDICT");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	frame_rig_init(&r, s);
	frame_rig_add(&r, &(struct rig_task){.id = 10, .cpu_ns = 500000000});
	frame_rig_add(&r, &(struct rig_task){.id = 20, .cpu_ns = 70000000});
	frame_rig_add(&r, &(struct rig_task){.id = 40, .cpu_ns = 1000000});
	tap_ok(fact_in(s->facts, FACT_WAIT_NS), "what a verdict asks for is read");
	frame_rig_build(&r);
	tap_int(frame_value(&r.frame, &r.frame.row[0], 0).quality, QUALITY_NOT_READ,
		"there is no judge: it is unknown");
	r.view.judged = &judged;
	r.view.sort = 0;
	frame_rig_build(&r);
	strbuf_init(&text);
	for (size_t i = 0; i < r.frame.n; i++) {
		format_row_cell(&text, &r.frame, &r.frame.row[i], 0);
		strbuf_addch(&text, '|');
	}
	tap_str(text.text, "50      |7       |?       |",
		"rows have their words, and sort by them");
	strbuf_reset(&text);
	tap_int(row_filter_make(&r.view.row_filter, "verdict == '7'", s, NULL, NULL), 0,
		"a filter asks for it");
	row_filter_set_judged(r.view.row_filter, &judged);
	frame_rig_build(&r);
	tap_int((long)r.frame.n, 1, "and gets those rows");
	tap_int((long)r.frame.row[0].task->id, 20, "that have these words");
	tap_int((long)r.frame.n_unknown, 1, "of others it is unknown");
	row_filter_free(r.view.row_filter);
	strbuf_done(&text);
	frame_rig_done(&r);
}

int main(void)
{
	test_verdict();
	test_rows();
	test_sorting();
	test_user();
	return tap_done();
}
