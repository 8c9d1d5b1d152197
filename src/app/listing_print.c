/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of listing: prints the list that an option asks for. */
#include <errno.h>

#include "app/command.h"
#include "app/listing.h"
#include "app/say.h"
#include "event/decode.h"
#include "report/format.h"

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

static int make(struct report *out, int task, struct setup *setup, struct err *err)
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
		listing_screens(out, &setup->screens, &setup->machine);
		return 0;
	}
}

static int print(int task, struct setup *setup, int format)
{
	struct err err = ERR_INIT;
	struct report report;
	struct strbuf text;
	int status;

	report_init(&report);
	report.is_list = true;
	strbuf_init(&text);
	if (make(&report, task, setup, &err)) {
		status = say_fault(&err, EXIT_FAILED);
	} else {
		report_formats[format].write(&report, true, &text);
		status = say_text(&text, 0);
	}
	strbuf_done(&text);
	report_done(&report);
	return status;
}

int listing_print(int task, struct setup *setup, const struct option_list *arguments)
{
	struct err err = ERR_INIT;
	const int format = command_parse_format(option_given(arguments, "format"), &err);

	return format < 0 ? say_fault(&err, EXIT_USAGE) : print(task, setup, format);
}
