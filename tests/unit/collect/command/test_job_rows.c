/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of follow in each format: of one set and of several, with unknown values and exit
 * statuses. */
#include "collect/command/job.h"

#include <errno.h>

#include "golden.h"

#define SETS_MAX 2

struct line {
	double time_s;
	struct follow_row row;
};

static const struct value counts[] = {
	{5e9, 1, QUALITY_EXACT, 0}, {3.4, 0.5F, QUALITY_SCALED, 0}, {2.5, 1, QUALITY_EXACT, 0}};
static const struct value parts[] = {{1e18, 1, QUALITY_EXACT, 0x7ff},
				     {12345678901234567.0, 0.5F, QUALITY_PARTIAL, 0},
				     {0, 1, QUALITY_EXACT, 0}};
static const struct value nothing[] = {
	{NAN, 1, QUALITY_DENIED, 0}, {NAN, 1, QUALITY_GONE, 0}, {NAN, 1, QUALITY_NOT_SCHEDULED, 0}};
static const struct value exact[] = {
	{1, 1, QUALITY_EXACT, 0}, {20, 1, QUALITY_EXACT, 0}, {300, 1, QUALITY_EXACT, 0}};

/* clang-format off */
static const struct line lines[] = {
	{0, {.kind = FOLLOW_INIT_LWP, .process = 100, .task = 100, .value = exact}},
	{0.0000004, {.kind = FOLLOW_LWP_CREATE, .process = 100, .task = 101, .value = parts}},
	{1.5, {.kind = FOLLOW_TICK, .process = 100, .task = 101, .value = counts}},
	{1.9996, {.kind = FOLLOW_TICK, .process = 4194304, .task = 12345678, .value = nothing}},
	{2, {.kind = FOLLOW_FORK, .process = 100, .task = 100, .made = 4194303}},
	{10.25, {.kind = FOLLOW_LWP_EXIT, .process = 100, .task = 101, .set = 1, .value = counts}},
	{99999.9999, {.kind = FOLLOW_EXEC, .process = 12345678, .value = parts}},
	{99999.9999, {.kind = FOLLOW_EXEC, .process = 100, .image = "cc1"}},
	{100000, {.kind = FOLLOW_EXEC, .process = 100, .image = "a, \"b\"\033[1m\n\xff\u00e9 "}},
	{100000, {.kind = FOLLOW_EXEC, .process = 100, .image = ""}},
	{123456.5, {.kind = FOLLOW_FINI_LWP, .process = 100, .task = 100, .set = 1, .value = nothing}},
	{123456.5, {.kind = FOLLOW_EXIT, .process = 100, .value = counts, .ended = true}},
	{123456.5, {.kind = FOLLOW_EXIT, .process = 100, .set = 1, .value = exact, .ended = true, .how = 3 << 8}},
	{123456.5, {.kind = FOLLOW_EXIT, .process = 100, .value = nothing, .ended = true, .how = 11 | 0x80}},
	{123456.5, {.kind = FOLLOW_EXIT, .process = 100, .value = exact}},
	{123457, {.kind = FOLLOW_EXIT, .process = 100, .ended = true, .how = 9}},
};
/* clang-format on */

static void add_lines(struct follow_lines *l, int n_sets, struct strbuf *out)
{
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct follow_row row = lines[i].row;

		row.set = row.set < n_sets ? row.set : 0;
		follow_lines_row(l, out, lines[i].time_s, &row);
	}
}

/* names: of each set, the names of its events, 3 at most. */
static void check(const char *name, const char *const names[][4], int n_sets, const char *fields)
{
	static const char *const formats[] = {"text", "csv", "json"};
	struct event_set set[SETS_MAX];
	struct strbuf out;

	for (int s = 0; s < n_sets; s++) {
		event_set_init(&set[s]);
		for (int c = 0; names[s][c]; c++)
			event_set_add(&set[s], names[s][c]);
	}
	strbuf_init(&out);
	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		char *file = xasprintf("%s-%s", name, formats[f]);
		struct follow_lines l;

		strbuf_reset(&out);
		follow_lines_init(&l, (enum report_format_id)f, set, n_sets);
		tap_int(follow_lines_choose(&l, fields, NULL), 0, "%s: the fields", file);
		follow_lines_header(&l, &out);
		add_lines(&l, n_sets, &out);
		golden_check("follow", file, out.text);
		follow_lines_done(&l);
		free(file);
	}
	strbuf_done(&out);
	for (int s = 0; s < n_sets; s++)
		event_set_done(&set[s]);
}

static void check_refused(int n_sets, const char *fields, const char *want)
{
	struct event_set set[SETS_MAX];
	struct err err = ERR_INIT;
	struct follow_lines l;

	for (int s = 0; s < n_sets; s++) {
		event_set_init(&set[s]);
		event_set_add(&set[s], "cycles");
	}
	follow_lines_init(&l, REPORT_AS_CSV, set, n_sets);
	tap_int(follow_lines_choose(&l, fields, &err), -EINVAL, "%s: refused", fields);
	tap_str(err.text, want, "with this sentence");
	follow_lines_done(&l);
	for (int s = 0; s < n_sets; s++)
		event_set_done(&set[s]);
}

static void test_refusals(void)
{
	check_refused(
		1, "pid,cycle",
		"--fields: tiptop follow has no field 'cycle' (did you mean 'cycles'?): its fields "
		"are time_s, pid, lwp, event, cycles, quality, remark");
	check_refused(2, "cycles",
		      "--fields: tiptop follow has no field 'cycles': its fields are time_s, pid, "
		      "lwp, event, "
		      "pic0, quality, remark");
	check_refused(1, "pid,pid", "the field 'pid' (--fields) is named twice");
}

int main(void)
{
	static const char *const one[][4] = {{"cycles", "instructions", "page-faults:u", NULL}};
	static const char *const wide[][4] = {
		{"cycles", "cpu/event=0x3c,umask=0x01/u", "\"b\"", NULL}};
	static const char *const two[][4] = {{"cycles", NULL},
					     {"cpu/event=0x3c,umask=0x01/u", "b", "c", NULL}};
	static const char *const same[][4] = {{"cycles", "cycles", "cycles", NULL}};

	static const char *const harmful[][4] = {{"a\033[1mb", NULL}};

	check("harmful", harmful, 1, NULL);
	check("one", one, 1, NULL);
	check("wide", wide, 1, NULL);
	check("sets", two, 2, NULL);
	check("same", same, 1, NULL);
	check("one-fields", one, 1, "event,lwp,instructions,quality,time_s,remark");
	check("wide-fields", wide, 1, "cpu/event=0x3c,umask=0x01/u,pid");
	check("sets-fields", two, 2, "time_s,pic2,pic0,event");
	test_refusals();
	return tap_done();
}
