/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/command.h"

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "conf/option.h"
#include "conf/theme.h"
#include "model/group_key.h"
#include "model/kinds.h"
#include "output/output.h"
#include "pmu/check/refusal.h"
#include "pmu/perf/plan.h"
#include "report/format.h"
#include "run/command_output.h"
#include "screen/bind/counters.h"
#include "screen/bind/event_screen.h"
#include "screen/column.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tui/canvas.h"
#include "view/view.h"

const struct command *const command_table[] = {&command_help,    &command_follow,  &command_import,
					       &command_compare, &command_calls,   &command_locks,
					       &command_plot,    &command_regions, &command_report,
					       &command_system,  &command_what,    NULL};

const struct command *command_find(const char *name)
{
	size_t i = 0;

	while (command_table[i] && strcmp(command_table[i]->name, name))
		i++;
	return command_table[i];
}

/* Returns whether the word is this option, possibly with "=ARGUMENT". */
static bool is_option(const char *word, const char *option)
{
	const size_t n = strlen(option);

	return !strncmp(word, option, n) && (!word[n] || word[n] == '=');
}

const struct command *command_choose_form(const struct command *c, int argc, char **argv)
{
	bool help = false;
	int i = 1;

	if (!c || !c->form)
		return c;
	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (c->form_option && is_option(argv[i], c->form_option))
			return c->form;
		help |= !strcmp(argv[i], "-h") || is_option(argv[i], "--help");
	}
	/* Without "-- command", chooses the form; but not with --help, as the help of the command
	 * includes that of the form. */
	return i == argc && c->form_without_command && !help ? c->form : c;
}

void command_add_names(struct strbuf *out)
{
	for (size_t i = 0; command_table[i]; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", command_table[i]->name);
}

void command_suggest(struct suggestion *near)
{
	for (size_t i = 0; command_table[i]; i++)
		suggestion_offer(near, command_table[i]->name);
}

/* Appends the head of a page. type: the command of tiptop; command: the measured command; NULL:
 * none. */
static void add_about(struct strbuf *out, const char *type, char *const *command,
		      struct anonymous *anonymous)
{
	struct page_about about;
	char *of = xasprintf("tiptop %s", type);

	page_about_init(&about, of, command);
	page_about_anonymize(&about, anonymous, false);
	report_html_add_about(out, &about.about);
	page_about_done(&about);
	free(of);
}

int command_check_table(enum report_format_id *format, const char *name, bool anonymize,
			const struct table_options *table, struct err *err)
{
	int ret = report_find_format(format, name, REPORT_ALL_FORMATS, err);

	if (!ret)
		ret = report_check_anonymous(anonymize, *format, err);
	return ret ? ret : option_check_append(table->append, table->output, err);
}

int command_prepare_output(struct dest *d, enum report_format_id format, const char *type,
			   char *const *command, struct anonymous *anonymous, struct strbuf *header,
			   struct err *err)
{
	struct strbuf begin;
	int ret = 0;

	strbuf_init(&begin);
	strbuf_addf(&begin, "{\"type\":\"%s\",", type);
	if (d->appends)
		ret = dest_check(d, format == REPORT_AS_JSON ? begin.text : header->text, err);
	strbuf_done(&begin);
	if (d->filled)
		strbuf_reset(header);
	else if (!ret && format == REPORT_AS_HTML)
		add_about(header, type, command, anonymous);
	return ret;
}

/* ---- choices ---- */

static const char *format_at(size_t i)
{
	return sink_table[i] ? sink_table[i]->name : NULL;
}

/* The formats of rows other than tasks, which have no verdicts; these are the last format. */
static const char *row_format_at(size_t i)
{
	return sink_table[i] && sink_table[i] != &sink_verdicts ? sink_table[i]->name : NULL;
}

static const char *report_at(size_t i)
{
	return report_format_at(REPORT_ALL_FORMATS, i);
}

static const char *without_csv_at(size_t i)
{
	return report_format_at(REPORT_NO_CSV, i);
}

static const char *group_at(const struct kind *kind, size_t i)
{
	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (group_key_is_for((enum group_key)k, kind) && !i--)
			return group_key_table[k].name;
	return NULL;
}

static const char *task_group_at(size_t i)
{
	return group_at(&kind_task, i);
}

static const char *region_group_at(size_t i)
{
	return group_at(&kind_region, i);
}

static const char *lock_group_at(size_t i)
{
	return group_at(&kind_lock, i);
}

static const char *call_group_at(size_t i)
{
	return group_at(&kind_call, i);
}

static const char *cpu_group_at(size_t i)
{
	return group_at(&kind_cpu, i);
}

static const char *values_at(size_t i)
{
	return i < N_VALUES ? values_name[i] : NULL;
}

static const char *theme_at(size_t i)
{
	return i < theme_built_in_n ? theme_built_in[i].name : NULL;
}

#define MONITOR(formats, groups)                                                                   \
	{"format", formats}, {"group", groups}, {"metrics-by", task_group_at},                     \
		{"values", values_at}, {"theme", theme_at}, {"layout", parts_choice},              \
		{"screenshot", picture_suffix},                                                    \
	{                                                                                          \
		NULL, NULL                                                                         \
	}

const struct option_choices choices_monitor[] = {MONITOR(format_at, task_group_at)};
const struct option_choices choices_regions[] = {MONITOR(row_format_at, region_group_at)};
const struct option_choices choices_locks[] = {MONITOR(row_format_at, lock_group_at)};
const struct option_choices choices_calls[] = {MONITOR(row_format_at, call_group_at)};
const struct option_choices choices_system[] = {
	{"format", row_format_at}, {"group", cpu_group_at}, {NULL, NULL}};
const struct option_choices choices_rows[] = {{"format", report_at}, {NULL, NULL}};
const struct option_choices choices_report[] = {{"format", without_csv_at}, {NULL, NULL}};

/* ---- execution and help ---- */

/* A command need not have all of these options: "sample", for instance, is for rows of locks. */
const char *const command_usual_options[] = {
	"batch",  "format", "record",  "replay", "delay",       "iterations", "pid",
	"user",   "filter", "threads", "screen", "event",       "sort",       "list-events",
	"sample", "live",   "help",    "check",  "follow-exec", NULL,
};

bool command_wants_all(const struct option_list *arguments)
{
	return option_given(arguments, "help");
}

int command_print_help(const struct command *c, bool all)
{
	struct strbuf text;
	int status;

	strbuf_init(&text);
	command_add_help(c, all, &text);
	status = print_text(&text, 0);
	strbuf_done(&text);
	return status;
}

int command_run(const struct command *c, int argc, char **argv)
{
	struct option_list *arguments = NULL;
	struct err err = ERR_INIT;
	int status;

	if (option_scan(&arguments, c->options, argc, argv, &err))
		return print_fault(&err, EXIT_USAGE);
	if (option_task(arguments) == TASK_HELP)
		status = command_print_help(c, command_wants_all(arguments));
	else
		status = c->run(arguments);
	option_list_free(arguments);
	return status;
}

static void add_usage(const struct command *c, struct strbuf *out)
{
	strbuf_addf(out, "tiptop %s [option]...%s%s\n", c->name, *c->words ? " " : "", c->words);
}

static void add_usage_and_text(const struct command *c, struct strbuf *out)
{
	strbuf_addstr(out, "Usage: ");
	add_usage(c, out);
	strbuf_addf(out, "%sExample: %s\n\n", c->text, c->example);
}

static void add_options(const struct command *c, bool all, struct strbuf *out)
{
	if (all || c->options->row != option_table) {
		option_usage(c->options, c->choices, out);
		return;
	}
	strbuf_addstr(out, "Usual options:\n");
	option_usage_some(c->options, c->choices, command_usual_options, out);
	strbuf_addf(out, "\n'tiptop %s --help=all' lists all.\n", c->name);
}

void command_add_help(const struct command *c, bool all, struct strbuf *out)
{
	add_usage_and_text(c, out);
	add_options(c, all, out);
	if (!c->form)
		return;
	strbuf_addch(out, '\n');
	if (all) {
		command_add_help(c->form, all, out);
		return;
	}
	add_usage_and_text(c->form, out);
	strbuf_addf(out, "'tiptop %s --help=all' lists the options of this form, too.\n", c->name);
}

/* Appends a usage line for each command. */
static void command_add_usages(struct strbuf *out)
{
	for (size_t i = 0; command_table[i]; i++) {
		strbuf_addstr(out, "       ");
		add_usage(command_table[i], out);
	}
}

/* Appends the list of commands, with a sentence for each. */
static void command_add_list(struct strbuf *out)
{
	strbuf_addstr(out, "Commands of tiptop itself:\n");
	for (size_t i = 0; command_table[i]; i++)
		strbuf_addf(out, "  %-26s  %s\n", command_table[i]->name, command_table[i]->help);
}

/* ---- usage ---- */

/* The examples in the help; each can be run as it is. */
static const struct {
	const char *line, *help;
} examples[] = {
	{"tiptop", "all tasks, live; h: the keys, q: quit"},
	{"tiptop -H -p 1", "the threads of one process"},
	{"tiptop -- du -s /usr", "a command, from its start to its end"},
	{"tiptop -b -n 3 -d 1 --format csv", "three refreshes, for a program"},
	{"tiptop -b -n 5 --record run.db && tiptop what run.db", "record, then ask"},
};

static const char purpose[] =
	"Shows what the hardware counters count for each task, again and again;\n"
	"with a command, runs it and shows its tasks only; ptiptop is tiptop -p.\n"
	"\n";

static void add_short(struct strbuf *out)
{
	strbuf_addf(out, "       tiptop name-of-a-command [option]...\n%s", purpose);
	command_add_list(out);
	strbuf_addstr(out, "\nExamples:\n");
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		strbuf_addf(out, "  %-35s # %s\n", examples[i].line, examples[i].help);
	strbuf_addstr(out, "\nUsual options:\n");
	option_usage_some(&option_monitor, choices_monitor, command_usual_options, out);
	strbuf_addstr(out, "\n'tiptop --help=all' lists all options, 'tiptop help NAME' those of "
			   "a command.\n");
}

static void add_all(struct strbuf *out)
{
	command_add_usages(out);
	strbuf_addstr(out, purpose);
	option_usage(&option_monitor, choices_monitor, out);
	strbuf_addch(out, '\n');
	command_add_list(out);
	strbuf_addstr(
		out,
		"\n"
		"A toggle inverts what the configuration file says; without one, it switches on.\n"
		"More is in tiptop(1) and tiptoprc(5); on the live screen, h lists the keys.\n");
}

void usage_help(bool all, struct strbuf *out)
{
	strbuf_addstr(out, "Usage: tiptop [option]...\n"
			   "       tiptop [option]... -- command [argument]...\n"
			   "       ptiptop pid|text [option]...\n");
	if (all)
		add_all(out);
	else
		add_short(out);
}

void usage_build_info(struct strbuf *out)
{
	strbuf_addf(out,
		    "tiptop %s\n"
		    "compiler: %s\n"
		    "libraries: %s\n",
		    PACKAGE_VERSION, __VERSION__, BUILD_LIBRARIES);
}

void usage_version(struct strbuf *out)
{
	strbuf_addf(out,
		    "tiptop %s\n"
		    "Free software under the GNU General Public License, version 2 or, at your\n"
		    "choice, any later one: you may run, study, change and share it. It comes\n"
		    "without any warranty, as far as the law allows.\n",
		    PACKAGE_VERSION);
}

/* ---- sets of counters ---- */

/* Ignores faults of columns: the columns of this screen are not shown. */
static void ignore_fault(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static char *choose(void *context, const char *names)
{
	return counters_choice(names, context);
}

/* One list of -c, parsed. */
struct list {
	struct strbuf events; /* in the syntax of -e */
	int n;
	bool no_user, kernel;
};

/* Returns the end of an item: the next ',' outside of '/.../'. */
static const char *item_end(const char *at)
{
	bool inside = false;

	for (; *at && (inside || *at != ','); at++)
		inside ^= *at == '/';
	return at;
}

/* Returns the length of "picN=" and sets *n to the number; 0: the item has no such prefix. */
static size_t pic_length(const char *item, unsigned long *n)
{
	char *end;

	if (strncmp(item, "pic", 3) || item[3] < '0' || item[3] > '9')
		return 0;
	*n = strtoul(item + 3, &end, 10);
	return *end == '=' ? (size_t)(end + 1 - item) : 0;
}

static int parse_item(struct list *l, const char *item, size_t len, struct err *err)
{
	unsigned long pic;
	size_t skip = pic_length(item, &pic);

	if (len == 6 && !strncmp(item, "nouser", len)) {
		l->no_user = true;
		return 0;
	}
	if (len == 3 && !strncmp(item, "sys", len)) {
		l->kernel = true;
		return 0;
	}
	if (skip && pic != (unsigned long)l->n)
		return err_set(err, EINVAL,
			       "'%.*s' stands where pic%d is expected: counters of a set have the "
			       "numbers 0, 1, ... in their order",
			       (int)len, item, l->n);
	strbuf_addf(&l->events, "%s%.*s", l->n ? "," : "", (int)(len - skip), item + skip);
	l->n++;
	return 0;
}

static int parse_list(struct list *l, const char *text, struct err *err)
{
	const char *end;
	int ret;

	do {
		end = item_end(text);
		ret = parse_item(l, text, (size_t)(end - text), err);
		text = end + 1;
	} while (!ret && *end);
	if (!ret && l->no_user && !l->kernel)
		ret = err_set(err, EINVAL,
			      "nouser without sys leaves no mode in which events are counted");
	return ret;
}

/* Gives events the names that the user wrote, not those of a table or a PMU. In a list of
 * alternatives ("a;b"), the event that was used keeps its own name. */
static void name_events(struct event_set *set, const struct screen *screen)
{
	for (int i = 0; i < set->n; i++) {
		struct event *e = &set->event[i];

		for (size_t k = 0; k < screen->n_counters; k++) {
			const struct counter_decl *decl = &screen->counter[k];

			if (!e->what || strcmp(decl->alias, e->name) != 0 ||
			    strchr(decl->event, ';'))
				continue;
			free(e->what);
			e->what = xstrdup(decl->event);
		}
	}
}

/* Finds out which events cannot exclude guests, or any mode: they are then opened without. */
static void find_modes(struct event_set *set, struct perf_sys *sys)
{
	for (int i = 0; i < set->n; i++) {
		const bool usable = set->event[i].quality == QUALITY_EXACT;
		const int fd = usable ? event_probe(sys, set, i) : -1;

		if (fd >= 0)
			sys->close(sys, fd);
	}
}

static int make_set(struct event_set *set, const struct list *list, struct offer *offer,
		    struct err *err)
{
	struct screen *screen;
	struct trial trial;
	int ret = event_screen_new(&screen, list->events.text, choose, offer, NULL, err);

	if (ret)
		return ret;
	ret = counters_check_events(screen, offer, err);
	if (!ret)
		ret = screen_compile(screen, ignore_fault, NULL, err);
	if (!ret) {
		counters_make_set(set, screen, offer);
		name_events(set, screen);
		set->no_user = list->no_user;
		find_modes(set, offer->sys);
		event_set_join(set, UINT64_MAX >> (64 - set->n_counters));
		trial_init(&trial, offer->sys);
		plan_make(set, &trial);
		trial_done(&trial);
	}
	screen_free(screen);
	return ret;
}

static int make_one(struct event_set *set, const char *text, const char *first, bool kernel,
		    const struct machine *machine, struct perf_sys *sys, struct err *err)
{
	struct list list = {.kernel = kernel};
	struct offer offer;
	int ret;

	strbuf_init(&list.events);
	ret = parse_list(&list, text, err);
	if (!ret && first) {
		char *all = xasprintf("%s,%s", first, list.events.text);

		strbuf_reset(&list.events);
		strbuf_addstr(&list.events, all);
		free(all);
	}
	offer = offer_live(machine, sys, list.kernel);
	if (!ret)
		ret = make_set(set, &list, &offer, err);
	strbuf_done(&list.events);
	return ret;
}

int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		      const struct machine *machine, struct perf_sys *sys, struct err *err)
{
	char *all = xstrdup(lists), *rest = all, *list;
	int ret = 0;

	sets->n = 0;
	while (!ret && (list = strsep(&rest, "\n"))) {
		if (sets->n == COUNTER_SETS_MAX)
			ret = err_set(err, E2BIG, "there are more than %d sets", COUNTER_SETS_MAX);
		else
			ret = make_one(&sets->set[sets->n], list, first, kernel, machine, sys, err);
		if (!ret)
			sets->n++;
	}
	free(all);
	if (!ret)
		return 0;
	counter_sets_done(sets);
	return err_prefix(err, "-c");
}

bool counter_sets_explain_modes(const struct counter_sets *sets, struct err *why)
{
	for (int s = 0; s < sets->n; s++)
		for (int i = 0; i < sets->set[s].n; i++) {
			const struct event *e = &sets->set[s].event[i];

			if (!event_is_beyond_modes(e))
				continue;
			refusal_explain_modes(e->what ? e->what : e->name, why);
			return true;
		}
	return false;
}

void counter_sets_done(struct counter_sets *sets)
{
	while (sets->n)
		event_set_done(&sets->set[--sets->n]);
}
