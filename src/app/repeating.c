/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/repeating.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "app/say.h"
#include "app/summing.h"
#include "app/wait.h"
#include "event/describe.h"
#include "event/merge.h"

void repeating_init(struct repeating *r, struct setup *setup, struct signals *signals,
		    const struct repeat_how *how)
{
	struct sample_machine *told = machine_describe(&setup->machine, false);
	struct event_set events;

	memset(r, 0, sizeof *r);
	r->setup = setup;
	r->signals = signals;
	r->how = how;
	r->view = summing_view(&setup->view);
	runs_init(&r->runs, how->wanted, how->warmups);
	r->after.timer_fd = -1;
	delta_init(&r->first);
	delta_init(&r->last);
	frame_init(&r->frame);
	run_sum_init(&r->sum);
	setup_make_events(setup, &events, &r->numbers);
	event_set_once(&events);
	binding_init(&r->binding, setup->screens.v[setup->view.screen], &r->numbers);
	r->whole = whole_new(&setup->kernel.sys, setup->proc, told, &events,
			     summing_name(how->command[0]), WHOLE_ALONE, &r->left_out);
	sample_machine_unref(told);
}

void repeating_done(struct repeating *r)
{
	run_sum_done(&r->sum);
	frame_done(&r->frame);
	delta_done(&r->last);
	delta_done(&r->first);
	sample_unref(r->end);
	sample_unref(r->begin);
	binding_done(&r->binding);
	screen_numbers_done(&r->numbers);
	whole_free(r->whole);
	runs_done(&r->runs);
	pace_end(&r->after);
}

long repeating_wanted(const struct repeat_how *how)
{
	return how->warmups + how->wanted;
}

bool repeating_goes_on(const struct repeating *r)
{
	return !r->runs.stop && !r->signal && r->begun < repeating_wanted(r->how);
}

/* --- one process, to its end --- */

struct watched {
	struct repeating *r;
	struct lifecycle *life;
	bool counts; /* it is a run, and does not prepare one */
	bool over;
};

/* The first signal goes to the command; the second one ends tiptop without it. */
static void pass_on(struct watched *w, const struct signal_taken *taken)
{
	struct err err = ERR_INIT;

	w->r->left = w->r->signal || lifecycle_signal(w->life, taken, &err);
	w->r->signal = taken->number;
	w->over = w->r->left;
}

/* As in summing_mark(). */
static void mark(struct repeating *r)
{
	whole_sample(r->whole, NULL, r->begin);
	r->marked = true;
}

static int on_start(void *context, int fd, struct err *err)
{
	struct watched *w = context;
	bool due;
	int ret = pace_take(&w->r->after, &due, err);

	(void)fd;
	if (!ret && due && w->counts)
		mark(w->r);
	return ret;
}

static int on_signal(void *context, int fd, struct err *err)
{
	struct watched *w = context;
	struct signal_taken taken;

	(void)fd, (void)err;
	while (!w->over && (taken = signals_next(w->r->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END)
			pass_on(w, &taken);
		else if (taken.meaning == SIGNAL_MARK && w->counts)
			mark(w->r);
	w->over = w->over || lifecycle_has_ended(w->life);
	return 0;
}

/* What came before it was looked at is there, too. */
static int wait_for_end(struct repeating *r, struct lifecycle *life, bool counts, struct err *err)
{
	struct watched w = {r, life, counts, false};
	struct wait wait = WAIT_INIT;
	int ret = on_signal(&w, r->signals->fd, err);

	while (!ret && !w.over) {
		wait_reset(&wait);
		wait_add(&wait, r->signals->fd, POLLIN, on_signal, &w);
		wait_add(&wait, r->after.timer_fd, POLLIN, on_start, &w);
		wait_until(&wait, progress_due_ns(r->how->progress), NULL, NULL);
		ret = wait_run(&wait, &w.over, err);
		progress_look(r->how->progress);
	}
	wait_done(&wait);
	return ret;
}

/* Whether a signal is to end tiptop that the process has not got, as it came before that was
 * there, or that has ended it before it was watched. */
static bool is_to_end(struct repeating *r)
{
	struct signal_taken taken;

	while ((taken = signals_next(r->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END)
			r->signal = taken.number;
	return r->signal != 0;
}

/* Its failure is that of the whole: without it, runs would not be alike. */
static int prepare(struct repeating *r, struct err *err)
{
	char **words = r->how->prepare;
	struct lifecycle life = LIFECYCLE_INIT;
	int ret = lifecycle_start(&life, words, r->how->files, r->signals, err);

	if (ret)
		return ret;
	if (!is_to_end(r))
		ret = lifecycle_release(&life, words[0], err);
	if (!ret && !r->signal)
		ret = wait_for_end(r, &life, false, err);
	lifecycle_reap(&life);
	lifecycle_done(&life);
	if (!ret && !r->signal && (life.lost || life.status))
		ret = err_set(err, ECHILD, "--prepare: '%s' ended with status %d before a run",
			      words[0], life.status);
	return ret && is_to_end(r) ? 0 : ret;
}

/* --- runs --- */

/* Whoever keeps the runs may hold those of the last one. */
static void renew(struct sample **s)
{
	sample_unref(*s);
	*s = sample_new();
}

static int begin_run(struct repeating *r, pid_t pid, struct err *err)
{
	int ret;

	renew(&r->begin);
	renew(&r->end);
	ret = whole_follow(r->whole, pid, &r->left_out, err);
	if (ret)
		return ret;
	getrusage(RUSAGE_CHILDREN, &r->used);
	whole_sample(r->whole, &r->used, r->begin);
	r->marked = false;
	r->start_ns = r->begin->mono_ns;
	if (r->how->start_after_s <= 0)
		return 0;
	pace_end(&r->after);
	ret = pace_begin(&r->after, NULL, err);
	return ret ? ret
		   : pace_at(&r->after, r->begin->mono_ns + (uint64_t)(r->how->start_after_s * 1e9),
			     err);
}

static void build_frame(struct repeating *r, const struct sample *begin, const struct sample *end)
{
	delta_compute(&r->first, NULL, NULL, begin);
	delta_compute(&r->last, &r->first, begin, end);
	frame_build(&r->frame, &r->binding, &r->view, &r->last, NULL, 0);
}

static struct value seconds(struct value ns)
{
	ns.number /= 1e9;
	ns.rest = 0;
	return ns;
}

/* Where the kernel shares out the time between both by ticks. */
static void put_ticks(struct repeating *r, const char *name, struct value ns)
{
	runs_put(&r->runs, name, UNIT_S, seconds(ns))->coarse = true;
}

static void keep_run(struct repeating *r, const struct run_end *how)
{
	const struct summary s = {.frame = &r->frame};

	r->kept = true;
	build_frame(r, r->begin, r->end);
	run_sum_add(&r->sum, r->begin, r->end);
	runs_begin(&r->runs, how);
	runs_put(&r->runs, "wall", UNIT_S, seconds(value_exact((double)r->frame.interval_ns)));
	runs_put(&r->runs, "CPU", UNIT_S, seconds(summary_cpu(&s)));
	put_ticks(r, "user", summary_fact(&s, FACT_UTIME_NS));
	put_ticks(r, "system", summary_fact(&s, FACT_STIME_NS));
	for (int i = summary_next_event(&s, 0); i >= 0; i = summary_next_event(&s, i + 1))
		runs_put(&r->runs, summary_event_name(&s, i), summary_event_unit(&s, i),
			 summary_event(&s, i));
}

/* A run that a signal to tiptop has ended is none; one that failed is the last, if it is not to be
 * passed over. */
static int end_run(struct repeating *r, struct lifecycle *life, struct err *err)
{
	struct rusage used;
	struct run_end how;

	lifecycle_reap(life);
	getrusage(RUSAGE_CHILDREN, &used);
	whole_sample(r->whole, life->lost ? NULL : &used, r->end);
	how = (struct run_end){life->status, life->signal, life->lost};
	if (r->signal)
		return 0;
	if (run_failed(&how) && !r->how->ignore_failure)
		runs_stop(&r->runs, r->begun, &how);
	else if (r->how->start_after_s > 0 && !r->marked)
		return err_set(err, ECANCELED,
			       "'%s' ended before --start-after %g, so that it was "
			       "not counted",
			       r->how->command[0], r->how->start_after_s);
	else if (r->begun > r->how->warmups)
		keep_run(r, &how);
	return 0;
}

int repeating_run(struct repeating *r, struct err *err)
{
	struct lifecycle life = LIFECYCLE_INIT;
	int ret;

	progress_unit(r->how->progress, r->how->track);
	ret = r->how->prepare ? prepare(r, err) : 0;

	r->kept = false;
	if (ret || r->signal)
		return ret;
	ret = lifecycle_start(&life, r->how->command, r->how->files, r->signals, err);
	if (ret)
		return ret;
	if (is_to_end(r)) {
		lifecycle_done(&life);
		return 0;
	}
	r->begun++;
	ret = begin_run(r, life.spawn.pid, err);
	if (!ret)
		ret = lifecycle_release(&life, r->how->command[0], err);
	r->status = life.failed ? life.status : 0;
	if (!ret)
		ret = wait_for_end(r, &life, true, err);
	if (!ret && !r->left)
		ret = end_run(r, &life, err);
	lifecycle_done(&life);
	progress_step(r->how->progress);
	return ret && is_to_end(r) ? 0 : ret;
}

static struct summary summarize(struct repeating *r, const struct sample *begin,
				const struct sample *end)
{
	build_frame(r, begin, end);
	return (struct summary){
		.how = {.command = r->how->command,
			.alone = true,
			.left_out = r->left_out.code == ENOSPC ? r->left_out.text : NULL},
		.begin = begin,
		.end = end,
		.frame = &r->frame,
	};
}

bool repeating_last(struct repeating *r, struct summary *out)
{
	const struct run_end *end = r->kept ? &r->runs.end[r->runs.n - 1] : NULL;

	if (!end)
		return false;
	*out = summarize(r, r->begin, r->end);
	out->how.status = end->status;
	out->how.unknown = end->lost;
	out->how.from_ns = r->begin->mono_ns - r->start_ns;
	return true;
}

void repeating_summarize(struct repeating *r, struct summary *out)
{
	*out = summarize(r, &r->sum.begin, &r->sum.end);
	out->how.status = runs_status(&r->runs);
	out->runs = &r->runs;
}

int repeating_explain(const struct repeating *r, struct err *why)
{
	struct strbuf text;

	if (r->left) {
		err_set(why, ECANCELED, "'%s' goes on without tiptop", r->how->command[0]);
		return EXIT_FAILED;
	}
	if (!r->runs.stop)
		return 0;
	strbuf_init(&text);
	runs_add_stop(&text, &r->runs);
	err_set(why, ECHILD, "'%s': %s (--ignore-failure goes on)", r->how->command[0], text.text);
	strbuf_done(&text);
	return r->runs.stop_end.lost ? EXIT_FAILED : r->runs.stop_end.status;
}
