/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of listing: lists of events in JSON, one array in one line. */
#include <inttypes.h>
#include <stdlib.h>

#include "app/listing.h"
#include "base/json.h"
#include "base/mem.h"
#include "event/decode.h"
#include "event/elsewhere.h"
#include "event/list.h"

/* A number in hex, as text: it may have 64 bits, which few readers of JSON keep. */
static void add_hex(struct strbuf *out, const char *key, uint64_t number)
{
	char *text = xasprintf("0x%" PRIx64, number);

	json_member_text(out, key, text);
	free(text);
}

static void add_code(struct strbuf *out, const struct machine *m, const struct event *e)
{
	struct strbuf type;

	strbuf_init(&type);
	machine_add_type(&type, m, e);
	json_member_text(out, "type", type.text);
	strbuf_done(&type);
	add_hex(out, "config", machine_config(m, e));
	add_hex(out, "config1", e->config1);
	add_hex(out, "config2", e->config2);
}

static void add_row(struct strbuf *out, const struct machine *m, const struct event_row *row)
{
	json_begin(out, '{');
	json_member_text(out, "name", row->name);
	json_member_text(out, "pmu", row->pmu);
	if (row->has_code)
		add_code(out, m, &row->event);
	json_member_text(out, "opens", event_opens_table[row->opens].name);
	json_member_text(out, "description", row->help);
	json_end(out, '}');
}

size_t listing_events_json(struct strbuf *out, const struct machine *m, struct perf_sys *sys,
			   const char *pattern)
{
	struct event_list list;
	size_t n;

	event_list_make(&list, m, sys, pattern);
	n = list.n;
	if (n) {
		json_begin(out, '[');
		for (size_t i = 0; i < n; i++)
			add_row(out, m, &list.row[i]);
		json_end(out, ']');
		strbuf_addch(out, '\n');
	}
	event_list_done(&list);
	return n;
}

static void add_part(void *context, const char *field, const char *value, const char *text)
{
	struct strbuf *out = context;

	json_begin(out, '{');
	json_member_text(out, "field", field);
	json_member_text(out, "value", value);
	json_member_text(out, "description", text);
	json_end(out, '}');
}

int listing_code_json(struct strbuf *out, const struct machine *m, const char *code,
		      struct err *err)
{
	int ret;

	json_begin(out, '[');
	ret = event_decode(m, code, add_part, out, err);
	json_end(out, ']');
	strbuf_addch(out, '\n');
	return ret;
}
