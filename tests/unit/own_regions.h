/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_regions - a test that measures its own regions: the library reads the environment before
 * main(), so the program executes itself again with it set. The report, JSON, goes to
 * TIPTOP_REPORT.
 */
#ifndef TESTS_OWN_REGIONS_H
#define TESTS_OWN_REGIONS_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns whether this is the second run. In the first run, sets *status to that of the second. */
static inline bool own_regions_begin(char **argv, const char *events, int *status)
{
	char report[] = "own-regions-XXXXXX";
	pid_t pid;

	if (getenv("TIPTOP_REGIONS"))
		return true;
	close(mkstemp(report));
	unsetenv("XDG_RUNTIME_DIR");
	setenv("TIPTOP_REGIONS", events, 1);
	setenv("TIPTOP_REPORT", report, 1);
	setenv("TIPTOP_FORMAT", "json", 1);
	pid = fork();
	if (!pid) {
		execv("/proc/self/exe", argv);
		_exit(1);
	}
	waitpid(pid, status, 0);
	unlink(report);
	return false;
}

#endif
