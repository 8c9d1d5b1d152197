/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of faults: each fault is logged once, a fault of many tasks in one line, and no kind of
 * fault displaces another. */
#include <stdio.h>

#include "base/log.h"
#include "tap.h"

static void is_line(const struct log *log, size_t i, const char *want, const char *name)
{
	struct strbuf text;

	strbuf_init(&text);
	log_put_line(log, i, &text);
	tap_str(text.text, want, "%s", name);
	strbuf_done(&text);
}

static bool add_denied(struct log *log, int task)
{
	char text[64];

	snprintf(text, sizeof text, "task %d may not be counted: not yours", task);
	return log_add_task(log, task, text);
}

static void test_tasks(void)
{
	struct log log = LOG_INIT;
	int n_new = 0;

	tap_ok(add_denied(&log, 7), "the first task is new");
	is_line(&log, 0, "task 7 may not be counted: not yours", "and the sentence is its own");
	tap_ok(!add_denied(&log, 7), "once more is nothing new");
	is_line(&log, 0, "task 7 may not be counted: not yours", "and no further task");
	tap_ok(!add_denied(&log, 77), "the same of another task is no new line");
	is_line(&log, 0, "task 7 may not be counted: not yours (and 1 more task)",
		"but one more task");
	for (int task = 1; task <= 998; task++)
		n_new += add_denied(&log, task);
	tap_int(n_new, 0, "neither are many");
	is_line(&log, 0, "task 7 may not be counted: not yours (and 997 more tasks)",
		"they are counted");
	tap_int(log.n, 1, "in one line");
	tap_ok(log_add_task(&log, 5, "task 5 has no event 'x'"),
	       "another fault of a task is another line");
	tap_ok(log_add_task(&log, 5, "nothing may be counted"),
	       "a fault that names no task is a line, too");
	tap_ok(!log_add_task(&log, 6, "nothing may be counted"), "once");
	is_line(&log, 2, "nothing may be counted", "and the tasks are not counted");
	log_add_task(&log, 1, "a disk of task 12: task 1 waits");
	log_add_task(&log, 2, "a disk of task 12: task 2 waits");
	is_line(&log, 3, "a disk of task 12: task 1 waits (and 1 more task)",
		"another number is not taken for the task");
	for (int task = 1; task <= 2 * LOG_TASKS_MAX; task++)
		add_denied(&log, task);
	is_line(&log, 0, "task 7 may not be counted: not yours (and 19999 or more tasks)",
		"this many are distinguished");
	log_done(&log);
}

static void test_numbers(void)
{
	struct log log = LOG_INIT;

	tap_ok(log_set(&log, LOG_TASK, "7 ends", "1 end"), "a fault with a number is new");
	tap_int(log_count_news(&log, 0), 0, "and has not changed");
	tap_ok(!log_set(&log, LOG_TASK, "7 ends", "1 end"), "once more is nothing new");
	tap_int(log_count_news(&log, 0), 0, "nor a change");
	tap_ok(!log_set(&log, LOG_TASK, "7 ends", "2 ends"), "with another number it is the same");
	is_line(&log, 0, "2 ends", "which has that number");
	tap_int(log_count_news(&log, 0), 1, "and has changed");
	tap_ok(log_set(&log, LOG_TASK, "8 ends", "2 ends"), "another one has another key");
	log_done(&log);
}

static void test_kinds(void)
{
	struct log log = LOG_INIT;
	struct strbuf text;
	char line[32];

	for (int i = 0; i < LOG_MAX + 2; i++) {
		snprintf(line, sizeof line, "fault %d", i);
		log_add(&log, LOG_CONFIGURATION, line);
	}
	tap_int(log.n, LOG_MAX, "at most this many lines of one kind are kept");
	tap_ok(log_add(&log, LOG_SCREEN, "fault 1"), "they do not silence another kind");
	tap_ok(add_denied(&log, 3), "nor the tasks");
	tap_ok(!log_add(&log, LOG_CONFIGURATION, "fault 1"),
	       "what is there is not counted as dropped");
	log_add(&log, LOG_CONFIGURATION, line);
	strbuf_init(&text);
	tap_ok(log_put_dropped(&log, LOG_CONFIGURATION, &text), "something was dropped");
	tap_str(text.text,
		"2 more faults of the configuration came later; only the first 1000 are kept",
		"and is told, each once");
	tap_ok(!log_put_dropped(&log, LOG_TASK, &text), "nothing of another kind");
	strbuf_done(&text);
	log_done(&log);
}

int main(void)
{
	test_tasks();
	test_numbers();
	test_kinds();
	return tap_done();
}
