/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of preloading: what is written of rows, and behind what. */
#include "conf/option.h"
#include "report/format.h"
#include "run/preloading.h"
#include "run/preloading_events.h"

/* Declares the rows as they will be. */
static void declare(const struct preloading *p, struct report_own_type *t)
{
	struct event_note note[EVENT_NOTES_MAX];
	const uint32_t n = preloading_events_name(p->events.text, note);

	p->use->declare(p, note, n, t);
}

int preloading_select(struct preloading *p, struct err *err)
{
	struct report_own_type type;
	int ret;

	if (!p->use->declare)
		return 0;
	ret = option_check_append(p->o.append, p->o.output, err);
	if (ret)
		return ret;
	p->selection = (struct report_selection){p->o.fields, p->o.sort, (size_t)p->o.rows};
	declare(p, &type);
	ret = report_select_check(&p->selection, &type.type, err);
	report_own_type_done(&type);
	return ret;
}

/* What a file begins with that has such reports. */
static void add_header(const struct preloading *p, struct strbuf *out)
{
	struct report_own_type type;
	struct report report;

	if (p->format == REPORT_AS_TEXT)
		strbuf_addstr(out, p->use->text_head);
	if (p->format == REPORT_AS_JSON)
		strbuf_addf(out, "{\"type\":\"%s\",", p->use->name);
	if (p->format != REPORT_AS_CSV)
		return;
	declare(p, &type);
	report_init(&report);
	report_heading(&report, &type.type);
	report_select(&report, &p->selection);
	report_write_csv(&report, true, out);
	report_done(&report);
	report_own_type_done(&type);
}

int preloading_open(struct preloading *p, struct err *err)
{
	struct strbuf header;
	int ret;

	ret = dest_open_or_append(&p->dest, p->o.output, p->o.append, err);
	if (!p->o.append)
		return ret;
	strbuf_init(&header);
	if (!ret) {
		add_header(p, &header);
		ret = dest_check(&p->dest, header.text, err);
	}
	strbuf_done(&header);
	return ret;
}
