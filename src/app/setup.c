/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/setup.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/counters.h"
#include "base/file.h"
#include "base/mem.h"
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
	log_done(&s->log);
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
	struct err err = *fault;

	if (place->file && line)
		err_prefix(&err, "%s:%d", place->file, line);
	if (log_add(&place->setup->log, err.text))
		fprintf(stderr, "tiptop: %s\n", err.text);
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
			       "only the screens of the configuration file are wanted (--only-conf), but it has none");
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

/* A pid, or a part of a name; NULL or "" is neither. text is borrowed. */
static int parse_task(const char *text, const char *what, struct filter *filter, struct err *err)
{
	long number;

	filter->pid = 0;
	filter->text = NULL;
	if (!text || !*text)
		return 0;
	if (text[strspn(text, "0123456789")]) {
		filter->text = text;
		return 0;
	}
	if (num_parse_int(text, what, 1, INT32_MAX, &number, err))
		return -EINVAL;
	filter->pid = (int)number;
	return 0;
}

/* Puts a copy of text in the place of an option's string. */
static void replace(char **option, const char *text)
{
	char *copy = text && *text ? xstrdup(text) : NULL;

	free(*option);
	*option = copy;
}

int setup_set_filter(struct setup *s, const char *text, struct err *err)
{
	struct filter checked = FILTER_ALL;

	if (parse_task(text, "the pid", &checked, err))
		return -EINVAL;
	replace(&s->options.pid, text);
	return parse_task(s->options.pid, "the pid", &s->view.filter, err);
}

int setup_set_watch(struct setup *s, const char *text, struct err *err)
{
	struct filter checked = FILTER_ALL;

	if (parse_task(text, "the pid", &checked, err))
		return -EINVAL;
	replace(&s->options.watch, text);
	s->view.watch = (struct filter)FILTER_ALL;
	s->view.watching = s->options.watch != NULL;
	return parse_task(s->options.watch, "the pid", &s->view.watch, err);
}

int setup_set_user(struct setup *s, const char *text, struct err *err)
{
	/* Nobody else's tasks can be counted by an ordinary user: they are not shown unless they are asked for. */
	long uid = probe_may_count_others() ? -1 : (long)geteuid();

	if (text && *text && find_user(text, &uid, err))
		return -EINVAL;
	replace(&s->options.user, text);
	s->view.uid_name = s->options.user;
	s->view.filter.uid = uid;
	return 0;
}

/* With a command, only the command is shown. */
static int set_filters(struct setup *s, pid_t command, struct err *err)
{
	char *task = s->options.pid ? xstrdup(s->options.pid) : NULL;
	char *watch = s->options.watch ? xstrdup(s->options.watch) : NULL;
	char *user = s->options.user ? xstrdup(s->options.user) : NULL;
	int ret = setup_set_watch(s, watch, err);

	s->view.filter = (struct filter)FILTER_ALL;
	if (!ret && command)
		s->view.filter.pid = command;
	if (!ret && !command)
		ret = setup_set_filter(s, task, err);
	if (!ret && !command)
		ret = setup_set_user(s, user, err);
	free(task);
	free(watch);
	free(user);
	return ret;
}

/* Its header, without the blanks around it. */
static void column_name(struct strbuf *out, const struct column *column)
{
	const char *begin = column->header + strspn(column->header, " "), *end = begin + strlen(begin);

	while (end > begin && end[-1] == ' ')
		end--;
	strbuf_add(out, begin, (size_t)(end - begin));
}

static void choose_sorting(struct setup *s)
{
	const struct screen *screen = s->screens.v[s->view.screen];
	const char *wanted = s->options.sort_column;
	struct strbuf name;
	size_t i = 0;

	s->view.ascending = s->options.ascending;
	s->view.sort_column = 0;
	if (!wanted)
		return;
	strbuf_init(&name);
	for (; i < screen->n_columns; i++) {
		strbuf_reset(&name);
		column_name(&name, &screen->column[i]);
		if (!strcmp(name.text, wanted))
			break;
	}
	if (i < screen->n_columns || !strcmp(wanted, "COMMAND"))
		s->view.sort_column = i;
	strbuf_done(&name);
}

/* The present screen as -S finds it again: by its name, or by its number where another one comes before it. */
static void screen_name(const struct setup *s, struct strbuf *out)
{
	const char *name = s->screens.v[s->view.screen]->name;

	if (screen_list_find(&s->screens, name, NULL) == (int)s->view.screen)
		strbuf_addstr(out, name);
	else
		strbuf_addf(out, "%zu", s->view.screen);
}

void setup_save_state(struct setup *s)
{
	const struct screen *screen = s->screens.v[s->view.screen];
	struct options *o = &s->options;
	struct strbuf name;

	o->threads = s->view.threads;
	o->idle = s->view.idle;
	o->kernel = s->view.kernel;
	o->show_user = s->view.show_user;
	o->show_cmdline = s->view.show_cmdline;
	o->sticky = s->view.sticky;
	o->ascending = s->view.ascending;
	o->delay_s = s->view.delay_s;
	strbuf_init(&name);
	screen_name(s, &name);
	replace(&o->screen, name.text);
	strbuf_reset(&name);
	if (s->view.sort_column < screen->n_columns)
		column_name(&name, &screen->column[s->view.sort_column]);
	else
		strbuf_addstr(&name, "COMMAND");
	replace(&o->sort_column, name.text);
	strbuf_done(&name);
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
	s->view.sticky = o->sticky;
	s->view.epoch = o->epoch;
	s->view.timestamp = o->timestamp;
	s->view.cpu_min = o->cpu_min;
	s->view.delay_s = o->delay_s;
	if (set_filters(s, command, err))
		return -EINVAL;
	probe_hardware(&s->sys, o->kernel, &s->hardware);
	if (choose_screen(s, err))
		return -EINVAL;
	choose_sorting(s);
	raise_limit(&s->files);
	s->proc = proc_lib_new(err);
	if (!s->proc)
		return -err->code;
	s->source = source_live_new(&s->sys, s->proc);
	setup_want(s, command);
	return 0;
}

/* The process that a thread belongs to; the number itself where there is no such thread. */
static int process_of(int tid)
{
	char path[64], text[4096], *p;

	snprintf(path, sizeof path, "/proc/%d/status", tid);
	if (file_read(AT_FDCWD, path, text, sizeof text) <= 0)
		return tid;
	p = strstr(text, "\nTgid:");
	return p ? (int)strtol(p + strlen("\nTgid:"), NULL, 10) : tid;
}

struct filter setup_source_filter(const struct setup *s)
{
	struct filter filter = s->view.filter;

	if (filter.pid)
		filter.pid = process_of(filter.pid);
	return filter;
}

void setup_want(struct setup *s, pid_t command)
{
	const struct screen *screen = s->screens.v[s->view.screen];
	struct want want = {
		.facts = screen->facts | FACT_BIT(FACT_CPU_NS),
		.threads = s->view.threads,
		/* In the live view, a key may ask for them at any time. */
		.cmdline = s->view.show_cmdline || !s->options.batch,
		.filter = setup_source_filter(s),
		.log = &s->log,
		.collect = !s->options.no_collect,
		.command = command,
	};

	counters_make_set(&want.events, screen, &s->cpu, s->view.kernel);
	s->note = (struct err)ERR_INIT;
	s->source->ops->configure(s->source, &want, &s->note);
	s->remark = (struct err)ERR_INIT;
	if (!screen->n_aliases && s->hardware.code && !s->options.screen)
		s->remark = s->hardware;
}
