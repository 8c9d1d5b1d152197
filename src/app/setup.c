/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/setup.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/counters.h"
#include "base/num.h"
#include "conf/xml.h"
#include "perf/probe.h"
#include "screen/presets.h"

/* $TIPTOP_CPU tries a configuration as if on another CPU: which screens and counters are for it. */
static void identify_cpu(struct cpu_id *cpu)
{
	const char *other = getenv("TIPTOP_CPU");

	if (!other || !cpu_parse(cpu, other))
		cpu_identify(cpu);
}

void setup_init(struct setup *s)
{
	memset(s, 0, sizeof *s);
	options_init(&s->options);
	identify_cpu(&s->cpu);
	perf_sys_init(&s->sys);
	getrlimit(RLIMIT_NOFILE, &s->files);
}

void setup_done(struct setup *s)
{
	if (s->source)
		s->source->ops->free(s->source);
	proc_lib_free(s->proc);
	screen_list_done(&s->screens);
	options_done(&s->options);
}

/* Where a fault was found; file is NULL while it is not known. */
struct place {
	struct setup *setup;
	const char *file;
};

static void report(void *context, int line, const struct err *fault)
{
	struct place *place = context;

	if (place->file && line)
		fprintf(stderr, "tiptop: %s:%d: %s\n", place->file, line, fault->text);
	else
		fprintf(stderr, "tiptop: %s\n", fault->text);
	/* What is unknown or incomplete may suit another version or machine. */
	if (fault->code == EINVAL || fault->code == ERANGE)
		place->setup->n_mistakes++;
}

static int read_configuration(struct setup *s, const char *given, struct screen_list *screens, struct err *err)
{
	struct place place = {s, NULL};
	char *path = NULL;
	int fd = -1, ret = conf_find(given, &path, &fd, report, &place, err);

	if (!ret && fd >= 0) {
		place.file = path;
		ret = conf_read(fd, path, &s->options, screens, report, &place, err);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

/* Leaves out the optional columns for whose counters this PMU has no event. Returns whether the screen is for this CPU:
 * a built-in one may be for some models only. */
static bool fit_to_cpu(struct setup *s, struct screen *screen)
{
	struct event_set set;
	bool fits;

	counters_make_set(&set, screen, &s->cpu, false);
	for (size_t i = screen->n_columns; i-- > 0;)
		if (screen->column[i].optional && !counters_have(&set, &screen->column[i], &s->sys))
			screen_drop_column(screen, i);
	fits = screen->file || counters_fit(&set, screen);
	event_set_done(&set);
	return fits;
}

static void compile_list(struct setup *s, struct screen_list *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct screen *screen = from->v[i];
		struct place place = {s, screen->file};
		struct err err = ERR_INIT;

		counters_check(screen, report, &place);
		if (screen_compile(screen, report, &place, &err))
			report(&place, screen->line, &err);
		if (!err.code && fit_to_cpu(s, screen))
			screen_list_add(&s->screens, screen);
		else
			screen_free(screen);
	}
	free(from->v);
	*from = (struct screen_list)SCREEN_LIST_INIT;
}

int setup_configuration(struct setup *s, const struct option_list *arguments, struct err *err)
{
	struct screen_list built_in = SCREEN_LIST_INIT, own = SCREEN_LIST_INIT, software = SCREEN_LIST_INIT;
	int ret = read_configuration(s, option_given(arguments, "config"), &own, err);

	ret = ret ? -EBADMSG : option_apply(arguments, &s->options, err);
	if (ret) {
		screen_list_done(&own);
		return ret;
	}
	/* The order of 2.3.1, whose numbers scripts use: built in, then the file's; what is new comes last. */
	if (!s->options.only_conf) {
		presets_add_hardware(&built_in);
		presets_add_software(&software);
	}
	compile_list(s, &built_in);
	compile_list(s, &own);
	compile_list(s, &software);
	if (s->n_mistakes)
		return err_set(err, EBADMSG, "the configuration has mistakes that must be mended first: see above");
	if (!s->screens.n)
		return err_set(err, EBADMSG,
			       "--only-conf was given, but no configuration file with a screen was found");
	return 0;
}

static int find_user(const char *text, long *uid, struct err *err)
{
	const struct passwd *pw = getpwnam(text);

	if (pw) {
		*uid = (long)pw->pw_uid;
		return 0;
	}
	if (text[strspn(text, "0123456789")])
		return err_set(err, EINVAL, "there is no user '%s'", text);
	return num_parse_int(text, "the user (-u)", 0, UINT32_MAX, uid, err);
}

static int set_filter(struct setup *s, pid_t command, struct err *err)
{
	struct filter *filter = &s->view.filter;
	const char *pid = s->options.pid;
	long number;

	*filter = (struct filter)FILTER_ALL;
	if (command) {
		filter->pid = command;
		return 0;
	}
	if (pid && !pid[strspn(pid, "0123456789")]) {
		if (num_parse_int(pid, "the pid (-p)", 1, INT32_MAX, &number, err))
			return -EINVAL;
		filter->pid = (int)number;
	} else {
		filter->text = pid;
	}
	if (s->options.user) {
		s->view.uid_name = s->options.user;
		return find_user(s->options.user, &filter->uid, err);
	}
	/* Nobody else's tasks can be counted by an ordinary user: they are not shown. */
	if (!probe_may_count_others())
		filter->uid = (long)geteuid();
	return 0;
}

/* -S, or the first screen; without hardware counters, the first that needs none. */
static int choose_screen(struct setup *s, struct err *err)
{
	int i = 0;

	if (s->options.screen) {
		i = screen_list_find(&s->screens, s->options.screen, err);
		if (i < 0)
			return -EINVAL;
	} else if (s->hardware.code) {
		for (size_t k = s->screens.n; k-- > 0;)
			if (!s->screens.v[k]->n_aliases)
				i = (int)k;
	}
	s->view.screen = (size_t)i;
	return 0;
}

static void raise_limit(const struct rlimit *files)
{
	struct rlimit raised = {files->rlim_max, files->rlim_max};

	setrlimit(RLIMIT_NOFILE, &raised);
}

int setup_start(struct setup *s, pid_t command, struct err *err)
{
	const struct options *o = &s->options;

	s->view.threads = o->threads;
	s->view.idle = o->idle || command;
	s->view.kernel = o->kernel;
	s->view.show_user = o->show_user;
	s->view.show_cmdline = o->show_cmdline;
	s->view.cpu_min = o->cpu_min;
	s->view.delay_s = o->delay_s;
	if (set_filter(s, command, err))
		return -EINVAL;
	probe_hardware(&s->sys, o->kernel, &s->hardware);
	if (choose_screen(s, err))
		return -EINVAL;
	raise_limit(&s->files);
	s->proc = proc_lib_new(err);
	if (!s->proc)
		return -err->code;
	s->source = source_live_new(&s->sys, s->proc);
	setup_want(s, command);
	return 0;
}

void setup_want(struct setup *s, pid_t command)
{
	const struct screen *screen = s->screens.v[s->view.screen];
	struct want want = {
		.facts = screen->facts | FACT_BIT(FACT_CPU_NS),
		.threads = s->view.threads,
		/* In the live view, a key may ask for them at any time. */
		.cmdline = s->view.show_cmdline || !s->options.batch,
		.filter = s->view.filter,
		.command = command,
	};

	counters_make_set(&want.events, screen, &s->cpu, s->view.kernel);
	s->note = (struct err)ERR_INIT;
	s->source->ops->configure(s->source, &want, &s->note);
	if (!s->note.code && !screen->n_aliases && s->hardware.code && !s->options.screen)
		s->note = s->hardware;
}
