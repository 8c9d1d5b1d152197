/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/minute.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"

/* The largest usage in a list, in millionths. */
#define USAGE_MAX 1e15

/* The bytes of the checksum at the end of a list. */
#define SUM_BYTES 8

void minute_reset(struct minute_list *l)
{
	l->n = l->n_programs = 0;
}

void minute_done(struct minute_list *l)
{
	free(l->v);
	free(l->program);
	*l = (struct minute_list){.n = 0};
}

struct minute_entry *minute_add(struct minute_list *l)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n] = (struct minute_entry){.n = 0};
	return &l->v[l->n++];
}

struct minute_program *minute_add_program(struct minute_list *l)
{
	l->program = xgrow(l->program, &l->cap_programs, l->n_programs + 1, sizeof *l->program);
	l->program[l->n_programs] = (struct minute_program){.row = 0};
	return &l->program[l->n_programs++];
}

static int compare_readings(const void *a, const void *b)
{
	const struct minute_entry *x = a, *y = b;

	return x->reading < y->reading ? -1 : x->reading > y->reading;
}

void minute_sort(struct minute_list *l)
{
	array_sort(l->v, l->n, sizeof *l->v, compare_readings);
}

void minute_widen(struct minute_range *range, const struct minute_range *by)
{
	if (!by->known)
		return;
	minute_widen_to(range, by->least);
	minute_widen_to(range, by->most);
}

void minute_widen_to(struct minute_range *range, uint64_t usage)
{
	if (!range->known)
		*range = (struct minute_range){true, usage, usage};
	if (usage < range->least)
		range->least = usage;
	if (usage > range->most)
		range->most = usage;
}

/* ---- format ----
 * Each byte has seven bits of a number, the lowest bits come first; all bytes of a number but its
 * last one have the highest bit set. Most numbers are differences to the entry before. */

/* Bits of an entry that say which of its numbers follow. */
#define HAS_GAP      1 /* no number */
#define HAS_UNREAD   2
#define HAS_ROWS     4 /* first_row differs from row */
#define HAS_LAYOUT   8 /* layout differs from that of the entry before */
#define HAS_PREVIOUS 16
#define HAS_LATER    32 /* begins after the first sample */
#define HAS_USAGE    64

static void put(struct strbuf *out, uint64_t number)
{
	for (; number >= 128; number >>= 7)
		strbuf_addch(out, (char)(number | 128));
	strbuf_addch(out, (char)number);
}

/* Appends a difference that may be negative: the sign is the lowest bit. */
static void put_step(struct strbuf *out, int64_t from, int64_t to)
{
	const uint64_t step = (uint64_t)to - (uint64_t)from;

	put(out, step << 1 ^ (step >> 63 ? ~(uint64_t)0 : 0));
}

static void put_range(struct strbuf *out, const struct minute_range *range)
{
	put(out, range->least);
	put(out, range->most - range->least);
}

static unsigned flags_of(const struct minute_list *l, const struct minute_entry *e,
			 const struct minute_entry *before)
{
	return (e->gap ? HAS_GAP : 0u) | (e->unread ? HAS_UNREAD : 0u) |
	       (e->first_row != e->row ? HAS_ROWS : 0u) |
	       (e->layout != before->layout ? HAS_LAYOUT : 0u) | (e->previous ? HAS_PREVIOUS : 0u) |
	       (e->begins != l->first_sample ? HAS_LATER : 0u) | (e->cpu.known ? HAS_USAGE : 0u);
}

static void put_entry(struct strbuf *out, const struct minute_list *l, const struct minute_entry *e,
		      const struct minute_entry *before)
{
	const unsigned flags = flags_of(l, e, before);

	put(out, flags);
	put(out, (uint64_t)(e->reading - before->reading));
	put_step(out, before->row, e->row);
	put(out, e->n);
	if (flags & HAS_UNREAD)
		put(out, e->unread);
	if (flags & HAS_ROWS)
		put_step(out, e->row, e->first_row);
	if (flags & HAS_LAYOUT)
		put(out, (uint64_t)e->layout);
	if (flags & HAS_PREVIOUS)
		put_step(out, e->previous, l->first_reading);
	if (flags & HAS_LATER)
		put(out, (uint64_t)(e->begins - l->first_sample));
	if (flags & HAS_USAGE)
		put_range(out, &e->cpu);
}

void minute_format(const struct minute_list *l, struct strbuf *out)
{
	const size_t begin = out->len;
	struct minute_entry before = {.reading = l->first_reading};
	uint64_t sum;

	put(out, (uint64_t)l->first_sample);
	put(out, (uint64_t)l->last_sample);
	put(out, (uint64_t)l->first_reading);
	put(out, (uint64_t)l->next_reading);
	put(out, l->n);
	for (size_t i = 0; i < l->n; i++) {
		put_entry(out, l, &l->v[i], &before);
		before = l->v[i];
	}
	put(out, l->n_programs);
	for (size_t i = 0; i < l->n_programs; i++) {
		put(out, (uint64_t)l->program[i].row);
		put_range(out, &l->program[i].cpu);
	}
	sum = hash_text(out->text + begin, out->len - begin);
	for (int i = 0; i < SUM_BYTES; i++)
		strbuf_addch(out, (char)(sum >> 8 * i));
}

/* ---- parse ---- */

/* The bytes that are left; bad: there were too few, or a number is too large. */
struct input {
	const unsigned char *at, *end;
	bool bad;
};

static uint64_t get(struct input *in)
{
	uint64_t number = 0;

	for (int shift = 0; shift < 64 && in->at < in->end; shift += 7) {
		const unsigned char byte = *in->at++;

		number |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return number;
	}
	in->bad = true;
	return 0;
}

/* Returns an id; 0, and sets `bad`, if it is larger than those of the database. */
static int64_t get_id(struct input *in)
{
	const uint64_t number = get(in);

	in->bad |= number > INT64_MAX;
	return in->bad ? 0 : (int64_t)number;
}

static int64_t get_step(struct input *in, int64_t from)
{
	const uint64_t number = get(in), step = number >> 1 ^ (number & 1 ? ~(uint64_t)0 : 0);

	return (int64_t)((uint64_t)from + step);
}

static struct minute_range get_range(struct input *in)
{
	const uint64_t least = get(in), range = get(in);

	in->bad |= least > (uint64_t)USAGE_MAX || range > (uint64_t)USAGE_MAX;
	return (struct minute_range){true, least, least + range};
}

static void get_entry(struct input *in, const struct minute_list *l, struct minute_entry *e,
		      const struct minute_entry *before)
{
	const uint64_t flags = get(in);

	e->gap = flags & HAS_GAP;
	e->reading = (int64_t)((uint64_t)before->reading + get(in));
	e->row = e->first_row = get_step(in, before->row);
	e->n = get(in);
	e->layout = before->layout;
	e->begins = l->first_sample;
	if (flags & HAS_UNREAD)
		e->unread = get(in);
	if (flags & HAS_ROWS)
		e->first_row = get_step(in, e->row);
	if (flags & HAS_LAYOUT)
		e->layout = get_id(in);
	if (flags & HAS_PREVIOUS)
		e->previous = (int64_t)((uint64_t)l->first_reading - (uint64_t)get_step(in, 0));
	if (flags & HAS_LATER)
		e->begins = (int64_t)((uint64_t)l->first_sample + get(in));
	if (flags & HAS_USAGE)
		e->cpu = get_range(in);
}

/* Returns whether the entry may follow the one before in the list. */
static bool is_sound(const struct minute_list *l, const struct minute_entry *e,
		     const struct minute_entry *before)
{
	return e->reading >= l->first_reading && e->reading < l->next_reading &&
	       (before == e || e->reading > before->reading) && e->row > 0 && e->first_row > 0 &&
	       e->layout > 0 && e->n > 0 && e->begins >= l->first_sample &&
	       e->begins <= l->last_sample && e->previous >= 0 && e->previous < l->next_reading;
}

/* Reads the entries. Each reading of the minute has to be of one of them. */
static bool get_entries(struct input *in, struct minute_list *l)
{
	struct minute_entry before = {.reading = l->first_reading};
	const uint64_t most = (uint64_t)(l->next_reading - l->first_reading);
	uint64_t sum = 0;

	for (uint64_t n = get(in); n && !in->bad; n--) {
		struct minute_entry *e = minute_add(l);

		get_entry(in, l, e, &before);
		if (in->bad || !is_sound(l, e, l->n > 1 ? &before : e) || e->n > most - sum)
			return false;
		sum += e->n;
		before = *e;
	}
	return !in->bad && sum == most;
}

static bool get_programs(struct input *in, struct minute_list *l)
{
	for (uint64_t n = get(in); n && !in->bad; n--) {
		struct minute_program *p = minute_add_program(l);

		p->row = get_id(in);
		p->cpu = get_range(in);
	}
	return !in->bad;
}

bool minute_parse(struct minute_list *l, const void *bytes, size_t n)
{
	struct input in = {.at = bytes};
	uint64_t sum = 0;

	minute_reset(l);
	if (n < SUM_BYTES)
		return false;
	in.end = in.at + n - SUM_BYTES;
	for (int i = 0; i < SUM_BYTES; i++)
		sum |= (uint64_t)in.end[i] << 8 * i;
	if (hash_text(bytes, n - SUM_BYTES) != sum)
		return false;
	l->first_sample = get_id(&in);
	l->last_sample = get_id(&in);
	l->first_reading = get_id(&in);
	l->next_reading = get_id(&in);
	return !in.bad && l->first_sample <= l->last_sample &&
	       l->first_reading <= l->next_reading && get_entries(&in, l) && get_programs(&in, l) &&
	       in.at == in.end;
}

/* ---- usage ---- */

bool minute_usage(const struct minute_use *u, double *usage)
{
	int64_t ns = u->interval_ns;

	if (!u->known || u->cpu_ns < u->old_cpu_ns)
		return false;
	if (u->old ? !u->old_known : u->start_ns < u->sample_boot_ns)
		return false;
	/* The first reading of a task has no interval in the file: takes that of the sample. */
	if (ns <= 0 && u->old)
		return false;
	if (ns <= 0)
		ns = (int64_t)(u->sample_mono_ns[1] - u->sample_mono_ns[0]);
	*usage = (double)(u->cpu_ns - u->old_cpu_ns) / (double)ns;
	return ns > 0;
}

uint64_t minute_millionths(double usage)
{
	const double number = usage * 1e6 + 0.5;

	return number < USAGE_MAX ? (uint64_t)number : (uint64_t)USAGE_MAX;
}
