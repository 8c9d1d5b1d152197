/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics: the file for made-up tasks is compared with tests/golden/metrics. And totals, which must
 * not decrease.
 */
#include "output/metrics.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "frame_rig.h"
#include "golden.h"
#include "model/fact_list.h"
#include "tap.h"

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("default", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, "%CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	screen_add_column(s, "IPC", "%4.2f", "Instructions \\ cycle",
			  "delta(instr) / delta(cycle)");
	screen_add_column(s, "Minstr/s", "%8.2f", "Instructions", "rate(instr) / 1e6");
	screen_add_column(s, "cpu", "%5.1f", "The same once more", "CPU_TOT");
	screen_add_column(s, "x_total", "%5.1f", "What looks like a counter", "7");
	screen_add_column(s, "CGROUP", "%s", NULL, "CGROUP");
	s->column[1].unit_name = xstrdup("ratio");
	s->column[2].unit_name = xstrdup("million/s");
	return s;
}

/* Events with names. */
static void begin(struct frame_rig *r)
{
	struct sample_event event[2] = {
		{.given = "instructions", .kind = EVENT_RAW, .config = 1},
		{.given = "cpu-cycles:u", .kind = EVENT_RAW, .config = 2},
	};

	frame_rig_init(r, make_screen());
	sample_events_unref(r->events);
	r->events = sample_events_new(event, 2);
	frame_rig_add(r, &(struct rig_task){.id = 10,
					    .name = "gcc",
					    .user = "alice",
					    .uid = 7,
					    .counting = COUNT_OK,
					    .count = {300, 100},
					    .cpu_ns = 100000000});
	frame_rig_add(r, &(struct rig_task){.id = 11,
					    .name = "gcc",
					    .user = "alice",
					    .uid = 7,
					    .counting = COUNT_OK,
					    .count = {450, 900},
					    .cpu_ns = 400000000,
					    .dead = true});
	frame_rig_add(r, &(struct rig_task){.id = 12,
					    .name = "gcc",
					    .user = "root",
					    .counting = COUNT_DENIED,
					    .cpu_ns = 200000000});
	frame_rig_add(r, &(struct rig_task){.id = 13, .name = "a \"b\"\\\n\xff", .user = "root"});
}

static void remove_file(const char *path)
{
	tap_ok(!unlink(path), "%s is there", path);
}

static void check_file(const char *path, const char *name)
{
	char *text = golden_read(path);

	golden_check("metrics", name, text ? text : "(no file)");
	free(text);
}

/* Program names that become equal as values of labels, and names that remain different. */
static void test_merged(void)
{
	static const char *const name[] = {
		"a\xff",          "a\xfe",  "a\x01", "12345678901234\xc3", "12345678901234\xe2\x82",
		"12345678901234", "b\xc3(", "b\xc3"};
	struct sink sink = {.ops = &metrics_sink, .dest = {.fd = -1, .path = "tiptop.prom"}};
	struct err err = ERR_INIT;
	struct frame_rig r;

	frame_rig_init(&r, make_screen());
	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		frame_rig_add(&r, &(struct rig_task){.id = 10 + (int)i,
						     .name = name[i],
						     .user = "alice",
						     .uid = 7,
						     .counting = COUNT_OK,
						     .count = {300, 100u << i},
						     .cpu_ns = 10000000u << i});
	/* another user with the same name */
	frame_rig_add(&r,
		      &(struct rig_task){
			      .id = 20, .name = "b", .user = "alice", .uid = 8, .cpu_ns = 5000000});
	frame_rig_build(&r);
	sink.ops->open(&sink, &err);
	tap_int(sink.ops->frame(&sink, &r.frame, &err), 0, "names that are the same as labels");
	sink.ops->close(&sink, &err);
	check_file("tiptop.prom", "merged");
	unlink("tiptop.prom");
	frame_rig_done(&r);
}

/* Of locks, those with the largest total time are written, whatever their names are. */
static void test_dearest(void)
{
	static const uint64_t acquire_ns[] = {5000, 7000, 9000, 6000};
	static const bool dear[] = {false, true, true, false};
	struct metrics_rows rows;
	struct frame_rig r;
	struct delta of = {.kind = &kind_lock, .sample = &r.sample[1]};
	struct delta_row row[4];

	frame_rig_init(&r, make_screen());
	frame_rig_build(&r);
	metrics_rows_init(&rows);
	metrics_rows_begin(&rows, GROUP_PROCESS, &kind_lock, &of, fact_all);
	for (size_t i = 0; i < 4; i++) {
		const char name[] = {(char)('a' + i), '\0'};
		struct task *t = task_new(&kind_lock, FACT_SET(FACT_ACQUIRE_NS), 0,
					  &(struct task_texts){.user = "me", .name = name});

		t->id = t->owner = i + 1;
		task_set_fact(t, FACT_ACQUIRE_NS, acquire_ns[i]);
		row[i] = (struct delta_row){.task = t, .n_members = 1};
		metrics_rows_add(&rows, GROUP_PROCESS, &row[i]);
	}
	metrics_rows_end(&rows, 2);
	tap_int((long)rows.n_written, 2, "two locks are written");
	for (size_t i = 0; i < rows.n_written; i++)
		tap_ok(dear[rows.row[i].from->task->name[0] - 'a'], "one of the dearest: %s",
		       rows.row[i].from->task->name);
	metrics_rows_done(&rows);
	for (size_t i = 0; i < 4; i++)
		task_unref(row[i].task);
	frame_rig_done(&r);
}

/* Checks the file of a sink that groups by this key. */
static void check_written(enum group_key key, size_t n, const char *name)
{
	struct sink sink = {.ops = &metrics_sink, .dest = {.fd = -1, .path = "tiptop.prom"}};
	struct err err = ERR_INIT;
	struct frame_rig r;
	struct stat st;
	mode_t mask = umask(077);

	begin(&r);
	frame_rig_build(&r);
	tap_int(sink.ops->open(&sink, &err), 0, "opens");
	metrics_choose(&sink, &(struct metrics_choice){.key = key, .n = n});
	tap_int(sink.ops->frame(&sink, &r.frame, &err), 0, "writes");
	tap_int(sink.ops->frame(&sink, &r.frame, &err), 0, "and writes again");
	tap_int(sink.ops->close(&sink, &err), 0, "closes");
	tap_ok(!stat("tiptop.prom", &st) && (st.st_mode & 0777) == 0644, "readable for all");
	check_file("tiptop.prom", name);
	remove_file("tiptop.prom");
	frame_rig_done(&r);
	umask(mask);
}

#define PROGRAMS 7

/* A sink that is given one refresh after the other. */
struct chain {
	bool copies; /* also idle tasks have new readings: nothing of them can be kept */
	struct sink sink;
	struct sample sample[2];
	struct delta delta[2], processes;
	struct frame frame;
};

static void chain_begin(struct chain *c, const char *path, bool copies)
{
	struct err err = ERR_INIT;

	*c = (struct chain){.copies = copies,
			    .sink = {.ops = &metrics_sink, .dest = {.fd = -1, .path = path}}};
	c->sink.ops->open(&c->sink, &err);
	metrics_choose(&c->sink, &(struct metrics_choice){.key = GROUP_PROGRAM_USER, .n = 4});
	frame_init(&c->frame);
	delta_init(&c->processes);
	for (int k = 0; k < 2; k++) {
		delta_init(&c->delta[k]);
		sample_init(&c->sample[k]);
	}
}

static void chain_end(struct chain *c)
{
	struct err err = ERR_INIT;

	c->sink.ops->close(&c->sink, &err);
	unlink(c->sink.dest.path);
	frame_done(&c->frame);
	delta_done(&c->processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&c->delta[k]);
		sample_done(&c->sample[k]);
	}
}

/* Writes these tasks (NULL: none); returns the file. */
static char *chain_write(struct chain *c, struct frame_rig *r, struct task *const *task, int round)
{
	const int now = round % 2, before = 1 - now;
	struct sample *s = &c->sample[now];
	struct err err = ERR_INIT;

	sample_done(s);
	sample_init(s);
	s->refs = 1;
	s->number = (uint32_t)round;
	s->mono_ns = s->boot_ns = (uint64_t)(100 + round) * 1000000000u;
	s->host = r->sample[0].host;
	for (int i = 0; i < PROGRAMS; i++) {
		const struct task_texts texts =
			task[i] ? task_texts(task[i]) : (struct task_texts){0};

		if (task[i])
			sample_add(s, c->copies ? task_copy(task[i], task[i]->room, 2, &texts)
						: (struct task *)task_ref(task[i]));
	}
	sample_sort(s);
	delta_compute(&c->delta[now], round ? &c->delta[before] : NULL,
		      round ? &c->sample[before] : NULL, s);
	fold_processes(&c->processes, &c->delta[now]);
	frame_build(&c->frame, &r->binding, &r->view, &c->processes, NULL, (uint64_t)round);
	c->sink.ops->frame(&c->sink, &c->frame, &err);
	return round ? golden_read(c->sink.dest.path) : xstrdup("");
}

/* Makes the next reading of a task; old NULL: its first one. Takes over the reference to `old`. */
static struct task *run_task(struct frame_rig *r, struct task *old, int i, int round)
{
	const char *const name = round == 20 ? "renamed" : (char[]){(char)('a' + i), '\0'};
	struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS, FACT_RSS_KB), 2,
				  &(struct task_texts){.user = "joe", .name = name});
	const uint64_t ran = (uint64_t)(i * 7919 + round * 104729) % 100000000;

	t->id = t->owner = (uint64_t)(10 + i);
	t->start_ns = old ? old->start_ns : 1;
	t->counting = COUNT_OK;
	task_set_events(t, r->events);
	for (int e = 0; e < 2; e++) {
		t->count[e] = old ? old->count[e] : (struct count){0, 0, 0};
		t->count[e].value += ran / (uint64_t)(3 + e);
		t->count[e].enabled_ns = t->count[e].running_ns += ran;
	}
	task_set_fact(t, FACT_CPU_NS, (old ? task_fact(old, FACT_CPU_NS) : 0) + ran);
	task_set_fact(t, FACT_RSS_KB, 1000 + ran % 100);
	task_unref(old);
	return t;
}

/* Whatever is kept of groups and lines: the file is the same as that of a sink that makes
 * everything again. Tasks run, sleep, end, and their programs come back. */
static void test_kept(void)
{
	struct task *task[PROGRAMS] = {NULL};
	struct chain kept, made;
	struct frame_rig r;
	int n_bad = 0;

	frame_rig_init(&r, make_screen());
	frame_rig_bind(&r);
	chain_begin(&kept, "kept.prom", false);
	chain_begin(&made, "made.prom", true);
	for (int round = 0; round < 60; round++) {
		char *x, *y;

		for (int i = 0; i < PROGRAMS; i++)
			if (task[i] && task[i]->dead) {
				task_unref(task[i]);
				task[i] = NULL;
			} else if (!round || (i * 31 + round * 17) % 5 == 0) {
				task[i] = run_task(&r, task[i], i, round);
				task[i]->dead = round % 9 == 8;
			}
		x = chain_write(&kept, &r, task, round);
		y = chain_write(&made, &r, task, round);
		n_bad += !x || !y || strcmp(x, y) != 0;
		free(x);
		free(y);
	}
	tap_int(n_bad, 0, "what is kept is the same as what is made again");
	for (int i = 0; i < PROGRAMS; i++)
		if (task[i])
			task_unref(task[i]);
	chain_end(&made);
	chain_end(&kept);
	frame_rig_done(&r);
}

/* Writes a refresh with a hundred new programs. */
static void write_new_names(struct sink *sink, int round)
{
	char name[100][16];
	struct err err = ERR_INIT;
	struct frame_rig r;

	frame_rig_init(&r, make_screen());
	for (int k = 0; k < 2; k++)
		r.sample[k].mono_ns += (uint64_t)round * 1000000000u;
	for (int i = 0; i < 100; i++) {
		snprintf(name[i], sizeof name[i], "n%d", round * 100 + i);
		frame_rig_add(&r, &(struct rig_task){.id = 100 + i,
						     .name = name[i],
						     .user = "alice",
						     .uid = 7,
						     .cpu_ns = 1000000u + (unsigned)i,
						     .dead = true});
	}
	frame_rig_build(&r);
	sink->ops->frame(sink, &r.frame, &err);
	frame_rig_done(&r);
}

/* Returns the number of a series in the file, -1 if it is not there. */
static double find_number(const char *series)
{
	char *text = golden_read("tiptop.prom"), *at = text ? strstr(text, series) : NULL;
	double number = at ? strtod(at + strlen(series), NULL) : -1;

	free(text);
	return number;
}

/* With new names in each refresh, memory is bounded, and dropped names are added to the rest. */
static void test_many_names(void)
{
	const int rounds = 100;
	struct sink sink = {.ops = &metrics_sink, .dest = {.fd = -1, .path = "tiptop.prom"}};
	struct err err = ERR_INIT;

	sink.ops->open(&sink, &err);
	for (int round = 0; round < rounds; round++)
		write_new_names(&sink, round);
	tap_ok(find_number("\ntiptop_groups_forgotten_total ") >= 10000 - 2 * METRICS_REMEMBERED,
	       "%g groups are forgotten", find_number("\ntiptop_groups_forgotten_total "));
	tap_ok(find_number("\ntiptop_cpu_seconds_total{program=\"other\",user=\"\"} ") >
		       0.05 * rounds,
	       "those that are not written are in the series of the rest: %g s",
	       find_number("\ntiptop_cpu_seconds_total{program=\"other\",user=\"\"} "));
	sink.ops->close(&sink, &err);
	unlink("tiptop.prom");
}

static void test_faults(void)
{
	struct sink sink = {.ops = &metrics_sink, .dest = {.fd = -1, .path = "tiptop.prom"}};
	struct err err = ERR_INIT;
	struct frame_rig r;

	begin(&r);
	frame_rig_build(&r);
	sink.ops->open(&sink, &err);
	r.frame.interval_ns = 0;
	tap_int(sink.ops->frame(&sink, &r.frame, &err), 0, "without an interval");
	tap_ok(access("tiptop.prom", F_OK) != 0, "nothing is written");
	r.frame.interval_ns = 1;
	sink.dest.path = "no-folder/tiptop.prom";
	tap_int(sink.ops->frame(&sink, &r.frame, &err), -ENOENT, "a folder that there is not");
	tap_str(err.text, "cannot write 'no-folder/tiptop.prom': No such file or directory",
		"is named");
	sink.ops->close(&sink, &err);
	frame_rig_done(&r);
}

/* Returns whether a help text has another unit than its metric. */
static bool contradicts(const struct metrics_help *row)
{
	static const char *const units[] = {"%",    "per 100 ", "(millions", "ms per", "(ms)",
					    "(us)", "(ns)",     "(GHz)",     "(KiB)",  "minutes"};
	bool other = false;

	for (size_t i = 0; row->help && i < sizeof units / sizeof *units; i++)
		other |= strstr(row->help, units[i]) != NULL;
	if (other)
		printf("# %s %s\n", row->name, row->help);
	return other;
}

static void test_helps(void)
{
	struct metrics_helps helps;
	size_t n_other = 0, n_unknown = 0;

	metrics_helps_init(&helps);
	for (size_t i = 0; i < helps.n; i++) {
		n_other += contradicts(&helps.row[i]);
		n_unknown += !helps.row[i].help;
	}
	tap_ok(helps.n > 100, "metrics of %zu names", helps.n);
	tap_int((long)n_other, 0, "no help text has another unit than its metric");
	tap_ok(n_unknown < helps.n / 5, "%zu names are of columns that differ", n_unknown);
	tap_str(metrics_helps_find(&helps, "tiptop_cpu_ratio"), "CPU usage (1 is all of one CPU)",
		"%%CPU is 1 where one CPU is in use");
	tap_str(metrics_helps_find(&helps, "tiptop_fe_ratio"),
		metrics_helps_find(&helps, "tiptop_my_own"),
		"a name that several columns have says no more than one that none has");
	metrics_helps_done(&helps);
}

static void test_sums(void)
{
	struct metrics_sums sums = {.groups = HASH_INIT};
	struct metrics_group *g = metrics_group_of(&sums, "a", 1);

	tap_ok(metrics_group_of(&sums, "a", 2) == g, "a group is found again");
	tap_ok(metrics_group_of(&sums, "b", 2) != g, "other labels are another group");
	tap_ok(metrics_sum_add(g, 0, &(struct metrics_reading){100, 1, true, true}) == 100,
	       "a total");
	tap_ok(metrics_sum_add(g, 0, &(struct metrics_reading){150, 1, true, true}) == 150,
	       "grows");
	tap_ok(metrics_sum_add(g, 0, &(struct metrics_reading){20, 2, true, true}) == 170,
	       "goes on when counting restarts");
	tap_ok(metrics_sum_add(g, 0, &(struct metrics_reading){500, 3, true, true}) == 670,
	       "also where it then is larger");
	tap_ok(metrics_sum_add(g, 0, &(struct metrics_reading){400, 3, true, true}) == 670,
	       "never falls");
	tap_ok(metrics_sum_add(g, 0, &(struct metrics_reading){410, 3, true, true}) == 680,
	       "and grows from there on");
	tap_ok(metrics_sum_add(g, 1, &(struct metrics_reading){5, 3, false, true}) == 5,
	       "each metric has its own");
	tap_ok(metrics_sum_add(g, 1, &(struct metrics_reading){7, 4, false, true}) == 7,
	       "some do not restart");
	tap_ok(metrics_sum_add(g, 1, &(struct metrics_reading){9, 4, false, false}) == 7,
	       "what came together while it was not written is passed over");
	tap_ok(metrics_sum_add(g, 1, &(struct metrics_reading){12, 4, false, true}) == 10,
	       "and it goes on from there");
	tap_ok(metrics_sum_grow(g, 2, 2) == 2 && metrics_sum_grow(g, 2, 3) == 5,
	       "a series that grows");
	metrics_sums_limit(&sums, 2, 2);
	tap_ok(metrics_group_of(&sums, "a", 3) == g, "two are not too many");
	metrics_sums_limit(&sums, 1, 3);
	tap_int(sums.groups.n, 1, "but one too many is forgotten, the one that is not there");
	tap_ok(metrics_group_of(&sums, "a", 4) == g && g->n == 3, "the other one is not");
	metrics_sums_done(&sums);
}

int main(void)
{
	const char *temporary = getenv("TMPDIR");
	char *folder = xasprintf("%s/test-metrics-XXXXXX", temporary ? temporary : P_tmpdir);

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	check_written(GROUP_PROGRAM_USER, 0, "program-user");
	check_written(GROUP_PROGRAM_USER, 1, "one");
	check_written(GROUP_PROCESS, 0, "process");
	check_written(GROUP_USER, 0, "user");
	test_merged();
	test_dearest();
	test_kept();
	test_many_names();
	test_helps();
	test_faults();
	test_sums();
	if (chdir("/") || rmdir(folder))
		return 1;
	free(folder);
	return tap_done();
}
