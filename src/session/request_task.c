/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of request: what is done to the tasks that a key was pressed about. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "session/request_part.h"

/* Does it to all of them; says how often it was done, or what hindered it first. */
static int do_to_all(struct live *live, const struct targets *targets, const char *done,
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

/* A pid that was typed in place of the one that was offered means whoever has it now. */
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

int request_signal(struct live *live, const struct targets *targets, const struct request *request,
		   struct err *err)
{
	const char *name = sigabbrev_np(request->signal);
	char done[64];
	long pid;
	int ret;

	snprintf(done, sizeof done, "signal %d%s%s%s sent to", request->signal, name ? " (SIG" : "",
		 name ? name : "", name ? ")" : "");
	if (request->kind == REQUEST_KILL_TAGGED)
		return do_to_all(live, targets, done, send_one, request, err);
	ret = num_parse_int(request->text, "the pid", 1, INT32_MAX, &pid, err);
	if (ret)
		return ret;
	if (pid == request->offered)
		return do_to_all(live, targets, done, send_one, request, err);
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

/* By so much: from what each of them has. */
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

/* Writes what is done: of one task, from which value to which. */
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

int request_nice(struct live *live, const struct targets *targets, const struct request *request,
		 struct err *err)
{
	const bool by = request->kind == REQUEST_NICE_BY;
	char done[64];

	write_nice(done, sizeof done, targets, by,
		   by ? request->signal : (int)strtol(request->text, NULL, 10));
	return do_to_all(live, targets, done, by ? add_nice : set_nice, request, err);
}

int request_cpus(struct live *live, const struct targets *targets, const struct request *request,
		 struct err *err)
{
	char done[REQUEST_TEXT_MAX + 16];

	snprintf(done, sizeof done, "CPUs %s for", request->text);
	return do_to_all(live, targets, done, set_cpus, request, err);
}

/* Offers what the first of them has now. */
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

int request_hold(struct live *live, struct targets *targets, const struct request *request,
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
		return 0; /* the prompt is open */
	}
}
