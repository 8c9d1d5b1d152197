/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * container - in which container a task is, by the path of its control group: engines give each
 * container a group of its own, whose name says which one it is. Pure.
 */
#ifndef COLLECT_TASK_CONTAINER_H
#define COLLECT_TASK_CONTAINER_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends the container: "docker:0123456789ab", as the engine itself shortens numbers, or
 * "lxc:name". Of containers within each other it is the outermost one, which this machine has
 * started. False, and nothing appended: the path is in no container. */
bool container_of_cgroup(const char *path, struct strbuf *out);

#endif
