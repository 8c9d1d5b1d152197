/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of config/ are valid user files: reading them gives the same as the tables that awk
 * generates for the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/xml.h"
#include "screen/screen.h"
#include "tap.h"

static void note(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

/* Reads all files of a pattern, sorted by name; *reports gets the messages. */
static void read_all(const char *pattern, const struct conf_into *into, struct strbuf *reports)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/config/%s", srcdir ? srcdir : ".", pattern);
	glob_t found;

	tap_ok(!glob(path, 0, NULL, &found), "there are files %s", pattern);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		int fd = open(found.gl_pathv[i], O_RDONLY | O_CLOEXEC);
		struct err err = ERR_INIT;

		if (conf_read(fd, found.gl_pathv[i], into, note, reports, &err))
			strbuf_addf(reports, "%s\n", err.text);
		close(fd);
	}
	globfree(&found);
	free(path);
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_event(const struct event_def *a, const struct event_def *b)
{
	bool good =
		a->n_choices == b->n_choices && same(a->unit, b->unit) && same(a->desc, b->desc);

	for (size_t i = 0; good && i < a->n_choices; i++) {
		const struct event_choice *x = &a->choice[i], *y = &b->choice[i];

		good = same(x->arch, y->arch) && same(x->model, y->model) &&
		       same(x->event, y->event) && same(x->name, y->name) &&
		       same(x->source, y->source);
	}
	return good;
}

static void test_tables(void)
{
	const struct event_table *built_in = &event_table_built_in;
	struct screen_list screens = SCREEN_LIST_INIT;
	struct strbuf reports;
	struct own_table own;
	const struct conf_into into = {.screens = &screens, .own = &own};

	strbuf_init(&reports);
	own_table_init(&own, NULL);
	read_all("cpus.xml", &into, &reports);
	read_all("events/*.xml", &into, &reports);
	tap_str(reports.text, "", "nothing is wrong in them");
	tap_int(own.table.n_cpus, built_in->n_cpus, "as many CPUs as are built in");
	tap_int(own.table.n_events, built_in->n_events, "as many events");
	for (size_t i = 0; i < built_in->n_cpus; i++) {
		const struct cpu_name *want = &built_in->cpu[i];
		const struct cpu_name *c =
			event_table_find_cpu(&own.table, want->name, strlen(want->name));

		tap_ok(c && same(c->models, want->models) && same(c->source, want->source),
		       "the CPU %s", want->name);
	}
	for (size_t i = 0; i < built_in->n_events; i++) {
		const struct event_def *want = &built_in->event[i];
		const struct event_def *e =
			event_table_find(&own.table, want->name, strlen(want->name));

		tap_ok(e && same_event(e, want), "the event %s", want->name);
	}
	own_table_done(&own);
	strbuf_done(&reports);
}

static bool same_screen(const struct screen *a, const struct screen *b)
{
	bool good = same(a->desc, b->desc) && same(a->needs, b->needs) && same(a->rows, b->rows) &&
		    a->n_counters == b->n_counters && a->n_columns == b->n_columns;

	for (size_t i = 0; good && i < a->n_counters; i++) {
		const struct counter_decl *x = &a->counter[i], *y = &b->counter[i];

		good = same(x->alias, y->alias) && same(x->event, y->event) &&
		       same(x->arch, y->arch) && same(x->model, y->model);
	}
	for (size_t i = 0; good && i < a->n_columns; i++) {
		const struct column *x = &a->column[i], *y = &b->column[i];

		good = same(x->header, y->header) && same(x->format, y->format) &&
		       same(x->text, y->text) && same(x->desc, y->desc) && same(x->id, y->id) &&
		       same(x->unit_name, y->unit_name) && x->optional == y->optional &&
		       x->priority == y->priority;
	}
	return good;
}

static void test_screens(void)
{
	struct screen_list screens = SCREEN_LIST_INIT, built_in = SCREEN_LIST_INIT;
	struct strbuf reports;
	struct own_table own;
	const struct conf_into into = {.screens = &screens, .own = &own};

	strbuf_init(&reports);
	own_table_init(&own, &event_table_built_in);
	read_all("screens/*.xml", &into, &reports);
	tap_str(reports.text, "", "nothing is wrong in them");
	screen_list_add_built_in(&built_in, 0, screen_built_in_n);
	tap_int(screens.n, built_in.n, "as many screens as are built in");
	for (size_t i = 0; i < screens.n; i++) {
		const struct screen *s = screens.v[i];
		char *file = xasprintf("/%s.xml", s->name);
		size_t k = 0;

		while (k < built_in.n && strcmp(built_in.v[k]->name, s->name) != 0)
			k++;
		tap_ok(k < built_in.n && same_screen(s, built_in.v[k]), "the screen %s", s->name);
		tap_ok(strlen(s->file) > strlen(file) &&
			       !strcmp(s->file + strlen(s->file) - strlen(file), file),
		       "its file has its name");
		free(file);
	}
	screen_list_done(&built_in);
	screen_list_done(&screens);
	own_table_done(&own);
	strbuf_done(&reports);
}

int main(void)
{
	test_tables();
	test_screens();
	return tap_done();
}
