/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Multiplies matrices for a number of seconds, as fast as the compiler made it. The kernel counts
 * how often: each product touches a fresh page, which is a minor page fault.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define N    96
#define PAGE 4096

static double a[N][N], b[N][N], c[N][N];

static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

static int count(void)
{
	double *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return -1;
	*page = c[N - 1][N - 1];
	return munmap(page, PAGE);
}

int main(int argc, char **argv)
{
	const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 10);
	int failed = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[i][j] = b[j][i] = i + j;
	while (!failed && time(NULL) < end) {
		multiply();
		failed = count();
	}
	return failed != 0;
}
