/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asks N - calls a function of the library ASKS times that asks the program each time, which takes
 * 2 N instructions; executes as many itself, outside of any call; and has the kernel do something
 * WRITES times.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define ASKS   50
#define WRITES 200

static unsigned long instructions;
static int asked;

static void spend(void)
{
	unsigned long left = instructions;

	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
}

static int compare(const void *a, const void *b)
{
	asked++;
	spend();
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	int table[] = {4711, 4712};
	int fd = open("/dev/null", O_WRONLY), written = 0;

	instructions = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	for (int i = 0; i < ASKS; i++)
		qsort(table, 2, sizeof *table, compare);
	for (int i = 0; i < ASKS; i++)
		spend();
	for (int i = 0; i < WRITES; i++)
		written += (int)write(fd, "x", 1);
	return asked != ASKS || written != WRITES;
}
