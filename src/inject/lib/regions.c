/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/regions.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "inject/lib/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/label.h"
#include "inject/lib/table_file.h"

struct tt_regions tt_regions; /* large, so it has no initializer: that would take space in the
				 library's file */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t mark; /* the fork mark of the process that made the file, see counters.h */
static struct {
	struct table_region *label;
	uint32_t n;
} inherited; /* in a child: the labels of its parent, until the child has a table */

void tt_guard_enter(struct tt_guard *g)
{
	sigset_t all;

	g->error = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancellation);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &g->mask);
	pthread_mutex_lock(&lock);
}

void tt_guard_leave(const struct tt_guard *g)
{
	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &g->mask, NULL);
	pthread_setcancelstate(g->cancellation, NULL);
	errno = g->error;
}

/* Removes the file, so that the table is private. If a keeper runs, the empty file stays, and shows
 * the keeper that the process has a private table. */
static void remove_file(struct tt_regions *r)
{
	if (r->path[0] && !tt_table_file_is_kept(r))
		unlink(r->path);
	r->path[0] = '\0';
	tt_memory_close(&r->file);
}

void tt_regions_make_file(void)
{
	struct tt_regions *r = &tt_regions;
	const int fd = tt_table_file_make(r);

	r->file.fd = -1;
	if (fd >= 0 && tt_memory_open(&r->file, fd))
		remove_file(r);
	mark = tt_fork_mark();
}

#define NS_PER_S 1000000000ull

/* Returns the start of the process in ns of CLOCK_REALTIME, from clock ticks since boot as in
 * /proc. */
static uint64_t find_start(uint64_t ticks)
{
	const uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);

	return clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME) + ticks / hz * NS_PER_S +
	       ticks % hz * NS_PER_S / hz;
}

static uint32_t count_events(const struct tt *counters)
{
	return counters ? (uint32_t)tt_count(counters) : 0;
}

/* Fills the header; names and states of events are from the counters of the first thread. */
static void describe(struct table_header *h, const struct tt *counters)
{
	struct container_place place[TABLE_SECTIONS - 1];

	h->n_events = count_events(counters);
	h->row_size = (uint32_t)table_row_size(h->n_events);
	tt_table_places(place, h->n_events, tt_regions.page);
	tt_container_fill(&h->container, &tt_table_plan, place);
	memcpy(h->container.boot_id, tt_regions.boot_id, sizeof h->container.boot_id);
	h->ns_per_tick = tt_clock_speed() ? tt_clock_speed() : 1ull << 32;
	h->wall_begin = clock_ns(CLOCK_REALTIME);
	/* Without /proc, as after chroot(2), the start of the process is unknown. */
	h->wall_start =
		h->container.start_ticks ? find_start(h->container.start_ticks) : h->wall_begin;
	h->subtract = tt_regions.subtract;
	memcpy(h->program, tt_regions.program, sizeof h->program);
	memcpy(h->host, tt_regions.host, sizeof h->host);
	memcpy(h->rank, tt_regions.rank, sizeof h->rank);
	memcpy(h->unit, tt_regions.unit, sizeof h->unit);
	h->n_units = tt_regions.n_units;
	for (uint32_t i = 0; i < h->n_events; i++) {
		snprintf(h->event[i].reason, sizeof h->event[i].reason, "%s",
			 tt_counters_explain(counters, (int)i));
		snprintf(h->event[i].name, sizeof h->event[i].name, "%s",
			 tt_name(counters, (int)i));
		h->event[i].state = tt_state(counters, (int)i);
	}
}

/* Populates the memory of n labels. Returns false if there is no memory. */
static bool make_room_for_labels(struct table_region *first, size_t n)
{
	bool in_file = true;

	if (!tt_memory_make_real(first, n * sizeof *first, &in_file))
		return false;
	if (!in_file && tt_regions.path[0])
		tt_regions.header->n_unseen++;
	return true;
}

/* Copies inherited labels into the table. Returns false if there is no memory. */
static bool take_labels(struct tt_regions *r)
{
	const size_t size = inherited.n * sizeof *inherited.label;

	if (!inherited.n)
		return true;
	if (!make_room_for_labels(r->region, inherited.n))
		return false;
	memcpy(r->region, inherited.label, size);
	r->header->n_regions = inherited.n;
	munmap(inherited.label, size);
	inherited.n = 0;
	return true;
}

/* Maps the table up to the end of slot 0: in the file, or in private memory if the file has no
 * room. */
static struct table_header *map_head(struct tt_regions *r, uint32_t row_size)
{
	const size_t size = table_slot_offset(row_size, r->page, 1),
		     slot = table_slot_offset(row_size, r->page, 0);
	bool in_file;
	void *head = tt_memory_map(&r->file, 0, size, &in_file);

	if (!head || !tt_memory_make_real(head, table_region_offset(), &in_file) ||
	    !tt_memory_make_real((char *)head + slot, sizeof(struct table_slot), &in_file))
		return NULL;
	if (!in_file)
		remove_file(r);
	return head;
}

static bool make_table(const struct tt *counters)
{
	struct tt_regions *r = &tt_regions;
	const uint32_t row_size = (uint32_t)table_row_size(count_events(counters));
	struct table_header *head;

	r->page = (size_t)sysconf(_SC_PAGESIZE);
	/* A child may still have the descriptor of its parent's file. */
	if (mark != tt_fork_mark())
		tt_memory_close(&r->file);
	if (!tt_memory_is_open(&r->file))
		tt_regions_make_file();
	head = map_head(r, row_size);
	if (!head)
		return false;
	describe(head, counters);
	head->is_private = !r->path[0];
	r->region = (void *)((char *)head + table_region_offset());
	r->ended.block[0] = (void *)((char *)head + table_slot_offset(row_size, r->page, 0));
	tt_container_publish(&head->container);
	__atomic_store_n(&r->header, head, __ATOMIC_RELEASE);
	if (!take_labels(r))
		r->header = NULL;
	return r->header;
}

bool tt_regions_begin(const struct tt *counters)
{
	return tt_regions.header || make_table(counters);
}

/* Copies a label, shortened if it is too long for the table. Returns whether it fits. */
static bool fit_label(char fit[TABLE_LABEL_MAX], const char *label)
{
	enum { HASH_LEN = 9 };

	if ((size_t)snprintf(fit, TABLE_LABEL_MAX, "%s", label) < TABLE_LABEL_MAX)
		return true;
	snprintf(fit + TABLE_LABEL_MAX - 1 - HASH_LEN, HASH_LEN + 1, "~%08x", tt_label_hash(label));
	return false;
}

#define FIRST_PLACES 1024 /* a page */

/* Returns the place in by_hash of the number of this label's region, or a free place. */
static uint32_t *find_place(const char *label)
{
	struct tt_regions *r = &tt_regions;

	for (uint32_t i = tt_label_hash(label);; i++) {
		uint32_t *at = &r->by_hash[i & (r->n_places - 1)];

		if (!*at || !strcmp(r->region[*at - 1].label, label))
			return at;
	}
}

/* Makes room for one more region in by_hash. Returns false if there is no memory. */
static bool make_place(void)
{
	struct tt_regions *r = &tt_regions;
	const uint32_t n = r->header->n_regions, n_old = r->n_places;
	uint32_t *const old = r->by_hash, *more;

	if (2 * (n + 1) <= n_old)
		return true;
	more = mmap(NULL, (n_old ? 2 * n_old : FIRST_PLACES) * sizeof *more, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (more == MAP_FAILED)
		return false;
	r->by_hash = more;
	r->n_places = n_old ? 2 * n_old : FIRST_PLACES;
	for (uint32_t id = 1; id <= n; id++)
		*find_place(r->region[id - 1].label) = id;
	if (old)
		munmap(old, n_old * sizeof *old);
	return true;
}

uint32_t tt_regions_find(const char *label)
{
	struct tt_regions *r = &tt_regions;
	struct table_region *region;
	char fit[TABLE_LABEL_MAX];
	const bool fits = fit_label(fit, label);
	uint32_t *place = r->n_places ? find_place(fit) : NULL;

	if (place && *place)
		return *place;
	region = &r->region[r->header->n_regions];
	if (r->header->n_regions >= TABLE_REGIONS || !make_place() ||
	    !make_room_for_labels(region, 1)) {
		r->header->n_unlabeled++;
		return REGIONS_NO_ROOM;
	}
	r->header->n_cut += !fits;
	memcpy(region->label, fit, sizeof region->label);
	atomic_thread_fence(memory_order_release);
	region->epoch = 1;
	place = find_place(fit);
	*place = r->header->n_regions + 1;
	__atomic_store_n(&r->header->n_regions, *place, __ATOMIC_RELEASE);
	return *place;
}

bool tt_regions_has_file(void)
{
	return mark && mark == *tt_fork_page;
}

/* A child that has not called a region yet still has the table of its parent. */
bool tt_regions_is_own(void)
{
	return __atomic_load_n(&tt_regions.header, __ATOMIC_ACQUIRE) && tt_regions_has_file();
}

uint32_t tt_regions_look_up(const char *label)
{
	char fit[TABLE_LABEL_MAX];
	struct tt_guard g;
	uint32_t id;

	if (!tt_regions_is_own())
		return 0;
	fit_label(fit, label);
	tt_guard_enter(&g);
	id = tt_regions.n_places ? *find_place(fit) : 0;
	tt_guard_leave(&g);
	return id;
}

/* --- a child --- */

/* Copies the labels: regions of the program keep their numbers in a child. If there is no memory
 * for a copy, the parent's table stays mapped. */
static void inherit_labels(struct tt_regions *r)
{
	const size_t size = r->header->n_regions * sizeof *r->region;
	void *label = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	inherited.n = r->header->n_regions;
	inherited.label = r->region;
	if (label == MAP_FAILED && size)
		return;
	if (size)
		inherited.label = memcpy(label, r->region, size);
	munmap(r->header, table_slot_offset(r->header->row_size, r->page, 1));
}

/* The parent goes on writing its file, so a child makes its own. The child unmaps all of the
 * parent's file: a mapping would hold the lock that shows that the parent lives. */
void tt_regions_forget(void)
{
	struct tt_regions *r = &tt_regions;

	pthread_mutex_init(&lock, NULL);
	tt_memory_close(&r->file);
	r->kept = NULL;
	if (r->header)
		inherit_labels(r);
	r->header = NULL;
	r->path[0] = '\0';
}
