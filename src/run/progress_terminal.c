/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/progress_terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tui/canvas.h"

/* How long to wait until the terminal accepts output, before the line is erased: there is no later
 * chance to erase it. */
#define ERASE_WAIT_MS 200

#define ERASE_LINE "\r\033[K"

/* The width if the terminal does not report one. */
#define USUAL_WIDTH 80

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* --- whether to write --- */

/* Returns whether tiptop is in the foreground. Also true if the terminal is not the controlling
 * terminal: it then has no foreground. */
static bool is_in_foreground(void)
{
	const pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

/* Returns whether the terminal accepts output: false while another process is writing, or while the
 * user has frozen the terminal (Ctrl-S). */
static bool takes_output(int wait_ms)
{
	struct pollfd fd = {.fd = STDERR_FILENO, .events = POLLOUT};

	return poll(&fd, 1, wait_ms) == 1 && fd.revents == POLLOUT;
}

static int width(void)
{
	int columns, lines;

	if (!is_in_foreground() || !takes_output(0))
		return 0;
	return winsize_ask(STDERR_FILENO, &columns, &lines) ? columns : USUAL_WIDTH;
}

/* Writes with SIGTTOU blocked, so that a program that has just gone to the background is not
 * stopped. */
static void write_text(const char *text, size_t n)
{
	sigset_t ttou, before;
	ssize_t written;

	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	sigprocmask(SIG_BLOCK, &ttou, &before);
	written = write(STDERR_FILENO, text, n);
	(void)written;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void erase_line(void)
{
	if (is_in_foreground() && takes_output(ERASE_WAIT_MS))
		write_text(ERASE_LINE, sizeof ERASE_LINE - 1);
}

/* --- signals while the line is shown --- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

/* Erases the line and raises the signal again: SA_RESETHAND has restored its default action. */
static void remove_line(int number)
{
	const int error = errno;

	erase_line();
	raise(number);
	errno = error;
}

/* Sets the handler `to` for those of the signals whose handler is `from`; other handlers, and
 * ignored signals, stay. */
static void replace_handlers(void (*from)(int), void (*to)(int))
{
	const struct sigaction action = {.sa_handler = to,
					 .sa_flags = (int)SA_RESETHAND | SA_RESTART};
	struct sigaction now;

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (!sigaction(ending[i], NULL, &now) && now.sa_handler == from)
			sigaction(ending[i], &action, NULL);
}

/* --- output --- */

static void show(const char *line)
{
	struct strbuf text;

	if (!line) {
		erase_line();
		replace_handlers(remove_line, SIG_DFL);
		return;
	}
	replace_handlers(SIG_DFL, remove_line);
	strbuf_init(&text);
	strbuf_addf(&text, "\r%s\033[K", line);
	write_text(text.text, text.len);
	strbuf_done(&text);
}

static void add(const char *line)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%s\n", line);
	write_text(text.text, text.len);
	strbuf_done(&text);
}

const struct progress_terminal *progress_terminal(bool shared)
{
	static const struct progress_terminal of[] = {
		{.shared = false, .now_ns = now_ns, .width = width, .show = show, .add = add},
		{.shared = true, .now_ns = now_ns, .width = width, .show = show, .add = add},
	};
	const char *type = getenv("TERM");

	if (!type || !*type || !strcmp(type, "dumb") || !isatty(STDERR_FILENO))
		return NULL;
	return &of[shared];
}
