/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "inject/lib/figures.h"
#include "inject/lib/thread.h"

/* ---- output ---- */

#define LOCK_TRIES 100
#define LOCK_NAP   10000000 /* ns */

static bool lock(int fd)
{
	const struct timespec nap = {.tv_nsec = LOCK_NAP};
	struct stat s;
	bool locked = false;

	if (fstat(fd, &s) || !S_ISREG(s.st_mode))
		return false;
	for (int try = 0; try < LOCK_TRIES && !(locked = !flock(fd, LOCK_EX | LOCK_NB)); try++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		nanosleep(&nap, NULL);
	}
	return locked;
}

void tt_output_begin(struct tt_output *o, const struct table_header *of, int fd,
		     ssize_t (*write)(struct tt_output *o, const char *text, size_t size))
{
	o->of = of;
	o->wall_ns = clock_ns(CLOCK_REALTIME);
	o->fd = fd;
	o->write = write;
	o->failed = o->held = false;
	o->n = o->lines = 0;
	o->locked = lock(fd);
}

/* Writes the first `size` bytes of the text. */
static void flush(struct tt_output *o, size_t size)
{
	for (size_t at = 0; at < size && !o->failed;) {
		ssize_t n = o->write(o, o->text + at, size - at);

		if (n < 0 && errno != EINTR)
			o->failed = true;
		at += n > 0 ? (size_t)n : 0;
	}
	memmove(o->text, o->text + size, o->n - size);
	o->n -= size;
	o->lines = 0;
}

/* Appends a formatted text; returns false, and appends nothing, if it does not fit. */
__attribute__((format(printf, 2, 0))) static bool append(struct tt_output *o, const char *format,
							 va_list arguments)
{
	const size_t room = sizeof o->text - o->n;
	const int n = vsnprintf(o->text + o->n, room, format, arguments);

	if (n < 0 || (size_t)n >= room)
		return false;
	o->n += (size_t)n;
	if (n && o->text[o->n - 1] == '\n')
		o->lines = o->n;
	return true;
}

/* Appends a formatted text, which is written to the file by tt_output_end() at the latest. */
static void tt_output_put(struct tt_output *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tt_output_put(struct tt_output *o, const char *format, ...)
{
	va_list arguments, again;

	va_start(arguments, format);
	va_copy(again, arguments);
	if (!append(o, format, arguments)) {
		flush(o, o->lines ? o->lines : o->n);
		append(o, format, again);
	}
	if (!o->locked && !o->held && o->lines == o->n)
		flush(o, o->n);
	va_end(again);
	va_end(arguments);
}

void tt_output_drop(struct tt_output *o)
{
	o->n = o->lines = 0;
}

void tt_output_end(struct tt_output *o)
{
	flush(o, o->n);
	if (o->locked)
		flock(o->fd, LOCK_UN);
}

/* ---- lines ---- */

/* Appends a number with 3 or 6 decimals. The conversion uses integers only, as the C library may
 * allocate memory for %f, which is not allowed in a signal handler. The function is not inlined, as
 * it has many callers. */
static __attribute__((noinline)) void put_fixed(struct tt_output *o, int width, double x,
						int decimals)
{
	const uint64_t scale = decimals == 6 ? 1000000 : 1000,
		       scaled = x < TT_DECIMALS_BELOW ? tt_integer(x * tt_real(scale) + 0.5) : 0;
	const uint64_t whole = x < TT_DECIMALS_BELOW ? scaled / scale : tt_integer(x + 0.5);
	char text[48];

	snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)whole, decimals,
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
		tt_output_put(o, "%*llu", width, (unsigned long long)tt_integer(d->value));
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
		tt_output_put(o,
			      "# there was no room in a file for all numbers: this report has some "
			      "that 'tiptop regions' cannot show\n");
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
	put_decimal(o, tt_column[TT_MS].width, tt_real(time.sum) / 1e6);
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
	const uint64_t times[] = {t.sum, t.self, tt_integer(t.mean),
				  t.min, t.max,  tt_integer(t.stddev)};

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

/* ---- lacks ---- */

/* More than the longest sentence: one with the name of an event and a reason. */
#define SENTENCE_MAX (TABLE_NAME_MAX + TABLE_REASON_MAX + 128)

/* Writes a line, with its sentence in the singular or plural according to lack->n
 * (text_pluralize()). */
static void write_lack(struct tt_output *o, const struct tt_lines *lines,
		       const struct tt_lack *lack)
{
	char sentence[SENTENCE_MAX];

	text_pluralize(sentence, sizeof sentence, lack->sentence, lack->n);
	lines->lack(o, &(struct tt_lack){lack->key, lack->n, sentence});
}

/* Writes a line for each event that is not counted, or not in the requested modes, with the reason.
 */
static void write_reasons(struct tt_output *o, const struct tt_lines *lines)
{
	const struct table_header *h = o->of;

	for (uint32_t i = 0; i < h->n_events; i++) {
		char key[TABLE_NAME_MAX + 16];

		snprintf(key, sizeof key, "not_counted %s", h->event[i].name);
		if (h->event[i].reason[0])
			lines->lack(o, &(struct tt_lack){key, 0, h->event[i].reason});
	}
}

/* Writes a line about an event that n threads have not counted all the time; nothing if n is 0. The
 * sentence has the name of the event between `before` and `after`, then the reason. */
static void write_threads(struct tt_output *o, const struct tt_lines *lines, const char *kind,
			  const struct table_event *e, uint32_t n, const char *before,
			  const char *after, const char *reason)
{
	char key[TABLE_NAME_MAX + 16], sentence[SENTENCE_MAX];

	snprintf(key, sizeof key, "%s %s", kind, e->name);
	snprintf(sentence, sizeof sentence, "{thread|threads} %s %s%s%s", before, e->name, after,
		 reason);
	if (n)
		write_lack(o, lines, &(struct tt_lack){key, n, sentence});
}

/* Writes lines for each event that some threads could not count, with the reason of the first such
 * thread, or count no longer, as the program has closed its descriptors. */
static void write_events(struct tt_output *o, const struct tt_lines *lines)
{
	for (uint32_t i = 0; i < o->of->n_events; i++) {
		const struct table_event *e = &o->of->event[i];

		write_threads(o, lines, "refused", e, e->n_refused, "did not count",
			      ", so sums over {its|their} calls are unknown: ", e->refusal);
		write_threads(o, lines, "closed", e, e->n_closed, "had a counter of",
			      " that the program has closed: there, it was counted up to then", "");
	}
}

static void write_end(struct tt_output *o, const struct tt_lines *lines, enum tt_reported of)
{
	static const struct tt_lack lack[] = {
		[TT_REPORTED_RUNS] = {"runs", 0,
				      "the process still runs: the numbers are those up to now"},
		[TT_REPORTED_CUT] = {"cut_short", 0,
				     "the process was ended by a signal or _exit(2), or executed "
				     "another program: the numbers are those up to then"},
	};

	if (of == TT_REPORTED_RUNS || of == TT_REPORTED_CUT)
		lines->lack(o, &lack[of]);
}

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

#define IN_NO_NUMBER ": {it is|they are} in no number"
#define TOO_DEEP                                                                                   \
	"{call|calls} had no room, inside " TEXT_OF(                                               \
		THREAD_DEPTH) " others of {its|their} thread, or "                                 \
			      "after " TEXT_OF(                                                    \
				      THREAD_WAITING) " that signal handlers ended while a call "  \
						      "was being written" IN_NO_NUMBER
#define WAITED                                                                                     \
	"{call|calls} waited while {its|their} thread did something else: {its|their} counts are " \
	"unknown, and {its|their} own time includes that of the regions inside {it|them}"
#define UNLABELED                                                                                  \
	"{region|regions} had no room, as there are " TEXT_OF(                                     \
		TABLE_REGIONS) " labels or no memory: nothing of {it|them} is known"
#define ROWLESS                                                                                    \
	"{call|calls} had no room, as there are " TEXT_OF(                                         \
		TABLE_REGIONS) " labels, or no slot or memory for {its|their} thread" IN_NO_NUMBER
#define UNITLESS                                                                                   \
	"{time|times} work was recorded in a unit that had no room, as there are " TEXT_OF(        \
		TABLE_UNITS) " units, or whose name is empty or too long: it is in no number"

/* Writes a line with the number of calls that are in progress, or that were in progress when the
 * process ended. */
static void write_going_on(struct tt_output *o, const struct tt_lines *lines,
			   const struct tt_lacks *sum)
{
	const bool ended = sum->of == TT_REPORTED_ENDED || sum->of == TT_REPORTED_CUT;
	const struct tt_lack lack = {
		"going_on", sum->n_going_on,
		ended ? "{call|calls} went on when the process ended" IN_NO_NUMBER
		      : "{call goes|calls go} on: {it is|they are} not in the numbers yet"};

	if (lack.n)
		write_lack(o, lines, &lack);
}

void tt_lacks_write(struct tt_output *o, const struct tt_lines *lines, const struct tt_lacks *sum)
{
	const struct table_header *h = o->of;
	const struct tt_lack lack[] = {
		{"torn", sum->n_torn,
		 "{row was|rows were} being written when the process ended: a part of {its|their} "
		 "last call may be missing"},
		{"unseen", sum->n_unseen,
		 "{piece|pieces} of the table had no room in memory (tmpfs)" IN_NO_NUMBER},
		{"abandoned", sum->n_abandoned,
		 "{call was left without its|calls were left without their} end, by a jump, an "
		 "exception or the end of a thread" IN_NO_NUMBER},
		{"waited", sum->n_waited, WAITED},
		{"unmatched", sum->n_unmatched, "{end|ends} had no call in progress"},
		{"too_deep", sum->n_too_deep, TOO_DEEP},
		{"threads_left_out", h->n_homeless,
		 "{thread|threads} had no room or no memory: nothing of {it|them} is known"},
		{"threads_joined", sum->threads_joined,
		 "{thread has|threads have} no rows of {its|their} own, for lack of memory: {it "
		 "is|they are} in the sums"},
		{"calls_left_out", sum->n_rowless, ROWLESS},
		{"labels_left_out", h->n_unlabeled, UNLABELED},
		{"units_left_out", h->n_unitless, UNITLESS},
		{"labels_cut", h->n_cut,
		 "{label is too long: it ends|labels are too long: they end} in '~' and the hash "
		 "of all of it"},
	};

	write_end(o, lines, sum->of);
	write_reasons(o, lines);
	write_events(o, lines);
	write_going_on(o, lines, sum);
	for (size_t i = 0; i < sizeof lack / sizeof *lack; i++)
		if (lack[i].n)
			write_lack(o, lines, &lack[i]);
}
