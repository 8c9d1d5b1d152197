/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * oom - how many processes of the whole machine the kernel has killed for want of memory. Whom,
 * only its log says.
 */
#ifndef COLLECT_TASK_OOM_H
#define COLLECT_TASK_OOM_H

#include <stdint.h>

/* By /proc/vmstat, since the machine began. -errno: that is not known; Linux before 4.13 does not
 * tell. */
int oom_read_kills(uint64_t *n);
/* The same by the text of that file. */
int oom_parse_kills(const char *text, uint64_t *n);

#endif
