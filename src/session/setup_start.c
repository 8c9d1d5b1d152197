/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/setup_start.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/command/command_source.h"
#include "collect/cpu/cpus.h"
#include "collect/cpu/sockets.h"
#include "collect/table/futex_rows.h"
#include "collect/table/profile_rows.h"
#include "collect/table/region_rows.h"
#include "collect/task/live.h"
#include "collect/task/procfs.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "pmu/check/privilege.h"
#include "pmu/check/refusal.h"
#include "pmu/check/rights.h"
#include "pmu/event/describe.h"
#include "pmu/perf/sys.h"
#include "run/command_output.h"
#include "screen/bind/counters.h"
#include "screen/bind/encodings.h"
#include "session/output.h"
#include "session/replay_session.h"
#include "session/setup.h"
#include "session/verdict_engine.h"
#include "session/view_options.h"
#include "view/row_filter.h"

/* ---- backend_open ---- */

int backend_identify(struct configuration *config, struct backend *backend, struct err *err)
{
	const struct event_table *table = backend->machine.table;

	if (config->options.replay)
		return recorded_identify(config, backend, err);
	machine_init_here(&backend->machine);
	backend->machine.table = table;
	perf_kernel_init(&backend->kernel, backend->machine.core, backend->machine.n_cores);
	privilege_wrap(&backend->kernel);
	backend->counts_others = probe_may_count_others();
	return 0;
}

/* Returns whether the first screen shows only facts from /proc, which need no permission. */
static bool needs_no_rights(const struct configuration *config, const struct backend *backend)
{
	const int i = backend_asked_screen(config, backend);

	return i >= 0 && !screen_needs_counters(config->screens.v[i]);
}

/* If CPU-wide events are not permitted, counts only the user's own tasks, as one row for the whole
 * machine. Fails if rows of single CPUs were requested. */
static int count_own_tasks(struct setup *s, struct err *err)
{
	struct err why = ERR_INIT;

	if (!kind_is(configuration_kind(&s->config), &kind_cpu) ||
	    needs_no_rights(&s->config, &s->backend) ||
	    !refusal_try_cpus(&s->backend.kernel.sys, &why))
		return 0;
	if (s->display.view.group == GROUP_MODE)
		s->display.view.group = GROUP_MACHINE;
	if (s->display.view.group != GROUP_MACHINE)
		return err_set(err, why.code, "%s", why.text);
	if (s->display.view.kernel && probe_software(&s->backend.kernel.sys, true, false)) {
		if (s->config.options.kernel_only)
			return err_set(err, why.code, "%s", why.text);
		s->display.view.kernel = false;
	}
	print_fault(&why, 0);
	s->display.view.own_only = true;
	s->display.view.filter.uid = (long)geteuid();
	s->display.view.sums_over = "your own tasks, as CPUs may not be counted";
	s->config.rows = NULL;
	return 0;
}

/* Sets up counting a command, which needs no CPU-wide events. Falls back to user mode if the kernel
 * part is refused. */
static int count_command(struct setup *s, struct err *err)
{
	const struct refusal_attempt attempt = {.event = "cycles", .kernel = true};
	struct err why = ERR_INIT;
	int ret = s->display.view.kernel ? probe_software(&s->backend.kernel.sys, true, false) : 0;

	s->display.view.sums_over = "the tasks of the command alone";
	if (!ret)
		return 0;
	refusal_explain(ret, &attempt, &why);
	if (s->config.options.kernel_only)
		return err_set(err, why.code, "%s", why.text);
	print_fault(&why, 0);
	s->display.view.kernel = false;
	s->display.view.sums_over = "the tasks of the command alone, in user mode";
	return 0;
}

/* Sets up counting a control group, which needs permission for CPU-wide events. */
static int count_cgroup(struct setup *s, struct err *err)
{
	const char *path = s->config.options.cgroup;

	s->backend.cgroup_fd = cgroup_open_here(path, err);
	if (s->backend.cgroup_fd < 0 ||
	    refusal_try_cgroup(&s->backend.kernel.sys, s->backend.cgroup_fd, path, err))
		return err_prefix(err, "--cgroup");
	s->display.sums_over = xasprintf("the tasks of the control group '%s' alone", path);
	s->display.view.sums_over = s->display.sums_over;
	return 0;
}

/* Adapts the setup to the events that the user is permitted to count, or returns an error. */
static int take_rights(struct setup *s, struct err *err)
{
	if (configuration_kind(&s->config) == &kind_cpu_cgroup)
		return count_cgroup(s, err);
	if (configuration_kind(&s->config) == &kind_socket)
		return refusal_try_cpus(&s->backend.kernel.sys, err);
	return configuration_kind(&s->config) == &kind_command ? count_command(s, err)
							       : count_own_tasks(s, err);
}

/* Opens the source of the calls of futex(2) that the kernel records, of the command or of the
 * process of -p. With --children, rows of its descendants pass the filter, too. */
static int open_futexes(struct setup *s, const struct sample_machine *description, struct err *err)
{
	struct backend *backend = &s->backend;
	struct futexes_target target = {.pid = backend->command,
					.all = s->config.options.children,
					.sys = &backend->kernel.sys,
					.host = &event_host_here};
	bool raised;
	int ret;

	if (!target.pid) {
		target.pid = s->display.view.filter.pid;
		target.runs = true;
		backend->recorded = target.pid;
	}
	if (!target.pid)
		return err_set(err, EINVAL,
			       "--kernel: give the number of a process, or a command: 'tiptop %s "
			       "--live --kernel 4711'",
			       s->config.preload->name);
	if (target.all)
		s->display.view.filter.pid = 0;
	raised = privilege_raise();
	ret = source_futexes_new(&backend->source, &target, backend->proc, &backend->machine,
				 description, err);
	privilege_lower(raised);
	return ret;
}

static struct source *open_source(const struct configuration *config, struct backend *backend,
				  const struct sample_machine *description)
{
	static const struct tables_use *const tables[] = {&lock_tables, &call_tables};
	const struct cpus_scope scope = {.only = config->options.cpus ? &backend->cpus : NULL,
					 .of_group = backend->cgroup_fd >= 0,
					 .group_fd = backend->cgroup_fd};

	if (configuration_kind(config) == &kind_cpu ||
	    configuration_kind(config) == &kind_cpu_cgroup)
		return source_cpus_new(&backend->kernel.sys, backend->proc, &backend->machine,
				       description, &scope);
	if (configuration_kind(config) == &kind_cpu_mode)
		return source_modes_new(&backend->kernel.sys, backend->proc, &backend->machine,
					description, &scope);
	if (configuration_kind(config) == &kind_socket)
		return source_sockets_new(&backend->kernel.sys, backend->proc, &backend->machine,
					  description);
	if (configuration_kind(config) == &kind_command)
		return source_command_new(&backend->kernel.sys, backend->proc, description,
					  config->options.command[0]);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (configuration_kind(config) == tables[i]->kind)
			return source_tables_new(
				tables[i], backend->proc, &backend->machine, description,
				backend->tables.path[0] ? backend->tables.path : NULL);
	return config->rows
		       ? source_regions_new(backend->proc, &backend->machine, description,
					    backend->tables.path[0] ? backend->tables.path : NULL)
		       : source_live_new(&backend->kernel.sys, backend->proc, description);
}

/* Creates the source. If there are no hardware counters, sets `hardware` to the reason. */
static int backend_open(struct setup *s, struct err *err)
{
	struct sample_machine *description;
	int ret = 0;

	if (s->backend.recording)
		return recorded_open(&s->config, &s->backend, err);
	/* Probes user mode only: counting kernel mode may be refused although user mode is
	 * permitted. */
	refusal_try_hardware(&s->backend.kernel.sys, false, NULL, &s->backend.hardware);
	perf_raise_limit();
	s->backend.proc = procfs_new(err);
	if (!s->backend.proc)
		return -err->code;
	if (take_rights(s, err))
		return -err->code;
	/* The history needs the places of CPUs (the caches and sockets that they share): by these,
	 * tasks that disturb each other are found. */
	description = machine_describe(&s->backend.machine, configuration_keeps_past(&s->config));
	if (s->config.kernel_calls)
		ret = open_futexes(s, description, err);
	else
		s->backend.source = open_source(&s->config, &s->backend, description);
	sample_machine_unref(description);
	return ret;
}

/* ---- setup_start ---- */

/* ---- empty screens ----
 * Finds screens that would be empty: this machine has no hardware counters, or a recording lacks
 * the counters of most of their columns. Screens for other CPUs are marked when they are hidden
 * (screen_change.h). */

/* Returns whether most columns need counters; false for a screen of verdicts, as some verdicts need
 * none. */
static bool is_of_counters(const struct screen *screen)
{
	size_t n_counting = 0, n_others = 0;

	for (size_t i = 0; i < screen->n_columns; i++) {
		const bool counts = screen_column_counts(&screen->column[i]);

		n_counting += counts;
		n_others += !counts;
		if (screen_column_is_verdict(&screen->column[i]))
			return false;
	}
	return n_counting > n_others;
}

/* Returns whether an event of the screen is countable without hardware counters. */
static bool has_software(const struct configuration *config, struct backend *backend,
			 const struct screen *screen)
{
	const struct offer offer = backend_offer(config, backend, false);
	struct event_set set;
	bool has = false;

	counters_make_set(&set, screen, &offer);
	for (int i = 0; i < set.n; i++)
		has = has || (set.event[i].quality != QUALITY_UNSUPPORTED &&
			      !event_is_hardware(&set.event[i]));
	event_set_done(&set);
	return has;
}

static bool same_id(const struct screen *screen, size_t i, size_t k)
{
	return !strcmp(screen->column[i].id, screen->column[k].id);
}

/* Numbers of columns whose counters are all in the recording (n_full), and of other columns
 * (n_empty). */
struct share {
	size_t n_full, n_empty;
};

/* Counts the columns with the id of column `first` as one column, as fit_screen() keeps only one of
 * them. Optional columns do not count as missing. */
static void add_share(struct share *share, const struct screen *screen, size_t first,
		      struct event_set *set, const struct offer *offer)
{
	bool full = false, optional = true;

	for (size_t k = 0; k < screen->n_columns; k++) {
		if (!same_id(screen, first, k))
			continue;
		if (k < first)
			return;
		full = full || counters_available(set, &screen->column[k], offer);
		optional = optional && screen->column[k].optional;
	}
	share->n_full += full;
	share->n_empty += !full && !optional;
}

/* Returns whether the recording has all counters of some columns, and of at least half of the
 * columns that need counters, without optional columns that it lacks. One counter of a column is
 * not enough, as other screens may have it, too, for example instructions. */
static bool is_recorded(struct setup *s, const struct screen *screen)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);
	struct share share = {0, 0};
	struct event_set set;

	counters_make_set(&set, screen, &offer);
	for (size_t i = 0; i < screen->n_columns; i++)
		if (screen_column_counts(&screen->column[i]))
			add_share(&share, screen, i, &set, &offer);
	event_set_done(&set);
	return share.n_full && share.n_full >= share.n_empty;
}

/* Marks empty screens (screen.lacking). Called after the recording was opened or hardware counters
 * were probed. */
static void lacking_find(struct setup *s)
{
	for (size_t i = 0;
	     i < s->config.screens.n && (s->backend.recording || s->backend.hardware.code); i++) {
		struct screen *screen = s->config.screens.v[i];

		if (is_of_counters(screen) &&
		    !(s->backend.recording ? is_recorded(s, screen)
					   : has_software(&s->config, &s->backend, screen)))
			screen->lacking = true;
	}
}

/* ---- setup start ---- */

void setup_init(struct setup *s)
{
	memset(s, 0, sizeof *s);
	s->backend.cgroup_fd = -1;
	options_init(&s->config.options);
	options_init(&s->config.of_file);
	conf_base_init(&s->config.file);
	s->display.view.collapse = &s->display.collapse;
	own_table_init(&s->config.added, &event_table_built_in);
	own_table_init(&s->config.own, &s->config.added.table);
	s->backend.machine.table = &s->config.own.table;
	theme_list_add_built_in(&s->config.themes);
	s->display.verdict_engine = verdict_engine_new(s);
	s->display.view.judged = verdict_engine_for_view(s->display.verdict_engine);
}

void setup_done(struct setup *s)
{
	if (s->backend.source)
		s->backend.source->ops->free(s->backend.source);
	table_folder_remove(&s->backend.tables);
	record_reader_free(s->backend.recording);
	if (s->backend.cgroup_fd >= 0)
		close(s->backend.cgroup_fd);
	free(s->display.sums_over);
	procfs_free(s->backend.proc);
	origins_done(&s->display.origins);
	row_filter_free(s->display.row_filter);
	filter_list_done(&s->config.filters);
	binding_done(&s->display.binding);
	screen_numbers_done(&s->display.numbers);
	screen_list_done(&s->config.screens);
	screen_list_done(&s->config.hidden);
	screen_list_done(&s->config.own_screens);
	screen_list_done(&s->config.choices);
	screen_list_done(&s->config.gone);
	settings_done(&s->config.settings);
	theme_list_done(&s->config.themes);
	own_table_done(&s->config.own);
	own_table_done(&s->config.added);
	log_done(&s->config.log);
	options_done(&s->config.options);
	options_done(&s->config.of_file);
	collapse_done(&s->display.collapse);
	conf_base_done(&s->config.file);
	for (size_t i = 0; i < s->config.n_added; i++)
		free(s->config.added_path[i]);
	free(s->config.added_path);
	verdict_engine_free(s->display.verdict_engine);
	verdict_own_done(&s->config.verdicts);
	free(s->display.user_name);
	free(s->display.also);
}

/* Sets the sentence why a screen is hidden, if a hidden screen's name contains `name`. Returns
 * -EINVAL. */
static int explain_hidden(const struct setup *s, const char *name, struct err *err)
{
	for (size_t i = 0; i < s->config.hidden.n; i++) {
		const struct screen *screen = s->config.hidden.v[i];

		if (strstr(screen->name, name) && screen_why_hidden(screen))
			err_set(err, EINVAL, "the screen '%s' cannot be shown here: %s",
				screen->name, screen_why_hidden(screen));
	}
	return -EINVAL;
}

static int refuse_screen(const struct setup *s, struct err *err)
{
	int ret = explain_hidden(s, s->config.options.screen, err);

	configuration_name_file(&s->config, "screen", err);
	return ret;
}

/* Chooses the screen of -S, of -e, of the recording, or the default one. */
static int choose_screen(struct setup *s, struct err *err)
{
	int i = 0;

	if (s->config.options.screen) {
		i = screen_list_find(&s->config.screens, s->config.options.screen, err);
		if (i < 0)
			return refuse_screen(s, err);
	} else if (s->config.options.events) {
		i = (int)s->config.screens.n - 1;
	} else if (s->backend.recording) {
		i = recorded_screen(&s->config, &s->backend);
	} else {
		i = (int)backend_default_screen(&s->config, &s->backend);
	}
	view_show_screen(&s->display.view, &s->config.screens, (size_t)i);
	setup_fit(s, s->display.view.screen);
	return 0;
}

int setup_choose(struct setup *s, pid_t command, struct err *err)
{
	int ret;

	s->backend.command = command;
	if (state_begin(s, command, err))
		return -EINVAL;
	ret = backend_open(s, err);
	if (ret)
		return ret;
	lacking_find(s);
	if (choose_screen(s, err) || state_choose_sorting(s, err))
		return -EINVAL;
	/* Only the filter of the command line must fit: one of the configuration file may be for
	 * another screen. */
	if (s->config.filter_asked && state_check_row_filter(s, err))
		return -EINVAL;
	if (recording_prepare(s, err))
		return -EINVAL;
	return 0;
}

int setup_start(struct setup *s, pid_t command, struct err *err)
{
	int ret = setup_choose(s, command, err);

	if (!ret)
		setup_want(s, command);
	return ret;
}

/* Continues counting if the open counters suffice for the screen; else returns false. Also returns
 * false for a screen without counters, so that counters of other screens do not stay open. */
static bool go_on(struct setup *s, struct want *want)
{
	const struct source_ops *ops = s->backend.source->ops;

	if (!ops->configure)
		return ops->go_on(s->backend.source, want);
	return want->events.n_counters && !want->command &&
	       binding_is_whole(&s->display.binding, ops->events(s->backend.source)) &&
	       ops->go_on(s->backend.source, want);
}

/* Sets the remark about missing hardware counters; names the current screen, if it is shown in
 * place of the command's default screen. */
static void set_remark(struct setup *s, const struct screen *screen)
{
	s->display.remark = s->backend.hardware;
	if (s->config.default_screen && strcmp(s->config.default_screen, screen->name) != 0)
		err_set(&s->display.remark, s->backend.hardware.code,
			"%s: the screen '%s' in place of '%s'", s->backend.hardware.text,
			screen->name, s->config.default_screen);
}

/* Sets the note of a screen that is empty, unless the recording is the reason. Without hardware
 * counters, it would be empty on any CPU. */
static void set_empty(struct setup *s, const struct screen *screen)
{
	if (!screen->needs || (s->backend.recording && s->display.note.code))
		return;
	if (s->backend.hardware.code && !s->backend.recording)
		err_set(&s->display.note, ENODATA, "%s: the screen '%s' is empty",
			s->backend.hardware.text, screen->name);
	else
		err_set(&s->display.note, ENODATA, "the screen '%s' is empty here: %s",
			screen->name, screen->needs);
}

/* Returns the facts that the source has to read. */
static struct fact_set list_facts(const struct setup *s, const struct screen *screen)
{
	struct fact_set facts = fact_or(screen->facts, FACT_SET(FACT_CPU_NS));

	facts = fact_or(facts, group_key_table[s->display.view.group].facts);
	facts = fact_or(facts, group_key_table[s->display.view.only_key].facts);
	facts = fact_or(facts, state_filter_facts(&s->display));
	facts = fact_or(facts, output_facts(&s->config.options));
	facts = fact_or(facts, recording_facts(s));
	/* The history needs the CPU of each task; the file that has it is read anyway. */
	if (configuration_keeps_past(&s->config))
		fact_add(&facts, FACT_PROC_ID);
	if (s->display.view.with_ended)
		fact_add(&facts, FACT_CHILD_NS);
	if (s->display.view.tree || s->display.view.parents)
		fact_add(&facts, FACT_PPID);
	return facts;
}

bool setup_want(struct setup *s, pid_t command)
{
	const struct screen *screen = s->config.screens.v[s->display.view.screen];
	struct want want;
	bool restart;

	setup_fit(s, s->display.view.screen);
	state_hide_others(s);
	state_fit_family(s);
	state_fit_row_filter(s);
	want = (struct want){
		.facts = list_facts(s, screen),
		.threads = s->display.view.threads,
		.no_hardware = s->backend.hardware.code == ENOENT ||
			       s->backend.hardware.code == ENODEV ||
			       s->backend.hardware.code == EOPNOTSUPP,
		/* On the live screen, a key may show command lines at any time. */
		.cmdline = s->display.view.show_cmdline || !s->config.options.batch,
		.filter = state_source_filter(s),
		.log = &s->config.log,
		.collect = !s->config.options.no_collect,
		.command = command,
	};

	/* If all facts of the built-in verdicts are wanted, verdicts are shown, and the facts of
	 * the user's rules are needed, too. */
	if (fact_within(variable_at(VARIABLE_VERDICT).facts, want.facts))
		want.facts = fact_or(want.facts, verdict_engine_facts(s->display.verdict_engine));
	s->backend.more_facts = !fact_within(want.facts, s->backend.facts);
	s->backend.facts = want.facts;
	binding_done(&s->display.binding);
	screen_numbers_done(&s->display.numbers);
	setup_make_events(s, &want.events, &s->display.numbers);
	binding_init(&s->display.binding, screen, &s->display.numbers);
	origins_fill(&s->display.origins, &want.events, &s->backend.machine);
	event_set_dedupe(&want.events);
	recording_want(s, &want);
	s->display.note = (struct err)ERR_INIT;
	if (s->backend.recording)
		recorded_note(s);
	restart = !go_on(s, &want);
	if (restart)
		s->backend.source->ops->configure(s->backend.source, &want, &s->display.note);
	if (screen->lacking)
		set_empty(s, screen);
	s->display.remark = (struct err)ERR_INIT;
	if (s->backend.source->ops->configure && !screen_needs_counters(screen) &&
	    s->backend.hardware.code && !s->config.options.screen)
		set_remark(s, screen);
	return restart;
}
