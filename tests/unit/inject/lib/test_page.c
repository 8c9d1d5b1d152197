/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's page of a counter, written by the test, with a simulated PMU: the values read from
 * it, and when they are valid. */
#include "inject/lib/page.h"

#include "tap.h"

/* Values of counters by number, of fixed counters, and of the clock. */
static uint64_t pmc[64], pmc_fixed[4], now;
static struct perf_event_mmap_page *moves; /* its lock changes at the next n_moves reads */
static int n_moves, n_reads;

static uint64_t play_pmc(uint32_t index)
{
	n_reads++;
	if (moves && n_moves > 0) {
		n_moves--;
		moves->lock++;
		pmc[index & 63] += 1000;
	}
	return index & PAGE_FIXED ? pmc_fixed[index & 3] : pmc[index & 63];
}

static uint64_t play_time(void)
{
	return now;
}

static const struct page_hardware played = {play_pmc, play_time, true, UINT32_MAX};

static const struct page_hardware strict = {play_pmc, play_time, false, UINT32_MAX};

/* Returns the page of a counter that is on the PMU with this number and width. */
static struct perf_event_mmap_page page_of(uint32_t counter, uint16_t width, int64_t offset)
{
	struct perf_event_mmap_page page = {0};

	page.lock = 2;
	page.index = counter + 1;
	page.offset = offset;
	page.time_enabled = page.time_running = 5000;
	page.cap_user_rdpmc = 1;
	page.pmc_width = width;
	return page;
}

static uint32_t read_one(const struct perf_event_mmap_page *page, struct tt_value *value)
{
	page_t *pages[] = {page};

	return page_read_all(pages, 1, NULL, &played, 7, value);
}

static void check_widths(void)
{
	static const uint16_t width[] = {32, 40, 48, 64};

	for (size_t i = 0; i < sizeof width / sizeof *width; i++) {
		uint64_t mask = width[i] == 64 ? UINT64_MAX : (1ull << width[i]) - 1;
		struct perf_event_mmap_page page = page_of(3, width[i], 1000);
		struct tt_value value = {0};

		/* The kernel starts a counter at a negative value, so that it overflows before a
		 * period ends. */
		pmc[3] = (uint64_t)-700 & mask;
		tap_int(read_one(&page, &value), 0, "a counter of %d bits is read", width[i]);
		tap_int(value.count, 300, "%d bits: what is below 0 is", width[i]);
		tap_int(value.state, TT_OK, "%d bits: exact", width[i]);
		pmc[3] = 700;
		read_one(&page, &value);
		tap_int(value.count, 1700, "%d bits: past 0", width[i]);
		/* Bits above the width of the counter must be ignored. */
		pmc[3] = 700 | ~mask;
		read_one(&page, &value);
		tap_int(value.count, 1700, "%d bits: no bit above them counts", width[i]);
	}
}

static void check_large(void)
{
	struct perf_event_mmap_page page = page_of(0, 48, 0);
	struct tt_value value = {0};

	page.offset = (int64_t)(1ull << 60);
	pmc[0] = 5;
	read_one(&page, &value);
	tap_ok(value.count == (1ull << 60) + 5, "a count of more than 48 bits");
}

static void check_off_pmu(void)
{
	struct perf_event_mmap_page page = page_of(0, 48, 12345);
	struct tt_value value = {0};

	page.index = 0;
	n_reads = 0;
	tap_int(read_one(&page, &value), 0, "a counter that is not on the PMU needs no call");
	tap_int(value.count, 12345, "its count is the offset");
	tap_int(n_reads, 0, "and no counter is read");
	tap_int(page_read_all(&(page_t *){&page}, 1, NULL, &strict, 7, &value), 1,
		"where index 0 may also mean that reads are not allowed, the kernel is asked");
	page.cap_user_rdpmc = 0;
	page.offset = 0;
	tap_int(read_one(&page, &value), 1, "where user space may not read, the kernel is asked");
	page = page_of(7, 48, 0);
	page.cap_user_rdpmc = 0;
	read_one(&page, &value);
	tap_int(n_reads, 0, "and no counter is read, whatever the index says");
}

static void check_moves(void)
{
	struct perf_event_mmap_page a = page_of(1, 48, 0), b = page_of(2, 48, 0);
	page_t *pages[] = {&a, &b};
	struct tt_value value[2];

	/* The thread is preempted between reading the first and the second counter. */
	pmc[1] = 10;
	pmc[2] = 20;
	moves = &a;
	n_moves = 1;
	tap_int(page_read_all(pages, 2, NULL, &played, 7, value), 0,
		"a lock that changes: read again");
	tap_int(value[0].count, 1010, "the first counter is of the second try");
	tap_int(value[1].count, 20, "so is the second");
	n_moves = 2 * PAGE_TRIES;
	n_reads = 0;
	tap_int(page_read_all(pages, 2, NULL, &played, 7, value), 3,
		"a page that never settles is given up");
	tap_int(n_reads, 2 * PAGE_TRIES, "after the last try");
	moves = NULL;
}

/* The fast path must give the same values as the general one, or fail in unusual cases. */
static void check_usual(void)
{
	static const struct page_hardware few = {play_pmc, play_time, true, 3};
	static const struct page_mark mark = {7, TT_OK};
	struct perf_event_mmap_page a = page_of(1, 40, 100), b = page_of(2, 40, 200);
	page_t *pages[] = {&a, &b};
	struct tt_value value[2], want[2];

	pmc[1] = (uint64_t)-5 & ((1ull << 40) - 1);
	pmc[2] = 7;
	tap_ok(page_read_fast(pages, 2, &played, mark, value),
	       "two counters on the PMU are read in one go");
	page_read_all(pages, 2, NULL, &played, 7, want);
	tap_ok(!memcmp(value, want, sizeof value), "with the same values");
	tap_int(value[0].count, 95, "the first");
	tap_int(value[1].opening, 7, "the second knows its opening");
	moves = &a;
	n_moves = 1;
	tap_ok(!page_read_fast(pages, 2, &played, mark, value), "not where a lock changes");
	moves = NULL;
	b.time_enabled++;
	tap_ok(!page_read_fast(pages, 2, &played, mark, value), "nor where one is multiplexed");
	b.time_enabled--;
	b.index = 0;
	tap_ok(!page_read_fast(pages, 2, &played, mark, value), "nor off the PMU");
	b.index = 3;
	b.cap_user_rdpmc = 0;
	tap_ok(!page_read_fast(pages, 2, &played, mark, value),
	       "nor where user space may not read");
	b.cap_user_rdpmc = 1;
	tap_ok(page_read_fast(pages, 2, &played, mark, value), "again where it may");
	b.index = 3 + 1;
	n_reads = 0;
	tap_ok(!page_read_fast(pages, 2, &few, mark, value),
	       "not a counter that has no instruction to read it");
	tap_int(page_read_all(pages, 2, NULL, &few, 7, value), 2, "for which the kernel is asked");
	tap_int(n_reads, 2, "it was not read");
}

static void check_scaling(void)
{
	struct perf_event_mmap_page page = page_of(0, 48, 100);
	struct tt_value value = {0};

	pmc[0] = 0;
	page.time_enabled = 9000;
	page.time_running = 3000;
	tap_int(read_one(&page, &value), 1,
		"multiplexed, and no clock for users: the kernel is asked");
	page.cap_user_time = 1;
	page.time_shift = 4;
	page.time_mult = 8; /* ns = ticks * 8 / 16 */
	page.time_offset = 50;
	now = 1001;
	tap_int(read_one(&page, &value), 0, "with a clock it is not");
	tap_int(value.state, TT_SCALED, "multiplexed: an estimate");
	/* 1001 = 62 * 16 + 9 ticks: 50 + 62 * 8 + (9 * 8 >> 4) ns. */
	tap_int(value.enabled, 9000 + 550, "enabled until now");
	tap_int(value.running, 3000 + 550, "and counted until now, since it is on the PMU");
	page.index = 0;
	read_one(&page, &value);
	tap_int(value.enabled, 9550, "off the PMU, it is enabled until now");
	tap_int(value.running, 3000, "but not counted");
	page.cap_user_time_short = 1;
	page.time_cycles = 0xfff0;
	page.time_mask = 0xffff;
	now = 0x10;
	read_one(&page, &value);
	/* From 0xfff0, 0x20 ticks wrap around to 0x10010 = 4097 * 16. */
	tap_int(value.enabled, 9000 + 50 + 4097 * 8, "a short clock that has restarted");
}

static void check_kinds_of_cores(void)
{
	static const struct page_limits limits = {.n_general = 6, .n_fixed = 3};
	struct perf_event_mmap_page page = page_of(6, 48, 40);
	page_t *pages[] = {&page};
	struct tt_value value = {0};

	n_reads = 0;
	tap_int(page_read_all(pages, 1, &limits, &played, 7, &value), 1,
		"a counter that another kind of cores lacks is never read");
	page.index = 5 + 1;
	pmc[5] = 2;
	tap_int(page_read_all(pages, 1, &limits, &played, 7, &value), 0, "one that all have is");
	tap_int(value.count, 42, "and adds up");
	page.index = (PAGE_FIXED | 3) + 1;
	tap_int(page_read_all(pages, 1, &limits, &played, 7, &value), 1,
		"a fixed counter likewise");
	page.index = (PAGE_FIXED | 1) + 1;
	pmc_fixed[1] = 60;
	tap_int(page_read_all(pages, 1, &limits, &played, 7, &value), 0,
		"the number goes on as it is");
	tap_int(value.count, 100, "with its bit 30");
	tap_int(n_reads, 2, "two counters were read");
}

int main(void)
{
	check_widths();
	check_large();
	check_off_pmu();
	check_moves();
	check_usual();
	check_scaling();
	check_kinds_of_cores();
	return tap_done();
}
