/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/perf/core.h"

/* ---- increments ---- */

/* Returns the increment of a counter, scaled if it was multiplexed. It is the sum over the parts of
 * the counter, of which a task uses one at a time. If several groups have the same event, the first
 * group is used. unread: bit i: member i could not be read. */
static struct value count_increment(const struct event_set *set, int counter,
				    const struct count *now, const struct count *last,
				    uint64_t unread)
{
	uint64_t count = 0, running = 0, enabled = 0, seen = 0;

	for (int i = 0; i < set->plan.n; i++) {
		const struct event_member *m = &set->plan.member[i];

		if (set->event[m->event].counter != counter || m->group == EVENT_NO_GROUP ||
		    seen & 1ull << m->event)
			continue;
		if (unread & 1ull << i)
			return value_none(QUALITY_NOT_READ);
		seen |= 1ull << m->event;
		count += now[i].value - last[i].value;
		running += now[i].running_ns - last[i].running_ns;
		if (now[i].enabled_ns - last[i].enabled_ns > enabled)
			enabled = now[i].enabled_ns - last[i].enabled_ns;
	}
	if (!seen)
		return value_none(QUALITY_UNSUPPORTED);
	if (enabled && !running)
		return value_none(QUALITY_NOT_SCHEDULED);
	if (running >= enabled)
		return value_count(count);
	return (struct value){
		.number = (double)count * (double)enabled / (double)running,
		.share = (float)((double)running / (double)enabled),
		.quality = QUALITY_SCALED,
	};
}

void number_increments(const uint64_t *now, uint64_t unknown, int n, struct count *last,
		       struct value *out)
{
	for (int i = 0; i < n; i++) {
		if (unknown & 1ull << i) {
			out[i] = value_none(QUALITY_NOT_READ);
			continue;
		}
		/* Sums of times may fall a little between two reads. */
		out[i] = value_count(now[i] > last[i].value ? now[i] - last[i].value : 0);
		last[i].value = now[i];
	}
}

/* ---- kernel threads ---- */

/* Prepares the inherited counters. set: the events of the command; NULL: several sets take turns,
 * and nothing is counted. */
static void kernel_threads_init(struct others *o, struct perf_sys *sys, const struct event_set *set)
{
	*o = (struct others){.sys = sys, .counts = set != NULL};
	event_set_init(&o->set);
	if (!set)
		return;
	event_set_copy(&o->set, set);
	o->set.inherit = true;
	for (int i = 0; i < set->plan.n; i++)
		if (event_is_hardware(&set->event[set->plan.member[i].event]))
			o->set.plan.member[i].group = EVENT_NO_GROUP;
}

/* Opens the kernel's records of started threads, while the command is at its first stop. */
static void kernel_threads_open(struct others *o, pid_t command)
{
	if (o->sys->map && lives_open(&o->lives, o->sys, cpu_numbers_end(CPUS_PRESENT), command))
		o->lives = NULL;
}

static void kernel_threads_done(struct others *o)
{
	lives_close(o->lives);
	event_set_done(&o->set);
}

static void process_kthreads_open(const struct others *o, struct process_kthreads *p, pid_t process,
				  bool on_exec)
{
	if (!o->lives || !o->counts || group_open(&p->group, o->sys, &o->set, process, on_exec))
		p->group = NULL;
}

/* Returns whether the process may have kernel threads: more threads have begun than are followed,
 * or records of started threads were lost. The first task is not among the threads that began. */
static bool may_have_kernel_threads(const struct others *o, const struct process_kthreads *p)
{
	struct ring_losses losses;

	if (p->begun + 1 > p->followed)
		return true;
	losses = lives_losses(o->lives);
	return losses.records || losses.damages;
}

/* Adds the counts of kernel threads, if there may be any, to the n totals of the process, after all
 * of its tasks have added theirs. */
static void process_kthreads_add(const struct others *o, const struct process_kthreads *p,
				 struct value *total, size_t n)
{
	struct count now[EVENT_SET_MAX];
	uint64_t unread = ~0ull;
	int error;

	if (!o->lives || !may_have_kernel_threads(o, p))
		return;
	if (p->group)
		unread = group_read(p->group, o->sys, now, &error);
	for (size_t c = 0; c < n; c++) {
		const struct value all =
			p->group ? count_increment(&o->set, (int)c, now, p->last, unread)
				 : value_none(QUALITY_NOT_READ);

		if (value_known(all) && value_known(total[c]))
			total[c].number = fmax(total[c].number, all.number);
		else if (value_known(total[c]))
			total[c].quality = QUALITY_PARTIAL;
	}
}

static void process_kthreads_close(const struct others *o, struct process_kthreads *p)
{
	group_close(p->group, o->sys);
	p->group = NULL;
}

/* Resets the counts of kernel threads for a new image of the process. If they cannot be read, those
 * of the new image stay unknown. */
static void process_kthreads_restart(const struct others *o, struct process_kthreads *p)
{
	int error = 0;

	if (p->group)
		group_read(p->group, o->sys, p->last, &error);
	if (error)
		process_kthreads_close(o, p);
	p->followed = 1;
	p->begun = 0;
}

/* ---- lines ---- */

static const struct report_column leading[] = {
	REPORT_COUNTS_WHEN,
	{.id = "pid", .csv = "pid", .title = "pid", .width = 7},
	{.id = "lwp", .csv = "lwp", .title = "lwp", .width = 7, .blank = true},
	{.id = "event", .csv = "event", .title = "event", .width = -10},
	{.id = "made"},
	{.id = "image"},
};

static const struct report_column trailing[] = {
	{.id = "status"},
	{.id = "signal"},
	{.csv = "remark", .width = -1},
	{.title = "", .blank = true}, /* '#' before a remark */
	{.title = "", .blank = true},
};

void follow_lines_init(struct follow_lines *l, enum report_format_id format,
		       const struct event_set *set, int n_sets)
{
	const char *name[EVENT_SET_MAX];

	report_counts_init(&l->counts, format, n_sets, NULL);
	for (int s = 0; s < n_sets; s++) {
		event_set_counter_names(&set[s], name);
		report_counts_name(&l->counts, s, name, set[s].n_counters);
	}
	report_counts_declare(&l->counts, leading, sizeof leading / sizeof *leading, trailing,
			      sizeof trailing / sizeof *trailing);
}

void follow_lines_done(struct follow_lines *l)
{
	report_counts_done(&l->counts);
}

int follow_lines_choose(struct follow_lines *l, const char *fields, struct err *err)
{
	return report_counts_choose(&l->counts, fields, "tiptop follow", err);
}

void follow_lines_header(struct follow_lines *l, struct strbuf *out)
{
	report_counts_header(&l->counts, out);
}

/* Appends the remark of a row, without the exit status. The name of an image may contain any
 * characters. */
static void add_remark(const struct follow_lines *l, struct strbuf *out,
		       const struct follow_row *row)
{
	if (row->made) {
		strbuf_addf(out, "%d", row->made);
	} else if (row->image) {
		strbuf_addch(out, '\'');
		text_add(out, row->image);
		strbuf_addch(out, '\'');
	} else if (row->value && l->counts.n_sets > 1) {
		report_counts_add_names(&l->counts, row->set, out);
	}
}

/* Sets the fields of the exit status and the signal of the process, and appends one of them to the
 * remark. */
static void put_end(struct report_record *r, const struct follow_row *row, struct strbuf *remark)
{
	const bool by_signal = row->ended && WIFSIGNALED(row->how);

	if (row->ended && !by_signal)
		record_count(r, "status", (uint64_t)WEXITSTATUS(row->how));
	else
		record_absent(r, "status");
	record_optional_count(r, "signal", by_signal ? (uint64_t)WTERMSIG(row->how) : 0);
	if (row->ended)
		strbuf_addf(remark, "%s%s %d", remark->len ? " " : "",
			    by_signal ? "signal" : "status",
			    by_signal ? WTERMSIG(row->how) : WEXITSTATUS(row->how));
}

/* Sets the fields of the remark. In text, status 0 is left out, as most processes end with it. */
static void put_remarks(struct report_record *r, const struct follow_lines *l,
			const struct follow_row *row)
{
	struct strbuf remark;
	size_t len;

	strbuf_init(&remark);
	add_remark(l, &remark, row);
	len = remark.len;
	put_end(r, row, &remark);
	record_text(r, "", remark.text);
	if (row->how == 0)
		remark.text[len] = '\0';
	record_optional_text(r, "", *remark.text ? "#" : NULL);
	record_optional_text(r, "", *remark.text ? remark.text : NULL);
	strbuf_done(&remark);
}

void follow_lines_row(struct follow_lines *l, struct strbuf *out, double time_s,
		      const struct follow_row *row)
{
	struct report_record *r = report_counts_begin(&l->counts, row->set);

	record_text(r, "type", "follow");
	record_number(r, "time_s", time_s);
	record_count(r, "pid", (uint64_t)row->process);
	record_optional_count(r, "lwp", (uint64_t)row->task);
	record_text(r, "event", follow_kind_names[row->kind]);
	record_optional_count(r, "made", (uint64_t)row->made);
	record_optional_text(r, "image", row->image);
	report_counts_put(&l->counts, r, row->set, row->value);
	put_remarks(r, l, row);
	report_counts_write(&l->counts, out);
}

/* ---- job ---- */

const char *const follow_kind_names[N_FOLLOW_KINDS] = {
	[FOLLOW_TICK] = "tick",         [FOLLOW_LWP_CREATE] = "lwp_create",
	[FOLLOW_LWP_EXIT] = "lwp_exit", [FOLLOW_INIT_LWP] = "init_lwp",
	[FOLLOW_FINI_LWP] = "fini_lwp", [FOLLOW_FORK] = "fork",
	[FOLLOW_EXEC] = "exec",         [FOLLOW_EXIT] = "exit",
};

struct follow_task {
	pid_t task, process;
	uint32_t seen;                    /* bit s: set s was counted for this task */
	struct group *group;              /* NULL: no counters */
	enum quality uncounted;           /* why there are none */
	struct count last[EVENT_SET_MAX]; /* the last reading */
	struct value *total;              /* [n_values] since it began, or since the last exec */
};

struct follow_process {
	pid_t process;
	bool runs;           /* its first image has begun */
	bool counted;        /* a task has ended since the last exec */
	struct value *total; /* [n_values] of ended tasks, since the last exec */
	struct process_kthreads others;
};

void job_init(struct job *j, struct perf_sys *sys, const struct event_set *set, int n_sets)
{
	*j = (struct job){.sys = sys, .set = set, .n_sets = n_sets};
	for (int s = 0; s < n_sets; s++)
		j->n_values += (size_t)set[s].n_counters;
	j->row = xcalloc(j->n_values, sizeof *j->row);
	kernel_threads_init(&j->others, sys, n_sets == 1 ? set : NULL);
}

/* Returns the index of the first value of a set among those of all sets. */
static size_t offset_of(const struct job *j, int set)
{
	size_t offset = 0;

	for (int s = 0; s < set; s++)
		offset += (size_t)j->set[s].n_counters;
	return offset;
}

/* Sets all totals to "not counted", which differs from 0: a set may not have had its turn. */
static void clear_totals(struct value *total, size_t n)
{
	for (size_t i = 0; i < n; i++)
		total[i] = value_none(QUALITY_NOT_COUNTED);
}

static struct value *new_total(const struct job *j)
{
	struct value *total = xcalloc(j->n_values, sizeof *total);

	clear_totals(total, j->n_values);
	return total;
}

/* Adds values to totals. first: these are the first values, which replace the totals, so that no
 * part of them is missing. */
static void add_all(struct value *total, const struct value *more, size_t n, bool first)
{
	for (size_t i = 0; i < n; i++)
		total[i] = first ? more[i] : value_accumulate(total[i], more[i]);
}

/* --- tasks and processes --- */

static struct follow_task *find_task(const struct job *j, pid_t task)
{
	for (size_t i = j->n_tasks; i-- > 0;)
		if (j->task[i].task == task)
			return &j->task[i];
	return NULL;
}

static struct follow_process *find_process(const struct job *j, pid_t process)
{
	for (size_t i = j->n_processes; i-- > 0;)
		if (j->process[i].process == process)
			return &j->process[i];
	return NULL;
}

static struct follow_process *get_process(struct job *j, pid_t process)
{
	struct follow_process *p = find_process(j, process);

	if (p)
		return p;
	j->process = xgrow(j->process, &j->cap_processes, j->n_processes + 1, sizeof *j->process);
	p = &j->process[j->n_processes++];
	*p = (struct follow_process){.process = process, .total = new_total(j)};
	return p;
}

static void drop_process(struct job *j, struct follow_process *p)
{
	process_kthreads_close(&j->others, &p->others);
	free(p->total);
	memmove(p, p + 1, (size_t)(j->process + --j->n_processes - p) * sizeof *p);
}

static void drop_task(struct job *j, struct follow_task *t)
{
	group_close(t->group, j->sys);
	free(t->total);
	memmove(t, t + 1, (size_t)(j->task + --j->n_tasks - t) * sizeof *t);
}

void job_set_read(struct job *j, job_read *read, void *context)
{
	j->read = read;
	j->read_context = context;
	kernel_threads_done(&j->others);
	kernel_threads_init(&j->others, j->sys, NULL);
}

void job_done(struct job *j)
{
	while (j->n_tasks)
		drop_task(j, &j->task[j->n_tasks - 1]);
	while (j->n_processes)
		drop_process(j, &j->process[j->n_processes - 1]);
	kernel_threads_done(&j->others);
	free(j->task);
	free(j->process);
	free(j->row);
}

/* --- counts --- */

/* Reads the numbers that replace counters into j->row, as increments since the last read. */
static void read_numbers(const struct job *j, struct follow_task *t)
{
	uint64_t now[EVENT_SET_MAX];
	const uint64_t unknown = j->read(j->read_context, t->task, now);

	number_increments(now, unknown, j->set->n_counters, t->last, j->row);
}

/* Opens the counters of the present set. */
static void open_counters(struct job *j, struct follow_task *t, bool on_exec)
{
	int ret;

	memset(t->last, 0, sizeof t->last);
	if (j->read) {
		read_numbers(j, t);
		return;
	}
	ret = group_open(&t->group, j->sys, &j->set[j->current], t->task, on_exec);
	if (!ret)
		return;
	t->group = NULL;
	t->uncounted = event_opening_quality(ret);
	if (!j->refused && ret != -ESRCH) {
		j->refused = ret;
		j->refused_task = t->task;
	}
}

/* Reads the increments of the present set since the last read into j->row, and adds them to the
 * total of the task. */
static void read_counters(struct job *j, struct follow_task *t)
{
	const struct event_set *set = &j->set[j->current];
	const size_t offset = offset_of(j, j->current);
	struct count now[EVENT_SET_MAX];
	uint64_t unread = UINT64_MAX;
	const bool first = !(t->seen & 1u << j->current);
	int error;

	t->seen |= 1u << j->current;
	if (t->group)
		unread = group_read(t->group, j->sys, now, &error);
	for (int c = 0; !j->read && c < set->n_counters; c++)
		j->row[offset + (size_t)c] = t->group
						     ? count_increment(set, c, now, t->last, unread)
						     : value_none(t->uncounted);
	if (j->read)
		read_numbers(j, t);
	add_all(t->total + offset, j->row + offset, (size_t)set->n_counters, first);
	for (int i = 0; t->group && i < set->plan.n; i++)
		if (!(unread & 1ull << i))
			t->last[i] = now[i];
}

/* --- rows --- */

static void tell(const struct job *j, enum follow_kind kind, pid_t process, pid_t task, int set,
		 const struct value *values)
{
	const struct follow_row row = {
		.kind = kind,
		.process = process,
		.task = task,
		.set = set,
		.value = values ? values + offset_of(j, set) : NULL,
	};

	if (!j->verbose && (kind == FOLLOW_INIT_LWP || kind == FOLLOW_FINI_LWP))
		return;
	j->tell(j->context, &row);
}

/* Reports one row for each set. */
static void report_total(const struct job *j, enum follow_kind kind, pid_t process, pid_t task,
			 const struct value *total)
{
	for (int s = 0; s < j->n_sets; s++)
		tell(j, kind, process, task, s, total);
}

static void report_exit(const struct job *j, const struct follow_process *p, int how)
{
	for (int s = 0; s < j->n_sets; s++) {
		const struct follow_row row = {
			.kind = FOLLOW_EXIT,
			.process = p->process,
			.set = s,
			.value = p->total + offset_of(j, s),
			.ended = true,
			.how = how,
		};

		j->tell(j->context, &row);
	}
}

static void report_begin(const struct job *j, enum follow_kind kind, const struct follow_task *t)
{
	for (size_t i = 0; i < j->n_values; i++)
		j->row[i] = value_exact(0);
	tell(j, kind, t->process, t->task, j->current, j->row);
}

static void report_fork(const struct job *j, pid_t process, pid_t creator, pid_t made)
{
	const struct follow_row row = {
		.kind = FOLLOW_FORK, .process = process, .task = creator, .made = made};

	j->tell(j->context, &row);
}

static void report_image(const struct job *j, pid_t process)
{
	struct follow_row row = {.kind = FOLLOW_EXEC, .process = process};
	char path[32], name[64] = "?";
	struct strbuf text;

	strbuf_init(&text);
	snprintf(path, sizeof path, "/proc/%d/comm", process);
	if (file_read_all(AT_FDCWD, path, sizeof name - 1, &text) > 0) {
		text.text[strcspn(text.text, "\n")] = '\0';
		snprintf(name, sizeof name, "%s", text.text);
	}
	strbuf_done(&text);
	text_sanitize(name, '?');
	row.image = name;
	j->tell(j->context, &row);
}

/* --- events --- */

static pid_t process_of(const struct job *j, pid_t task)
{
	const struct follow_task *t = find_task(j, task);

	return t ? t->process : task;
}

/* Reads the records of started threads, before any of them gets lost. */
static void take_lives(struct job *j)
{
	struct life life;

	while (j->others.lives && lives_next(j->others.lives, &life)) {
		struct follow_process *p =
			life.what == LIVES_BEGIN && life.process == life.creator_pid
				? find_process(j, life.process)
				: NULL;

		if (p)
			p->others.begun++;
	}
}

/* Notes that one more task of the process is followed, which is at its first stop. For the first
 * task, opens the inherited counters. */
static void begin_kernel_threads(struct job *j, struct follow_process *p, bool command)
{
	if (command)
		kernel_threads_open(&j->others, p->process);
	if (!p->others.followed++)
		process_kthreads_open(&j->others, &p->others, p->process, command);
	take_lives(j);
}

/* Adds the counts of kernel threads to the total of a process, all of whose tasks have ended. */
static void add_kernel_threads(struct job *j, struct follow_process *p)
{
	take_lives(j);
	process_kthreads_add(&j->others, &p->others, p->total, j->n_values);
}

static void on_birth(struct job *j, const struct trace_event *e)
{
	const bool command = j->command && !e->creator;
	struct follow_process *p;
	struct follow_task *t;

	if (e->creator && e->process == e->task)
		report_fork(j, process_of(j, e->creator), e->creator, e->task);
	p = get_process(j, e->process);
	j->task = xgrow(j->task, &j->cap_tasks, j->n_tasks + 1, sizeof *j->task);
	t = &j->task[j->n_tasks++];
	*t = (struct follow_task){.task = e->task, .process = e->process, .total = new_total(j)};
	open_counters(j, t, command);
	begin_kernel_threads(j, p, command);
	if (command)
		return;
	p->runs = true;
	report_begin(j, e->process == e->task || !e->creator ? FOLLOW_INIT_LWP : FOLLOW_LWP_CREATE,
		     t);
}

/* Marks totals as partial if several sets took turns. */
static void mark_parts(const struct job *j, struct follow_task *t)
{
	for (size_t i = 0; t->seen & (t->seen - 1) && i < j->n_values; i++)
		if (value_known(t->total[i]))
			t->total[i].quality = QUALITY_PARTIAL;
}

/* Ends the counting of a task: adds its total to that of its process. */
static void end_task(struct job *j, struct follow_task *t, enum follow_kind kind)
{
	struct follow_process *p = get_process(j, t->process);

	read_counters(j, t);
	mark_parts(j, t);
	report_total(j, kind, t->process, t->task, t->total);
	add_all(p->total, t->total, j->n_values, !p->counted);
	p->counted = true;
	clear_totals(t->total, j->n_values);
	t->seen = 0;
}

/* Ends all tasks of a process except `former`, as the kernel may not report their ends: at an exec,
 * the other tasks of the old image; at the end of the process, a thread that was killed during its
 * exec. */
static void end_other_tasks(struct job *j, pid_t process, pid_t former)
{
	for (size_t i = j->n_tasks; i-- > 0;) {
		struct follow_task *t = &j->task[i];

		if (t->process != process || t->task == former)
			continue;
		end_task(j, t, FOLLOW_LWP_EXIT);
		drop_task(j, t);
	}
}

/* Closes the counters if the kernel has stopped them, as it does if the new image of a process is
 * not readable for this user. Stopped counters look like those of an idle process. But the kernel
 * then refuses to open one more counter on the task, which is tested here. */
static void check_counters(struct job *j, struct follow_task *t)
{
	struct group *other;
	const int ret =
		t->group ? group_open(&other, j->sys, &j->set[j->current], t->task, false) : 0;

	if (t->group && !ret)
		group_close(other, j->sys);
	if (ret != -EACCES && ret != -EPERM)
		return;
	group_close(t->group, j->sys);
	t->group = NULL;
	t->uncounted = QUALITY_DENIED;
	j->lost = t->task;
}

static bool on_exec(struct job *j, const struct trace_event *e)
{
	struct follow_process *p = get_process(j, e->process);
	struct follow_task *t;

	end_other_tasks(j, e->process, e->former);
	t = find_task(j, e->former);
	if (!t)
		return true;
	t->task = e->task;
	if (!p->runs) {
		p->runs = true;
		check_counters(j, t);
		/* What the child did before the exec does not belong to the command. */
		if (j->read)
			read_numbers(j, t);
		report_begin(j, FOLLOW_INIT_LWP, t);
		return true;
	}
	end_task(j, t, FOLLOW_FINI_LWP);
	p = get_process(j, e->process);
	add_kernel_threads(j, p);
	process_kthreads_restart(&j->others, &p->others);
	report_total(j, FOLLOW_EXEC, e->process, 0, p->total);
	clear_totals(p->total, j->n_values);
	p->counted = false;
	if (!j->follows_exec) {
		drop_task(j, t);
		drop_process(j, p);
		return false;
	}
	check_counters(j, t);
	report_image(j, e->process);
	report_begin(j, FOLLOW_INIT_LWP, t);
	return true;
}

static void on_end(struct job *j, const struct trace_event *e)
{
	const bool last = e->task == e->process;
	struct follow_process *p;
	struct follow_task *t;

	if (last)
		end_other_tasks(j, e->process, e->task);
	t = find_task(j, e->task);
	if (!t)
		return;
	end_task(j, t, last ? FOLLOW_FINI_LWP : FOLLOW_LWP_EXIT);
	drop_task(j, t);
	if (!last)
		return;
	p = get_process(j, e->process);
	add_kernel_threads(j, p);
	report_exit(j, p, e->status);
	drop_process(j, p);
}

bool job_handle_event(struct job *j, const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_BORN:
		on_birth(j, event);
		return true;
	case TRACE_EXEC:
		return on_exec(j, event);
	case TRACE_ENDED:
		on_end(j, event);
		return true;
	}
	return true;
}

/* Closes the counters of the present set and opens those of the next one. */
static void change_set(struct job *j)
{
	j->current = (j->current + 1) % j->n_sets;
	for (size_t i = 0; i < j->n_tasks; i++) {
		group_close(j->task[i].group, j->sys);
		j->task[i].group = NULL;
		open_counters(j, &j->task[i], false);
	}
}

void job_tick(struct job *j)
{
	for (size_t i = 0; i < j->n_tasks; i++) {
		struct follow_task *t = &j->task[i];

		read_counters(j, t);
		tell(j, FOLLOW_TICK, t->process, t->task, j->current, j->row);
	}
	if (j->n_sets > 1)
		change_set(j);
}
