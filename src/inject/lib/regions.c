/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/regions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <tiptop.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "inject/lib/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/descriptor.h"

/* ---- label ----
 *
 * Finds the region of a label that is made at run time (tt_region_of()), by a hash of its
 * text. Each label has one region.
 *
 * A lookup takes no lock: the table is an array of pointers, which is replaced by a larger one when
 * half of its places are used. The old array is never freed, as threads may still search it. A
 * small cache, indexed by the address of the label, is tried first; the texts are compared, as the
 * program may have another label at that address by now.
 *
 * Memory comes from mmap(2) only, under the guard (tt_guard). Labels are copied and never freed.
 */

/* Hashes a text (FNV-1a). */
static inline uint32_t tt_label_hash(const char *label)
{
	uint32_t hash = 2166136261;

	for (; *label; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619;
	return hash;
}

/* ---- memory ---- */

#define READ_WRITE (PROT_READ | PROT_WRITE)
#define PRIVATE    (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

int tt_memory_open(struct memory_file *f, int fd)
{
	struct stat s;

	*f = (struct memory_file){.fd = tt_descriptor_lift(fd)};
	if (f->fd < 0 || fstat(f->fd, &s)) {
		f->fd = -1;
		return -EMFILE;
	}
	f->device = s.st_dev;
	f->inode = s.st_ino;
	return 0;
}

/* Returns whether there is a file, and its descriptor still refers to it. */
static bool tt_memory_is_open(const struct memory_file *f)
{
	struct stat s;

	return f->fd >= 0 && !fstat(f->fd, &s) && s.st_dev == f->device && s.st_ino == f->inode;
}

void tt_memory_close(struct memory_file *f)
{
	if (tt_memory_is_open(f))
		close(f->fd);
	f->fd = -1;
}

/* Extends the file to `size` bytes. Returns false if RLIMIT_FSIZE forbids it, or if the descriptor
 * no longer refers to the file. */
static bool grow(struct memory_file *f, size_t size)
{
	struct rlimit limit;

	if (!tt_memory_is_open(f))
		return false;
	if (size <= f->size)
		return true;
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < size ||
	    ftruncate(f->fd, (off_t)size))
		return false;
	f->size = size;
	return true;
}

void *tt_memory_map(struct memory_file *f, size_t offset, size_t size, bool *in_file)
{
	void *p = MAP_FAILED;

	if (grow(f, offset + size))
		p = mmap(NULL, size, READ_WRITE, MAP_SHARED, f->fd, (off_t)offset);
	*in_file = p != MAP_FAILED;
	if (p == MAP_FAILED)
		p = mmap(NULL, size, READ_WRITE, PRIVATE, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* Populates a page on Linux before 5.14: makes the kernel add 0 to a word of the page, which fails
 * without a signal if the page cannot be written. */
static bool touch(char *page)
{
	uint32_t word = 0;

	return syscall(SYS_futex, &word, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0L, page,
		       FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_LT, 0)) >= 0;
}

static bool populate(char *page, size_t size)
{
	return !madvise(page, size, MADV_POPULATE_WRITE) || (errno == EINVAL && touch(page));
}

bool tt_memory_make_real(void *from, size_t size, bool *in_file)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	bool real = true;

	for (char *at = (char *)((uintptr_t)from & -page); at < (char *)from + size; at += page) {
		if (populate(at, page))
			continue;
		*in_file = false;
		real &= mmap(at, page, READ_WRITE, PRIVATE | MAP_FIXED, -1, 0) != MAP_FAILED;
	}
	return real;
}

/* madvise(2) stops at the first private mapping of the piece. In this case the pages are freed one
 * by one. */
void tt_memory_unmap(void *piece, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (madvise(piece, size, MADV_REMOVE))
		for (char *at = piece; at < (char *)piece + size; at += page)
			madvise(at, page, MADV_REMOVE);
	munmap(piece, size);
}

/* ---- table_file ---- */

/* The most file names to try in a folder. Files of programs that this process executed earlier,
 * with the same pid, may exist; the keeper removes them as soon as it has read them. KEPT_NAMES: in
 * the keeper's folder. */
#define NAMES      16
#define KEPT_NAMES 1024

/* Why a file cannot hold the table. FAULT_TAKEN: the name is taken, try another one. FAULT_FOLDER:
 * try another folder. */
enum fault { FAULT_NONE, FAULT_TAKEN, FAULT_FOLDER };

/* Locks a new file, which must be on a tmpfs: a file on a disk would be written back in the middle
 * of the measurement. */
static enum fault take_file(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct statfs system;
	struct stat s;

	if (fstatfs(fd, &system) || system.f_type != TMPFS_MAGIC)
		return FAULT_FOLDER;
	if (fcntl(fd, F_OFD_SETLK, &whole))
		return errno == EAGAIN || errno == EACCES ? FAULT_TAKEN : FAULT_FOLDER;
	return fstat(fd, &s) || !s.st_nlink ? FAULT_TAKEN : FAULT_NONE;
}

/* Makes a new file in a folder, and sets r->path. Returns the descriptor; -1: no file can be made
 * in this folder. */
static int make_in(struct tt_regions *r, const char *folder, unsigned names)
{
	for (unsigned n = 0; n < names; n++) {
		const int len = snprintf(r->path, sizeof r->path, "%s/" TABLE_FILE_PREFIX "%ld.%u",
					 folder, (long)getpid(), n);
		int fd = -1;
		enum fault fault;

		if (len < (int)sizeof r->path)
			fd = open(r->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				  0600);
		if (fd < 0 && errno == EEXIST)
			continue;
		fault = fd < 0 ? FAULT_FOLDER : take_file(fd);
		if (fault == FAULT_NONE)
			return fd;
		if (fd >= 0) {
			unlink(r->path);
			close(fd);
		}
		if (fault == FAULT_FOLDER)
			break;
	}
	return -1;
}

/* Returns whether the keeper runs: it holds a lock on its folder. If the folder is out of reach,
 * because the rights or the root have changed, the keeper is assumed to run. */
static bool keeper_runs(const char *folder)
{
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool runs;

	if (fd < 0)
		return errno != ENOENT || !tt_destination_has_root();
	runs = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return runs;
}

/* Makes the file and sets r->path: in the folder of the keeper, if there is one; else in
 * $XDG_RUNTIME_DIR or in /dev/shm; else without a name (memfd). Returns the descriptor; -1: no file
 * can be made.
 */
static int tt_table_file_make(struct tt_regions *r)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	int fd = -1;

	if (r->keeper[0] && keeper_runs(r->keeper))
		fd = make_in(r, r->keeper, KEPT_NAMES);
	if (fd < 0 && runtime && runtime[0] == '/')
		fd = make_in(r, runtime, NAMES);
	if (fd < 0)
		fd = make_in(r, "/dev/shm", NAMES);
	if (fd >= 0)
		return fd;
	r->path[0] = '\0';
	return memfd_create(TABLE_MEMORY_NAME, MFD_CLOEXEC);
}

static bool is_in_folder(const char *path, const char *folder)
{
	const size_t n = strlen(folder);

	return !strncmp(path, folder, n) && path[n] == '/' && !strchr(path + n + 1, '/');
}

bool tt_table_file_is_kept(const struct tt_regions *r)
{
	return r->keeper[0] && is_in_folder(r->path, r->keeper) && keeper_runs(r->keeper);
}

/* ---- regions ---- */

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
	if (!fits)
		r->header->n_cut++;
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

/* ---- label ---- */

#define FIRST_SIZE 512 /* entries */
#define PIECE_SIZE ((size_t)64 << 10)
#define NEAR_SIZE  256

struct entry {
	uint32_t hash;
	struct tt_region region;
	char label[];
};

/* A hash table with open addressing. size: number of places, a power of 2; n: places in use. */
struct array {
	size_t size, n;
	struct entry *entry[];
};

/* A child of fork() continues with its copy of these data. */
static struct {
	struct array *array;
	struct tt_region *near[NEAR_SIZE]; /* cache, indexed by the addresses of labels */
	char *piece; /* the current block of memory; `left` bytes of it are free */
	size_t left;
} labels;

static struct tt_region nowhere = {"", REGIONS_NO_ROOM, 0};

static void *take_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Returns the place of the label, or a free place. The search ends, as at least half of the places
 * are free. */
static struct entry **find_entry(struct array *a, uint32_t hash, const char *label)
{
	for (size_t i = hash;; i++) {
		struct entry **at = &a->entry[i & (a->size - 1)],
			     *e = __atomic_load_n(at, __ATOMIC_ACQUIRE);

		if (!e || (e->hash == hash && !strcmp(e->region.label, label)))
			return at;
	}
}

static struct entry *find(uint32_t hash, const char *label)
{
	struct array *a = __atomic_load_n(&labels.array, __ATOMIC_ACQUIRE);

	return a ? *find_entry(a, hash, label) : NULL;
}

/* --- adding a label: under the guard --- */

/* Returns the array, enlarged if it has no room for one more label; NULL: no memory, or no region
 * number is left. */
static struct array *make_room(void)
{
	struct array *old = labels.array, *a = old;
	const size_t size = old ? 2 * old->size : FIRST_SIZE;

	if (old && old->n >= TABLE_REGIONS)
		return NULL;
	if (old && 2 * (old->n + 1) <= old->size)
		return old;
	a = take_memory(sizeof *a + size * sizeof *a->entry);
	if (!a)
		return NULL;
	a->size = size;
	for (size_t i = 0; old && i < old->size; i++)
		if (old->entry[i])
			*find_entry(a, old->entry[i]->hash, old->entry[i]->region.label) =
				old->entry[i];
	a->n = old ? old->n : 0;
	__atomic_store_n(&labels.array, a, __ATOMIC_RELEASE);
	return a;
}

static struct entry *make_entry(uint32_t hash, const char *label)
{
	const size_t len = strlen(label) + 1, align = _Alignof(struct entry);
	const size_t size = (sizeof(struct entry) + len + align - 1) / align * align;
	struct entry *e;

	if (size > labels.left) {
		const size_t piece = size > PIECE_SIZE ? size : PIECE_SIZE;

		labels.piece = take_memory(piece);
		labels.left = labels.piece ? piece : 0;
	}
	if (!labels.left)
		return NULL;
	e = (void *)labels.piece;
	labels.piece += size;
	labels.left -= size;
	e->hash = hash;
	memcpy(e->label, label, len);
	e->region.label = e->label;
	return e;
}

static struct entry *add(uint32_t hash, const char *label)
{
	struct array *a = make_room();
	struct entry **place = a ? find_entry(a, hash, label) : NULL;
	struct entry *e;

	if (!place || *place)
		return place ? *place : NULL;
	e = make_entry(hash, label);
	if (!e)
		return NULL;
	a->n++;
	__atomic_store_n(place, e, __ATOMIC_RELEASE);
	return e;
}

/* --- lookup --- */

static struct tt_region *find_or_add(const char *label)
{
	const uint32_t hash = tt_label_hash(label);
	struct entry *e = find(hash, label);
	struct tt_guard g;

	if (!e) {
		tt_guard_enter(&g);
		e = add(hash, label);
		tt_guard_leave(&g);
	}
	return e ? &e->region : NULL;
}

struct tt_region *tt_region_of(const char *label)
{
	const uintptr_t address = (uintptr_t)label;
	struct tt_region **near = &labels.near[(address ^ address >> 8) % NEAR_SIZE],
			 *region = __atomic_load_n(near, __ATOMIC_ACQUIRE);

	if (!label)
		return &nowhere;
	if (region && !strcmp(region->label, label))
		return region;
	region = find_or_add(label);
	if (!region)
		return &nowhere;
	__atomic_store_n(near, region, __ATOMIC_RELEASE);
	return region;
}
