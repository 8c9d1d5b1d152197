/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several outputs at once: text files, and made-up sinks that record their calls and fail on
 * demand.
 */
#include "output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "frame_rig.h"
#include "tap.h"

/* The calls of all made-up sinks, in order: "a.frame b.close". */
static struct strbuf done;

/* A made-up sink: its name, and the function that fails with this error. */
struct made_up {
	const char *name, *at;
	int error;
};

static int note(struct sink *sink, const char *what, struct err *err)
{
	const struct made_up *m = sink->state;

	strbuf_addf(&done, "%s%s.%s", done.len ? " " : "", m->name, what);
	if (m->at && !strcmp(m->at, what))
		return err_set(err, m->error, "%s failed at %s", m->name, what);
	return 0;
}

static int note_sample(struct sink *sink, const struct sample *sample, struct err *err)
{
	(void)sample;
	return note(sink, "sample", err);
}

static int note_frame(struct sink *sink, const struct frame *frame, struct err *err)
{
	(void)frame;
	return note(sink, "frame", err);
}

static int note_close(struct sink *sink, struct err *err)
{
	return note(sink, "close", err);
}

static const struct sink_ops frames = {.name = "frames", .frame = note_frame, .close = note_close};
static const struct sink_ops all_frames = {
	.name = "all", .redraws = true, .frame = note_frame, .close = note_close};
static const struct sink_ops samples = {
	.name = "samples", .sample = note_sample, .close = note_close};

static struct sink *add(struct outputs *o, const struct sink_ops *ops, struct made_up *m)
{
	const struct dest none = DEST_NONE;
	struct err err = ERR_INIT;
	struct sink *sink = NULL;

	tap_int(outputs_add(o, &sink, ops, &none, &err), 0, "%s is added", m->name);
	sink->state = m;
	return sink;
}

static const char *take_done(void)
{
	static char text[256];

	snprintf(text, sizeof text, "%s", done.text);
	strbuf_reset(&done);
	return text;
}

static void test_what_each_gets(void)
{
	struct made_up a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
	struct log log = LOG_INIT;
	struct err err = ERR_INIT;
	struct outputs o;

	outputs_init(&o, &log);
	add(&o, &frames, &a);
	add(&o, &all_frames, &b);
	add(&o, &samples, &c);
	tap_int(outputs_begin(&o, &err), 0, "all begin");
	outputs_sample(&o, NULL, &err);
	tap_str(take_done(), "c.sample", "a sample goes to who wants samples");
	outputs_frame(&o, NULL, true, &err);
	tap_str(take_done(), "b.frame a.frame",
		"a refresh to all that want frames, the last one first");
	outputs_frame(&o, NULL, false, &err);
	tap_str(take_done(), "b.frame",
		"a view that a key has rebuilt goes to the outputs that want it");
	outputs_end(&o, o.first->next, &err);
	tap_str(take_done(), "b.close", "one can be ended");
	tap_int(outputs_close(&o, false, &err), 0, "and all others");
	tap_str(take_done(), "c.close a.close", "are");
	log_done(&log);
}

static int note_rows(struct sink *sink, const struct frame *frame, struct err *err)
{
	const struct made_up *m = sink->state;

	(void)err;
	strbuf_addf(&done, "%s%s:%zu", done.len ? " " : "", m->name, frame->n);
	return 0;
}

static void test_rows(void)
{
	static const struct sink_ops rows = {.name = "rows", .frame = note_rows};
	struct made_up a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
	const struct frame frame = {.n = 5};
	struct log log = LOG_INIT;
	struct err err = ERR_INIT;
	struct outputs o;

	outputs_init(&o, &log);
	add(&o, &rows, &a);
	add(&o, &rows, &b)->rows = 3;
	add(&o, &rows, &c)->rows = 9;
	outputs_frame(&o, &frame, true, &err);
	tap_str(take_done(), "c:5 b:3 a:5", "each gets as many rows as it wants");
	outputs_close(&o, false, &err);
	take_done();
	log_done(&log);
}

static void test_faults(void)
{
	struct made_up bad = {.name = "bad", .at = "frame", .error = ENOSPC},
		       good = {.name = "good"};
	struct log log = LOG_INIT;
	struct err err = ERR_INIT;
	struct outputs o;

	outputs_init(&o, &log);
	add(&o, &frames, &good)->ends_loop = true;
	add(&o, &frames, &bad);
	tap_int(outputs_frame(&o, NULL, true, &err), 0, "the fault of one is not that of all");
	tap_str(take_done(), "bad.frame bad.close good.frame", "it is closed, the other goes on");
	tap_ok(log.n == 1 && !strcmp(log.line[0].text, "bad failed at frame"),
	       "its sentence is in the log");
	tap_int(outputs_frame(&o, NULL, true, &err), 0, "later");
	tap_str(take_done(), "good.frame", "only the other one is left");
	tap_int(outputs_close(&o, false, &err), -ENOSPC, "in the end it is known all the same");
	tap_str(err.text, "bad failed at frame", "with its sentence");
	take_done();

	bad.error = ECANCELED;
	outputs_init(&o, &log);
	add(&o, &frames, &good)->ends_loop = true;
	add(&o, &frames, &bad);
	tap_int(outputs_frame(&o, NULL, true, &err), -ECANCELED, "told to stop, all stop");
	outputs_close(&o, false, &err);
	take_done();

	outputs_init(&o, &log);
	good = (struct made_up){.name = "good", .at = "frame", .error = ENOSPC};
	add(&o, &frames, &good)->ends_loop = true;
	tap_int(outputs_frame(&o, NULL, true, &err), -ENOSPC,
		"the fault of one that ends the loop ends it");
	outputs_close(&o, true, &err);
	take_done();

	outputs_init(&o, &log);
	good = (struct made_up){.name = "good", .at = "sample", .error = ENOSPC};
	add(&o, &samples, &good)->ends_loop = true;
	outputs_begin(&o, &err);
	tap_int(outputs_sample(&o, NULL, &err), -ENOSPC, "with a sample, too");
	good.at = "close";
	tap_int(outputs_close(&o, false, &err), -ENOSPC, "and at the end");
	tap_str(err.text, "good failed at close", "with its sentence");
	take_done();
	log_done(&log);
}

static void test_reader_gone(void)
{
	struct made_up bad = {.name = "bad", .at = "frame", .error = EPIPE},
		       good = {.name = "good"};
	struct log log = LOG_INIT;
	struct err err = ERR_INIT;
	struct outputs o;

	outputs_init(&o, &log);
	add(&o, &frames, &good)->ends_loop = true;
	add(&o, &frames, &bad);
	outputs_frame(&o, NULL, true, &err);
	tap_int(outputs_close(&o, false, &err), 0, "that its reader has gone is not an error");
	take_done();

	bad.at = "close";
	outputs_init(&o, &log);
	add(&o, &frames, &bad);
	tap_int(outputs_close(&o, false, &err), 0, "nor is it while it is closed");
	take_done();
	log_done(&log);
}

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("default", "a test");

	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	return s;
}

static size_t length(int fd)
{
	return (size_t)lseek(fd, 0, SEEK_END);
}

/* Two files, and a pipe whose reader closes it. */
static void test_text_beside_text(void)
{
	int fd[] = {memfd_create("one", MFD_CLOEXEC), memfd_create("two", MFD_CLOEXEC), -1},
	    ends[2];
	struct err err = ERR_INIT;
	struct log log = LOG_INIT;
	struct frame_rig r;
	struct outputs o;
	struct sink *sink;
	char a[4096], b[4096];

	frame_rig_init(&r, make_screen());
	frame_rig_add(&r, &(struct rig_task){.id = 10, .name = "one", .cpu_ns = 500000000});
	frame_rig_build(&r);
	outputs_init(&o, &log);
	tap_int(pipe(ends), 0, "a pipe");
	fd[2] = ends[1];
	for (int i = 0; i < 3; i++) {
		struct dest dest;

		dest_use(&dest, fd[i]);
		tap_int(outputs_add(&o, &sink, &sink_text, &dest, &err), 0, "text %d", i + 1);
	}
	tap_int(outputs_begin(&o, &err), 0, "all begin");
	tap_int(outputs_frame(&o, &r.frame, true, &err), 0, "a refresh");
	close(ends[0]);
	tap_int(outputs_lose(&o, ends[1], &err), 0, "the reader of the pipe goes");
	tap_int(outputs_frame(&o, &r.frame, true, &err), 0, "another refresh");
	tap_ok(o.first && o.first->next && !o.first->next->next, "two are left");
	tap_int(outputs_close(&o, false, &err), 0, "all end");
	tap_ok(length(fd[0]) > 100 && length(fd[0]) == length(fd[1]) && length(fd[0]) < sizeof a,
	       "both have been written");
	tap_ok(pread(fd[0], a, length(fd[0]), 0) == pread(fd[1], b, length(fd[1]), 0) &&
		       !memcmp(a, b, length(fd[0])),
	       "and have the same");
	close(fd[0]), close(fd[1]), close(fd[2]);
	frame_rig_done(&r);
	log_done(&log);
}

static int write_number(struct sink *sink, const struct sample *sample, struct err *err)
{
	char text[16];
	int n = snprintf(text, sizeof text, "%u ", sample->number);

	return dest_write(&sink->dest, text, (size_t)n, err);
}

/* A sink that writes something when it is closed. */
static int write_end(struct sink *sink, struct err *err)
{
	return dest_write(&sink->dest, "end", 3, err);
}

static void test_hurry(void)
{
	static const struct sink_ops ends = {.name = "ends", .close = write_end};
	char block[4096] = {0};
	struct log log = LOG_INIT;
	struct err err = ERR_INIT;
	struct outputs o;
	struct sink *sink;
	struct dest dest;
	int fds[2];

	tap_int(pipe(fds), 0, "a pipe");
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	while (write(fds[1], block, sizeof block) > 0)
		;
	dest_use(&dest, fds[1]);
	outputs_init(&o, &log);
	outputs_add(&o, &sink, &ends, &dest, &err);
	outputs_hurry(&o);
	tap_int(outputs_close(&o, false, &err), -ECANCELED, "an ending waits for no reader");
	close(fds[0]);
	close(fds[1]);
	log_done(&log);
}

static void test_early_samples(void)
{
	static const struct sink_ops numbers = {.name = "numbers", .sample = write_number};
	char path[64], text[64] = "";
	int fd = memfd_create("early", MFD_CLOEXEC);
	struct sample *sample = sample_new();
	struct err err = ERR_INIT;
	struct log log = LOG_INIT;
	struct outputs o;
	struct dest dest;
	struct sink *sink;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	tap_int(write(fd, "of yesterday", 12), 12, "a file with a text");
	outputs_init(&o, &log);
	tap_int(dest_open(&dest, path, &err), 0, "is opened");
	tap_int(outputs_add(&o, &sink, &numbers, &dest, &err), 0, "for a sink");
	sample->number = 1;
	tap_int(outputs_sample(&o, sample, &err), 0, "the first sample");
	sample_unref(sample);
	tap_ok(pread(fd, text, sizeof text, 0) == 12, "leaves the text as it is");
	tap_int(outputs_begin(&o, &err), 0, "which goes at the beginning");
	sample = sample_new();
	sample->number = 2;
	outputs_sample(&o, sample, &err);
	sample_unref(sample);
	outputs_close(&o, false, &err);
	memset(text, 0, sizeof text);
	tap_ok(pread(fd, text, sizeof text, 0) == 4 && !strcmp(text, "1 2 "),
	       "no sample is lost: '%s'", text);

	outputs_init(&o, &log);
	sample = sample_new();
	outputs_sample(&o, sample, &err);
	outputs_close(&o, true, &err);
	tap_int((long)sample->refs, 1, "one that waits in vain is given back");
	sample_unref(sample);
	close(fd);
	log_done(&log);
}

static void test_table(void)
{
	const struct sink_ops *found = NULL;
	struct err err = ERR_INIT;

	for (size_t i = 0; sink_table[i]; i++)
		tap_ok(!sink_find(&found, sink_table[i]->name, &err) && found == sink_table[i] &&
			       found->help,
		       "the format '%s' is found", sink_table[i]->name);
	tap_int(sink_find(&found, "tex", &err), -EINVAL, "no part of a name is");
	tap_ok(strstr(err.text, "there is no format 'tex'") &&
		       strstr(err.text, "text (the batch output"),
	       "the sentence names those that are there");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	strbuf_init(&done);
	test_what_each_gets();
	test_rows();
	test_faults();
	test_reader_gone();
	test_text_beside_text();
	test_hurry();
	test_early_samples();
	test_table();
	strbuf_done(&done);
	return tap_done();
}
