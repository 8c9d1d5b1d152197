/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions: the meaning of names; true, false and unknown results; and the positions of errors.
 */
#include "frame_rig.h"
#include "model/fact_list.h"
#include "tap.h"
#include "view/condition.h"
#include "view/view.h"

/* 10 has an IPC of 2; 20 an IPC of 0.5; 30 cannot be counted; 40 has no counts, so its IPC is 0 /
 * 0. */
static const struct rig_task tasks[] = {
	{.id = 10,
	 .name = "make",
	 .user = "db",
	 .cpu_ns = 500000000,
	 .count = {1000, 2000},
	 .counting = COUNT_OK,
	 .cgroup = "/a",
	 .cmdline = "make -j2"},
	{.id = 20,
	 .name = "cc1",
	 .user = "root",
	 .cpu_ns = 250000000,
	 .count = {1000, 500},
	 .counting = COUNT_OK,
	 .cgroup = "/b"},
	{.id = 30, .name = "ld", .user = "db", .cpu_ns = 100000000, .counting = COUNT_DENIED},
	{.id = 40,
	 .name = "sh",
	 .user = "eve",
	 .cpu_ns = 1000000,
	 .count = {0, 0},
	 .counting = COUNT_OK,
	 .cgroup = ""},
};

static const int parent[] = {0, 10, 10, 1};

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("s", NULL);

	screen_add_counter(s, "cycle", "CPU_CYCLES", "HARDWARE");
	screen_add_counter(s, "instr", "INSTRUCTIONS", "HARDWARE");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, "Mcycle", "%8.2f", NULL, "delta(cycle) / 1e6");
	screen_add_column(s, "  IPC", "%5.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "group", "%-12s", NULL, "CGROUP");
	screen_add_column(s, "cycle", "%5.1f", NULL, "7");
	frame_rig_init(r, s);
	for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
		frame_rig_add(r, &tasks[i]);
		for (int k = 0; k < 2; k++)
			task_set_fact(r->sample[k].task[i], FACT_PPID, (uint64_t)parent[i]);
	}
	r->view.sort = SORT_PID;
	r->view.reverse = true;
	frame_rig_build(r);
}

static const struct {
	const char *text;
	const char *want; /* answer for each task: y true, n false, ? unknown */
} table[] = {
	{"ipc < 0.6", "ny??"},
	{"ipc >= 2", "yn??"},
	{"[IPC] >= 2", "yn??"},
	{"cpu > 20", "yynn"},
	{"[%CPU] > 20", "yynn"},
	{"cpu == 50", "ynnn"},
	/* true or unknown is true; false and unknown is false */
	{"ipc < 0.5 && cpu > 20 || user == \"db\"", "ynyn"},
	{"ipc < 0.6 || user == 'db'", "yyy?"},
	{"ipc < 0.6 && user == 'db'", "nn?n"},
	{"!(ipc < 0.6)", "yn??"},
	{"!(ipc < 0.6 && user == 'db')", "yy?y"},
	{"ipc > 0 || !(ipc > 0)", "yy??"},
	/* names of the fields beside the columns */
	{"pid == 20", "nynn"},
	{"pid < 30", "yynn"},
	{"user == 'db'", "ynyn"},
	{"user != 'db'", "nyny"},
	{"command == 'make'", "ynnn"},
	{"user == 'db' and command != 'make'", "nnyn"},
	/* columns of texts, and texts */
	{"group == '/a'", "yn?n"},
	{"group == ''", "nn?y"},
	{"CGROUP == '/b'", "ny?n"},
	{"cgroup == '/b' or pid == 30", "nyyn"},
	{"state == 'S'", "yyyy"},
	{"program == 'ld'", "nnyn"},
	/* variables, in any case; facts that were not read */
	{"cpu_tot > 20", "yynn"},
	{"CPU_TOT > 20", "yynn"},
	{"num_threads == 1", "yyyy"},
	{"nice < 5", "????"},
	{"mem_total_kb == 8192", "yyyy"},
	{"delta(cpu_ns) > 2e8", "yynn"},
	/* counters by their names; a name is first looked up among ids of columns, then counters,
	 * then variables */
	{"delta(instr) == 2000", "yn?n"},
	{"delta(instr) / delta(cycle) < 0.6", "ny??"},
	{"rate(instr) > 400", "yy?n"},
	{"cycle == 7", "yyyy"},
	{"Mcycle > 0.0005", "yy?n"},
	{"mcycle > 0.0005", "yy?n"},
	/* descent from a pid; 1 is not in the sample */
	{"under(10)", "yyy?"},
	{"under(20)", "nyn?"},
	{"under(1)", "nnny"},
	{"under(2)", "nnn?"},
	{"!under(10)", "nnn?"},
	{"under(10) && !(pid == 10)", "nyy?"},
	{"under(10) && under(20)", "nyn?"},
	/* a number instead of a comparison: true unless 0 */
	{"ppid - 10", "ynny"},
	{"1", "yyyy"},
	{"1 / 0", "????"},
};

#define N_TASKS (sizeof tasks / sizeof *tasks)

static struct condition *compile(struct frame_rig *r, const char *text)
{
	struct condition *c = NULL;
	struct err err = ERR_INIT;

	if (condition_compile(&c, text, r->screen, &err))
		printf("# %s: %s\n", text, err.text);
	return c;
}

/* Each condition is tested without cells, as when a frame selects rows, and with cells. */
static void test_answers(void)
{
	struct frame_rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct condition *c = compile(&r, table[i].text);
		char got[N_TASKS + 1] = "", of_cells[N_TASKS + 1] = "", of_task[N_TASKS + 1] = "";

		if (!tap_ok(c != NULL, "%s is a condition", table[i].text))
			continue;
		condition_begin(c, &r.binding, &r.sample[1], false);
		for (size_t k = 0; k < r.frame.n && k < N_TASKS; k++) {
			const struct frame_row *row = &r.frame.row[k];
			struct value cell[5];

			for (size_t n = 0; n < r.frame.screen->n_columns; n++)
				cell[n] = frame_value(&r.frame, row, n);
			got[k] = "ny?"[condition_test(c, row->task, row->from, NULL)];
			of_cells[k] = "ny?"[condition_test(c, row->task, row->from, cell)];
			if (condition_is_of_task(c))
				of_task[k] = "ny?"[condition_test(c, row->task, NULL, NULL)];
		}
		tap_str(got, table[i].want, "%s", table[i].text);
		tap_str(of_cells, table[i].want, "%s, asked of cells", table[i].text);
		if (condition_is_of_task(c))
			tap_str(of_task, table[i].want, "%s, asked of tasks", table[i].text);
		condition_free(c);
	}
	frame_rig_done(&r);
}

static void test_needs(void)
{
	static const struct {
		const char *text;
		struct fact_set facts;
		bool of_task, asks;
	} needs[] = {
		{"ipc < 1", FACT_NONE, false, true},
		{"user == 'db' && !under(4)", FACT_SET(FACT_PPID), true, true},
		{"nice > 0", FACT_SET(FACT_NICE), false, true},
		{"delta(minflt) > 0 || group == 'x'", FACT_SET(FACT_MINFLT), false, true},
		{"executable != ''", FACT_SET(FACT_EXECUTABLE), true, true},
		{"cpu_sys + 1", FACT_SET(FACT_STIME_NS), false, false},
		{"pid > 100", FACT_NONE, true, true},
		{"group == 'x'", FACT_NONE, true, true}, /* the screen reads this fact itself */
	};
	struct frame_rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
		struct condition *c = compile(&r, needs[i].text);

		if (!tap_ok(c != NULL, "%s", needs[i].text))
			continue;
		tap_ok(fact_equal(condition_facts(c), needs[i].facts), "its facts");
		tap_int(condition_is_of_task(c), needs[i].of_task, "what it needs to be asked");
		tap_int(condition_has_test(c), needs[i].asks, "whether it asks");
		condition_free(c);
	}
	condition_free(NULL);
	frame_rig_done(&r);
}

static void test_faults(void)
{
	static const struct {
		const char *text, *want;
	} faults[] = {
		{"ipx < 0.5",
		 "column 1: there is no counter, variable or column 'ipx' in this screen (did you "
		 "mean 'ipc'?)"},
		{"ipc <", "column 6: a number, a name or '(' is expected, not the end"},
		{"ipc < 'a'",
		 "column 5: a text can only be compared with another text, and one side of "
		 "'<' is a number"},
		{"cpu > 1 && user == db",
		 "column 20: there is no counter, variable or column 'db' in this screen"},
		{"under(a)", "column 7: a whole number is expected, not 'a'"},
		{"under", "column 1: 'under' is a function: write under(pid)"},
		{"above(1)",
		 "column 1: there is no function 'above': there are delta(), rate(), per(), min(), "
		 "max(), abs(), if(), under()"},
		{"delta(ipc) > 1",
		 "column 7: there is no counter or variable 'ipc' in this screen"},
		{"1 + delta(nice)",
		 "column 11: delta(NICE) has no meaning: NICE is no counter, write it alone"},
		{"[no such] > 1", "column 1: there is no column '[no such]' in this screen"},
	};
	struct frame_rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct condition *c = NULL;
		struct err err = ERR_INIT;

		tap_ok(condition_compile(&c, faults[i].text, r.screen, &err) < 0 && !c,
		       "%s is refused", faults[i].text);
		tap_str(err.text, faults[i].want, "its sentence");
	}
	frame_rig_done(&r);
}

/* Parents are looked up in the sample for which the condition was begun. */
static void test_samples(void)
{
	struct frame_rig r;
	struct condition *c;
	const struct task *t;

	begin(&r);
	c = compile(&r, "under(10)");
	condition_begin(c, &r.binding, &r.sample[1], false);
	t = r.frame.row[1].task;
	tap_int(condition_test(c, t, NULL, NULL), TRI_TRUE, "20 is a child of 10");
	task_set_fact(r.sample[0].task[1], FACT_PPID, 0);
	condition_begin(c, &r.binding, &r.sample[0], false);
	tap_int(condition_test(c, t, NULL, NULL), TRI_FALSE, "in another sample it is not");
	condition_free(c);
	c = compile(&r, "command == 'make -j2'");
	condition_begin(c, &r.binding, &r.sample[1], true);
	tap_int(condition_test(c, r.frame.row[0].task, NULL, NULL), TRI_TRUE,
		"the command is what is shown: the command line");
	condition_free(c);
	frame_rig_done(&r);
}

int main(void)
{
	test_answers();
	test_needs();
	test_faults();
	test_samples();
	return tap_done();
}
