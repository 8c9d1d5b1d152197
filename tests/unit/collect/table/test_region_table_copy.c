/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of regions, valid and malicious. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "collect/table/region_table.h"
#include "region_rig.h"
#include "tap.h"

#define MUTATIONS 500

static struct table_copy copy;

static int make(void)
{
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd, 4711);
	return fd;
}

static void check_sums(void)
{
	struct err err = ERR_INIT;
	int fd = make();

	tap_int(table_copy_read(&copy, fd, false, &err), 0, "a table is read");
	tap_int(copy.header.n_regions, RIG_REGIONS, "with all regions");
	tap_str(copy.region[3].label, "region 3", "their labels");
	for (unsigned i = 0; i < RIG_REGIONS; i++) {
		struct table_row *row = table_copy_row(&copy, i);

		tap_int(row->calls, rig_all_calls(i),
			"region %u: calls of living threads and of those that ended", i);
		tap_int(table_sum(row, table_quantity(row, 0)), 1000 * rig_all_calls(i),
			"their time");
		tap_int(table_sum(row, table_quantity(row, 2)), 20 * rig_all_calls(i),
			"and what they counted");
	}
	close(fd);
}

/* Rows in further blocks: those of a thread, and of the slot that sums threads that have ended. */
static void check_blocks(void)
{
	static const uint32_t tid[] = {17, TABLE_ENDED}, impossible = TABLE_BLOCKS;
	struct table_header h = rig_header(4711);
	struct table_region region = {.label = "far", .epoch = 1};
	struct err err = ERR_INIT;
	uint64_t row[512];
	int fd = make();

	h.n_regions = TABLE_BLOCK + 3;
	rig_put(fd, &h, sizeof h, 0);
	for (uint32_t i = RIG_REGIONS; i < h.n_regions; i++)
		rig_put(fd, &region, sizeof region, table_region_offset() + i * sizeof region);
	for (unsigned k = 0; k < 2; k++) {
		struct table_slot s = {.tid = tid[k], .block = 1, .n_rowless = 2};

		rig_put(fd, &s, sizeof s, rig_slot(RIG_THREADS + k));
		rig_fill_row((void *)row, 5 + 10 * k);
		((struct table_row *)(void *)row)->sequence *= !k;
		rig_put(fd, row, table_row_size(RIG_EVENTS), rig_row(RIG_THREADS + k, 2));
	}
	tap_int(table_copy_read(&copy, fd, false, &err), 0, "a table with two blocks is read");
	tap_int(table_copy_row(&copy, 3)->calls, rig_all_calls(3), "the rows of the first block");
	tap_int(table_copy_row(&copy, TABLE_BLOCK + 2)->calls, 20, "those of the second one");
	tap_int(table_copy_row(&copy, TABLE_BLOCK + 1)->calls, 0, "which has holes");
	tap_int(table_copy_lacks(&copy).n_rowless, 4, "and the calls without rows");
	rig_put(fd, &impossible, sizeof impossible,
		rig_slot(RIG_THREADS) + offsetof(struct table_slot, block));
	tap_int(table_copy_read(&copy, fd, false, &err), 0, "a slot of a block that cannot be");
	tap_int(table_copy_row(&copy, TABLE_BLOCK + 2)->calls, 15, "is left out");
	close(fd);
}

/* Writes a table in which each region was called once, by one thread. */
static void write_flat(int fd, uint32_t n_events, uint32_t n_regions)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = table_row_size(n_events);
	const struct table_slot slot = {.tid = TABLE_ENDED};
	const size_t at = table_slot_offset((uint32_t)size, page, 1);
	struct table_region region = {.label = "flat", .epoch = 1};
	struct container_place place[TABLE_SECTIONS - 1];
	struct table_header h = rig_header(4711);
	uint64_t words[TABLE_ROW_WORDS] = {0};
	struct table_row *row = (void *)words;

	tt_table_places(place, n_events, page);
	rig_begin(&h.container, &tt_table_plan, place, 4711);
	h.row_size = (uint32_t)size;
	h.n_events = n_events;
	h.n_regions = n_regions;
	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)table_slot_offset((uint32_t)size, page, 2)))
		abort();
	rig_put(fd, &h, sizeof h, 0);
	rig_put_directory(fd, &tt_table_plan, place);
	for (uint32_t i = 0; i < n_regions; i++)
		rig_put(fd, &region, sizeof region, table_region_offset() + i * sizeof region);
	rig_put(fd, &slot, sizeof slot, at);
	row->calls = row->epoch = 1;
	for (uint32_t i = 0; i < TABLE_BLOCK; i++)
		rig_put(fd, row, size, at + sizeof slot + i * size);
}

/* A damaged table may become one with fewer regions and longer rows. */
static void check_longer_rows(void)
{
	struct err err = ERR_INIT;
	int fd = make();
	bool once = true;

	write_flat(fd, 0, 8 * TABLE_BLOCK);
	tap_int(table_copy_read(&copy, fd, true, &err), 0, "a table of many short rows is read");
	write_flat(fd, TABLE_EVENTS, TABLE_BLOCK);
	tap_int(table_copy_read(&copy, fd, true, &err), 0, "then one of fewer, longer ones");
	for (uint32_t i = 0; i < TABLE_BLOCK; i++)
		once = once && table_copy_row(&copy, i)->calls == 1;
	tap_ok(once, "each of which is counted once");
	close(fd);
}

static void refuse(int fd, int code, const char *sentence, const char *what)
{
	struct err err = ERR_INIT;

	tap_int(table_copy_read(&copy, fd, false, &err), -code, "%s", what);
	tap_str(err.text, sentence, "says so");
	tap_int(copy.header.n_regions, 0, "and nothing is left of it");
	close(fd);
}

static void check_refused(void)
{
	static const char *const other = "is of another version of libtiptop: restart the program "
					 "with the version of this tiptop";
	struct table_header h = rig_header(1);
	uint32_t odd = 7;
	int fd;

	fd = make();
	rig_put(fd, "tiptopR5", 8, 0);
	refuse(fd, EBADMSG, other, "the table of an earlier libtiptop");
	fd = make();
	h.container.layout++;
	rig_put(fd, &h, sizeof h, 0);
	refuse(fd, EBADMSG, other, "that of a later one");
	for (int i = 1; i < 5; i++) {
		h = rig_header(1);
		if (i == 1)
			h.row_size *= 2;
		if (i == 2)
			h.n_events = UINT32_MAX;
		if (i == 3)
			h.n_regions = TABLE_REGIONS + 1;
		if (i == 4)
			h.ns_per_tick = 0;
		fd = make();
		rig_put(fd, &h, sizeof h, 0);
		refuse(fd, EBADMSG, "is damaged", "a header that cannot be");
	}
	fd = make();
	rig_put(fd, &odd, sizeof odd, offsetof(struct container, sequence));
	refuse(fd, EAGAIN, "changes all the time", "a thread that never stops to end");
	fd = make();
	rig_put(fd, &odd, sizeof odd, rig_row(2, 1));
	refuse(fd, EAGAIN, "changes all the time", "a row that is always being written");
	fd = make();
	if (ftruncate(fd, (off_t)rig_row(1, 2)))
		abort();
	refuse(fd, ENODATA, "is cut off", "a table that ends within a row");
	fd = make();
	if (ftruncate(fd, 0))
		abort();
	refuse(fd, ENODATA,
	       "was not begun: the program may not write a file that large: raise its limit "
	       "(ulimit "
	       "-f)",
	       "an empty file");
}

/* A process killed while it wrote leaves odd sequence numbers. Its table is read nevertheless. */
static void check_killed(void)
{
	const uint32_t odd = 7;
	struct err err = ERR_INIT;
	int fd = make();

	rig_put(fd, &odd, sizeof odd, rig_row(2, 1));
	rig_put(fd, &odd, sizeof odd, offsetof(struct container, sequence));
	tap_int(table_copy_read(&copy, fd, true, &err), 0, "a table of who was killed is read");
	tap_int(table_copy_row(&copy, 1)->calls, rig_all_calls(1), "as it was left");
	close(fd);
}

/* Numbers in a damaged table may be arbitrary, but strings must end and indices must be in
 * bounds. */
static bool is_sane(void)
{
	const struct table_header *h = &copy.header;
	static volatile uint64_t sum; /* for the sanitizers: reads each row */
	bool sane = h->n_events <= TABLE_EVENTS && h->n_regions <= TABLE_REGIONS;

	for (uint32_t i = 0; i < h->n_events; i++)
		sane = sane && strlen(h->event[i].name) < TABLE_NAME_MAX;
	for (uint32_t i = 0; i < h->n_regions; i++) {
		sane = sane && strlen(copy.region[i].label) < TABLE_LABEL_MAX;
		sum += table_copy_row(&copy, i)->calls;
	}
	(void)sum;
	return sane;
}

/* Returns a random offset in the header, the labels, the slots or the rows. */
static size_t any_place(unsigned *seed)
{
	const unsigned region = (unsigned)rand_r(seed) % RIG_REGIONS,
		       slot = (unsigned)rand_r(seed) % RIG_THREADS;
	const size_t row = (size_t)rand_r(seed) % table_row_size(RIG_EVENTS);

	switch (rand_r(seed) % 4) {
	case 0:
		return (size_t)rand_r(seed) % offsetof(struct table_header, event);
	case 1:
		return (size_t)rand_r(seed) %
		       (table_region_offset() + RIG_REGIONS * sizeof(struct table_region));
	case 2:
		return rig_slot(slot) + (size_t)rand_r(seed) % sizeof(struct table_slot);
	default:
		return rig_row(slot, region) + row;
	}
}

static void mutate(int fd, unsigned *seed)
{
	for (int n = 1 + rand_r(seed) % 8; n; n--) {
		const uint8_t byte = (uint8_t)(rand_r(seed) % 3 ? rand_r(seed) : 0xff);

		rig_put(fd, &byte, 1, any_place(seed));
	}
	if (rand_r(seed) % 10 == 0 && ftruncate(fd, (off_t)any_place(seed)))
		abort();
}

static void check_mutations(void)
{
	unsigned seed = 17;
	int read = 0, refused = 0, wrong = 0;

	for (int k = 0; k < MUTATIONS; k++) {
		struct err err = ERR_INIT;
		int fd = make(), ret;

		mutate(fd, &seed);
		ret = table_copy_read(&copy, fd, false, &err);
		read += !ret;
		refused += ret && err.text[0];
		wrong += ret ? !err.text[0] : !is_sane();
		close(fd);
	}
	tap_ok(!wrong && read + refused == MUTATIONS,
	       "%d damaged tables: each is read, or refused with a sentence", MUTATIONS);
	tap_ok(read > MUTATIONS / 10 && refused > MUTATIONS / 10, "some of each");
}

static atomic_bool stop;

/* Truncates and rewrites the table until stop is set. */
static void *cut_off(void *context)
{
	const int fd = *(int *)context;

	while (!atomic_load(&stop)) {
		if (ftruncate(fd, (off_t)rig_row(1, 1)))
			abort();
		rig_write(fd, 4711);
	}
	return NULL;
}

static void check_cut_off(void)
{
	pthread_t thread;
	int fd = make(), wrong = 0;

	pthread_create(&thread, NULL, cut_off, &fd);
	for (int k = 0; k < 2000; k++) {
		struct err err = ERR_INIT;
		int ret = table_copy_read(&copy, fd, false, &err);

		wrong += ret ? !err.text[0] : !is_sane();
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	tap_ok(!wrong, "a table that is cut off while it is read");
	close(fd);
}

int main(void)
{
	table_copy_init(&copy);
	check_sums();
	check_blocks();
	check_longer_rows();
	check_refused();
	check_killed();
	check_mutations();
	check_cut_off();
	table_copy_done(&copy);
	return tap_done();
}
