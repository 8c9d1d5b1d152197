/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/evidence.h"

#include <string.h>
#include <sys/syscall.h>

#include "model/fact_list.h"

/* ---- seen evidence ---- */

/* Counters that become evidence. scale: the factor from increments per second to the unit of the
 * evidence. */
static const struct {
	enum detail_count count;
	enum evidence evidence;
	double scale;
} growing[] = {
	{DETAIL_QUEUE_NS, EVIDENCE_QUEUE, 1e-7},
	{DETAIL_SWITCHES, EVIDENCE_SWITCHES, 1},
	{DETAIL_MINFLT, EVIDENCE_MINOR, 1},
	{DETAIL_MAJFLT, EVIDENCE_MAJOR, 1},
	{DETAIL_THROTTLED_NS, EVIDENCE_THROTTLED, 1e-6},
	{DETAIL_CPU_PRESSURE_NS, EVIDENCE_CPU_PRESSURE, 1e-7},
	{DETAIL_IO_PRESSURE_NS, EVIDENCE_IO_PRESSURE, 1e-7},
	{DETAIL_MEMORY_PRESSURE_NS, EVIDENCE_MEMORY_PRESSURE, 1e-7},
	{DETAIL_OTHER_IDLE_NS, EVIDENCE_OTHER_IDLE, 1e-7},
};

/* System calls of 32-bit tasks that take 64-bit times. The numbers are the same on all
 * architectures, and no 64-bit task has calls with these numbers. */
enum {
	CALL_CLOCK_NANOSLEEP_TIME64 = 407,
	CALL_PSELECT6_TIME64 = 413,
	CALL_PPOLL_TIME64 = 414,
	CALL_FUTEX_TIME64 = 422,
};

/* System calls that show the reason of a wait. Older calls, such as poll(2), do not exist on all
 * architectures and are not listed. */
static const struct {
	long call;
	enum evidence evidence;
} calls[] = {
	{SYS_futex, EVIDENCE_IN_LOCK},
	{CALL_FUTEX_TIME64, EVIDENCE_IN_LOCK},
	{SYS_nanosleep, EVIDENCE_IN_TIMER},
	{SYS_clock_nanosleep, EVIDENCE_IN_TIMER},
	{CALL_CLOCK_NANOSLEEP_TIME64, EVIDENCE_IN_TIMER},
	{SYS_ppoll, EVIDENCE_IN_POLL},
	{CALL_PPOLL_TIME64, EVIDENCE_IN_POLL},
	{SYS_pselect6, EVIDENCE_IN_POLL},
	{CALL_PSELECT6_TIME64, EVIDENCE_IN_POLL},
	{SYS_epoll_pwait, EVIDENCE_IN_POLL},
	{SYS_wait4, EVIDENCE_IN_CHILD},
	{SYS_waitid, EVIDENCE_IN_CHILD},
	{SYS_fsync, EVIDENCE_IN_DEVICE},
	{SYS_fdatasync, EVIDENCE_IN_DEVICE},
};

/* Parts of the names of kernel functions, from Linux 4 to 6. */
static const struct {
	const char *part;
	enum evidence evidence;
} places[] = {
	{"futex", EVIDENCE_IN_LOCK},          {"pipe", EVIDENCE_IN_PIPE},
	{"nanosleep", EVIDENCE_IN_TIMER},     {"poll_schedule", EVIDENCE_IN_POLL},
	{"do_select", EVIDENCE_IN_POLL},      {"do_sys_poll", EVIDENCE_IN_POLL},
	{"ep_poll", EVIDENCE_IN_POLL},        {"do_wait", EVIDENCE_IN_CHILD},
	{"kernel_wait", EVIDENCE_IN_CHILD},   {"unix_stream", EVIDENCE_IN_SOCKET},
	{"skb_", EVIDENCE_IN_SOCKET},         {"inet_csk", EVIDENCE_IN_SOCKET},
	{"sk_wait", EVIDENCE_IN_SOCKET},      {"sk_stream", EVIDENCE_IN_SOCKET},
	{"io_schedule", EVIDENCE_IN_DEVICE},  {"folio_wait", EVIDENCE_IN_DEVICE},
	{"wait_on_page", EVIDENCE_IN_DEVICE}, {"bit_wait_io", EVIDENCE_IN_DEVICE},
	{"jbd2", EVIDENCE_IN_DEVICE},
};

/* Returns the kind of wait in which the task sleeps; N_EVIDENCE: unknown or another kind. */
static enum evidence place_of(const struct detail_wait *w)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (w->call == calls[i].call)
			return calls[i].evidence;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strstr(w->place, places[i].part))
			return places[i].evidence;
	return N_EVIDENCE;
}

/* Returns whether the task is frozen. Under the freezer of cgroup v1, tasks sleep in
 * __refrigerator(). Under that of v2, they sleep in a function that also handles signals, so
 * w->frozen has to show it. */
static bool is_frozen(const struct detail_wait *w)
{
	return w->frozen || strstr(w->place, "refrigerator");
}

static void take_place(struct value out[N_EVIDENCE], const struct detail *now)
{
	const struct detail_wait *w = &now->wait;
	enum evidence place = is_frozen(w) ? EVIDENCE_FROZEN : place_of(w);

	/* A task that waits for its child in vfork(2), or in clone(2) with CLONE_VFORK, is in this
	 * state, too. */
	if (now->state == 'D' && place == N_EVIDENCE)
		place = strstr(w->place, "vfork") || strstr(w->place, "kernel_clone")
				? EVIDENCE_IN_CHILD
				: EVIDENCE_IN_DEVICE;

	/* Neither the system call nor the kernel function could be read. */
	if (place == N_EVIDENCE && w->call == DETAIL_CALL_UNKNOWN && !w->place[0])
		return;
	for (int i = EVIDENCE_IN_DEVICE; i <= EVIDENCE_FROZEN; i++)
		out[i] = value_exact(i == (int)place);
}

/* Sets the number of CPUs on which the task may and may not run. */
static void take_cpus(struct value out[N_EVIDENCE], const struct detail_wait *w)
{
	if (!(w->known & 1u << DETAIL_OTHER_IDLE_NS))
		return;
	out[EVIDENCE_ALLOWED_CPUS] = value_exact(w->n_allowed);
	out[EVIDENCE_OTHER_CPUS] = value_exact(w->n_others);
}

/* Returns whether two readings of a counter can be compared. Idle times of other CPUs can be
 * compared only if both readings have the same set of CPUs. */
static bool is_comparable(const struct detail_wait *before, const struct detail_wait *now,
			  enum detail_count c)
{
	return c != DETAIL_OTHER_IDLE_NS ||
	       (before->n_others == now->n_others && !strcmp(before->allowed, now->allowed));
}

/* Limits the wait for CPUs to the whole interval for each thread: the kernel accounts a wait when
 * it ends, though it may have begun before the interval. */
static void bound_queue(struct value out[N_EVIDENCE])
{
	const struct value threads = out[EVIDENCE_THREADS], queue = out[EVIDENCE_QUEUE];

	if (value_known(threads) && value_known(queue) && queue.number > 101 * threads.number)
		out[EVIDENCE_QUEUE] = (struct value){100 * threads.number, 1, QUALITY_UNEQUAL, 0};
}

void evidence_read(struct value out[N_EVIDENCE], const struct detail_wait *before,
		   const struct detail *now)
{
	const struct detail_wait *w = &now->wait;
	double seconds;

	evidence_clear(out);
	if (now->error || !w->mono_ns)
		return;
	if (fact_in(now->known, FACT_NUM_THREADS))
		out[EVIDENCE_THREADS] = value_exact((double)now->fact[FACT_NUM_THREADS]);
	take_place(out, now);
	take_cpus(out, w);
	if (!before->mono_ns || before->mono_ns >= w->mono_ns)
		return;
	seconds = (double)(w->mono_ns - before->mono_ns) / 1e9;
	for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
		const enum detail_count c = growing[i].count;

		/* A count falls if a thread ends, as the count of this thread is then missing. */
		if (w->known & before->known & 1u << c && w->count[c] >= before->count[c] &&
		    is_comparable(before, w, c))
			out[growing[i].evidence] =
				value_exact((double)(w->count[c] - before->count[c]) / seconds *
					    growing[i].scale);
	}
	bound_queue(out);
}

/* ---- evidence ---- */

static const char *const names[N_EVIDENCE] = {
	[EVIDENCE_CPU_MS] = "cpu-ms",
	[EVIDENCE_ASLEEP] = "asleep",
	[EVIDENCE_QUEUE_EARLIER] = "queue-earlier",
	[EVIDENCE_THREADS] = "threads",
	[EVIDENCE_QUEUE] = "queue",
	[EVIDENCE_SWITCHES] = "switches",
	[EVIDENCE_MINOR] = "minor",
	[EVIDENCE_MAJOR] = "major",
	[EVIDENCE_THROTTLED] = "throttled",
	[EVIDENCE_CPU_PRESSURE] = "cpu-pressure",
	[EVIDENCE_IO_PRESSURE] = "io-pressure",
	[EVIDENCE_MEMORY_PRESSURE] = "memory-pressure",
	[EVIDENCE_ALLOWED_CPUS] = "allowed-cpus",
	[EVIDENCE_OTHER_CPUS] = "other-cpus",
	[EVIDENCE_OTHER_IDLE] = "other-idle",
	[EVIDENCE_IN_DEVICE] = "in-device",
	[EVIDENCE_IN_LOCK] = "in-lock",
	[EVIDENCE_IN_PIPE] = "in-pipe",
	[EVIDENCE_IN_SOCKET] = "in-socket",
	[EVIDENCE_IN_TIMER] = "in-timer",
	[EVIDENCE_IN_POLL] = "in-poll",
	[EVIDENCE_IN_CHILD] = "in-child",
	[EVIDENCE_FROZEN] = "frozen",
};

int evidence_find(const char *name)
{
	for (int i = 0; i < N_EVIDENCE; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

void evidence_clear(struct value evidence[N_EVIDENCE])
{
	for (int i = 0; i < N_EVIDENCE; i++)
		evidence[i] = value_none(QUALITY_NOT_READ);
}
