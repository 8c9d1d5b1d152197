/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_exits - how processes of the machine end, whoever their parents are.
 *
 * The kernel's process connector (linux/cn_proc.h) tells it of all, however short they lived. Linux
 * tells it from 6.6 on, and only who is in the first namespaces of processes, users and the
 * network. Elsewhere nothing comes, and nothing says so. Where more comes than is taken, the rest
 * is lost. So only what was heard is known.
 *
 * Where nothing was heard, a process that lives can be held by a pidfd, which tells it (from Linux
 * 6.15 on) once its parent has waited for it. There are only so many.
 */
#ifndef COLLECT_COMMAND_PROCESS_EXITS_H
#define COLLECT_COMMAND_PROCESS_EXITS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct exits;

/* So many messages are taken at once. */
#define EXITS_AT_ONCE 64

struct exits_message {
	size_t size; /* 0: it is not of the kernel */
	char body[256];
};

/* The kernel, or that of a test, which finds its state through `self`; returns are -errno on
 * failure. */
struct exits_sys {
	int (*listen)(struct exits_sys *self);
	/* Takes the next messages, without waiting: returns how many, up to EXITS_AT_ONCE; fewer
	 * where no more have come. */
	int (*receive)(struct exits_sys *self, int fd, struct exits_message *out);
	/* A pidfd; and what it tells: 0, or -errno while it tells nothing. */
	int (*hold)(struct exits_sys *self, pid_t process);
	int (*ask)(struct exits_sys *self, int fd, int *how);
	void (*close)(struct exits_sys *self, int fd);
};

struct exits_sys exits_kernel(void);

/* The end of a task. How a process ended is told by those of all of its tasks. */
struct exits_end {
	pid_t process, task;
	int how; /* as wait(2) has it */
};

/* The seam must outlive it. */
struct exits *exits_open(struct exits_sys *sys);
/* Readable while there is something to take; -1: the kernel refuses to tell. */
int exits_fd(const struct exits *e);
/* Takes what has come. Returns how many wait to be asked for. */
size_t exits_read(struct exits *e);
/* The oldest of them. False: there is none. */
bool exits_next(struct exits *e, struct exits_end *out);
/* Whether anything was heard so far: then all that follows will be, but what is lost. */
bool exits_have_arrived(const struct exits *e);
/* Holds a process that lives. -1: it cannot, or need not be. */
int exits_open_pidfd(struct exits *e, pid_t process);
/* How the process ended that is held. False: it is not known so far. */
bool exits_query_pidfd(struct exits *e, int held, int *how);
void exits_close_pidfd(struct exits *e, int held);
/* NULL is fine; what is held was let go. */
void exits_close(struct exits *e);

#endif
