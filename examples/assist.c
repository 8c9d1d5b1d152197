/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assist - additions of finite numbers, infinities and NaNs, by the x87 unit and by SSE: figure 4 of the report on tiptop.
 * x87 needs a microcode assist for what is not finite, SSE does not.
 *
 *   cc -O1 -o assist assist.c -ltiptop && ./assist
 */
#include <math.h>
#include <stdio.h>
#include <tiptop.h>

#define N 1000000

#if defined(__x86_64__) || defined(__i386__)
static void add_x87(double x)
{
	for (int i = 0; i < N; i++)
		__asm__ volatile("fldl %0\n\tfadd %%st(0), %%st(0)\n\tfstp %%st(0)" : : "m"(x) : "st");
}
#define HAVE_X87 1
#else
static void add_x87(double x)
{
	(void)x;
}
#define HAVE_X87 0
#endif

static void add_vector_unit(double x)
{
	volatile double sum = x;

	for (int i = 0; i < N; i++)
		sum = sum + x;
}

static void measure(struct tt *t, const char *unit, void (*add)(double x), const char *what, double x)
{
	struct tt_value before[TT_MAX_EVENTS], after[TT_MAX_EVENTS];

	tt_read(t, before);
	add(x);
	tt_read(t, after);
	printf("%-8s %-9s", unit, what);
	for (int i = 0; i < tt_count(t); i++) {
		double n = tt_between(&before[i], &after[i]) / N;

		if (n == n)
			printf(" %8.3f %s", n, tt_name(t, i));
		else
			printf(" %8s %s", "?", tt_name(t, i));
	}
	puts(" per addition");
}

int main(void)
{
	static const struct {
		const char *name;
		double value;
	} row[] = {{"finite", 1.5}, {"infinite", INFINITY}, {"NaN", NAN}};
	struct tt *t = tt_open("cycles,instructions,fp-assists,task-clock");

	if (!t) {
		fprintf(stderr, "assist: %s\n", tt_strerror());
		return 1;
	}
	for (int i = 0; i < 3; i++) {
		if (HAVE_X87)
			measure(t, "x87", add_x87, row[i].name, row[i].value);
		measure(t, "SSE", add_vector_unit, row[i].name, row[i].value);
	}
	tt_close(t);
	return 0;
}
