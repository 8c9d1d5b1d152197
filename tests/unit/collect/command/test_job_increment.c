/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Increments, between two reads, of numbers that are not event counts. */
#include "collect/command/job.h"

#include "tap.h"

int main(void)
{
	struct count last[3] = {{.value = 10}, {.value = 20}, {.value = 30}};
	struct value row[3];

	number_increments((const uint64_t[]){15, 99, 29}, 1ull << 1, 3, last, row);
	tap_ok(row[0].quality == QUALITY_EXACT && row[0].number == 5, "it has grown");
	tap_int(row[1].quality, QUALITY_NOT_READ, "it could not be read");
	tap_ok(row[2].quality == QUALITY_EXACT && row[2].number == 0, "it went back a little");
	tap_int((long)last[0].value, 15, "the next one begins here");
	tap_int((long)last[1].value, 20, "of one that could not be read, where it was");
	number_increments((const uint64_t[]){15, 26, 31}, 0, 3, last, row);
	tap_ok(row[1].number == 6, "nothing of it is lost");
	tap_ok(row[2].number == 2, "from where it went back to");
	return tap_done();
}
