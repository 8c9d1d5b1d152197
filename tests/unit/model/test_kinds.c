/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kind of rows, from the sample to the text: CPUs, with the same ids as processes.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "output/output.h"
#include "screen/compile.h"
#include "view/format.h"
#include "view/frame.h"

static const struct fact_set own_facts = FACT_SET(FACT_CPU_NS);

static const struct kind kind_own = {
	.name = "CPU",
	.part = "core",
	.id_name = "CPU",
	.id_help = "its number",
	.label_name = "WHERE",
	.label_help = "where it is",
	.facts = &own_facts,
};

static struct task *add_cpu(struct sample *s, uint64_t id, uint64_t busy_ns)
{
	const struct task_texts texts = {
		.user = "nobody", .name = "socket 0", .cmdline = "no command line"};
	struct task *t =
		sample_add(s, task_new(&kind_own, FACT_SET(FACT_CPU_NS, FACT_RSS_KB), 0, &texts));

	t->id = t->owner = id;
	t->uid = 7;
	task_set_fact(t, FACT_CPU_NS, busy_ns);
	task_set_fact(t, FACT_RSS_KB, 4711);
	return t;
}

static void test_identity(void)
{
	const struct task *x;
	struct steps s;

	begin(&s, 2, 0);
	for (uint64_t k = 0; k < 2; k++) {
		set_fact(add(&s.sample[k], 1, 0, COUNT_NONE), FACT_CPU_NS, 1000 + k * 5);
		add_cpu(&s.sample[k], 1, 1000 + k * 7);
		add_cpu(&s.sample[k], (1ull << 32) + 1, 1000 + k * 9);
		sample_sort(&s.sample[k]);
	}
	compute(&s);
	x = s.sample[1].task[0];
	tap_ok(x->kind == &kind_own && x->id == 1, "things of a kind stand together");
	tap_int(s.delta[1].n, 3,
		"a process, a CPU of the same number, and one whose number has 33 bits");
	check(delta_fact(&s.delta[1].row[0], FACT_CPU_NS), QUALITY_EXACT, 7, "the CPU");
	check(delta_fact(&s.delta[1].row[1], FACT_CPU_NS), QUALITY_EXACT, 9, "the other CPU");
	check(delta_fact(&s.delta[1].row[2], FACT_CPU_NS), QUALITY_EXACT, 5,
	      "and the process are three things");
	check(delta_fact_now(&s.delta[1].row[0], FACT_RSS_KB), QUALITY_NOT_READ, 0,
	      "a CPU has no memory to be read");
	done(&s);
}

/* Folding to processes keeps kinds apart: a CPU and a process may have owners with the same id. */
static void test_owners(void)
{
	struct delta folded;
	struct steps s;

	begin(&s, 2, 0);
	for (uint64_t k = 0; k < 2; k++) {
		set_fact(add(&s.sample[k], 3, 0, COUNT_NONE), FACT_MINFLT, k);
		set_fact(add(&s.sample[k], 4, 0, COUNT_NONE), FACT_VCSW, 2 * k);
		s.sample[k].task[1]->owner = 3;
		add_cpu(&s.sample[k], 1, k * 9);
		add_cpu(&s.sample[k], 3, k * 7);
		sample_sort(&s.sample[k]);
	}
	compute(&s);
	delta_init(&folded);
	fold_processes(&folded, &s.delta[1]);
	tap_int(folded.n, 3, "two CPUs and one process");
	tap_int(folded.row[2].n_members, 2, "of two threads");
	check(delta_fact(&folded.row[1], FACT_CPU_NS), QUALITY_EXACT, 7,
	      "the CPU with the number of the process");
	check(delta_fact(&folded.row[2], FACT_VCSW), QUALITY_PARTIAL, 2,
	      "the process has what its thread did");
	delta_done(&folded);
	done(&s);
}

/* The counters of a CPU are also enabled while it is idle. */
static void test_enabled(void)
{
	static const struct kind *const kind[] = {&kind_own, &kind_task};
	struct steps s;

	begin(&s, 2, 1);
	for (uint64_t k = 0; k < 2; k++)
		for (int i = 0; i < 2; i++)
			add_counted(&s.sample[k], 1, 0,
				    (struct count){k * 100, k * SECOND, k * SECOND})
				->kind = kind[i];
	compute(&s);
	check(s.delta[1].row[0].cpu_ns, QUALITY_NOT_READ, 0, "a CPU may have been idle meanwhile");
	check(s.delta[1].row[0].increment[0], QUALITY_EXACT, 100, "and has counted");
	check(s.delta[1].row[1].cpu_ns, QUALITY_EXACT, (double)SECOND,
	      "a task was on a CPU while its counters were enabled");
	done(&s);
}

struct fixture {
	struct steps steps;
	struct screen *screen;
	struct screen_numbers numbers; /* without events */
	struct binding binding;
	struct view view;
	struct frame frame;
};

static void begin_cpus(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	begin(&f->steps, 2, 0);
	for (uint64_t k = 0; k < 2; k++) {
		add_cpu(&f->steps.sample[k], 0, 5 * SECOND + k * SECOND / 4);
		add_cpu(&f->steps.sample[k], 1, 5 * SECOND + k * SECOND / 2);
	}
	compute(&f->steps);
	f->screen = screen_new("cpus", NULL);
	screen_add_column(f->screen, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(f->screen, " RES", "%4.0f", NULL, "RSS_KB");
	screen_compile(f->screen, NULL, NULL, NULL);
	binding_init(&f->binding, f->screen, &f->numbers);
	f->view = (struct view){.delay_s = 1, .filter = FILTER_ALL, .watch = FILTER_ALL};
	frame_init(&f->frame);
}

static const struct frame *build(struct fixture *f)
{
	frame_build(&f->frame, &f->binding, &f->view, &f->steps.delta[1], NULL, 1);
	return &f->frame;
}

static void done_cpus(struct fixture *f)
{
	frame_done(&f->frame);
	binding_done(&f->binding);
	screen_free(f->screen);
	done(&f->steps);
}

static void test_text(void)
{
	struct sink sink = {.ops = &sink_text};
	int fd = memfd_create("text", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	char buf[4096] = "", *table;
	struct fixture f;

	begin_cpus(&f);
	dest_use(&sink.dest, fd);
	sink.ops->open(&sink, &err);
	tap_int(sink.ops->frame(&sink, build(&f), &err), 0, "rows of CPUs are written");
	sink.ops->close(&sink, &err);
	lseek(fd, 0, SEEK_SET);
	tap_ok(read(fd, buf, sizeof buf - 1) > 0, "as text");
	close(fd);
	table = strstr(buf, "  CPU ");
	tap_str(table ? table : buf,
		"  CPU [ %CPU] RES WHERE \n"
		"    1   50.0    ? socket 0\n"
		"    0   25.0    ? socket 0\n\n",
		"with the names of their kind, and no fact that it has not");
	done_cpus(&f);
}

/* Filters by pid, user and name, which are for processes, do not exclude CPUs. */
static void test_conditions(void)
{
	struct fixture f;

	begin_cpus(&f);
	f.view.filter = (struct filter){.pid = 1, .uid = 8, .text = "bash"};
	tap_int(build(&f)->n, 2, "a filter by pid, user and name is not asked of CPUs");
	f.view.watch = (struct filter){.pid = 1, .uid = -1};
	f.view.watching = true;
	tap_ok(!build(&f)->row[0].watched && !f.frame.row[1].watched,
	       "and a pid marks none of them");
	done_cpus(&f);
}

static void test_parts(void)
{
	struct steps s;
	struct screen *screen = screen_new("none", NULL);
	struct view view = {.filter = FILTER_ALL, .idle = true};
	struct screen_numbers numbers = {.events = NULL};
	struct binding binding;
	struct frame frame;

	begin(&s, 2, 0);
	for (int k = 0; k < 2; k++) {
		add(&s.sample[k], 70, 1, COUNT_NONE);
		add(&s.sample[k], 71, 1, COUNT_NONE)->owner = 70;
	}
	compute(&s);
	frame_init(&frame);
	screen_compile(screen, NULL, NULL, NULL);
	binding_init(&binding, screen, &numbers);
	frame_build(&frame, &binding, &view, &s.delta[1], NULL, 1);
	tap_ok(frame.row[1].depth == 0 && frame.row[1].parent == 70,
	       "a thread belongs to a process");
	view.tree = true;
	frame_build(&frame, &binding, &view, &s.delta[1], NULL, 1);
	tap_ok(frame.row[0].depth == 0 && frame.row[0].parent == 70, "a leader stands for itself");
	tap_ok(frame.row[1].depth == 1 && frame.row[1].parent == 70,
	       "in a tree, another thread is a part of its process");
	frame_done(&frame);
	binding_done(&binding);
	screen_free(screen);
	done(&s);
}

static struct task *add_region(struct sample *s, int pid, uint32_t i, uint64_t calls)
{
	const struct task_texts texts = {
		.user = "alice", .name = i ? "sort" : "fill", .process = "prog"};
	struct task *t = sample_add(s, task_new(&kind_region, FACT_SET(FACT_CALLS), 0, &texts));

	t->id = t->owner = kind_region_id(pid, 0, i);
	t->uid = 7;
	task_set_fact(t, FACT_CALLS, calls);
	return t;
}

/* Ids of regions are stored in recordings, so their encoding must not change. */
static void test_region_ids(void)
{
	static const uint32_t number[] = {0, 1023, 1024, 65535};
	struct task t = {.id = 0};
	int right = 0;

	tap_int(kind_region_id(70, 3, 5), 70 << 16 | 3 << 10 | 5, "the number of a region");
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++) {
			t.id = kind_region_id(4194303 - k, 63, number[i]);
			right += kind_region.pid(&t) == 4194303 - k;
			right += t.id != kind_region_id(4194303 - k, 62, number[i]);
			right += t.id != kind_region_id(4194303 - k, 63, number[(i + 1) % 4]);
		}
	tap_int(right, 48, "tells its process, be there many regions");
}

static void begin_regions(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	begin(&f->steps, 2, 0);
	for (uint64_t k = 0; k < 2; k++) {
		add_region(&f->steps.sample[k], 70, 0, 5);
		add_region(&f->steps.sample[k], 70, 1, 5 + 3 * k);
		add_region(&f->steps.sample[k], 71, 0, 5 + 9 * k);
	}
	compute(&f->steps);
	f->screen = screen_new("regions", NULL);
	screen_add_column(f->screen, "CALLS", "%5.0f", NULL, "delta(CALLS)");
	screen_add_column(f->screen, " PROG", "%-5s", NULL, "PROGRAM");
	screen_compile(f->screen, NULL, NULL, NULL);
	binding_init(&f->binding, f->screen, &f->numbers);
	f->view = (struct view){.delay_s = 1, .filter = FILTER_ALL, .watch = FILTER_ALL};
	frame_init(&f->frame);
}

static void test_regions(void)
{
	struct fixture f;

	begin_regions(&f);
	tap_int(build(&f)->n, 2, "a region that was not called is idle");
	tap_str(f.frame.row[0].label, "fill", "the last field is its name");
	tap_ok(!f.frame.row[0].thread, "which is that of no thread");
	tap_int(task_number(f.frame.row[0].task), 71, "its number is that of its process");
	check(frame_value(&f.frame, &f.frame.row[0], 0), QUALITY_EXACT, 9, "calls in the interval");
	tap_str(frame_text(&f.frame, &f.frame.row[0], 1), "prog", "the program has another name");
	f.view.filter.pid = 70;
	f.view.idle = true;
	tap_int(build(&f)->n, 2, "a filter by pid has the regions of that process");
	f.view.filter = (struct filter){.text = "sort", .uid = -1};
	tap_int(build(&f)->n, 1, "one by name asks for that of the region");
	f.view.filter = (struct filter){.text = "prog", .uid = 8};
	tap_int(build(&f)->n, 0, "one by user is asked, too");
	tap_ok(kinds_find("region") == &kind_region && kinds_find("process") == &kind_task &&
		       !kinds_find("nothing"),
	       "kinds are found by their names");
	done_cpus(&f);
}

/* In the first sample there are the processes 70 to 72, of which 72 is of another program. In the
 * second, 72 is dead; the third does not have it. */
static void compute_programs(struct steps *s)
{
	begin(s, 3, 0);
	for (uint64_t k = 0; k < 3; k++) {
		add_region(&s->sample[k], 70, 1, 5 + 3 * k);
		add_region(&s->sample[k], 71, 1, 7 + 4 * k);
		if (k == 2)
			continue;
		add_region(&s->sample[k], 72, 1, 1 + k)->process = "old";
		s->sample[k].task[2]->dead = k == 1;
	}
	compute(s);
}

/* In groups by region, regions of the same name and program are one group. */
static void test_region_groups(void)
{
	static const struct filter all = FILTER_ALL;
	const struct grouping by = {.key = GROUP_REGION, .filter = &all, .sticky = true};
	const struct delta_row *row;
	struct delta groups;
	struct retired_groups retired;
	struct steps s;

	compute_programs(&s);
	delta_init(&groups);
	retired_groups_init(&retired);
	for (int k = 1; k < 3; k++) {
		retired_groups_update(&retired, &s.delta[k], &all, false, NULL);
		fold_groups(&groups, &s.delta[k], &by, &retired);
		tap_int(groups.n, 2, "the same name in two programs is two regions");
		if (groups.n != 2)
			break;
		row = &groups.row[!strcmp(groups.row[1].task->process, "prog")];
		check(delta_fact(row, FACT_CALLS), QUALITY_EXACT, 7, "calls of both processes");
		tap_int(row->n_members, 2, "which are two");
		row = row == groups.row ? row + 1 : row - 1;
		tap_str(row->task->name, "sort", "another region has the same name");
		tap_str(row->task->process, "old",
			"whose program is named though no member is alive");
		tap_ok(row->task->dead, "it is dead");
		check(delta_fact_now(row, FACT_CALLS), QUALITY_EXACT, 2, "with what it had");
	}
	tap_ok(group_key_is_for(GROUP_REGION, &kind_region) &&
		       !group_key_is_for(GROUP_REGION, &kind_task) &&
		       !group_key_is_for(GROUP_PROGRAM, &kind_region),
	       "tasks are not grouped so, nor regions as tasks");
	retired_groups_done(&retired);
	delta_done(&groups);
	done(&s);
}

/* A process that executes another program has two tables, each with a row 3. */
static void test_locks(void)
{
	const struct task_texts texts = {
		.name = "queue",
		.process = "prog",
		.read = {[FACT_CALLER - FACT_FIRST_READ_TEXT] = "work+0x1f"}};
	struct task *t = task_new(&kind_lock, fact_all, 0, &texts), *other;

	t->id = kind_table_id(4194303, 1, 3);
	tap_int(task_number(t), 4194303, "a lock has the number of its process");
	tap_ok(t->id != kind_table_id(4194303, 0, 3) && t->id != kind_table_id(4194303, 1, 4) &&
		       (int64_t)t->id > 0,
	       "and an id of its own, of a table and a row");
	tap_str(task_text(t, FACT_CALLER), "work+0x1f", "who acquires it");
	tap_ok(!task_text(t, FACT_KIND), "which kind it is need not be known");
	tap_ok(kinds_find("lock") == &kind_lock, "the kind is found by its name");
	other = task_new(&kind_lock, FACT_NONE, 0, &texts);
	tap_ok(group_key_stable(&kind_lock) == GROUP_LOCK &&
		       group_has(GROUP_LOCK, group_key_table[GROUP_LOCK].of(t), other) &&
		       !group_key_is_for(GROUP_REGION, &kind_lock),
	       "by its name and program it is the same in another recording");
	task_unref(t);
	task_unref(other);
}

static void test_calls(void)
{
	const struct task_texts texts = {.name = "read", .process = "prog"};
	struct task *t = task_new(&kind_call, fact_all, 0, &texts);

	t->id = kind_table_id(4711, 0, 7);
	tap_int(task_number(t), 4711, "a function has the number of its process");
	tap_ok(kinds_find("call") == &kind_call, "its kind is found by its name");
	tap_ok(group_key_stable(&kind_call) == GROUP_CALL &&
		       !group_key_is_for(GROUP_LOCK, &kind_call),
	       "functions of a program are a group, which is none of locks");
	task_unref(t);
}

int main(void)
{
	test_region_ids();
	test_regions();
	test_region_groups();
	test_locks();
	test_calls();
	test_identity();
	test_owners();
	test_enabled();
	test_text();
	test_conditions();
	test_parts();
	return tap_done();
}
