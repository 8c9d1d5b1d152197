/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_sysfs - the sysfs files of a made-up machine, in a temporary folder below $TMPDIR.
 */
#ifndef TESTS_FAKE_SYSFS_H
#define TESTS_FAKE_SYSFS_H

#include <stddef.h>

#include "pmu/event/sysfs.h"

/* path: relative to the folder ("devices/cpu/type", "cpus/cpu0/cpu_capacity",
 * "tracing/events/..."). The contents follow. */
struct fake_file {
	const char *path, *text;
};

struct fake_sysfs {
	struct event_host host; /* its folders: devices, cpus, tracing and debug; and tracepoints */
	char *root;
};

void fake_sysfs_make(struct fake_sysfs *f, const struct fake_file *file, size_t n);
/* Adds a file, or replaces the contents of an existing one. */
void fake_sysfs_add(struct fake_sysfs *f, const struct fake_file *file);
void fake_sysfs_remove(struct fake_sysfs *f);

#endif
