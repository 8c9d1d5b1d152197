/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop regions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/choices.h"
#include "cmd/command.h"
#include "profile/regions/lines.h"
#include "report/select.h"
#include "run/preloading.h"
#include "run/regions_keeper.h"

static const struct option_row rows[] = {COMMAND_HELP_ROW, PRELOADING_EVENTS_ROW,
					 PRELOADING_OUTPUT_ROWS, PRELOADING_SELECT_ROWS};

static const struct option_set options = {
	.program = "tiptop regions",
	.no_table = "has colours on the live screen alone: --live",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct preloading_options),
	.takes_command = true,
};

/* Sets the environment of the command. Without -e, the events are those that TIPTOP_REGIONS already
 * has. */
static int prepare(const struct preloading_want *want, struct err *err)
{
	if (setenv("TIPTOP_KEEPER", want->folder, 1) ||
	    setenv("TIPTOP_REGIONS", want->events ? want->events : "", want->events != NULL))
		return err_set(err, ENOMEM, "regions: there is no memory");
	return 0;
}

static void collect_all(const struct preloading *p, bool last)
{
	struct regions_keeper *k = p->use->context;

	k->form.format = p->format;
	k->form.selection = &p->selection;
	regions_keeper_collect(k, p->folder.path, last);
}

static void collect(struct preloading *p)
{
	collect_all(p, false);
}

/* Prints the reports, as the file of -o has another header: nothing that was measured is lost. */
static int refuse_append(struct regions_keeper *k, const struct err *why, struct err *err)
{
	struct strbuf out;

	strbuf_init(&out);
	regions_keeper_add(k, NULL, &out);
	fwrite(out.text, 1, out.len, stdout);
	strbuf_done(&out);
	return err_set(err, why->code, "%s; this report is on standard output", why->text);
}

static int report(struct preloading *p, struct strbuf *out, struct err *err)
{
	struct regions_keeper *k = p->use->context;
	struct err why = ERR_INIT;
	int ret = 0;

	collect_all(p, true);
	if (regions_keeper_check(k, &p->dest, &why))
		return refuse_append(k, &why, err);
	regions_keeper_add(k, &p->dest, out);
	if (k->n)
		ret = report_select_check(&p->selection, &k->known.type, err);
	return ret ? ret : (int)k->n;
}

/* Declares the columns; without -e, for the events of TIPTOP_REGIONS. */
static void declare(const struct preloading *p, const struct event_note event[], uint32_t n_events,
		    struct report_own_type *t)
{
	const char *events = p->o.events ? p->o.events : getenv("TIPTOP_REGIONS");

	(void)event;
	(void)n_events;
	regions_lines_declare_list(t, events ? events : "");
}

static void print_lacking(struct preloading *p)
{
	const struct regions_keeper *k = p->use->context;
	const bool one = k->n_running == 1;

	if (!k->n_running)
		return;
	p->leaves = true;
	fprintf(stderr,
		"tiptop: regions: %zu process%s that '%s' started still run%s, and the report has "
		"what was measured so far: 'tiptop regions %d' shows what follows\n",
		k->n_running, one ? "" : "es", p->command[0], one ? "s" : "", k->running_pid);
}

static void explain_none(const struct preloading *p, struct err *err)
{
	const struct regions_keeper *k = p->use->context;

	if (k->n_unused || k->n_running)
		err_set(err, ENODATA,
			"regions: '%s' uses libtiptop, but has left no table of regions: it has "
			"begun none, or had reached a limit, or had closed its files and given up "
			"its rights or its root before the first one",
			p->command[0]);
	else
		err_set(err, ENODATA,
			"regions: '%s' has measured no regions: no program that it executed is "
			"linked with libtiptop (tiptop(3)), or such a one runs with other rights "
			"than yours, or under a filter of system calls (seccomp(2)) that was set "
			"before, or has lost its environment",
			p->command[0]);
}

static const struct preloading_linked linked = {
	.prepare = prepare,
	.collect = collect,
	.print_lacking = print_lacking,
	.explain_none = explain_none,
};

static uint64_t no_clock(void)
{
	return 0;
}

static int run(const struct option_list *arguments)
{
	struct regions_keeper keeper;
	const struct preloading_use use = {
		.name = "regions",
		.options = &options,
		.clock = no_clock,
		.report = report,
		.declare = declare,
		.text_head = "# regions of process ",
		.json_types = {"region", "lack"},
		.linked = &linked,
		.context = &keeper,
	};
	int status;

	regions_keeper_init(&keeper);
	status = preloading_run(&use, arguments);
	regions_keeper_done(&keeper);
	return status;
}

/* For the live screen, which calls only prepare() of `linked`: the other functions are for the
 * report. */
static const struct preloading_use use_live = {
	.name = "regions",
	.options = &option_regions,
	.linked = &linked,
};

static const struct command command_regions_live = {
	.name = "regions",
	.words = "[pid|text] | --live -- command",
	.help = "show regions of code that programs measure",
	.text = "Shows a row for each region of code that a running program measures itself\n"
		"(tiptop(3)): of the process with this number, of those with this text in their\n"
		"names, or of all. A program does so where it is started with TIPTOP_REGIONS, or\n"
		"by this: then it has the rows of all processes of the command.\n",
	.example = "tiptop regions --live -- program",
	.options = &option_regions,
	.choices = choices_regions,
	.rows = "region",
	.preload = &use_live,
};

const struct command command_regions = {
	.name = "regions",
	.words = "-- command",
	.help = "what programs measure of regions of their code",
	.text = "Runs a command and prints what each of its processes has measured of its\n"
		"regions of code (tiptop(3)), however it ended.\n",
	.example = "tiptop regions -o report -- program",
	.options = &options,
	.choices = choices_rows,
	.form = &command_regions_live,
	.form_option = "--live",
	.form_without_command = true,
	.run = run,
};
