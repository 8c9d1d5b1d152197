/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text sink: made-up tasks go through delta and frame to text, which is compared with
 * tests/golden/text.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "frame_rig.h"
#include "golden.h"
#include "output/output.h"
#include "tap.h"

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
	/* A process with a thread that cannot be counted. */
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

/* Writes two frames with the sink. */
static void write_frames(struct frame_rig *r, struct strbuf *out)
{
	int fd = memfd_create("text", MFD_CLOEXEC);
	struct sink sink = {.ops = &sink_text};
	char buf[4096];
	struct err err = ERR_INIT;
	ssize_t n;

	frame_rig_build(r);
	dest_use(&sink.dest, fd);
	tap_int(sink.ops->open(&sink, &err), 0, "opens");
	tap_int(sink.ops->frame(&sink, &r->frame, &err), 0, "writes a frame");
	frame_build(&r->frame, &r->binding, &r->view,
		    r->view.threads ? &r->delta[1] : &r->processes, NULL, 2);
	tap_int(sink.ops->frame(&sink, &r->frame, &err), 0, "writes another");
	tap_int(sink.ops->close(&sink, &err), 0, "closes");
	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buf, sizeof buf)) > 0)
		strbuf_add(out, buf, (size_t)n);
	close(fd);
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

/* With --safe-names the name is a single word, the last of its line, whatever it contains. */
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

/* A pipe whose reader has closed it. */
static void test_broken_pipe(void)
{
	struct sink sink = {.ops = &sink_text};
	struct err err = ERR_INIT;
	struct frame_rig r;
	int fds[2];

	begin(&r);
	frame_rig_build(&r);
	tap_int(pipe(fds), 0, "a pipe");
	close(fds[0]);
	dest_use(&sink.dest, fds[1]);
	sink.ops->open(&sink, &err);
	tap_int(sink.ops->frame(&sink, &r.frame, &err), -EPIPE, "its reader has gone: -EPIPE");
	tap_ok(err.code == EPIPE && err.text[0], "with a sentence");
	tap_int(sink.ops->close(&sink, &err), 0, "it can be closed all the same");
	close(fds[1]);
	frame_rig_done(&r);
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
	return tap_done();
}
