/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/regions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/syscall_filters.h"
#include "lib/clock.h"
#include "lib/local.h"
#include "lib/report.h"
#include "lib/thread.h"

int tt_enabled;
struct tt_regions tt_regions = {.fd = -1};

/* Taken where the table is made, and where slots and labels are given: never while a region runs.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool taken[TABLE_SLOTS];
static struct table_header *parent; /* of a child: the table that it was made with */

static uint64_t own_start(void)
{
	char stat[1024];

	return file_read(AT_FDCWD, "/proc/self/stat", stat, sizeof stat) > 0
		       ? table_start_ticks(stat)
		       : 0;
}

/* The kernel would write a file that is on a disk, in the middle of what is measured. The lock says
 * that the table has its process: it goes with it, whatever becomes of the file. */
static bool take_file(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct statfs system;

	return !fstatfs(fd, &system) && system.f_type == TMPFS_MAGIC &&
	       !fcntl(fd, F_OFD_SETLK, &whole);
}

/* A file that nobody had before. Several are tried, since one that ended by exec() may be left. */
static int make_file(void)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	const char *const folder[] = {runtime && runtime[0] == '/' ? runtime : "/dev/shm",
				      "/dev/shm"};
	struct tt_regions *r = &tt_regions;

	for (int i = 0; i < 2; i++)
		for (unsigned n = 0; n < 16; n++) {
			int len =
				snprintf(r->path, sizeof r->path, "%s/" TABLE_FILE_PREFIX "%ld.%u",
					 folder[i], (long)getpid(), n);
			int fd = len < (int)sizeof r->path
					 ? open(r->path,
						O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
						0600)
					 : -1;

			if (fd >= 0 && take_file(fd))
				return fd;
			if (fd >= 0) {
				unlink(r->path);
				close(fd);
				break;
			}
		}
	r->path[0] = '\0';
	return memfd_create(TABLE_MEMORY_NAME, MFD_CLOEXEC);
}

static void *map(int fd, size_t size, size_t offset)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);

	return p == MAP_FAILED ? NULL : p;
}

/* What the events are called and how they are read, by the counters of the first thread. */
static void describe(struct table_header *h, const struct tt *counters)
{
	memcpy(h->magic, TABLE_MAGIC, sizeof h->magic);
	h->header_size = sizeof *h;
	h->n_events = counters ? (uint32_t)tt_count(counters) : 0;
	h->row_size = (uint32_t)table_row_size(h->n_events);
	h->pid = (uint32_t)getpid();
	h->start_ticks = own_start();
	h->ns_per_tick = tt_clock_speed() ? tt_clock_speed() : 1ull << 32;
	file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", h->boot_id, sizeof h->boot_id);
	for (uint32_t i = 0; i < h->n_events; i++) {
		snprintf(h->event[i].name, sizeof h->event[i].name, "%s",
			 tt_name(counters, (int)i));
		h->event[i].state = tt_state(counters, (int)i);
	}
}

static void take_labels(struct tt_regions *r)
{
	if (!parent)
		return;
	memcpy(r->region, parent + 1, TABLE_REGIONS * sizeof *r->region);
	r->header->n_regions = parent->n_regions;
	munmap(parent, table_slot_offset(parent->row_size, r->page, 1));
	parent = NULL;
}

static bool make_table(void)
{
	struct tt_regions *r = &tt_regions;
	struct tt *counters = r->events[0] ? tt_open(r->events) : NULL;
	struct table_header header = {.n_regions = 0};

	describe(&header, counters);
	tt_close(counters);
	r->page = (size_t)sysconf(_SC_PAGESIZE);
	r->fd = make_file();
	if (r->fd < 0 ||
	    ftruncate(r->fd, (off_t)table_slot_offset(header.row_size, r->page, TABLE_SLOTS)))
		return false;
	r->header = map(r->fd, table_slot_offset(header.row_size, r->page, 1), 0);
	if (!r->header)
		return false;
	*r->header = header;
	r->region = (struct table_region *)(void *)(r->header + 1);
	r->ended = (void *)((char *)r->header + table_slot_offset(header.row_size, r->page, 0));
	take_labels(r);
	return true;
}

bool tt_regions_begin(void)
{
	bool made;

	pthread_mutex_lock(&lock);
	made = tt_regions.header || make_table();
	pthread_mutex_unlock(&lock);
	return made;
}

/* Of the regions that have their labels already. */
static uint32_t find_label(const char *label)
{
	struct tt_regions *r = &tt_regions;

	for (uint32_t i = 0; i < r->header->n_regions && i < TABLE_REGIONS; i++)
		if (!strncmp(r->region[i].label, label, TABLE_LABEL_MAX - 1))
			return i + 1;
	return 0;
}

uint32_t tt_regions_find(const char *label)
{
	struct tt_regions *r = &tt_regions;
	uint32_t id;

	pthread_mutex_lock(&lock);
	id = find_label(label);
	if (!id && r->header->n_regions < TABLE_REGIONS) {
		struct table_region *region = &r->region[r->header->n_regions];

		snprintf(region->label, sizeof region->label, "%s", label);
		atomic_thread_fence(memory_order_release);
		region->ready = 1;
		id = ++r->header->n_regions;
	}
	pthread_mutex_unlock(&lock);
	return id;
}

struct table_slot *tt_regions_take_slot(unsigned *slot)
{
	struct tt_regions *r = &tt_regions;
	size_t size = table_slot_size(r->header->row_size, r->page);
	struct table_slot *s = NULL;

	pthread_mutex_lock(&lock);
	for (*slot = 1; *slot < TABLE_SLOTS && taken[*slot];)
		++*slot;
	if (*slot < TABLE_SLOTS)
		s = map(r->fd, size, table_slot_offset(r->header->row_size, r->page, *slot));
	if (s) {
		taken[*slot] = true;
		s->tid = (uint32_t)gettid();
	} else {
		r->header->n_homeless++;
	}
	pthread_mutex_unlock(&lock);
	return s;
}

void tt_regions_give_slot(struct table_slot *s, unsigned slot)
{
	struct tt_regions *r = &tt_regions;
	size_t row_size = r->header->row_size, size = table_slot_size(r->header->row_size, r->page);

	pthread_mutex_lock(&lock);
	r->header->sequence++;
	atomic_thread_fence(memory_order_release);
	for (uint32_t i = 0; i < r->header->n_regions; i++)
		tt_table_add((void *)((char *)(r->ended + 1) + i * row_size),
			     (void *)((char *)(s + 1) + i * row_size), r->header->n_events);
	r->ended->n_abandoned += s->n_abandoned;
	r->ended->n_too_deep += s->n_too_deep;
	s->tid = 0;
	/* What is a hole takes no memory, and is 0 for the thread that has the slot next. */
	madvise(s, size, MADV_REMOVE);
	atomic_thread_fence(memory_order_release);
	r->header->sequence++;
	munmap(s, size);
	taken[slot] = false;
	pthread_mutex_unlock(&lock);
}

/* A child has the file of its parent, which goes on writing it: the child makes its own. The
 * regions of the program keep the numbers that they have, so their labels are kept, too. */
void tt_regions_forget(void)
{
	struct tt_regions *r = &tt_regions;

	pthread_mutex_init(&lock, NULL);
	tt_thread_forget();
	if (!r->header)
		return;
	parent = r->header;
	close(r->fd);
	memset(taken, 0, sizeof taken);
	r->header = NULL;
	r->path[0] = '\0';
}

static void lock_all(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_all(void)
{
	pthread_mutex_unlock(&lock);
}

static const char *setting(const char *name, const char *otherwise)
{
	const char *value = secure_getenv(name);

	return value ? value : otherwise;
}

/* Returns whether all system calls may be made. A filter that was set before the program was
 * executed may end it for one of them, unless it is that of a container: its first process has it,
 * too, and programs of all kinds live there. */
static bool may_call(void)
{
	const struct syscall_filters own = syscall_filters_read(SYSCALL_FILTERS_OWN);

	if (!own.n || (own.n > 0 && syscall_filters_read("/proc/1/status").n == own.n))
		return true;
	tt_error_set(EPERM, "regions are not measured: a filter of system calls (seccomp(2)) was "
			    "set before the program began, which may end it for one of libtiptop");
	return false;
}

__attribute__((constructor)) static void start(void)
{
	const char *events = secure_getenv("TIPTOP_REGIONS");

	if (!events || !may_call())
		return;
	tt_regions.events = events;
	tt_regions.report = setting("TIPTOP_REPORT", "");
	tt_regions.format = setting("TIPTOP_FORMAT", "text");
	tt_regions.subtract = !strcmp(setting("TIPTOP_SUBTRACT", ""), "yes");
	tt_regions.in_order = !strcmp(setting("TIPTOP_IN_ORDER", ""), "yes");
	pthread_atfork(lock_all, unlock_all, tt_regions_forget);
	tt_enabled = 1;
}

__attribute__((destructor)) static void end(void)
{
	if (!tt_regions.header)
		return;
	tt_enabled = 0;
	tt_report();
	if (tt_regions.path[0])
		unlink(tt_regions.path);
}
