/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of listing: prints the list that an option asks for. */
#include <errno.h>
#include <string.h>

#include "cmd/listing.h"
#include "pmu/event/decode.h"
#include "report/format.h"
#include "report/select.h"
#include "run/print_error.h"
#include "session/table_file.h"

/* A number is taken apart, any other text is searched. */
static int list_events(struct report *out, struct setup *setup, struct err *err)
{
	const char *pattern = setup->options.pattern;
	const struct machine *m = &setup->machine;

	if (pattern && event_is_code(pattern))
		return listing_code(out, m, pattern, err);
	if (listing_events(out, m, &setup->kernel.sys, pattern))
		return 0;
	return err_set(err, ENOENT, "there is no event with '%s' in its name or description",
		       pattern ? pattern : "");
}

static int make(struct report *out, int task, struct setup *setup, const struct options *o,
		struct err *err)
{
	switch (task) {
	case TASK_LIST_EVENTS:
		return list_events(out, setup, err);
	case TASK_LIST_COLUMNS:
		setup_fit_all(setup);
		listing_columns(out, &setup->screens);
		return 0;
	case TASK_LIST_FILTERS:
		setup_fit_all(setup);
		listing_filters(out, &setup->filters, &setup->screens);
		return 0;
	default:
		listing_screens(out, &setup->screens, &setup->machine,
				o->fields || o->sort || o->rows);
		return 0;
	}
}

/* A list has rows of one type. */
static int choose(struct report *r, const struct options *o, struct err *err)
{
	const struct report_selection s = {o->fields, o->sort, (size_t)o->rows};
	size_t i = 0;
	int ret;

	while (i < r->n && r->entry[i].kind == REPORT_NOTE)
		i++;
	if (i == r->n)
		return 0;
	ret = report_select_check(&s, report_entry_type(&r->entry[i]), err);
	if (!ret)
		report_select(r, &s);
	return ret;
}

static int print(int task, struct setup *setup, const struct options *o)
{
	struct err err = ERR_INIT;
	struct report report;
	enum report_format_id format;
	int status = 0;

	if (report_find_format(&format, o->format, REPORT_ALL_FORMATS, &err))
		return say_fault(&err, EXIT_USAGE);
	report_init(&report);
	report.is_list = true;
	if (make(&report, task, setup, o, &err))
		status = say_fault(&err, EXIT_FAILED);
	else if (choose(&report, o, &err))
		status = say_fault(&err, EXIT_USAGE);
	else if (table_file_put(&report, format, o->output, o->append, &err))
		status = say_fault(&err, EXIT_FAILED);
	report_done(&report);
	return status;
}

int listing_print(int task, struct setup *setup, const struct option_list *arguments)
{
	struct err err = ERR_INIT;
	struct options o;
	int status;

	options_init(&o);
	if (option_apply(arguments, &o, &err))
		status = say_fault(&err, EXIT_USAGE);
	else
		status = print(task, setup, &o);
	options_done(&o);
	return status;
}
