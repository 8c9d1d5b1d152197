/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backend - the running machine that is measured, or the recording of --replay, with its source of
 * samples; and questions that depend on it: which events and screens apply, and which users and
 * processes exist. Names in a recording are never looked up on the running machine.
 *
 * backend_open.h makes it.
 */
#ifndef SESSION_BACKEND_H
#define SESSION_BACKEND_H

#include "collect/source.h"
#include "collect/task/proc.h"
#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"
#include "record/reader.h"
#include "run/table_folder.h"
#include "screen/bind/offer.h"
#include "session/configuration.h"

struct backend {
	struct machine machine;
	struct perf_kernel kernel;
	struct proc *proc;
	struct source *source;
	struct record_reader *recording; /* the recording of --replay; NULL: samples come from the
					    running machine */
	struct cpu_list cpus;            /* the CPUs of --cpus */
	int cgroup_fd;                   /* descriptor of the group of --cgroup; -1: none */
	struct table_folder tables;      /* where the followed command writes tables */
	pid_t command;                   /* pid of the command to follow; 0: none */
	/* The command's descendants, once it runs; NULL: unknown. Borrowed. */
	const struct filter_family *family;
	struct fact_set facts; /* facts that were last requested from the source */
	bool more_facts;       /* `facts` has some that the source had not read before */
	bool counts_others;    /* tasks of other users can be counted */
	struct err hardware;   /* why there are no hardware counters; code 0: there are */
};

/* Returns whether the screen is for this kind of rows. */
bool backend_is_for_rows(const struct configuration *config, const struct backend *backend,
			 const struct screen *screen);
/* With --for-cpu, replaces the machine by one with that CPU; call it before screens are made.
 * -EINVAL: unknown CPU. */
int backend_use_for_cpu(const struct configuration *config, struct backend *backend,
			struct err *err);
/* Returns the events on offer (screen/bind/offer.h), of the running machine or of the recording.
 * kernel: they are counted in kernel mode, too. */
struct offer backend_offer(const struct configuration *config, struct backend *backend,
			   bool kernel);
/* Returns the offer that decides which screens are for the CPU. With --replay, too, it has the
 * events of the event tables, not only those that were recorded. */
struct offer backend_cpu_offer(const struct configuration *config, struct backend *backend);
/* Returns the index of the default screen: the one of the command of tiptop, or the first. Without
 * hardware counters, that is the first screen that needs none. */
size_t backend_default_screen(const struct configuration *config, const struct backend *backend);
/* Returns the index of the screen of -S, or of the default screen; below 0: there is no such
 * screen. */
int backend_asked_screen(const struct configuration *config, const struct backend *backend);
/* Finds a user id by name or number. Returns 0, -EINVAL if there is no such user, or -ERANGE if the
 * number is too large. */
int backend_find_user(const struct backend *backend, const char *text, long *uid, struct err *err);
/* Returns the login name of the user uid; a copy of text if uid has no login name, or with
 * --replay. The caller frees it. */
char *backend_user_name(const struct backend *backend, long uid, const char *text);
/* Returns the process of the thread pid; pid itself if there is no such thread, or with
 * --replay. */
int backend_process_of(const struct backend *backend, int pid);

#endif
