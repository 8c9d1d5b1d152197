/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "conf/option.h"
#include "tap.h"

#define WORDS_MAX 8

/* Appends the options that differ from their defaults, in one line. */
static void show(struct strbuf *out, const struct options *o)
{
	const struct {
		const char *name;
		bool on;
	} flag[] = {{"batch", o->batch},          {"idle", o->idle},
		    {"threads", o->threads},      {"kernel", o->kernel},
		    {"show_user", o->show_user},  {"show_cmdline", o->show_cmdline},
		    {"only_conf", o->only_conf},  {"sticky", o->sticky},
		    {"children", o->children},    {"epoch", o->epoch},
		    {"timestamp", o->timestamp},  {"ascending", o->ascending},
		    {"no_collect", o->no_collect}};
	const struct {
		const char *name, *text;
	} text[] = {{"output", o->output},  {"format", o->format},   {"errors", o->errors_path},
		    {"pid", o->pid},        {"group", o->group},     {"watch", o->watch},
		    {"user", o->user},      {"screen", o->screen},   {"sort", o->sort_column},
		    {"conf", o->conf_path}, {"events", o->events},   {"pattern", o->pattern},
		    {"by", o->sort},        {"cpu", o->for_cpu},     {"layout", o->layout},
		    {"fields", o->fields},  {"metrics", o->metrics}, {"metrics_by", o->metrics_by}};

	if (o->task != TASK_MONITOR)
		strbuf_addf(out, " task=%d", o->task);
	for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
		if (flag[i].on)
			strbuf_addf(out, " %s", flag[i].name);
	if (o->delay_s != 2)
		strbuf_addf(out, " delay=%g", o->delay_s);
	if (o->cpu_min != (double)0.00001)
		strbuf_addf(out, " cpu_min=%g", o->cpu_min);
	if (o->rows)
		strbuf_addf(out, " rows=%ld", o->rows);
	if (o->iterations)
		strbuf_addf(out, " iterations=%ld", o->iterations);
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (text[i].text)
			strbuf_addf(out, " %s=%s", text[i].name, text[i].text);
	if (o->command)
		strbuf_addstr(out, " command:");
	for (char **word = o->command; word && *word; word++)
		strbuf_addf(out, " %s", *word);
}

/* Applies a command line to o. out gets the options that differ from their defaults, or the error
 * message. */
static int run(struct strbuf *out, struct options *o, const char *program,
	       const char *const words[WORDS_MAX])
{
	const char *argv[WORDS_MAX + 2] = {program};
	struct option_list *list = NULL;
	struct err err = ERR_INIT;
	int argc = 1, rc;

	strbuf_reset(out);
	for (; argc <= WORDS_MAX && words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	rc = option_scan(&list, &option_monitor, argc, (char **)argv, &err);
	if (!rc)
		rc = options_apply(list, o, &err);
	if (rc)
		strbuf_addstr(out, err.text);
	else
		show(out, o);
	option_list_free(list);
	o->command = NULL; /* points into argv */
	return rc;
}

static const struct {
	const char *words[WORDS_MAX];
	int rc;
	const char *want;
} command_lines[] = {
	{{NULL}, 0, ""},
	{{"-b"}, 0, " batch"},
	{{"--batch"}, 0, " batch"},
	{{"-d", "0.5"}, 0, " delay=0.5"},
	{{"-d.5"}, 0, " delay=0.5"},
	{{"--delay", "3"}, 0, " delay=3"},
	{{"--delay=3"}, 0, " delay=3"},
	{{"--del=3"}, 0, " delay=3"},
	{{"-d", "1", "-d", "3"}, 0, " delay=3"},
	{{"-bd3", "-n2"}, 0, " batch delay=3 iterations=2"},
	{{"-n", "0"}, 0, ""},
	{{"--iterations", "7"}, 0, " iterations=7"},
	{{"-b", "-o", "out"}, 0, " batch output=out"},
	{{"-b", "--output=out"}, 0, " batch output=out"},
	{{"-i"}, 0, " idle"},
	{{"--idle"}, 0, " idle"},
	{{"-i", "-ii", "--idle"}, 0, " idle"},
	{{"-H"}, 0, " threads"},
	{{"--group", "user"}, 0, " group=user"},
	{{"--group=process"}, 0, ""},
	{{"--threads"}, 0, " threads"},
	{{"-K"}, 0, " kernel"},
	{{"--kernel"}, 0, " kernel"},
	{{"-p", "42"}, 0, " pid=42"},
	{{"--pid", "bash"}, 0, " pid=bash"},
	{{"-p", "bash", "-p", "0"}, 0, ""},
	{{"-p--"}, 0, " pid=--"},
	{{"-p--", "--", "ls"}, 0, " pid=-- command: ls"},
	{{"-u", "root"}, 0, " user=root"},
	{{"--user", "0"}, 0, " user=0"},
	{{"-U"}, 0, " show_user"},
	{{"--show-user"}, 0, " show_user"},
	{{"-c"}, 0, " show_cmdline"},
	{{"--command-line"}, 0, " show_cmdline"},
	{{"-S", "1"}, 0, " screen=1"},
	{{"--screen", "branch"}, 0, " screen=branch"},
	{{"-W", "/tmp"}, 0, " conf=/tmp"},
	{{"--config=/tmp"}, 0, " conf=/tmp"},
	{{"--only-conf"}, 0, " only_conf"},
	{{"--cpu-min", "1.5"}, 0, " cpu_min=1.5"},
	{{"--cpu-min=0"}, 0, " cpu_min=0"},
	{{"--sticky", "--children"}, 0, " sticky children"},
	{{"--st"}, 0, " sticky"},
	{{"--epoch", "--timestamp"}, 0, " epoch timestamp"},
	{{"--no-collect"}, 0, " no_collect"},
	{{"-w", "42"}, 0, " watch=42"},
	{{"--sort", "IPC:asc"}, 0, " by=IPC:asc"},
	{{"--watch", "bash", "-p", "sh"}, 0, " pid=sh watch=bash"},
	{{"-w", "bash", "--watch=0"}, 0, ""},
	{{"-E", "log"}, 0, " errors=log"},
	{{"--errors=log", "-b"}, 0, " batch errors=log"},
	{{"-h"}, 0, " task=1"},
	{{"--help"}, 0, " task=1"},
	{{"-v"}, 0, " task=2"},
	{{"--build-info"}, 0, " task=2"},
	{{"--version"}, 0, " task=3"},
	{{"--list-screens"}, 0, " task=4"},
	{{"-e", "cycles"}, 0, " events=cycles"},
	{{"-e", "a,b", "--event=c", "-be", "d"}, 0, " batch events=a,b,c,d"},
	{{"--list-events"}, 0, " task=5"},
	{{"--list-events", "cache"}, 0, " task=5 pattern=cache"},
	{{"--list-events=cache", "-b"}, 0, " task=5 batch pattern=cache"},
	{{"--list-ev", "a", "--list-events=b"}, 0, " task=5 pattern=b"},
	{{"--list-events", "--", "ls"}, 0, " task=5 command: ls"},
	{{"-h", "--list-events", "cache"}, 0, " task=1 pattern=cache"},
	{{"--list-columns"}, 0, " task=6"},
	{{"--check"}, 0, " task=7"},
	{{"--version", "-h", "-v"}, 0, " task=3"},
	{{"-h", "-o", "out"}, 0, " task=1 output=out"},
	{{"--", "ls", "-l", "--", "-h"}, 0, " command: ls -l -- -h"},
	{{"-bi", "--", "-x"}, 0, " batch idle command: -x"},

	{{"--foo"}, -EINVAL, "unknown option '--foo': see 'tiptop --help'"},
	{{"--foo=1"}, -EINVAL, "unknown option '--foo': see 'tiptop --help'"},
	{{"--no-such"}, -EINVAL, "unknown option '--no-such': see 'tiptop --help'"},
	{{"-x"}, -EINVAL, "unknown option '-x': see 'tiptop --help'"},
	{{"-bxi"}, -EINVAL, "unknown option in '-bxi': see 'tiptop --help'"},
	{{"-\303\251"}, -EINVAL, "unknown option in '-\303\251': see 'tiptop --help'"},
	{{"-b", "-?"}, -EINVAL, "unknown option '-?': see 'tiptop --help'"},
	{{"-:"}, -EINVAL, "unknown option '-:': see 'tiptop --help'"},
	{{"--s"},
	 -EINVAL,
	 "option '--s' is ambiguous: --screenshot, --size, --sticky, --screen, --sort, "
	 "--show-user, --screens, --safe-names, --start-after, --show-screen"},
	{{"--fi"}, -EINVAL, "option '--fi' is ambiguous: --fields, --filter"},
	{{"--list"},
	 -EINVAL,
	 "option '--list' is ambiguous: --list-screens, --list-events, --list-columns, "
	 "--list-filters"},
	{{"--sticky=1"}, -EINVAL, "option --sticky takes no argument"},
	{{"-E"}, -EINVAL, "option -E needs an argument: file"},
	{{"-E", ""}, -EINVAL, "the error file (-E) must not be empty"},
	{{"-e"}, -EINVAL, "option -e needs an argument: event,..."},
	{{"-e", "a", "-e", ""}, -EINVAL, "the events (-e) must not be empty"},
	{{"--list-events="}, -EINVAL, "the text (--list-events) must not be empty"},
	{{"--list-events", "a", "b"}, -EINVAL, "unexpected 'b': put '--' before a command"},
	{{"-w", "make", "-w", ""}, 0, ""},
	{{"--batch=1"}, -EINVAL, "option --batch takes no argument"},
	{{"--bat=1"}, -EINVAL, "option --bat takes no argument"},
	{{"-d"}, -EINVAL, "option -d needs an argument: seconds"},
	{{"-d", "--", "make"}, -EINVAL, "option -d needs an argument: seconds"},
	{{"--sort", "--", "make"}, -EINVAL, "option --sort needs an argument: column[:asc]"},
	{{"--sort=--"}, 0, " by=--"},
	{{"-bd"}, -EINVAL, "option -d needs an argument: seconds"},
	{{"--delay"}, -EINVAL, "option --delay needs an argument: seconds"},
	{{"--del"}, -EINVAL, "option --del needs an argument: seconds"},
	{{"-p"}, -EINVAL, "option -p needs an argument: pid|text"},
	{{"-d", "0"}, -ERANGE, "the delay (-d) must be from 0.01 to 86400, not '0'"},
	{{"-bd0"}, -ERANGE, "the delay (-d) must be from 0.01 to 86400, not '0'"},
	{{"--delay=0.009"}, -ERANGE, "the delay (--delay) must be from 0.01 to 86400, not '0.009'"},
	{{"--del", "86401"}, -ERANGE, "the delay (--del) must be from 0.01 to 86400, not '86401'"},
	{{"-d", "two"}, -EINVAL, "the delay (-d) must be a number, not 'two'"},
	{{"-d", ""}, -EINVAL, "the delay (-d) must be a number, not ''"},
	{{"-d", "0,5"}, -EINVAL, "the delay (-d) must be a number, not '0,5'"},
	{{"-d", "nan"}, -EINVAL, "the delay (-d) must be a number, not 'nan'"},
	{{"-d", "0", "-d", "1"}, -ERANGE, "the delay (-d) must be from 0.01 to 86400, not '0'"},
	{{"-n", "-1"},
	 -ERANGE,
	 "the number of refreshes (-n) must be from 0 to 1000000000, not '-1'"},
	{{"-n", "1.5"}, -EINVAL, "the number of refreshes (-n) must be a whole number, not '1.5'"},
	{{"-n", "99999999999999999999"},
	 -ERANGE,
	 "the number of refreshes (-n) must be from 0 to 1000000000, not '99999999999999999999'"},
	{{"--cpu-min", "-1"},
	 -ERANGE,
	 "the threshold of idle tasks (--cpu-min) must be from 0 to 100000, not '-1'"},
	{{"-p", "make", "-p", ""}, 0, ""},
	{{"-W", ""}, -EINVAL, "the configuration file (-W) must not be empty"},
	{{"ls"}, -EINVAL, "unexpected 'ls': put '--' before a command"},
	{{"-b", "ls", "-l"}, -EINVAL, "unexpected 'ls': put '--' before a command"},
	{{"-"}, -EINVAL, "unexpected '-': put '--' before a command"},
	{{""}, -EINVAL, "unexpected '': put '--' before a command"},
	{{"--"}, -EINVAL, "there is no command after '--'"},
	{{"-b", "--"}, -EINVAL, "there is no command after '--'"},
	{{"-p--", "--"}, -EINVAL, "there is no command after '--'"},
	{{"-o", "out"}, 0, " output=out"},
	{{"-o", "out", "--format", "text"}, 0, " output=out format=text"},
	{{"-b", "--format=text"}, 0, " batch format=text"},
	{{"--format=text"}, -EINVAL, "the format (--format) is for what is written: add -b, or -o"},
	{{"--format=json", "-o", "-"}, 0, " batch output=- format=json"},
	{{"--format=csv", "-o", "f", "--rows", "7"}, 0, " rows=7 output=f format=csv"},
	{{"-b", "--fields", "pid,cpu", "--fields=ipc"}, 0, " batch fields=pid,cpu,ipc"},
	{{"--metrics", "f", "--rows=7", "--metrics-by=user"},
	 0,
	 " rows=7 metrics=f metrics_by=user"},
	{{"--metrics", "-"},
	 -EINVAL,
	 "the file of metrics (--metrics) must be the name of a file, not '-'"},
	{{"-E", "-"}, -EINVAL, "the error file (-E) must be the name of a file, not '-'"},
	{{"--record", "-"},
	 -EINVAL,
	 "the recording (--record) must be the name of a file, not '-'"},
	{{"--fields", "pid"},
	 -EINVAL,
	 "the fields (--fields) are for what is written: add -b, or -o"},
	{{"-b", "--rows", "-1"},
	 -ERANGE,
	 "the number of rows (--rows) must be from 0 to 1000000000, not '-1'"},
	{{"--list-events", "--for-cpu", "zen4"}, 0, " task=5 cpu=zen4"},
	{{"--for-", "zen4", "-b"},
	 -EINVAL,
	 "--for-cpu is for --list-screens, --list-events, --list-columns, --list-filters, "
	 "--show-screen and --encodings only: "
	 "nothing can be counted or checked for a CPU of another machine"},
	{{"--for-cpu", ""}, -EINVAL, "the CPU (--for-cpu) must not be empty"},
	{{"-o", "-"},
	 -EINVAL,
	 "standard output (-o -) has the live screen: name a file, or add -b"},
};

static void test_command_lines(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof command_lines / sizeof *command_lines; i++) {
		const char *const *words = command_lines[i].words;
		struct options o;
		int rc;

		options_init(&o);
		rc = run(&out, &o, "tiptop", words);
		tap_str(out.text, command_lines[i].want, "tiptop %s %s %s",
			words[0] ? words[0] : "", words[0] && words[1] ? words[1] : "",
			words[0] && words[1] && words[2] ? "..." : "");
		tap_int(rc, command_lines[i].rc, "its code");
		options_done(&o);
	}
	strbuf_done(&out);
}

static void test_no_name(void)
{
	struct option_list *list;
	struct err err = ERR_INIT;
	char *argv[] = {NULL};

	tap_int(option_scan(&list, &option_monitor, 0, argv, &err), 0,
		"a program without even its name");
	option_list_free(list);
}

static const struct {
	const char *name, *value;
	int rc;
	const char *want;
} conf_options[] = {
	{"delay", "0.5", 0, " delay=0.5"},
	{"delay", "2.000000", 0, ""},
	{"cpu_threshold", "3", 0, " cpu_min=3"},
	{"cpu_threshold", "0.000010", 0, ""},
	{"max_iter", "5", 0, " iterations=5"},
	{"max_iter", "0", 0, ""},
	{"idle", "1", 0, " idle"},
	{"idle", "0", 0, ""},
	{"batch", "1", 0, " batch"},
	{"show_cmdline", "1", 0, " show_cmdline"},
	{"show_kernel", "1", 0, " kernel"},
	{"show_threads", "1", 0, " threads"},
	{"show_user", "1", 0, " show_user"},
	{"only_pid", "0", 0, ""},
	{"only_pid", "42", 0, " pid=42"},
	{"only_name", "bash", 0, " pid=bash"},
	{"only_uid", "0", 0, " user=0"},
	{"only_uid", "-1", 0, ""},
	{"delay", "0", -ERANGE, "the delay (option 'delay') must be from 0.01 to 86400, not '0'"},
	{"delay", "", -EINVAL, "the delay (option 'delay') must be a number, not ''"},
	{"only_name", "", 0, ""},
	{"idle", "yes", -EINVAL, "the option 'idle' must be 0 or 1, not 'yes'"},
	{"batch", "", -EINVAL, "the option 'batch' must be 0 or 1, not ''"},
	{"watch_name", "bash", 0, " watch=bash"},
	{"watch_name", "0", 0, ""},
	{"watch_uid", "1000", 0, " user=1000"},
	{"watch_uid", "-1", 0, ""},
	{"sticky", "1", 0, " sticky"},
	{"stick", "1", 0, " sticky"},
	{"show_epoch", "1", 0, " epoch"},
	{"show_timestamp", "1", 0, " timestamp"},
	{"error_file", "log", 0, " errors=log"},
	{"no_collect", "1", 0, " no_collect"},
	{"layout", "full", 0, " layout=full"},
	{"layout", "auto", 0, ""},
	{"only_conf", "1", 0, " only_conf"},
	{"screen", "branch", 0, " screen=branch"},
	{"sort_column", "%MISS", 0, " sort=%MISS"},
	{"ascending", "1", 0, " ascending"},
	{"debug", "1", 0, ""},
	{"debug", "yes", 0, ""},
	{"stick", "2", -EINVAL, "the option 'stick' must be 0 or 1, not '2'"},
	{"sort_column", "", -EINVAL,
	 "the column to sort by (option 'sort_column') must not be empty"},
	{"output", "file", -ENOENT, "unknown option 'output'"},
	{"event", "cycles", -ENOENT, "unknown option 'event'"},
	{"Delay", "1", -ENOENT, "unknown option 'Delay' (did you mean 'delay'?)"},
	{"help", "1", -ENOENT, "unknown option 'help'"},
	{"", "1", -ENOENT, "unknown option ''"},
};

static void test_conf_options(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof conf_options / sizeof *conf_options; i++) {
		struct err err = ERR_INIT;
		struct options o;
		int rc;

		options_init(&o);
		strbuf_reset(&out);
		rc = option_set_conf(&o, conf_options[i].name, conf_options[i].value, &err);
		if (rc)
			strbuf_addstr(&out, err.text);
		show(&out, &o); /* an invalid value must not change anything */
		tap_str(out.text, conf_options[i].want, "%s = '%s' in the file",
			conf_options[i].name, conf_options[i].value);
		tap_int(rc, conf_options[i].rc, "its code");
		options_done(&o);
	}
	strbuf_done(&out);
}

/* The command line overrides the file. */
static const struct {
	const char *name, *value;
	const char *words[WORDS_MAX];
	const char *want;
} both[] = {
	{"idle", "1", {"-i"}, ""},
	{"idle", "1", {"-i", "--idle"}, ""},
	{"idle", "0", {"-i", "-i"}, " idle"},
	{"idle", "1", {"-H"}, " idle threads"},
	{"show_kernel", "1", {"-K"}, ""},
	{"show_user", "1", {"-U"}, ""},
	{"show_cmdline", "1", {"-c"}, ""},
	{"show_threads", "1", {"-H"}, ""},
	{"batch", "1", {"-b"}, " batch"},
	{"batch", "1", {"-o", "out"}, " batch output=out"},
	{"delay", "5", {"-n", "1"}, " delay=5 iterations=1"},
	{"delay", "5", {"-d", "1"}, " delay=1"},
	{"only_pid", "42", {"-p", "bash"}, " pid=bash"},
	{"only_name", "bash", {"-p", "0"}, ""},
	{"watch_name", "bash", {"-w", "0"}, ""},
	{"watch_name", "bash", {"-w", "42"}, " watch=42"},
	{"sticky", "1", {"--sticky"}, ""},
	{"stick", "1", {"--sticky"}, ""},
	{"show_epoch", "1", {"--epoch"}, ""},
	{"show_timestamp", "1", {"--timestamp"}, ""},
	{"no_collect", "1", {"--no-collect"}, " no_collect"},
	{"only_conf", "1", {"--only-conf"}, " only_conf"},
	{"screen", "branch", {"-S", "1"}, " screen=1"},
	{"error_file", "log", {"-E", "other"}, " errors=other"},
};

static void test_both(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
		struct options o;

		options_init(&o);
		tap_int(option_set_conf(&o, both[i].name, both[i].value, NULL), 0,
			"%s = %s in the file", both[i].name, both[i].value);
		run(&out, &o, "tiptop", both[i].words);
		tap_str(out.text, both[i].want, "and %s on the command line", both[i].words[0]);
		options_done(&o);
	}
	strbuf_done(&out);
}

/* Started as ptiptop, the first word that is not an option selects tasks by name or pid. */
static const struct {
	const char *program;
	const char *words[WORDS_MAX];
	int rc;
	const char *want;
} pattern_lines[] = {
	{"ptiptop", {"bash"}, 0, " pid=bash"},
	{"/usr/bin/ptiptop", {"42", "-b"}, 0, " batch pid=42"},
	{"./ptiptop", {"-b", "bash", "-n", "1"}, 0, " batch iterations=1 pid=bash"},
	{"ptiptop", {"-d", "3", "bash"}, 0, " delay=3 pid=bash"},
	{"ptiptop", {NULL}, 0, ""},
	{"ptiptop", {"bash", "-p", "sh"}, 0, " pid=sh"},
	{"ptiptop", {"--help"}, 0, " task=1"},
	{"ptiptop", {"--list-events", "cache", "bash"}, 0, " task=5 pid=bash pattern=cache"},
	{"ptiptop", {"-e", "cs", "bash"}, 0, " pid=bash events=cs"},
	{"ptiptop", {"bash", "--", "ls", "-l"}, 0, " pid=bash command: ls -l"},
	{"ptiptop", {"--", "ls"}, 0, " command: ls"},
	{"ptiptop", {""}, 0, ""},
	{"ptiptop", {"bash", "sh"}, -EINVAL, "unexpected 'sh': put '--' before a command"},
	{"ptiptop", {"-x", "bash"}, -EINVAL, "unknown option '-x': see 'tiptop --help'"},
	{"ptiptop/tiptop", {"bash"}, -EINVAL, "unexpected 'bash': put '--' before a command"},
	{"pptiptop", {"bash"}, -EINVAL, "unexpected 'bash': put '--' before a command"},
};

static void test_pattern(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof pattern_lines / sizeof *pattern_lines; i++) {
		const char *const *words = pattern_lines[i].words;
		struct options o;
		int rc;

		options_init(&o);
		rc = run(&out, &o, pattern_lines[i].program, words);
		tap_str(out.text, pattern_lines[i].want, "%s %s %s", pattern_lines[i].program,
			words[0] ? words[0] : "", words[0] && words[1] ? words[1] : "");
		tap_int(rc, pattern_lines[i].rc, "its code");
		options_done(&o);
	}
	strbuf_done(&out);
}

static void test_given(void)
{
	const char *argv[] = {"tiptop", "-W", "/a", "--config=/b", "--version", "-ea", "-eb", NULL};
	struct option_list *list = NULL;

	tap_int(option_scan(&list, &option_monitor, 7, (char **)argv, NULL), 0, "-W and -e twice");
	tap_str(option_given(list, "config"), "/b", "the last -W is given");
	tap_ok(!option_given(list, "delay"), "-d is not given");
	tap_str(option_given(list, "event"), "a,b", "all of -e are given");
	tap_ok(option_is_given(list, "version") && !option_is_given(list, "kernel") &&
		       !option_is_given(list, "nonsense"),
	       "options without arguments");
	tap_int(option_task(list), TASK_VERSION, "the task");
	option_list_free(list);
}

/* Names of options are unique, and each row is complete. */
static void test_table(void)
{
	bool distinct = true, complete = true;

	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *a = &option_table[i];

		complete &= (a->long_name != NULL) == (a->help != NULL);
		complete &= !a->short_name || a->long_name;
		complete &= !a->arg || a->what || a->kind == OPTION_TASK;
		/* the writer cannot format whole numbers */
		complete &= a->kind != OPTION_LONG || a->writing == WRITE_NEVER;
		for (size_t k = 0; k < i; k++) {
			const struct option_row *b = &option_table[k];

			distinct &= !a->long_name || !b->long_name ||
				    strcmp(a->long_name, b->long_name);
			distinct &= !a->conf_name || !b->conf_name ||
				    strcmp(a->conf_name, b->conf_name);
			distinct &= !a->short_name || a->short_name != b->short_name;
		}
	}
	tap_ok(distinct, "names are distinct");
	tap_ok(complete, "each row that can be typed has its help, each argument its name");
}

/* A value is from the file unless the command line has set the option, too, by any of its names. */
static void test_origin(void)
{
	static const char *const words[WORDS_MAX] = {"--group", "user", "-p", "1"};
	struct strbuf text;
	struct options o;

	options_init(&o);
	strbuf_init(&text);
	options_add_place(&o, "group", 1, 11);
	options_add_place(&o, "values", 2, 12);
	options_add_place(&o, "only_name", 3, 13);
	options_add_place(&o, "values", 4, 14);
	tap_ok(options_are_from_file(&o, "group"), "from the file");
	tap_int(options_line(&o, "group"), 11, "with its line");
	tap_int(options_line(&o, "values"), 14, "the last one counts");
	run(&text, &o, "tiptop", words);
	tap_ok(!options_are_from_file(&o, "group"), "the command line overrides it");
	tap_int(options_line(&o, "group"), 0, "so it has no line");
	tap_ok(!options_are_from_file(&o, "only_name"), "by another name of the option, too");
	tap_ok(options_are_from_file(&o, "values"), "another one stays");
	tap_ok(!options_are_from_file(&o, "theme"), "what the file does not have");
	strbuf_done(&text);
	options_done(&o);
}

int main(void)
{
	test_command_lines();
	test_no_name();
	test_conf_options();
	test_both();
	test_pattern();
	test_given();
	test_origin();
	test_table();
	return tap_done();
}
