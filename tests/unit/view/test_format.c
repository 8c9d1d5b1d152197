/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells, headers, rows and commands as text.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "frame_rig.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "screen/compile.h"
#include "tap.h"
#include "view/format.h"
#include "view/view.h"

/* Returns the header and the cell of a column as text. */
static const char *cell(const char *header, const char *format, struct value v)
{
	static char text[256];
	struct screen *s = screen_new("test", NULL);
	struct strbuf sb;

	strbuf_init(&sb);
	strbuf_addstr(&sb, "|");
	screen_add_column(s, header, format, NULL, "CPU_TOT");
	screen_compile(s, frame_rig_report, (void *)"screen", NULL);
	format_cell(&sb, &s->column[0], v, false);
	snprintf(text, sizeof text, "%s|", sb.text);
	strbuf_done(&sb);
	screen_free(s);
	return text;
}

static void test_shortened(void)
{
	static const struct {
		const char *header, *format;
		double number;
		bool change;
		int width;
		const char *want;
	} table[] = {
		{"x", "%5.1f", 1.25, false, 5, "|  1.2"},
		{"x", "%5.1f", 1234.25, false, 5, "| 1234"},
		{"x", "%5.1f", 1234567, false, 5, "|1.23M"},
		{"x", "%5.1f", 123.45, false, 4, "| 123"},
		{"x", " %3.0f", 1234, false, 4, "|1234"},
		{"x", " %3.0f", 12345, false, 4, "| 12K"},
		{"x", "<%4.1f>", 12345, false, 6, "| <12K>"},
		{"x", "%4.0f%%", 123456, false, 5, "|123K%"},
		{"x", "%5.1f", 123456, true, 5, "|+123K"},
		{"x", "%5.1f", -1234567, false, 5, "|-1.2M"},
		{"x", "%1.0f", 123, false, 2, "|123"},
		{"x", "%.2e", 1e300, false, 8, "|1.00e+300"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct screen *s = screen_new("test", NULL);
		const struct value v = value_exact(table[i].number);
		struct strbuf sb;

		strbuf_init(&sb);
		strbuf_addstr(&sb, "|");
		screen_add_column(s, table[i].header, table[i].format, NULL, "CPU_TOT");
		screen_compile(s, frame_rig_report, (void *)"screen", NULL);
		format_cell(&sb, &s->column[0], v, table[i].change);
		format_shorten_cell(&sb, 1, &s->column[0], v, table[i].change, table[i].width,
				    true);
		tap_str(sb.text, table[i].want, "%s of %.9g in %d characters", table[i].format,
			table[i].number, table[i].width);
		strbuf_done(&sb);
		screen_free(s);
	}
}

static void test_cells(void)
{
	static const struct {
		const char *header, *format;
		double number;
		const char *want;
	} table[] = {
		{"x", "%5.1f", 1.25, "|  1.2|"},
		{" LONGER", "%5.1f", 1.25, "|    1.2|"},
		{"x", "%.3f", 2, "|2.000|"},
		{"x", "%5.1f", 1234567, "|1234567.0|"},
		{"x", "%-8.2f", 3, "|3.00    |"},
		{"  MB/s", "%4.1f", -1.5, "|  -1.5|"},
		{"x", "<%4.1f>", 9, "|< 9.0>|"},
		{"WIDTH", "%1.0f%%", 7, "|   7%|"},
		{"  \xc2\xb5s", "%1.0f\xc2\xb5", 7, "|  7\xc2\xb5|"},
		{"x", "%.2e", 1e300, "|1.00e+300|"},
		{"x", "%5.1f", -0.0, "|  0.0|"},
		{"x", "%5.1f", -0.04, "|  0.0|"},
		{"x", "%5.1f", -0.06, "| -0.1|"},
		{"x", "-10 %+.0f", -0.4, "|-10 +0|"},
		{"x", "%7h", 12.34, "|   12.3|"},
		{"LONGER", "%3h%%", 12.34, "| 12.3%|"},
		{"x", "<%%%1h>", -1, "|<%-1.0>|"},
		{"x", "%.1e", -0.0, "|0.0e+00|"},
		{"x", "%.1e", -1e-300, "|-1.0e-300|"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		tap_str(cell(table[i].header, table[i].format, value_exact(table[i].number)),
			table[i].want, "%g by '%s' below '%s'", table[i].number, table[i].format,
			table[i].header);
	for (int q = QUALITY_FIRST_NONE; q < N_QUALITIES; q++) {
		char want[32];

		snprintf(want, sizeof want, "|%5s|", quality_table[q].mark);
		tap_str(cell("x", "%5.1f", value_none((enum quality)q)), want, "%s: its mark",
			quality_table[q].name);
		tap_ok(!strpbrk(want, "0123456789") && quality_table[q].mark[0],
		       "which is not a number");
	}
	tap_str(cell("x", "%5.1f", (struct value){2, 0.5, QUALITY_SCALED, 0}), "|  2.0|",
		"a scaled number is a number");
}

/* A double holds 53 bits, a count has 64: no digit may be lost. */
static void test_large_counts(void)
{
	static const struct {
		const char *format;
		uint64_t count;
		const char *want;
	} table[] = {
		{"%.0f", UINT64_MAX, "|18446744073709551615|"},
		{"%.0f", UINT64_MAX - 2047, "|18446744073709549568|"},
		{"%.0f", (1ull << 53) + 1, "|9007199254740993|"},
		{"%.0f", (1ull << 53) - 1, "|9007199254740991|"},
		{"%.0f", 9999999999999999999ull, "|9999999999999999999|"},
		{"%22.1f", UINT64_MAX, "|18446744073709551615.0|"},
		{"%22.0f", UINT64_MAX, "|  18446744073709551615|"},
		{"%+.0f", UINT64_MAX, "|+18446744073709551615|"},
		{"%% %.0f%%", UINT64_MAX, "|% 18446744073709551615%|"},
		{"%.19e", UINT64_MAX, "|1.8446744073709551615e+19|"},
		{"%.3g", UINT64_MAX, "|1.84e+19|"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct value v = value_count(table[i].count);

		const char *got = cell("x", table[i].format, v), *want = table[i].want;
		char rounded[32];

		if (v.rest && LDBL_MANT_DIG < 64) {
			snprintf(rounded, sizeof rounded, "%.14e|", (double)table[i].count);
			got += strcspn(got, "0123456789");
			want = rounded;
		}
		tap_str(got, want, "%s by '%s'", table[i].want, table[i].format);
	}
}

/* In a row of one cell, a number that is not exact has its mark. */
static void test_marks(void)
{
	static const struct {
		const char *header, *format;
		double number;
		const char *marked;
	} table[] = {
		{"     x", "%5.1f", 12.25, " 12.2~"},  {"x", "%.1f", 12.25, "12.2~"},
		{"x", "%5.1f", 12345.75, "12345.8~"},  {"      x", "%6.2f%%", 7, " 7.00%~"},
		{"       x", "%-8.2f", 3, "3.00~   "}, {"    x", "%+.0f", 3, "  +3~"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		for (int q = QUALITY_EXACT; q < QUALITY_FIRST_NONE; q++) {
			struct screen s = {.n_columns = 1, .column = &(struct column){0}};
			struct value v = {table[i].number, 1, (uint8_t)q, 0};
			struct task task = {.kind = &kind_task, .id = 42, .owner = 42};
			struct frame_row row = {.task = &task, .mark = ' ', .cell = &v};
			struct frame frame = {.screen = &s,
					      .view = &(struct view){0},
					      .kind = &kind_task,
					      .id_width = 5};
			struct strbuf sb, want;
			char *mark;

			s.column->format = (char *)table[i].format;
			s.column->width = text_length(table[i].header);
			strbuf_init(&sb);
			strbuf_init(&want);
			format_row(&sb, &frame, &row);
			strbuf_addstr(&want, "   42  ");
			if (q == QUALITY_EXACT)
				format_cell(&want, s.column, v, false);
			else
				strbuf_addstr(&want, table[i].marked);
			strbuf_addch(&want, ' ');
			mark = strchr(want.text, '~');
			if (mark)
				*mark = quality_table[q].mark[0];
			tap_str(sb.text, want.text, "%s: %g by '%s'", quality_table[q].name,
				table[i].number, table[i].format);
			tap_num(strtod(sb.text + 7, NULL), strtod(want.text + 7, NULL),
				"a script reads the number");
			strbuf_done(&sb);
			strbuf_done(&want);
		}
}

/* A command line is shown with the name first, by which rows are sorted. */
static void test_arguments(void)
{
	static const struct {
		const char *name, *cmdline, *want;
		bool dead;
	} table[] = {
		{"simulate", "/opt/sim/simulate --steps 100", "simulate --steps 100", false},
		{"simulate", "simulate", "simulate", false},
		{"bash", "-bash", "bash", false},
		{"a-process-with-q", "a-process-with-quite-a-name 1",
		 "a-process-with-quite-a-name 1", false},
		{"load.py", "/usr/bin/python3 ./load.py", "load.py: /usr/bin/python3 ./load.py",
		 false},
		{"nginx", "nginx: worker process", "nginx: worker process", false},
		{"kworker/0:1", NULL, "kworker/0:1", false},
		{"erased", "[erased]", "erased", false},
		{"evil", "evil \033[31m", "evil ?[31m", false},
		{"cc1", "cc1 -quiet", "cc1", true},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct task t = {.kind = &kind_task,
				 .id = 10,
				 .owner = 10,
				 .process = table[i].name,
				 .cmdline = table[i].cmdline,
				 .dead = table[i].dead};
		const struct delta_row from = {.task = &t};
		struct strbuf sb;

		strbuf_init(&sb);
		format_row_command(&sb, &(struct frame_row){&t, .from = &from, .label = t.process},
				   true);
		tap_ok(!strncmp(sb.text, table[i].want, strlen(table[i].want)), "%s: %s",
		       table[i].want, sb.text);
		t.id = 11;
		strbuf_reset(&sb);
		format_row_command(&sb, &(struct frame_row){&t, .from = &from, .label = t.process},
				   true);
		tap_ok(t.dead || !strncmp(sb.text + strlen(t.process), " (10)", 5),
		       "another thread has none");
		strbuf_done(&sb);
	}
}

/* On the live screen, the command of a thread has its name and the pid of its process. */
static void test_row_commands(void)
{
	struct task thread = {.id = 12, .owner = 10}, leader = {.id = 10, .owner = 10};
	const struct {
		struct frame_row row;
		const char *want;
	} table[] = {
		{{.task = &leader, .label = "java"}, "java"},
		{{.task = &thread, .parent = 10, .depth = 1, .label = "java"}, "java (10)"},
		{{.task = &thread, .parent = 10, .depth = 1, .label = "java", .thread = "GC\n1"},
		 "java {GC?1} (10)"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct strbuf sb;

		strbuf_init(&sb);
		format_row_command(&sb, &table[i].row, false);
		tap_str(sb.text, table[i].want, "the command of row %zu", i);
		strbuf_done(&sb);
	}
}

static void test_ends(void)
{
	static const struct {
		int64_t exit; /* 999: unknown */
		uint64_t life_ns;
		const char *want;
	} table[] = {
		{0, 520000000, "cc1 (status 0, 0.520 s)"},
		{3, 0, "cc1 (status 3)"},
		{-11, 3000000, "cc1 (SIGSEGV, 0.003 s)"},
		{-40, 1000000, "cc1 (signal 40, 0.001 s)"},
		{999, 1000000000, "cc1 (status ?, 1.000 s)"},
		{999, 0, "cc1"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct task *t = task_new(&kind_task, FACT_SET(FACT_EXIT, FACT_LIFE_NS), 0,
					  &(struct task_texts){.name = "cc1"});
		const struct delta_row from = {.task = t};
		struct strbuf sb;

		/* lost, as /proc has no facts of it any more; the exit status and lifetime are not
		 * stale for that. */
		t->dead = t->lost = true;
		if (table[i].exit != 999)
			task_set_fact(t, FACT_EXIT, (uint64_t)table[i].exit);
		if (table[i].life_ns)
			task_set_fact(t, FACT_LIFE_NS, table[i].life_ns);
		strbuf_init(&sb);
		format_row_command(&sb, &(struct frame_row){t, .from = &from, .label = "cc1"},
				   false);
		tap_str(sb.text, table[i].want, "the end of row %zu", i);
		strbuf_done(&sb);
		task_unref(t);
	}
}

static void test_header(void)
{
	struct screen *s = screen_new("test", NULL);
	struct frame_rig r;
	struct strbuf sb;

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "SYS", "%6.1f", NULL, "CPU_SYS");
	frame_rig_init(&r, s);
	frame_rig_add(&r, &(struct rig_task){.id = 42,
					     .cpu_ns = 250000000,
					     .user = "averylongusername",
					     .num_threads = 2});
	strbuf_init(&sb);
	frame_rig_build(&r);
	format_header(&sb, &r.frame);
	tap_str(sb.text, "  PID [ %CPU]   SYS COMMAND ", "the first column sorts");
	strbuf_reset(&sb);
	format_row(&sb, &r.frame, &r.frame.row[0]);
	tap_str(sb.text, "   42+  25.0    0.0 ", "a row below it");
	for (size_t i = 0; i < 2; i++)
		r.frame.row[0].cell[i] = value_exact(i ? 1234567.5 : 1234.5);
	strbuf_reset(&sb);
	format_row(&sb, &r.frame, &r.frame.row[0]);
	tap_str(sb.text, "   42+  1234 1234567.5 ",
		"a long number loses digits behind the point where that helps");
	r.view.sort = 1;
	r.view.show_user = true;
	frame_rig_build(&r);
	strbuf_reset(&sb);
	format_header(&sb, &r.frame);
	tap_str(sb.text, "  PID  user        %CPU[   SYS]COMMAND ",
		"the last column sorts, with users");
	strbuf_reset(&sb);
	format_row(&sb, &r.frame, &r.frame.row[0]);
	tap_str(sb.text, "   42+ averylongusername  25.0    0.0 ", "a long name is whole");
	r.view.sort = 2;
	r.view.show_user = false;
	frame_rig_build(&r);
	strbuf_reset(&sb);
	format_header(&sb, &r.frame);
	tap_str(sb.text, "  PID   %CPU    SYS[COMMAND]", "the command sorts");
	r.view.sort = SORT_PID;
	strbuf_reset(&sb);
	format_header(&sb, &r.frame);
	tap_str(sb.text, "[ PID]  %CPU    SYS COMMAND ", "the pid sorts, and no column moves");
	r.view.sort = SORT_USER;
	strbuf_reset(&sb);
	format_header(&sb, &r.frame);
	tap_str(sb.text, "  PID   %CPU    SYS COMMAND ", "the user sorts, who is not shown");
	r.view.show_user = true;
	frame_rig_build(&r);
	strbuf_reset(&sb);
	format_header(&sb, &r.frame);
	tap_str(sb.text, "  PID [user      ] %CPU    SYS COMMAND ", "or is");
	strbuf_done(&sb);
	frame_rig_done(&r);
}

static void test_uptime(void)
{
	struct strbuf sb;

	strbuf_init(&sb);
	format_uptime(&sb, &(struct host){.uptime_s = 3 * 86400 + 4 * 3600 + 5 * 60 + 6,
					  .load1 = 0.12,
					  .load5 = 1.5,
					  .load15 = 12.25});
	tap_str(sb.text, "up 3 days, 4:05, load average: 0.12, 1.50, 12.25", "the uptime");
	strbuf_reset(&sb);
	format_uptime(&sb, &(struct host){.uptime_s = 60, .load1 = 1, .load5 = NAN, .load15 = 2});
	tap_str(sb.text, "up 0 days, 0:01, load average: 1.00, ?, 2.00", "an unknown load");
	strbuf_done(&sb);
}

int main(void)
{
	test_cells();
	test_shortened();
	test_large_counts();
	test_marks();
	test_row_commands();
	test_arguments();
	test_ends();
	test_header();
	test_uptime();
	return tap_done();
}
