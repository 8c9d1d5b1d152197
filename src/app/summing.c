/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/summing.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "event/describe.h"
#include "event/merge.h"

void summing_init(struct summing *s)
{
	memset(s, 0, sizeof *s);
	sample_init(&s->begin);
	sample_init(&s->end);
	delta_init(&s->first);
	delta_init(&s->last);
	frame_init(&s->frame);
	strbuf_init(&s->text);
}

void summing_done(struct summing *s)
{
	frame_done(&s->frame);
	delta_done(&s->last);
	delta_done(&s->first);
	sample_done(&s->end);
	sample_done(&s->begin);
	binding_done(&s->binding);
	screen_numbers_done(&s->numbers);
	whole_free(s->whole);
	strbuf_done(&s->text);
}

/* The one row is shown whatever the user has chosen for those of tasks. */
static struct view make_view(const struct view *of)
{
	return (struct view){
		.screen = of->screen,
		.sort = of->sort,
		.values = VALUES_INTERVAL,
		.idle = true,
		.threads = true,
		.delay_s = of->delay_s,
		.kernel = of->kernel,
		.filter = FILTER_ALL,
	};
}

const char *summing_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void summing_begin(struct summing *s, struct setup *setup, const struct spawn *spawn)
{
	struct sample_machine *told = machine_describe(&setup->machine, false);
	struct event_set events;

	s->view = make_view(&setup->view);
	setup_make_events(setup, &events, &s->numbers);
	event_set_once(&events);
	binding_init(&s->binding, setup->screens.v[setup->view.screen], &s->numbers);
	s->whole = whole_new(&setup->kernel.sys, setup->proc, told, &events,
			      summing_name(setup->options.command[0]), false, &s->left_out);
	whole_follow(s->whole, spawn->pid, &s->left_out);
	sample_machine_unref(told);
	getrusage(RUSAGE_CHILDREN, &s->before);
	whole_sample(s->whole, &s->before, &s->begin);
	delta_compute(&s->first, NULL, NULL, &s->begin);
}

/* Once the first task of the command has ended, which may be before its other threads, poll(2)
 * would always say so: what comes then is taken at the end. */
static int take_ends(void *context, int fd, struct err *err)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};
	struct summing *s = context;

	(void)err;
	whole_take_ends(s->whole);
	s->hung = poll(&state, 1, 0) > 0 && state.revents & (POLLHUP | POLLERR);
	return 0;
}

void summing_wait(struct summing *s, struct wait *wait)
{
	int fd;

	for (size_t i = 0; s->whole && !s->hung && (fd = whole_fd(s->whole, i)) >= 0; i++)
		wait_add(wait, fd, POLLIN, take_ends, s);
}

/* In the words of the summary; the caller frees them. */
static struct ending_program *list_programs(const struct whole *whole, size_t *n)
{
	const struct program *list = whole_programs(whole, n);
	struct ending_program *out = list ? xcalloc(*n, sizeof *out) : NULL;

	for (size_t i = 0; i < *n; i++)
		out[i] = (struct ending_program){list[i].name, list[i].processes,
						  value_exact((double)list[i].cpu_ns)};
	return out;
}

int summing_end(struct summing *s, const struct setup *setup, const struct spawn *spawn,
		struct outputs *outputs, struct err *err)
{
	struct value count[EVENT_SET_MAX];
	struct ending_program *programs;
	struct whole_ended ended;
	struct summary summary;
	struct rusage used;
	size_t n;
	int ret;

	if (!s->whole)
		return 0;
	getrusage(RUSAGE_CHILDREN, &used);
	whole_take_ends(s->whole);
	whole_sample(s->whole, spawn->lost ? NULL : &used, &s->end);
	ended = whole_ended(s->whole);
	for (int i = 0; i < sample_events_n(s->end.task[0]->events); i++)
		count[i] = whole_ended_count(s->whole, i);
	programs = list_programs(s->whole, &n);
	summary = (struct summary){
		.how.command = setup->options.command,
		.how.status = spawn->status,
		.how.unknown = spawn->lost,
		/* What the rows cannot count either has been said. */
		.how.left_out = s->left_out.code == ENOSPC ? s->left_out.text : NULL,
		.how.each = ended.told,
		.how.ended = ended.tasks,
		.how.lost = ended.lost,
		.how.damaged = ended.damaged,
		.how.count = count,
		.how.program = programs,
		.how.n_programs = n,
		.how.names_lost = ended.names_lost,
		.frame = &s->frame,
	};
	delta_compute(&s->last, &s->first, &s->begin, &s->end);
	frame_build(&s->frame, &s->binding, &s->view, &s->last, NULL, 0);
	summary_add_text(&s->text, &summary, "");
	ret = outputs_summary(outputs, &summary, err);
	free(programs);
	return ret;
}
