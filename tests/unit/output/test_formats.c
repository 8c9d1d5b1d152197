/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats for programs: made-up tasks go through delta and frame to CSV and JSON, which are
 * compared with tests/golden/formats.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "frame_rig.h"
#include "golden.h"
#include "model/fold_groups.h"
#include "output/output.h"
#include "screen/compile.h"
#include "tap.h"

static struct sample_machine machine = {.refs = 1, .host = "node-7"};

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("default", "a test");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	screen_add_column(s, "   P", " %3.0f", "the \"last\" CPU", "PROC_ID");
	screen_add_column(s, "   INSTR", "%8.0f", NULL, "delta(instr)");
	s->column[2].unit_name = xstrdup("count");
	screen_add_column(s, "  IPC", " %4.2f", NULL, "delta(instr) / delta(cycle)");
	screen_add_column(s, "CGROUP", "%-10s", NULL, "CGROUP");
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
					    .cgroup = "/user.slice",
					    .processor = 2});
	frame_rig_add(r, &(struct rig_task){.id = 812,
					    .name = "make, \"all\"\n\x1b[31m\xff",
					    .user = "root",
					    .counting = COUNT_OK,
					    .count = {1234567890123456789u, 0},
					    .cpu_ns = 1000000000,
					    .num_threads = 4,
					    .processor = 11});
	frame_rig_add(r, &(struct rig_task){.id = 99,
					    .name = "secret",
					    .user = "root",
					    .counting = COUNT_DENIED,
					    .cgroup = "",
					    .cpu_ns = 5000000});
	/* On the PMU for a third of the time: the scaled count is not an integer. */
	frame_rig_add(r, &(struct rig_task){.id = 4712,
					    .name = " cc1",
					    .user = "alice",
					    .uid = 1000,
					    .counting = COUNT_OK,
					    .count = {500000, 1000000},
					    .cpu_ns = 700000000,
					    .share_pct = 30,
					    .dead = true});
	frame_rig_add(r,
		      &(struct rig_task){.id = 4713, .name = "sh", .user = "alice", .dead = true});
	/* A process with a thread that cannot be counted. */
	frame_rig_add(r, &(struct rig_task){.id = 6000,
					    .name = "half",
					    .user = "bob",
					    .uid = 7,
					    .counting = COUNT_OK,
					    .count = {7000000, 2000000},
					    .cpu_ns = 10000000,
					    .num_threads = 2});
	frame_rig_add(r, &(struct rig_task){.id = 6001,
					    .pid = 6000,
					    .name = "worker",
					    .process = "half",
					    .user = "bob",
					    .uid = 7,
					    .counting = COUNT_NOFILE});
	r->sample[0].machine = r->sample[1].machine = &machine;
}

static void end(struct frame_rig *r)
{
	r->sample[0].machine = r->sample[1].machine = NULL;
	frame_rig_done(r);
}

/* A sink that writes to a file in memory. */
struct written {
	struct sink sink;
	int fd;
	struct strbuf text;
};

static void open_sink(struct written *w, const struct sink_ops *ops, const char *fields)
{
	struct err err = ERR_INIT;

	*w = (struct written){.sink = {.ops = ops, .fields = fields}};
	w->fd = memfd_create("sink", MFD_CLOEXEC);
	strbuf_init(&w->text);
	dest_use(&w->sink.dest, w->fd);
	tap_int(ops->open(&w->sink, &err), 0, "%s: opens", ops->name);
}

static void write_frame(struct written *w, const struct frame *frame)
{
	struct err err = ERR_INIT;

	if (w->sink.ops->frame(&w->sink, frame, &err))
		tap_ok(false, "%s: %s", w->sink.ops->name, err.text);
}

static void close_sink(struct written *w)
{
	struct err err = ERR_INIT;
	char buf[4096];
	ssize_t n;

	tap_int(w->sink.ops->close(&w->sink, &err), 0, "%s: closes", w->sink.ops->name);
	lseek(w->fd, 0, SEEK_SET);
	while ((n = read(w->fd, buf, sizeof buf)) > 0)
		strbuf_add(&w->text, buf, (size_t)n);
	close(w->fd);
}

static void check_golden(struct written *w, const char *what)
{
	char *name = xasprintf("%s-%s", w->sink.ops->name, what);

	close_sink(w);
	golden_check("formats", name, w->text.text);
	strbuf_done(&w->text);
	free(name);
}

static const struct sink_ops *const formats[] = {&sink_csv, &sink_json};

/* Compares the output of the same two frames in each format with golden files. */
static void check_formats(const char *name, const char *fields, void (*change)(struct view *view))
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct frame_rig r;
		struct written w;

		begin(&r);
		change(&r.view);
		r.sample[0].threads = r.sample[1].threads = r.view.threads;
		frame_rig_build(&r);
		open_sink(&w, formats[i], fields);
		write_frame(&w, &r.frame);
		write_frame(&w, &r.frame);
		check_golden(&w, name);
		end(&r);
	}
}

static void change_nothing(struct view *view)
{
	(void)view;
}

static void change_all(struct view *view)
{
	view->idle = view->threads = view->show_cmdline = true;
}

static void test_groups(void)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct grouping by = {.key = GROUP_PROGRAM};
		struct delta groups;
		struct frame_rig r;
		struct written w;
		struct retired_groups retired;

		begin(&r);
		frame_rig_add(&r, &(struct rig_task){.id = 4714,
						     .name = "bash",
						     .user = "bob",
						     .uid = 7,
						     .counting = COUNT_OK,
						     .count = {100, 50},
						     .cpu_ns = 1000});
		frame_rig_build(&r);
		delta_init(&groups);
		retired_groups_init(&retired);
		r.view.group = by.key;
		by.filter = &r.view.filter;
		fold_groups(&groups, &r.processes, &by, &retired);
		frame_build(&r.frame, &r.binding, &r.view, &groups, NULL, 1);
		open_sink(&w, formats[i], NULL);
		write_frame(&w, &r.frame);
		check_golden(&w, "groups");
		retired_groups_done(&retired);
		delta_done(&groups);
		end(&r);
	}
}

/* A key has switched to another screen, which has a column of the first screen, and another column
 * whose name occurred there. */
static void test_other_screen(void)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct frame_rig first, other;
		struct screen *s = screen_new("other", "another one");
		struct written w;

		begin(&first);
		screen_add_column(s, "IPC", "%5.1f", NULL, "CPU_SYS");
		screen_add_column(s, "%CPU", "%5.1f", NULL, "CPU_TOT");
		frame_rig_init(&other, s);
		frame_rig_add(&other, &(struct rig_task){.id = 5, .cpu_ns = 500000000});
		frame_rig_build(&first);
		frame_rig_build(&other);
		open_sink(&w, formats[i], "pid,host,screen,ipc,cpu");
		write_frame(&w, &first.frame);
		write_frame(&w, &other.frame);
		write_frame(&w, &first.frame);
		check_golden(&w, "other-screen");
		frame_rig_done(&other);
		end(&first);
	}
}

/* After a key has changed the values of columns, JSON names the new kind. CSV does so in the field
 * value_kind; without this field, the changed columns are empty. */
static void test_values(void)
{
	static const struct {
		enum values first, then;
		const char *fields, *golden;
	} files[] = {
		{VALUES_RATE, VALUES_RATE, NULL, "rate"},
		{VALUES_INTERVAL, VALUES_TOTAL, "pid,cpu,instr,ipc", "values-changed"},
		{VALUES_INTERVAL, VALUES_TOTAL, "pid,value_kind,cpu,instr,ipc", "values-told"},
	};

	for (size_t k = 0; k < sizeof files / sizeof *files; k++)
		for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
			struct frame_rig r;
			struct written w;

			begin(&r);
			open_sink(&w, formats[i], files[k].fields);
			r.view.values = files[k].first;
			frame_rig_build(&r);
			write_frame(&w, &r.frame);
			r.view.values = files[k].then;
			frame_rig_build(&r);
			write_frame(&w, &r.frame);
			check_golden(&w, files[k].golden);
			end(&r);
		}
}

static void test_bad_fields(void)
{
	struct err err = ERR_INIT;
	struct fields fields;
	struct frame_rig r;

	begin(&r);
	frame_rig_build(&r);
	tap_int(fields_find(&fields, "pid,flops", false, r.screen, &r.view, &err), -EINVAL,
		"a field that there is not");
	tap_str(err.text,
		"there is no field 'flops' (--fields) in the screen 'default': it has timestamp, "
		"mono_s, interval_s, host, screen, "
		"value_kind, kind, pid, tid, name, user, members, command, "
		"exit, lived_s, quality, cpu, p, instr, ipc, cgroup",
		"the choices are listed");
	tap_int(fields_find(&fields, "pid,cpu,pid", false, r.screen, &r.view, &err), -EINVAL,
		"one that is named twice");
	tap_str(err.text, "the field 'pid' (--fields) is named twice", "is refused, too");
	tap_int(fields_find(&fields, "pid,flops,cpu", true, r.screen, &r.view, &err), 0,
		"where a part is enough");
	tap_int(fields.n, 2, "the others are found");
	fields_done(&fields);
	tap_int(fields_check("pid,quality", sink_csv.lacks, r.screen, &r.view, &err), 0,
		"CSV has all");
	tap_int(fields_check("pid,quality", sink_text.lacks, r.screen, &r.view, &err), -EINVAL,
		"the text has not");
	tap_str(err.text, "this format has no field 'quality' (--fields): --format csv has it",
		"and says so");
	end(&r);
}

/* No column has the id of a field beside the columns. */
static void test_ids(void)
{
	for (int field = 0; field < N_FIELDS; field++) {
		struct screen *s = screen_new("test", NULL);

		if (field == FIELD_COLUMN) {
			screen_free(s);
			continue;
		}
		screen_add_column(s, field_ids[field], "%5.1f", NULL, "CPU_TOT");
		screen_compile(s, frame_rig_report, (void *)"screen", NULL);
		tap_ok(strcmp(s->column[0].id, field_ids[field]) != 0, "%s is kept free",
		       field_ids[field]);
		screen_free(s);
	}
}

static void test_time(void)
{
	struct strbuf out;

	strbuf_init(&out);
	setenv("TZ", "XYZ-5:45", 1);
	tzset();
	clock_add_time(&out, 1700000000007999999u);
	tap_str(out.text, "2023-11-15T03:58:20.007+05:45", "a time has its offset");
	setenv("TZ", "UTC", 1);
	tzset();
	strbuf_done(&out);
}

/* A pipe whose reader has closed it. */
static void test_broken_pipe(const struct sink_ops *ops)
{
	struct sink sink = {.ops = ops};
	struct err err = ERR_INIT;
	struct frame_rig r;
	int fds[2];

	begin(&r);
	frame_rig_build(&r);
	tap_int(pipe(fds), 0, "a pipe");
	close(fds[0]);
	dest_use(&sink.dest, fds[1]);
	ops->open(&sink, &err);
	tap_int(ops->frame(&sink, &r.frame, &err), -EPIPE, "its reader has gone: -EPIPE");
	tap_int(ops->close(&sink, &err), 0, "it can be closed all the same");
	close(fds[1]);
	end(&r);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	signal(SIGPIPE, SIG_IGN);
	check_formats("plain", NULL, change_nothing);
	check_formats("all", NULL, change_all);
	check_formats("fields", "ipc,command,pid,quality", change_nothing);
	test_groups();
	test_other_screen();
	test_values();
	test_bad_fields();
	test_ids();
	test_time();
	test_broken_pipe(&sink_csv);
	test_broken_pipe(&sink_json);
	return tap_done();
}
