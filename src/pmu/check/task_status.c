/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/task_status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "pmu/check/privilege.h"

/* Returns the value of a field: the text after `name` ("\nNAME:") and blanks. "": there is no such
 * field. */
static const char *field(const char *status, const char *name)
{
	const char *p = strstr(status, name);

	return p ? p + strlen(name) + strspn(p + strlen(name), " \t") : "";
}

int task_status_read(int tid, struct task_status *out)
{
	char path[64], status[4096];
	const char *effective;
	ssize_t n;
	bool raised;

	snprintf(path, sizeof path, "/proc/%d/status", tid);
	raised = privilege_raise();
	n = file_read(AT_FDCWD, path, status, sizeof status);
	privilege_lower(raised);
	if (n <= 0)
		return n ? (int)n : -ESRCH;
	/* The real user id precedes the effective one. */
	effective = field(status, "\nUid:");
	effective += strcspn(effective, "\t");
	out->state = field(status, "\nState:")[0];
	out->process = (int)strtol(field(status, "\nTgid:"), NULL, 10);
	out->parent = (int)strtol(field(status, "\nPPid:"), NULL, 10);
	out->uid = strtol(effective, NULL, 10);
	out->tracer = (int)strtol(field(status, "\nTracerPid:"), NULL, 10);
	/* A zombie has no VmSize either. */
	out->kernel = out->state != 'Z' && out->state != 'X' && !*field(status, "\nVmSize:");
	return 0;
}
