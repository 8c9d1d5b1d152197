/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage COMMAND... - runs a command, discards its standard output, and prints the resources that it
 * used, in lines of a name and a number:
 *
 *   cpu_us     its CPU time, user and system
 *   peak_kib   its largest resident memory
 *
 * Exit status: that of the command; 1 if it was killed or could not be run.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double us_of(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static _Noreturn void run(char **command)
{
	int fd = open("/dev/null", O_WRONLY);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || execvp(command[0], command))
		fprintf(stderr, "usage: cannot run '%s': %s\n", command[0], strerror(errno));
	_exit(1);
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: usage COMMAND...\n", stderr);
		return 2;
	}
	pid = fork();
	if (!pid)
		run(argv + 1);
	if (pid < 0 || wait4(pid, &status, 0, &used) < 0) {
		perror("usage");
		return 1;
	}
	printf("cpu_us %.0f\n", us_of(used.ru_utime) + us_of(used.ru_stime));
	printf("peak_kib %ld\n", used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
