/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/summary_feed.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/kinds.h"
#include "pmu/event/describe.h"

static bool is_descendant(const struct filter_family *self, const struct task *t)
{
	const struct summary_feed *s = (const struct summary_feed *)self;

	return s->whole && command_total_has(s->whole, t);
}

void summary_feed_init(struct summary_feed *s)
{
	memset(s, 0, sizeof *s);
	s->family.has = is_descendant;
	sample_init(&s->begin);
	sample_init(&s->end);
	delta_init(&s->first);
	delta_init(&s->last);
	frame_init(&s->frame);
	strbuf_init(&s->text);
	s->after.timer_fd = s->news.timer_fd = -1;
}

void summary_feed_done(struct summary_feed *s)
{
	frame_done(&s->frame);
	delta_done(&s->last);
	delta_done(&s->first);
	sample_done(&s->end);
	sample_done(&s->begin);
	binding_done(&s->binding);
	screen_numbers_done(&s->numbers);
	command_total_free(s->whole);
	strbuf_done(&s->text);
	pace_end(&s->after);
	pace_end(&s->news);
}

struct view summary_view(const struct view *of)
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
		.children = of->children,
	};
}

const char *summary_task_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void set_timer(struct summary_feed *s, struct configuration *config)
{
	const uint64_t ns = (uint64_t)(config->options.start_after_s * 1e9);
	struct err err = ERR_INIT;

	if (pace_begin(&s->after, NULL, &err) || pace_at(&s->after, s->start_ns + ns, &err))
		log_add(&config->log, LOG_SCREEN, err.text);
}

/* Sets view and binding to the current screen, which is the first one shown. *events: set to the
 * events that this screen needs. */
static void take_screen(struct summary_feed *s, struct setup *setup, struct event_set *events)
{
	s->view = summary_view(&setup->display.view);
	setup_make_events(setup, events, &s->numbers);
	event_set_dedupe(events);
	binding_init(&s->binding, setup->config.screens.v[setup->display.view.screen], &s->numbers);
}

int summary_feed_begin(struct summary_feed *s, struct setup *setup, const struct lifecycle *life,
		       struct err *err)
{
	struct sample_machine *description = machine_describe(&setup->backend.machine, false);
	struct event_set events;
	struct err why = ERR_INIT;
	int ret;

	s->exact = setup->config.options.exact;
	take_screen(s, setup, &events);
	s->whole = command_total_new(&setup->backend.kernel.sys, setup->backend.proc, description,
				     &events, summary_task_name(setup->config.options.command[0]),
				     s->exact ? COMMAND_TOTAL_TRACED : COMMAND_TOTAL_REPORTED,
				     &s->left_out);
	sample_machine_unref(description);
	ret = command_total_follow(s->whole, life->spawn.pid, &s->left_out, err);
	if (ret)
		return ret;
	s->exits = exits_kernel();
	if (!s->exact)
		command_total_set_exits(s->whole, exits_open(&s->exits));
	getrusage(RUSAGE_CHILDREN, &s->before);
	command_total_sample(s->whole, &s->before, &s->begin);
	s->start_ns = s->begin.mono_ns;
	if (setup->config.options.start_after_s > 0)
		set_timer(s, &setup->config);
	/* If the timer cannot be created, every report causes a wake-up. */
	pace_begin(&s->news, NULL, &why);
	return 0;
}

void summary_feed_on_child(struct summary_feed *s)
{
	if (s->whole && s->exact)
		command_total_read_ends(s->whole);
}

void summary_feed_end_command(struct summary_feed *s, const struct lifecycle *life)
{
	if (s->whole && !life->lost)
		command_total_set_status(s->whole,
					 W_EXITCODE(life->signal ? 0 : life->status, life->signal));
}

/* NULL: RUSAGE_CHILDREN lacks the times of descendants that still run, so a summary that begins
 * later cannot use it. */
void summary_feed_mark(struct summary_feed *s)
{
	if (!s->whole)
		return;
	command_total_sample(s->whole, NULL, &s->begin);
}

static int on_start(void *context, int fd, struct err *err)
{
	struct summary_feed *s = context;
	bool due;
	int ret = pace_read_timer(&s->after, &due, err);

	(void)fd;
	if (!ret && due)
		summary_feed_mark(s);
	return ret;
}

/* Reads the exit reports. Once the first task of the command has exited, even if other threads of
 * it still run, poll(2) would return at once for its descriptors each time. They are not polled any
 * more then (hung), and the remaining reports are read at the end. */
static int take_ends(void *context, int fd, struct err *err)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};
	struct summary_feed *s = context;

	(void)err;
	command_total_read_ends(s->whole);
	s->hung = poll(&state, 1, 0) > 0 && state.revents & (POLLHUP | POLLERR);
	return 0;
}

/* Pause between readings of exit reports, in ns. The kernel reports the exits of all processes of
 * the machine: without a pause, each would wake tiptop up. Fewer than 500 processes exit in this
 * time, and the kernel's buffer holds that many, even at an ordinary user's limit. */
#define NEWS_GAP_NS 20000000u

/* Reads the exit reports. If they are frequent, sets a pause before they are read again. */
static int take_news(void *context, int fd, struct err *err)
{
	struct summary_feed *s = context;
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	struct err why = ERR_INIT;

	(void)fd, (void)err;
	command_total_poll_exits(s->whole);
	s->busy = now - s->news_ns < NEWS_GAP_NS && s->news.timer_fd >= 0 &&
		  !pace_at(&s->news, now + NEWS_GAP_NS, &why);
	s->news_ns = now;
	return 0;
}

static int on_news_due(void *context, int fd, struct err *err)
{
	struct summary_feed *s = context;
	bool due;
	int ret = pace_read_timer(&s->news, &due, err);

	(void)fd;
	s->busy = s->busy && !ret && !due;
	return ret;
}

void summary_feed_wait(struct summary_feed *s, struct wait *wait)
{
	int fd;

	wait_add(wait, s->after.timer_fd, POLLIN, on_start, s);
	if (s->busy)
		wait_add(wait, s->news.timer_fd, POLLIN, on_news_due, s);
	else if (s->whole)
		wait_add(wait, command_total_exits_fd(s->whole), POLLIN, take_news, s);
	for (size_t i = 0; s->whole && !s->hung && (fd = command_total_fd(s->whole, i)) >= 0; i++)
		wait_add(wait, fd, POLLIN, take_ends, s);
}

/* Returns the programs for the summary; the caller frees the list. Names are borrowed. */
static struct ending_program *list_programs(struct command_total *whole, size_t *n)
{
	const struct program *list = command_total_programs(whole, n);
	struct ending_program *out = list ? xcalloc(*n, sizeof *out) : NULL;

	for (size_t i = 0; i < *n; i++)
		out[i] = (struct ending_program){list[i].name, list[i].processes,
						 value_exact((double)list[i].cpu_ns),
						 program_failed(&list[i])};
	return out;
}

static struct ending describe_end(struct summary_feed *s, const struct configuration *config,
				  const struct lifecycle *life)
{
	const bool missing = command_total_explain_missing(s->whole, &s->left_out);
	const struct command_total_ends ended = command_total_ends(s->whole);

	return (struct ending){
		.command = config->options.command,
		.status = life->status,
		.unknown = life->lost,
		/* Other reasons for missing counts are reported with the rows. */
		.left_out = s->left_out.code == ENOSPC || missing ? s->left_out.text : NULL,
		.each = ended.each,
		.ended = ended.tasks,
		.lost = ended.lost,
		.reopened = ended.reopened,
		.damaged = ended.damaged,
		.names_lost = ended.names_lost,
		.from_ns = s->begin.mono_ns - s->start_ns,
	};
}

/* Builds the summary from both samples and passes it to the outputs. */
static int write_summary(struct summary_feed *s, struct summary *summary, struct outputs *outputs,
			 struct err *err)
{
	summary->begin = &s->begin;
	summary->end = &s->end;
	summary->frame = &s->frame;
	delta_compute(&s->first, NULL, NULL, &s->begin);
	delta_compute(&s->last, &s->first, &s->begin, &s->end);
	frame_build(&s->frame, &s->binding, &s->view, &s->last, NULL, 0);
	strbuf_reset(&s->text);
	summary_add_text(&s->text, summary, "");
	return outputs_summary(outputs, summary, err);
}

void summary_feed_begin_replay(struct summary_feed *s, struct setup *setup)
{
	struct event_set events;

	if (!setup->backend.recording)
		return;
	take_screen(s, setup, &events);
	event_set_done(&events);
}

int summary_feed_replay(struct summary_feed *s, const struct backend *backend,
			struct outputs *outputs, struct err *err)
{
	struct summary summary = {.runs = NULL};
	int ret = backend->recording ? record_reader_ending(backend->recording, &summary.how,
							    &s->begin, &s->end, err)
				     : 0;

	/* While the file grows, the same end of the command may be read again. */
	if (ret != 1 || s->end.wall_ns == s->passed_on_ns)
		return ret < 0 ? ret : 0;
	s->passed_on_ns = s->end.wall_ns;
	s->status = summary.how.unknown ? -1 : summary.how.status;
	return write_summary(s, &summary, outputs, err);
}

void summary_feed_end_replay(const struct summary_feed *s, struct configuration *config,
			     struct backend *backend)
{
	struct err err = ERR_INIT, lack = ERR_INIT;
	char *const *command;
	int64_t next_ns;

	/* With --to, the command's end may be recorded after the selected time. Rows of locks and
	 * calls have no summary. */
	if (!backend->recording || s->passed_on_ns || configuration_kind(config) != &kind_task ||
	    record_reader_is_open(backend->recording) ||
	    record_reader_peek(backend->recording, &next_ns, &err) != RECORD_END ||
	    record_reader_command(backend->recording, &command, &err) || !command)
		return;
	err_set(&lack, ENODATA,
		"how '%s' has ended is not in the recording, which was ended before: there is no "
		"summary",
		command[0]);
	log_add(&config->log, LOG_SCREEN, lack.text);
}

int summary_feed_end(struct summary_feed *s, const struct configuration *config,
		     const struct lifecycle *life, struct outputs *outputs, struct err *err)
{
	struct value count[EVENT_SET_MAX];
	struct ending_program *programs;
	struct summary summary;
	struct rusage used;
	size_t n;
	int ret;

	if (!s->whole)
		return 0;
	if (config->options.start_after_s > 0 && s->begin.mono_ns == s->start_ns)
		fprintf(stderr, "tiptop: the command ended before --start-after: its summary is of "
				"all that it did\n");
	getrusage(RUSAGE_CHILDREN, &used);
	command_total_read_ends(s->whole);
	command_total_sample(s->whole, life->lost ? NULL : &used, &s->end);
	for (int i = 0; i < sample_events_n(s->end.task[0]->events); i++)
		count[i] = command_total_ended_count(s->whole, i);
	programs = list_programs(s->whole, &n);
	summary = (struct summary){.how = describe_end(s, config, life)};
	summary.how.count = count;
	summary.how.program = programs;
	summary.how.n_programs = n;
	ret = write_summary(s, &summary, outputs, err);
	free(programs);
	return ret;
}
