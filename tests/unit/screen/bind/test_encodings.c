/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a screen as lines for programs: each kind of cores, groups, and the reasons for
 * hidden columns.
 */
#include "base/mem.h"
#include "pmu/event/foreign_cpu.h"
#include "screen/bind/encodings.h"
#include "tap.h"

static const struct cpu_name cpus[] = {
	{"plain", "06_10", "a test", NULL},
	{"mixed", "06_30", "a test", NULL},
	{"big", "06_10;mixed@cpu_core", "a test", NULL},
	{"small", "mixed@cpu_atom", "a test", NULL},
};
static const struct event_choice misses[] = {
	{.model = "big", .event = "r10d1", .name = "L2_MISS", .source = "a test"},
	{.model = "small", .event = "r80d1", .weight = "5", .source = "a test"},
};
static const struct event_choice stalls[] = {
	{.model = "big", .event = "r40004a3", .name = "STALLS", .source = "a test"}};
static const struct event_def events[] = {
	{"misses", "loads", "loads that missed", misses, 2, NULL},
	{"stalls", "cycles", "cycles that were lost", stalls, 1, NULL},
};
static const struct event_table table = {cpus, 4, events, 2, NULL};

static void add_counter(struct screen *s, const char *alias, const char *event, const char *model)
{
	struct counter_decl *c = screen_add_counter(s, alias, "", NULL);

	c->event = xstrdup(event);
	c->model = model ? xstrdup(model) : NULL;
}

static struct screen *new_screen(bool optional)
{
	struct screen *s = screen_new("s\tx", "");

	add_counter(s, "cycle", "cycles", NULL);
	add_counter(s, "miss", "misses", NULL);
	add_counter(s, "stall", "stalls", NULL);
	add_counter(s, "fault", "page-faults", NULL);
	add_counter(s, "own", "r1c2", "mixed");
	s->needs = xstrdup("a test");
	screen_add_column(s, "%CPU", "%f", "", "CPU_TOT");
	screen_add_column(s, "OWN", "%f", "", "delta(own)");
	screen_add_column(s, "M/C", "%f", "", "delta(miss) / delta(cycle)");
	screen_add_column(s, "ST", "%f", "", "delta(stall)");
	screen_add_column(s, "PF", "%f", "", "delta(fault)");
	screen_add_column(s, "FAST", "%f", "", "FAST_CORES");
	for (size_t i = 0; i < s->n_columns; i++)
		s->column[i].optional = optional;
	return s;
}

static void test(const char *cpu, bool optional, const char *want)
{
	struct machine m = {.table = &table};
	struct screen *s = new_screen(optional);
	struct perf_sys sys;
	struct strbuf out;

	strbuf_init(&out);
	perf_foreign_init(&sys);
	machine_set_foreign(&m, cpu, NULL);
	encodings_add(&out, s, &m, &sys);
	tap_str(out.text, want, "%s, %s", cpu, optional ? "optional columns" : "needed columns");
	strbuf_done(&out);
	screen_free(s);
}

/* If a screen is hidden, the reason is that of the column variant for this CPU, whether that column
 * is optional or not. */
static void test_variants(void)
{
	struct machine m = {.table = &table};
	struct screen *s = screen_new("s", "");
	struct perf_sys sys;
	struct strbuf out;

	add_counter(s, "own", "r1c2", "mixed");
	add_counter(s, "miss", "misses", NULL);
	screen_add_column(s, "A", "%f", "", "delta(own)");
	screen_add_column(s, "A", "%f", "", "delta(miss)")->optional = true;
	strbuf_init(&out);
	perf_foreign_init(&sys);
	machine_set_foreign(&m, "06_50", NULL);
	encodings_add(&out, s, &m, &sys);
	tap_str(out.text,
		"06_50\ts\t-\t-\tcounter 'miss': the event 'misses' is not known for this "
		"CPU\t-\t-\t-\t-\t-\n",
		"the reason of the column for this CPU");
	strbuf_done(&out);
	screen_free(s);
}

int main(void)
{
	struct strbuf head;

	test("plain", true,
	     "06_10\ts x\tm_c\tmiss\tL2_MISS\t0x4\t0x10d1\t0x0\t0x2\t1\n"
	     "06_10\ts x\tm_c\tcycle\tcycles\t0x0\t0x0\t0x0\t0x2\t1\n"
	     "06_10\ts x\tst\tstall\tSTALLS\t0x4\t0x40004a3\t0x0\t0x4\t1\n"
	     "06_10\ts x\tpf\tfault\tpage-faults\t0x1\t0x2\t0x0\t0x0\t1\n"
	     "06_10\ts x\town\t-\tthe counter 'own' is declared for other CPUs\t-\t-\t-\t-\t-\n"
	     "06_10\ts x\tfast\t-\tall cores are of one kind\t-\t-\t-\t-\t-\n");
	test("mixed", true,
	     "06_30\ts x\town\town@cpu_core\tr1c2\t0x4\t0x1c2\t0x0\t0x1\t1\n"
	     "06_30\ts x\town\town@cpu_atom\tr1c2\tcpu_atom\t0x1c2\t0x0\t0x1\t1\n"
	     "06_30\ts x\tm_c\tmiss@cpu_core\tL2_MISS\t0x4\t0x10d1\t0x0\t0x2\t1\n"
	     "06_30\ts x\tm_c\tmiss@cpu_atom\tr80d1\tcpu_atom\t0x80d1\t0x0\t0x2\t5\n"
	     "06_30\ts x\tm_c\tcycle@cpu_core\tcycles\t0x0\t0x400000000\t0x0\t0x2\t1\n"
	     "06_30\ts x\tm_c\tcycle@cpu_atom\tcycles\t0x0\t0x0\t0x0\t0x2\t1\n"
	     "06_30\ts x\tst\tstall@cpu_core\tSTALLS\t0x4\t0x40004a3\t0x0\t0x4\t1\n"
	     "06_30\ts x\tst\tstall@cpu_atom\tno event of it is known for these "
	     "cores\t-\t-\t-\t-\t-\n"
	     "06_30\ts x\tpf\tfault\tpage-faults\t0x1\t0x2\t0x0\t0x0\t1\n");
	test("06_50", true,
	     "06_50\ts x\tpf\tfault\tpage-faults\t0x1\t0x2\t0x0\t0x0\t1\n"
	     "06_50\ts x\town\t-\tthe counter 'own' is declared for other CPUs\t-\t-\t-\t-\t-\n"
	     "06_50\ts x\tm_c\t-\tcounter 'miss': the event 'misses' is not known for this "
	     "CPU\t-\t-\t-\t-\t-\n"
	     "06_50\ts x\tst\t-\tcounter 'stall': the event 'stalls' is not known for this "
	     "CPU\t-\t-\t-\t-\t-\n"
	     "06_50\ts x\tfast\t-\tall cores are of one kind\t-\t-\t-\t-\t-\n");
	test("06_50", false,
	     "06_50\ts x\t-\t-\tcounter 'miss': the event 'misses' is not known for this "
	     "CPU; a test\t-\t-\t-\t-\t-\n");
	test("plain", false,
	     "06_10\ts x\t-\t-\tthe counter 'own' is declared for other CPUs; a "
	     "test\t-\t-\t-\t-\t-\n");
	test_variants();
	strbuf_init(&head);
	encodings_add_head(&head);
	tap_str(head.text,
		"cpu\tscreen\tcolumn\tcounter\tevent\ttype\tconfig\tconfig1\tgroup\tweight\n",
		"the head");
	strbuf_done(&head);
	return tap_done();
}
