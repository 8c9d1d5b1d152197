/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text sink: hand-written tasks through delta and frame to text, compared with
 * tests/golden/text.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "frame_rig.h"
#include "golden.h"
#include "sink/sink.h"
#include "tap.h"

#define SINK(to)                                                                                   \
	{                                                                                          \
		.ops = &sink_text, .fd = (to), .chunk = PIPE_BUF, .wake_fd = -1                    \
	}

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("default", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	screen_add_column(s, " %SYS", "%5.1f", NULL, "CPU_SYS");
	screen_add_column(s, "   P", " %3.0f", NULL, "PROC_ID");
	screen_add_column(s, "  Minstr", "%8.2f", NULL, "delta(instr) / 1e6");
	screen_add_column(s, "  IPC", " %4.2f", NULL, "delta(instr) / delta(cycle)");
	return s;
}

static void begin(struct frame_rig *r)
{
	frame_rig_init(r, make_screen());
	frame_rig_add(r, &(struct rig_task){.id = 4711,
					    .name = "bash",
					    .cmdline = "/bin/bash -i",
					    .user = "alice",
					    .uid = 1000,
					    .counting = COUNT_OK,
					    .count = {15000000, 10000000},
					    .cpu_ns = 250000000,
					    .stime_ns = 40000000,
					    .processor = 2});
	frame_rig_add(r, &(struct rig_task){.id = 812,
					    .name = "make\n\x1b[31m",
					    .user = "root",
					    .counting = COUNT_OK,
					    .count = {1234567890, 0},
					    .cpu_ns = 1000000000,
					    .num_threads = 4,
					    .processor = 11});
	frame_rig_add(r, &(struct rig_task){.id = 99,
					    .name = "secret",
					    .user = "root",
					    .counting = COUNT_DENIED,
					    .cpu_ns = 5000000});
	frame_rig_add(r, &(struct rig_task){.id = 4712,
					    .name = "cc1",
					    .user = "alice",
					    .uid = 1000,
					    .counting = COUNT_OK,
					    .count = {500000, 1000000},
					    .cpu_ns = 800000000,
					    .share_pct = 50,
					    .dead = true});
	frame_rig_add(r, &(struct rig_task){
				 .id = 1, .name = "init", .user = "root", .counting = COUNT_OK});
	/* A process of which one thread cannot be counted. */
	frame_rig_add(r, &(struct rig_task){.id = 6000,
					    .name = "half",
					    .user = "bob",
					    .counting = COUNT_OK,
					    .count = {7000000, 2000000},
					    .cpu_ns = 10000000,
					    .num_threads = 2});
	frame_rig_add(r,
		      &(struct rig_task){
			      .id = 6001, .pid = 6000, .name = "half", .counting = COUNT_NOFILE});
}

/* What the sink writes for two frames. */
static void write_frames(struct frame_rig *r, struct strbuf *out)
{
	struct sink sink = SINK(memfd_create("text", MFD_CLOEXEC));
	char buf[4096];
	struct err err = ERR_INIT;
	ssize_t n;

	frame_rig_build(r);
	tap_int(sink.ops->open(&sink, &err), 0, "opens");
	tap_int(sink.ops->frame(&sink, &r->frame, &err), 0, "writes a frame");
	frame_build(&r->frame, r->screen, &r->view, r->view.threads ? &r->delta[1] : &r->processes,
		    NULL, 2);
	tap_int(sink.ops->frame(&sink, &r->frame, &err), 0, "writes another");
	tap_int(sink.ops->close(&sink, &err), 0, "closes");
	lseek(sink.fd, 0, SEEK_SET);
	while ((n = read(sink.fd, buf, sizeof buf)) > 0)
		strbuf_add(out, buf, (size_t)n);
	close(sink.fd);
}

static void check_golden(const char *name, void (*change)(struct view *view))
{
	struct frame_rig r;
	struct strbuf out;

	begin(&r);
	change(&r.view);
	strbuf_init(&out);
	write_frames(&r, &out);
	golden_check("text", name, out.text);
	strbuf_done(&out);
	frame_rig_done(&r);
}

static void change_nothing(struct view *view)
{
	(void)view;
}

static void change_all(struct view *view)
{
	view->idle = view->threads = view->show_user = view->show_cmdline = view->epoch =
		view->timestamp = true;
	view->sort = 3;
	view->screen = 2;
	view->delay_s = 0.5;
}

static void change_filter(struct view *view)
{
	view->filter = (struct filter){.uid = 1000, .text = "b"};
	view->uid_name = "alice";
	view->watch.pid = 4711;
	view->watching = true;
	view->sort = 5;
	view->reverse = true;
	view->show_cmdline = true;
}

/* With --safe-names the name is the last word of its line, whatever it is. */
static void test_safe_names(void)
{
	struct frame_rig r;
	struct strbuf out;

	begin(&r);
	frame_rig_add(&r, &(struct rig_task){.id = 7000,
					     .name = " a b\t",
					     .user = "DOM\\first last",
					     .cpu_ns = 300000});
	frame_rig_add(&r, &(struct rig_task){.id = 7001, .name = "", .user = "", .cpu_ns = 200000});
	frame_rig_add(
		&r,
		&(struct rig_task){
			.id = 7002, .name = "c d", .user = "bob", .cpu_ns = 100000, .dead = true});
	r.view.safe_names = r.view.show_user = r.view.watching = true;
	r.view.watch.text = " ";
	strbuf_init(&out);
	write_frames(&r, &out);
	golden_check("text", "safe-names", out.text);
	strbuf_done(&out);
	frame_rig_done(&r);
}

/* A pipe that nobody reads any more. */
static void test_broken_pipe(void)
{
	struct sink sink = SINK(-1);
	struct err err = ERR_INIT;
	struct frame_rig r;
	int fds[2];

	begin(&r);
	frame_rig_build(&r);
	tap_int(pipe(fds), 0, "a pipe");
	close(fds[0]);
	sink.fd = fds[1];
	sink.ops->open(&sink, &err);
	tap_int(sink.ops->frame(&sink, &r.frame, &err), -EPIPE, "its reader has gone: -EPIPE");
	tap_ok(err.code == EPIPE && err.text[0], "with a sentence");
	tap_int(sink.ops->close(&sink, &err), 0, "it can be closed all the same");
	close(fds[1]);
	sink.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	tap_int(sink_write(&sink, "x", 1, &err), -ENOSPC, "a full disk: -ENOSPC");
	close(sink.fd);
	tap_int(sink_write(&sink, "x", 1, &err), -EBADF, "a closed descriptor: -EBADF");
	tap_int(sink_write(&sink, "x", 0, &err), 0, "nothing to write is no failure");
	frame_rig_done(&r);
}

/* A child that reads slowly: 1 if it got exactly n bytes in order, else 0. */
static int read_slowly(int fd, size_t size)
{
	size_t got = 0;
	bool good = true;
	char buf[777];
	ssize_t n;

	while ((n = read(fd, buf, sizeof buf)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			good &= buf[i] == (char)((got + (size_t)i) % 251);
		got += (size_t)n;
		if (got % 7 == 0)
			poll(NULL, 0, 1);
	}
	return good && got == size;
}

/* A pipe takes 64 KiB at a time, and a descriptor that does not wait says EAGAIN. */
static void test_short_writes(int flags, const char *what)
{
	const size_t size = 1000003;
	char *data = malloc(size);
	struct err err = ERR_INIT;
	int fds[2], status = 0;
	struct sink sink;
	pid_t pid;

	for (size_t i = 0; i < size; i++)
		data[i] = (char)(i % 251);
	tap_int(pipe(fds), 0, "%s: a pipe", what);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		_exit(read_slowly(fds[0], size));
	}
	close(fds[0]);
	fcntl(fds[1], F_SETFL, flags);
	sink = (struct sink)SINK(fds[1]);
	tap_int(sink_write(&sink, data, size, &err), 0, "%s: all is written", what);
	close(fds[1]);
	waitpid(pid, &status, 0);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s: and all of it arrives, in order",
	       what);
	free(data);
}

static bool stop_at_third(void *context)
{
	return ++*(int *)context == 3;
}

/* A reader that does not read: writing ends when it is told to, and not before. */
static void test_stop(void)
{
	static const char data[1 << 18];
	int fds[2], wake[2], asked = 0;
	struct sink sink = SINK(-1);
	struct err err = ERR_INIT;

	tap_ok(!pipe(fds) && !pipe(wake) && write(wake[1], "w", 1) == 1,
	       "two pipes, one of which wakes");
	sink.fd = fds[1];
	sink.wake_fd = wake[0];
	sink.stop = stop_at_third;
	sink.context = &asked;
	tap_int(sink_write(&sink, data, sizeof data, &err), -ECANCELED,
		"a full pipe: -ECANCELED where it is to stop");
	tap_int(asked, 3, "it asked each time that it was woken");
	for (int i = 0; i < 2; i++)
		close(fds[i]), close(wake[i]);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	signal(SIGPIPE, SIG_IGN);
	check_golden("plain", change_nothing);
	check_golden("all-options", change_all);
	check_golden("filter", change_filter);
	test_safe_names();
	test_broken_pipe();
	test_short_writes(0, "a pipe");
	test_short_writes(O_NONBLOCK, "a pipe that does not wait");
	test_stop();
	return tap_done();
}
