/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_exits - the exit statuses of all processes of the machine, with any parent.
 *
 * The kernel's process connector (linux/cn_proc.h) reports them from Linux 6.6 on, to listeners in
 * the initial pid, user and network namespaces only. Otherwise no reports come, and there is no
 * error. Reports that are not taken in time are lost. So a status is known only if its report
 * arrived.
 *
 * If no reports arrive, a pidfd that was opened while the process lived returns its status after
 * its parent has waited for it (Linux 6.15 and later). The number of pidfds is limited.
 */
#ifndef COLLECT_COMMAND_PROCESS_EXITS_H
#define COLLECT_COMMAND_PROCESS_EXITS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct exits;

/* Maximum number of messages that one call receives. */
#define EXITS_AT_ONCE 64

struct exits_message {
	size_t size; /* 0: not from the kernel */
	char body[256];
};

/* The interface of the kernel, or of a test, which finds its state through `self`. Functions return
 * -errno on failure. */
struct exits_sys {
	int (*listen)(struct exits_sys *self);
	/* Takes the next messages without waiting. Returns how many, at most EXITS_AT_ONCE; fewer
	 * if no more wait. */
	int (*receive)(struct exits_sys *self, int fd, struct exits_message *out);
	/* hold() returns a pidfd. ask() sets *how to the exit status of its process and returns 0,
	 * or returns -errno while the status is unknown. */
	int (*hold)(struct exits_sys *self, pid_t process);
	int (*ask)(struct exits_sys *self, int fd, int *how);
	void (*close)(struct exits_sys *self, int fd);
};

struct exits_sys exits_kernel(void);

/* The end of a task. The status of a process follows from the reports of all its tasks. */
struct exits_end {
	pid_t process, task;
	int how; /* exit status, as of wait(2) */
};

/* Opens the connector. sys must outlive the result. */
struct exits *exits_open(struct exits_sys *sys);
/* Returns a descriptor that is readable while reports wait; -1: the kernel refused, or tiptop is
 * not in the initial pid namespace. */
int exits_fd(const struct exits *e);
/* Takes the reports that wait. Returns how many exits_next() will return. */
size_t exits_read(struct exits *e);
/* Returns the oldest report in *out; false: none. */
bool exits_next(struct exits *e, struct exits_end *out);
/* Returns whether any report has arrived: then later reports will arrive, too, unless they get
 * lost. */
bool exits_have_arrived(const struct exits *e);
/* Opens a pidfd of a living process. Returns its handle; -1: not possible, or not needed as reports
 * arrive. */
int exits_open_pidfd(struct exits *e, pid_t process);
/* Sets *how to the exit status of the process of a handle. Returns false if it is unknown so
 * far. */
bool exits_query_pidfd(struct exits *e, int held, int *how);
void exits_close_pidfd(struct exits *e, int held);
/* Closes the connector; handles must have been closed. NULL is fine. */
void exits_close(struct exits *e);

#endif
