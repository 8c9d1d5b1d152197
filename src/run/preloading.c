/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/preloading.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "conf/option.h"
#include "inject/preload/events.h"
#include "inject/preload/exec_env.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp_filter.h"
#include "inject/preload/table_note.h"
#include "pmu/check/privilege.h"
#include "pmu/event/sysfs.h"
#include "pmu/perf/core.h"
#include "pmu/perf/sys.h"
#include "profile/locks/report.h"
#include "report/format.h"
#include "report/select.h"
#include "run/command_output.h"
#include "run/preloading_input.h"
#include "run/table_folder.h"
#include "tui/canvas.h"

/* ---- select ----
 *
 * The fields and rows of the report, and the file that it is appended to.
 */

/* Declares the columns of the report, with those of the events of --events. */
static void declare(const struct preloading *p, struct report_own_type *t)
{
	struct event_note note[EVENT_NOTES_MAX];
	const uint32_t n = preloading_events_name(p->events.text, note);

	p->use->declare(p, note, n, t);
}

/* Adds a column for each name in --fields and --sort that the report does not declare: only the
 * measured programs know these columns. */
static void complete(const struct preloading *p, struct report_own_type *t)
{
	char *sort = p->o.sort ? xstrndup(p->o.sort, strcspn(p->o.sort, ":")) : NULL;

	if (p->o.fields)
		report_choice_complete(t, p->o.fields);
	if (sort)
		report_choice_complete(t, sort);
	free(sort);
}

/* Checks the fields of --fields and --sort. Programs that are linked with libtiptop add columns for
 * their units of work. An unknown field may be such a column, so it only causes a note here. It is
 * an error later if no report has it. */
static int check_fields(struct preloading *p, struct err *err)
{
	struct err again = ERR_INIT;
	struct report_own_type type;
	int ret;

	declare(p, &type);
	ret = report_select_check(&p->selection, &type.type, err);
	if (ret && p->use->linked) {
		complete(p, &type);
		ret = report_select_check(&p->selection, &type.type, &again);
		if (!ret)
			fprintf(stderr,
				"tiptop: %s: %s; or units of work, which the program says when it "
				"runs\n",
				p->use->name, err->text);
		*err = again;
	}
	report_own_type_done(&type);
	return ret;
}

/* Checks the options of the report and sets p->selection. Returns 0, or -EINVAL with a sentence:
 * --append without -o, or an unknown field. */
static int preloading_select(struct preloading *p, struct err *err)
{
	const int ret = option_check_append(p->o.append, p->o.output, err);

	if (ret)
		return ret;
	p->selection = (struct report_selection){.fields = p->o.fields,
						 .sort = p->o.sort,
						 .rows = (size_t)p->o.rows,
						 .anonymous = &p->anonymous,
						 .of = p->use->options->program};
	return check_fields(p, err);
}

/* Appends the CSV header with which a file must begin, so that --append accepts it. The columns
 * that programs add are at the end of the header and still unknown: without --fields, the newline
 * is cut off, so that only the beginning of the header is compared. */
static void add_csv_header(const struct preloading *p, struct strbuf *out)
{
	struct report_own_type type;
	struct report report;

	declare(p, &type);
	if (p->o.fields)
		complete(p, &type);
	report_init(&report);
	report_heading(&report, &type.type);
	report_select(&report, &p->selection);
	report_write_csv(&report, true, out);
	if (p->use->linked && !p->o.fields)
		out->text[--out->len] = '\0';
	report_done(&report);
	report_own_type_done(&type);
}

static int check_json(struct preloading *p, struct err *err)
{
	int ret = 0;

	/* A JSON row begins with "type", unless --fields lists "type": then it is at its place in
	 * the list. */
	if (p->use->linked && p->o.fields && strstr(p->o.fields, "type"))
		return dest_check(&p->dest, "{\"", err);

	for (size_t i = 0; i < 2 && p->use->json_types[i]; i++) {
		char *head = xasprintf("{\"type\":\"%s\",", p->use->json_types[i]);
		struct err why = ERR_INIT;

		ret = dest_check(&p->dest, head, &why);
		free(head);
		if (!ret)
			return 0;
		if (!i)
			*err = why;
	}
	return ret;
}

/* Sets the size of the terminal that shows the report as text, if there is one. */
static void fit_terminal(struct preloading *p)
{
	int width, height;

	if (p->format != REPORT_AS_TEXT || !isatty(p->dest.fd) ||
	    !winsize_ask(p->dest.fd, &width, &height))
		return;
	p->selection.width = width;
	p->selection.height = height;
}

static void add_page_head(struct strbuf *out)
{
	struct report none;

	report_init(&none);
	report_write_html(&none, true, out);
	report_done(&none);
}

/* Opens the file of -o; with --append, checks that its contents have the format of the report.
 * Returns 0, or -errno with a sentence. */
static int preloading_open(struct preloading *p, struct err *err)
{
	int ret = dest_open_or_append(&p->dest, p->o.output, p->o.append, err);
	struct strbuf header;

	if (!ret)
		fit_terminal(p);
	if (!p->o.append || ret)
		return ret;
	if (p->format == REPORT_AS_JSON)
		return check_json(p, err);
	strbuf_init(&header);
	if (p->format == REPORT_AS_TEXT)
		strbuf_addstr(&header, p->use->text_head);
	else if (p->format == REPORT_AS_HTML)
		add_page_head(&header);
	else
		add_csv_header(p, &header);
	ret = dest_check(&p->dest, header.text, err);
	strbuf_done(&header);
	return ret;
}

/* ---- start ----
 *
 * Makes the environment of the command.
 */

/* Sets `path` to that of an object in `below`, a folder inside `folder` ("": `folder` itself).
 * Returns false if no such object can be read. */
static bool find_below(const char *folder, const char *below, const char *object, char *path,
		       size_t size)
{
	return snprintf(path, size, "%s%s/%s", folder, below, object) < (int)size &&
	       !access(path, R_OK);
}

/* Cuts the last name off a path; false: the path has no folder. */
static bool cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
	return slash != NULL;
}

/* Looks for the object beside this program, as in a build; then in ../lib/tiptop from there, as in
 * an installation in any folder; then in the configured folder. */
static int find_object(const struct preloading_use *use, const char *object, char *path,
		       size_t size, struct err *err)
{
	char own[PATH_MAX];
	const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);

	own[n > 0 ? n : 0] = '\0';
	if (cut_name(own) && find_below(own, "", object, path, size))
		return 0;
	if (cut_name(own) && find_below(own, "/lib/tiptop", object, path, size))
		return 0;
	if (find_below(PRELOAD_FOLDER, "", object, path, size))
		return 0;
	return err_set(err, ENOENT,
		       "%s: cannot find %s, neither beside tiptop, nor in ../lib/tiptop from "
		       "there, nor in " PRELOAD_FOLDER ": is it installed?",
		       use->name, object);
}

/* Appends the path to the list, as LD_PRELOAD needs it. Returns 0; -EINVAL with a sentence if it
 * has a blank or a colon. */
static int add_path(const struct preloading_use *use, const char *path, struct strbuf *list,
		    struct err *err)
{
	if (strpbrk(path, " :"))
		return err_set(err, EINVAL,
			       "%s: '%s' cannot be preloaded, as it has a blank or a colon in "
			       "its path",
			       use->name, path);
	strbuf_addf(list, "%s%s", list->len ? ":" : "", path);
	return 0;
}

static int add_object(const struct preloading_use *use, const char *object, struct strbuf *list,
		      struct err *err)
{
	char path[PATH_MAX];
	int ret = find_object(use, object, path, sizeof path, err);

	return ret ? ret : add_path(use, path, list, err);
}

/* Appends the paths of the wanted objects. tiptop-exec.so comes first: it calls functions that the
 * object after it counts. */
static int add_objects(const struct preloading_use *use, const struct preloading_want *want,
		       struct strbuf *list, struct err *err)
{
	int ret = want->follow_exec ? add_object(use, "tiptop-exec.so", list, err) : 0;

	if (!ret)
		ret = add_object(use, use->object, list, err);
	if (!ret && want->more && *want->more)
		ret = add_path(use, want->more, list, err);
	return ret;
}

/* Prepends the objects to those that the variable lists already. */
static int set_list(const char *variable, const char *objects)
{
	const char *before = getenv(variable);
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	strbuf_addstr(&list, objects);
	if (before && *before)
		strbuf_addf(&list, ":%s", before);
	ret = setenv(variable, list.text, 1);
	strbuf_done(&list);
	return ret;
}

/* Sets a variable for the object, or removes one that this process has inherited. variable NULL:
 * the object has none; value NULL or "": removes it. */
static int set_variable(const char *variable, const char *value)
{
	if (!variable)
		return 0;
	return value && *value ? setenv(variable, value, 1) : unsetenv(variable);
}

int preloading_check(const struct preloading_use *use, long sample, const char *events,
		     struct err *err)
{
	if (sample && !use->sample_variable)
		return err_set(err, EINVAL, "--sample is for tiptop locks: %s times each call",
			       use->name);
	return sample > 1 && events
		       ? err_set(err, EINVAL,
				 "--sample and --events exclude each other: events are "
				 "read in each acquisition: leave one of them out")
		       : 0;
}

int preloading_try(const struct preloading_use *use, const struct preloading_want *want,
		   struct err *err)
{
	const bool events = want->events && *want->events;
	const uint32_t lacking = filter_trial_find_lacking(SECCOMP_START | use->needs |
							   (events ? SECCOMP_EVENTS : 0) |
							   seccomp_calls_need_clock());

	if (!lacking && want->program && program_uses_musl(want->program))
		return err_set(
			err, ENODATA,
			"%s: '%s' cannot be measured: it uses the C library musl, which would "
			"end it, as %s needs glibc%s",
			use->name, want->program, use->object,
			use->otherwise ? use->otherwise : "");
	if (!lacking)
		return 0;
	return err_set(err, ENODATA,
		       "%s: nothing can be measured: tiptop runs under a filter of system calls "
		       "(seccomp(2)), as in a container, that does not allow %s, which %s calls: "
		       "let the filter allow it, or start tiptop outside of it",
		       use->name, seccomp_calls_name(lacking), use->object);
}

/* Sets all variables. Objects that LD_PRELOAD lists already come after those of tiptop, so that
 * their calls are measured, too. */
static int set_environment(const struct preloading_use *use, const struct preloading_want *want,
			   const char *objects)
{
	const struct syscall_filters filters = syscall_filters_read(SYSCALL_FILTERS_OWN);
	struct strbuf folder;
	char number[32];
	int ret = set_list("LD_PRELOAD", objects);

	snprintf(number, sizeof number, "%ld", want->sample);
	strbuf_init(&folder);
	strbuf_addf(&folder, "%ld:%d:%s", want->children ? 0 : (long)getpid(),
		    filters.n > 0 ? filters.n : 0, want->folder);
	if (!ret && want->follow_exec)
		ret = set_list(EXEC_VARIABLE, objects);
	if (!ret)
		ret = setenv(use->variable, folder.text, 1);
	if (!ret)
		ret = set_variable(use->stacks_variable, want->stacks ? "1" : NULL);
	if (!ret)
		ret = set_variable(use->chains_variable, want->chains ? "1" : NULL);
	if (!ret)
		ret = set_variable(EVENTS_VARIABLE, want->events);
	if (!ret)
		ret = set_variable(use->sample_variable, want->sample > 1 ? number : NULL);
	strbuf_done(&folder);
	return ret;
}

int preloading_prepare(const struct preloading_use *use, const struct preloading_want *want,
		       struct err *err)
{
	struct strbuf objects;
	int ret;

	strbuf_init(&objects);
	ret = add_objects(use, want, &objects, err);
	if (!ret && set_environment(use, want, objects.text))
		ret = err_set(err, ENOMEM, "%s: there is no memory", use->name);
	strbuf_done(&objects);
	return ret;
}

/* ---- preloading ---- */

/* --- the run --- */

uint64_t preloading_cpu_ns(const struct preloading *p, uint32_t pid, bool with_table)
{
	return pid == (uint32_t)p->life.spawn.pid && !with_table ? p->cpu_ns : 0;
}

/* Seconds between two readings of the ring buffers, which hold the records of some thousands of
 * processes. */
#define WATCH_S 0.1

static int on_watch(void *context, int fd, struct err *err)
{
	struct preloading *p = context;
	bool due;

	(void)fd;
	if (p->use->linked)
		p->use->linked->collect(p);
	else
		table_folder_collect(&p->folder);
	if (p->watch)
		process_watch_update(p->watch);
	if (p->futexes)
		futex_watch_update(p->futexes);
	return pace_read_timer(&p->pace, &due, err);
}

static int start_pace(struct preloading *p, struct err *err)
{
	const int ret = pace_begin(&p->pace, NULL, err);

	return ret ? ret : pace_start(&p->pace, WATCH_S, WATCH_S, err);
}

/* Starts to record calls of futex(2), if that is wanted. Returns 0, or -errno with a sentence,
 * which ends tiptop. */
static int start_futexes(struct preloading *p, struct err *err)
{
	const struct futex_table_options o = {.command = p->life.spawn.pid,
					      .all = p->o.children,
					      .stacks = preloading_wants_stacks(p),
					      .ns_per_tick = locks_report_speed()};

	return p->o.kernel
		       ? futex_watch_open(&p->futexes, &p->kernel.sys, &event_host_here, &o, err)
		       : 0;
}

/* Returns 0; or, with --kernel, -EPERM with a sentence that a filter does not allow its calls. */
static int check_lacking(const struct preloading *p, uint32_t lacking, struct err *err)
{
	if (!p->o.kernel)
		return 0;
	return err_set(err, EPERM,
		       "--kernel: tiptop runs under a filter of system calls (seccomp(2)), as in a "
		       "container, that does not allow %s: let the filter allow it, start tiptop "
		       "outside of it, or leave out --kernel",
		       seccomp_calls_name(lacking));
}

/* Starts to watch the processes of the command; if the kernel refuses, or a filter might end tiptop
 * for that, the command runs unwatched. */
static int watch_processes(struct preloading *p, struct err *err)
{
	const uint32_t lacking = filter_trial_find_lacking(SECCOMP_EVENTS);

	if (lacking)
		return check_lacking(p, lacking, err);
	perf_kernel_init(&p->kernel, NULL, 0);
	privilege_wrap(&p->kernel);
	p->watch = process_watch_open(&p->kernel.sys, cpu_numbers_end(CPUS_PRESENT),
				      p->life.spawn.pid, p->o.children, p->use->clock);
	return start_futexes(p, err);
}

/* Without a timer, tables stay in the folder. */
static int start_watch(void *context, struct err *err)
{
	struct preloading *p = context;
	int ret;

	if (p->use->linked)
		return start_pace(p, err);
	if (p->refused)
		return 0;
	table_folder_watch_ends(&p->folder);
	ret = watch_processes(p, err);
	if (ret)
		return ret;
	ret = start_pace(p, p->watch ? err : NULL);
	return p->watch ? ret : 0;
}

/* Truncates the old files of the report. */
static int begin_files(void *context, struct err *err)
{
	struct preloading *p = context;
	const int ret = dest_begin(&p->dest, err);

	return ret || !p->o.folded ? ret : dest_begin(&p->folded, err);
}

static int read_last(void *context, struct err *err)
{
	struct preloading *p = context;

	(void)err;
	p->end = p->use->clock();
	p->cpu_ns = clock_process_ns(p->life.spawn.pid);
	if (p->watch)
		process_watch_end(p->watch);
	if (p->futexes)
		futex_watch_end(p->futexes);
	return 0;
}

static void add_waits(void *context, struct wait *wait)
{
	struct preloading *p = context;
	int fd;

	wait_add(wait, p->pace.timer_fd, POLLIN, on_watch, p);
	for (size_t i = 0; p->futexes && (fd = futex_watch_fd(p->futexes, i)) >= 0; i++)
		wait_add(wait, fd, POLLIN, on_watch, p);
}

static const struct lifecycle_hooks hooks = {.started = start_watch,
					     .executed = begin_files,
					     .zombie = read_last,
					     .add_waits = add_waits};

/* --- the report --- */

/* The preloaded objects turn this check of the sanitizer off (inject/preload/process.c), unless
 * ASAN_OPTIONS or a function of the program turns it on. */
#define SANITIZER                                                                                  \
	"has a sanitizer that wants to come first (ASAN_OPTIONS=verify_asan_link_order=0 turns "   \
	"that off)"
#define LOST_WHY                                                                                   \
	"a program does not load it if it is linked statically, runs with other rights or mounts " \
	"than yours, " SANITIZER ", or "

#define OTHER_USER "another user than that of tiptop cannot make tables: start tiptop as that user"

/* Why programs measured nothing that loaded the object. */
static const char *const unmeasured_why[TABLE_FOLDER_MARKS] = {
	[TABLE_FOLDER_FILTERED] = "a filter of system calls (seccomp(2)) was set before",
	[TABLE_FOLDER_NO_PROC] = "/proc/self/status could not be read there",
	[TABLE_FOLDER_OTHER_USER] = OTHER_USER,
};

/* Adds why all unmeasured programs have loaded the object, but measured nothing. */
static void add_unmeasured_why(const struct preloading *p, struct strbuf *out)
{
	const size_t before = out->len;

	for (size_t i = 0; i < TABLE_FOLDER_MARKS; i++) {
		if (!p->n_unmeasured[i])
			continue;
		strbuf_addf(out, "%s%s", out->len > before ? "; or " : "", unmeasured_why[i]);
		if (i == TABLE_FOLDER_FILTERED)
			strbuf_addf(out, ", which may end the program for a call that %s makes",
				    p->use->object);
		if (i == TABLE_FOLDER_NO_PROC)
			strbuf_addf(out,
				    ", so it is unknown whether a filter of system calls "
				    "(seccomp(2)) would end the program for a call that %s makes: "
				    "mount /proc",
				    p->use->object);
	}
}

void preloading_note_table(struct preloading *p, uint32_t pid, uint64_t begin)
{
	if (p->watch)
		process_watch_note_table(p->watch, pid, begin);
}

uint64_t preloading_program_end(const struct preloading *p, uint32_t pid, uint64_t begin,
				uint64_t next, bool *executes)
{
	uint64_t end = 0;

	*executes = false;
	if (p->watch)
		end = process_watch_program_end(p->watch, pid, begin, executes);
	*executes |= next != 0;
	end = end ? end : next ? next : p->end;
	return end > begin ? end : begin;
}

void preloading_note_unread(struct preloading *p, const char *name, const struct err *why)
{
	int pid;

	if (!p->n_unread++)
		p->unread = *why;
	if (p->watch && sscanf(name, PROCESS_FILE_PREFIX "%d", &pid) == 1)
		process_watch_note_unread(p->watch, pid);
}

void preloading_note_left_out(struct preloading *p, const uint32_t n[LEFT_OUT_N])
{
	for (size_t i = 0; i < LEFT_OUT_N; i++)
		p->n_left_out[i] += n[i];
}

void preloading_print_stop(const struct preloading *p, uint32_t pid, uint32_t lacking,
			   uint64_t ticks, uint64_t ns_per_tick)
{
	struct strbuf text;

	strbuf_init(&text);
	if (header_set_stop(&text, lacking, ticks, ns_per_tick))
		fprintf(stderr, "tiptop: %s: process %u: %s\n", p->use->name, pid, text.text);
	strbuf_done(&text);
}

/* Prints which programs measured nothing; all of them have loaded the object. */
static void print_loaded(const struct preloading *p, const char *names, size_t n)
{
	struct strbuf why;

	strbuf_init(&why);
	add_unmeasured_why(p, &why);
	fprintf(stderr, "tiptop: %s: %s %s not in this report: %s\n", p->use->name, names,
		n == 1 ? "is" : "are", why.text);
	strbuf_done(&why);
}

/* Prints which programs have not loaded the object, and why. unexplained: the number of these
 * without a known reason. */
static void print_unloaded(const struct preloading *p, const char *names, size_t n,
			   size_t unexplained)
{
	fprintf(stderr, "tiptop: %s: %s did not load %s, so %s not in this report", p->use->name,
		names, p->use->object, n == 1 ? "it is" : "they are");
	if (unexplained)
		fprintf(stderr, ": " LOST_WHY "%s",
			p->o.follow_exec ? "was executed where --follow-exec puts nothing back: "
					   "'tiptop help locks' says where"
					 : "LD_PRELOAD was changed before it was executed: "
					   "--follow-exec puts it back");
	for (size_t i = 0; i < TABLE_FOLDER_MARKS; i++)
		if (p->n_unmeasured[i])
			fprintf(stderr, "; %u of them did, but measured nothing, as %s",
				p->n_unmeasured[i], unmeasured_why[i]);
	fputc('\n', stderr);
}

/* Returns how many programs have loaded the object, but measured nothing. n: the programs without a
 * table. Without /proc, a program does not know whether it is to be measured, so without --children
 * such programs count only if they are among the n. */
static size_t count_loaded(struct preloading *p, size_t n)
{
	const unsigned known =
		p->n_unmeasured[TABLE_FOLDER_FILTERED] + p->n_unmeasured[TABLE_FOLDER_OTHER_USER];
	const size_t others = n > known ? n - known : 0;
	unsigned *without_proc = &p->n_unmeasured[TABLE_FOLDER_NO_PROC];

	if (p->watch && !p->o.children && *without_proc > others)
		*without_proc = (unsigned)others;
	return (size_t)known + *without_proc;
}

/* Prints which programs have no table. Their names are known if the kernel reports executions.
 * Programs that loaded the object are counted in any case. */
static void print_unmeasured(struct preloading *p)
{
	struct strbuf names;
	size_t n = 0, unexplained = 0, loaded;

	strbuf_init(&names);
	if (p->watch) {
		process_watch_read_reasons(p->watch, p->folder.path);
		n = process_watch_unmeasured(p->watch, &names, &unexplained);
	}
	loaded = count_loaded(p, n);
	if (n < loaded) {
		n = loaded;
		strbuf_reset(&names);
		strbuf_addf(&names, "%zu program%s that '%s' executed", n, n == 1 ? "" : "s",
			    p->command[0]);
	}
	if (n > loaded)
		print_unloaded(p, names.text, n, unexplained);
	else if (n)
		print_loaded(p, names.text, n);
	strbuf_done(&names);
}

/* Without records of the kernel, static programs are not measured; with them, the report has those
 * of --children, and no live view has any. */
static void print_running_static(const struct preloading *p, size_t n)
{
	if (!n || p->futexes)
		return;
	fprintf(stderr,
		"tiptop: %s: %zu process%s that '%s' started still run%s, and %s not in this "
		"report: linked statically, %s cannot load %s\n",
		p->use->name, n, n == 1 ? "" : "es", p->command[0], n == 1 ? "s" : "",
		n == 1 ? "is" : "are", n == 1 ? "it" : "they", p->use->object);
}

/* Prints how many processes were forked that could not be measured. */
static void print_left_out(const struct preloading *p)
{
	static const char *const why[LEFT_OUT_N] = {
		[LEFT_OUT_FOLDER] = "the folder of the tables does not exist there: another root "
				    "directory or other mounts",
		[LEFT_OUT_FILTERED] =
			"their parent had set a filter of system calls (seccomp(2)), which "
			"may end them for a call that is needed to begin",
		[LEFT_OUT_USER] = OTHER_USER,
		[LEFT_OUT_DESCRIPTORS] =
			"they have no free descriptor to open the folder of the tables",
	};

	for (size_t i = 0; i < LEFT_OUT_N; i++)
		if (p->n_left_out[i])
			fprintf(stderr, "tiptop: %s: %u forked process%s not in this report: %s\n",
				p->use->name, p->n_left_out[i],
				p->n_left_out[i] == 1 ? " is" : "es are", why[i]);
}

static void print_running(struct preloading *p)
{
	int pid;
	size_t n_static;
	const size_t n = process_watch_running(p->watch, &pid, &n_static);

	print_running_static(p, n_static);
	if (!n)
		return;
	p->leaves = p->o.children;
	fprintf(stderr, "tiptop: %s: %zu process%s that '%s' started still run%s, and ",
		p->use->name, n, n == 1 ? "" : "es", p->command[0], n == 1 ? "s" : "");
	if (p->o.children)
		fprintf(stderr,
			"the report has what was measured so far: 'tiptop %s --live %d' shows what "
			"follows\n",
			p->use->name, pid);
	else
		fprintf(stderr,
			"%s not in this report: --children measures %s, and 'tiptop %s --live' "
			"shows %s then\n",
			n == 1 ? "is" : "are", n == 1 ? "it" : "them", p->use->name,
			n == 1 ? "it" : "them");
}

/* Sets an error that explains why the command, which loaded the object, was not measured. Returns
 * false if no reason is known. */
static bool explain_loaded(const struct preloading *p, struct err *err)
{
	struct strbuf why;
	bool known;

	strbuf_init(&why);
	add_unmeasured_why(p, &why);
	known = why.len;
	if (known)
		err_set(err, ENODATA, "%s: '%s' was not measured: %s", p->use->name, p->command[0],
			why.text);
	strbuf_done(&why);
	return known;
}

static void explain_none(struct preloading *p, struct err *err)
{
	if (p->use->linked)
		p->use->linked->explain_none(p, err);
	else if (!explain_loaded(p, err))
		err_set(err, ENODATA,
			"%s: '%s' did not load %s: it is linked statically, runs with other "
			"rights than yours, is for another kind of machine, " SANITIZER
			", or has changed its environment%s",
			p->use->name, p->command[0], p->use->object,
			p->use->otherwise ? p->use->otherwise : "");
}

bool preloading_wants_stacks(const struct preloading *p)
{
	return p->o.folded || (p->format == REPORT_AS_HTML && !p->use->stacks_variable);
}

/* Appends to a page its head, and the stacks if there are any. */
static void add_to_page(struct preloading *p, struct strbuf *page)
{
	struct page_about about;
	char *of = xasprintf("tiptop %s", p->use->name);

	page_about_init(&about, of, p->command);
	page_about_anonymize(&about, &p->anonymous, false);
	report_html_add_about(page, &about.about);
	page_about_done(&about);
	free(of);
	if (p->stacks.len)
		report_html_add_stacks(page, p->use->stacks_title, "ns",
				       anonymous_clean(&p->anonymous, p->stacks.text));
}

/* Sets the error for tables that could not be read. Returns -errno; -ENODATA: the first one was not
 * begun, as its program had too low a limit or no memory. */
static int explain_unread(const struct preloading *p, struct err *err)
{
	const size_t others = p->n_unread - 1;
	const int code =
		p->unread.code == ECANCELED || p->unread.code == ENOMEM ? ENODATA : p->unread.code;

	if (!others)
		return err_set(err, code, "%s", p->unread.text);
	return err_set(err, code, "%s; %zu other table%s could not be read either", p->unread.text,
		       others, others == 1 ? "" : "s");
}

/* Writes a text of the report; keeps it elsewhere if its file is on a full disk, for example. If
 * the reader of a pipe has closed it, that is no failure: it has enough. what: "the report". ret:
 * the result so far. Returns 0 or -errno with a sentence. */
static int write_part(struct dest *d, const char *what, const struct strbuf *text, int ret,
		      struct err *err)
{
	struct err writing = ERR_INIT;
	const int failed = text->len ? dest_write(d, text->text, text->len, &writing) : 0;

	if (!failed || failed == -EPIPE)
		return ret;
	dest_keep(what, text, &writing);
	if (!ret)
		return err_set(err, writing.code, "%s", writing.text);
	print_fault(&writing, 0);
	return ret;
}

static int report(struct preloading *p, struct err *err)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	ret = p->use->report(p, &text, err);
	table_folder_count_marks(&p->folder, p->n_unmeasured);
	if (ret >= 0 && p->n_unread) {
		ret = explain_unread(p, err);
	} else if (!ret) {
		explain_none(p, err);
		ret = -ENODATA;
	}
	ret = ret < 0 ? ret : 0;
	if (text.len && p->format == REPORT_AS_HTML)
		add_to_page(p, &text);
	else if (p->format == REPORT_AS_JSON)
		report_number_json(&text);
	ret = write_part(&p->dest, "the report", &text, ret, err);
	strbuf_done(&text);
	if (p->o.folded)
		ret = write_part(&p->folded, "the file of stacks", &p->stacks, ret, err);
	return ret;
}

/* --- the steps in order --- */

/* Applies and checks the options; nothing is started. Returns 0, or -errno with a sentence. */
static int prepare(struct preloading *p, const struct option_list *arguments, struct err *err)
{
	int ret = option_apply(arguments, &p->o, err);
	struct err note = ERR_INIT;

	if (!ret)
		ret = preloading_check(p->use, p->o.sample, p->o.events, err);
	if (!ret)
		ret = preloading_check_files(p->o.output, p->o.folded, p->o.rules, p->o.functions,
					     err);
	if (!ret && p->use->prepare)
		ret = p->use->prepare(&p->o, err);
	if (!ret && p->o.events)
		ret = preloading_events_add(&p->events, p->o.events, p->use->modes, &note, err);
	if (ret)
		return ret;
	print_fault(&note, 0);
	if (p->o.events)
		preloading_events_print_ignored(p->o.events);
	ret = report_find_format(&p->format, p->o.format, REPORT_ALL_FORMATS, err);
	if (!ret)
		ret = report_check_anonymous(p->o.anonymize, p->format, err);
	if (!ret && p->use->check)
		ret = p->use->check(p, err);
	if (!ret)
		ret = preloading_select(p, err);
	if (ret)
		return ret;
	p->selection.fits_rows = !option_given(arguments, "rows");
	p->command = option_command(arguments);
	if (!p->command)
		return err_set(err, EINVAL, "%s: there is no command: 'tiptop %s -- command'",
			       p->use->name, p->use->name);
	page_about_begin_anonymous(&p->anonymous, p->o.anonymize, p->command);
	return 0;
}

/* Makes the environment of the command. If the command cannot be measured, prints why, and sets
 * p->refused: the command then runs unmeasured. */
static int prepare_command(struct preloading *p, struct err *err)
{
	const bool only_kernel = p->o.kernel && program_uses_musl(p->command[0]);
	const struct preloading_want want = {.folder = p->folder.path,
					     .program = only_kernel ? NULL : p->command[0],
					     .events =
						     p->use->linked ? p->o.events : p->events.text,
					     .more = p->additions.object,
					     .children = p->o.children,
					     .stacks = p->o.folded && !p->o.chains,
					     .chains = p->o.chains,
					     .follow_exec = p->o.follow_exec,
					     .sample = p->o.sample};

	if (p->use->linked)
		return p->use->linked->prepare(&want, err);
	if (!preloading_try(p->use, &want, err))
		return only_kernel ? 0 : preloading_prepare(p->use, &want, err);
	print_fault(err, EXIT_FAILED);
	*err = (struct err)ERR_INIT;
	p->refused = true;
	return 0;
}

/* Prints what the report lacks. ret: the result of the report. */
static void print_lacking(struct preloading *p, int ret)
{
	if (p->use->linked) {
		p->use->linked->print_lacking(p);
		return;
	}
	if ((ret != -ENODATA || p->n_unread) && !p->futexes)
		print_unmeasured(p);
	print_left_out(p);
	if (p->watch && !p->refused)
		print_running(p);
}

static int measure(struct preloading *p, struct err *err)
{
	int ret = preloading_open(p, err);

	/* The signals are blocked before other files are made, so that no signal leaves these
	 * behind. */
	if (!ret)
		ret = signals_block(&p->signals, SIGNALS_PLAIN, err);
	if (!ret && p->o.folded)
		ret = dest_open(&p->folded, p->o.folded, err);
	if (!ret && p->o.functions)
		ret = call_additions_make(&p->additions, p->o.functions, &p->signals, err);
	if (!ret)
		ret = table_folder_make(&p->folder, p->use->name, err);
	if (!ret)
		ret = prepare_command(p, err);
	if (!ret)
		ret = lifecycle_find(&p->life, p->command[0], err);
	if (!ret)
		ret = dest_try(&p->dest, err);
	if (!ret && p->o.folded)
		ret = dest_try(&p->folded, err);
	if (!ret)
		ret = lifecycle_run(&p->life, p->command, SPAWN_OURS, &p->signals, err);
	if (!ret)
		ret = p->refused ? err_set(err, ENODATA, "%s", "") : report(p, err);
	if (p->life.state == LIFECYCLE_REAPED && !p->life.failed)
		print_lacking(p, ret);
	return ret;
}

int preloading_run(const struct preloading_use *use, const struct option_list *arguments)
{
	struct preloading p = {.use = use,
			       .dest = DEST_NONE,
			       .folded = DEST_NONE,
			       .pace = {.timer_fd = -1},
			       .life = LIFECYCLE_INIT};
	struct err err = ERR_INIT;
	int ret, status, ended_by;

	strbuf_init(&p.events);
	ret = prepare(&p, arguments, &err);
	if (ret) {
		strbuf_done(&p.events);
		anonymous_done(&p.anonymous);
		option_clear(use->options, &p.o);
		return print_fault(&err, EXIT_USAGE);
	}
	p.life.hooks = &hooks;
	p.life.context = &p;
	signals_begin(&p.signals);
	strbuf_init(&p.stacks);
	ret = measure(&p, &err);
	if (p.leaves)
		table_folder_leave(&p.folder);
	table_folder_remove(&p.folder);
	ended_by = p.additions.ended_by;
	call_additions_remove(&p.additions);
	lifecycle_done(&p.life);
	process_watch_close(p.watch);
	futex_watch_close(p.futexes);
	pace_end(&p.pace);
	ret = table_file_close(&p.dest, ret, &err);
	ret = table_file_close(&p.folded, ret, &err);
	strbuf_done(&p.stacks);
	strbuf_done(&p.events);
	signals_done(&p.signals);
	anonymous_done(&p.anonymous);
	option_clear(use->options, &p.o);
	if (ended_by)
		signals_die(ended_by);
	/* A command that could not be measured is reported, but is not a failure of tiptop. */
	status = lifecycle_exit_status(&p.life, ret && ret != -ENODATA);
	return ret ? print_fault(&err, status) : status;
}
