/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdicts of the built-in rules for given numbers, including those around thresholds. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diagnose/judge.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

/* The metrics of one second of a task, "name=number", with "~" after extrapolated ones, and its
 * state. Metrics that are not given are unknown. want: the names of the verdicts, in their
 * order. */
/* clang-format off */
static const struct {
	const char *of, *numbers, *want;
	char state;
} samples[] = {
	/* On a CPU, without counters */
	{"a loop, no counters", "on_cpu=99 cpu_ms=990 kernel=0 queue=0 asleep=1 minor=0", "runs", 'R'},
	{"too short to say anything of it", "on_cpu=4.9 cpu_ms=49 queue=0 kernel=0", "", 'S'},
	{"just enough", "on_cpu=5 cpu_ms=50 queue=0 kernel=0", "runs", 'S'},
	/* On a CPU, with the counters of the default screen */
	{"a tight loop", "on_cpu=99 cpu_ms=990 ipc=3.2 branch_misses=0.1", "computes nothing", 'R'},
	{"IPC at the limit", "on_cpu=99 cpu_ms=990 ipc=2 branch_misses=0.1", "computes nothing", 'R'},
	{"IPC below it", "on_cpu=99 cpu_ms=990 ipc=1.99 branch_misses=0.1", "nothing", 'R'},
	{"IPC of a task that hardly ran", "on_cpu=99 cpu_ms=9.9 ipc=3 branch_misses=40", "", 'R'},
	{"IPC of one that ran enough", "on_cpu=99 cpu_ms=10 ipc=3 branch_misses=0", "computes nothing",
	 'R'},
	{"429.mcf: memory", "on_cpu=99 cpu_ms=990 ipc=0.25 memory_misses=40 branch_misses=10",
	 "memory-misses nothing", 'R'},
	{"misses at the limit", "on_cpu=99 cpu_ms=990 ipc=0.5 memory_misses=3 branch_misses=1",
	 "memory-misses nothing", 'R'},
	{"misses below it", "on_cpu=99 cpu_ms=990 ipc=0.5 memory_misses=2.9 branch_misses=1", "nothing",
	 'R'},
	{"many misses, but all hidden", "on_cpu=99 cpu_ms=990 ipc=1.2 memory_misses=20", "nothing", 'R'},
	{"misses of L2 only", "on_cpu=99 cpu_ms=990 ipc=0.6 l2_misses=20", "l2-misses nothing", 'R'},
	{"445.gobmk: branches", "on_cpu=99 cpu_ms=990 ipc=1.0 branch_misses=15 memory_misses=0.3",
	 "branches nothing", 'R'},
	{"branches at the limit", "on_cpu=99 cpu_ms=990 ipc=1 branch_misses=7", "branches nothing", 'R'},
	{"branches below it", "on_cpu=99 cpu_ms=990 ipc=1 branch_misses=6.9", "nothing", 'R'},
	{"both, the larger one first", "on_cpu=99 cpu_ms=990 ipc=0.5 memory_misses=8 branch_misses=20",
	 "memory-misses branches nothing", 'R'},
	/* Stalls */
	{"stalls for memory", "on_cpu=99 cpu_ms=990 ipc=0.3 memory_stalls=60 data_stalls=70 "
			      "memory_misses=30", "memory-stalls nothing", 'R'},
	{"stalls at the limit", "on_cpu=99 cpu_ms=990 ipc=1.1 memory_stalls=20 data_stalls=25",
	 "memory-stalls nothing", 'R'},
	{"stalls below it", "on_cpu=99 cpu_ms=990 ipc=1.1 memory_stalls=19.9 data_stalls=25", "nothing",
	 'R'},
	{"stalls for caches", "on_cpu=99 cpu_ms=990 ipc=0.7 memory_stalls=5 data_stalls=50",
	 "cache-stalls nothing", 'R'},
	{"stalls, and misses", "on_cpu=99 cpu_ms=990 ipc=0.02 data_stalls=99 memory_misses=250",
	 "data-memory nothing", 'R'},
	{"stalls, and misses below the limit", "on_cpu=99 cpu_ms=990 ipc=0.7 data_stalls=50 "
					       "memory_misses=2.1", "data-stalls nothing", 'R'},
	{"from where is not known", "on_cpu=99 cpu_ms=990 ipc=0.7 data_stalls=50", "data-stalls nothing",
	 'R'},
	/* Top-down */
	{"useful work", "on_cpu=99 cpu_ms=990 retiring=80 bad_speculation=3 front_end=7 back_end=10",
	 "useful", 'R'},
	{"back end", "on_cpu=99 cpu_ms=990 retiring=25 bad_speculation=5 front_end=10 back_end=60",
	 "back-end", 'R'},
	{"wrong guesses", "on_cpu=99 cpu_ms=990 retiring=40 bad_speculation=30 front_end=15 back_end=15",
	 "bad-speculation", 'R'},
	{"front end", "on_cpu=99 cpu_ms=990 retiring=35 bad_speculation=8 front_end=45 back_end=12",
	 "front-end", 'R'},
	{"two causes", "on_cpu=99 cpu_ms=990 retiring=20 bad_speculation=16 front_end=21 back_end=43",
	 "back-end front-end bad-speculation", 'R'},
	{"front end of Arm", "on_cpu=99 cpu_ms=990 ipc=0.8 no_operation=35", "no-operation nothing",
	 'R'},
	/* TLB */
	{"page walks", "on_cpu=99 cpu_ms=990 ipc=0.9 walk_cycles=25 tlb_walks=20", "walk-cycles nothing",
	 'R'},
	{"page walks, counted only", "on_cpu=99 cpu_ms=990 ipc=0.9 tlb_walks=5", "tlb-walks nothing",
	 'R'},
	{"few page walks", "on_cpu=99 cpu_ms=990 ipc=0.9 tlb_walks=4", "nothing", 'R'},
	/* Assists */
	{"figure 4, x87, infinite", "on_cpu=99.9 cpu_ms=999 ipc=0.0153 assists=25", "assists nothing",
	 'R'},
	{"few assists", "on_cpu=99 cpu_ms=990 ipc=1.2 assists=0.1", "assists nothing", 'R'},
	{"hardly any", "on_cpu=99 cpu_ms=990 ipc=1.2 assists=0.09", "nothing", 'R'},
	{"no such event", "on_cpu=99 cpu_ms=990 ipc=0.0153", "nothing", 'R'},
	/* In the kernel */
	{"system calls", "on_cpu=99 cpu_ms=990 kernel=80 minor=10", "kernel runs", 'R'},
	{"fresh pages", "on_cpu=99 cpu_ms=990 kernel=60 minor=200000", "page-faults kernel runs", 'R'},
	{"some fresh pages", "on_cpu=99 cpu_ms=990 kernel=60 minor=119000", "kernel runs", 'R'},
	{"the kernel below the limit", "on_cpu=99 cpu_ms=990 kernel=19 minor=90000", "runs", 'R'},
	/* Not on a CPU */
	{"starved", "on_cpu=30 cpu_ms=300 kernel=0 queue=70 asleep=0 switches=0", "queue runs", 'R'},
	{"a wait that began before", "on_cpu=4 cpu_ms=4 kernel=0 queue=96 queue_earlier=7.5 asleep=0 switches=0",
	 "queue queue-earlier", 'R'},
	{"one of many threads", "on_cpu=1 cpu_ms=3 queue=4 queue_earlier=7.5", "queue-earlier", 'S'},
	{"one that had just begun", "on_cpu=4 cpu_ms=4 kernel=0 queue=96 queue_earlier=0.09 asleep=0 switches=0",
	 "queue", 'R'},
	{"ready, and no wait is known yet", "on_cpu=4 cpu_ms=4 queue=0 asleep=96 switches=0", "ready", 'R'},
	{"ready, as was seen", "on_cpu=4 cpu_ms=4 queue=0 asleep=96 switches=0 in_device=0 in_lock=0 in_pipe=0 "
			       "in_socket=0 in_timer=0 in_poll=0 in_child=0 frozen=0", "ready", 'R'},
	{"the queue at the limit", "on_cpu=95 cpu_ms=950 queue=5 asleep=0 switches=0", "runs queue",
	 'R'},
	{"the queue below it", "on_cpu=95.1 cpu_ms=951 queue=4.9 asleep=0 switches=0", "runs", 'R'},
	{"a quota", "on_cpu=20 cpu_ms=200 queue=79 asleep=1 throttled=800 switches=0",
	 "quota runs", 'R'},
	{"a group that is held back, but not by it", "on_cpu=20 cpu_ms=200 queue=1 asleep=79 "
						      "throttled=800 switches=9 in_lock=0",
	 "runs", 'S'},
	{"a mutex", "on_cpu=20 cpu_ms=200 queue=0 asleep=80 switches=1000 in_lock=1", "lock runs", 'S'},
	{"a pipe", "on_cpu=20 cpu_ms=200 queue=0 asleep=80 switches=1000 in_lock=0 in_pipe=1",
	 "pipe runs", 'S'},
	{"a timer", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=9 in_lock=0 in_timer=1", "timer", 'S'},
	{"a device", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=9", "state-d", 'D'},
	{"a file that is mapped", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=900 major=800",
	 "page-ins", 'D'},
	{"page faults with I/O below the limit", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=19 "
						 "major=19", "waits", 'S'},
	{"a sleep whose place was not read", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=9", "waits",
	 'S'},
	{"a sleep at the limit", "on_cpu=4.9 cpu_ms=49 queue=0 asleep=5 switches=9", "waits", 'S'},
	{"a sleep below it", "on_cpu=4.9 cpu_ms=49 queue=0 asleep=4.9 switches=9", "", 'S'},
	{"in none of the known places", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=9 in_device=0 "
					"in_lock=0 in_pipe=0 in_socket=0 in_timer=0 in_poll=0 in_child=0 "
					"frozen=0",
	 "waits-else", 'S'},
	{"a frozen group", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=9 in_device=0 in_lock=0 in_pipe=0 "
			   "in_socket=0 in_timer=0 in_poll=0 in_child=0 frozen=1", "frozen", 'D'},
	{"one of many threads", "on_cpu=0 cpu_ms=0 queue=0 threads=8 frozen=1", "frozen threads idle", 'D'},
	{"a device, and others wait, too", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 in_lock=0 in_device=1 "
					   "io_pressure=90", "device-pressure", 'D'},
	{"a parent in vfork", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 in_lock=0 in_device=0 in_child=1",
	 "child", 'D'},
	{"memory is short", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=900 major=800 in_lock=0 "
			    "in_device=1 memory_pressure=40", "low-memory", 'D'},
	{"more tasks than CPUs", "on_cpu=30 cpu_ms=300 kernel=0 queue=70 asleep=0 switches=0 "
				 "cpu_pressure=90", "queue-pressure runs", 'R'},
	{"bound to one CPU, while others are idle", "on_cpu=30 cpu_ms=300 kernel=0 queue=70 asleep=0 switches=0 "
						    "cpu_pressure=90 allowed_cpus=1 other_cpus=3 other_idle=280",
	 "pinned runs", 'R'},
	{"bound to one CPU, while others are busy", "on_cpu=30 cpu_ms=300 kernel=0 queue=70 asleep=0 switches=0 "
						    "allowed_cpus=1 other_cpus=3 other_idle=19",
	 "pinned-busy runs", 'R'},
	{"bound to one CPU, where many wait", "on_cpu=30 cpu_ms=300 kernel=0 queue=70 asleep=0 switches=0 "
					      "cpu_pressure=90 allowed_cpus=1 other_cpus=3",
	 "pinned-busy runs", 'R'},
	{"bound to no CPU", "on_cpu=30 cpu_ms=300 kernel=0 queue=70 asleep=0 switches=0 allowed_cpus=4 "
			    "other_cpus=0 other_idle=0",
	 "queue runs", 'R'},
	{"bound to one CPU, and held back", "on_cpu=20 cpu_ms=200 queue=79 asleep=1 throttled=800 switches=0 "
					    "allowed_cpus=1 other_cpus=1 other_idle=99",
	 "quota pinned runs", 'R'},
	{"a socket", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 in_lock=0 in_socket=1", "socket", 'S'},
	{"poll", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 in_lock=0 in_poll=1", "poll", 'S'},
	{"a shell that waits", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 in_lock=0 in_child=1", "child",
	 'S'},
	{"a device that is looked at", "on_cpu=1 cpu_ms=10 queue=0 asleep=99 in_lock=0 in_device=1",
	 "device", 'S'},
	{"a daemon of many threads", "on_cpu=2 cpu_ms=20 queue=0 threads=8", "threads", 'S'},
	{"did not run", "on_cpu=0 cpu_ms=0 queue=0 asleep=100 switches=0", "idle", 'S'},
	{"did not run, but wanted to", "on_cpu=0 cpu_ms=0 queue=0", "starved", 'R'},
	{"seen once only", "", "", 'R'},
};
/* clang-format on */

#define N_SAMPLES (sizeof samples / sizeof *samples)

static struct rules *rules;
static int faults;

static void report(void *context, const struct err *err)
{
	(void)context;
	faults++;
	printf("# %s\n", err->text);
}

static size_t find_metric(const char *name, size_t len)
{
	size_t i = 0;

	while (i < rules_n_metrics(rules) && (strlen(rules_metric(rules, i)->name) != len ||
					      memcmp(rules_metric(rules, i)->name, name, len) != 0))
		i++;
	return i;
}

static void read_numbers(const char *text, struct value *cell)
{
	for (size_t i = 0; i < rules_n_metrics(rules); i++)
		cell[i] = value_none(QUALITY_NOT_COUNTED);
	for (; *text; text += strspn(text, " ")) {
		const size_t len = strcspn(text, "="), i = find_metric(text, len);
		char *end;

		if (i == rules_n_metrics(rules)) {
			tap_ok(false, "%s", text);
			return;
		}
		cell[i] = value_exact(strtod(text + len + 1, &end));
		if (*end == '~')
			cell[i].quality = QUALITY_SCALED;
		text = end + (*end == '~');
	}
}

static struct task *new_task(char state)
{
	struct task *t = task_new(&kind_task, fact_all, 0, &(struct task_texts){.name = "work"});

	t->id = t->owner = 4711;
	t->state = state;
	return t;
}

static size_t judge(const char *numbers, char state, struct value *cell, struct verdict *found)
{
	struct task *t = new_task(state);
	size_t n;

	read_numbers(numbers, cell);
	n = judge_row(rules, t, cell, found);
	task_unref(t);
	return n;
}

static void test_samples(void)
{
	struct value *cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
	struct verdict *found = xcalloc(judge_max(rules), sizeof *found);
	struct strbuf got;

	strbuf_init(&got);
	for (size_t i = 0; i < N_SAMPLES; i++) {
		size_t n = judge(samples[i].numbers, samples[i].state, cell, found);

		strbuf_reset(&got);
		for (size_t k = 0; k < n; k++)
			strbuf_addf(&got, "%s%s", k ? " " : "", verdict_rule_row(&found[k])->name);
		tap_str(got.text, samples[i].want, "%s", samples[i].of);
	}
	strbuf_done(&got);
	free(found);
	free(cell);
}

/* For each rule, there is a sample whose first verdict is that rule's. */
static void test_all_rules(void)
{
	const struct verdict_table *t = &verdict_table_built_in;

	for (size_t v = 0; v < t->n_verdicts; v++) {
		const char *name = t->verdict[v].name;
		bool is_there = false;

		for (size_t i = 0; i < N_SAMPLES && !is_there; i++)
			is_there = !strncmp(samples[i].want, name, strlen(name)) &&
				   strchr(" ", samples[i].want[strlen(name)]);
		tap_ok(is_there, "%s", name);
	}
}

/* If a task hardly ran, no rule that uses counters applies, whatever the counts. */
static void test_least_time(void)
{
	struct value *cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
	struct verdict *found = xcalloc(judge_max(rules), sizeof *found);
	struct task *t = new_task('S');
	size_t reported = 0;

	for (size_t m = 0; m < rules_n_metrics(rules); m++) {
		size_t n;

		read_numbers("on_cpu=90 cpu_ms=9 ipc=0.9", cell);
		if (!value_known(cell[m]))
			cell[m] = value_exact(1e6);
		n = judge_row(rules, t, cell, found);
		for (size_t i = 0; i < n; i++)
			reported += verdict_rule_row(&found[i])->counters != NULL;
	}
	task_unref(t);
	tap_int((long)reported, 0, "counters tell nothing of a task that ran for 9 ms");
	free(found);
	free(cell);
}

static void test_sure(void)
{
	struct value *cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
	struct verdict *found = xcalloc(judge_max(rules), sizeof *found);
	struct strbuf text;

	strbuf_init(&text);
	judge("on_cpu=99 cpu_ms=990 memory_stalls=50", 'R', cell, found);
	tap_int(found[0].sure, SURE_SURE, "an exact number is sure");
	judge("on_cpu=99 cpu_ms=990 memory_stalls=50~", 'R', cell, found);
	tap_int(found[0].sure, SURE_LIKELY, "one that is extrapolated is a step less sure");
	judge("on_cpu=99 cpu_ms=990 ipc=0.9 tlb_walks=5", 'R', cell, found);
	verdict_word(&text, &found[0]);
	tap_str(text.text, "TLB?", "what is only maybe so has a question mark");
	strbuf_reset(&text);
	judge("on_cpu=99~ cpu_ms=990 memory_stalls=50", 'R', cell, found);
	tap_int(found[0].sure, SURE_SURE, "numbers that the condition does not name do not matter");
	strbuf_done(&text);
	free(found);
	free(cell);
}

static void test_ended(void)
{
	struct value *cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
	struct verdict *found = xcalloc(judge_max(rules), sizeof *found);
	struct task *t = new_task('R');
	const struct tell tell = {rules, NULL, t, cell, false};
	struct strbuf text, why;

	strbuf_init(&text);
	strbuf_init(&why);
	t->dead = true;
	judge("on_cpu=20 cpu_ms=200 queue=79.04 asleep=1 throttled=800 switches=0", 'R', cell,
	      found);
	tap_ok(!verdict_step(&text, &why, &tell, &found[0], 0),
	       "no step names a task that has ended, as its PID may be another's");
	strbuf_done(&why);
	strbuf_done(&text);
	task_unref(t);
	free(found);
	free(cell);
}

static void test_texts(void)
{
	struct value *cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
	struct verdict *found = xcalloc(judge_max(rules), sizeof *found);
	struct task *t = new_task('R');
	const struct tell tell = {rules, NULL, t, cell, false};
	const struct tell on_page = {rules, NULL, t, cell, true};
	struct strbuf text, why;

	strbuf_init(&text);
	strbuf_init(&why);
	judge("on_cpu=20 cpu_ms=200 queue=79.04 asleep=1 throttled=800 switches=0", 'R', cell,
	      found);
	verdict_sentence(&text, &tell, &found[0]);
	tap_str(text.text,
		"It (all its threads together) was ready to run for 79.0 % of the time of one CPU "
		"and had to wait, while a CPU quota held its control group back for 800 ms in each "
		"second (over all CPUs).",
		"a sentence has its numbers");
	strbuf_reset(&text);
	verdict_numbers(&text, &tell, &found[0]);
	tap_str(text.text,
		"time ready to run, but waiting for a CPU 79.0 %, time for which a quota held its "
		"control group back, over all CPUs 800 ms/s",
		"the numbers are those that the condition names");
	strbuf_reset(&text);
	judge("on_cpu=1 cpu_ms=10 queue=0 asleep=99 switches=900 major=800 in_lock=0 in_device=1 "
	      "io_pressure=30",
	      'R', cell, found);
	verdict_numbers(&text, &tell, &found[0]);
	tap_str(text.text,
		"time neither on a CPU nor waiting for one 99.0 %, page faults that waited for I/O "
		"800 /s, time in which some task of its control group waited for a device 30.0 %, "
		"seen waiting for a device 1",
		"and those of the verdicts that it covers");
	strbuf_reset(&text);
	judge("on_cpu=20 cpu_ms=200 queue=79.04 asleep=1 throttled=800 switches=0", 'R', cell,
	      found);
	tap_ok(verdict_step(&text, &why, &tell, &found[0], 0), "there is a next step");
	tap_str(text.text, "cat /proc/4711/cgroup", "and it names the task");
	strbuf_reset(&text);
	judge("on_cpu=20 cpu_ms=200 queue=50 asleep=1", 'R', cell, found);
	verdict_certainty(&text, &tell, &found[0]);
	tap_str(text.text, "sure; to confirm: the page of the task says whether it was a quota",
		"how to confirm it");
	strbuf_reset(&text);
	verdict_certainty(&text, &on_page, &found[0]);
	tap_str(text.text, "sure", "the page does not send people to itself");
	strbuf_reset(&text);
	judge("on_cpu=99.9 cpu_ms=999 ipc=0.0153 assists=25", 'R', cell, found);
	verdict_sentence(&text, &tell, &found[0]);
	tap_ok(strstr(text.text, "this task has 0.0153, which is 87 times less") != NULL,
	       "the factor of the paper");
	tap_ok(!verdict_step(&text, &why, &tell, &found[0], 0),
	       "without an event on this CPU there is no command for it");
	strbuf_done(&text);
	strbuf_done(&why);
	task_unref(t);
	free(found);
	free(cell);
}

/* A user's rules: two are invalid, and two cover each other. */
static const struct verdict_row own_rows[] = {
	{.name = "queue",
	 .word = "own",
	 .when = "queue >= 1",
	 .rank = "queue",
	 .says = "{queue}",
	 .sure = "maybe",
	 .source = "me"},
	{.name = "faulty",
	 .word = "x",
	 .when = "queue >",
	 .rank = "1",
	 .says = "x",
	 .sure = "sure",
	 .source = "x",
	 .place = "file:7"},
	{.name = "unsure",
	 .word = "x",
	 .when = "queue > 1",
	 .rank = "1",
	 .says = "x",
	 .sure = "surely",
	 .source = "x"},
	{.name = "first",
	 .word = "first",
	 .when = "queue > 1",
	 .rank = "1",
	 .says = "x",
	 .sure = "sure",
	 .covers = "last;quue",
	 .source = "x"},
	{.name = "last",
	 .word = "last",
	 .when = "queue > 1",
	 .rank = "2",
	 .says = "x",
	 .sure = "sure",
	 .covers = "first;queue",
	 .source = "x"},
	{.name = "open",
	 .word = "x",
	 .when = "queue > 1",
	 .rank = "1",
	 .says = "x {queue",
	 .sure = "sure",
	 .source = "x"},
};

static void test_own(void)
{
	static const struct verdict_table own = {.verdict = own_rows, .n_verdicts = 6};
	const struct verdict_table *both[] = {&verdict_table_built_in, &own};
	struct rules *built_in = rules;
	struct value *cell;
	struct verdict *found;

	faults = 0;
	rules = rules_new(both, 2, NULL, report, NULL);
	tap_int(faults, 4, "rules that cannot be read are told, and verdicts that are not there");
	cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
	found = xcalloc(judge_max(rules), sizeof *found);
	tap_int((long)judge_max(rules), (long)judge_max(built_in) + 2, "and left out");
	tap_int((long)judge("on_cpu=0.1 queue=1", 'R', cell, found), 1, "one of the same name");
	tap_str(verdict_rule_row(&found[0])->word, "own", "takes the place of that before");
	tap_int((long)judge("on_cpu=0.1 queue=3", 'R', cell, found), 1,
		"of two that cover each other");
	tap_str(verdict_rule_row(&found[0])->word, "last", "the one that is asked for first stays");
	free(found);
	free(cell);
	rules_free(rules);
	rules = built_in;
}

/* Verdicts with these ranks, each of which covers another. */
static void test_chains(void)
{
#define LINK(NAME, RANK, COVERS)                                                                   \
	{                                                                                          \
		.name = NAME, .word = NAME, .when = "queue > 1", .rank = RANK, .says = "x",        \
		.sure = "sure", .covers = COVERS, .source = "x"                                    \
	}
	static const struct {
		struct verdict_row row[3];
		const char *want;
	} chains[] = {
		{{LINK("a", "3", "b"), LINK("b", "2", "c"), LINK("c", "1", NULL)}, "a"},
		{{LINK("a", "1", "b"), LINK("b", "2", "c"), LINK("c", "3", NULL)}, "a"},
		{{LINK("a", "1", "b"), LINK("b", "2", "c"), LINK("c", "3", "a")}, "c"},
		{{LINK("a", "9", "a"), LINK("b", "2", "c"), LINK("c", "3", NULL)}, "a b"},
	};
#undef LINK
	struct rules *built_in = rules;

	for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) {
		const struct verdict_table own = {.verdict = chains[k].row, .n_verdicts = 3};
		const struct verdict_table *both[] = {&verdict_table_built_in, &own};
		struct strbuf names;
		struct value *cell;
		struct verdict *found;
		size_t n;

		rules = rules_new(both, 2, NULL, report, NULL);
		cell = xcalloc(rules_n_metrics(rules), sizeof *cell);
		found = xcalloc(judge_max(rules), sizeof *found);
		n = judge("on_cpu=0.1 queue=3", 'R', cell, found);
		strbuf_init(&names);
		for (size_t i = 0; i < n; i++)
			strbuf_addf(&names, "%s%s", i ? " " : "",
				    verdict_rule_row(&found[i])->name);
		tap_str(names.text, chains[k].want,
			"whatever their order, covered verdicts are dropped");
		strbuf_done(&names);
		free(found);
		free(cell);
		rules_free(rules);
	}
	rules = built_in;
}

static int count_keys(const struct verdict_table *table)
{
	int n = 0;

	for (size_t i = 0; i < table->n_verdicts; i++) {
		const struct verdict_row *row = &table->verdict[i];

		n += strstr(row->says, "the key ") ||
		     (row->surer && strstr(row->surer, "the key "));
	}
	return n;
}

int main(void)
{
	const struct verdict_table *table = &verdict_table_built_in;
	struct sample *none = sample_new();

	rules = rules_new(&table, 1, NULL, report, NULL);
	tap_int(faults, 0, "all built-in rules can be compiled");
	tap_int((long)judge_max(rules), (long)table->n_verdicts, "and all are there");
	tap_int(count_keys(table), 0, "none names a key, as users may bind others");
	tap_ok(fact_within(rules_facts(rules),
			   fact_or(variable_at(VARIABLE_VERDICT).facts, fact_always_read())),
	       "a column of verdicts reads what they ask for");
	judge_begin(rules, none);
	test_samples();
	test_all_rules();
	test_least_time();
	test_sure();
	test_texts();
	test_ended();
	test_own();
	test_chains();
	rules_free(rules);
	sample_unref(none);
	return tap_done();
}
