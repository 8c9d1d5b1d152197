/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop locks. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "cmd/command.h"
#include "run/helper.h"
#include "run/preloading.h"

#include "inject/preload/seccomp_filter.h"
#include "profile/locks/copy.h"
#include "profile/locks/folded.h"
#include "profile/locks/futex_table.h"
#include "profile/locks/lines.h"
#include "profile/locks/wait_rules.h"

_Static_assert(OPTION_SAMPLE_MAX == LOCKS_SAMPLE_MAX, "both forms take the same");

/* The number of chains that text has without --rows. */
#define CHAINS 10

static const struct option_row rows[] = {
	PRELOADING_ROWS,
	PRELOADING_EVENTS_ROW,
	PRELOADING_FOLDED_ROW("who waited, with callers,"),
	{.long_name = "kernel",
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct preloading_options, kernel),
	 .help = "add the waits and wakes that the kernel records, as of libgomp and static "
		 "programs"},
	{.long_name = "threads",
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct preloading_options, threads),
	 .help = "a row for each thread, in place of each lock"},
	{.long_name = "chains",
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct preloading_options, chains),
	 .help = "a row for each chain of waits, in which the holder of a lock waited, too"},
	{.long_name = "group",
	 .arg = "key",
	 .what = "the group",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct preloading_options, group),
	 .help = "a row for each variable, place, lock, kind, process or thread"},
	{.long_name = "sample",
	 .arg = "number",
	 .what = "the number of acquisitions",
	 .kind = OPTION_LONG,
	 .min = 1,
	 .max = LOCKS_SAMPLE_MAX,
	 .offset = offsetof(struct preloading_options, sample),
	 .help = "time one in this many acquisitions, if timing each of them costs too much"},
	{.long_name = "rules",
	 .arg = "file",
	 .what = "the file with rules",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct preloading_options, rules),
	 .help = "apply these rules first to decide which waits are idle"},
};

static const struct option_set options = {
	.program = "tiptop locks",
	.no_table = "has colours on the live screen alone: --live",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct preloading_options),
	.takes_command = true,
};

/* Returns the key by which lines are summed: that of --group; without it, on a terminal, the array
 * of a lock; else none. */
static enum locks_group_key group_of(const struct preloading *p)
{
	enum locks_group_key key = LOCKS_BY_NONE;
	struct err unused = ERR_INIT;

	if (p->o.group)
		locks_group_find(&key, p->o.group, &unused);
	return !p->o.group && !p->o.chains && p->selection.width ? LOCKS_BY_ARRAY : key;
}

/* Returns which rows are printed: with --chains as text and without --rows, the first CHAINS. */
static struct report_selection selection_of(const struct preloading *p)
{
	struct report_selection s = p->selection;

	if (p->o.chains && p->format == REPORT_AS_TEXT && s.fits_rows) {
		s.rows = CHAINS;
		s.fits_rows = false;
	}
	return s;
}

/* Checks --chains and --group; --group=thread turns on --threads. */
static int check(struct preloading *p, struct err *err)
{
	enum locks_group_key key;
	int ret = p->o.group ? locks_group_find(&key, p->o.group, err) : 0;

	if (!ret && p->o.chains && (p->o.group || p->o.threads))
		return err_set(err, EINVAL,
			       "--chains and %s exclude each other: a chain has several locks and "
			       "threads: leave one of them out",
			       p->o.group ? "--group" : "--threads");
	if (ret || !p->o.group)
		return ret;
	if (key != LOCKS_BY_THREAD && p->o.threads)
		return err_set(err, EINVAL,
			       "--threads and --group=%s exclude each other: the numbers of a "
			       "thread are not kept by %s: leave one of them out",
			       p->o.group, p->o.group);
	if (key == LOCKS_BY_THREAD && p->o.folded)
		return err_set(err, EINVAL,
			       "--group=thread and --folded exclude each other: waits are not kept "
			       "by thread: leave one of them out");
	p->o.threads |= key == LOCKS_BY_THREAD;
	return 0;
}

/* The outputs for the report of a process: lines, and folded stacks. */
struct texts {
	struct strbuf *lines, *stacks; /* NULL: not wanted */
};

static void add_texts(const struct locks_lines *l, const struct texts *to)
{
	if (to->stacks && l->chains)
		locks_folded_add_chains(l->copy, l->names, to->stacks);
	else if (to->stacks)
		locks_folded_add(l->copy, l->names, l->group, to->stacks);
	if (to->lines)
		locks_lines_add(l, to->lines);
}

/* Formats the report once, only to collect the names that it needs, then resolves these names. */
static void resolve(const struct locks_lines *l, const struct texts *to,
		    struct resolving *resolving)
{
	struct locks_lines all = *l;
	struct strbuf unused;

	/* Groups need resolved names, so they are not made yet. */
	all.group = LOCKS_BY_NONE;
	strbuf_init(&unused);
	add_texts(&all, &(struct texts){to->lines ? &unused : NULL, to->stacks ? &unused : NULL});
	strbuf_done(&unused);
	resolving_run(resolving, l->names);
}

/* The state while the reports of all tables are written in turn. */
struct locks_writer {
	struct preloading *p;
	struct strbuf *out;
	struct resolving resolving;
	struct wait_rules *rules;
	struct locks_shared *shared; /* NULL: each process keeps its rows */
	uint32_t pid_before;         /* pid of the previous report; 0: none */
	bool goes_on;                /* reports of programs without a table follow */
};

/* Makes the report of a table. next: the table after it; NULL: none. */
static void make_report(const struct locks_writer *w, struct locks_report *report,
			const struct locks_copy *c, const struct locks_copy *next)
{
	const uint32_t pid = c->header.container.pid;
	const bool goes_on = next && next->header.container.pid == pid;
	bool executes;
	const uint64_t end = preloading_program_end(w->p, pid, c->header.begin,
						    goes_on ? next->header.begin : 0, &executes);
	const bool several = executes || c->kernel.is_one_of_several || pid == w->pid_before;

	locks_report_make_by(report, c, c->kernel.end ? c->kernel.end : end, w->rules);
	report->n_cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	report->cpu_ns = preloading_cpu_ns(w->p, pid, several);
}

/* Adds the report of a table. Leaves out a program without locks, unless measuring has stopped in
 * it, or the output has nothing else. */
static void add_report(struct locks_writer *w, struct locks_copy *copy,
		       const struct locks_copy *next)
{
	struct preloading *p = w->p;
	struct resolver *names = resolver_new(copy->module, copy->header.n_modules);
	const struct perf_map_process process = {(pid_t)copy->header.container.pid,
						 copy->header.container.start_ticks};
	struct locks_threads threads = {.n = 0};
	const bool always = !next && !w->goes_on && !w->out->len;
	const struct report_selection selection = selection_of(p);
	struct locks_report report;
	struct texts to;
	const struct locks_lines lines = {.format = p->format,
					  .copy = copy,
					  .report = &report,
					  .names = names,
					  .threads = p->o.threads ? &threads : NULL,
					  .selection = &selection,
					  .group = group_of(p),
					  .chains = p->o.chains,
					  .is_first = !w->out->len && !p->dest.filled};

	resolver_set_process(names, &process);
	if (w->shared)
		locks_shared_mark(w->shared, copy);
	make_report(w, &report, copy, next);
	if (w->shared)
		locks_shared_add(w->shared, copy);
	if (p->o.threads)
		locks_threads_make(&threads, copy, &report);
	to = (struct texts){always || report.n || copy->header.lacking_call ? w->out : NULL,
			    preloading_wants_stacks(p) ? &p->stacks : NULL};
	resolve(&lines, &to, &w->resolving);
	add_texts(&lines, &to);
	if (p->format == REPORT_AS_CSV)
		preloading_print_stop(p, copy->header.container.pid, copy->header.lacking_call,
				      copy->header.end - copy->header.begin,
				      copy->header.ns_per_tick);
	w->pid_before = copy->header.container.pid;
	locks_threads_done(&threads);
	locks_report_done(&report);
	resolver_free(names);
}

/* Adds the report of the locks that several processes share, if there are any. */
static void add_shared(struct locks_writer *w)
{
	struct locks_copy *sum = w->shared ? locks_shared_copy(w->shared) : NULL;
	const struct report_selection selection = selection_of(w->p);
	const struct texts to = {w->out, NULL};
	struct locks_report report;
	struct locks_lines lines = {.format = w->p->format,
				    .copy = sum,
				    .report = &report,
				    .selection = &selection,
				    .group = group_of(w->p)};

	if (!sum)
		return;
	lines.n_processes = locks_shared_n_processes(w->shared);
	lines.names = resolver_new(sum->module, sum->header.n_modules);
	locks_report_make_by(&report, sum, 0, w->rules);
	resolve(&lines, &to, &w->resolving);
	add_texts(&lines, &to);
	locks_report_done(&report);
	resolver_free(lines.names);
}

static int read_table(void *to, int fd, bool ended, struct err *err)
{
	return locks_copy_read(to, fd, ended, err);
}

static int read_locks(void *to, int fd, bool ended, struct err *err)
{
	return locks_copy_read_locks(to, fd, ended, err);
}

/* Notes the futexes in shared memory of a process that has no table. */
static void note_program(struct locks_shared *shared, const struct futex_program *program)
{
	struct locks_copy copy;

	locks_copy_init(&copy);
	futex_copy_make(&copy, program);
	locks_shared_note(shared, &copy);
	locks_copy_done(&copy);
}

/* Notes the futexes of the processes that have no table. with_table: the pids of the others. A
 * process may have executed several programs, which are noted one after the other. */
static void note_programs(struct locks_shared *shared, const struct futex_table *t,
			  const struct hash *with_table)
{
	struct hash noted = HASH_INIT;

	for (size_t i = 0; i < futex_table_n(t); i++) {
		const pid_t pid = futex_table_program(t, i)->pid;

		if (hash_get(with_table, (uint64_t)pid) || hash_get(&noted, (uint64_t)pid))
			continue;
		hash_put(&noted, (uint64_t)pid, shared);
		for (size_t k = i; k < futex_table_n(t); k++)
			if (futex_table_program(t, k)->pid == pid)
				note_program(shared, futex_table_program(t, k));
	}
	hash_done(&noted);
}

/* Notes the locks in shared memory of all tables, and of programs that only the kernel has
 * measured. A table that cannot be read is left out here: report() says so. Returns NULL if there
 * is only one process, or each process keeps its rows. */
static struct locks_shared *note_shared(const struct preloading *p, const struct table_list *tables)
{
	const bool keeps = p->o.threads || p->o.chains || group_of(p) == LOCKS_BY_PROCESS;
	const struct futex_table *t = p->futexes ? futex_watch_table(p->futexes) : NULL;
	struct hash with_table = HASH_INIT;
	struct locks_shared *shared;
	struct locks_copy copy;
	const size_t n = tables->n + (t ? futex_table_n(t) : 0);
	struct err unused = ERR_INIT;

	shared = n > 1 && !keeps ? locks_shared_new() : NULL;
	locks_copy_init(&copy);
	for (size_t i = 0; shared && i < tables->n; i++)
		if (!table_folder_read(&p->folder, "locks", &tables->v[i], read_locks, &copy,
				       &unused)) {
			hash_put(&with_table, copy.header.container.pid, shared);
			locks_shared_note(shared, &copy);
		}
	locks_copy_done(&copy);
	if (shared && t)
		note_programs(shared, t, &with_table);
	hash_done(&with_table);
	return shared;
}

/* Returns when the object began its table, on CLOCK_MONOTONIC. */
static uint64_t begin_of(const struct preloading *p, const struct locks_copy *c)
{
	return process_watch_boot_ns(p->watch, c->header.begin) -
	       (clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC));
}

/* Sets when the process executed the next program, if the kernel has recorded it. */
static void set_execution(const struct preloading *p, const struct futex_table *t,
			  struct locks_copy *c)
{
	const uint64_t begin_ns = begin_of(p, c);
	const uint64_t end_ns = futex_table_execution(t, (pid_t)c->header.container.pid, begin_ns);

	if (end_ns)
		c->kernel.end =
			c->header.begin + (uint64_t)((double)(end_ns - begin_ns) * 4294967296.0 /
						     (double)c->header.ns_per_tick);
	c->kernel.is_one_of_several = end_ns;
}

/* Adds the calls that the kernel has recorded to the copy of a table. */
static void merge_kernel(const struct preloading *p, struct locks_copy *c)
{
	struct futex_table *t = p->futexes ? futex_watch_table(p->futexes) : NULL;
	struct futex_program *program = NULL;

	c->kernel = (struct locks_kernel){.used = t != NULL};
	if (!t)
		return;
	if (p->watch) {
		set_execution(p, t, c);
		program = futex_table_find(t, (pid_t)c->header.container.pid, begin_of(p, c));
	}
	if (program && !program->is_merged)
		futex_copy_merge(c, program, c->kernel.end ? c->kernel.end : p->end);
	if (program) {
		program->is_merged = true;
		c->kernel.is_one_of_several |= program->n_before > 0;
	}
	c->kernel.n_lost = futex_watch_lost(p->futexes);
	c->kernel.n_unpaired = futex_watch_unpaired(p->futexes);
}

/* Returns whether the kernel has recorded programs that have no table, from program `first` on. */
static bool has_alone(const struct preloading *p, size_t first)
{
	const struct futex_table *t = p->futexes ? futex_watch_table(p->futexes) : NULL;

	for (size_t i = first; t && i < futex_table_n(t); i++)
		if (!futex_table_program(t, i)->is_merged)
			return true;
	return false;
}

/* Prints how many records were lost, for CSV, which has no field for it; and how many calls were
 * not recorded. */
static void print_lost(const struct preloading *p)
{
	const uint64_t n = p->futexes ? futex_watch_lost(p->futexes) : 0;
	const uint64_t n_unrecorded = p->futexes ? futex_watch_unrecorded(p->futexes) : 0;

	if (n && p->format == REPORT_AS_CSV)
		fprintf(stderr,
			"tiptop: locks: the kernel lost %" PRIu64
			" records, as it made them faster than tiptop read them: calls of futex(2) "
			"are missing in this report\n",
			n);
	if (n_unrecorded)
		fprintf(stderr,
			"tiptop: locks: %" PRIu64 " calls of " FUTEX_WATCH_COUNTED
			" are missing in this report: the command made the first one after it had "
			"created %d tasks\n",
			n_unrecorded, FUTEX_WATCH_TASKS);
}

/* Returns the given option that has no effect on what the kernel records; NULL: none. -e and
 * --sample exclude each other. */
static const char *ignored_option(const struct preloading_options *o)
{
	if (o->events)
		return "-e";
	return o->sample ? "--sample" : NULL;
}

/* Adds the reports of programs without a table, from what the kernel has recorded. Returns their
 * number. */
static int report_kernel(struct locks_writer *w)
{
	const struct futex_table *t = w->p->futexes ? futex_watch_table(w->p->futexes) : NULL;
	struct locks_copy copy;
	int n = 0;

	for (size_t i = 0; t && i < futex_table_n(t); i++) {
		const struct futex_program *program = futex_table_program(t, i);

		if (program->is_merged)
			continue;
		locks_copy_init(&copy);
		futex_copy_make(&copy, program);
		copy.kernel.is_one_of_several = program->has_executed || program->n_before > 0;
		copy.kernel.ignored = ignored_option(&w->p->o);
		copy.kernel.n_lost = futex_watch_lost(w->p->futexes);
		copy.kernel.n_unpaired = futex_watch_unpaired(w->p->futexes);
		w->goes_on = has_alone(w->p, i + 1);
		add_report(w, &copy, NULL);
		locks_copy_done(&copy);
		n++;
	}
	return n;
}

/* Adds the reports of all tables. Returns their number. */
static int report_tables(struct locks_writer *w, const struct table_list *tables)
{
	struct preloading *p = w->p;
	struct locks_copy copy[2];
	int n = 0;

	locks_copy_init(&copy[0]);
	locks_copy_init(&copy[1]);
	for (size_t i = 0; i < tables->n; i++) {
		struct locks_copy *before = &copy[(n + 1) % 2], *now = &copy[n % 2];
		const struct table_name *name = &tables->v[i];
		struct err why = ERR_INIT;
		const int ret = table_folder_read(&p->folder, "locks", name, read_table, now, &why);

		if (ret < 0)
			preloading_note_unread(p, name->text, &why);
		if (ret)
			continue;
		preloading_note_table(p, now->header.container.pid, now->header.begin);
		preloading_note_left_out(p, now->header.n_left_out);
		merge_kernel(p, now);
		if (n++)
			add_report(w, before, now);
	}
	w->goes_on = has_alone(p, 0);
	if (n)
		add_report(w, &copy[(n + 1) % 2], NULL);
	locks_copy_done(&copy[0]);
	locks_copy_done(&copy[1]);
	return n;
}

static int report(struct preloading *p, struct strbuf *out, struct err *err)
{
	struct table_list tables;
	struct locks_writer w = {.p = p,
				 .out = out,
				 .resolving = {.signals = &p->signals},
				 .rules = wait_rules_new()};
	int n;

	(void)err;
	table_folder_list(&p->folder, &tables);
	w.shared = note_shared(p, &tables);
	/* prepare() has checked the file: if it was removed since, the report is made without it.
	 */
	if (p->o.rules)
		wait_rules_read(w.rules, p->o.rules, NULL);
	n = report_tables(&w, &tables);
	n += report_kernel(&w);
	add_shared(&w);
	if (w.shared)
		locks_shared_free(w.shared);
	print_lost(p);
	table_list_done(&tables);
	wait_rules_free(w.rules);
	return n;
}

static void declare(const struct preloading *p, const struct event_note event[], uint32_t n_events,
		    struct report_own_type *t)
{
	if (p->o.chains)
		locks_lines_declare_chains(t);
	else
		locks_lines_declare(t, event, n_events, p->o.threads);
}

/* Checks the file of rules before the command starts; the report reads it again. */
static int prepare(const struct preloading_options *o, struct err *err)
{
	struct wait_rules *rules = wait_rules_new();
	const int ret = o->rules ? wait_rules_read(rules, o->rules, err) : 0;

	wait_rules_free(rules);
	return ret;
}

static const struct preloading_use use = {
	.name = "locks",
	.object = "tiptop-locks.so",
	.variable = "TIPTOP_LOCKS",
	.stacks_variable = LOCKS_STACKS_VARIABLE,
	.chains_variable = LOCKS_CHAINS_VARIABLE,
	.stacks_title = "Waits by calling functions",
	.sample_variable = LOCKS_SAMPLE_VARIABLE,
	.otherwise = ": --kernel measures its waits",
	.needs = SECCOMP_FILES,
	.options = &options,
	.check = check,
	.clock = locks_report_clock,
	.prepare = prepare,
	.report = report,
	.declare = declare,
	.text_head = "# locks of process ",
	.json_types = {"locks"},
};

static int run(const struct option_list *arguments)
{
	return preloading_run(&use, arguments);
}

const struct command command_locks_live = {
	.name = "locks --live",
	.words = "[pid|text] [-- command]",
	.help = "show locks while programs run",
	.text = "Shows a row for each lock and each of its callers while programs run: the\n"
		"locks of the command, or of all programs that tiptop locks has started. A\n"
		"number chooses a process of these, a text chooses locks by their names. With\n"
		"--kernel, all rows are calls of futex(2) that the kernel records, of the command\n"
		"or of any running process.\n",
	.example = "tiptop locks --live -- program",
	.options = &option_locks_live,
	.choices = choices_locks,
	.rows = "lock",
	.preload = &use,
};

const struct command command_locks = {
	.name = "locks",
	.words = "-- command",
	.help = "what each lock of a command costs",
	.text = "Runs a command and prints a row for each of its locks and callers: how often it\n"
		"was acquired, how often a thread had to wait for it, and how long it took to\n"
		"acquire, hold and release it. The command is not recompiled.\n",
	.example = "tiptop locks -o report -- program",
	.options = &options,
	.choices = choices_rows,
	.form = &command_locks_live,
	.form_option = "--live",
	.run = run,
};
