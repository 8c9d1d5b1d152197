/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/traced.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "collect/command/trace.h"

struct traced_task {
	pid_t task, process;
	struct group *group; /* NULL: the task is missing */
	bool first;          /* it is the first task of the command */
};

struct traced_process {
	pid_t process;
	uint32_t followed;                /* followed tasks so far */
	struct group *all;                /* counters inherited by its threads; NULL: not open */
	struct count gone[EVENT_SET_MAX]; /* sum over its tasks that have ended */
};

struct traced {
	struct attach *attach;
	struct event_set shared; /* the events that all threads of a process inherit */
	/* counters of `shared` that all processes inherit; NULL: not open */
	struct group *all;
	struct hash process; /* living processes: struct traced_process */
	struct trace trace;
	struct hash task;                 /* living tasks: struct traced_task, by task ID */
	struct count gone[EVENT_SET_MAX]; /* [i] of member i: the sum over tasks that have ended */
	uint64_t unread;                  /* bit i: gone[i] is unknown */
	uint64_t missing;
	struct err why;
	/* [n_ends] ends in order; those from `next` on are still to be returned */
	struct traced_end *end;
	size_t n_ends, next, cap_ends;
};

static struct traced_task *find(const struct traced *t, pid_t task)
{
	return hash_get(&t->task, (uint64_t)task);
}

static int n_members(const struct traced *t)
{
	return t->attach->set.plan.n;
}

static uint64_t all_members(const struct traced *t)
{
	return n_members(t) < 64 ? (1ull << n_members(t)) - 1 : ~0ull;
}

static void note_missing(struct traced *t, const struct err *why)
{
	if (!t->missing++)
		t->why = *why;
}

static enum count_state open_counters(struct traced *t, struct traced_task *task, bool on_exec,
				      struct err *err)
{
	return attach_open(t->attach, task->task, on_exec, &task->group, err);
}

/* Makes the set of inherited events: those that take no counter of the PMU. */
static void make_shared_set(struct traced *t)
{
	const struct event_set *set = &t->attach->set;

	event_set_copy(&t->shared, set);
	t->shared.inherit = true;
	for (int i = 0; i < set->plan.n; i++)
		if (event_is_hardware(&set->event[set->plan.member[i].event]))
			t->shared.plan.member[i].group = EVENT_NO_GROUP;
}

/* Opens the inherited counters on a process that is at its first stop. children: its child
 * processes inherit them, too. NULL: too few descriptors, or the kernel refused. */
static struct group *open_shared(struct traced *t, pid_t process, bool on_exec, bool children)
{
	struct group *all = NULL;

	t->shared.children = children;
	if (attach_has_fds(t->attach) &&
	    !group_open(&all, t->attach->sys, &t->shared, process, on_exec))
		t->attach->n_fds += group_n_fds(all);
	return all;
}

static struct traced_process *add_process(struct traced *t, pid_t process, bool on_exec)
{
	struct traced_process *p = xcalloc(1, sizeof *p);

	p->process = process;
	p->all = open_shared(t, process, on_exec, false);
	hash_put(&t->process, (uint64_t)process, p);
	return p;
}

static struct traced_process *find_process(const struct traced *t, pid_t process)
{
	return hash_get(&t->process, (uint64_t)process);
}

static void free_process(struct traced *t, struct traced_process *p)
{
	attach_close(t->attach, p->all);
	free(p);
}

static struct traced_task *add_task(struct traced *t, const struct trace_event *e)
{
	struct traced_task *task = xcalloc(1, sizeof *task);

	struct traced_process *p = find_process(t, e->process);

	if (!p)
		p = add_process(t, e->process, !e->creator);
	p->followed++;
	task->task = e->task;
	task->process = e->process;
	hash_put(&t->task, (uint64_t)e->task, task);
	return task;
}

/* Reads the counters for the last time, and closes them. */
static void close_counters(struct traced *t, struct traced_task *task, struct final *out)
{
	struct traced_process *p;
	int error;

	*out = (struct final){.process = task->process, .task = task->task, .first = task->group};
	if (!task->group)
		return;
	out->members = ~group_read(task->group, t->attach->sys, out->count, &error);
	out->members &= all_members(t);
	count_add_members(t->gone, out->count, n_members(t), out->members);
	p = find_process(t, task->process);
	if (p)
		count_add_members(p->gone, out->count, n_members(t), out->members);
	t->unread |= ~out->members;
	attach_close(t->attach, task->group);
	task->group = NULL;
}

static void add_end(struct traced *t, const struct traced_end *end)
{
	t->end = xgrow(t->end, &t->cap_ends, t->n_ends + 1, sizeof *t->end);
	t->end[t->n_ends++] = *end;
}

static void subtract(struct count *count, const struct count *less, int n, uint64_t members)
{
	for (int i = 0; i < n; i++) {
		if (!(members >> i & 1))
			continue;
		count[i].value -= less[i].value < count[i].value ? less[i].value : count[i].value;
		count[i].enabled_ns = count[i].running_ns = 0;
	}
}

/* Reads the counts of an ended process beyond those of its tasks. Returns the mask of the events
 * for which these are known. */
static uint64_t read_others(const struct traced *t, const struct traced_process *p,
			    struct count *count)
{
	uint64_t members;
	int error;

	if (!p->all)
		return 0;
	members = all_members(t) & ~group_read(p->all, t->attach->sys, count, &error);
	subtract(count, p->gone, n_members(t), members);
	return members;
}

static void end_process(struct traced *t, pid_t process)
{
	struct traced_process *p = find_process(t, process);
	struct traced_end end = {.of_process = true};

	if (!p)
		return;
	end.followed = p->followed;
	end.final.process = process;
	end.final.members = read_others(t, p, end.final.count);
	add_end(t, &end);
	hash_remove(&t->process, (uint64_t)process);
	free_process(t, p);
}

/* Ends a task. how: the exit status of its process, which has ended with it; NULL: its process goes
 * on. */
static void end_task(struct traced *t, struct traced_task *task, const int *how)
{
	struct traced_end end = {.process_ended = how, .how = how ? *how : 0};

	close_counters(t, task, &end.final);
	if (!task->first)
		add_end(t, &end);
	hash_remove(&t->task, (uint64_t)task->task);
	if (how)
		end_process(t, task->process);
	free(task);
}

/* Returns a task of the process other than `task`; NULL: none. */
static struct traced_task *find_other(const struct traced *t, pid_t process, pid_t task)
{
	struct traced_task *other;
	size_t at = 0;

	while ((other = hash_next(&t->task, &at)))
		if (other->process == process && other->task != task)
			return other;
	return NULL;
}

/* Closes the counters if the kernel has stopped them, as it does if the new image of a process is
 * not readable for this user. Stopped counters look like those of an idle process. But the kernel
 * then refuses to open one more counter on the task, which is tested here. */
static void check_counters(struct traced *t, struct traced_task *task)
{
	struct perf_sys *sys = t->attach->sys;
	struct perf_event_attr dummy = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof dummy,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const int fd =
		task->group ? sys->open(sys, &dummy, task->task, -1, -1, PERF_FLAG_FD_CLOEXEC) : 0;
	struct err why = ERR_INIT;
	struct final final;

	if (task->group && fd >= 0)
		sys->close(sys, fd);
	if (fd != -EACCES && fd != -EPERM)
		return;
	close_counters(t, task, &final);
	err_set(&why, EACCES,
		"process %d executed a program that this user may not read, and was not counted "
		"from then on; root may",
		task->process);
	note_missing(t, &why);
}

/* Ends all tasks of a process except `task`; the kernel does not report each of these ends. */
static void end_others(struct traced *t, pid_t process, pid_t task)
{
	struct traced_task *other;

	while ((other = find_other(t, process, task)))
		end_task(t, other, NULL);
}

/* Handles an execve(2): the task that executed the program now has the ID of the process. */
static void on_exec(struct traced *t, const struct trace_event *e)
{
	struct traced_task *task;

	end_others(t, e->process, e->former);
	task = find(t, e->former);
	if (!task)
		return;
	hash_remove(&t->task, (uint64_t)e->former);
	task->task = e->task;
	hash_put(&t->task, (uint64_t)e->task, task);
	check_counters(t, task);
}

static void on_birth(struct traced *t, const struct trace_event *e)
{
	struct err why = ERR_INIT;
	const enum count_state state = open_counters(t, add_task(t, e), false, &why);

	/* A task that was killed at its first stop has done nothing. */
	if (state != COUNT_OK && state != COUNT_GONE)
		note_missing(t, &why);
}

/* Ends a task. At the end of a process, also ends a thread that was killed during its exec. */
static void on_end(struct traced *t, const struct trace_event *e)
{
	const bool last = e->task == e->process;
	struct traced_task *task;

	if (last)
		end_others(t, e->process, e->task);
	task = find(t, e->task);
	if (task)
		end_task(t, task, last ? &e->status : NULL);
}

static void handle_event(struct traced *t, const struct trace_event *e)
{
	switch (e->kind) {
	case TRACE_BORN:
		on_birth(t, e);
		break;
	case TRACE_EXEC:
		on_exec(t, e);
		break;
	case TRACE_ENDED:
		on_end(t, e);
		break;
	}
}

int traced_open(struct traced **out, struct attach *attach, struct trace_sys *tracer, pid_t command,
		enum count_state *state, struct err *note, struct err *err)
{
	struct traced *t = xcalloc(1, sizeof *t);
	struct trace_event event;
	struct traced_task *task;
	int ret;

	t->attach = attach;
	make_shared_set(t);
	trace_init(&t->trace, tracer, true);
	t->trace.kept = command;
	ret = trace_command(&t->trace, command, err);
	if (!ret && !trace_await_birth(&t->trace, &event))
		ret = err_set(err, ECHILD, "the command ended before it could be followed");
	if (ret) {
		traced_close(t);
		return ret;
	}
	t->all = open_shared(t, command, true, true);
	task = add_task(t, &event);
	task->first = true;
	*state = open_counters(t, task, true, note);
	trace_continue(&t->trace);
	*out = t;
	return 0;
}

bool traced_next(struct traced *t, struct traced_end *out)
{
	struct trace_event event;

	while (t->next == t->n_ends) {
		t->next = t->n_ends = 0;
		if (!trace_next(&t->trace, &event))
			return false;
		handle_event(t, &event);
	}
	*out = t->end[t->next++];
	return true;
}

/* Sets the counts of the events that are inherited from the command. Returns the mask of the events
 * whose counts are unknown. */
static uint64_t read_all(const struct traced *t, struct count *count)
{
	const struct event_set *set = &t->shared;
	struct count read[EVENT_SET_MAX];
	uint64_t unread = ~0ull, lacking = 0;
	int error;

	if (t->all)
		unread = group_read(t->all, t->attach->sys, read, &error);
	for (int i = 0; i < n_members(t); i++) {
		if (set->plan.member[i].group == EVENT_NO_GROUP)
			continue;
		if (unread >> i & 1)
			lacking |= 1ull << i;
		else
			count[i] = read[i];
	}
	return lacking;
}

uint64_t traced_read(const struct traced *t, struct count *count)
{
	struct count of_task[EVENT_SET_MAX];
	const int n = n_members(t);
	uint64_t unread = t->unread;
	struct traced_task *task;
	size_t at = 0;
	int error;

	memcpy(count, t->gone, (size_t)n * sizeof *count);
	while ((task = hash_next(&t->task, &at))) {
		const uint64_t bad =
			task->group ? group_read(task->group, t->attach->sys, of_task, &error) : 0;

		if (task->group)
			count_add_members(count, of_task, n, ~bad);
		unread |= bad;
	}
	unread |= read_all(t, count);
	return t->missing ? ~0ull : unread;
}

uint64_t traced_missing(const struct traced *t, struct err *why)
{
	*why = t->why;
	return t->missing;
}

void traced_detach_all(struct traced *t)
{
	trace_detach_all(&t->trace);
}

void traced_close(struct traced *t)
{
	struct traced_process *p;
	struct traced_task *task;
	size_t at = 0;

	if (!t)
		return;
	trace_done(&t->trace);
	while ((task = hash_next(&t->task, &at))) {
		attach_close(t->attach, task->group);
		free(task);
	}
	at = 0;
	while ((p = hash_next(&t->process, &at)))
		free_process(t, p);
	hash_done(&t->process);
	attach_close(t->attach, t->all);
	event_set_done(&t->shared);
	hash_done(&t->task);
	free(t->end);
	free(t);
}
