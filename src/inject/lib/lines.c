/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/lines.h"

#include <stdio.h>
#include <string.h>

#include "inject/lib/figures.h"

/* Appends a number with 3 or 6 decimals. The conversion uses integers only, as the C library may
 * allocate memory for %f, which is not allowed in a signal handler. The function is not inlined, as
 * it has many callers. */
static __attribute__((noinline)) void put_fixed(struct tt_output *o, int width, double x,
						int decimals)
{
	const uint64_t scale = decimals == 6 ? 1000000 : 1000,
		       scaled = (uint64_t)(x * (double)scale + 0.5);
	char text[48];

	snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(scaled / scale), decimals,
		 (unsigned long long)(scaled % scale));
	tt_output_put(o, "%*s", width, text);
}

static void put_decimal(struct tt_output *o, int width, double x)
{
	put_fixed(o, width, x, 3);
}

/* Appends a derived number, with its decimals if it has any. */
static void put_derived(struct tt_output *o, int width, const struct tt_derived *d)
{
	if (d->decimals)
		put_fixed(o, width, d->value, d->decimals);
	else
		tt_output_put(o, "%*llu", width, (unsigned long long)d->value);
}

static void put_seconds(struct tt_output *o, uint64_t ns)
{
	tt_output_put(o, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
		      (unsigned long long)(ns % 1000000000));
}

/* --- the process --- */

#define NS_PER_S  1000000000ull
#define S_PER_DAY 86400

void tt_lines_time(char text[TT_TIME_SIZE], uint64_t wall_ns)
{
	const uint64_t s = wall_ns / NS_PER_S, of_day = s % S_PER_DAY;
	/* The date is computed with years that begin in March, so that a leap day is the last day
	 * of a year, and in eras of 400 years, which have 146097 days. */
	const uint64_t days = s / S_PER_DAY + 719468, era = days / 146097, d = days % 146097;
	const uint64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365;
	const uint64_t day = d - (365 * y + y / 4 - y / 100), m = (5 * day + 2) / 153;

	snprintf(text, TT_TIME_SIZE, "%04llu-%02llu-%02lluT%02llu:%02llu:%02llu.%03llu+00:00",
		 (unsigned long long)(era * 400 + y + (m >= 10)),
		 (unsigned long long)(m < 10 ? m + 3 : m - 9),
		 (unsigned long long)(day - (153 * m + 2) / 5 + 1),
		 (unsigned long long)(of_day / 3600), (unsigned long long)(of_day / 60 % 60),
		 (unsigned long long)(of_day % 60),
		 (unsigned long long)(wall_ns % NS_PER_S / 1000000));
}

static void put_time(struct tt_output *o, uint64_t wall_ns)
{
	char text[TT_TIME_SIZE];

	tt_lines_time(text, wall_ns);
	tt_output_put(o, "%s", text);
}

/* --- text --- */

/* Appends a sentence if parts of the table are not in the file, so that only this report has their
 * numbers. */
static void text_limits(struct tt_output *o)
{
	const struct table_header *h = o->of;

	if (h->n_unseen || h->is_private)
		tt_output_put(o, "# there was no room in a file for all of it: 'tiptop regions' "
				 "lacks what only this report has\n");
}

int tt_lines_width(const char *derived)
{
	const int n = (int)strlen(derived), least = tt_part[TT_SUM].width;

	return n > least ? n : least;
}

void tt_lines_put_sentence(struct tt_output *o)
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
}

static void text_head(struct tt_output *o)
{
	const struct table_header *h = o->of;
	const struct tt_column *sum = &tt_part[TT_SUM], *mean = &tt_part[TT_MEAN];

	tt_lines_put_sentence(o);
	for (int c = 0; c < TT_COLUMNS; c++)
		if (tt_column[c].title[0])
			tt_output_put(o, "%s%*s", c == TT_LABEL ? "" : " ", tt_column[c].width,
				      tt_column[c].title);
	for (uint32_t i = 0; i < h->n_events; i++)
		tt_output_put(o, " %*.*s %*s", sum->width, TT_TITLE_MAX, h->event[i].name,
			      mean->width, mean->title);
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, NULL, k);
		tt_output_put(o, " %*s", tt_lines_width(d.name), d.name);
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
			put_derived(o, tt_lines_width(d.name), &d);
		else
			tt_output_put(o, "%*s", tt_lines_width(d.name), "-");
	}
}

static void text_row(struct tt_output *o, const struct tt_subject *of, struct table_row *row)
{
	const int sum = tt_part[TT_SUM].width, mean = tt_part[TT_MEAN].width;
	struct tt_figure time = tt_figure_of(o->of, row, 0);

	if (of->tid)
		tt_output_put(o, "  thread %-11u", of->tid);
	else
		tt_output_put(o, "%*s", tt_column[TT_LABEL].width, of->label);
	tt_output_put(o, " %*llu ", tt_column[TT_CALLS].width, (unsigned long long)row->calls);
	put_decimal(o, tt_column[TT_MS].width, (double)time.sum / 1e6);
	tt_output_put(o, " ");
	put_decimal(o, tt_column[TT_US_EACH].width, time.mean / 1e3);
	for (uint32_t i = 1; i <= o->of->n_events; i++) {
		struct tt_figure s = tt_figure_of(o->of, row, i);

		if (s.known) {
			const char *mark = s.scaled ? "~" : "";

			if (s.whole)
				tt_output_put(o, " %*llu%s ", sum - s.scaled,
					      (unsigned long long)s.sum, mark);
			else
				tt_output_put(o, " %*s ", sum, "-");
			put_decimal(o, mean - s.scaled, s.mean);
			tt_output_put(o, "%s", mark);
		} else {
			tt_output_put(o, " %*s %*s", sum, "-", mean, "-");
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

static void csv_head_columns(struct tt_output *o, bool first)
{
	for (int c = 0; c < TT_COLUMNS; c++)
		if (tt_column[c].csv[0] && tt_column[c].is_first == first)
			tt_output_put(o, "%s%s", c == TT_TYPE ? "" : ",", tt_column[c].csv);
}

static void csv_head(struct tt_output *o)
{
	const struct table_header *h = o->of;

	csv_head_columns(o, true);
	csv_head_columns(o, false);
	for (int k = TT_SUM + 1; k < TT_STATE; k++)
		tt_output_put(o, "," TT_TIME_PART, tt_part[k].id);
	for (uint32_t i = 0; i < h->n_events; i++)
		for (int k = 0; k < TT_PARTS; k++) {
			char name[TABLE_NAME_MAX + sizeof tt_part->csv];

			snprintf(name, sizeof name, "%s%s", h->event[i].name, tt_part[k].csv);
			tt_output_put(o, ",");
			put_quoted(o, name);
		}
	for (uint32_t k = 0; k < o->n_derived; k++) {
		struct tt_derived d;

		tt_derived_get(&d, o->of, NULL, k);
		tt_output_put(o, ",");
		put_quoted(o, d.name);
	}
	tt_output_put(o, "\n");
}

/* Appends the first columns of a line. */
static void csv_begin(struct tt_output *o, const char *type, const struct tt_subject *of,
		      uint64_t calls)
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

/* Appends a line with as many columns as the line of a region has; most of them are empty. */
static void csv_lack(struct tt_output *o, const struct tt_lack *lack)
{
	csv_begin(o, "lack", &(struct tt_subject){lack->key, 0}, lack->n);
	for (uint32_t i = 0; i < TT_STATE + TT_PARTS * o->of->n_events + o->n_derived; i++)
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

static __attribute__((noinline)) void put_key(struct tt_output *o, const struct tt_column *column)
{
	tt_output_put(o, ",\"%s\":", column->id);
}

static __attribute__((noinline)) void json_text(struct tt_output *o, enum tt_column_number column,
						const char *text)
{
	put_key(o, &tt_column[column]);
	put_json(o, text);
}

static __attribute__((noinline)) void json_count(struct tt_output *o,
						 const struct tt_column *column, uint64_t n)
{
	put_key(o, column);
	tt_output_put(o, "%llu", (unsigned long long)n);
}

static void json_time(struct tt_output *o, enum tt_column_number column, uint64_t wall_ns)
{
	char text[TT_TIME_SIZE];

	tt_lines_time(text, wall_ns);
	json_text(o, column, text);
}

/* Appends the first members of a line. */
static void json_begin(struct tt_output *o, const char *type)
{
	tt_output_put(o, "{\"%s\":\"%s\"", tt_column[TT_TYPE].id, type);
	json_count(o, &tt_column[TT_SCHEMA], TT_SCHEMA_NUMBER);
	json_text(o, TT_PROGRAM, o->of->program);
	json_count(o, &tt_column[TT_PID], o->of->container.pid);
	put_key(o, &tt_column[TT_RANK]);
	tt_output_put(o, "%s", o->of->rank[0] ? o->of->rank : "null");
	json_text(o, TT_HOST, o->of->host);
	json_time(o, TT_STARTED, o->of->wall_start);
	json_time(o, TT_REPORTED, o->wall_ns);
}

static void json_derived(struct tt_output *o, struct table_row *row)
{
	const uint32_t n = o->n_derived;

	if (n)
		tt_output_put(o, ",\"" TT_DERIVED "\":{");
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

/* Appends a number; null if it is unknown. */
static __attribute__((noinline)) void json_number(struct tt_output *o, enum tt_part_number part,
						  bool known, uint64_t n)
{
	put_key(o, &tt_part[part]);
	tt_output_put(o, known ? "%llu" : "null", (unsigned long long)n);
}

static void json_decimal(struct tt_output *o, enum tt_part_number part, bool known, double x)
{
	put_key(o, &tt_part[part]);
	if (known)
		put_decimal(o, 0, x);
	else
		tt_output_put(o, "null");
}

static void json_event(struct tt_output *o, const char *name, const struct tt_figure *s)
{
	put_json(o, name);
	tt_output_put(o, s->whole ? ":{\"%s\":%llu" : ":{\"%s\":null", tt_part[TT_SUM].id,
		      (unsigned long long)s->sum);
	json_number(o, TT_SELF, s->whole, s->self);
	json_decimal(o, TT_MEAN, s->known, s->mean);
	json_number(o, TT_MIN, s->known, s->min);
	json_number(o, TT_MAX, s->known, s->max);
	json_decimal(o, TT_STDDEV, s->known, s->stddev);
	put_key(o, &tt_part[TT_STATE]);
	tt_output_put(o, "\"%s\"}", s->state);
}

static void json_row(struct tt_output *o, const struct tt_subject *of, struct table_row *row)
{
	const struct table_header *h = o->of;

	json_begin(o, of->tid ? "thread" : "region");
	if (of->tid)
		json_count(o, &tt_column[TT_TID], of->tid);
	json_text(o, TT_LABEL, of->label);
	json_count(o, &tt_column[TT_CALLS], row->calls);
	put_key(o, &tt_column[TT_TIME]);
	put_seconds(o, tt_figure_of(o->of, row, 0).sum);
	tt_output_put(o, ",\"" TT_EVENTS "\":{");
	for (uint32_t i = 0; i <= h->n_events; i++) {
		const struct tt_figure s = tt_figure_of(o->of, row, i);

		tt_output_put(o, i ? "," : "");
		json_event(o, i ? h->event[i - 1].name : TT_TIME_EVENT, &s);
	}
	tt_output_put(o, "}");
	json_derived(o, row);
	tt_output_put(o, "}\n");
}

static void json_lack(struct tt_output *o, const struct tt_lack *lack)
{
	json_begin(o, "lack");
	put_key(o, &tt_lack_column[TT_LACK_KEY]);
	put_json(o, lack->key);
	put_key(o, &tt_lack_column[TT_LACK_N]);
	tt_output_put(o, lack->n ? "%llu" : "null", (unsigned long long)lack->n);
	put_key(o, &tt_lack_column[TT_LACK_SENTENCE]);
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
