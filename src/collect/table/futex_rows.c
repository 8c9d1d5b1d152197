/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/futex_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "collect/table/profile_rows.h"
#include "model/kinds.h"

/* Time between two readings of the rings, in ns. */
#define COLLECT_NS 100000000ull

/* A tick is a ns. */
#define NS_PER_TICK (1ull << 32)

/* A program that has rows. */
struct entry {
	struct futex_program *program;
	struct table_process process;
	uint64_t start_ticks;
	bool is_new; /* all its numbers belong to this interval */
	struct table_readings readings;
};

struct futexes {
	struct source source;
	struct futex_watch *watch;
	pid_t pid;
	struct proc *proc;
	const struct machine *machine;
	struct sample_machine *description;
	struct want want;
	struct shared_rows *shared;
	struct hash entries; /* by the address of the program */
	uint32_t number;
	size_t n_left_out; /* programs of the present sample that the filter does not accept */
	bool has_begun, has_ended; /* has_ended: no process runs any more */
	struct source_cost cost;
	char note[ERR_TEXT_MAX];
};

static struct futexes *self_of(struct source *source)
{
	return (struct futexes *)source;
}

/* --- programs --- */

/* Sets e->process: from /proc while the process runs the program, afterwards from the program. */
static void describe(struct entry *e, struct proc *proc)
{
	const struct futex_program *p = e->program;

	e->start_ticks = table_process_start(p->pid);
	if (!p->end_ns && table_process_read(&e->process, proc, p->pid))
		return;
	table_process_done(&e->process);
	e->process = (struct table_process){
		.pid = p->pid,
		.uid = geteuid(),
		.start_ns = p->begin_ns,
		.user = xasprintf("%u", geteuid()),
		.name = xstrdup(p->name[0] ? p->name : "?"),
	};
}

static struct entry *begin_entry(struct futexes *s, struct futex_program *p)
{
	struct entry *e = xcalloc(1, sizeof *e);

	e->program = p;
	e->is_new = s->number > 1;
	e->process.pid = p->pid;
	describe(e, s->proc);
	table_readings_init(&e->readings, &lock_copies, s->machine);
	hash_put(&s->entries, (uint64_t)(uintptr_t)p, e);
	return e;
}

static void free_entry(struct entry *e)
{
	table_readings_done(&e->readings);
	table_process_done(&e->process);
	free(e);
}

static void end_entry(struct futexes *s, const struct futex_program *p)
{
	struct entry *e = hash_remove(&s->entries, (uint64_t)(uintptr_t)p);

	if (e)
		free_entry(e);
}

/* Adds the rows of a program as of now_ns. */
static void emit(struct futexes *s, struct futex_program *p, uint64_t now_ns, struct sample *out)
{
	struct entry *e = hash_get(&s->entries, (uint64_t)(uintptr_t)p);
	struct table_moment m = {
		.number = p->n_before, .sample = s->number, .ended = p->end_ns != 0};
	struct locks_copy copy;

	locks_copy_init(&copy);
	futex_copy_make_live(&copy, futex_watch_table(s->watch), p, now_ns);
	if (!e && copy.n_rows)
		e = begin_entry(s, p);
	if (e) {
		copy.header.container.start_ticks = e->start_ticks;
		lock_copies_put(e->readings.table, &copy);
		m.process = &e->process;
		m.is_new = e->is_new;
		e->is_new = false;
		table_readings_take(&e->readings, &m);
		table_readings_tell(&e->readings, p->pid, s->want.log);
		table_readings_add(&e->readings, p->pid, s->want.filter.pid ? NULL : s->shared,
				   out);
	}
	locks_copy_done(&copy);
	s->cost.tasks++;
	s->cost.ran += e != NULL;
}

/* Returns whether the filter accepts the pid and the user, who is known of an ended process if it
 * has rows. */
static bool is_wanted(const struct futexes *s, const struct futex_program *p)
{
	const struct filter *filter = &s->want.filter;
	const struct entry *e = hash_get(&s->entries, (uint64_t)(uintptr_t)p);

	if (filter->pid && filter->pid != p->pid)
		return false;
	return filter->uid < 0 ||
	       (e ? filter->uid == (long)e->process.uid : table_process_is_wanted(p->pid, filter));
}

static void emit_wanted(struct futexes *s, struct futex_program *p, uint64_t now_ns,
			struct sample *out)
{
	if (is_wanted(s, p)) {
		emit(s, p, now_ns, out);
	} else {
		end_entry(s, p);
		s->n_left_out++;
	}
}

static void emit_all(struct futexes *s, struct sample *out)
{
	const uint64_t now_ns = futex_watch_settle(s->watch);
	struct futex_table *t = futex_watch_table(s->watch);
	struct futex_program *p;
	size_t pos = 0, n_running = 0;

	s->n_left_out = 0;
	while ((p = futex_table_next_running(t, &pos))) {
		n_running++;
		emit_wanted(s, p, now_ns, out);
	}
	for (size_t i = 0; i < futex_table_n(t); i++) {
		p = futex_table_program(t, i);
		emit_wanted(s, p, now_ns, out);
		end_entry(s, p);
	}
	futex_table_forget_ended(t);
	s->has_begun |= n_running;
	s->has_ended = s->has_begun && !n_running;
}

/* --- what is missing --- */

static void log_once(const struct futexes *s, const char *sentence)
{
	log_add(s->want.log, LOG_SCREEN, sentence);
}

/* Logs what is not known of the time before. */
static void log_gaps(const struct futexes *s)
{
	const struct futex_watch_gaps *gaps = futex_watch_gaps(s->watch);
	char text[ERR_TEXT_MAX];

	snprintf(text, sizeof text,
		 "%zu thread%s in a call of futex(2) when tiptop attached: it is unknown since "
		 "when, so %%TRYING has the time from then on, and %%WAIT and ACQ/s do not have "
		 "%s",
		 gaps->n_seen, gaps->n_seen == 1 ? " was" : "s were",
		 gaps->n_seen == 1 ? "this call" : "these calls");
	if (gaps->n_seen)
		log_once(s, text);
	snprintf(
		text, sizeof text,
		"it is unknown whether %zu thread%s in a call of futex(2) when tiptop attached, as "
		"this user may not read /proc/TID/syscall (kernel.yama.ptrace_scope): such a wait "
		"is in no number",
		gaps->n_unread, gaps->n_unread == 1 ? " was" : "s were");
	if (gaps->n_unread)
		log_once(s, text);
	snprintf(text, sizeof text,
		 "%zu thread%s began while tiptop attached: some of their calls may be missing",
		 gaps->n_missed, gaps->n_missed == 1 ? "" : "s");
	if (gaps->n_missed)
		log_once(s, text);
	if (gaps->no_children)
		log_once(s, "--children: this kernel does not list the children of processes "
			    "(/proc/TID/children), so those that ran already are missing");
}

/* Logs how many records were lost, which may grow. */
static void log_losses(const struct futexes *s)
{
	const uint64_t lost = futex_watch_lost(s->watch),
		       unpaired = futex_table_unpaired(futex_watch_table(s->watch)),
		       unrecorded = futex_watch_unrecorded(s->watch);
	char text[ERR_TEXT_MAX];

	snprintf(text, sizeof text,
		 "the kernel lost %" PRIu64 " records of calls of futex(2), as it made them faster "
		 "than tiptop read them: calls are missing in the rows",
		 lost);
	if (lost)
		log_set(s->want.log, LOG_SCREEN, "futexes lost", text);
	snprintf(text, sizeof text,
		 "%" PRIu64 " call%s of futex(2) %s in no row: only the beginning or only the end "
		 "was recorded",
		 unpaired, unpaired == 1 ? "" : "s", unpaired == 1 ? "is" : "are");
	if (unpaired)
		log_set(s->want.log, LOG_SCREEN, "futexes unpaired", text);
	snprintf(text, sizeof text,
		 "%" PRIu64 " calls of " FUTEX_WATCH_COUNTED " are in no row: if there are more "
		 "than %d tasks, tiptop only counts calls of a kind that it did not record before",
		 unrecorded, FUTEX_WATCH_TASKS);
	if (unrecorded)
		log_set(s->want.log, LOG_SCREEN, "futexes unrecorded", text);
}

/* Sets the note for a sample without rows. */
static void update_note(struct futexes *s, const struct sample *out)
{
	s->note[0] = '\0';
	if (!out->n && s->has_ended)
		snprintf(s->note, sizeof s->note, "the process %d has ended", (int)s->pid);
	else if (!out->n && s->n_left_out)
		snprintf(s->note, sizeof s->note,
			 "no process that passes the filter (-p, -u) has called futex(2) since "
			 "tiptop attached");
	else if (!out->n)
		snprintf(s->note, sizeof s->note,
			 "the process %d has not called futex(2) since tiptop attached to it",
			 (int)s->pid);
}

/* --- the source --- */

static int futexes_next(struct source *source, struct sample *out, struct err *err)
{
	struct futexes *s = self_of(source);

	(void)err;
	s->cost = (struct source_cost){.reads = 1};
	tables_begin_sample(out, s->proc);
	out->generation = 1;
	out->number = ++s->number;
	out->kind = &kind_lock;
	sample_set_machine(out, s->description);
	emit_all(s, out);
	shared_rows_take(s->shared, out);
	sample_sort(out);
	update_note(s, out);
	if (s->want.log && s->number == 1)
		log_gaps(s);
	if (s->want.log)
		log_losses(s);
	return 0;
}

static uint64_t futexes_collect(struct source *source)
{
	struct futexes *s = self_of(source);

	if (s->has_ended)
		return 0;
	futex_watch_update(s->watch);
	return clock_ns(CLOCK_MONOTONIC) + COLLECT_NS;
}

static const struct sample_events *futexes_events(const struct source *source)
{
	(void)source;
	return NULL;
}

static bool futexes_filter(struct source *source, const struct filter *filter)
{
	shared_rows_reset(self_of(source)->shared);
	self_of(source)->want.filter = *filter;
	return true;
}

static bool futexes_go_on(struct source *source, struct want *want)
{
	event_set_done(&want->events);
	self_of(source)->want = *want;
	return true;
}

static const char *futexes_note(const struct source *source)
{
	const struct futexes *s = (const struct futexes *)source;

	return s->note[0] ? s->note : NULL;
}

static void futexes_cost(const struct source *source, struct source_cost *out)
{
	*out = ((const struct futexes *)source)->cost;
}

static void futexes_free(struct source *source)
{
	struct futexes *s = self_of(source);
	struct entry *e;
	size_t pos = 0;

	while ((e = hash_next(&s->entries, &pos)))
		free_entry(e);
	hash_done(&s->entries);
	futex_watch_close(s->watch);
	shared_rows_free(s->shared);
	sample_machine_unref(s->description);
	free(s);
}

int source_futexes_new(struct source **out, const struct futexes_target *target, struct proc *proc,
		       const struct machine *machine, const struct sample_machine *description,
		       struct err *err)
{
	static const struct source_ops ops = {
		.events = futexes_events,
		.go_on = futexes_go_on,
		.next = futexes_next,
		.collect = futexes_collect,
		.filter = futexes_filter,
		.note = futexes_note,
		.cost = futexes_cost,
		.free = futexes_free,
	};
	const struct futex_table_options o = {.command = target->pid,
					      .all = target->all,
					      .live = true,
					      .ns_per_tick = NS_PER_TICK};
	struct futex_watch *watch;
	struct futexes *s;
	const int ret = target->runs
				? futex_watch_attach(&watch, target->sys, target->host, &o, err)
				: futex_watch_open(&watch, target->sys, target->host, &o, err);

	if (ret)
		return ret;
	s = xcalloc(1, sizeof *s);
	*s = (struct futexes){
		.source = {&ops},
		.watch = watch,
		.pid = target->pid,
		.proc = proc,
		.machine = machine,
		.description = sample_machine_ref(description),
		.shared = shared_rows_new(),
		.entries = HASH_INIT,
	};
	*out = &s->source;
	return 0;
}
