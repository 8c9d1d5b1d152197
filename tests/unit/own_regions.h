/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own_regions - for tests that measure their own regions. The library reads the environment before
 * main(), so the program executes itself again with the environment set. The report, in JSON, is
 * written to the file $TIPTOP_REPORT.
 */
#ifndef TESTS_OWN_REGIONS_H
#define TESTS_OWN_REGIONS_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns true in the second run. In the first run, executes the second one, sets *status to its
 * exit status, and returns false. */
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

/* In the first run, executes the second one in its place, whose regions count page faults; the
 * report is not kept. Returns 1 if that fails. */
static inline int own_regions_execute(char **argv)
{
	setenv("TIPTOP_REGIONS", "page-faults", 1);
	setenv("TIPTOP_REPORT", "/dev/null", 1);
	execv("/proc/self/exe", argv);
	return 1;
}

#endif
