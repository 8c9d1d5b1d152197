/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of the command: results of waitid(2), and the resulting state.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "run/lifecycle.h"
#include "tap.h"

/* A scripted result of waitid(2). */
struct answer {
	int error; /* 0: success */
	int code;  /* 0: the child has not changed state */
	int status;
};

static const struct answer *next_answer;
static int last_options, n_calls;

static int play(idtype_t type, id_t id, siginfo_t *info, int options)
{
	const struct answer *a = next_answer++;

	n_calls++;
	last_options = type == P_PID && id == 42 ? options : -1;
	if (a->error) {
		errno = a->error;
		return -1;
	}
	*info = (siginfo_t){.si_code = a->code};
	info->si_status = a->status;
	info->si_pid = a->code ? 42 : 0;
	return 0;
}

static struct lifecycle begin(const struct answer *answers)
{
	next_answer = answers;
	n_calls = 0;
	return (struct lifecycle){.spawn = {42, -1, -1}, .state = LIFECYCLE_RUNNING, .wait = play};
}

/* clang-format off */
static const struct {
	const char *name;
	struct answer answers[4];
	bool ended, lost;
	int status, n_calls, signal;
} ends[] = {
	{"it runs", {{0, 0, 0}}, false, false, 0, 1, 0},
	{"exit 0", {{0, CLD_EXITED, 0}}, true, false, 0, 1, 0},
	{"exit 3", {{0, CLD_EXITED, 3}}, true, false, 3, 1, 0},
	{"a signal", {{0, CLD_KILLED, 15}}, true, false, 143, 1, 15},
	{"a signal with a core", {{0, CLD_DUMPED, 11}}, true, false, 139, 1, 11},
	{"it waits for who follows it by ptrace(2)", {{0, CLD_TRAPPED, 17}}, false, false, 0, 1, 0},
	{"interrupted, and it runs", {{EINTR, 0, 0}, {0, 0, 0}}, false, false, 0, 2, 0},
	{"interrupted twice, and it ended", {{EINTR, 0, 0}, {EINTR, 0, 0}, {0, CLD_EXITED, 7}}, true, false, 7, 3, 0},
	{"its end was taken by another", {{ECHILD, 0, 0}}, true, true, LIFECYCLE_LOST_STATUS, 1, 0},
};
/* clang-format on */

static void test_ends(void)
{
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct lifecycle s = begin(ends[i].answers);

		lifecycle_reap(&s);
		tap_int(s.state == LIFECYCLE_REAPED, ends[i].ended, "%s: ended, or not",
			ends[i].name);
		tap_int(s.lost, ends[i].lost, "%s: its status is lost, or not", ends[i].name);
		tap_int(s.status, ends[i].status, "%s: the status", ends[i].name);
		tap_int(s.signal, ends[i].signal, "%s: the signal", ends[i].name);
		tap_int(n_calls, ends[i].n_calls, "%s: asked so often", ends[i].name);
		tap_int(last_options, WEXITED | WNOHANG, "%s: without waiting", ends[i].name);
	}
}

/* Checking for the end (WNOWAIT) does not reap the zombie, and leaves the state unchanged. */
static void test_looks(void)
{
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct lifecycle s = begin(ends[i].answers);

		tap_int(lifecycle_has_ended(&s), ends[i].ended, "look: %s", ends[i].name);
		tap_int(s.state, LIFECYCLE_RUNNING, "look: %s: nothing is taken", ends[i].name);
		tap_int(last_options, WEXITED | WNOHANG | WNOWAIT, "look: %s: the zombie stays",
			ends[i].name);
	}
}

static void test_once(void)
{
	const struct answer answers[] = {{0, CLD_EXITED, 5}};
	struct lifecycle s = begin(answers), none = {.wait = play};

	lifecycle_reap(&s);
	lifecycle_reap(&s);
	tap_ok(lifecycle_has_ended(&s), "it has ended for good");
	tap_int(n_calls, 1, "and is not asked for again");
	tap_ok(!lifecycle_has_ended(&none), "without a command, none has ended");
	tap_int(n_calls, 1, "and no question is asked");
}

/* A child that cannot execute the command. taken: another call has reaped it already. */
static void test_cannot_run(bool taken)
{
	char name[] = "/no/such/command", *argv[] = {name, NULL};
	struct err err = ERR_INIT;
	struct signals signals;
	struct lifecycle s = LIFECYCLE_INIT;

	signals_begin(&signals);
	if (!tap_ok(!lifecycle_start(&s, argv, SPAWN_QUIET, &signals, &err), "a child waits"))
		return;
	if (taken)
		signal(SIGCHLD, SIG_IGN);
	tap_int(lifecycle_release(&s, name, &err), -ENOENT, "it cannot be run");
	tap_str(err.text, "cannot run '/no/such/command': No such file or directory",
		"a sentence says why");
	tap_ok(s.failed && s.state == LIFECYCLE_REAPED && !s.lost && s.status == 127,
	       "its status is 127%s", taken ? ", though its end was taken" : "");
	lifecycle_done(&s);
	signal(SIGCHLD, SIG_DFL);
}

/* The child is killed while it waits to execute the command. */
static void test_killed_early(void)
{
	char name[] = "true", *argv[] = {name, NULL};
	struct err err = ERR_INIT;
	struct signals signals;
	siginfo_t info;
	struct lifecycle s = LIFECYCLE_INIT;

	signals_begin(&signals);
	signal(SIGPIPE, SIG_IGN);
	if (!tap_ok(!lifecycle_start(&s, argv, SPAWN_QUIET, &signals, &err), "a child waits"))
		return;
	kill(s.spawn.pid, SIGKILL);
	waitid(P_PID, (id_t)s.spawn.pid, &info, WEXITED | WNOWAIT);
	tap_int(lifecycle_release(&s, name, &err), 0,
		"killed early: that is not an error of its start");
	lifecycle_reap(&s);
	tap_ok(s.state == LIFECYCLE_REAPED && !s.failed && s.status == 137,
	       "killed early: its end says so");
	lifecycle_done(&s);
}

static void test_exit_status(void)
{
	const struct lifecycle runs = {.state = LIFECYCLE_RUNNING},
			       well = {.state = LIFECYCLE_REAPED},
			       badly = {.state = LIFECYCLE_REAPED, .status = 3},
			       waited = {.state = LIFECYCLE_NONE, .status = 127};

	tap_int(lifecycle_exit_status(&runs, false), 0, "it runs: all is well");
	tap_int(lifecycle_exit_status(&runs, true), 1, "it runs, and tiptop has failed");
	tap_int(lifecycle_exit_status(&well, false), 0, "it ended well");
	tap_int(lifecycle_exit_status(&well, true), 1, "it ended well, and tiptop has failed");
	tap_int(lifecycle_exit_status(&badly, false), 3, "its status is that of tiptop");
	tap_int(lifecycle_exit_status(&badly, true), 3, "where tiptop has failed, too");
	tap_int(lifecycle_exit_status(&waited, true), 1,
		"a child that was no command yet has none");
}

/* --- hooks --- */

/* The hooks called, a letter each. */
struct steps {
	struct lifecycle life;
	char seen[16];
	int n;
	enum lifecycle_state state; /* at the last hook */
	int zombie_result;
};

static int note(struct steps *s, char step)
{
	s->seen[s->n++] = step;
	s->state = s->life.state;
	return 0;
}

static int on_start(void *context, struct err *err)
{
	(void)err;
	return note(context, 's');
}

static int on_executed(void *context, struct err *err)
{
	(void)err;
	return note(context, 'e');
}

static int on_zombie(void *context, struct err *err)
{
	struct steps *s = context;

	(void)err;
	note(s, s->life.state == LIFECYCLE_ZOMBIE ? 'z' : '?');
	return s->zombie_result;
}

static int on_reaped(void *context, struct err *err)
{
	(void)err;
	return note(context, 'r');
}

static const struct lifecycle_hooks hooks = {
	.started = on_start, .executed = on_executed, .zombie = on_zombie, .reaped = on_reaped};

static void begin_steps(struct steps *s, const struct answer *answers)
{
	*s = (struct steps){.life = begin(answers)};
	s->life.hooks = &hooks;
	s->life.context = s;
}

static void test_steps(void)
{
	const struct answer runs[] = {{0, 0, 0}, {0, 0, 0}, {0, CLD_EXITED, 3}, {0, CLD_EXITED, 3}};
	const struct answer lost[] = {{ECHILD, 0, 0}};
	struct err err = ERR_INIT;
	struct steps s;

	begin_steps(&s, runs);
	tap_int(lifecycle_advance(&s.life, &err), 0, "it runs");
	tap_str(s.seen, "", "it runs: no step");
	tap_ok(!lifecycle_has_ended(&s.life), "a look between steps");
	tap_int(lifecycle_advance(&s.life, &err), 0, "it has ended");
	tap_str(s.seen, "zr", "both steps of its end");
	tap_int(s.state, LIFECYCLE_REAPED, "it is reaped between both");
	tap_int(last_options, WEXITED | WNOHANG, "by a call that takes the zombie");
	tap_int(lifecycle_advance(&s.life, &err), 0, "another SIGCHLD");
	tap_str(s.seen, "zr", "repeats no step");
	tap_int(n_calls, 4, "nor a question");
	begin_steps(&s, lost);
	tap_int(lifecycle_advance(&s.life, &err), 0, "its end was taken by another");
	tap_str(s.seen, "zr", "lost: the same steps");
	tap_int(n_calls, 1, "lost: one question");
}

/* The end may be detected before the step that handles it. */
static void test_look_first(void)
{
	const struct answer ended[] = {{0, CLD_KILLED, 9}, {0, CLD_KILLED, 9}, {0, CLD_KILLED, 9}};
	struct err err = ERR_INIT;
	struct steps s;

	begin_steps(&s, ended);
	tap_ok(lifecycle_has_ended(&s.life), "a look sees the end");
	tap_str(s.seen, "", "and is no step");
	lifecycle_advance(&s.life, &err);
	tap_str(s.seen, "zr", "which come later");
	begin_steps(&s, ended);
	s.zombie_result = -EIO;
	tap_int(lifecycle_advance(&s.life, &err), -EIO, "the first step fails");
	tap_str(s.seen, "z", "there is no second one");
	tap_int(s.life.state, LIFECYCLE_REAPED, "but no zombie is left");
}

/* Runs a real child. The signals are blocked afterwards. */
static int run_child(struct steps *s, char **argv, struct signals *signals)
{
	struct err err = ERR_INIT;

	signals_begin(signals);
	tap_int(signals_block(signals, SIGNALS_PLAIN, &err), 0, "signals");
	s->life.hooks = &hooks;
	s->life.context = s;
	return lifecycle_run(&s->life, argv, SPAWN_QUIET, signals, &err);
}

/* A real child, through all steps. */
static void test_run(void)
{
	char shell[] = "sh", option[] = "-c", text[] = "exit 5";
	char *argv[] = {shell, option, text, NULL};
	struct steps s = {.life = LIFECYCLE_INIT};
	struct signals signals;

	tap_int(run_child(&s, argv, &signals), 0, "a command runs");
	tap_str(s.seen, "sezr", "in all steps");
	tap_int(lifecycle_exit_status(&s.life, false), 5, "its status");
	tap_int(waitid(P_ALL, 0, &(siginfo_t){.si_pid = 0}, WEXITED | WNOHANG), -1,
		"no child is left");
	lifecycle_done(&s.life);
	signals_unblock(&signals, true);
	signals_done(&signals);
}

/* If the command cannot be executed, no step that overwrites files is run. */
static void test_not_executable(void)
{
	char folder[] = "/", *argv[] = {folder, NULL};
	struct steps s = {.life = LIFECYCLE_INIT};
	struct signals signals;

	tap_int(run_child(&s, argv, &signals), -EACCES, "a folder");
	tap_str(s.seen, "s", "a folder is not executed: only the first step");
	tap_int(lifecycle_exit_status(&s.life, true), 126, "its status");
	lifecycle_done(&s.life);
	signals_unblock(&signals, true);
	signals_done(&signals);
}

/* Two signals arrive before the first one can end the command. */
static void test_signals(bool second_ends_wait)
{
	const struct lifecycle_hooks use = {.second_ends_wait = second_ends_wait};
	char sleeper[] = "sleep", time[] = "1000", *argv[] = {sleeper, time, NULL};
	struct lifecycle life = LIFECYCLE_INIT;
	const char *name = second_ends_wait ? "the second one leaves" : "each is handed on";
	struct err err = ERR_INIT;
	struct signals signals;

	signals_begin(&signals);
	if (signals_block(&signals, SIGNALS_PLAIN, &err) ||
	    lifecycle_start(&life, argv, SPAWN_QUIET, &signals, &err)) {
		tap_ok(false, "%s: a command waits: %s", name, err.text);
		return;
	}
	life.hooks = &use;
	tap_int(lifecycle_launch(&life, sleeper, &err), 0, "%s: a command runs", name);
	raise(SIGINT);
	raise(SIGTERM);
	tap_int(lifecycle_wait(&life, &err), 0, "%s: two signals", name);
	tap_int(life.left, second_ends_wait, "%s: the command is left, or not", name);
	tap_int(life.state, second_ends_wait ? LIFECYCLE_RUNNING : LIFECYCLE_REAPED,
		"%s: its end was waited for, or not", name);
	tap_int(life.end_signal, SIGTERM, "%s: the last signal", name);
	kill(second_ends_wait ? life.spawn.pid : 0, second_ends_wait ? SIGKILL : 0);
	waitid(P_ALL, 0, &(siginfo_t){.si_pid = 0}, WEXITED);
	lifecycle_reap(&life);
	tap_int(life.state, LIFECYCLE_REAPED, "%s: the test leaves none", name);
	lifecycle_done(&life);
	signals_unblock(&signals, true);
	signals_done(&signals);
}

/* A name for which there is no file, and those that execve(2) has to decide on. */
static void test_find(void)
{
	static const struct {
		const char *command, *path;
		bool missing;
	} rows[] = {
		{"/dev/null/none", "/bin", true}, {"none-of-these", "/bin:/none", true},
		{"", "/bin:/none", false},        {"/dev/null", "", false},
		{"null", "/none:/dev", false},    {"/", "", false},
		{"none-of-these", NULL, false},   {"", "", true},
	};
	char *const path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lifecycle life = LIFECYCLE_INIT;
		struct err err = ERR_INIT;

		if (rows[i].path)
			setenv("PATH", rows[i].path, 1);
		else
			unsetenv("PATH");
		tap_int(lifecycle_find(&life, rows[i].command, &err), rows[i].missing ? -ENOENT : 0,
			"'%s' in '%s'", rows[i].command, rows[i].path ? rows[i].path : "no PATH");
		tap_int(lifecycle_exit_status(&life, false), rows[i].missing ? 127 : 0,
			"its exit status");
		tap_int(life.failed, rows[i].missing, "it has failed, or not");
		lifecycle_done(&life);
	}
	if (path)
		setenv("PATH", path, 1);
	free(path);
}

int main(void)
{
	test_exit_status();
	test_find();
	test_ends();
	test_looks();
	test_once();
	test_cannot_run(false);
	test_cannot_run(true);
	test_killed_early();
	test_steps();
	test_look_first();
	test_run();
	test_not_executable();
	/* A shell lets background jobs ignore SIGINT. */
	signal(SIGINT, SIG_DFL);
	test_signals(false);
	test_signals(true);
	return tap_done();
}
