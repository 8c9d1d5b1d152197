/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/attach.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pmu/check/refusal.h"
#include "pmu/event/describe.h"
#include "pmu/perf/plan.h"

/* ---- schedule ---- */

/* The kernel rotates the groups on the PMU at every tick, of 10 ms at most: a shorter wait means
 * nothing. */
#define TICK_NS 10000000u

/* Waiting time after which each group had two turns, divided by the number of groups. */
#define TURNS_NS (2ull * TICK_NS)

/* Forgets all waits, for a new plan. */
static void schedule_begin(struct schedule *s)
{
	memset(s, 0, sizeof *s);
}

static bool is_leader(const struct event_plan *plan, int i)
{
	const struct event_member *m = &plan->member[i];

	return m->group != EVENT_NO_GROUP && (i == 0 || m[-1].group != m->group);
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t running_ns(const struct count *old, const struct count *now, int i)
{
	return grown(now[i].running_ns, old ? old[i].running_ns : 0);
}

/* Returns whether the task ran on another kind of cores than the group counts on, which explains
 * the wait. */
static bool ran_elsewhere(const struct event_set *set, const struct count *old,
			  const struct count *now, uint64_t unread, int leader)
{
	const struct event_plan *plan = &set->plan;
	int core = set->event[plan->member[leader].event].core;

	for (int k = 0; k < plan->n; k++) {
		int other = set->event[plan->member[k].event].core;

		if (other >= 0 && other != core && !(unread >> k & 1) && running_ns(old, now, k))
			return true;
	}
	return false;
}

void schedule_note(struct schedule *s, const struct event_set *set, const struct count *old,
		   const struct count *now, uint64_t unread)
{
	const struct event_plan *plan = &set->plan;

	for (int i = 0; i < plan->n; i++) {
		uint64_t bit = 1ull << i,
			 wait_ns = grown(now[i].enabled_ns, old ? old[i].enabled_ns : 0);

		if (unread & bit || !is_leader(plan, i))
			continue;
		if (running_ns(old, now, i))
			s->ran |= bit;
		else if (wait_ns >= TICK_NS && wait_ns > s->wait_ns[i] &&
			 !ran_elsewhere(set, old, now, unread, i))
			s->wait_ns[i] = wait_ns;
	}
}

/* Lists the events of the group. Returns their number. */
static int list_events(const struct event_plan *plan, int leader, int *event)
{
	int n = 0;

	for (int i = leader; i < plan->n && plan->member[i].group == plan->member[leader].group;
	     i++)
		event[n++] = plan->member[i].event;
	return n;
}

/* Ends a refresh. Returns whether a trial had a new result, so that another plan is needed. */
static bool schedule_end(struct schedule *s, const struct event_set *set, struct trial *trial)
{
	const struct event_plan *plan = &set->plan;
	int event[EVENT_SET_MAX];
	bool learned = false;

	for (int i = 0; i < plan->n; i++) {
		uint64_t before_ns = s->waited_ns[i], wait_ns = s->wait_ns[i];
		int n = list_events(plan, i, event);
		bool certain;

		s->wait_ns[i] = 0;
		s->waited_ns[i] = s->ran >> i & 1 ? 0 : before_ns + wait_ns;
		if (s->ran >> i & 1 || !wait_ns || n == 1)
			continue;
		certain = before_ns && before_ns + wait_ns >= (uint64_t)plan->n_groups * TURNS_NS;
		learned |= trial_retry(trial, set, event, n, certain);
	}
	s->ran = 0;
	trial_end(trial);
	return learned;
}

/* ---- attach ---- */

/* Spare descriptors: for clocks and signals, the terminal, /proc, names of users, the output, and
 * files that a key writes. */
#define SPARE_FDS 16

long attach_reserve(void)
{
	DIR *dir = opendir("/proc/self/fd");
	long n = 0;

	/* Three entries are not counted: ".", "..", and the descriptor of the folder itself. */
	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return (n > 3 ? n - 3 : 3) + SPARE_FDS;
}

void attach_init(struct attach *a, struct perf_sys *sys)
{
	memset(a, 0, sizeof *a);
	a->sys = sys;
	a->cgroup_fd = -1;
	a->reserve = attach_reserve();
	event_set_init(&a->set);
	trial_init(&a->trial, sys);
}

static void close_self(struct attach *a)
{
	for (int i = 0; i < a->set.n; i++)
		if (a->self_fd[i] >= 0)
			a->sys->close(a->sys, a->self_fd[i]);
}

static void drop_set(struct attach *a)
{
	close_self(a);
	event_set_done(&a->set);
}

void attach_done(struct attach *a)
{
	drop_set(a);
	sample_events_unref(a->counted);
	trial_done(&a->trial);
}

/* Returns whether the event is one of Intel's top-down metrics, which are counted only in a group
 * led by SLOTS, and the set has no SLOTS. */
static bool lacks_slots(const struct event_set *set, const struct event *metric)
{
	for (int i = 0; i < set->n; i++)
		if (set->event[i].topdown == TOPDOWN_SLOTS && set->event[i].core == metric->core)
			return false;
	return metric->topdown == TOPDOWN_METRIC;
}

/* Returns whether tasks cannot have the event on any machine: the set lacks SLOTS for it, or it is
 * an event of locks. why: the reason, as a sentence. */
static bool is_not_of_tasks(const struct attach *a, const struct event *e, const char *name,
			    struct err *why)
{
	if (lacks_slots(&a->set, e))
		err_set(why, EINVAL,
			"the event '%s' is only counted together with 'slots': add 'slots' to the "
			"screen",
			name);
	else if (e->phase)
		err_set(why, EINVAL,
			"'%s' is counted in rows of locks only: 'tiptop locks --live' has them",
			name);
	return why->code;
}

/* Returns whether the event is counted by the core PMU, which a machine with other PMUs may
 * lack. */
static bool is_of_core(const struct event *e)
{
	return e->type == PERF_TYPE_HARDWARE || e->type == PERF_TYPE_HW_CACHE ||
	       e->type == PERF_TYPE_RAW;
}

/* Opens the event on tiptop itself, to stay open. Returns 0, or -errno; why: set also if it counts
 * more modes than requested. */
static int open_on_self(struct attach *a, int i, const char *name, struct err *why)
{
	const struct event *e = &a->set.event[i];
	const int fd = a->self_fd[i] = event_probe(a->sys, &a->set, i);
	const struct refusal_attempt attempt = {.event = name,
						.kernel = event_counts_kernel(&a->set, i),
						.no_modes = e->all_modes,
						.untried = e->modes_denied,
						.hardware = event_is_hardware(e),
						.no_hardware = a->no_hardware && is_of_core(e),
						.absent = e->absent};

	if (fd < 0)
		return refusal_explain(fd, &attempt, why);
	if (event_is_beyond_modes(e))
		refusal_explain_modes(name, why);
	return 0;
}

static void probe_event(struct attach *a, int i, struct err *note)
{
	struct event *e = &a->set.event[i];
	const char *name = e->what ? e->what : e->name;
	struct err why = ERR_INIT;
	int ret;

	a->self_fd[i] = -1;
	if (e->quality != QUALITY_EXACT)
		return;
	if (is_not_of_tasks(a, e, name, &why)) {
		e->quality = QUALITY_UNSUPPORTED;
	} else {
		ret = open_on_self(a, i, name, &why);
		a->n_usable += !ret;
		e->quality = (uint8_t)event_opening_quality(ret);
		if (perf_error_is_transient(ret)) {
			a->refused |= 1ull << i;
			note = &a->why;
		}
	}
	if (note && !note->code)
		*note = why;
}

/* Events that were refused for the moment are tried again after this many refreshes. */
#define REFUSED_PAUSE 10

/* Tries the refused events again. Returns whether one of them can be opened now. */
static bool probe_again(struct attach *a)
{
	uint64_t before = a->refused;

	if (!before || a->trial.moment % REFUSED_PAUSE)
		return false;
	a->refused = 0;
	a->why = (struct err)ERR_INIT;
	for (int i = 0; i < a->set.n; i++)
		if (before >> i & 1) {
			a->set.event[i].quality = QUALITY_EXACT;
			probe_event(a, i, NULL);
		}
	return a->refused != before;
}

/* Returns whether groups can inherit: inherit_thread came with Linux 5.13. If not, each thread gets
 * a group. */
static bool can_inherit(struct attach *a)
{
	struct perf_event_attr attr;
	int fd = -ENOENT;

	a->set.inherit = true;
	for (int i = 0; i < a->set.n && fd < 0 && !perf_error_is_transient(fd); i++) {
		if (a->set.event[i].quality != QUALITY_EXACT)
			continue;
		event_attr(&a->set, i, true, false, &attr);
		fd = a->sys->open(a->sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd >= 0)
		a->sys->close(a->sys, fd);
	return fd >= 0 || perf_error_is_transient(fd);
}

/* Returns the limit of descriptors for groups, without the descriptors of the events on tiptop
 * itself. */
static long group_budget(const struct attach *a)
{
	struct rlimit limit;
	long n;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	n = (limit.rlim_cur > INT_MAX ? INT_MAX : (long)limit.rlim_cur) - a->reserve - a->set.n;
	return n > 0 ? n : 0;
}

/* Makes the descriptions of the members of the plan, to which later readings refer. */
static void make_events(struct attach *a)
{
	const struct event_plan *plan = &a->set.plan;
	struct sample_event event[EVENT_SET_MAX];

	for (int i = 0; i < plan->n; i++) {
		const struct event_member *m = &plan->member[i];

		event[i] = event_to_sample(&a->set, m->event);
		event[i].group = m->group == EVENT_NO_GROUP ? SAMPLE_NO_GROUP : m->bundle;
		event[i].part_of = m->part_of;
	}
	sample_events_unref(a->counted);
	a->counted = sample_events_new(event, plan->n);
}

void attach_configure(struct attach *a, struct event_set *set, bool threads, struct err *note)
{
	struct attach old = *a;

	a->set = *set;
	event_set_init(set);
	a->n_usable = 0;
	a->threads = threads;
	a->refused = 0;
	a->why = (struct err)ERR_INIT;
	a->max_fds = group_budget(a);
	a->set.inherit = false;
	for (int i = 0; i < a->set.n; i++)
		probe_event(a, i, note);
	a->set.inherit = !threads && a->n_usable && can_inherit(a);
	/* The old set is closed only now, so that an event of both sets stays open all the time
	 * (see attach.h). */
	drop_set(&old);
	schedule_begin(&a->schedule);
	plan_make(&a->set, &a->trial);
	make_events(a);
}

void attach_go_on(struct attach *a, struct event_set *set)
{
	event_set_rejoin(&a->set, set);
	event_set_done(set);
}

static enum count_state state_of(int ret)
{
	switch (-ret) {
	case 0:
		return COUNT_OK;
	case EACCES:
	case EPERM:
		return COUNT_DENIED;
	case EMFILE:
	case ENFILE:
		return COUNT_NOFILE;
	case ENOMEM:
	case EBUSY:
	case EINTR:
		return COUNT_REFUSED;
	case ESRCH:
		return COUNT_GONE;
	default:
		return COUNT_UNSUPPORTED;
	}
}

bool attach_reconsider(struct attach *a)
{
	bool learned = schedule_end(&a->schedule, &a->set, &a->trial);
	uint32_t again = a->set.plan.again, now = ++a->trial.moment;

	if (probe_again(a)) {
		a->set.inherit = a->set.inherit || (!a->threads && can_inherit(a));
		learned = true;
	}
	if ((!learned && (!again || now < again)) || !plan_renew(&a->set, &a->trial, learned))
		return false;
	schedule_begin(&a->schedule);
	make_events(a);
	return true;
}

bool attach_has_fds(const struct attach *a)
{
	return a->n_fds + a->n_files + a->n_sleeping + a->set.plan.n_fds <= a->max_fds;
}

/* Ends the opening of a group: counts its descriptors, and explains a failure. ret: from
 * group_open(). */
static enum count_state end_open(struct attach *a, int ret, pid_t tid, const struct group *g,
				 struct err *err)
{
	if (ret) {
		const struct refusal_attempt attempt = {.event = "the counters of the screen",
							.tid = tid,
							.kernel = a->set.kernel,
							.hardware = true,
							.fewer = a->fewer};

		refusal_explain(ret, &attempt, err);
	}
	a->n_fds += group_n_fds(g);
	return state_of(ret);
}

enum count_state attach_open(struct attach *a, pid_t tid, bool on_exec, struct group **out,
			     struct err *err)
{
	int ret = -EMFILE;

	*out = NULL;
	if (!a->n_usable)
		return COUNT_NONE;
	if (attach_has_fds(a))
		ret = group_open(out, a->sys, &a->set, tid, on_exec);
	return end_open(a, ret, tid, *out, err);
}

enum count_state attach_open_cpu(struct attach *a, int cpu, struct group **out, struct err *err)
{
	int ret = -EMFILE;

	*out = NULL;
	if (!a->n_usable)
		return COUNT_NONE;
	if (attach_has_fds(a))
		ret = group_open_cpu(out, a->sys, &a->set, cpu, a->cgroup_fd);
	return end_open(a, ret, REFUSAL_CPU, *out, err);
}

void attach_close(struct attach *a, struct group *g)
{
	a->n_fds -= group_n_fds(g);
	group_close(g, a->sys);
}
