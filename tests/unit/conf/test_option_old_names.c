/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of tiptop 2.3.1, and the abbreviations that select them. New options must not make
 * these abbreviations ambiguous.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "conf/option.h"
#include "tap.h"

/* Each abbreviation from the shortest to the whole name is tested. */
static const struct {
	const char *name, *shortest, *argument;
} long_table[] = {
	{"--cpu-min", "--cp", "1"},
	{"--epoch", "--ep", NULL},
	{"--help", "--h", NULL},
	{"--kernel", "--k", NULL},
	{"--list-screens", "--list-s", NULL},
	{"--no-collect", "--n", NULL},
	{"--only-conf", "--on", NULL},
	{"--pid", "--p", "1"},
	{"--sticky", "--st", NULL},
	{"--timestamp", "--ti", NULL},
	{"--version", "--vers", NULL},
};

/* As for getopt(3): a ':' follows options with an argument. */
static const char short_table[] = "bcd:E:hHiKn:o:p:S:u:UvW:w:";

static int scan(struct option_list **list, const char *word, const char *argument, struct err *err)
{
	char *argv[] = {(char *)"tiptop", (char *)word, (char *)argument, NULL};

	return option_scan(list, &option_monitor, argument ? 3 : 2, argv, err);
}

/* Sets the options from a command line of one word and perhaps an argument. */
static void run(struct options *o, const char *word, const char *argument)
{
	struct option_list *list = NULL;
	struct err err = ERR_INIT;

	options_init(o);
	tap_int(scan(&list, word, argument, &err), 0, "%s: %s", word, err.text);
	if (list) {
		option_apply(list, o, NULL);
		o->task = option_task(list);
	}
	option_list_free(list);
}

static bool same(const struct options *a, const struct options *b)
{
	return a->task == b->task && a->kernel == b->kernel && a->epoch == b->epoch &&
	       a->no_collect == b->no_collect && a->only_conf == b->only_conf &&
	       a->sticky == b->sticky && a->timestamp == b->timestamp && a->cpu_min == b->cpu_min &&
	       !a->pid == !b->pid;
}

static void test_long(void)
{
	struct options none;

	options_init(&none);
	for (size_t i = 0; i < sizeof long_table / sizeof *long_table; i++) {
		struct options whole;

		run(&whole, long_table[i].name, long_table[i].argument);
		tap_ok(!same(&whole, &none), "it does something");
		for (size_t n = strlen(long_table[i].shortest); long_table[i].name[n]; n++) {
			char *word = xstrndup(long_table[i].name, n);
			struct options o;

			run(&o, word, long_table[i].argument);
			tap_ok(same(&o, &whole), "means %s", long_table[i].name);
			options_done(&o);
			free(word);
		}
		options_done(&whole);
	}
	options_done(&none);
}

static void test_short(void)
{
	for (const char *p = short_table; *p; p += 1 + (p[1] == ':')) {
		const char word[] = {'-', *p, '\0'};
		struct option_list *list = NULL;
		struct err err = ERR_INIT;

		tap_int(scan(&list, word, p[1] == ':' ? "1" : NULL, &err), 0, "%s: %s", word,
			err.text);
		option_list_free(list);
	}
}

int main(void)
{
	test_long();
	test_short();
	return tap_done();
}
