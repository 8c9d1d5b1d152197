/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of minutes: what is formatted is parsed again; other bytes are refused. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/minute.h"
#include "tap.h"

static uint64_t seed = 5;

static uint64_t chance(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 20) % n;
}

/* Makes a list of n entries. */
static void make(struct minute_list *l, size_t n)
{
	*l = (struct minute_list){.first_sample = 70, .last_sample = 99, .first_reading = 5000};
	l->next_reading = l->first_reading;
	for (size_t i = 0; i < n; i++) {
		struct minute_entry *e = minute_add(l);

		l->next_reading += 1 + (int64_t)chance(40);
		*e = (struct minute_entry){
			.reading = l->next_reading - 1,
			.layout = 1 + (int64_t)chance(3),
			.row = 1 + (int64_t)chance(100000),
			.previous = chance(2) ? 1 + (int64_t)chance(5000) : 0,
			.begins = 70 + (int64_t)(chance(2) ? chance(30) : 0),
			.unread = chance(3) ? 0 : 1ull << chance(64),
			.gap = chance(2),
		};
		e->first_row = chance(3) ? e->row : 1 + (int64_t)chance(1ull << 62);
		e->n = (uint64_t)(e->reading + 1 - (i ? e[-1].reading + 1 : l->first_reading));
		if (chance(4))
			minute_widen_to(&e->cpu, chance(3000000));
		if (chance(2))
			minute_widen_to(&e->cpu, chance(3000000));
	}
	for (size_t i = 0; i < n / 7; i++) {
		struct minute_program *p = minute_add_program(l);

		p->row = 1 + (int64_t)chance(100000);
		minute_widen_to(&p->cpu, chance(1ull << 40));
	}
}

static bool same_range(const struct minute_range *x, const struct minute_range *y)
{
	return x->known == y->known && x->least == y->least && x->most == y->most;
}

static bool same_entry(const struct minute_entry *x, const struct minute_entry *y)
{
	return x->reading == y->reading && x->layout == y->layout && x->row == y->row &&
	       x->first_row == y->first_row && x->previous == y->previous &&
	       x->begins == y->begins && x->n == y->n && x->unread == y->unread &&
	       x->gap == y->gap && same_range(&x->cpu, &y->cpu);
}

static bool same_list(const struct minute_list *x, const struct minute_list *y)
{
	bool same = x->first_sample == y->first_sample && x->last_sample == y->last_sample &&
		    x->first_reading == y->first_reading && x->next_reading == y->next_reading &&
		    x->n == y->n && x->n_programs == y->n_programs;

	for (size_t i = 0; i < x->n && same; i++)
		same = same_entry(&x->v[i], &y->v[i]);
	for (size_t i = 0; i < x->n_programs && same; i++)
		same = x->program[i].row == y->program[i].row &&
		       same_range(&x->program[i].cpu, &y->program[i].cpu);
	return same;
}

static void test_same(void)
{
	static const size_t n[] = {0, 1, 2, 40, 3000};

	for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
		struct minute_list list, again = {.n = 0};
		struct strbuf bytes;

		strbuf_init(&bytes);
		make(&list, n[i]);
		minute_format(&list, &bytes);
		tap_ok(minute_parse(&again, bytes.text, bytes.len) && same_list(&list, &again),
		       "%zu entries in %zu bytes", n[i], bytes.len);
		tap_ok(bytes.len < 80 + 45 * n[i], "few bytes");
		strbuf_done(&bytes);
		minute_done(&list);
		minute_done(&again);
	}
}

/* Any change of a bit, and any part of a list, is refused. */
static void test_damage(void)
{
	struct minute_list list, again = {.n = 0};
	struct strbuf bytes;
	size_t taken = 0;

	strbuf_init(&bytes);
	make(&list, 40);
	minute_format(&list, &bytes);
	for (size_t i = 0; i < 8 * bytes.len; i++) {
		bytes.text[i / 8] ^= (char)(1 << i % 8);
		taken += minute_parse(&again, bytes.text, bytes.len);
		bytes.text[i / 8] ^= (char)(1 << i % 8);
	}
	tap_int((long long)taken, 0, "no changed bit is taken");
	for (size_t i = 0; i < bytes.len; i++) {
		char *part = xmalloc(i + 1); /* so that the sanitizer sees a byte too many */

		memcpy(part, bytes.text, i);
		taken += minute_parse(&again, part, i);
		free(part);
	}
	tap_int((long long)taken, 0, "nor a part");
	strbuf_done(&bytes);
	minute_done(&list);
	minute_done(&again);
}

static void fewer(struct minute_list *l)
{
	l->v[3].n--;
}

static void more(struct minute_list *l)
{
	l->v[3].n = ~(uint64_t)0;
}

static void again_the_same(struct minute_list *l)
{
	l->v[4].reading = l->v[3].reading;
}

static void beyond(struct minute_list *l)
{
	l->next_reading = l->v[l->n - 1].reading;
}

static void begins_late(struct minute_list *l)
{
	l->v[5].begins = l->last_sample + 1;
}

static void no_task(struct minute_list *l)
{
	l->v[5].row = 0;
}

static void ends_early(struct minute_list *l)
{
	l->last_sample = 60;
}

static void huge(struct minute_list *l)
{
	minute_widen_to(&l->v[5].cpu, ~(uint64_t)0);
}

/* Lists whose sum is right, but whose numbers contradict each other. */
static void test_contradictions(void)
{
	static void (*const change[])(struct minute_list *) = {
		fewer, more, again_the_same, beyond, begins_late, no_task, ends_early, huge};

	for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
		struct minute_list list, again = {.n = 0};
		struct strbuf bytes;

		strbuf_init(&bytes);
		make(&list, 40);
		change[i](&list);
		minute_format(&list, &bytes);
		tap_ok(!minute_parse(&again, bytes.text, bytes.len), "contradiction %zu", i);
		strbuf_done(&bytes);
		minute_done(&list);
		minute_done(&again);
	}
}

static void test_usage(void)
{
	struct minute_use use = {.old = true,
				 .old_known = true,
				 .known = true,
				 .old_cpu_ns = 100,
				 .cpu_ns = 1600,
				 .interval_ns = 1000,
				 .start_ns = 5000,
				 .sample_boot_ns = 7000,
				 .sample_mono_ns = {7000, 10000}};
	double usage;

	tap_ok(minute_usage(&use, &usage), "a usage");
	tap_num(usage, 1.5, "of one and a half CPUs");
	tap_int((long long)minute_millionths(usage), 1500000, "in millionths");
	use.interval_ns = 0;
	tap_ok(!minute_usage(&use, &usage), "without an interval, a task was away");
	use.old = use.old_known = false;
	use.old_cpu_ns = 0;
	tap_ok(!minute_usage(&use, &usage), "that of a task found later than it began is unknown");
	use.start_ns = 8000;
	tap_ok(minute_usage(&use, &usage), "of a new one");
	tap_num(usage, 1600.0 / 3000, "it is of the time between the samples");
	use.known = false;
	tap_ok(!minute_usage(&use, &usage), "unknown CPU time");
	tap_ok(minute_millionths(1e300) == (uint64_t)1e15, "no usage is too large");
}

int main(void)
{
	test_same();
	test_damage();
	test_contradictions();
	test_usage();
	return tap_done();
}
