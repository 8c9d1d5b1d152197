/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop with a made-up source of three samples, in batch mode and on a pseudo terminal.
 */
#include "screen/compile.h"
#include "session/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

#define SECOND 1000000000ull

/* A source of one task, which runs for half of each second. */
struct script {
	struct source source;
	int n_samples, n_asked;
	bool by_descriptor; /* its descriptor signals each sample; else one is always due */
	int bell[2];
};

static int script_next(struct source *source, struct sample *out, struct err *err)
{
	struct script *s = (struct script *)source;
	struct task *t;

	(void)err;
	s->n_asked++;
	if (s->n_samples == 3)
		return SOURCE_END;
	sample_reset(out);
	s->n_samples++;
	out->mono_ns = out->boot_ns = (uint64_t)s->n_samples * SECOND;
	out->generation = 1;
	t = sample_add(out,
		       task_new(&kind_task, FACT_SET(FACT_CPU_NS), 0,
				&(struct task_texts){
					.name = "recorded", .process = "recorded", .user = "me"}));
	t->id = t->owner = 4711;
	t->start_ns = 1;
	t->state = 'S';
	task_set_fact(t, FACT_CPU_NS, (uint64_t)s->n_samples * SECOND / 2);
	return 0;
}

static void script_due(const struct source *source, struct source_due *out)
{
	const struct script *s = (const struct script *)source;

	out->fd = s->by_descriptor ? s->bell[0] : -1;
	out->mono_ns = s->by_descriptor ? UINT64_MAX : 0;
}

static const char *script_note(const struct source *source)
{
	(void)source;
	return NULL;
}

static void script_cost(const struct source *source, struct source_cost *out)
{
	(void)source;
	*out = (struct source_cost){.tasks = 1};
}

static const struct source_ops ops = {
	.next = script_next, .due = script_due, .note = script_note, .cost = script_cost};

/* All objects with which the loop works. */
struct rig {
	struct setup setup;
	struct script script;
	struct signals signals;
	struct lifecycle life;
	struct outputs outputs;
	struct pipeline pipeline;
	struct faults faults;
	struct summary_feed summary;
	struct loop loop;
};

static void begin(struct rig *r, bool batch)
{
	struct screen *screen = screen_new("default", "a test");
	struct err err = ERR_INIT;

	memset(r, 0, sizeof *r);
	screen_add_column(screen, " %CPU", "%5.1f", NULL, "CPU_TOT");
	tap_int(screen_compile(screen, NULL, NULL, &err), 0, "a screen");
	screen_list_add(&r->setup.config.screens, screen);
	binding_init(&r->setup.display.binding, screen, &r->setup.display.numbers);
	options_init(&r->setup.config.options);
	r->setup.config.options.batch = batch;
	/* The delay must not matter: the source has its own times. */
	r->setup.display.view =
		(struct view){.delay_s = 86400, .filter = FILTER_ALL, .watch = FILTER_ALL};
	r->script = (struct script){.source.ops = &ops};
	r->setup.backend.source = &r->script.source;
	r->faults = (struct faults){.dest = DEST_NONE, .silent = true};
	r->life = (struct lifecycle)LIFECYCLE_INIT;
	signals_begin(&r->signals);
	tap_int(signals_block(&r->signals, batch ? SIGNALS_PLAIN : SIGNALS_SCREEN, &err), 0,
		"signals");
	outputs_init(&r->outputs, &r->setup.config.log);
	pipeline_init(&r->pipeline, &r->script.source, &r->outputs);
	summary_feed_init(&r->summary);
	r->loop = (struct loop){.setup = &r->setup,
				.pipeline = &r->pipeline,
				.outputs = &r->outputs,
				.life = &r->life,
				.signals = &r->signals,
				.faults = &r->faults,
				.summary = &r->summary};
	r->loop.info.screens = &r->setup.config.screens;
	r->loop.info.log = &r->setup.config.log;
}

static void end(struct rig *r)
{
	pipeline_done(&r->pipeline);
	summary_feed_done(&r->summary);
	signals_done(&r->signals);
	binding_done(&r->setup.display.binding);
	screen_list_done(&r->setup.config.screens);
	options_done(&r->setup.config.options);
	log_done(&r->setup.config.log);
}

/* Returns the number of lines with the task and its %CPU in the written text. */
static int n_rows(int fd)
{
	char text[4096] = "";
	int n = 0;

	tap_ok(pread(fd, text, sizeof text - 1, 0) > 0, "something was written");
	for (const char *p = text; (p = strstr(p, " 50.0 recorded\n")); p++)
		n++;
	return n;
}

/* The flag that ends the loop, for the alarm that stops a loop that takes too long. */
static bool *volatile to_end;

static void end_loop(int number)
{
	(void)number;
	*to_end = true;
}

static int run_batch(struct rig *r, bool by_descriptor)
{
	struct sigaction action = {.sa_handler = end_loop};
	struct err err = ERR_INIT;
	struct sink *sink;
	struct dest dest;
	int fd = memfd_create("text", MFD_CLOEXEC), n;

	begin(r, true);
	r->script.by_descriptor = by_descriptor;
	tap_ok(!pipe(r->script.bell) && write(r->script.bell[1], "x", 1) == 1, "a descriptor");
	dest_use(&dest, fd);
	outputs_add(&r->outputs, &sink, &sink_text, &dest, &err);
	sink->ends_loop = true;
	to_end = &r->loop.done;
	sigaction(SIGALRM, &action, NULL);
	alarm(20);
	tap_int(loop_run(&r->loop, &err), 0, "batch mode ends without a fault");
	alarm(0);
	tap_int(outputs_close(&r->outputs, false, &err), 0, "and so does its output");
	n = n_rows(fd);
	end(r);
	close(fd), close(r->script.bell[0]), close(r->script.bell[1]);
	return n;
}

static void test_batch(void)
{
	struct err err = ERR_INIT;
	struct rig r;

	tap_int(run_batch(&r, false), 2,
		"three samples are two refreshes, and none is shown again");
	tap_int(r.script.n_asked, 4, "the end was asked for once");
	tap_int(run_batch(&r, true), 2, "the same where a descriptor announces each sample");

	begin(&r, true);
	r.script.n_samples = 3;
	tap_int(loop_run(&r.loop, &err), -ENODATA, "no sample at all");
	tap_str(err.text, "there is nothing to show: not one sample", "is said");
	end(&r);
}

/* Runs the loop on the pseudo terminal, and exits with its status. */
static _Noreturn void run_live(void)
{
	const struct dest none = DEST_NONE;
	struct err err = ERR_INIT;
	struct rig r;
	int ret;

	begin(&r, false);
	ret = outputs_add(&r.outputs, &r.loop.screen, &live_sink, &none, &err);
	if (ret)
		_exit(ret == -ENOSYS ? 98 : 99);
	r.loop.screen->ends_loop = true;
	ret = loop_run(&r.loop, &err);
	outputs_close(&r.outputs, false, &err);
	_exit(ret || r.pipeline.number != 2 || r.script.n_asked != 4 ? 1 : 0);
}

/* Reads the terminal until the text has appeared. Returns false at its end, or after 20 s without
 * output. */
static bool await(int fd, const char *want)
{
	static char seen[1 << 16];
	size_t n = 0;

	while (n < sizeof seen - 1) {
		struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
		ssize_t got;

		if (poll(&poll_fd, 1, 20000) != 1)
			return false;
		got = read(fd, seen + n, sizeof seen - 1 - n);
		if (got <= 0)
			return false;
		n += (size_t)got;
		seen[n] = '\0';
		if (strstr(seen, want))
			return true;
	}
	return false;
}

static void test_live(void)
{
	const struct winsize size = {.ws_col = 80, .ws_row = 24};
	int master, status = -1;
	char rest[4096];
	bool ended;
	pid_t pid;

	fflush(stdout);
	pid = forkpty(&master, NULL, NULL, &size);
	if (!pid) {
		setenv("TERM", "xterm", 1);
		setenv("LC_ALL", "C", 1);
		run_live();
	}
	ended = await(master, "the data has ended; q quits");
	if (ended)
		tap_ok(write(master, "q", 1) == 1, "q");
	if (!ended)
		kill(pid, SIGKILL);
	while (read(master, rest, sizeof rest) > 0)
		;
	waitpid(pid, &status, 0);
	close(master);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 98) {
		tap_ok(true, "the live screen # SKIP built without ncurses");
		return;
	}
	tap_ok(ended, "the live screen says that the data has ended, and stays");
	tap_int(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0,
		"after two refreshes and one question for more, q ends it");
}

int main(void)
{
	test_batch();
	test_live();
	return tap_done();
}
