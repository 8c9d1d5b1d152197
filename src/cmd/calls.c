/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop calls. */
#include "cmd/command.h"
#include "run/preloading.h"

#include "profile/calls/lines.h"

static const struct option_row rows[] = {
	PRELOADING_ROWS,
	PRELOADING_EVENTS_ROW,
	PRELOADING_FOLDED_ROW("where the time went"),
	{.long_name = "functions",
	 .arg = "file",
	 .what = "the file with functions",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct preloading_options, functions),
	 .help = "measure the functions of this file, too; needs a C compiler"},
};

static const struct option_set options = {
	.program = "tiptop calls",
	.no_table = "has colours on the live screen alone: --live",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct preloading_options),
	.takes_command = true,
};

static int read_table(void *to, int fd, bool ended, struct err *err)
{
	return calls_report_read(to, fd, ended, err);
}

/* Appends the report of one table of calls to `out`. next: the table after it; NULL: none.
 * pid_before: pid of the report before; 0: none. */
static void add_report(struct preloading *p, struct calls_report *r,
		       const struct calls_report *next, uint32_t pid_before, struct strbuf *out)
{
	const uint32_t pid = r->header.container.pid;
	const bool goes_on = next && next->header.container.pid == pid;
	bool executes;
	const uint64_t end = preloading_program_end(p, pid, r->header.begin,
						    goes_on ? next->header.begin : 0, &executes);

	calls_report_make(r, end);
	r->cpu_ns = preloading_cpu_ns(p, pid, executes || pid == pid_before);
	calls_lines_add(&(struct calls_lines){.format = p->format,
					      .report = r,
					      .selection = &p->selection,
					      .is_first = !out->len && !p->dest.filled},
			out);
	if (preloading_wants_stacks(p))
		calls_folded_add(r, &p->stacks);
	if (p->format == REPORT_AS_CSV)
		preloading_print_stop(p, pid, r->header.lacking_call,
				      r->header.end - r->header.begin, r->header.ns_per_tick);
	calls_report_done(r);
}

static int report(struct preloading *p, struct strbuf *out, struct err *err)
{
	struct calls_report now, before;
	struct table_list tables;
	uint32_t pid_before = 0;
	int n = 0;

	(void)err;
	table_folder_list(&p->folder, &tables);
	for (size_t i = 0; i < tables.n; i++) {
		const struct table_name *name = &tables.v[i];
		struct err why = ERR_INIT;
		const int ret =
			table_folder_read(&p->folder, "calls", name, read_table, &now, &why);

		if (ret < 0)
			preloading_note_unread(p, name->text, &why);
		if (ret)
			continue;
		preloading_note_table(p, now.header.container.pid, now.header.begin);
		preloading_note_left_out(p, now.header.n_left_out);
		if (n++) {
			const uint32_t pid = before.header.container.pid;

			add_report(p, &before, &now, pid_before, out);
			pid_before = pid;
		}
		before = now;
	}
	if (n)
		add_report(p, &before, NULL, pid_before, out);
	table_list_done(&tables);
	return n;
}

static void declare(const struct preloading *p, const struct event_note event[], uint32_t n_events,
		    struct report_own_type *t)
{
	(void)p;
	calls_lines_declare(t, event, n_events);
}

static const struct preloading_use use = {
	.name = "calls",
	.object = "tiptop-calls.so",
	.variable = "TIPTOP_CALLS",
	.modes = true,
	.stacks_title = "Time by process, group and function",
	.options = &options,
	.clock = calls_report_clock,
	.report = report,
	.declare = declare,
	.text_head = "# library calls of process ",
	.json_types = {"calls"},
};

static int run(const struct option_list *arguments)
{
	return preloading_run(&use, arguments);
}

const struct command command_calls_live = {
	.name = "calls --live",
	.words = "[pid|text] [-- command]",
	.help = "show library calls while programs run",
	.text = "Shows a row for each function of a library that programs call while they run:\n"
		"the functions of the command, or of all programs that tiptop calls has started.\n"
		"A number chooses a process of these, a text chooses functions by their names.\n",
	.example = "tiptop calls --live -- program",
	.options = &option_calls_live,
	.choices = choices_calls,
	.rows = "call",
	.preload = &use,
};

const struct command command_calls = {
	.name = "calls",
	.words = "-- command",
	.help = "where the time of a command goes in libraries",
	.text = "Runs a command and prints a row for each function of the C, mathematics and\n"
		"thread libraries that it called: how often, the time in it, and its share of the\n"
		"time of the command; and rows for groups of functions. The command is not\n"
		"recompiled.\n",
	.example = "tiptop calls -o report -- program",
	.options = &options,
	.choices = choices_rows,
	.form = &command_calls_live,
	.form_option = "--live",
	.run = run,
};
