/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/descendants.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"

/* ---- exit statuses ---- */

/* Size of the receive buffer. A message takes some 800 bytes in the kernel, and a machine may end
 * 20,000 tasks a second. */
#define RECEIVE_BYTES (4 << 20)

/* Limit of open pidfds, which use descriptors that counters could have. */
#define PIDFDS_MAX 128

struct exits {
	struct exits_sys *sys;
	int fd;
	bool heard;
	int n_held;
	struct exits_end *end;
	size_t n, cap;
	size_t at; /* index of the next report for exits_next() */
	struct exits_message message[EXITS_AT_ONCE];
};

/* Subscribes to ends of tasks only. The headers of Linux before 6.6 do not have this filter, and
 * such a kernel ignores the whole message. */
static int subscribe(int fd)
{
	struct {
		uint32_t what, events;
	} input = {PROC_CN_MCAST_LISTEN, PROC_EVENT_EXIT};
	struct cn_msg message = {.id = {CN_IDX_PROC, CN_VAL_PROC}, .len = sizeof input};
	struct nlmsghdr head = {.nlmsg_len = sizeof head + sizeof message + sizeof input,
				.nlmsg_type = NLMSG_DONE};
	const struct iovec part[] = {
		{&head, sizeof head}, {&message, sizeof message}, {&input, sizeof input}};

	return writev(fd, part, sizeof part / sizeof *part) < 0 ? -errno : 0;
}

/* Enlarges the receive buffer to RECEIVE_BYTES, or as far as the kernel permits: memory is used
 * only while messages wait. */
static void enlarge_buffer(int fd)
{
	const int bytes = RECEIVE_BYTES;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

/* Returns whether this is the initial pid namespace, whose inode number is fixed
 * (PROC_PID_INIT_INO). The kernel reports the pids of that namespace, also to listeners in
 * others. */
static bool is_first_namespace(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == 0xeffffffcu;
}

static int kernel_listen(struct exits_sys *self)
{
	const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
	int fd, ret;

	(void)self;
	if (!is_first_namespace())
		return -EPERM;
	fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
	if (fd < 0)
		return -errno;
	enlarge_buffer(fd);
	ret = bind(fd, (const struct sockaddr *)&address, sizeof address) ? -errno : subscribe(fd);
	if (ret)
		close(fd);
	return ret ? ret : fd;
}

static int kernel_receive(struct exits_sys *self, int fd, struct exits_message *out)
{
	struct mmsghdr head[EXITS_AT_ONCE];
	struct sockaddr_nl from[EXITS_AT_ONCE];
	struct iovec part[EXITS_AT_ONCE];
	int n;

	(void)self;
	memset(head, 0, sizeof head);
	for (int i = 0; i < EXITS_AT_ONCE; i++) {
		from[i] = (struct sockaddr_nl){.nl_pid = 1};
		part[i] = (struct iovec){out[i].body, sizeof out[i].body};
		head[i].msg_hdr.msg_iov = &part[i];
		head[i].msg_hdr.msg_iovlen = 1;
		head[i].msg_hdr.msg_name = &from[i];
		head[i].msg_hdr.msg_namelen = sizeof from[i];
	}
	n = recvmmsg(fd, head, EXITS_AT_ONCE, 0, NULL);
	for (int i = 0; i < n; i++)
		out[i].size = from[i].nl_pid ? 0 : head[i].msg_len;
	return n < 0 ? -errno : n;
}

static int kernel_hold(struct exits_sys *self, pid_t process)
{
	int fd = (int)syscall(SYS_pidfd_open, process, 0);

	(void)self;
	return fd < 0 ? -errno : fd;
}

/* struct pidfd_info in its first version, which older headers do not have. */
struct held_info {
	uint64_t mask, cgroup;
	uint32_t ids[11];
	int32_t how;
};

#define HELD_INFO_HOW 8u
#define HELD_GET_INFO _IOWR(0xFF, 11, struct held_info)

_Static_assert(sizeof(struct held_info) == 64, "as the kernel has it");

static int kernel_ask(struct exits_sys *self, int fd, int *how)
{
	struct held_info info = {.mask = HELD_INFO_HOW};

	(void)self;
	if (ioctl(fd, HELD_GET_INFO, &info))
		return -errno;
	*how = info.how;
	return info.mask & HELD_INFO_HOW ? 0 : -EAGAIN;
}

static void kernel_close(struct exits_sys *self, int fd)
{
	(void)self;
	close(fd);
}

struct exits_sys exits_kernel(void)
{
	return (struct exits_sys){kernel_listen, kernel_receive, kernel_hold, kernel_ask,
				  kernel_close};
}

struct exits *exits_open(struct exits_sys *sys)
{
	struct exits *e = xcalloc(1, sizeof *e);
	int fd = sys->listen(sys);

	e->sys = sys;
	e->fd = fd < 0 ? -1 : fd;
	return e;
}

int exits_fd(const struct exits *e)
{
	return e->fd;
}

/* Parses a message. Returns false if it does not report an end. The event after the headers may be
 * unaligned. */
static bool parse_message(const char *message, size_t size, struct exits_end *out)
{
	const size_t heads = sizeof(struct nlmsghdr) + sizeof(struct cn_msg);
	struct proc_event event;
	struct cn_msg head;

	if (size < heads + sizeof event)
		return false;
	memcpy(&head, message + sizeof(struct nlmsghdr), sizeof head);
	memcpy(&event, message + heads, sizeof event);
	if (head.id.idx != CN_IDX_PROC || head.id.val != CN_VAL_PROC ||
	    event.what != PROC_EVENT_EXIT)
		return false;
	*out = (struct exits_end){.process = event.event_data.exit.process_tgid,
				  .task = event.event_data.exit.process_pid,
				  .how = (int)event.event_data.exit.exit_code};
	return true;
}

static void add_end(struct exits *e, const struct exits_message *m)
{
	struct exits_end end;

	if (!parse_message(m->body, m->size, &end))
		return;
	e->heard = true;
	e->end = xgrow(e->end, &e->cap, e->n + 1, sizeof *e->end);
	e->end[e->n++] = end;
}

size_t exits_read(struct exits *e)
{
	int n = e->fd < 0 ? 0 : EXITS_AT_ONCE;

	/* ENOBUFS: some messages were lost, and others follow. After fewer than EXITS_AT_ONCE there
	 * are mostly no more, so another call would be wasted. */
	while (n == EXITS_AT_ONCE || n == -ENOBUFS) {
		n = e->sys->receive(e->sys, e->fd, e->message);
		for (int i = 0; i < n; i++)
			add_end(e, &e->message[i]);
	}
	return e->n - e->at;
}

bool exits_next(struct exits *e, struct exits_end *out)
{
	if (e->at == e->n) {
		e->at = e->n = 0;
		return false;
	}
	*out = e->end[e->at++];
	return true;
}

bool exits_have_arrived(const struct exits *e)
{
	return e->heard;
}

int exits_open_pidfd(struct exits *e, pid_t process)
{
	int fd = e->heard || e->n_held == PIDFDS_MAX ? -1 : e->sys->hold(e->sys, process);

	e->n_held += fd >= 0;
	return fd < 0 ? -1 : fd;
}

bool exits_query_pidfd(struct exits *e, int held, int *how)
{
	return !e->sys->ask(e->sys, held, how);
}

void exits_close_pidfd(struct exits *e, int held)
{
	e->sys->close(e->sys, held);
	e->n_held--;
}

void exits_close(struct exits *e)
{
	if (!e)
		return;
	if (e->fd >= 0)
		e->sys->close(e->sys, e->fd);
	free(e->end);
	free(e);
}

/* ---- descendants ---- */

/* If this many ended processes are kept, the oldest of those that were dropped are freed. */
#define ENDED_MAX 65536

struct descendant_list {
	struct lives *lives;
	struct exits *heard; /* source of exit statuses; NULL: none */
	bool expects;        /* the caller passes exit statuses to this module */
	pid_t *born;         /* pids of new processes, for open_pidfds() */
	size_t n_born, cap_born;
	struct descendant *command;  /* owned */
	uint64_t began_ns, ended_ns; /* of the command */
	bool first_ended;            /* the first task of the command has ended */
	bool any;                    /* the command has created a process */
	/* exits of threads of all processes in the list, without the first task of the command */
	uint64_t exits;
	struct hash descendant; /* struct descendant by pid, the latest with that pid */
	/* [n_lives] records not processed yet, as older ones may come */
	struct life *life;
	size_t n_lives, cap_lives;
	struct descendant **ended; /* owned; oldest first */
	size_t n_ended, cap_ended;
	size_t passed;                /* number of dropped elements of ended[], from the start */
	struct descendant **reported; /* [n_reported] exit status became known at the last read */
	size_t n_reported, cap_reported;
};

void descendants_set_exits(struct descendant_list *f, struct exits *exits)
{
	exits_close(f->heard);
	f->heard = exits;
}

static void close_pidfd(struct descendant_list *f, struct descendant *descendant)
{
	if (descendant->held >= 0)
		exits_close_pidfd(f->heard, descendant->held);
	descendant->held = -1;
}

static void free_descendant(struct descendant_list *f, struct descendant *descendant)
{
	close_pidfd(f, descendant);
	free(descendant->count);
	free(descendant->shown);
	free(descendant);
}

struct descendant *descendants_find(const struct descendant_list *f, pid_t process)
{
	return hash_get(&f->descendant, (uint64_t)process);
}

const char *descendants_name(const struct descendant_list *f, pid_t process)
{
	const struct descendant *descendant = descendants_find(f, process);

	return descendant ? descendant->name : "?";
}

const char *descendants_name_ended(struct descendant_list *f, pid_t process)
{
	struct descendant *descendant = descendants_find(f, process);

	if (!descendant)
		return "?";
	return descendant->n_named++ < descendant->exits_before ? descendant->name_before
								: descendant->name;
}

/* Adds a process. If a living process has its pid, the record of that process's end was lost: frees
 * it. */
static struct descendant *add_descendant(struct descendant_list *f, pid_t process)
{
	struct descendant *descendant = xcalloc(1, sizeof *descendant),
			  *old = descendants_find(f, process);

	if (old && old->state != DESCENDANT_ENDED && old != f->command)
		free_descendant(f, old);
	descendant->process = process;
	descendant->held = -1;
	snprintf(descendant->name, sizeof descendant->name, "?");
	hash_put(&f->descendant, (uint64_t)process, descendant);
	return descendant;
}

/* Initializes a process, which has one task at its start. */
static void start(struct descendant *descendant, pid_t creator_pid, uint64_t time_ns)
{
	descendant->state = DESCENDANT_ALIVE;
	descendant->creator_pid = creator_pid;
	descendant->began_ns = time_ns;
	descendant->tasks = descendant->begun = 1;
}

struct descendant_list *descendants_open(struct perf_sys *sys, int n_cpus, pid_t command)
{
	struct descendant_list *f;
	struct lives *lives;

	if (!sys->map || lives_open(&lives, sys, n_cpus, command))
		return NULL;
	f = xcalloc(1, sizeof *f);
	f->lives = lives;
	f->began_ns = clock_ns(CLOCK_BOOTTIME);
	f->command = add_descendant(f, command);
	start(f->command, 0, f->began_ns);
	return f;
}

static bool is_thread(const struct life *life)
{
	return life->process == life->creator_pid;
}

/* Counts a new thread. If the record of another thread's start was lost, the process may seem to
 * have ended already: it then stays ended. */
static void begin_thread(struct descendant_list *f, const struct life *life)
{
	struct descendant *descendant = descendants_find(f, life->process);

	if (!descendant || descendant->state != DESCENDANT_ALIVE)
		return;
	descendant->tasks++;
	descendant->begun++;
}

static void begin(struct descendant_list *f, const struct life *life)
{
	struct descendant *descendant;

	if (is_thread(life)) {
		begin_thread(f, life);
		return;
	}
	f->any = true;
	descendant = add_descendant(f, life->process);
	start(descendant, life->creator_pid, life->time_ns);
	snprintf(descendant->name, sizeof descendant->name, "%s",
		 descendants_name(f, life->creator_pid));
	if (!f->heard)
		return;
	f->born = xgrow(f->born, &f->cap_born, f->n_born + 1, sizeof *f->born);
	f->born[f->n_born++] = life->process;
}

static void forget_oldest(struct descendant_list *f)
{
	const size_t n = ENDED_MAX / 2 < f->passed ? ENDED_MAX / 2 : f->passed;

	for (size_t i = 0; i < n; i++) {
		struct descendant *descendant = f->ended[i];

		if (descendants_find(f, descendant->process) == descendant)
			hash_remove(&f->descendant, (uint64_t)descendant->process);
		free_descendant(f, descendant);
	}
	f->n_ended -= n;
	f->passed -= n;
	memmove(f->ended, f->ended + n, f->n_ended * sizeof *f->ended);
}

/* Ends a process, as its last task has ended. */
static void end_process(struct descendant_list *f, struct descendant *descendant, uint64_t time_ns)
{
	descendant->state = DESCENDANT_ENDED;
	descendant->ended_ns = time_ns;
	if (descendant == f->command)
		return;
	if (f->n_ended >= ENDED_MAX)
		forget_oldest(f);
	f->ended = xgrow(f->ended, &f->cap_ended, f->n_ended + 1, sizeof *f->ended);
	f->ended[f->n_ended++] = descendant;
}

/* Returns whether the record is the end of the task on which the counters were opened, which has no
 * final counts. It is the first end with the ID of the command: later ends with this ID are of
 * threads that got it by executing a program. */
static bool ends_first_task(struct descendant_list *f, const struct descendant *descendant,
			    const struct life *life)
{
	const bool first =
		descendant == f->command && life->task == life->process && !f->first_ended;

	f->first_ended |= first;
	return first;
}

static void end(struct descendant_list *f, const struct life *life)
{
	struct descendant *descendant = descendants_find(f, life->process);

	if (!descendant)
		return;
	if (descendant == f->command)
		f->ended_ns = life->time_ns;
	if (!ends_first_task(f, descendant, life)) {
		descendant->exits++;
		f->exits++;
	}
	if (descendant->state == DESCENDANT_ALIVE && !--descendant->tasks)
		end_process(f, descendant, life->time_ns);
}

static void set_name(struct descendant_list *f, const struct life *life)
{
	struct descendant *descendant = descendants_find(f, life->process);

	/* The start of this process was lost, so only its name is known; an ended process may have
	 * had the same pid. */
	if (!descendant || descendant->state == DESCENDANT_ENDED)
		descendant = add_descendant(f, life->process);
	if (life->executes && descendant->exits) {
		descendant->exits_before = descendant->exits;
		memcpy(descendant->name_before, descendant->name, sizeof descendant->name);
	}
	snprintf(descendant->name, sizeof descendant->name, "%s", life->name);
	text_sanitize(descendant->name, '?');
}

static void set_status(struct descendant_list *f, struct descendant *descendant, int how)
{
	descendant->how_known = true;
	descendant->how = how;
	f->reported = xgrow(f->reported, &f->cap_reported, f->n_reported + 1, sizeof *f->reported);
	f->reported[f->n_reported++] = descendant;
}

void descendants_expect_statuses(struct descendant_list *f)
{
	f->expects = true;
}

void descendants_set_status(struct descendant_list *f, pid_t process, int how)
{
	struct descendant *descendant = descendants_find(f, process);

	if (descendant && descendant != f->command && !descendant->how_known)
		set_status(f, descendant, how);
}

bool descendants_add_counts(struct descendant_list *f, pid_t process, const struct count *count,
			    int n, uint64_t members, uint32_t reported)
{
	struct descendant *descendant = descendants_find(f, process);

	if (!descendant)
		return false;
	if (!descendant->count)
		descendant->count = xcalloc((size_t)n, sizeof *descendant->count);
	descendant->reported += reported;
	descendant->members |= members;
	count_add_members(descendant->count, count, n, members);
	return true;
}

/* Processes the reported exit statuses of tasks, whose ends were processed before. A thread that
 * ends by itself has status 0. It may be the last thread to end, after another thread has ended the
 * process with another status: so that status is kept. */
static void read_statuses(struct descendant_list *f)
{
	struct exits_end end;

	while (exits_next(f->heard, &end)) {
		struct descendant *descendant = descendants_find(f, end.process);

		if (!descendant || descendant == f->command || descendant->how_known)
			continue;
		descendant->heard++;
		if (end.how)
			descendant->how = end.how;
		if (descendant->state == DESCENDANT_ENDED && descendant->heard >= descendant->exits)
			set_status(f, descendant, descendant->how);
	}
}

/* Opens pidfds of the new processes, in case no exit statuses are reported. */
static void open_pidfds(struct descendant_list *f)
{
	for (size_t i = 0; i < f->n_born; i++) {
		struct descendant *descendant = descendants_find(f, f->born[i]);

		if (!descendant || descendant->state != DESCENDANT_ALIVE || descendant->held >= 0)
			continue;
		descendant->held = exits_open_pidfd(f->heard, descendant->process);
		descendant->held_ns = clock_ns(CLOCK_BOOTTIME);
	}
	f->n_born = 0;
}

/* Queries the status of ended processes by pidfd. If a process ended before its pidfd was opened,
 * the pidfd may be that of another process with the same pid. */
static void query_pidfds(struct descendant_list *f)
{
	for (size_t i = f->passed; i < f->n_ended; i++) {
		struct descendant *descendant = f->ended[i];
		int how;

		if (descendant->held >= 0 && !descendant->how_known &&
		    descendant->ended_ns > descendant->held_ns &&
		    exits_query_pidfd(f->heard, descendant->held, &how))
			set_status(f, descendant, how);
	}
}

/* Orders records by time. If a coarse clock gave several records the same time, starts of processes
 * come first, then starts of threads, then names, then ends. */
static int compare_times(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return x->what == LIVES_BEGIN ? is_thread(x) - is_thread(y) : 0;
}

int descendants_fd(const struct descendant_list *f)
{
	return f->heard ? exits_fd(f->heard) : -1;
}

size_t descendants_poll(struct descendant_list *f)
{
	return f->heard ? exits_read(f->heard) : 0;
}

void descendants_read(struct descendant_list *f)
{
	static void (*const take[])(struct descendant_list *, const struct life *) = {
		[LIVES_BEGIN] = begin, [LIVES_END] = end, [LIVES_NAME] = set_name};
	struct life life;
	uint64_t now;
	size_t n = 0;

	f->n_reported = 0;
	/* Exit statuses are read first: when a status has arrived, the end of its task is in a ring
	 * already. */
	descendants_poll(f);
	/* All records from before `now` are read below. Later records may be incomplete: the rings
	 * are read CPU by CPU, and an older record may be written to a ring after that was read. */
	now = clock_ns(CLOCK_BOOTTIME);
	while (lives_next(f->lives, &life)) {
		f->life = xgrow(f->life, &f->cap_lives, f->n_lives + 1, sizeof *f->life);
		f->life[f->n_lives++] = life;
	}
	array_sort(f->life, f->n_lives, sizeof *f->life, compare_times);
	for (; n < f->n_lives && f->life[n].time_ns < now; n++)
		take[f->life[n].what](f, &f->life[n]);
	f->n_lives -= n;
	if (f->n_lives)
		memmove(f->life, f->life + n, f->n_lives * sizeof *f->life);
	if (!f->heard)
		return;
	read_statuses(f);
	query_pidfds(f);
	open_pidfds(f);
}

const struct descendant *descendants_nth_with_status(const struct descendant_list *f, size_t i)
{
	return i < f->n_reported ? f->reported[i] : NULL;
}

uint64_t descendants_command_began_ns(const struct descendant_list *f)
{
	return f->began_ns;
}

uint64_t descendants_command_ended_ns(const struct descendant_list *f)
{
	return f->ended_ns;
}

bool descendants_get_statuses(const struct descendant_list *f)
{
	return f->expects || (f->heard && exits_have_arrived(f->heard));
}

bool descendants_have_any(const struct descendant_list *f)
{
	return f->any;
}

bool descendants_command_has_threads(const struct descendant_list *f)
{
	return f->command->begun > 1;
}

bool descendants_have(const struct descendant_list *f, const struct task *t)
{
	const struct descendant *descendant = descendants_find(f, (pid_t)t->owner);

	return descendant && descendant != f->command &&
	       (descendant->state != DESCENDANT_ENDED || t->start_ns <= descendant->ended_ns);
}

struct descendant *descendants_first_ended(const struct descendant_list *f)
{
	return f->passed < f->n_ended ? f->ended[f->passed] : NULL;
}

void descendants_drop_first_ended(struct descendant_list *f)
{
	close_pidfd(f, f->ended[f->passed++]);
}

struct descendant *descendants_nth_ended(const struct descendant_list *f, size_t i)
{
	return i < f->n_ended - f->passed ? f->ended[f->passed + i] : NULL;
}

uint64_t descendants_thread_exits(const struct descendant_list *f)
{
	return f->exits;
}

uint64_t descendants_lost_records(struct descendant_list *f)
{
	const struct ring_losses losses = lives_losses(f->lives);

	return losses.records + losses.damages;
}

void descendants_free(struct descendant_list *f)
{
	size_t at = 0;
	struct descendant *descendant;

	if (!f)
		return;
	while ((descendant = hash_next(&f->descendant, &at)))
		if (descendant->state != DESCENDANT_ENDED && descendant != f->command)
			free_descendant(f, descendant);
	free_descendant(f, f->command);
	for (size_t i = 0; i < f->n_ended; i++)
		free_descendant(f, f->ended[i]);
	hash_done(&f->descendant);
	lives_close(f->lives);
	exits_close(f->heard);
	free(f->born);
	free(f->life);
	free(f->ended);
	free(f->reported);
	free(f);
}
