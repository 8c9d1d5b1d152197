/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal - runs a command in a new pseudo terminal, as the leader of its session, as in xterm -e
 * or a container; and does one step for each argument, in order. Only the steps that say so read
 * from the terminal.
 *
 *   terminal STEP... -- command [argument]...
 *
 *   show=TEXT    reads until the text appears
 *   type=TEXT    types it; ^X stands for Ctrl-X
 *   size=CxR     sets the size to C columns and R rows
 *   fill         makes the command paint, by changing sizes, until the terminal takes no more
 *   signal=N     sends a signal
 *   end          waits for the command's end without reading, and prints "exit N" or "signal N"
 *   modes        prints "modes same" if the terminal's modes are as before
 *   rest=TEXT    reads the rest, and prints whether it has the text
 *   copy=FILE    from here on, copies everything read to the file
 *
 * Each step that checks something prints one line. None waits longer than 20 seconds; then it
 * prints "no".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define TRIES   400 /* of LOOK_MS */
#define LOOK_MS 50

static struct {
	int master, slave;
	pid_t pid;
	struct termios before;
	char seen[1 << 16];
	size_t n_seen;
	FILE *copy; /* NULL: none */
} t;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "terminal: %s: %s\n", what, strerror(errno));
	exit(99);
}

static void set_size(unsigned short columns, unsigned short rows)
{
	const struct winsize size = {.ws_col = columns, .ws_row = rows};

	if (ioctl(t.master, TIOCSWINSZ, &size))
		die("TIOCSWINSZ");
}

static void start(char **argv)
{
	t.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (t.master < 0 || grantpt(t.master) || unlockpt(t.master))
		die("a terminal");
	t.slave = open(ptsname(t.master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (t.slave < 0 || tcgetattr(t.slave, &t.before))
		die("its other end");
	set_size(100, 30);
	t.pid = fork();
	if (t.pid < 0)
		die("fork");
	if (t.pid)
		return;
	if (setsid() < 0 || ioctl(t.slave, TIOCSCTTY, 0))
		die("a session");
	for (int fd = 0; fd <= 2; fd++)
		dup2(t.slave, fd);
	/* A shell ignores the first two in what it starts in the background, nohup the third. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	execvp(argv[0], argv);
	die(argv[0]);
}

/* Reads once if there is something to read within this many ms. */
static bool read_some(int ms)
{
	struct pollfd fd = {.fd = t.master, .events = POLLIN};
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0 || !(fd.revents & POLLIN))
		return false;
	if (t.n_seen > sizeof t.seen / 2) {
		t.n_seen -= sizeof t.seen / 4;
		memmove(t.seen, t.seen + sizeof t.seen / 4, t.n_seen);
	}
	n = read(t.master, t.seen + t.n_seen, sizeof t.seen - t.n_seen);
	if (n > 0 && t.copy)
		fwrite(t.seen + t.n_seen, 1, (size_t)n, t.copy);
	t.n_seen += n > 0 ? (size_t)n : 0;
	return n > 0;
}

static bool seen(const char *text)
{
	return memmem(t.seen, t.n_seen, text, strlen(text));
}

/* Waits for a text on the screen; text that was seen before does not count. */
static void show(const char *text)
{
	t.n_seen = 0;
	for (int i = 0; i < TRIES && !seen(text); i++)
		while (read_some(LOOK_MS) && !seen(text))
			;
	printf("show %s: %s\n", text, seen(text) ? "yes" : "no");
}

static void type(const char *text)
{
	for (; *text; text++) {
		char key = *text == '^' ? (char)(*++text & 0x1f) : *text;

		if (write(t.master, &key, 1) != 1)
			die("type");
	}
}

/* Full: at twenty looks in a row, each after a new size, nothing has come. */
static void fill(void)
{
	int before = -1, now, same = 0;

	for (int i = 0; i < TRIES && same < 20; i++) {
		set_size((unsigned short)(150 + i % 2), 50);
		usleep(LOOK_MS * 1000);
		if (ioctl(t.master, FIONREAD, &now))
			die("FIONREAD");
		same = now == before ? same + 1 : 0;
		before = now;
	}
	printf("full: %s\n", same == 20 ? "yes" : "no");
}

static void end(void)
{
	int status;

	for (int i = 0; i < TRIES; i++) {
		if (waitpid(t.pid, &status, WNOHANG) == t.pid) {
			t.pid = 0;
			if (WIFEXITED(status))
				printf("exit %d\n", WEXITSTATUS(status));
			else
				printf("signal %d\n", WTERMSIG(status));
			return;
		}
		usleep(LOOK_MS * 1000);
	}
	printf("end: no\n");
}

static void modes(void)
{
	struct termios now;

	if (tcgetattr(t.slave, &now))
		die("modes");
	printf("modes %s\n", now.c_iflag == t.before.c_iflag && now.c_oflag == t.before.c_oflag &&
					     now.c_lflag == t.before.c_lflag &&
					     !memcmp(now.c_cc, t.before.c_cc, sizeof now.c_cc)
				     ? "same"
				     : "differ");
}

static void rest(const char *text)
{
	t.n_seen = 0;
	while (read_some(LOOK_MS))
		;
	printf("rest %s: %s\n", text, seen(text) ? "yes" : "no");
}

static void do_step(const char *step)
{
	const char *text = strchr(step, '=') ? strchr(step, '=') + 1 : "";

	if (!strncmp(step, "show=", 5))
		show(text);
	else if (!strncmp(step, "type=", 5))
		type(text);
	else if (!strncmp(step, "size=", 5))
		set_size((unsigned short)strtol(text, NULL, 10),
			 (unsigned short)strtol(strchr(text, 'x') + 1, NULL, 10));
	else if (!strcmp(step, "fill"))
		fill();
	else if (!strncmp(step, "signal=", 7))
		kill(t.pid, (int)strtol(text, NULL, 10));
	else if (!strcmp(step, "end"))
		end();
	else if (!strcmp(step, "modes"))
		modes();
	else if (!strncmp(step, "rest=", 5))
		rest(text);
	else if (!strncmp(step, "copy=", 5))
		t.copy = fopen(text, "we");
	else
		die(step);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int command = 1;

	while (command < argc && strcmp(argv[command], "--"))
		command++;
	if (command + 1 >= argc)
		die("no command");
	start(argv + command + 1);
	for (int i = 1; i < command; i++)
		do_step(argv[i]);
	if (t.pid)
		kill(t.pid, SIGKILL);
	if (t.copy && fclose(t.copy))
		die("copy");
	return 0;
}
