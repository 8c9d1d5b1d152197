/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/lines.h"

#include <stdio.h>
#include <string.h>

#include "inject/lib/derived.h"
#include "inject/lib/figure.h"

/* A number with three decimals, by integers: a handler must not make the C library take memory. */
static void put_decimal(struct tt_output *o, int width, double x)
{
	uint64_t thousandths = (uint64_t)(x * 1000 + 0.5);
	char text[32];

	snprintf(text, sizeof text, "%llu.%03llu", (unsigned long long)(thousandths / 1000),
		 (unsigned long long)(thousandths % 1000));
	tt_output_put(o, "%*s", width, text);
}

/* Of a derived number: a count, or one with this many decimals. */
static void put_derived(struct tt_output *o, int width, const struct tt_derived *d)
{
	const uint64_t scale = d->decimals == 6 ? 1000000 : 1000;
	char text[48];

	if (!d->decimals) {
		tt_output_put(o, "%*llu", width, (unsigned long long)d->value);
	} else {
		const uint64_t x = (uint64_t)(d->value * (double)scale + 0.5);

		snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(x / scale),
			 d->decimals, (unsigned long long)(x % scale));
		tt_output_put(o, "%*s", width, text);
	}
}

static void put_seconds(struct tt_output *o, uint64_t ns)
{
	tt_output_put(o, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
		      (unsigned long long)(ns % 1000000000));
}

/* --- the process --- */

#define NS_PER_S  1000000000ull
#define S_PER_DAY 86400

/* Appends a time of CLOCK_REALTIME as tiptop writes it. The C library would look for a time zone.
 */
static void put_time(struct tt_output *o, uint64_t wall_ns)
{
	const uint64_t s = wall_ns / NS_PER_S, of_day = s % S_PER_DAY;
	/* Years from March on, in eras of 400 years: 146097 days. */
	const uint64_t days = s / S_PER_DAY + 719468, era = days / 146097, d = days % 146097;
	const uint64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365;
	const uint64_t day = d - (365 * y + y / 4 - y / 100), m = (5 * day + 2) / 153;

	tt_output_put(o, "%04llu-%02llu-%02lluT%02llu:%02llu:%02llu.%03llu+00:00",
		      (unsigned long long)(era * 400 + y + (m >= 10)),
		      (unsigned long long)(m < 10 ? m + 3 : m - 9),
		      (unsigned long long)(day - (153 * m + 2) / 5 + 1),
		      (unsigned long long)(of_day / 3600), (unsigned long long)(of_day / 60 % 60),
		      (unsigned long long)(of_day % 60),
		      (unsigned long long)(wall_ns % NS_PER_S / 1000000));
}

/* --- text --- */

/* Appends a sentence if parts of the table are visible in this report only. */
static void text_limits(struct tt_output *o)
{
	const struct table_header *h = o->of;

	if (h->n_unseen || h->is_private)
		tt_output_put(o, "# there was no room in a file for all of it: 'tiptop regions' "
				 "lacks what only this report has\n");
}

/* Its name has room. */
static int width_of(const struct tt_derived *d)
{
	const int n = (int)strlen(d->name);

	return n > 16 ? n : 16;
}

static void text_head(struct tt_output *o)
{
	const struct table_header *h = o->of;

	tt_output_put(o, "# regions of process %u (%s) on %s", h->container.pid, o->of->program,
		      o->of->host);
	if (o->of->rank[0])
		tt_output_put(o, ", rank %s", o->of->rank);
	tt_output_put(o, ", from ");
	put_time(o, o->of->wall_start);
	tt_output_put(o, " to ");
	put_time(o, o->wall_ns);
	tt_output_put(o, ", an empty one takes %llu ns",
		      (unsigned long long)tt_ns_of(h, h->overhead_ticks));
	for (uint32_t i = 0; i < h->n_events; i++)
		tt_output_put(o, ", %llu %s", (unsigned long long)h->event[i].overhead,
			      h->event[i].name);
	tt_output_put(o, "%s\n", o->of->subtract ? ", which is left out" : "");
	text_limits(o);
	tt_output_put(o, "%-20s %10s %12s %12s", "# region", "calls", "ms", "us/call");
	for (uint32_t i = 0; i < h->n_events; i++)
		tt_output_put(o, " %16.16s %12s", h->event[i].name, "/call");
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, NULL, k);
		tt_output_put(o, " %*s", width_of(&d), d.name);
	}
	tt_output_put(o, "\n");
}

static void text_derived(struct tt_output *o, struct table_row *row)
{
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, row, k);
		tt_output_put(o, " ");
		if (d.known)
			put_derived(o, width_of(&d), &d);
		else
			tt_output_put(o, "%*s", width_of(&d), "-");
	}
}

static void text_row(struct tt_output *o, const struct tt_subject *of, struct table_row *row)
{
	struct tt_figure time = tt_figure_of(o->of, row, 0);

	if (of->tid)
		tt_output_put(o, "  thread %-11u", of->tid);
	else
		tt_output_put(o, "%-20s", of->label);
	tt_output_put(o, " %10llu ", (unsigned long long)row->calls);
	put_decimal(o, 12, (double)time.sum / 1e6);
	tt_output_put(o, " ");
	put_decimal(o, 12, time.mean / 1e3);
	for (uint32_t i = 1; i <= o->of->n_events; i++) {
		struct tt_figure s = tt_figure_of(o->of, row, i);

		if (s.known) {
			const char *mark = s.scaled ? "~" : "";

			if (s.whole)
				tt_output_put(o, " %*llu%s ", 16 - s.scaled,
					      (unsigned long long)s.sum, mark);
			else
				tt_output_put(o, " %16s ", "-");
			put_decimal(o, 12 - s.scaled, s.mean);
			tt_output_put(o, "%s", mark);
		} else {
			tt_output_put(o, " %16s %12s", "-", "-");
		}
	}
	text_derived(o, row);
	tt_output_put(o, "\n");
}

static void text_lack(struct tt_output *o, const struct tt_lack *lack)
{
	tt_output_put(o, "# ");
	if (lack->n)
		tt_output_put(o, "%llu ", (unsigned long long)lack->n);
	tt_output_put(o, "%s\n", lack->sentence);
}

/* --- CSV --- */

static void put_quoted(struct tt_output *o, const char *text)
{
	tt_output_put(o, "\"");
	for (; *text; text++)
		tt_output_put(o, *text == '"' ? "\"\"" : "%c", *text);
	tt_output_put(o, "\"");
}

static void csv_head(struct tt_output *o)
{
	const struct table_header *h = o->of;

	tt_output_put(
		o, "type,program,pid,rank,tid,host,started,reported,label,calls,time_s,time_self_s,"
		   "time_mean_s,time_min_s,time_max_s,time_stddev_s");
	for (uint32_t i = 0; i < h->n_events; i++) {
		static const char *const part[] = {"",     " self",   " mean", " min",
						   " max", " stddev", " state"};

		for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
			char name[TABLE_NAME_MAX + 8];

			snprintf(name, sizeof name, "%s%s", h->event[i].name, part[k]);
			tt_output_put(o, ",");
			put_quoted(o, name);
		}
	}
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, NULL, k);
		tt_output_put(o, ",");
		put_quoted(o, d.name);
	}
	tt_output_put(o, "\n");
}

/* Appends the first columns of a line. */ static void
csv_begin(struct tt_output *o, const char *type, const struct tt_subject *of, uint64_t calls)
{
	tt_output_put(o, "%s,", type);
	put_quoted(o, o->of->program);
	tt_output_put(o, ",%u,%s,", o->of->container.pid, o->of->rank);
	if (of->tid)
		tt_output_put(o, "%u", of->tid);
	tt_output_put(o, ",");
	put_quoted(o, o->of->host);
	tt_output_put(o, ",");
	put_time(o, o->of->wall_start);
	tt_output_put(o, ",");
	put_time(o, o->wall_ns);
	tt_output_put(o, ",");
	put_quoted(o, of->label);
	tt_output_put(o, ",");
	if (calls)
		tt_output_put(o, "%llu", (unsigned long long)calls);
}

static void csv_row(struct tt_output *o, const struct tt_subject *of, struct table_row *row)
{
	const struct table_header *h = o->of;
	struct tt_figure t = tt_figure_of(o->of, row, 0);
	const uint64_t times[] = {t.sum, t.self, (uint64_t)t.mean,
				  t.min, t.max,  (uint64_t)t.stddev};

	csv_begin(o, of->tid ? "thread" : "region", of, row->calls);
	for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
		tt_output_put(o, ",");
		put_seconds(o, times[k]);
	}
	for (uint32_t i = 1; i <= h->n_events; i++) {
		struct tt_figure s = tt_figure_of(o->of, row, i);

		if (s.known) {
			if (s.whole)
				tt_output_put(o, ",%llu,%llu,", (unsigned long long)s.sum,
					      (unsigned long long)s.self);
			else
				tt_output_put(o, ",,,");
			put_decimal(o, 0, s.mean);
			tt_output_put(o, ",%llu,%llu,", (unsigned long long)s.min,
				      (unsigned long long)s.max);
			put_decimal(o, 0, s.stddev);
		} else {
			tt_output_put(o, ",,,,,,");
		}
		tt_output_put(o, ",%s", s.state);
	}
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, row, k);
		tt_output_put(o, ",");
		if (d.known)
			put_derived(o, 0, &d);
	}
	tt_output_put(o, "\n");
}

/* Appends a line with as many columns as that of a region, most of them empty. */
static void csv_lack(struct tt_output *o, const struct tt_lack *lack)
{
	csv_begin(o, "lack", &(struct tt_subject){lack->key, 0}, lack->n);
	for (uint32_t i = 0; i < 6 + 7 * o->of->n_events + o->n_derived; i++)
		tt_output_put(o, ",");
	tt_output_put(o, "\n");
}

/* --- JSON --- */

static void put_json(struct tt_output *o, const char *text)
{
	tt_output_put(o, "\"");
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			tt_output_put(o, "\\u%04x", (unsigned char)*text);
		else
			tt_output_put(o, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	tt_output_put(o, "\"");
}

static void no_head(struct tt_output *o)
{
	(void)o;
}

/* What each line begins with. */
static void json_begin(struct tt_output *o, const char *type)
{
	tt_output_put(o, "{\"type\":\"%s\",\"schema\":1,\"program\":", type);
	put_json(o, o->of->program);
	tt_output_put(o, ",\"pid\":%u,\"rank\":%s,\"host\":", o->of->container.pid,
		      o->of->rank[0] ? o->of->rank : "null");
	put_json(o, o->of->host);
	tt_output_put(o, ",\"started\":\"");
	put_time(o, o->of->wall_start);
	tt_output_put(o, "\",\"reported\":\"");
	put_time(o, o->wall_ns);
	tt_output_put(o, "\"");
}

static void json_derived(struct tt_output *o, struct table_row *row)
{
	const uint32_t n = o->n_derived;

	if (n)
		tt_output_put(o, ",\"derived\":{");
	for (uint32_t k = 0; k < n; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, row, k);
		tt_output_put(o, k ? "," : "");
		put_json(o, d.name);
		tt_output_put(o, d.known ? ":" : ":null");
		if (d.known)
			put_derived(o, 0, &d);
	}
	if (n)
		tt_output_put(o, "}");
}

static void json_row(struct tt_output *o, const struct tt_subject *of, struct table_row *row)
{
	const struct table_header *h = o->of;

	json_begin(o, of->tid ? "thread" : "region");
	if (of->tid)
		tt_output_put(o, ",\"tid\":%u", of->tid);
	tt_output_put(o, ",\"label\":");
	put_json(o, of->label);
	tt_output_put(o, ",\"calls\":%llu,\"time_s\":", (unsigned long long)row->calls);
	put_seconds(o, tt_figure_of(o->of, row, 0).sum);
	tt_output_put(o, ",\"events\":{");
	for (uint32_t i = 0; i <= h->n_events; i++) {
		struct tt_figure s = tt_figure_of(o->of, row, i);

		tt_output_put(o, i ? "," : "");
		put_json(o, i ? h->event[i - 1].name : "time-ns");
		if (s.known) {
			if (s.whole)
				tt_output_put(o, ":{\"sum\":%llu,\"self\":%llu,\"mean\":",
					      (unsigned long long)s.sum,
					      (unsigned long long)s.self);
			else
				tt_output_put(o, ":{\"sum\":null,\"self\":null,\"mean\":");
			put_decimal(o, 0, s.mean);
			tt_output_put(o, ",\"min\":%llu,\"max\":%llu,\"stddev\":",
				      (unsigned long long)s.min, (unsigned long long)s.max);
			put_decimal(o, 0, s.stddev);
		} else {
			tt_output_put(
				o,
				":{\"sum\":null,\"self\":null,\"mean\":null,\"min\":null,\"max\":"
				"null,\"stddev\":null");
		}
		tt_output_put(o, ",\"state\":\"%s\"}", s.state);
	}
	tt_output_put(o, "}");
	json_derived(o, row);
	tt_output_put(o, "}\n");
}

static void json_lack(struct tt_output *o, const struct tt_lack *lack)
{
	json_begin(o, "lack");
	tt_output_put(o, ",\"lack\":\"%s\",\"n\":", lack->key);
	if (lack->n)
		tt_output_put(o, "%llu", (unsigned long long)lack->n);
	else
		tt_output_put(o, "null");
	tt_output_put(o, ",\"sentence\":");
	put_json(o, lack->sentence);
	tt_output_put(o, "}\n");
}

/* --- formats --- */

static const struct tt_lines formats[] = {
	{.name = "text", .head = text_head, .row = text_row, .lack = text_lack},
	{.name = "csv", .head = csv_head, .row = csv_row, .lack = csv_lack, .once = true},
	{.name = "json", .head = no_head, .row = json_row, .lack = json_lack},
};

const struct tt_lines *tt_lines_find(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return &formats[0];
}
