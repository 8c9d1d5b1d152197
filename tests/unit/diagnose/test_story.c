/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stories of given rows, judged by the built-in rules. */
#include <string.h>

#include "diagnose/judge.h"
#include "diagnose/story_page.h"
#include "golden.h"
#include "model/kinds.h"

#define BEGIN_NS  1700000000000000000u
#define SECOND_NS 1000000000u

/* Rows of tasks, each of one second. numbers: metrics, "ipc=0.3 memory_stalls=60"; NULL: the row is
 * not judged. */
static const struct {
	unsigned second;
	uint64_t id, start;
	const char *name;
	double cpu_ms;
	const char *numbers;
	bool born, dead;
} rows[] = {
	{1, 10, 1, "cc1", 900, "on_cpu=90 cpu_ms=900 ipc=0.5 memory_stalls=60", false, false},
	{1, 20, 1, "xz", 500, "on_cpu=50 cpu_ms=500 ipc=2.5 retiring=80", false, false},
	{1, 30, 1, "bash", 4, NULL, false, false},
	{2, 10, 1, "cc1", 300, "on_cpu=30 cpu_ms=300 ipc=1.5 memory_stalls=70", false, true},
	/* A new process is a copy of its parent, until it executes another program. */
	{2, 11, 2, "make", 20, "on_cpu=2 cpu_ms=20 asleep=0", true, false},
	{2, 20, 1, "xz", 500, "on_cpu=50 cpu_ms=500 queue=49 ipc=2.5 retiring=20", false, false},
	{3, 11, 2, "cc1", 600, "on_cpu=60 cpu_ms=600 ipc=0.9 tlb_walks=50", false, true},
	{3, 20, 1, "xz", 100, "on_cpu=10 cpu_ms=100 ipc=2.5 retiring=80", false, false},
	/* A task with a reused id. */
	{5, 20, 5, "kworker/u8:2-writeback", 10, "on_cpu=1 cpu_ms=10", true, false},
};

#define N_ROWS (sizeof rows / sizeof *rows)

struct rig {
	struct sample_events *events;
	struct rules *rules;
	struct value *cell;
	struct verdict *found;
	struct story story;
};

static void report(void *context, const struct err *err)
{
	(void)context;
	tap_ok(false, "%s", err->text);
}

static size_t find_metric(const struct rules *r, const char *name, size_t len)
{
	size_t i = 0;

	while (i < rules_n_metrics(r) && (strlen(rules_metric(r, i)->name) != len ||
					  memcmp(rules_metric(r, i)->name, name, len) != 0))
		i++;
	return i;
}

/* Sets the metrics in text; all others are unsupported. */
static void read_numbers(struct rig *r, const char *text)
{
	for (size_t i = 0; i < rules_n_metrics(r->rules); i++)
		r->cell[i] = value_none(QUALITY_UNSUPPORTED);
	for (; *text; text += strspn(text, " ")) {
		const size_t len = strcspn(text, "="), i = find_metric(r->rules, text, len);
		char *end;

		if (i == rules_n_metrics(r->rules)) {
			tap_ok(false, "%s", text);
			return;
		}
		r->cell[i] = value_exact(strtod(text + len + 1, &end));
		text = end;
	}
}

static void add_row(struct rig *r, size_t i)
{
	struct task *t =
		task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = rows[i].name});
	/* In the third second, the event was multiplexed. */
	const struct value increment = {.number = 5,
					.share = rows[i].second == 3 ? 0.25f : 1,
					.quality = rows[i].second == 3 ? QUALITY_SCALED
								       : QUALITY_EXACT};
	const struct delta_row row = {.task = t,
				      .cpu_ns = value_exact(rows[i].cpu_ms * 1e6),
				      .events = r->events,
				      .increment = &increment};
	struct story_row in = {.row = &row, .born = rows[i].born};

	t->id = t->owner = rows[i].id;
	t->start_ns = rows[i].start;
	t->dead = rows[i].dead;
	tap_int(story_wants_verdict(&row), rows[i].numbers != NULL, "%s for %g ms", rows[i].name,
		rows[i].cpu_ms);
	if (rows[i].numbers) {
		read_numbers(r, rows[i].numbers);
		in.cell = r->cell;
		in.found = r->found;
		in.n_found = judge_row(r->rules, t, r->cell, r->found);
	}
	story_row(&r->story, &in);
	task_unref(t);
}

/* Adds the interval that ends at this second. The fourth is a gap. */
static void add_interval(struct rig *r, unsigned second)
{
	story_interval(&r->story, &(struct story_interval){
					  .wall_ns = BEGIN_NS + (uint64_t)second * SECOND_NS,
					  .mono_ns = (uint64_t)second * SECOND_NS,
					  .interval_ns = second == 0 || second == 4 ? 0 : SECOND_NS,
					  .n_left_out = second == 2 ? 7 : 0,
					  .n_cpus = 2,
				  });
}

static void begin(struct rig *r)
{
	static const struct verdict_table *const table = &verdict_table_built_in;
	static const struct sample_event event = {.kind = EVENT_RAW};
	struct sample *none = sample_new();

	r->events = sample_events_new(&event, 1);
	r->rules = rules_new(&table, 1, NULL, report, NULL);
	r->cell = xcalloc(rules_n_metrics(r->rules), sizeof *r->cell);
	r->found = xcalloc(judge_max(r->rules), sizeof *r->found);
	judge_begin(r->rules, none);
	story_init(&r->story, r->rules);
	sample_unref(none);
}

static void end(struct rig *r)
{
	story_done(&r->story);
	sample_events_unref(r->events);
	rules_free(r->rules);
	free(r->cell);
	free(r->found);
}

static struct story_time at(uint32_t second)
{
	return (struct story_time){.moment = second, .wall_ns = BEGIN_NS + second * SECOND_NS};
}

static void add_found(struct story *s)
{
	story_note(s, &(struct story_note){at(3), "cc1", "IPC 1.9 -> 1.1; \033[1m4711 blast began",
					   "ipc-drop-task-began"});
	story_note(s, &(struct story_note){at(2), "xz", "before that", "ipc-drop-phase-changed"});
	story_note(s, &(struct story_note){at(2), "blast", "of a program without rows", ""});
	story_exit(s, &(struct story_exit){at(3), 11, "cc1", 11, 0});
	story_change(s, &(struct story_change){at(2), 40, "blast", 1, 2, 9, STORY_IPC});
	story_change(s, &(struct story_change){at(3), 11, "cc1", 2, 0.9, 12, STORY_IPC});
	story_change(s, &(struct story_change){at(2), 20, "xz", 1, 2.5, 7.4, STORY_IPC});
	story_change(s, &(struct story_change){at(3), 20, "xz", 50, 9.96, 8, STORY_CPU});
}

/* The order of exits must not depend on the wall clock, which is set back here. */
static void test_clock_set_back(void)
{
	struct rig r;

	begin(&r);
	for (unsigned second = 0; second <= 3; second++)
		story_interval(&r.story, &(struct story_interval){
						 .wall_ns = BEGIN_NS + (3 - second) * SECOND_NS,
						 .mono_ns = second * SECOND_NS,
						 .interval_ns = second ? SECOND_NS : 0,
					 });
	for (uint32_t i = 3; i > 0; i--) {
		const struct story_time then = {.moment = i, .wall_ns = BEGIN_NS - i * SECOND_NS};

		story_exit(&r.story, &(struct story_exit){then, i, "cc1", 11, 0});
		story_exit(&r.story, &(struct story_exit){{0}, 10 + i, "cc1", 11, 0});
	}
	story_end(&r.story);
	tap_int((long)r.story.n_jumps, 3, "the clock was set back in each interval");
	tap_num(r.story.jump_ns / 1e9, -6, "by two seconds");
	tap_ok(r.story.n_bad == 6 && r.story.bad[0].id == 11 && r.story.bad[2].id == 13,
	       "ends of which it is not known when come first");
	tap_ok(r.story.bad[3].id == 1 && r.story.bad[4].id == 2 && r.story.bad[5].id == 3,
	       "the others in the order in which they happened, whatever the wall clock showed");
	end(&r);
}

/* A hole in a recording: the interval after it has a length, but does not begin where the one
 * before ended. */
static void test_hole(void)
{
	static const uint64_t second[] = {1, 2, 7, 8};
	struct rig r;

	begin(&r);
	for (size_t i = 0; i < sizeof second / sizeof *second; i++)
		story_interval(&r.story, &(struct story_interval){
						 .wall_ns = BEGIN_NS + second[i] * SECOND_NS,
						 .mono_ns = second[i] * SECOND_NS,
						 .interval_ns = SECOND_NS,
					 });
	story_end(&r.story);
	tap_int((long)r.story.n_gaps, 1, "a hole is a gap");
	tap_num(r.story.gap_ns / 1e9, 4, "of its length");
	tap_int((long)r.story.n_jumps, 0, "the clock did not jump there");
	end(&r);
}

/* Adds rows by time, as from a recording. */
static void tell_by_time(struct rig *r)
{
	begin(r);
	for (unsigned second = 0; second <= 5; second++) {
		add_interval(r, second);
		for (size_t i = 0; i < N_ROWS; i++)
			if (rows[i].second == second)
				add_row(r, i);
	}
	add_found(&r->story);
	story_end(&r->story);
}

/* Adds rows by task, as from a history. */
static void tell_by_task(struct rig *r)
{
	begin(r);
	for (unsigned second = 0; second <= 5; second++)
		add_interval(r, second);
	for (uint64_t id = 30; id; id--)
		for (size_t i = 0; i < N_ROWS; i++)
			if (rows[i].id == id)
				add_row(r, i);
	add_found(&r->story);
	story_end(&r->story);
}

static const struct sample_machine machine = {
	.arch = "x86", .model = "06_8F", .host = "node1", .boot_id = ""};

static const struct story_about about = {.recording = "a.db", .machine = &machine, .rows = 10};

static const struct story_program *program(const struct story *s, const char *name)
{
	for (size_t i = 0; i < s->n_programs; i++)
		if (!strcmp(s->program[i]->name, name))
			return s->program[i];
	return NULL;
}

static double by_word(const struct story *s, const struct story_time_of *of, const char *word)
{
	for (size_t i = 0; i < s->n_words; i++)
		if (s->word[i] ? word && !strcmp(s->word[i], word) : !word)
			return of[i].cpu_ns / 1e6;
	return -1;
}

static void test_sums(void)
{
	struct rig r;
	const struct story *s = &r.story;
	const struct story_program *cc1;

	tell_by_time(&r);
	cc1 = program(s, "cc1");
	tap_int((long)s->n_intervals, 4, "intervals");
	tap_num(s->interval_ns / 1e9, 4, "and their time");
	tap_int((long)s->n_gaps, 1, "a gap");
	tap_num(s->gap_ns / 1e9, 1, "of a second, since the start is none");
	tap_int((long)s->n_jumps, 0, "the clock was never set");
	tap_num(s->least_share, 0.25, "the least share of a counter");
	tap_int((long)s->n_tasks, 5, "tasks, of which two have one number");
	tap_int((long)s->n_born, 2, "those that began");
	tap_int((long)s->n_ended, 2, "those that ended");
	tap_num(s->cpu_ns / 1e6, 2934, "CPU time");
	tap_num(s->judged_ns / 1e6, 2930, "of which was judged");
	tap_int((long)s->n_programs, 5, "programs");
	tap_str(s->program[0]->name, "cc1", "the biggest first");
	tap_int((long)cc1->n_tasks, 2, "a task that became one is one of it");
	tap_int((long)cc1->busiest, 10, "the busiest of them");
	tap_num(cc1->ipc, (0.5 * 900 + 1.5 * 300 + 0.9 * 600) / 1800, "the mean of IPC");
	tap_num(by_word(s, cc1->by_word, "memory"), 1200, "what it was told");
	tap_num(by_word(s, s->by_word, "TLB"), 600, "what all were told");
	tap_num(by_word(s, s->by_word, "waits for CPU"), 500,
		"by the first verdict of an interval");
	tap_num(by_word(s, s->by_word, NULL), 30, "what no rule was found for");
	tap_num(s->unknown[s->ipc].cpu_ns[QUALITY_UNSUPPORTED] / 1e6, 30, "what was not known");
	end(&r);
}

static void test_order(void)
{
	struct rig by_time, by_task;
	struct strbuf x, y;

	strbuf_init(&x);
	strbuf_init(&y);
	tell_by_time(&by_time);
	tell_by_task(&by_task);
	story_add_json(&x, &by_time.story, &about);
	story_add_json(&y, &by_task.story, &about);
	tap_str(y.text, x.text, "the order of rows does not matter");
	golden_check("story", "json", x.text);
	end(&by_time);
	end(&by_task);
	strbuf_done(&x);
	strbuf_done(&y);
}

static void test_page(void)
{
	struct story_about few = about;
	struct page page;
	struct strbuf text;
	struct rig r;

	strbuf_init(&text);
	page_init(&page);
	tell_by_time(&r);
	story_page_make(&page, &r.story, &about);
	story_page_add_text(&text, &page, 80);
	golden_check("story", "text", text.text);
	strbuf_reset(&text);
	few.rows = 1;
	few.machine = NULL;
	few.recording = NULL;
	story_page_make(&page, &r.story, &few);
	story_page_add_text(&text, &page, 80);
	golden_check("story", "few", text.text);
	page_done(&page);
	end(&r);
	strbuf_done(&text);
}

/* At each width, all words of the page are in the text, and no line of a table is too long. */
static void test_widths(void)
{
	static const int widths[] = {40, 60, 80, 200};
	struct page page;
	struct strbuf text;
	struct rig r;

	strbuf_init(&text);
	page_init(&page);
	tell_by_time(&r);
	story_page_make(&page, &r.story, &about);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		int longest = 0;

		strbuf_reset(&text);
		story_page_add_text(&text, &page, widths[i]);
		for (const char *at = text.text; *at; at += strcspn(at, "\n") + 1)
			if ((int)strcspn(at, "\n") > longest)
				longest = (int)strcspn(at, "\n");
		tap_ok(longest <= widths[i], "%d columns: the longest line has %d", widths[i],
		       longest);
		tap_ok(strstr(text.text, "67 %\n") != NULL, "the last cell is there");
		tap_ok(strstr(text.text, "kworker/u8:2-writeback") != NULL, "so is a long name");
	}
	strbuf_reset(&text);
	story_page_add_text(&text, &page, 40);
	golden_check("story", "narrow", text.text);
	page_done(&page);
	end(&r);
	strbuf_done(&text);
}

/* A story without any rows. */
static void test_empty(void)
{
	struct page page;
	struct strbuf text;
	struct rig r;

	strbuf_init(&text);
	page_init(&page);
	begin(&r);
	add_interval(&r, 0);
	story_end(&r.story);
	story_page_make(&page, &r.story, &about);
	story_page_add_text(&text, &page, 80);
	golden_check("story", "empty", text.text);
	page_done(&page);
	end(&r);
	strbuf_done(&text);
}

static bool has_line(const struct page *page, const char *text)
{
	for (size_t i = 0; i < page->n; i++)
		if (page->line[i].text && !strcmp(page->line[i].text, text))
			return true;
	return false;
}

/* The command that was followed, and its end. */
static void test_command(void)
{
	char *const words[] = {(char *)"sh", (char *)"-c", (char *)"a\033b", NULL};
	struct ending ending = {.status = 143};
	struct story_about of = about;
	struct page page;
	struct rig r;

	begin(&r);
	story_end(&r.story);
	page_init(&page);
	of.command = words;
	story_page_make(&page, &r.story, &of);
	tap_ok(has_line(&page, "Command sh -c a?b: its end is not known"), "its end is not known");
	of.ending = &ending;
	of.ran_ns = 1250000000;
	story_page_make(&page, &r.story, &of);
	tap_ok(has_line(&page, "Command sh -c a?b: ended with status 143 after 1.25 s"),
	       "its status");
	ending.unknown = true;
	story_page_make(&page, &r.story, &of);
	tap_ok(has_line(&page, "Command sh -c a?b: ended after 1.25 s; its status is unknown"),
	       "or not even that");
	page_done(&page);
	end(&r);
}

/* A step may end early, and samples may be further apart than it is long. */
static void test_steps(void)
{
	struct page page;
	struct strbuf text;
	struct rig r;

	strbuf_init(&text);
	page_init(&page);
	tell_by_time(&r);
	r.story.step_s = 10;
	story_page_make(&page, &r.story, &about);
	story_page_add_text(&text, &page, 200);
	tap_ok(strstr(text.text, "; 4 intervals of up to 10 s or one sample (--step)\n") != NULL,
	       "the length of steps is a limit");
	tap_ok(strstr(text.text, "of whole intervals of up to 10 s or one sample: ") != NULL,
	       "also in what is not known");
	page_done(&page);
	end(&r);
	strbuf_done(&text);
}

/* The exits of tasks are listed by the way they ended, even if the tasks have no rows. */
static void test_exits(void)
{
	struct rig r;
	struct page page;

	begin(&r);
	story_exit(&r.story, &(struct story_exit){{0}, 50, "true", 0, 0});
	story_exit(&r.story, &(struct story_exit){{0}, 51, "fal\033se", 0, 3});
	story_kills(&r.story, 2);
	for (uint64_t id = 60; id < 80; id++)
		story_exit(&r.story, &(struct story_exit){{0}, id, "false", 0, 1});
	for (uint64_t id = 80; id < 82; id++)
		story_exit(&r.story, &(struct story_exit){{0}, id, "false", 6, 0});
	story_exit(&r.story, &(struct story_exit){{0}, 49, "victim", 9, 0});
	story_end(&r.story);
	page_init(&page);
	story_page_make(&page, &r.story, &about);
	tap_int((long)r.story.n_bad, 24, "only failures are listed");
	tap_ok(has_line(&page, "49 victim: ended by signal 9 (SIGKILL)"), "a signal");
	tap_ok(has_line(&page, "51 fal?se: ended with status 3"), "a status");
	tap_ok(has_line(&page, "60 false: ended with status 1; 19 more did so"), "how often");
	tap_ok(has_line(&page, "80 false: ended by signal 6 (SIGABRT); 1 more did so"),
	       "each way by itself");
	tap_ok(has_line(&page, "the kernel killed 2 processes of this machine for lack of memory "
			       "since tiptop began; its log has their names"),
	       "killed processes without names");
	page_done(&page);
	end(&r);
}

/* More ways of exiting than are listed. */
static void test_many_exits(void)
{
	struct rig r;
	struct page page;
	size_t n = 0;

	begin(&r);
	for (int i = 1; i <= 30; i++)
		story_exit(&r.story, &(struct story_exit){{0}, (uint64_t)i, "cc1", 0, i});
	story_end(&r.story);
	page_init(&page);
	story_page_make(&page, &r.story, &about);
	for (size_t i = 0; i < page.n; i++)
		n += page.line[i].text && strstr(page.line[i].text, "cc1: ended") != NULL;
	tap_int((long)n, 20, "this many ways are listed");
	tap_ok(has_line(&page, "and 10 more, in other ways"), "the others are counted");
	page_done(&page);
	end(&r);
}

/* The row of an ended task repeats the CPU time of its last complete interval (stale): it is not
 * added again. */
static void test_stale(void)
{
	struct rig r;

	begin(&r);
	for (int i = 0; i < 2; i++) {
		struct task *t =
			task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "alpha"});
		const struct delta_row row = {.task = t,
					      .cpu_ns = i ? value_stale(1e8) : value_exact(1e8)};

		t->id = t->owner = 1;
		t->dead = i;
		tap_int(story_wants_verdict(&row), !i, "it is judged where its time is known");
		story_row(&r.story, &(struct story_row){.row = &row});
		task_unref(t);
	}
	tap_num(r.story.cpu_ns, 1e8, "the time of the interval before the end");
	tap_ok(r.story.cpu_partial, "that of the end is not known");
	end(&r);
}

int main(void)
{
	test_stale();
	setenv("TZ", "UTC", 1);
	test_sums();
	test_order();
	test_clock_set_back();
	test_hole();
	test_page();
	test_widths();
	test_empty();
	test_command();
	test_steps();
	test_exits();
	test_many_exits();
	return tap_done();
}
