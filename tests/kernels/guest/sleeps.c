/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sleeps N - sleeps N times, each of which is a switch. */
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i; i--)
		nanosleep(&(struct timespec){0, 1000000}, NULL);
}
