/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort - what a sort costs, with and without filling its array. The example of the article "Demystifying the PMU": a tool that
 * measures the whole program sees both.
 *
 *   cc -o sort sort.c -ltiptop && ./sort
 */
#include <stdio.h>
#include <stdlib.h>
#include <tiptop.h>

#define N 200000

static int array[N];

static int compare(const void *x, const void *y)
{
	int a = *(const int *)x, b = *(const int *)y;

	return (a > b) - (a < b);
}

static void fill(void)
{
	unsigned seed = 1;

	for (int i = 0; i < N; i++) {
		seed = seed * 1103515245 + 12345;
		array[i] = (int)(seed >> 8);
	}
}

static void print(const struct tt *t, const char *what, const struct tt_value from[],
		  const struct tt_value to[])
{
	printf("%-16s", what);
	for (int i = 0; i < tt_count(t); i++) {
		double n = tt_between(&from[i], &to[i]);

		if (n == n)
			printf(" %14.0f %s", n, tt_name(t, i));
		else
			printf(" %14s %s", "?", tt_name(t, i));
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct tt *t = tt_open(argc > 1 ? argv[1] : "instructions,branch-misses,page-faults,task-clock");
	struct tt_value start[TT_MAX_EVENTS], filled[TT_MAX_EVENTS], sorted[TT_MAX_EVENTS];

	if (!t) {
		fprintf(stderr, "sort: %s\n", tt_strerror());
		return 1;
	}
	if (*tt_strerror())
		fprintf(stderr, "sort: %s\n", tt_strerror());
	tt_read(t, start);
	fill();
	tt_read(t, filled);
	qsort(array, N, sizeof *array, compare);
	tt_read(t, sorted);
	print(t, "fill and sort", start, sorted);
	print(t, "sort alone", filled, sorted);
	tt_close(t);
	return 0;
}
