/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup_rig - the setup page without a terminal, based on ui_rig. Its changes are applied to
 * made-up screens and options.
 */
#ifndef TESTS_SETUP_RIG_H
#define TESTS_SETUP_RIG_H

#include <errno.h>

#include "base/mem.h"
#include "screen/compile.h"
#include "ui_rig.h"
#include "view/view.h"

/* Replaces the loop: applies changes of screens, like session/screen_change.c. */
struct setup_rig {
	struct ui_rig rig;
	struct screen_list choices, gone;
	struct setup_trial trial;
	struct setting_list settings;
	bool refuses; /* changes are refused */
};

static const char *colours[] = {"blue", "green", "red"};

static inline void setup_rig_report(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	printf("# %s\n", err->text);
}

static inline int setup_rig_try(void *context, const struct screen *declared, size_t column,
				const struct frame *frame, const struct frame_row *row,
				struct strbuf *out, struct err *err)
{
	(void)context;
	(void)frame;
	if (strstr(declared->column[column].text, "bad"))
		return err_set(err, EINVAL, "column 5: 'bad' is bad");
	strbuf_addf(out, "%s of %ld", declared->column[column].header, (long)row->task->id);
	return 0;
}

static inline void setup_rig_obey(struct setup_rig *p)
{
	struct setup_page *page = &p->rig.ui.setup;
	struct screen **place, *new, *before;

	if (p->rig.ui.ask.ready.kind != REQUEST_CHANGE)
		return;
	p->rig.ui.ask.ready.kind = REQUEST_NONE;
	if (p->refuses) {
		setup_page_changed(page, false);
		return;
	}
	if (!page->wanted.screen) {
		for (size_t i = 0; i < p->settings.n; i++)
			if (!strcmp(p->settings.v[i].name, page->wanted.option)) {
				char *old = p->settings.v[i].value;

				p->settings.v[i].value = page->wanted.value;
				page->wanted.value = old;
				if (!strcmp(page->wanted.option, "layout"))
					parts_parse(p->settings.v[i].value, &p->rig.rig.view.hidden,
						    NULL);
			}
		setup_page_changed(page, true);
		return;
	}
	place = &p->rig.screens.v[page->wanted.index];
	before = screen_copy((*place)->declared ? (*place)->declared : *place);
	new = screen_copy(page->wanted.screen);
	tap_int(screen_compile(new, setup_rig_report, NULL, NULL), 0, "the screen compiles");
	new->declared = page->wanted.screen;
	page->wanted.screen = before;
	setup_page_changed(page, true);
	screen_list_add(&p->gone, *place);
	*place = new;
	p->rig.rig.screen = new;
}

static inline void setup_rig_begin(struct setup_rig *p, int width, int height)
{
	struct screen *other = screen_new("other", NULL), *facts = screen_new("facts", NULL);

	memset(p, 0, sizeof *p);
	ui_rig_init(&p->rig, width, height);
	screen_add_counter(other, "x", "", NULL)->event = xstrdup("cycles");
	screen_add_column(other, "XS", "%5.1f", "What x is", "delta(x)");
	screen_add_column(other, "  P", "%3.0f", "The same as in the screen", "PROC_ID");
	screen_add_column(facts, "NICE", "%4.0f", "Nice value", "NICE");
	screen_list_add(&p->choices, other);
	screen_list_add(&p->choices, facts);
	p->settings.v = xcalloc(3, sizeof *p->settings.v);
	p->settings.v[0] = (struct setting){
		"colour", "the colour", xstrdup("red"), xstrdup("red"), colours, 3, true};
	p->settings.v[1] =
		(struct setting){"number", "a number", xstrdup("1"), xstrdup("2"), NULL, 0, false};
	p->settings.v[2] = (struct setting){
		"layout", "the parts", xstrdup("auto"), xstrdup("auto"), NULL, 0, false};
	p->settings.n = 3;
	p->rig.ui.setup.settings = &p->settings;
	p->trial.value = setup_rig_try;
	p->rig.ui.setup.choices = &p->choices;
	p->rig.ui.setup.trial = &p->trial;
	frame_rig_set_events(&p->rig.rig, 2);
	frame_rig_add(&p->rig.rig, &(struct rig_task){.id = 7, .name = "seven", .cpu_ns = 1000000});
	ui_rig_build(&p->rig);
}

static inline void setup_rig_end(struct setup_rig *p)
{
	ui_rig_done(&p->rig);
	screen_list_done(&p->choices);
	screen_list_done(&p->gone);
	for (size_t i = 0; i < p->settings.n; i++) {
		free(p->settings.v[i].value);
		free(p->settings.v[i].usual);
	}
	free(p->settings.v);
}

static inline unsigned setup_rig_press(struct setup_rig *p, int key)
{
	unsigned reactions = keys_apply(&p->rig.ui, &p->rig.rig.view, &p->rig.screens, key);

	setup_rig_obey(p);
	ui_rig_build(&p->rig);
	return reactions;
}

static inline void setup_rig_type(struct setup_rig *p, const char *text)
{
	for (; *text; text++)
		setup_rig_press(p, (unsigned char)*text);
}

#endif
