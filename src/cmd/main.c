/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main - parses the command line, runs the monitor or a command of tiptop, and returns the exit
 * status: 0 success, 1 failure, 2 usage error; with a command to measure, the status of that
 * command, or 127 or 126 if it could not be executed.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/suggestion.h"
#include "cmd/command.h"
#include "cmd/doctor.h"
#include "cmd/listing.h"
#include "cmd/repeat.h"
#include "conf/combination.h"
#include "pmu/check/privilege.h"
#include "run/command_output.h"
#include "run/preloading_input.h"
#include "session/config_files.h"
#include "session/loop.h"
#include "session/output.h"
#include "session/screen_change.h"
#include "session/setup_start.h"

static int check(struct strbuf *text, const struct configuration *config, struct backend *backend)
{
	const struct doctor_input patient = {
		.machine = &backend->machine,
		.sys = &backend->kernel.sys,
		.screens = &config->screens,
		.hidden = &config->hidden,
		.kernel = config->options.kernel,
		.conf_file = config->file.path,
		.log = &config->log,
		.n_mistakes = config->n_mistakes,
	};

	doctor_report(text, &patient);
	return config->n_mistakes ? EXIT_FAILED : 0;
}

/* Appends a screen in the form of a configuration file. An unknown name is a usage error. */
static int show_screen(struct strbuf *text, const struct configuration *config)
{
	const struct options *o = &config->options;
	const char *what = o->shown ? o->shown : o->screen ? o->screen : config->screens.v[0]->name;
	struct err err = ERR_INIT;

	if (listing_screen(text, &config->screens, &config->hidden, what, &err))
		return print_fault(&err, EXIT_USAGE);
	return 0;
}

static void encodings(struct strbuf *text, const struct configuration *config,
		      struct backend *backend)
{
	const struct listing_all_screens screens = {&config->screens, &config->hidden};

	if (configuration_is_for_all(config))
		listing_all_encodings(text, backend->machine.table, &screens);
	else
		listing_encodings(text, &backend->machine, &backend->kernel.sys, &screens);
}

static bool is_list(int task)
{
	return task == TASK_LIST_EVENTS || task == TASK_LIST_COLUMNS || task == TASK_LIST_FILTERS ||
	       task == TASK_LIST_SCREENS;
}

/* Executes an option that prints something and exits. */
static int print_task(int task, struct setup *setup, const struct option_list *arguments)
{
	struct strbuf text;
	int status = 0;

	if (is_list(task))
		return listing_print(task, setup, arguments);
	strbuf_init(&text);
	switch (task) {
	case TASK_BUILD_INFO:
		usage_build_info(&text);
		break;
	case TASK_VERSION:
		usage_version(&text);
		break;
	case TASK_SHOW_SCREEN:
		status = show_screen(&text, &setup->config);
		break;
	case TASK_ENCODINGS:
		encodings(&text, &setup->config, &setup->backend);
		break;
	default:
		setup_fit_all(setup);
		status = check(&text, &setup->config, &setup->backend);
	}
	status = print_text(&text, status);
	strbuf_done(&text);
	return status;
}

/* Returns a copy of the user's name, which the caller frees; NULL: unknown. A copy, as getpwuid()
 * has a single buffer, which the lookup of other users overwrites. */
static char *copy_own_name(void)
{
	const struct passwd *me = getpwuid(geteuid());

	return me ? xstrdup(me->pw_name) : NULL;
}

/* Opens the outputs and runs the loop until it ends. */
static int run_loop(struct loop *loop, const struct options *o, struct err *err)
{
	const struct setup_trial trial = {loop->setup, change_try};
	/* The name is only for the live screen, and not for a recording, which may be of another
	 * machine. */
	char *user = o->batch || o->replay ? NULL : copy_own_name();
	char *pmu = o->batch ? NULL : pmu_text_new(&loop->setup->backend.machine);
	/* Before the live screen is opened: a signal that is not blocked would leave the terminal
	 * in the state of the screen. */
	int ret = signals_block(loop->signals,
				(options_are_live(o) ? SIGNALS_SCREEN : SIGNALS_PLAIN) |
					(o->command ? SIGNALS_COMMAND : SIGNALS_PLAIN),
				err);

	loop->info = (struct live_info){
		.theme = loop->setup->config.theme,
		.plain = theme_list_find(&loop->setup->config.themes, THEME_MONOCHROME, NULL),
		.screens = &loop->setup->config.screens,
		.filters = &loop->setup->config.filters,
		.hidden = &loop->setup->config.hidden,
		.choices = &loop->setup->config.choices,
		.trial = &trial,
		.settings = &loop->setup->config.settings,
		.origins = &loop->setup->display.origins,
		.log = &loop->setup->config.log,
		.user = user,
		.pmu = pmu,
		.readonly = o->readonly,
		.replay = o->replay,
		.mouse = !o->no_mouse,
		.keymap = &loop->setup->config.keymap,
		.conf_path = loop->setup->config.file.path ? loop->setup->config.file.path
							   : "~/.tiptoprc",
	};
	if (!ret)
		ret = output_open(loop->outputs, &loop->screen, loop->setup, loop->signals,
				  &loop->info, err);
	if (!ret) {
		ret = loop_run(loop, err);
		ret = output_close(loop->outputs, loop->screen, loop->at_once, ret, err);
		/* After output_close(), which may write a screenshot of the texts that these two
		 * own. */
		paging_done(&loop->paging);
		story_feed_done(&loop->story_feed);
	}
	free(pmu);
	free(user);
	return ret;
}

/* Prints the last faults and closes the file of -E. If ret is the error of a failure before,
 * returns that error. *said: the sentence of that error has been printed with the faults. */
static int end_faults(struct faults *faults, struct log *log, int ret, bool *said, struct err *err)
{
	struct err own = ERR_INIT;
	int own_ret = faults_print(faults, log, true, &own);

	*said = ret && faults_have_said(faults, log, err->text);
	if (!own_ret)
		own_ret = faults_close(faults, &own);
	if (ret || !own_ret)
		return ret;
	*err = own;
	return own_ret;
}

/* If the command is still running when tiptop ends after a failure, reports that. */
static void report_command(struct lifecycle *life, const char *command)
{
	struct err err = ERR_INIT;

	lifecycle_reap(life);
	if (!lifecycle_runs(life))
		return;
	err_set(&err, ECANCELED, "'%s' is still running, without tiptop", command);
	print_fault(&err, EXIT_FAILED);
}

static int prepare_objects(const struct preloading_use *use, const struct preloading_want *want,
			   struct err *err)
{
	const int ret = preloading_try(use, want, err);

	return ret ? ret : preloading_prepare(use, want, err);
}

/* Starts the child, which waits before it executes the command. If an object is preloaded, the
 * environment of the command names the folder of its tables. */
static int start_command(const struct configuration *config, struct backend *backend,
			 struct lifecycle *life, const struct signals *signals, struct err *err)
{
	const struct options *o = &config->options;
	struct preloading_want want = {.folder = backend->tables.path,
				       .program = o->command ? o->command[0] : NULL,
				       .children = o->children,
				       .follow_exec = o->follow_exec,
				       .sample = o->sample};
	const struct preloading_use *use = config->kernel_calls ? NULL : config->preload;
	struct strbuf events;
	int ret = 0;

	if (!o->command)
		return 0;
	strbuf_init(&events);
	if (use && o->events)
		ret = preloading_events_add(&events, o->events, use->modes, NULL, err);
	want.events = use && use->linked ? o->events : events.text;
	if (!ret && use)
		ret = table_folder_make(&backend->tables, use->name, err);
	if (!ret && use && use->linked)
		ret = use->linked->prepare(&want, err);
	else if (!ret && use)
		ret = prepare_objects(use, &want, err);
	strbuf_done(&events);
	return ret ? ret
		   : lifecycle_start(life, o->command,
				     options_are_live(o) ? SPAWN_QUIET : SPAWN_OURS, signals, err);
}

/* Ends watching the command. If it is still running, its folder of tables is kept. */
static void leave_command(struct backend *backend, struct lifecycle *life)
{
	if (lifecycle_runs(life))
		table_folder_leave(&backend->tables);
	lifecycle_done(life);
}

static int monitor(struct setup *setup, struct signals *signals)
{
	const struct options *o = &setup->config.options;
	struct lifecycle life = LIFECYCLE_INIT;
	struct pipeline pipeline;
	struct outputs outputs;
	struct faults faults;
	struct summary_feed summary;
	struct loop loop = {.setup = setup,
			    .pipeline = &pipeline,
			    .outputs = &outputs,
			    .life = &life,
			    .pace = {.whole = o->whole_first},
			    .signals = signals,
			    .faults = &faults,
			    .summary = &summary};
	struct err err = ERR_INIT;
	bool said;
	int ret;

	if (start_command(&setup->config, &setup->backend, &life, signals, &err))
		return print_fault(&err, EXIT_FAILED);
	ret = setup_start(setup, life.spawn.pid, &err);
	if (!ret)
		ret = output_check_fields(setup, &err);
	if (ret) {
		lifecycle_done(&life);
		return print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	}
	outputs_init(&outputs, &setup->config.log);
	pipeline_init(&pipeline, setup->backend.source, &outputs);
	summary_feed_init(&summary);
	pipeline.may_group = options_are_live(o);
	ret = faults_open(&faults, &setup->config, &err);
	if (!ret)
		ret = run_loop(&loop, o, &err);
	ret = end_faults(&faults, &setup->config.log, ret, &said, &err);
	/* The live screen has been left: print the summary after it. */
	if (!ret && options_are_live(o) && summary.text.len)
		print_text(&summary.text, 0);
	if (!ret && o->record)
		recording_say_use(o->record, configuration_kind(&setup->config));
	summary_feed_done(&summary);
	pipeline_done(&pipeline);
	leave_command(&setup->backend, &life);
	if (ret) {
		if (!said)
			print_fault(&err, EXIT_FAILED);
		report_command(&life, o->command ? o->command[0] : "");
		return lifecycle_exit_status(&life, true);
	}
	/* Ends tiptop by the same signal, so that its parent sees the signal. The first process of
	 * a container survives this, and returns. */
	if (loop.quit_signal) {
		signals_die(loop.quit_signal);
		return 128 + loop.quit_signal;
	}
	if (life.lost)
		fprintf(stderr, "tiptop: " LIFECYCLE_LOST_TEXT "\n");
	return lifecycle_exit_status(&life, false);
}

/* Refuses options that make no sense for rows of locks, calls, or regions. */
static int check_preloaded(const struct configuration *config, struct err *err)
{
	if (config->options.repeat)
		return err_set(err, EINVAL,
			       "--repeat shows the summary of a command, and no rows: tiptop %s "
			       "--live shows nothing else",
			       config->preload->name);
	if (config->options.exact)
		return err_set(err, EINVAL,
			       "--exact is for the counts of processes and threads: tiptop %s "
			       "--live shows none",
			       config->preload->name);
	return preloading_check(config->preload, config->options.sample, config->options.events,
				err);
}

/* Checks which options go together, and with the rows that are shown. */
static int check_options(const struct configuration *config, const struct option_list *arguments,
			 struct err *err)
{
	const struct options *o = &config->options;
	int ret = combination_check(arguments, o, err);

	ret = ret ? ret : output_check(o, err);
	ret = ret ? ret : repeat_check(o, err);
	if (!ret && config->rows && o->format && !strcmp(o->format, "verdicts"))
		ret = err_set(
			err, EINVAL,
			"verdicts (--format, --explain-verdict) are of tasks: tiptop %s shows "
			"no tasks",
			config->command_name);
	return !ret && config->preload ? check_preloaded(config, err) : ret;
}

static int print_help(bool all)
{
	struct strbuf text;
	int status;

	strbuf_init(&text);
	usage_help(all, &text);
	status = print_text(&text, 0);
	strbuf_done(&text);
	return status;
}

static int run(struct setup *setup, const struct option_list *arguments, struct signals *signals)
{
	struct err err = ERR_INIT;
	int task = option_task(arguments), ret;

	/* These tasks do not read the configuration file. */
	if (task == TASK_HELP)
		return print_help(command_wants_all(arguments));
	if (task == TASK_BUILD_INFO || task == TASK_VERSION)
		return print_task(task, setup, arguments);
	if (task == TASK_LIST_EVENTS) {
		ret = options_apply(arguments, &setup->config.options, &err);
		if (!ret)
			ret = setup_tables(&setup->config, &setup->backend, arguments, &err);
		if (!ret)
			ret = backend_use_for_cpu(&setup->config, &setup->backend, &err);
		if (ret)
			return print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
		return print_task(task, setup, arguments);
	}
	ret = setup_configuration(setup, arguments, &err);
	/* With --check, faults of the configuration file do not end the run, but are part of the
	 * report. */
	if (ret && (task != TASK_CHECK || is_usage_error(ret)))
		return print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	if (task != TASK_MONITOR)
		return combination_check(arguments, &setup->config.options, &err)
			       ? print_fault(&err, EXIT_USAGE)
			       : print_task(task, setup, arguments);
	if (check_options(&setup->config, arguments, &err))
		return print_fault(&err, EXIT_USAGE);
	/* For rows of locks, the option of this name has another meaning than for tasks. */
	setup->config.kernel_calls = setup->config.preload && setup->config.preload->otherwise &&
				     option_is_given(arguments, "kernel");
	return setup->config.options.repeat ? repeat_command(setup, signals)
					    : monitor(setup, signals);
}

/* Opens /dev/null in place of standard files that are closed: else another file could get such a
 * number, and messages would go into that file. The mode makes reading standard input and writing
 * the others fail, as with closed files. With O_CLOEXEC, the command finds the files closed. */
static void hold_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
}

/* Runs the monitor. command: the command of tiptop that the monitor implements; NULL: none. */
static int run_monitor(const struct command *command, int argc, char **argv,
		       struct signals *signals)
{
	const struct option_set *set = command ? command->options : &option_monitor;
	struct option_list *arguments = NULL;
	struct err err = ERR_INIT;
	struct setup setup;
	int status;

	if (option_scan(&arguments, set, argc, argv, &err))
		return print_fault(&err, EXIT_USAGE);
	if (command && option_task(arguments) == TASK_HELP) {
		status = command_print_help(command, command_wants_all(arguments));
	} else {
		setup_init(&setup);
		setup.config.rows = command ? command->rows : NULL;
		setup.config.command_name = command ? command->name : NULL;
		setup.config.preload = command ? command->preload : NULL;
		if (command && command->begin)
			command->begin(&setup);
		status = run(&setup, arguments, signals);
		setup_done(&setup);
	}
	option_list_free(arguments);
	return status;
}

/* Runs the command whose name is the first word. */
static int run_command(int argc, char **argv, struct signals *signals)
{
	const struct command *command = command_choose_form(command_find(argv[0]), argc, argv);
	struct err err = ERR_INIT;
	struct suggestion near;
	struct strbuf names;

	if (command && command->rows)
		return run_monitor(command, argc, argv, signals);
	if (command)
		return command_run(command, argc, argv);
	strbuf_init(&names);
	command_add_names(&names);
	suggestion_begin(&near, argv[0]);
	command_suggest(&near);
	err_set(&err, EINVAL,
		"unexpected '%s'%s: put '--' before a command to run it; those of tiptop itself: "
		"%s",
		argv[0], suggestion_text(&near), names.text);
	strbuf_done(&names);
	return print_fault(&err, EXIT_USAGE);
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct signals signals;
	int status;

	hold_standard_files();
	if (privilege_begin(&err))
		return print_fault(&err, EXIT_FAILED);
	signals_begin(&signals);
	/* Names of tasks are text in the user's encoding. Only LC_CTYPE: numbers stay in the C
	 * locale. */
	setlocale(LC_CTYPE, "");
	/* ptiptop has no commands: its first word is a task. */
	if (argc > 1 && argv[1][0] != '-' && !option_is_pattern_name(argv[0]))
		status = run_command(argc - 1, argv + 1, &signals);
	else
		status = run_monitor(NULL, argc, argv, &signals);
	signals_done(&signals);
	return status;
}
