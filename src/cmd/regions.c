/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop regions. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "cmd/command.h"
#include "collect/table/region_table.h"
#include "collect/table/table_folder.h"
#include "profile/regions/lines.h"
#include "report/select.h"
#include "run/command_output.h"
#include "run/preloading.h"

/* ---- reports of all processes ----
 *
 * The processes of a command that measure regions (inject/lib/table.h) have a report each, however
 * they end.
 *
 * Processes make their tables in one folder (inject/lib/regions.h) and leave them there. Tables
 * of processes that have ended are read and removed while the command runs: they take memory, and
 * there may be thousands. If the lock of a table is free, its process has ended or has executed
 * another program.
 */

struct regions_keeper {
	struct regions_form form;
	struct report_own_type known;  /* columns that the reports have named */
	struct regions_report *report; /* [n] */
	size_t n, cap;
	/* Processes without a report: they began no region, or have a private table. */
	size_t n_unused;
	size_t n_unread;  /* tables that could not be read; the reasons were printed */
	size_t n_running; /* processes that still ran at the last collection */
	int running_pid;  /* the pid of one of these processes */
	struct table_copy copy;
};

static void regions_keeper_init(struct regions_keeper *k)
{
	*k = (struct regions_keeper){.n = 0};
	report_own_type_init(&k->known, NULL, 0);
	k->form.known = &k->known;
	table_copy_init(&k->copy);
}

static void regions_keeper_done(struct regions_keeper *k)
{
	for (size_t i = 0; i < k->n; i++)
		regions_report_done(&k->report[i]);
	free(k->report);
	report_own_type_done(&k->known);
	table_copy_done(&k->copy);
}

/* State of one collection. */
struct collection {
	struct regions_keeper *keeper;
	bool last;
};

/* Returns whether the process has begun no region: there is no header yet. */
static bool is_empty(int fd)
{
	char magic = 0;

	return pread(fd, &magic, 1, 0) <= 0 || !magic;
}

/* Locks the table against a process that is about to lock it. The lock is released with the
 * descriptor. */
static bool lock_table(int fd)
{
	struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_SETLK, &whole);
}

static void collect_empty(struct regions_keeper *k, const struct table_file *file, int fd)
{
	if (!lock_table(fd) || !is_empty(fd))
		return;
	unlink(file->path);
	k->n_unused++;
}

/* Reads the table; one that changes all the time is read as it is. */
static int read_table(struct regions_keeper *k, int fd, bool ended, struct err *err)
{
	int ret = table_copy_read(&k->copy, fd, ended, err);

	if (ret == -EAGAIN)
		ret = table_copy_read(&k->copy, fd, true, err);
	return ret;
}

static void collect_table(const struct collection *c, const struct table_file *file, int fd,
			  bool runs)
{
	struct regions_keeper *k = c->keeper;
	struct err err = ERR_INIT, why = ERR_INIT;

	if (!read_table(k, fd, !runs, &why) && k->copy.header.is_private) {
		/* Only the process itself can report its private table. */
		k->n_unused++;
	} else if (!why.code) {
		k->report = xgrow(k->report, &k->cap, k->n + 1, sizeof *k->report);
		regions_report_make(&k->report[k->n++], &k->copy, &k->form, runs);
	} else {
		err_set(&err, why.code, "regions: the table of the process %d %s", file->pid,
			why.text);
		print_fault(&err, EXIT_FAILED);
		k->n_unread++;
	}
	if (!runs)
		unlink(file->path);
}

static void visit(void *context, const struct table_file *file)
{
	const struct collection *c = context;
	struct err err = ERR_INIT;
	const int fd = tables_open_file(file->path, file->path, &err);
	bool runs;

	if (fd < 0) {
		if (c->last) {
			print_fault(&err, EXIT_FAILED);
			c->keeper->n_unread++;
		}
		return;
	}
	/* Check the lock before the contents: the process may end in between. */
	runs = regions_is_held(fd);
	if (runs && c->last && !c->keeper->n_running++)
		c->keeper->running_pid = file->pid;
	if (is_empty(fd))
		collect_empty(c->keeper, file, fd);
	else if (!runs || c->last)
		collect_table(c, file, fd, runs);
	close(fd);
}

/* Reads and removes the tables of processes that have ended. last: also reads the tables of running
 * processes. Prints an error for each table that cannot be read. */
static void regions_keeper_collect(struct regions_keeper *k, const char *folder, bool last)
{
	struct collection c = {k, last};

	tables_visit_folder(folder, visit, &c);
}

/* Checks that the file to which the reports will be appended has the CSV header of each: columns of
 * units of work are known only now. Returns 0, or -errno with a sentence. */
static int regions_keeper_check(const struct regions_keeper *k, const struct dest *behind,
				struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < k->n && !ret; i++)
		ret = dest_check(behind, k->report[i].head.text, err);
	return ret;
}

/* Appends all reports to `out`. behind: the file to which `out` will be appended; NULL: none. */
static void regions_keeper_add(struct regions_keeper *k, const struct dest *behind,
			       struct strbuf *out)
{
	regions_reports_add(k->report, k->n, behind, out);
}

/* ---- the command ---- */

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

/* Prints the reports, as the file of -o has another header: nothing that was measured is lost. If
 * standard output cannot be written, keeps them in another file. */
static int refuse_append(struct regions_keeper *k, const struct err *why, struct err *err)
{
	struct strbuf out;

	strbuf_init(&out);
	regions_keeper_add(k, NULL, &out);
	if (!print_text(&out, 0)) {
		err_set(err, why->code, "%s; this report is on standard output", why->text);
	} else {
		print_fault(why, 0);
		err_set(err, why->code,
			"regions: neither that file nor standard output is written");
		dest_keep("the report", &out, err);
	}
	strbuf_done(&out);
	return -err->code;
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
	if (!ret && k->n_unread)
		ret = err_set(err, EBADMSG, "%s", "");
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
			"begun no region, or before its first region it had reached a limit, or "
			"had closed its files and given up its rights or its root",
			p->command[0]);
	else
		err_set(err, ENODATA,
			"regions: '%s' has measured no regions: no program that it executed is "
			"linked with libtiptop (tiptop(3)), or such a program runs with other "
			"rights "
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
