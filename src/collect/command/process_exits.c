/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/process_exits.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"

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
 * such a kernel ignores it. */
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

/* Enlarges the receive buffer as far as possible: memory is used only while messages wait. */
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
	 * are no more, so another call would be wasted. */
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
