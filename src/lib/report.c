/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/report.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/destination.h"
#include "lib/regions.h"
#include "lib/thread.h"

/* How often a row is read again that its thread is writing, and how often of these at once. */
#define READ_TRIES 400
#define READ_SPINS 100
#define NAP_NS     1000000

static const char *const state_word[] = {"exact", "exact", "scaled", "exact", "denied", "no-pmu"};

/* What goes to the file is put together in pieces of this size. */
struct output {
	int fd;
	bool failed;
	size_t n;
	char text[4096];
};

static void flush(struct output *o)
{
	for (size_t at = 0; at < o->n && !o->failed;) {
		ssize_t n = tt_destination_write(o->fd, o->text + at, o->n - at);

		if (n < 0 && errno != EINTR)
			o->failed = true;
		at += n > 0 ? (size_t)n : 0;
	}
	o->n = 0;
}

__attribute__((format(printf, 2, 3))) static void put(struct output *o, const char *format, ...)
{
	va_list arguments;
	int n;

	if (o->n > sizeof o->text / 2)
		flush(o);
	va_start(arguments, format);
	n = vsnprintf(o->text + o->n, sizeof o->text - o->n, format, arguments);
	va_end(arguments);
	o->n += n > 0 ? (size_t)n : 0;
}

/* --- the numbers of a region --- */

static uint32_t read_sequence(const struct table_row *row)
{
	return __atomic_load_n(&row->sequence, __ATOMIC_ACQUIRE);
}

/* Copies a row as it stood at one moment. A thread that has lost its CPU while it writes one is
 * waited for, but not for ever: what it has written so far is better than nothing. */
static void copy_row(struct table_row *to, const struct table_row *from)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	uint32_t before;

	for (int try = 0; try < READ_TRIES; try++) {
		if (try > READ_SPINS)
			nanosleep(&nap, NULL);
		before = read_sequence(from);
		memcpy(to, from, tt_regions.header->row_size);
		atomic_thread_fence(memory_order_acquire);
		if (!(before & 1) && before == read_sequence(from))
			return;
	}
}

static void add_row(struct table_row *sum, struct table_row *scratch, const struct table_row *row)
{
	if (!row)
		return;
	copy_row(scratch, row);
	tt_table_add(sum, scratch, tt_regions.header->n_events);
}

/* The sum over all threads, those that have ended, too. */
static void sum_row(struct table_row *sum, struct table_row *scratch, uint32_t region)
{
	struct tt_regions *r = &tt_regions;
	struct tt_guard g;

	memset(sum, 0, r->header->row_size);
	tt_guard_enter(&g);
	add_row(sum, scratch, r->ended_row[region + 1]);
	for (unsigned slot = 1; slot < TABLE_SLOTS; slot++)
		if (r->thread[slot])
			add_row(sum, scratch, r->thread[slot]->row[region + 1]);
	tt_guard_leave(&g);
}

/* In ns, of a number of ticks. */
static uint64_t ns_of(uint64_t ticks)
{
	return tt_multiply(ticks, tt_regions.header->ns_per_tick);
}

/* One quantity as it is shown: the time in ns. */
struct shown {
	bool known;
	uint64_t sum, self, min, max;
	double mean, stddev;
	const char *state;
	bool scaled; /* some calls are estimates */
};

static uint64_t less(uint64_t value, uint64_t cost)
{
	return value > cost ? value - cost : 0;
}

static struct shown show(struct table_row *row, uint32_t i)
{
	const struct table_header *h = tt_regions.header;
	const struct table_quantity *q = table_quantity(row, i);
	const uint64_t cost =
		tt_regions.subtract ? i ? h->event[i - 1].overhead : h->overhead_ticks : 0;
	const uint64_t n = table_n(row, q);
	const double scale = i ? 1 : (double)h->ns_per_tick / 4294967296.0;
	const double off = n ? (double)(int64_t)q->shifted / (double)n : 0;
	const double variance = n ? q->squares / (double)n - off * off : 0;
	const double all = table_scale(row, table_quantity(row, 0), q);
	const uint64_t counted = less(table_sum(row, q), q->estimated);
	struct shown s = {
		.known = n > 0 && all > 0,
		.sum = less(q->missed ? (uint64_t)((double)counted * all) : counted, cost * n),
		.self = less(table_self(row, q), cost * n),
		.min = less(q->min, cost),
		.max = less(q->max, cost),
		.mean = n ? fmax(0, ((double)q->base + off - (double)cost) * scale) : 0,
		.stddev = variance > 0 ? sqrt(variance) * scale : 0,
		.state = i ? state_word[h->event[i - 1].state % 6] : "exact",
		.scaled = q->n_scaled || q->n_off,
	};

	if (s.scaled)
		s.state = state_word[TT_SCALED];
	if (i && h->event[i - 1].n_closed)
		s.state = "closed";
	if (!i) {
		s.sum = ns_of(s.sum);
		s.self = ns_of(s.self);
		s.min = ns_of(s.min);
		s.max = ns_of(s.max);
	}
	return s;
}

/* A number with three decimals, by integers: a handler must not make the C library take memory. */
static void put_decimal(struct output *o, int width, double x)
{
	uint64_t thousandths = (uint64_t)(x * 1000 + 0.5);
	char text[32];

	snprintf(text, sizeof text, "%llu.%03llu", (unsigned long long)(thousandths / 1000),
		 (unsigned long long)(thousandths % 1000));
	put(o, "%*s", width, text);
}

static void put_seconds(struct output *o, uint64_t ns)
{
	put(o, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
	    (unsigned long long)(ns % 1000000000));
}

/* --- text --- */

/* What is not counted, or not seen by others. */
static void text_limits(struct output *o)
{
	const struct table_header *h = tt_regions.header;

	if (h->n_unseen || !tt_regions.path[0])
		put(o,
		    "# there was no room in a file for all of it: 'tiptop regions' lacks what only "
		    "this report has\n");
	for (uint32_t i = 0; i < h->n_events; i++)
		if (h->event[i].n_closed)
			put(o,
			    "# the program has closed the counter of %s in %u threads: there, it "
			    "was counted up to then\n",
			    h->event[i].name, h->event[i].n_closed);
}

static void text_head(struct output *o)
{
	const struct table_header *h = tt_regions.header;

	put(o, "# regions of process %u", h->pid);
	put(o, ", an empty one takes %llu ns", (unsigned long long)ns_of(h->overhead_ticks));
	for (uint32_t i = 0; i < h->n_events; i++)
		put(o, ", %llu %s", (unsigned long long)h->event[i].overhead, h->event[i].name);
	put(o, "%s\n", tt_regions.subtract ? ", which is left out" : "");
	text_limits(o);
	put(o, "%-20s %10s %12s %12s", "# region", "calls", "ms", "us/call");
	for (uint32_t i = 0; i < h->n_events; i++)
		put(o, " %16.16s %12s", h->event[i].name, "/call");
	put(o, "\n");
}

static void text_row(struct output *o, const char *label, struct table_row *row)
{
	struct shown time = show(row, 0);

	put(o, "%-20s %10llu ", label, (unsigned long long)row->calls);
	put_decimal(o, 12, (double)time.sum / 1e6);
	put(o, " ");
	put_decimal(o, 12, time.mean / 1e3);
	for (uint32_t i = 1; i <= tt_regions.header->n_events; i++) {
		struct shown s = show(row, i);

		if (s.known) {
			const char *mark = s.scaled ? "~" : "";

			put(o, " %*llu%s ", 16 - s.scaled, (unsigned long long)s.sum, mark);
			put_decimal(o, 12 - s.scaled, s.mean);
			put(o, "%s", mark);
		} else {
			put(o, " %16s %12s", "-", "-");
		}
	}
	put(o, "\n");
}

/* --- CSV --- */

static void put_quoted(struct output *o, const char *text)
{
	put(o, "\"");
	for (; *text; text++)
		put(o, *text == '"' ? "\"\"" : "%c", *text);
	put(o, "\"");
}

static void csv_head(struct output *o)
{
	const struct table_header *h = tt_regions.header;

	put(o,
	    "pid,label,calls,time_s,time_self_s,time_mean_s,time_min_s,time_max_s,time_stddev_s");
	for (uint32_t i = 0; i < h->n_events; i++) {
		static const char *const part[] = {"",     " self",   " mean", " min",
						   " max", " stddev", " state"};

		for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
			char name[TABLE_NAME_MAX + 8];

			snprintf(name, sizeof name, "%s%s", h->event[i].name, part[k]);
			put(o, ",");
			put_quoted(o, name);
		}
	}
	put(o, "\n");
}

static void csv_row(struct output *o, const char *label, struct table_row *row)
{
	const struct table_header *h = tt_regions.header;
	struct shown t = show(row, 0);
	const uint64_t times[] = {t.sum, t.self, (uint64_t)t.mean,
				  t.min, t.max,  (uint64_t)t.stddev};

	put(o, "%u,", h->pid);
	put_quoted(o, label);
	put(o, ",%llu", (unsigned long long)row->calls);
	for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
		put(o, ",");
		put_seconds(o, times[k]);
	}
	for (uint32_t i = 1; i <= h->n_events; i++) {
		struct shown s = show(row, i);

		if (s.known) {
			put(o, ",%llu,%llu,", (unsigned long long)s.sum,
			    (unsigned long long)s.self);
			put_decimal(o, 0, s.mean);
			put(o, ",%llu,%llu,", (unsigned long long)s.min, (unsigned long long)s.max);
			put_decimal(o, 0, s.stddev);
		} else {
			put(o, ",,,,,,");
		}
		put(o, ",%s", s.state);
	}
	put(o, "\n");
}

/* --- JSON --- */

static void put_json(struct output *o, const char *text)
{
	put(o, "\"");
	for (; *text; text++)
		if ((unsigned char)*text < ' ')
			put(o, "\\u%04x", (unsigned char)*text);
		else
			put(o, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	put(o, "\"");
}

static void no_head(struct output *o)
{
	(void)o;
}

static void json_row(struct output *o, const char *label, struct table_row *row)
{
	const struct table_header *h = tt_regions.header;

	put(o, "{\"type\":\"region\",\"schema\":1,\"pid\":%u,\"label\":", h->pid);
	put_json(o, label);
	put(o, ",\"calls\":%llu,\"time_s\":", (unsigned long long)row->calls);
	put_seconds(o, show(row, 0).sum);
	put(o, ",\"events\":{");
	for (uint32_t i = 0; i <= h->n_events; i++) {
		struct shown s = show(row, i);

		put(o, i ? "," : "");
		put_json(o, i ? h->event[i - 1].name : "time-ns");
		if (s.known) {
			put(o, ":{\"sum\":%llu,\"self\":%llu,\"mean\":", (unsigned long long)s.sum,
			    (unsigned long long)s.self);
			put_decimal(o, 0, s.mean);
			put(o, ",\"min\":%llu,\"max\":%llu,\"stddev\":", (unsigned long long)s.min,
			    (unsigned long long)s.max);
			put_decimal(o, 0, s.stddev);
		} else {
			put(o, ":{\"sum\":null,\"self\":null,\"mean\":null,\"min\":null,\"max\":"
			       "null,\"stddev\":null");
		}
		put(o, ",\"state\":\"%s\"}", s.state);
	}
	put(o, "}}\n");
}

/* --- all --- */

static const struct format {
	const char *name;
	void (*head)(struct output *o);
	void (*row)(struct output *o, const char *label, struct table_row *row);
} formats[] = {
	{"text", text_head, text_row},
	{"csv", csv_head, csv_row},
	{"json", no_head, json_row},
};

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return &formats[0];
}

static void write_regions(struct output *o)
{
	const struct format *format = find_format(tt_regions.format);
	uint64_t sum[512], scratch[512];

	_Static_assert(sizeof(struct table_row) +
				       (1 + TABLE_EVENTS) * sizeof(struct table_quantity) <=
			       sizeof(uint64_t[512]),
		       "a row has room");
	format->head(o);
	for (uint32_t i = 0; i < tt_regions.header->n_regions; i++) {
		sum_row((void *)sum, (void *)scratch, i);
		if (((struct table_row *)(void *)sum)->calls)
			format->row(o, tt_regions.region[i].label, (void *)sum);
	}
	flush(o);
}

int tt_report(void)
{
	struct output o = {.failed = false};

	if (!tt_regions.header)
		return -1;
	if (tt_thread_defer_report())
		return 0;
	o.fd = tt_destination_open();
	if (o.fd < 0)
		return -1;
	write_regions(&o);
	tt_destination_close(o.fd);
	return o.failed ? -1 : 0;
}

static void on_signal(int signal)
{
	int saved = errno;

	(void)signal;
	tt_report();
	errno = saved;
}

int tt_report_on(int signal)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	return sigaction(signal, &action, NULL);
}
