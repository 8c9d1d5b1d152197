/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of processes killed for lack of memory, from files of newer and older kernels. */
#include "collect/task/procfs.h"

#include <errno.h>

#include "tap.h"

int main(void)
{
	uint64_t kills = 7;

	tap_int(oom_parse_kills("nr_free_pages 6\noom_kill 12\nnuma_hit 4\n", &kills), 0,
		"a file that tells");
	tap_int((long)kills, 12, "how many");
	tap_int(oom_parse_kills("nr_free_pages 6\nnr_oom_kill 3\n", &kills), -ENODATA,
		"one of an older kernel");
	tap_int(oom_parse_kills("a 1\noom_kill \n", &kills), -ENODATA, "one without the number");
	tap_int((long)kills, 12, "what is not known is not told");
	return tap_done();
}
