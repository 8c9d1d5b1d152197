/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of CPUs: for the machine, for each CPU, for the largest and smallest values; and the
 * summary. */
#include "output/output.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "delta_rig.h"
#include "model/fact_list.h"
#include "model/fold_groups.h"
#include "screen/compile.h"
#include "view/frame.h"
#include "view/view.h"

#define N_SAMPLES 3
#define MS        1000000u

/* For each sample and CPU, the busy time so far in ms. Below: the part of it in user mode. */
static const uint64_t busy_ms[N_SAMPLES][2] = {{5000, 7000}, {5250, 7500}, {6000, 8000}};
static const uint64_t user_ms[N_SAMPLES][2] = {{1000, 2000}, {1200, 2500}, {1500, 2750}};

struct fixture {
	struct steps steps;
	struct screen *screen;
	struct screen_numbers numbers; /* without events */
	struct binding binding;
	struct view view;
	struct frame frame;
	struct delta groups;
	struct retired_groups retired;
	struct sink sink;
	int fd;
	char text[8192];
};

static void add_cpus(struct sample *s, int k)
{
	s->threads = true;
	for (uint64_t i = 0; i < 2; i++) {
		const struct task_texts texts = {.name = i ? "1" : "0"};
		struct task *t = sample_add(s, task_new(&kind_cpu, *kind_cpu.facts, 0, &texts));

		t->id = t->owner = i;
		task_set_fact(t, FACT_CPU_NS, busy_ms[k][i] * MS);
		task_set_fact(t, FACT_UTIME_NS, user_ms[k][i] * MS);
	}
}

static void begin_lines(struct fixture *f, enum group_key group, enum spread spread)
{
	struct err err = ERR_INIT;

	memset(f, 0, sizeof *f);
	begin(&f->steps, N_SAMPLES, 0);
	for (int k = 0; k < N_SAMPLES; k++)
		add_cpus(&f->steps.sample[k], k);
	compute(&f->steps);
	f->screen = screen_new("cpus", NULL);
	screen_add_column(f->screen, " busy", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(f->screen, "  user", "%6.1f", NULL,
			  "100 * delta(UTIME_NS) / delta(CPU_NS)");
	screen_compile(f->screen, NULL, NULL, NULL);
	binding_init(&f->binding, f->screen, &f->numbers);
	f->view = (struct view){.filter = FILTER_ALL,
				.watch = FILTER_ALL,
				.idle = true,
				.delay_s = 1,
				.sort = SORT_PID,
				.reverse = true,
				.group = group,
				.spread = spread};
	frame_init(&f->frame);
	delta_init(&f->groups);
	retired_groups_init(&f->retired);
	f->fd = memfd_create("lines", MFD_CLOEXEC);
	f->sink.ops = &line_sink;
	dest_use(&f->sink.dest, f->fd);
	line_sink.open(&f->sink, &err);
}

static void show(struct fixture *f, int k)
{
	const struct grouping by = {.key = f->view.group, .filter = &f->view.filter};
	const struct delta *d = &f->steps.delta[k];
	struct err err = ERR_INIT;

	if (by.key != GROUP_PROCESS) {
		fold_groups(&f->groups, d, &by, &f->retired);
		d = &f->groups;
	}
	frame_build(&f->frame, &f->binding, &f->view, d, NULL, 0);
	f->frame.least_share = delta_least_share(&f->steps.delta[k]);
	f->frame.wall_ns = (uint64_t)(k + 1) * SECOND;
	tap_int(line_sink.frame(&f->sink, &f->frame, &err), 0, "sample %d: %s", k, err.text);
}

static void take(struct fixture *f, int k)
{
	struct err err = ERR_INIT;

	line_sink.sample(&f->sink, &f->steps.sample[k], &err);
	show(f, k);
}

static const char *end_lines(struct fixture *f)
{
	struct err err = ERR_INIT;
	ssize_t n;

	tap_int(line_sink.close(&f->sink, &err), 0, "closes: %s", err.text);
	lseek(f->fd, 0, SEEK_SET);
	n = read(f->fd, f->text, sizeof f->text - 1);
	f->text[n < 0 ? 0 : n] = '\0';
	close(f->fd);
	retired_groups_done(&f->retired);
	delta_done(&f->groups);
	frame_done(&f->frame);
	binding_done(&f->binding);
	screen_free(f->screen);
	done(&f->steps);
	return f->text;
}

static void check_lines(enum group_key group, enum spread spread, const char *want,
			const char *what)
{
	struct fixture f;

	begin_lines(&f, group, spread);
	for (int k = 0; k < N_SAMPLES; k++)
		take(&f, k);
	tap_str(end_lines(&f), want, "%s", what);
}

static void test_header(void)
{
	struct fixture f;
	const char *text;
	int n = 0;

	begin_lines(&f, GROUP_MACHINE, SPREAD_ALL);
	f.view.epoch = true;
	f.view.sums_over = "your own tasks";
	for (int i = 0; i < 22; i++)
		show(&f, 1);
	text = end_lines(&f);
	tap_ok(!strncmp(text, "# sums over your own tasks", 26), "whose tasks these are is said");
	tap_ok(strstr(text, "\n     epoch  busy   user\n         2  75.0   93.3\n"),
	       "with the time");
	for (const char *p = text; (p = strstr(p, "epoch")); p++)
		n++;
	tap_int(n, 2, "behind 21 lines the header comes again");
	tap_ok(!strstr(text, "# all"), "without an interval, there is nothing to sum up");
}

/* A line is marked as late if its interval is more than half longer than requested. */
static void test_late(void)
{
	struct fixture f;

	begin_lines(&f, GROUP_MACHINE, SPREAD_ALL);
	f.view.delay_s = 0.7;
	take(&f, 0);
	take(&f, 1);
	f.view.delay_s = 0.6;
	take(&f, 2);
	tap_str(end_lines(&f),
		" busy   user\n"
		" 75.0   93.3\n"
		"# late: 1.0 s\n"
		"125.0   44.0\n"
		"# all of the last 2.0 s:\n"
		"100.0   62.5\n",
		"one line is in time, the other one is late");
}

/* With only the user's own tasks there is no summary: ended tasks would be missing in it. */
static void test_own_tasks(void)
{
	struct fixture f;

	begin_lines(&f, GROUP_MACHINE, SPREAD_ALL);
	f.view.own_only = true;
	take(&f, 0);
	take(&f, 1);
	tap_ok(!strstr(end_lines(&f), "# all"), "of tasks, there is no sum of the whole time");
}

/* The interval of a late sample includes all that was done in it, once: rates use its actual
 * length, and the lines add up to the summary. */
static void test_late_once(void)
{
	static const uint64_t at_ms[N_SAMPLES] = {1000, 3500, 4000};
	struct fixture f;

	begin_lines(&f, GROUP_MACHINE, SPREAD_ALL);
	f.view.delay_s = 1;
	for (int k = 0; k < N_SAMPLES; k++) {
		struct sample *s = &f.steps.sample[k];

		s->mono_ns = s->boot_ns = at_ms[k] * MS;
	}
	compute(&f.steps);
	for (int k = 0; k < N_SAMPLES; k++)
		take(&f, k);
	tap_str(end_lines(&f),
		" busy   user\n"
		"# late: 2.5 s\n"
		" 30.0   93.3\n"
		"200.0   44.0\n"
		"# all of the last 3.0 s:\n"
		" 66.7   62.5\n",
		"a late line is said, and nothing is counted twice");
}

/* Two multiplexed events, and a software event, which is not. */
static const struct sample_event turn_event[] = {
	{.given = "a", .kind = EVENT_RAW, .config = 1, .group = 0, .core = SAMPLE_ANY_CORE},
	{.given = "b", .kind = EVENT_RAW, .config = 2, .group = 1, .core = SAMPLE_ANY_CORE},
	{.given = "c", .kind = EVENT_SOFTWARE, .config = 3, .group = 2, .core = SAMPLE_ANY_CORE},
};

/* Begins a screen of these events; the first two are counted for share_pct % of the time. */
static void begin_turns(struct fixture *f, const struct sample_events *events, uint64_t share_pct)
{
	static const int head[] = {0, 1, 2};

	begin_lines(f, GROUP_PROCESS, SPREAD_ALL);
	screen_free(f->screen);
	binding_done(&f->binding);
	f->screen = screen_new("turns", NULL);
	for (int i = 0; i < 3; i++) {
		screen_add_counter(f->screen, turn_event[i].given, "1", NULL);
		screen_add_column(f->screen, turn_event[i].given, "%4.0f", NULL,
				  turn_event[i].given);
	}
	screen_add_column(f->screen, "twice", "%5.0f", NULL, "2 * a");
	screen_compile(f->screen, NULL, NULL, NULL);
	screen_numbers_init(&f->numbers, sample_events_ref(events), head, 3);
	binding_init(&f->binding, f->screen, &f->numbers);
	for (uint64_t k = 0; k < 2; k++) {
		const struct task_texts texts = {.name = "0"};
		struct sample *sample = &f->steps.sample[k];
		struct task *t;

		sample_reset(sample);
		sample->mono_ns = sample->boot_ns = (k + 1) * SECOND;
		t = sample_add(sample, task_new(&kind_cpu, *kind_cpu.facts, 3, &texts));
		task_set_events(t, events);
		t->counting = COUNT_OK;
		for (int i = 0; i < 3; i++)
			t->count[i] = (struct count){50 * k, k * SECOND,
						     k * SECOND / 100 * (i < 2 ? share_pct : 100)};
	}
	compute(&f->steps);
	show(f, 1);
}

static void test_turns(void)
{
	struct sample_events *events = sample_events_new(turn_event, 3);
	struct fixture f;

	begin_turns(&f, events, 50);
	tap_str(end_lines(&f),
		"# counted in turns: a twice | b\n"
		"    CPU    a    b    c twice\n"
		"      0 100~ 100~   50  200~\n",
		"columns that are counted together");
	screen_numbers_done(&f.numbers);
	begin_turns(&f, events, 100);
	tap_ok(!strstr(end_lines(&f), "#"), "what is counted all the time takes no turns");
	screen_numbers_done(&f.numbers);
	sample_events_unref(events);
}

/* Each CPU goes offline once, after its last counts, and both come back. */
static void test_offline(void)
{
	struct fixture f;
	struct frame_row *rows;

	begin_lines(&f, GROUP_PROCESS, SPREAD_ALL);
	f.view.epoch = true;
	show(&f, 1);
	/* The frame of a sample without the first CPU. */
	rows = f.frame.row;
	f.frame.row++;
	f.frame.n--;
	line_sink.frame(&f.sink, &f.frame, NULL);
	f.frame.row = rows;
	line_sink.frame(&f.sink, &f.frame, NULL);
	f.frame.n++;
	line_sink.frame(&f.sink, &f.frame, NULL);
	tap_str(end_lines(&f),
		"     epoch     CPU  busy   user\n"
		"         2       0  25.0   80.0\n"
		"         2       1  50.0  100.0\n"
		"         2       0     -      -\n"
		"         2       1  50.0  100.0\n"
		"         2       0  25.0   80.0\n"
		"         2       1     -      -\n"
		"         2       0  25.0   80.0\n"
		"         2       1  50.0  100.0\n",
		"a CPU that is offline has no number, and none of it is 0");
}

/* No interval spans two generations. */
static void test_generations(void)
{
	struct fixture f;

	begin_lines(&f, GROUP_MACHINE, SPREAD_ALL);
	take(&f, 0);
	take(&f, 1);
	f.steps.sample[2].generation++;
	line_sink.sample(&f.sink, &f.steps.sample[2], NULL);
	tap_str(end_lines(&f),
		" busy   user\n"
		" 75.0   93.3\n"
		"# all of the last 1.0 s:\n"
		" 75.0   93.3\n",
		"the last generation that had an interval");
}

int main(void)
{
	check_lines(GROUP_MACHINE, SPREAD_ALL,
		    " busy   user\n"
		    " 75.0   93.3\n"
		    "125.0   44.0\n"
		    "# all of the last 2.0 s:\n"
		    "100.0   62.5\n",
		    "the machine: the last ratio is one of sums");
	check_lines(GROUP_PROCESS, SPREAD_ALL,
		    "    CPU  busy   user\n"
		    "      0  25.0   80.0\n"
		    "      1  50.0  100.0\n"
		    "      0  75.0   40.0\n"
		    "      1  50.0   50.0\n"
		    "# all of the last 2.0 s:\n"
		    "      0  50.0   50.0\n"
		    "      1  50.0   75.0\n",
		    "each CPU");
	check_lines(GROUP_PROCESS, SPREAD_MAX,
		    " busy       user    \n"
		    " 50.0@1    100.0@1  \n"
		    " 75.0@0     50.0@1  \n"
		    "# all of the last 2.0 s:\n"
		    " 50.0@0     75.0@1  \n",
		    "the largest, and whose");
	check_lines(GROUP_PROCESS, SPREAD_MIN,
		    " busy       user    \n"
		    " 25.0@0     80.0@0  \n"
		    " 50.0@1     40.0@0  \n"
		    "# all of the last 2.0 s:\n"
		    " 50.0@0     50.0@0  \n",
		    "the smallest, and whose");
	test_header();
	test_late();
	test_late_once();
	test_own_tasks();
	test_turns();
	test_generations();
	test_offline();
	return tap_done();
}
