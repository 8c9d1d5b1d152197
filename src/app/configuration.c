/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/counters.h"
#include "app/fit.h"
#include "app/setup.h"
#include "conf/xml.h"
#include "screen/presets.h"

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

static void compile_list(struct setup *s, struct screen_list *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct screen *screen = from->v[i];
		struct place place = {s, screen->file};
		struct err err = ERR_INIT;

		/* That a built-in one does not know all CPUs is no fault. */
		if (screen->file)
			counters_check(screen, &s->machine, report, &place);
		if (screen_compile(screen, report, &place, &err))
			report(&place, screen->line, &err);
		if (!err.code && fit_screen(screen, &s->machine, &s->kernel.sys))
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
	struct screen_list today = SCREEN_LIST_INIT;
	int ret = read_configuration(s, option_given(arguments, "config"), &own, err);

	ret = ret ? -EBADMSG : option_apply(arguments, &s->options, err);
	if (ret) {
		screen_list_done(&own);
		return ret;
	}
	/* The order of 2.3.1, whose numbers scripts use: built in, then the file's; what is new comes last. */
	if (!s->options.only_conf) {
		presets_add_hardware(&built_in);
		presets_add_today(&today);
		presets_add_software(&software);
	}
	compile_list(s, &built_in);
	compile_list(s, &own);
	compile_list(s, &today);
	compile_list(s, &software);
	if (s->n_mistakes)
		return err_set(err, EBADMSG, "the configuration has mistakes that must be mended first: see above");
	if (!s->screens.n)
		return err_set(err, EBADMSG,
			       "only the screens of the configuration file are wanted (--only-conf), but it has none");
	return 0;
}
