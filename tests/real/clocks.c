/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clocks FILE COMMAND [ARGUMENT]... - traces a command and all descendants by ptrace(2), and writes
 * for each thread that ends and is not the first one of its process: its number, and the three
 * numbers of its schedstat (ns on a CPU and without one, and how often it got one), on a line.
 *
 * A thread that is stopped does not run, so these are complete up to its exit. The exit status is
 * the command's, as in a shell.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS                                                                                    \
	(PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |     \
	 PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL)

/* Reads numbers from the first line of a thread's file in /proc that has the format. Returns how
 * many there are. */
static int read_numbers(pid_t tid, const char *file, const char *format, unsigned long long n[3])
{
	char path[64], line[256];
	int found = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)tid, file);
	f = fopen(path, "re");
	while (f && found <= 0 && fgets(line, sizeof line, f))
		found = sscanf(line, format, &n[0], &n[1], &n[2]);
	if (f)
		fclose(f);
	return found;
}

static void write_thread(FILE *to, pid_t tid)
{
	unsigned long long n[3] = {0};

	if (read_numbers(tid, "status", "Tgid: %llu", n) == 1 && n[0] != (unsigned long long)tid &&
	    read_numbers(tid, "schedstat", "%llu %llu %llu", n) == 3)
		fprintf(to, "%d %llu %llu %llu\n", (int)tid, n[0], n[1], n[2]);
}

/* Lets a stopped thread go on, with the signal that it has stopped for. */
static void go_on(FILE *to, pid_t tid, int status)
{
	const int event = status >> 16, signal = WSTOPSIG(status);

	if (event == PTRACE_EVENT_EXIT)
		write_thread(to, tid);
	if (event == PTRACE_EVENT_STOP &&
	    (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU))
		ptrace(PTRACE_LISTEN, tid, 0, 0);
	else
		ptrace(PTRACE_CONT, tid, 0, event ? 0 : signal);
}

int main(int argc, char **argv)
{
	int status = 0, last = 0, go[2];
	pid_t first, tid;
	FILE *to;
	char c;

	if (argc < 3 || !(to = fopen(argv[1], "we")) || pipe(go))
		return 2;
	first = fork();
	if (first == 0) {
		close(go[1]);
		if (read(go[0], &c, 1) == 1)
			execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (ptrace(PTRACE_SEIZE, first, 0, OPTIONS)) {
		perror("clocks: ptrace");
		kill(first, SIGKILL);
		return 77;
	}
	if (write(go[1], "", 1) != 1)
		return 2;
	close(go[0]);
	close(go[1]);
	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR)
		if (tid > 0 && WIFSTOPPED(status))
			go_on(to, tid, status);
		else if (tid == first)
			last = status;
	fclose(to);
	return WIFEXITED(last) ? WEXITSTATUS(last) : 128 + WTERMSIG(last);
}
