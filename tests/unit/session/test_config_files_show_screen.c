/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of --show-screen, read as a user's file, is the same screen on each CPU: hidden or
 * not, with the same columns and events.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "conf/write.h"
#include "conf/xml.h"
#include "cpu_child.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

static void complain(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "bad: %d: %s\n", line, err->text);
}

static void describe(struct strbuf *out, struct screen *s, const struct machine *m,
		     struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);
	struct event_set set;

	screen_compile(s, complain, out, NULL);
	strbuf_addf(out, "%s '%s'", s->name, s->desc);
	if (!fit_may_show(s, &offer)) {
		strbuf_addf(out, " hidden: %s\n", s->needs);
		return;
	}
	fit_screen(s, &offer);
	for (size_t i = 0; i < s->n_columns; i++)
		strbuf_addf(out, " |%s|%s|%s|%s|%d|%d|", s->column[i].id, s->column[i].header,
			    s->column[i].format, s->column[i].desc, s->column[i].width,
			    s->column[i].optional);
	counters_make_set(&set, s, &offer);
	for (int i = 0; i < set.n; i++) {
		const struct event *e = &set.event[i];

		strbuf_addf(out, " %s@%d %d %u:%llx", e->name, e->core, e->quality, e->type,
			    (unsigned long long)e->config);
	}
	strbuf_addch(out, '\n');
	event_set_done(&set);
}

/* Prints a screen and reads it again; messages are added to out. */
static void read_again(struct screen_list *l, const struct screen *s, struct strbuf *out)
{
	int fd = memfd_create("rc", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct own_table own;
	struct strbuf text;

	own_table_init(&own, &event_table_built_in);
	strbuf_init(&text);
	conf_format_screen(&text, s, NULL);
	if (write(fd, text.text, text.len) != (ssize_t)text.len || lseek(fd, 0, SEEK_SET))
		abort();
	if (conf_read(fd, "rc", &(struct conf_into){.screens = l, .own = &own}, complain, out,
		      &err))
		strbuf_addf(out, "bad: %s\n", err.text);
	close(fd);
	strbuf_done(&text);
	own_table_done(&own);
}

static void play(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	struct screen_list built_in = SCREEN_LIST_INIT, again = SCREEN_LIST_INIT;

	(void)context;
	screen_list_add_built_in(&built_in, 0, screen_built_in_n);
	for (size_t i = 0; i < built_in.n; i++)
		read_again(&again, built_in.v[i], out);
	for (size_t i = 0; i < built_in.n && again.n == built_in.n; i++) {
		struct strbuf one, other;

		strbuf_init(&one);
		strbuf_init(&other);
		describe(&one, built_in.v[i], m, sys);
		describe(&other, again.v[i], m, sys);
		if (strcmp(one.text, other.text) != 0 || !again.v[i]->replace)
			strbuf_addf(out, "bad: %s is not %s", other.text, one.text);
		strbuf_done(&one);
		strbuf_done(&other);
	}
	strbuf_addf(out, "%zu screens\n", again.n);
	screen_list_done(&built_in);
	screen_list_done(&again);
}

int main(void)
{
	char *want = xasprintf("%zu screens\n", screen_built_in_n);

	for (size_t i = 0; i < sizeof case_table / sizeof *case_table; i++) {
		const struct machine_case *c = &case_table[i];
		const struct played_cpu cpu = {
			c->cpu, c->tables, {c->pmu[0], c->pmu[1], c->pmu[2]}};
		struct strbuf reported;

		strbuf_init(&reported);
		cpu_child_ask(&reported, &cpu, play, NULL);
		tap_str(reported.text, want, "%s: each screen is what it was", c->name);
		strbuf_done(&reported);
	}
	free(want);
	return tap_done();
}
