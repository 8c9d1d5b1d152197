/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/request.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "base/num.h"
#include "base/unit.h"
#include "conf/write.h"
#include "conf/xml.h"
#include "session/screen_change.h"
#include "session/view_options.h"
#include "tui/setup_page.h"

/* ---- task ----
 * Actions on the tasks selected for a key. */

/* Calls act() for all targets; reports the number of successes, or the first error. */
static int act_on_all(struct live *live, const struct targets *targets, const char *done,
		      int (*act)(const struct target *t, const struct request *r, struct err *err),
		      const struct request *request, struct err *err)
{
	struct err first = ERR_INIT, one = ERR_INIT;
	char text[ERR_TEXT_MAX + 64];
	size_t n = 0;

	if (!targets->n)
		return err_set(err, ESRCH, "the task has ended");
	for (size_t i = 0; i < targets->n; i++)
		if (!act(&targets->v[i], request, &one))
			n++;
		else if (!first.code)
			first = one;
	if (!n)
		return err_set(err, first.code, "%s", first.text);
	if (targets->n == 1)
		snprintf(text, sizeof text, "%s %d", done, targets->v[0].task.id);
	else if (n == targets->n)
		snprintf(text, sizeof text, "%s %zu tasks", done, n);
	else
		snprintf(text, sizeof text, "%s %zu of %zu tasks; %s", done, n, targets->n,
			 first.text);
	live_message(live, text);
	return 0;
}

static int send_one(const struct target *t, const struct request *request, struct err *err)
{
	return target_signal(t, request->signal, err);
}

/* Sends the signal to a pid that the user typed instead of the offered one. Whichever process has
 * that pid now gets the signal, as no pidfd was opened for it before. */
static int signal_number(struct live *live, const struct request *request, const char *done,
			 long pid, struct err *err)
{
	const struct target who = {.task = {.pid = (int32_t)pid, .id = (int32_t)pid}, .fd = -1};
	char text[ERR_TEXT_MAX];

	if (kill((pid_t)pid, request->signal)) {
		if (errno == EPERM)
			return target_say_denied(&who, request->signal, err);
		return err_set(err, errno, "cannot send signal %d to %ld: %s", request->signal, pid,
			       strerror(errno));
	}
	snprintf(text, sizeof text, "%s %ld", done, pid);
	live_message(live, text);
	return 0;
}

static int request_signal(struct live *live, const struct targets *targets,
			  const struct request *request, struct err *err)
{
	const char *name = code_name_signal(request->signal);
	char done[64];
	long pid;
	int ret;

	snprintf(done, sizeof done, "signal %d%s%s%s sent to", request->signal, name ? " (SIG" : "",
		 name ? name : "", name ? ")" : "");
	if (request->kind == REQUEST_KILL_TAGGED)
		return act_on_all(live, targets, done, send_one, request, err);
	ret = num_parse_int(request->text, "the pid", 1, INT32_MAX, &pid, err);
	if (ret)
		return ret;
	if (pid == request->offered)
		return act_on_all(live, targets, done, send_one, request, err);
	return signal_number(live, request, done, pid, err);
}

static int set_nice(const struct target *t, const struct request *request, struct err *err)
{
	long nice;
	int ret = num_parse_int(request->text, "the nice value", -20, 19, &nice, err);

	return ret ? ret : target_set_nice(t, (int)nice, err);
}

static int bound_nice(int nice)
{
	return nice < -20 ? -20 : nice > 19 ? 19 : nice;
}

/* Adds request->signal to the nice value of a task, limited to -20..19. */
static int add_nice(const struct target *t, const struct request *request, struct err *err)
{
	int nice, ret = target_nice(t, &nice, err);

	if (ret)
		return ret;
	return target_set_nice(t, bound_nice(nice + request->signal), err);
}

static int set_cpus(const struct target *t, const struct request *request, struct err *err)
{
	return target_set_cpus(t, request->text, err);
}

/* Writes the action as words; for a single task, with the old and the new nice value. by: `change`
 * is added, else it is the new value. */
static void write_nice(char *out, size_t size, const struct targets *targets, bool by, int change)
{
	struct err err = ERR_INIT;
	int before, after;

	if (targets->n != 1 || target_nice(&targets->v[0], &before, &err)) {
		snprintf(out, size, by ? "nice value %+d for" : "nice value %d for", change);
		return;
	}
	after = by ? bound_nice(before + change) : change;
	if (after == before)
		snprintf(out, size, "nice value %d, as before, for", after);
	else
		snprintf(out, size, "nice value %d, before it was %d, for", after, before);
}

static int request_nice(struct live *live, const struct targets *targets,
			const struct request *request, struct err *err)
{
	const bool by = request->kind == REQUEST_NICE_BY;
	char done[64];

	write_nice(done, sizeof done, targets, by,
		   by ? request->signal : (int)strtol(request->text, NULL, 10));
	return act_on_all(live, targets, done, by ? add_nice : set_nice, request, err);
}

static int request_cpus(struct live *live, const struct targets *targets,
			const struct request *request, struct err *err)
{
	char done[REQUEST_TEXT_MAX + 16];

	snprintf(done, sizeof done, "CPUs %s for", request->text);
	return act_on_all(live, targets, done, set_cpus, request, err);
}

/* Opens the prompt with the current value of the first task. */
static int offer(struct live *live, const struct target *first, enum request_kind kind,
		 struct err *err)
{
	struct strbuf text;
	int nice, ret;

	strbuf_init(&text);
	if (kind == REQUEST_NICE) {
		ret = target_nice(first, &nice, err);
		strbuf_addf(&text, "%d", nice);
	} else {
		ret = target_cpus(first, &text, err);
	}
	if (!ret)
		live_offer(live, kind, text.len < REQUEST_TEXT_MAX ? text.text : "");
	strbuf_done(&text);
	return ret;
}

/* Keeps the selected tasks for the request that follows; opens its prompt, or acts at once if no
 * answer is needed. */
static int request_hold(struct live *live, struct targets *targets, const struct request *request,
			struct err *err)
{
	size_t n;
	const struct live_task *task = live_tasks(live, &n);

	targets_take(targets, task, n);
	if (n && !targets->n)
		return err_set(err, ESRCH, n > 1 ? "the tagged tasks have ended" : "%d has ended",
			       task->id);
	switch (request->then) {
	case REQUEST_NICE:
	case REQUEST_CPUS:
		return offer(live, &targets->v[0], request->then, err);
	case REQUEST_NICE_BY:
		return request_nice(
			live, targets,
			&(struct request){.kind = REQUEST_NICE_BY, .signal = request->signal}, err);
	default:
		return 0; /* the prompt is open already */
	}
}

/* ---- request ---- */

static void say(struct live *live, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct live *live, const char *fmt, ...)
{
	char text[ERR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	live_message(live, text);
}

static int set_delay(struct display *display, const char *text, struct err *err)
{
	double delay;
	int ret = num_parse_double(text, "the delay", OPTION_DELAY_MIN, OPTION_DELAY_MAX, &delay,
				   err);

	if (!ret)
		display->view.delay_s = delay;
	return ret;
}

/* Asks whether the existing file may be overwritten. kind: the request that overwrites the file. */
static void ask_to_overwrite(struct live *live, const struct request *request,
			     enum request_kind kind, const char *what)
{
	struct request then = *request;
	char question[REQUEST_TEXT_MAX + 64];

	then.kind = kind;
	snprintf(question, sizeof question, "'%s' exists: %s? (y/n)", request->text, what);
	live_confirm(live, question, &then);
}

static int write_picture(struct live *live, const struct request *request, struct err *err)
{
	bool overwrite = request->kind == REQUEST_PICTURE_OVERWRITE;
	struct strbuf picture;
	char *path;
	int ret = conf_expand_path(request->text, &path, err);

	if (ret)
		return ret;
	strbuf_init(&picture);
	ret = live_picture(live, path, &picture, err);
	if (!ret)
		ret = replace_file(path, &picture, overwrite, err);
	if (!ret)
		say(live, "a picture was written to '%s'", path);
	if (ret == -EEXIST && !overwrite) {
		ask_to_overwrite(live, request, REQUEST_PICTURE_OVERWRITE, "overwrite it");
		ret = 0;
	}
	strbuf_done(&picture);
	free(path);
	return ret;
}

/* Writes the configuration. *written: set to whether the file has the whole state now. */
static int write_state(struct setup *s, struct live *live, const struct request *request,
		       bool *written, struct err *err)
{
	const struct conf_state state = {&s->config.options, &s->config.own.table,
					 &s->config.own_screens, &s->config.themes,
					 &s->config.filters};
	bool overwrite = request->kind == REQUEST_OVERWRITE;
	char *path;
	int ret = conf_expand_path(request->text, &path, err);

	if (ret)
		return ret;
	state_save_for_file(s);
	ret = conf_write(path, &state, &s->config.file, overwrite, err);
	if (ret >= 0 && conf_is_base(path, &s->config.file)) {
		change_follow_file(&s->config);
		setup_page_saved(live_setup(live));
	}
	*written = ret >= 0;
	if (ret == -EEXIST && !overwrite) {
		ask_to_overwrite(live, request, REQUEST_OVERWRITE,
				 conf_is_base(path, &s->config.file)
					 ? "change what is different in it"
					 : "overwrite it");
		ret = 0;
	} else if (ret == CONF_SAME) {
		say(live, "'%s' says all of it already: it stays as it is", path);
		ret = 0;
	} else if (!ret) {
		say(live, "the configuration was written to '%s'", path);
	}
	free(path);
	return ret;
}

/* Reports an error without opening a prompt again. */
static enum request_effect tell(struct live *live, const struct err *err)
{
	live_message(live, err->text);
	return EFFECT_NONE;
}

/* Handles a request of the setup page. */
static enum request_effect handle_setup(struct setup *s, struct live *live,
					const struct request *request)
{
	struct setup_page *page = live_setup(live);
	struct err err = ERR_INIT;
	int ret;

	const double delay_s = s->display.view.delay_s;

	if (request->kind == REQUEST_SETUP) {
		change_find_choices(s);
		settings_find(s);
		return EFFECT_SHOW;
	}
	ret = page->wanted.option ? settings_set(s, &page->wanted, &err)
				  : change_screen(s, &page->wanted, &err);
	setup_page_changed(page, !ret);
	settings_find(s);
	if (ret)
		return tell(live, &err);
	return s->display.view.delay_s != delay_s ? EFFECT_DELAY : EFFECT_SCREEN;
}

static enum request_effect apply_filter(struct setup *s)
{
	const struct filter filter = state_source_filter(s);

	return s->backend.source->ops->filter(s->backend.source, &filter) ? EFFECT_COUNT
									  : EFFECT_SHOW;
}

/* Sets the filter by user or by name. */
static int choose_tasks(struct setup *s, const struct request *request, struct err *err)
{
	return request->kind == REQUEST_USER ? state_set_user(s, request->text, err)
					     : state_set_filter(s, request->text, err);
}

/* Writes a picture or the configuration to the named file. If the configuration was written before
 * quitting, quits. */
static int write_file(struct setup *s, struct live *live, const struct request *request,
		      enum request_effect *effect, struct err *err)
{
	bool written = false;
	int ret;

	if (request->kind != REQUEST_WRITE && request->kind != REQUEST_OVERWRITE)
		return write_picture(live, request, err);
	ret = write_state(s, live, request, &written, err);
	if (written && request->then == REQUEST_QUIT)
		*effect = EFFECT_ASK_QUIT;
	return ret;
}

static int act_on_tasks(struct live *live, struct targets *targets, const struct request *request,
			struct err *err)
{
	if (request->kind == REQUEST_CPUS)
		return request_cpus(live, targets, request, err);
	if (request->kind == REQUEST_NICE || request->kind == REQUEST_NICE_BY)
		return request_nice(live, targets, request, err);
	return request_signal(live, targets, request, err);
}

/* Opens the prompt again with the error; not for tagged tasks, which may have exited. */
static enum request_effect refuse(struct live *live, const struct request *request,
				  const struct err *err)
{
	if (request->kind == REQUEST_KILL_TAGGED)
		return tell(live, err);
	live_refuse(live, request, err->text);
	return EFFECT_SHOW;
}

/* Sets the row filter, which may need facts that are not read yet. */
static enum request_effect set_row_filter(struct setup *s, struct live *live,
					  const struct request *request)
{
	struct err err = ERR_INIT;

	if (state_set_row_filter(s, request->text, &err))
		return refuse(live, request, &err);
	return fact_within(state_filter_facts(&s->display), s->backend.facts) ? EFFECT_SHOW
									      : EFFECT_SCREEN;
}

enum request_effect request_handle(struct setup *s, struct live *live, struct targets *targets,
				   const struct request *request)
{
	enum request_effect effect = EFFECT_SHOW;
	struct err err = ERR_INIT;
	int ret = 0;

	switch (request->kind) {
	case REQUEST_SETUP:
	case REQUEST_CHANGE:
		return handle_setup(s, live, request);
	case REQUEST_NONE:
	case REQUEST_QUIT: /* handled by the loop */
	case REQUEST_COLUMN:
	case REQUEST_COPY:
	case REQUEST_SETTING:
	case REQUEST_SEARCH:
	case REQUEST_REPLAY: /* this and the following are handled by the loop */
	case REQUEST_RECORD:
	case REQUEST_RECORD_TO:
	case REQUEST_JUMP:
		return EFFECT_NONE;
	case REQUEST_LEAVE:
		return EFFECT_QUIT;
	case REQUEST_END:
		return EFFECT_END_COMMAND;
	case REQUEST_DELAY:
		ret = set_delay(&s->display, request->text, &err);
		effect = EFFECT_DELAY;
		break;
	case REQUEST_ROW_FILTER:
		return set_row_filter(s, live, request);
	case REQUEST_FILTER:
	case REQUEST_USER:
		ret = choose_tasks(s, request, &err);
		effect = apply_filter(s);
		break;
	case REQUEST_SCREEN:
		ret = state_set_screen(s, request->text, &err);
		effect = EFFECT_SCREEN;
		break;
	case REQUEST_WATCH:
		ret = state_set_watch(s, request->text, &err);
		break;
	case REQUEST_HOLD:
		return request_hold(live, targets, request, &err) ? tell(live, &err) : EFFECT_NONE;
	case REQUEST_KILL:
	case REQUEST_KILL_TAGGED:
	case REQUEST_NICE:
	case REQUEST_NICE_BY:
	case REQUEST_CPUS:
		ret = act_on_tasks(live, targets, request, &err);
		break;
	case REQUEST_PICTURE:
	case REQUEST_PICTURE_OVERWRITE:
	case REQUEST_WRITE:
	case REQUEST_OVERWRITE:
		ret = write_file(s, live, request, &effect, &err);
		break;
	}
	return ret ? refuse(live, request, &err) : effect;
}
