/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stories as JSON: empty ones; with a command, ended or not; with exits; with changes and notes. */
#include "diagnose/judge.h"
#include "diagnose/story_page.h"
#include "golden.h"
#include "model/kinds.h"

#define BEGIN_NS  1700000000000000000u
#define SECOND_NS 1000000000u
#define NAME      "a \"b\"\033[1m\\\n\xff\u00e9"

struct rig {
	struct rules *rules;
	struct story story;
};

static void report(void *context, const struct err *err)
{
	(void)context;
	tap_ok(false, "%s", err->text);
}

static void begin(struct rig *r)
{
	static const struct verdict_table *const table = &verdict_table_built_in;

	r->rules = rules_new(&table, 1, NULL, report, NULL);
	story_init(&r->story, r->rules);
}

/* Ends the story, and compares its JSON with a golden file. */
static void check(struct rig *r, const char *name, const struct story_about *about)
{
	struct strbuf text;

	strbuf_init(&text);
	story_end(&r->story);
	story_add_json(&text, &r->story, about);
	golden_check("story", name, text.text);
	strbuf_done(&text);
	story_done(&r->story);
	rules_free(r->rules);
}

static void add_intervals(struct story *s)
{
	for (unsigned second = 0; second <= 3; second++)
		story_interval(s, &(struct story_interval){
					  .wall_ns = BEGIN_NS + (uint64_t)second * SECOND_NS,
					  .mono_ns = (uint64_t)second * SECOND_NS,
					  .interval_ns = second % 2 ? SECOND_NS / 3 : 0,
					  .n_left_out = second,
					  .n_cpus = (int)second,
				  });
}

static struct story_time at(unsigned second)
{
	return (struct story_time){second, BEGIN_NS + (uint64_t)second * SECOND_NS};
}

static void add_found(struct story *s)
{
	story_exit(s, &(struct story_exit){{0, 0}, 50, "true", 0, 0});
	story_exit(s, &(struct story_exit){{0, 0}, 51, NAME, 0, 3});
	story_exit(s, &(struct story_exit){at(2), UINT64_MAX, "victim", 9, 0});
	story_kills(s, 2);
	story_change(s, &(struct story_change){at(2), 20, NAME, 1, 2.5, 7.4, STORY_IPC});
	story_change(s, &(struct story_change){at(3), 21, "xz", 50, 1.0 / 3, 1e300, STORY_CPU});
	story_note(s, &(struct story_note){at(1), "xz", "IPC 1.9 -> 1.1; " NAME,
					   "ipc-drop-task-began"});
}

/* Without rows, only the exits of programs are known: changes and notes are dropped. */
static void test_machines(void)
{
	static const struct sample_machine known = {.arch = "x86", .model = "06_8F", .host = NAME},
					   unknown = {.arch = "", .model = "", .host = ""};
	struct rig r;

	begin(&r);
	check(&r, "json-none", &(struct story_about){.recording = NULL});
	begin(&r);
	add_intervals(&r.story);
	check(&r, "json-intervals", &(struct story_about){.recording = NAME, .machine = &known});
	begin(&r);
	add_intervals(&r.story);
	add_found(&r.story);
	check(&r, "json-ends", &(struct story_about){.recording = "a.db", .machine = &unknown});
}

/* Changes and notes of programs that have rows are kept. */
static void test_found(void)
{
	static const char *const names[] = {NAME, "xz"};
	struct rig r;

	begin(&r);
	add_intervals(&r.story);
	for (size_t i = 0; i < 2; i++) {
		struct task *t =
			task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = names[i]});

		t->id = t->owner = 20 + i;
		story_row(&r.story,
			  &(struct story_row){
				  .row = &(struct delta_row){.task = t,
							     .cpu_ns = value_exact(7e9 / 3)},
				  .born = i});
		task_unref(t);
	}
	add_found(&r.story);
	check(&r, "json-found", &(struct story_about){.recording = "a.db"});
}

static void test_commands(void)
{
	char *const words[] = {(char *)"sh", (char *)"-c", (char *)NAME, NULL};
	char *const none[] = {NULL};
	const struct ending ended = {.status = 143}, unknown = {.unknown = true};
	struct rig r;

	begin(&r);
	check(&r, "json-command", &(struct story_about){.command = words});
	begin(&r);
	check(&r, "json-command-ended",
	      &(struct story_about){.command = words, .ending = &ended, .ran_ns = 1250000000});
	begin(&r);
	check(&r, "json-command-unknown",
	      &(struct story_about){.command = none, .ending = &unknown, .ran_ns = 1250000000});
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	test_machines();
	test_found();
	test_commands();
	return tap_done();
}
