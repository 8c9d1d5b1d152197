/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exit_rig - a fake kernel that reports exits of processes by messages that the test writes.
 */
#ifndef TEST_EXIT_RIG_H
#define TEST_EXIT_RIG_H

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stdint.h>
#include <string.h>

#include "collect/command/descendants.h"

#define EXITS_FD 7
#define MESSAGES 200

struct fake_exits {
	struct exits_sys sys;
	int refused, n_open, n, at;
	int calls; /* number of calls that read messages */
	int n_held;
	bool reported; /* the held processes have been waited for */
	int how;       /* their wait status */
	struct message {
		ssize_t ret;
		char body[128];
	} message[MESSAGES];
};

static inline int fake_listen(struct exits_sys *sys)
{
	struct fake_exits *f = (struct fake_exits *)sys;

	f->n_open += !f->refused;
	return f->refused ? f->refused : EXITS_FD;
}

/* Returns the next message. A loss of messages is reported before the messages that follow it. */
static inline int fake_receive(struct exits_sys *sys, int fd, struct exits_message *out)
{
	struct fake_exits *f = (struct fake_exits *)sys;
	int n = 0;

	f->calls++;
	for (; fd == EXITS_FD && f->at < f->n && n < EXITS_AT_ONCE; f->at++, n++) {
		const struct message *m = &f->message[f->at];

		if (m->ret < 0 && n)
			return n;
		if (m->ret < 0)
			return (int)f->message[f->at++].ret;
		memcpy(out[n].body, m->body, sizeof m->body);
		out[n].size = (size_t)m->ret;
	}
	return n ? n : -EAGAIN;
}

/* The descriptor (pidfd) of a process is this plus its pid. */
#define HELD_FD 1000

static inline int fake_hold(struct exits_sys *sys, pid_t process)
{
	((struct fake_exits *)sys)->n_held++;
	return HELD_FD + process;
}

static inline int fake_ask(struct exits_sys *sys, int fd, int *how)
{
	const struct fake_exits *f = (const struct fake_exits *)sys;

	if (fd < HELD_FD || !f->reported)
		return -EAGAIN;
	*how = f->how;
	return 0;
}

static inline void fake_close_exits(struct exits_sys *sys, int fd)
{
	struct fake_exits *f = (struct fake_exits *)sys;

	f->n_open -= fd == EXITS_FD;
	f->n_held -= fd >= HELD_FD;
}

static inline struct fake_exits fake_exits(int refused)
{
	return (struct fake_exits){
		.sys = {fake_listen, fake_receive, fake_hold, fake_ask, fake_close_exits},
		.refused = refused};
}

static inline void put_exit(struct fake_exits *f, uint32_t what, int process, int task,
			    uint32_t how)
{
	struct cn_msg head = {.id = {CN_IDX_PROC, CN_VAL_PROC}};
	struct proc_event event;
	struct message *m = &f->message[f->n++];

	memset(&event, 0, sizeof event);
	event.what = what;
	event.event_data.exit.process_tgid = process;
	event.event_data.exit.process_pid = task;
	event.event_data.exit.exit_code = how;
	memcpy(m->body + sizeof(struct nlmsghdr), &head, sizeof head);
	memcpy(m->body + sizeof(struct nlmsghdr) + sizeof head, &event, sizeof event);
	m->ret = sizeof(struct nlmsghdr) + sizeof head + sizeof event;
}

#endif
