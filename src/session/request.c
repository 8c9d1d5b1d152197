/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/request.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/unit.h"
#include "collect/task/proc_file.h"
#include "conf/write.h"
#include "conf/xml.h"
#include "pmu/check/refusal.h"
#include "pmu/perf/core.h"
#include "session/output.h"
#include "session/screen_change.h"
#include "session/view_options.h"
#include "tui/setup_page.h"

/* ---- target ---- */

/* Returns the start time of the task, in ns since the boot; 0: the task does not exist. */
static uint64_t read_start_ns(const struct live_task *task)
{
	const struct proc_units units = {.tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK)};
	struct proc_facts facts = {.start_ns = 0};
	char path[64], text[1024];

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", task->pid, task->id);
	if (file_read(AT_FDCWD, path, text, sizeof text) <= 0 ||
	    proc_parse_stat(text, &units, &facts))
		return 0;
	return facts.start_ns;
}

static bool is_same(const struct live_task *task)
{
	return read_start_ns(task) == task->start_ns;
}

static void add(struct targets *t, const struct live_task *task)
{
	int fd = (int)syscall(SYS_pidfd_open, task->pid, 0);

	/* The start time is checked after the pidfd was opened, so that the pid cannot be reused in
	 * between. */
	if ((fd < 0 && errno == ESRCH) || !is_same(task)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct target){*task, fd};
}

void targets_take(struct targets *t, const struct live_task *tasks, size_t n)
{
	targets_release(t);
	for (size_t i = 0; i < n; i++)
		add(t, &tasks[i]);
}

void targets_release(struct targets *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].fd >= 0)
			close(t->v[i].fd);
	free(t->v);
	*t = (struct targets){.n = 0};
}

const struct target *targets_find(const struct targets *t, long pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].task.pid == pid)
			return &t->v[i];
	return NULL;
}

static int say_ended(const struct live_task *task, struct err *err)
{
	return err_set(err, ESRCH, "%d has ended", task->id);
}

/* Sets the sentence with the owner of the task and the capability needed. Returns -EPERM, or -ESRCH
 * if the task has exited. */
static int say_denied(const struct live_task *task, const char *what, const char *capability,
		      struct err *err)
{
	struct task_status status;
	const struct passwd *pw;

	if (task_status_read(task->id, &status))
		return say_ended(task, err);
	if (status.uid == (long)geteuid())
		return err_set(err, EPERM, "%s %d is not allowed: that takes %s", what, task->id,
			       capability);
	pw = getpwuid((uid_t)status.uid);
	return err_set(err, EPERM,
		       "%s %d is not allowed: it belongs to %s, and tasks of others take %s", what,
		       task->id, pw ? pw->pw_name : "another user", capability);
}

static int send_signal(const struct target *t, int signal)
{
	if (t->fd >= 0)
		return (int)syscall(SYS_pidfd_send_signal, t->fd, signal, NULL, 0);
	if (!is_same(&t->task)) {
		errno = ESRCH;
		return -1;
	}
	return kill(t->task.pid, signal);
}

/* Sets the sentence that the signal is not allowed, with the owner of the task and the capability
 * needed. Returns -EPERM, or -ESRCH if the task has exited. */
static int target_say_denied(const struct target *t, int signal, struct err *err)
{
	char what[48];

	snprintf(what, sizeof what, "sending signal %d to", signal);
	return say_denied(&t->task, what, "CAP_KILL", err);
}

int target_signal(const struct target *t, int signal, struct err *err)
{
	if (!send_signal(t, signal))
		return 0;
	if (errno == ESRCH)
		return say_ended(&t->task, err);
	if (errno == EPERM)
		return target_say_denied(t, signal, err);
	return err_set(err, errno, "signal %d cannot be sent to %d: %s", signal, t->task.pid,
		       strerror(errno));
}

/* Calls act() for the thread, or for all threads of the process, also for those that start
 * meanwhile; ignores threads that exit. Returns 0 or -errno. */
static int each_thread(const struct target *t, int (*act)(int tid, const void *how),
		       const void *how)
{
	int before = -1, n = 0;

	if (!is_same(&t->task))
		return -ESRCH;
	if (!t->task.whole)
		return act(t->task.id, how) ? -errno : 0;
	while (n != before) {
		struct folder folder;
		const char *name;
		int failed = 0;

		before = n;
		n = folder_open(&folder, "/proc/%d/task", t->task.pid);
		if (n <= 0)
			return -ESRCH;
		while ((name = folder_next(&folder)))
			if (!failed && act((int)strtol(name, NULL, 10), how) && errno != ESRCH)
				failed = errno;
		if (failed)
			return -failed;
	}
	return 0;
}

static int set_thread_nice(int tid, const void *how)
{
	return setpriority(PRIO_PROCESS, (id_t)tid, *(const int *)how);
}

int target_nice(const struct target *t, int *nice, struct err *err)
{
	errno = 0;
	*nice = getpriority(PRIO_PROCESS, (id_t)t->task.id);
	if (errno || !is_same(&t->task))
		return say_ended(&t->task, err);
	return 0;
}

int target_set_nice(const struct target *t, int nice, struct err *err)
{
	char what[64];
	int ret, before;

	if (target_nice(t, &before, err))
		return -ESRCH;
	ret = each_thread(t, set_thread_nice, &nice);
	if (ret == -ESRCH)
		return say_ended(&t->task, err);
	snprintf(what, sizeof what, "the nice value %d, in place of %d, for", nice, before);
	if (ret == -EPERM || ret == -EACCES)
		return say_denied(&t->task, what, "CAP_SYS_NICE", err);
	if (ret)
		return err_set(err, -ret, "the nice value of %d cannot be set: %s", t->task.id,
			       strerror(-ret));
	return 0;
}

static void add_range(struct strbuf *out, int first, int last)
{
	strbuf_addf(out, "%s%d", out->len ? "," : "", first);
	if (last > first)
		strbuf_addf(out, "-%d", last);
}

int target_cpus(const struct target *t, struct strbuf *out, struct err *err)
{
	struct cpu_list cpus;
	int first = -1;

	memset(&cpus, 0, sizeof cpus);
	if (sched_getaffinity(t->task.id, sizeof cpus, cpus.set) || !is_same(&t->task))
		return say_ended(&t->task, err);
	for (int cpu = 0; cpu <= AFFINITY_CPUS; cpu++) {
		bool set = cpu < AFFINITY_CPUS && CPU_ISSET_S((size_t)cpu, sizeof cpus, cpus.set);

		if (set && first < 0)
			first = cpu;
		if (!set && first >= 0) {
			add_range(out, first, cpu - 1);
			first = -1;
		}
	}
	return 0;
}

static int set_thread_cpus(int tid, const void *how)
{
	return sched_setaffinity(tid, sizeof(struct cpu_list), ((const struct cpu_list *)how)->set);
}

int target_set_cpus(const struct target *t, const char *list, struct err *err)
{
	struct cpu_list cpus;
	int ret;

	if (!cpu_list_is(list))
		return err_set(err, EINVAL, "'%s' is not a list of CPUs: write one as 0-3,8", list);
	cpu_list_parse(&cpus, list);
	ret = each_thread(t, set_thread_cpus, &cpus);
	if (ret == -ESRCH)
		return say_ended(&t->task, err);
	if (ret == -EPERM)
		return say_denied(&t->task, "choosing the CPUs of", "CAP_SYS_NICE", err);
	if (ret == -EINVAL)
		return err_set(err, EINVAL,
			       "%d may run on none of the CPUs %s: they are not there, "
			       "or its control group does not have them",
			       t->task.id, list);
	if (ret)
		return err_set(err, -ret, "the CPUs of %d cannot be set: %s", t->task.id,
			       strerror(-ret));
	return 0;
}

/* ---- request ---- */

/* ---- task ----
 * Actions on the tasks selected for a key. */

/* Calls act() for all targets; reports the number of successes, or the first error. */
static int act_on_all(struct live *live, const struct targets *targets, const char *done,
		      int (*act)(const struct target *t, const struct request *r, struct err *err),
		      const struct request *request, struct err *err)
{
	struct err first = ERR_INIT, one = ERR_INIT;
	char text[ERR_TEXT_MAX + 64];
	size_t n = 0;

	if (!targets->n)
		return err_set(err, ESRCH, "the task has ended");
	for (size_t i = 0; i < targets->n; i++)
		if (!act(&targets->v[i], request, &one))
			n++;
		else if (!first.code)
			first = one;
	if (!n)
		return err_set(err, first.code, "%s", first.text);
	if (targets->n == 1)
		snprintf(text, sizeof text, "%s %d", done, targets->v[0].task.id);
	else if (n == targets->n)
		snprintf(text, sizeof text, "%s %zu tasks", done, n);
	else
		snprintf(text, sizeof text, "%s %zu of %zu tasks; %s", done, n, targets->n,
			 first.text);
	live_message(live, text);
	return 0;
}

static int send_one(const struct target *t, const struct request *request, struct err *err)
{
	return target_signal(t, request->signal, err);
}

/* Sends the signal to a pid that the user typed instead of the offered one. Whichever process has
 * that pid now gets the signal, as no pidfd was opened for it before. */
static int signal_number(struct live *live, const struct request *request, const char *done,
			 long pid, struct err *err)
{
	const struct target who = {.task = {.pid = (int32_t)pid, .id = (int32_t)pid}, .fd = -1};
	char text[ERR_TEXT_MAX];

	if (kill((pid_t)pid, request->signal)) {
		if (errno == EPERM)
			return target_say_denied(&who, request->signal, err);
		return err_set(err, errno, "cannot send signal %d to %ld: %s", request->signal, pid,
			       strerror(errno));
	}
	snprintf(text, sizeof text, "%s %ld", done, pid);
	live_message(live, text);
	return 0;
}

static int request_signal(struct live *live, const struct targets *targets,
			  const struct request *request, struct err *err)
{
	const char *name = code_name_signal(request->signal);
	char done[64];
	long pid;
	int ret;

	snprintf(done, sizeof done, "signal %d%s%s%s sent to", request->signal, name ? " (SIG" : "",
		 name ? name : "", name ? ")" : "");
	if (request->kind == REQUEST_KILL_TAGGED)
		return act_on_all(live, targets, done, send_one, request, err);
	ret = num_parse_int(request->text, "the pid", 1, INT32_MAX, &pid, err);
	if (ret)
		return ret;
	if (pid == request->offered)
		return act_on_all(live, targets, done, send_one, request, err);
	return signal_number(live, request, done, pid, err);
}

static int set_nice(const struct target *t, const struct request *request, struct err *err)
{
	long nice;
	int ret = num_parse_int(request->text, "the nice value", -20, 19, &nice, err);

	return ret ? ret : target_set_nice(t, (int)nice, err);
}

static int bound_nice(int nice)
{
	return nice < -20 ? -20 : nice > 19 ? 19 : nice;
}

/* Adds request->signal to the nice value of a task, limited to -20..19. */
static int add_nice(const struct target *t, const struct request *request, struct err *err)
{
	int nice, ret = target_nice(t, &nice, err);

	if (ret)
		return ret;
	return target_set_nice(t, bound_nice(nice + request->signal), err);
}

static int set_cpus(const struct target *t, const struct request *request, struct err *err)
{
	return target_set_cpus(t, request->text, err);
}

/* Writes the action as words; for a single task, with the old and the new nice value. by: `change`
 * is added, else it is the new value. */
static void write_nice(char *out, size_t size, const struct targets *targets, bool by, int change)
{
	struct err err = ERR_INIT;
	int before, after;

	if (targets->n != 1 || target_nice(&targets->v[0], &before, &err)) {
		snprintf(out, size, by ? "nice value %+d for" : "nice value %d for", change);
		return;
	}
	after = by ? bound_nice(before + change) : change;
	if (after == before)
		snprintf(out, size, "nice value %d, as before, for", after);
	else
		snprintf(out, size, "nice value %d, before it was %d, for", after, before);
}

static int request_nice(struct live *live, const struct targets *targets,
			const struct request *request, struct err *err)
{
	const bool by = request->kind == REQUEST_NICE_BY;
	char done[64];

	write_nice(done, sizeof done, targets, by,
		   by ? request->signal : (int)strtol(request->text, NULL, 10));
	return act_on_all(live, targets, done, by ? add_nice : set_nice, request, err);
}

static int request_cpus(struct live *live, const struct targets *targets,
			const struct request *request, struct err *err)
{
	char done[REQUEST_TEXT_MAX + 16];

	snprintf(done, sizeof done, "CPUs %s for", request->text);
	return act_on_all(live, targets, done, set_cpus, request, err);
}

/* Opens the prompt with the current value of the first task. */
static int offer(struct live *live, const struct target *first, enum request_kind kind,
		 struct err *err)
{
	struct strbuf text;
	int nice, ret;

	strbuf_init(&text);
	if (kind == REQUEST_NICE) {
		ret = target_nice(first, &nice, err);
		strbuf_addf(&text, "%d", nice);
	} else {
		ret = target_cpus(first, &text, err);
	}
	if (!ret)
		live_offer(live, kind, text.len < REQUEST_TEXT_MAX ? text.text : "");
	strbuf_done(&text);
	return ret;
}

/* Keeps the selected tasks for the request that follows; opens its prompt, or acts at once if no
 * answer is needed. */
static int request_hold(struct live *live, struct targets *targets, const struct request *request,
			struct err *err)
{
	size_t n;
	const struct live_task *task = live_tasks(live, &n);

	targets_take(targets, task, n);
	if (n && !targets->n)
		return err_set(err, ESRCH, n > 1 ? "the tagged tasks have ended" : "%d has ended",
			       task->id);
	switch (request->then) {
	case REQUEST_NICE:
	case REQUEST_CPUS:
		return offer(live, &targets->v[0], request->then, err);
	case REQUEST_NICE_BY:
		return request_nice(
			live, targets,
			&(struct request){.kind = REQUEST_NICE_BY, .signal = request->signal}, err);
	default:
		return 0; /* the prompt is open already */
	}
}

/* ---- request ---- */

static void say(struct live *live, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct live *live, const char *fmt, ...)
{
	char text[ERR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	live_message(live, text);
}

static int set_delay(struct display *display, const char *text, struct err *err)
{
	double delay;
	int ret = num_parse_double(text, "the delay", OPTION_DELAY_MIN, OPTION_DELAY_MAX, &delay,
				   err);

	if (!ret)
		display->view.delay_s = delay;
	return ret;
}

/* Asks whether the existing file may be overwritten. kind: the request that overwrites the file. */
static void ask_to_overwrite(struct live *live, const struct request *request,
			     enum request_kind kind, const char *what)
{
	struct request then = *request;
	char question[REQUEST_TEXT_MAX + 64];

	then.kind = kind;
	snprintf(question, sizeof question, "'%s' exists: %s? (y/n)", request->text, what);
	live_confirm(live, question, &then);
}

static int write_picture(const struct configuration *config, struct live *live,
			 const struct request *request, struct err *err)
{
	bool overwrite = request->kind == REQUEST_PICTURE_OVERWRITE;
	struct strbuf picture;
	char *path;
	int ret = conf_expand_path(request->text, &path, err);

	if (ret)
		return ret;
	strbuf_init(&picture);
	ret = output_check_files(config, OUTPUT_PICTURE, path, err);
	if (!ret)
		ret = live_picture(live, path, &picture, err);
	if (!ret)
		ret = replace_file(path, &picture, overwrite, err);
	if (!ret)
		say(live, "a picture was written to '%s'", path);
	if (ret == -EEXIST && !overwrite) {
		ask_to_overwrite(live, request, REQUEST_PICTURE_OVERWRITE, "overwrite it");
		ret = 0;
	}
	strbuf_done(&picture);
	free(path);
	return ret;
}

/* Returns the options to write. A command with options of its own keeps those of the file, which
 * are for the monitor, apart from those that were changed in the setup. */
static const struct options *options_to_write(struct setup *s, const struct setup_page *page)
{
	if (!s->config.take_options)
		return &s->config.options;
	for (size_t i = 0; i < page->n; i++)
		if (page->v[i].option)
			settings_keep(&s->config, page->v[i].option);
	return &s->config.of_file;
}

/* Writes the configuration. *written: set to whether the file has the whole state now. */
static int write_state(struct setup *s, struct live *live, const struct request *request,
		       bool *written, struct err *err)
{
	struct conf_state state = {NULL, &s->config.own.table, &s->config.own_screens,
				   &s->config.themes, &s->config.filters};
	bool overwrite = request->kind == REQUEST_OVERWRITE;
	char *path;
	int ret = conf_expand_path(request->text, &path, err);

	if (ret)
		return ret;
	state_save_for_file(s);
	state.options = options_to_write(s, live_setup(live));
	ret = output_check_files(&s->config, OUTPUT_CONFIGURATION, path, err);
	if (!ret)
		ret = conf_write(path, &state, &s->config.file, overwrite, err);
	if (ret >= 0 && conf_is_base(path, &s->config.file)) {
		change_follow_file(&s->config);
		setup_page_saved(live_setup(live));
	}
	*written = ret >= 0;
	if (ret == -EEXIST && !overwrite) {
		ask_to_overwrite(live, request, REQUEST_OVERWRITE,
				 conf_is_base(path, &s->config.file)
					 ? "change what is different in it"
					 : "overwrite it");
		ret = 0;
	} else if (ret == CONF_SAME) {
		say(live, "'%s' has all of this already: it was not written", path);
		ret = 0;
	} else if (!ret) {
		say(live, "the configuration was written to '%s'", path);
	}
	free(path);
	return ret;
}

/* Reports an error without opening a prompt again. */
static enum request_effect tell(struct live *live, const struct err *err)
{
	live_message(live, err->text);
	return EFFECT_NONE;
}

/* Handles a request of the setup page. */
static enum request_effect handle_setup(struct setup *s, struct live *live,
					const struct request *request)
{
	struct setup_page *page = live_setup(live);
	struct err err = ERR_INIT;
	int ret;

	const double delay_s = s->display.view.delay_s;

	if (request->kind == REQUEST_SETUP) {
		change_find_choices(s);
		settings_find(s);
		return EFFECT_SHOW;
	}
	ret = page->wanted.option ? settings_set(s, &page->wanted, &err)
				  : change_screen(s, &page->wanted, &err);
	setup_page_changed(page, !ret);
	settings_find(s);
	if (ret)
		return tell(live, &err);
	return s->display.view.delay_s != delay_s ? EFFECT_DELAY : EFFECT_SCREEN;
}

static enum request_effect apply_filter(struct setup *s)
{
	const struct filter filter = state_source_filter(s);

	return s->backend.source->ops->filter(s->backend.source, &filter) ? EFFECT_COUNT
									  : EFFECT_SHOW;
}

/* Sets the filter by user, or by pid, name or command line. */
static int choose_tasks(struct setup *s, const struct request *request, struct err *err)
{
	return request->kind == REQUEST_USER ? state_set_user(s, request->text, err)
					     : state_set_filter(s, request->text, err);
}

/* Writes a picture or the configuration to the named file. If the configuration was written before
 * quitting, quits. */
static int write_file(struct setup *s, struct live *live, const struct request *request,
		      enum request_effect *effect, struct err *err)
{
	bool written = false;
	int ret;

	if (request->kind != REQUEST_WRITE && request->kind != REQUEST_OVERWRITE)
		return write_picture(&s->config, live, request, err);
	ret = write_state(s, live, request, &written, err);
	if (written && request->then == REQUEST_QUIT)
		*effect = EFFECT_ASK_QUIT;
	return ret;
}

static int act_on_tasks(struct live *live, struct targets *targets, const struct request *request,
			struct err *err)
{
	if (request->kind == REQUEST_CPUS)
		return request_cpus(live, targets, request, err);
	if (request->kind == REQUEST_NICE || request->kind == REQUEST_NICE_BY)
		return request_nice(live, targets, request, err);
	return request_signal(live, targets, request, err);
}

/* Opens the prompt again with the error; not for tagged tasks, which may have exited. */
static enum request_effect refuse(struct live *live, const struct request *request,
				  const struct err *err)
{
	if (request->kind == REQUEST_KILL_TAGGED)
		return tell(live, err);
	live_refuse(live, request, err->text);
	return EFFECT_SHOW;
}

/* Sets the row filter, which may need facts that are not read yet. */
static enum request_effect set_row_filter(struct setup *s, struct live *live,
					  const struct request *request)
{
	struct err err = ERR_INIT;

	if (state_set_row_filter(s, request->text, &err))
		return refuse(live, request, &err);
	return fact_within(state_filter_facts(&s->display), s->backend.facts) ? EFFECT_SHOW
									      : EFFECT_SCREEN;
}

enum request_effect request_handle(struct setup *s, struct live *live, struct targets *targets,
				   const struct request *request)
{
	enum request_effect effect = EFFECT_SHOW;
	struct err err = ERR_INIT;
	int ret = 0;

	switch (request->kind) {
	case REQUEST_SETUP:
	case REQUEST_CHANGE:
		return handle_setup(s, live, request);
	case REQUEST_NONE:
	case REQUEST_QUIT: /* handled by the loop */
	case REQUEST_COLUMN:
	case REQUEST_COPY:
	case REQUEST_SETTING:
	case REQUEST_SEARCH:
	case REQUEST_REPLAY: /* this and the following are handled by the loop */
	case REQUEST_RECORD:
	case REQUEST_RECORD_TO:
	case REQUEST_JUMP:
		return EFFECT_NONE;
	case REQUEST_LEAVE:
		return EFFECT_QUIT;
	case REQUEST_END:
		return EFFECT_END_COMMAND;
	case REQUEST_DELAY:
		ret = set_delay(&s->display, request->text, &err);
		effect = EFFECT_DELAY;
		break;
	case REQUEST_ROW_FILTER:
		return set_row_filter(s, live, request);
	case REQUEST_FILTER:
	case REQUEST_USER:
		ret = choose_tasks(s, request, &err);
		effect = apply_filter(s);
		break;
	case REQUEST_SCREEN:
		ret = state_set_screen(s, request->text, &err);
		effect = EFFECT_SCREEN;
		break;
	case REQUEST_WATCH:
		ret = state_set_watch(s, request->text, &err);
		break;
	case REQUEST_HOLD:
		return request_hold(live, targets, request, &err) ? tell(live, &err) : EFFECT_NONE;
	case REQUEST_KILL:
	case REQUEST_KILL_TAGGED:
	case REQUEST_NICE:
	case REQUEST_NICE_BY:
	case REQUEST_CPUS:
		ret = act_on_tasks(live, targets, request, &err);
		break;
	case REQUEST_PICTURE:
	case REQUEST_PICTURE_OVERWRITE:
	case REQUEST_WRITE:
	case REQUEST_OVERWRITE:
		ret = write_file(s, live, request, &effect, &err);
		break;
	}
	return ret ? refuse(live, request, &err) : effect;
}
