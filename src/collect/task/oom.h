/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oom - the number of processes that the kernel has killed on the whole machine for lack of memory.
 * Only the kernel log has their names.
 */
#ifndef COLLECT_TASK_OOM_H
#define COLLECT_TASK_OOM_H

#include <stdint.h>

/* Reads the number since boot from /proc/vmstat. Returns 0; or -errno if it is unknown: Linux
 * before 4.13 does not count it. */
int oom_read_kills(uint64_t *n);
/* Parses the text of /proc/vmstat. Returns 0; -ENODATA if it has no line oom_kill. */
int oom_parse_kills(const char *text, uint64_t *n);

#endif
