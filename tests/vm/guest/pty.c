/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pty - a terminal without a screen.
 *
 *   pty COLUMNS LINES PROGRAM [ARGUMENT...]
 *
 * Runs the program on a terminal of this size. What comes on standard input are its keys; what it
 * prints goes to standard output. Exit status: the program's, or 125 if it was ended by a signal.
 */
#include <err.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* False at the end of the input. */
static int copy(int from, int to)
{
	char buf[4096];
	ssize_t n = read(from, buf, sizeof buf);

	if (n > 0 && write(to, buf, (size_t)n) != n)
		err(125, "write");
	return n > 0;
}

int main(int argc, char **argv)
{
	struct winsize size = {0};
	struct pollfd fds[2] = {{.events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
	int status;
	pid_t pid;

	if (argc < 4)
		errx(125, "usage: pty COLUMNS LINES PROGRAM [ARGUMENT...]");
	size.ws_col = (unsigned short)atoi(argv[1]);
	size.ws_row = (unsigned short)atoi(argv[2]);
	pid = forkpty(&fds[0].fd, NULL, NULL, &size);
	if (pid < 0)
		err(125, "forkpty");
	if (!pid) {
		execvp(argv[3], argv + 3);
		err(127, "%s", argv[3]);
	}
	/* When the program has ended, its side of the terminal gives an error. */
	for (;;) {
		if (poll(fds, 2, -1) < 0)
			err(125, "poll");
		if (fds[1].revents && !copy(STDIN_FILENO, fds[0].fd))
			fds[1].fd = -1;
		if (fds[0].revents && !copy(fds[0].fd, STDOUT_FILENO))
			break;
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
