/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_table.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "inject/lib/table.h"
#include "inject/table_reader.h"
#include "profile/regions/lines.h"

/* ---- copy ---- */

/* How often a row, and the whole table, is read again if it has changed during the reading. */
#define ROW_TRIES   100
#define TABLE_TRIES 8

void table_copy_init(struct table_copy *c)
{
	memset(c, 0, sizeof *c);
}

void table_copy_done(struct table_copy *c)
{
	free(c->region);
	free(c->rows);
	free(c->scratch);
	table_copy_init(c);
}

struct table_row *table_copy_row(const struct table_copy *c, uint32_t i)
{
	return (void *)((char *)c->rows + (size_t)i * c->header.row_size);
}

static int read_header(struct table_copy *c, struct container_reader *r, struct err *err)
{
	struct table_header *h = &c->header;
	int ret = container_reader_open(r, err);

	if (!ret && (h->row_size != table_row_size(h->n_events) ||
		     container_reader_stride(r, TABLE_ROW) != h->row_size ||
		     container_reader_count(r, TABLE_ROW) != TABLE_BLOCK ||
		     container_reader_count(r, TABLE_QUANTITY) != h->n_events + 1))
		ret = err_set(err, EBADMSG, "is damaged");
	if (!ret)
		h->rank[strspn(h->rank, "0123456789")] = '\0';
	return ret;
}

static void add_lacks(struct table_copy *c, const struct table_slot *slot)
{
	c->slots.n_unmatched += slot->n_unmatched;
	c->slots.n_abandoned += slot->n_abandoned;
	c->slots.n_too_deep += slot->n_too_deep;
	c->slots.n_rowless += slot->n_rowless;
}

/* Adds the row of a thread to the row of region i. The row is copied again until no write
 * interfered. */
static int add_row(struct table_copy *c, const struct container_reader *r,
		   const struct container_piece *row, uint32_t i, struct err *err)
{
	struct table_row *from = row->to;
	bool torn;
	int ret = container_reader_copy_stable(r, row, 1, ROW_TRIES, &torn, err);

	if (!ret && torn)
		ret = err_set(err, EAGAIN, "changes all the time");
	c->n_torn += r->ended && from->sequence & 1;
	if (!ret && from->epoch == c->region[i].epoch)
		tt_table_add(table_copy_row(c, i), from, c->header.n_events);
	return ret;
}

/* Returns the number of labelled regions in a block. */
static uint32_t count_regions(const struct table_copy *c, uint32_t block)
{
	const uint32_t n = c->header.n_regions;

	if (block >= TABLE_BLOCKS || n <= block * TABLE_BLOCK)
		return 0;
	return n - block * TABLE_BLOCK < TABLE_BLOCK ? n - block * TABLE_BLOCK : TABLE_BLOCK;
}

static int add_rows(struct table_copy *c, const struct container_reader *r, uint32_t slot,
		    const struct table_slot *s, struct err *err)
{
	const bool ended = !slot || s->tid == TABLE_ENDED;
	const uint64_t first = (uint64_t)slot * container_reader_count(r, TABLE_ROW);
	const uint32_t n = count_regions(c, s->block);
	struct container_piece row = {TABLE_ROW, first, c->scratch, 0};
	int ret = n ? container_reader_copy(r, &row, n, err) : 0;

	for (uint32_t k = 0; k < n && !ret; k++) {
		const uint32_t i = s->block * TABLE_BLOCK + k;
		struct table_row *from = (void *)((char *)c->scratch + k * c->header.row_size);

		row.number = first + k;
		row.to = from;
		c->n_going_on += ended ? 0 : from->depth;
		if (from->epoch)
			table_copy_row(c, i)->epoch = c->region[i].epoch;
		if (!ended && from->sequence)
			ret = add_row(c, r, &row, i, err);
		/* Rows of ended threads need no such copy: they change only while the sequence of
		 * the table is odd, which container_reader_close() checks. */
		else if (ended && from->calls && from->epoch == c->region[i].epoch)
			tt_table_add(table_copy_row(c, i), from, c->header.n_events);
	}
	return ret;
}

static int add_slots(struct table_copy *c, const struct container_reader *r, struct err *err)
{
	const uint32_t n = container_reader_count(r, TABLE_SLOT);
	struct table_slot slot;
	int ret = 0;

	for (uint32_t i = container_reader_next(r, TABLE_SLOT, 0); i < n && !ret;
	     i = container_reader_next(r, TABLE_SLOT, i + 1)) {
		ret = container_reader_copy(
			r, &(struct container_piece){TABLE_SLOT, i, &slot, sizeof slot}, 1, err);
		if (ret || (i && !slot.tid))
			continue;
		add_lacks(c, &slot);
		ret = add_rows(c, r, i, &slot, err);
	}
	return ret;
}

static void clear_rows(struct table_copy *c)
{
	const size_t size = (size_t)c->header.n_regions * c->header.row_size,
		     slot = (size_t)TABLE_BLOCK * c->header.row_size;

	if (size > c->cap) {
		c->rows = xreallocarray(c->rows, size, 1);
		c->cap = size;
	}
	/* A damaged table may have fewer regions than before, but longer rows. */
	if (slot > c->cap_scratch) {
		c->scratch = xreallocarray(c->scratch, slot, 1);
		c->cap_scratch = slot;
	}
	if (size)
		memset(c->rows, 0, size);
	c->slots = (struct table_slot){.tid = 0};
	c->n_going_on = 0;
}

/* Reads the table once. Fails if the table changed meanwhile (container_reader_close()): a thread
 * that ended during the reading would be counted twice or not at all. */
static int read_once(struct table_copy *c, struct container_reader *r, struct err *err)
{
	void *region = c->region;
	int ret = read_header(c, r, err);

	if (!ret)
		ret = container_reader_copy_all(r, TABLE_REGION, &region, err);
	c->region = region;
	if (ret)
		return ret;
	c->n_torn = r->ended && c->header.container.sequence & 1;
	clear_rows(c);
	ret = add_slots(c, r, err);
	return ret ? ret : container_reader_close(r, err);
}

int table_copy_read(struct table_copy *c, int fd, bool ended, struct err *err)
{
	struct container_reader reader = {
		.plan = &tt_table_plan, .fd = fd, .ended = ended, .header = &c->header};
	int ret = -EAGAIN;

	for (int try = 0; try < TABLE_TRIES && ret == -EAGAIN; try++)
		ret = read_once(c, &reader, err);
	if (ret)
		c->header.n_regions = 0;
	return ret;
}

static uint64_t sum_waited(const struct table_copy *c)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < c->header.n_regions; i++)
		n += table_copy_row(c, i)->n_waited;
	return n;
}

struct tt_lacks table_copy_lacks(const struct table_copy *c)
{
	return (struct tt_lacks){
		.n_abandoned = c->slots.n_abandoned,
		.n_unmatched = c->slots.n_unmatched,
		.n_too_deep = c->slots.n_too_deep,
		.n_rowless = c->slots.n_rowless,
		.n_going_on = c->n_going_on,
		.n_waited = sum_waited(c),
		.n_torn = c->n_torn,
		.n_unseen = c->header.n_unseen,
	};
}

/* ---- file ---- */

/* The most bytes read of /proc/PID/maps, and of the list of mounts: above what processes have. */
#define MAPS_MAX (64 << 20)

#define DELETED " (deleted)"

/* Returns the pid of the process in its own namespace: the last number of NSpid. 0: the process has
 * ended, or its status cannot be read. */
static long own_number(int pid)
{
	const char *line, *end;
	struct strbuf status;
	char path[64];
	long number = 0;

	strbuf_init(&status);
	snprintf(path, sizeof path, "/proc/%d/status", pid);
	if (file_read_all(AT_FDCWD, path, FILE_STATUS_MAX, &status) > 0) {
		line = strstr(status.text, "\nNSpid:");
		end = line ? line + 1 + strcspn(line + 1, "\n") : NULL;
		while (line && end[-1] >= '0' && end[-1] <= '9')
			end--;
		number = line ? strtol(end, NULL, 10) : pid;
	}
	strbuf_done(&status);
	return number;
}

/* Parses the line around `at`: "7f00-7f10 rw-s 00000000 00:1b 42    /dev/shm/x". */
static bool parse_line(struct region_place *out, const char *text, const char *at)
{
	unsigned major, minor;
	uint64_t inode;
	int path = 0;
	size_t len;

	while (at > text && at[-1] != '\n')
		at--;
	if (sscanf(at, "%*x-%*x %*s %*x %x:%x %" SCNu64 " %n", &major, &minor, &inode, &path) !=
		    3 ||
	    !path)
		return false;
	len = strcspn(at + path, "\n");
	if (len >= sizeof out->path)
		return false;
	memcpy(out->path, at + path, len);
	out->path[len] = '\0';
	out->device = makedev(major, minor);
	out->inode = inode;
	return true;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* Finds the table of this process. number: its pid in its own namespace, which the name of the file
 * contains: after a fork(2), a child has the table of its parent mapped, too. */
static bool find_mapped(struct region_place *out, const char *maps, long number)
{
	char name[64];

	snprintf(name, sizeof name, "/" TABLE_FILE_PREFIX "%ld.", number);
	for (const char *at = maps; (at = strstr(at, name)); at++)
		if (!memchr(at + 1, '/', strcspn(at + 1, "\n")) && parse_line(out, maps, at))
			return true;
	return false;
}

/* Returns whether a line of mountinfo is a tmpfs on this device: "36 25 0:31 / /dev/shm rw - tmpfs
 * ...". */
static bool is_tmpfs_line(const char *line, dev_t device)
{
	const size_t len = strcspn(line, "\n");
	unsigned major, minor;
	const char *type = memmem(line, len, " - tmpfs ", 9);

	return type && sscanf(line, "%*u %*u %u:%u ", &major, &minor) == 2 &&
	       makedev(major, minor) == device;
}

static bool has_tmpfs(const char *process, dev_t device)
{
	struct strbuf mounts;
	char path[64];
	bool found = false;

	strbuf_init(&mounts);
	snprintf(path, sizeof path, "/proc/%s/mountinfo", process);
	if (file_read_lines(AT_FDCWD, path, MAPS_MAX, &mounts) > 0)
		for (const char *line = mounts.text; *line && !found;
		     line += strcspn(line, "\n"), line += *line == '\n')
			found = is_tmpfs_line(line, device);
	strbuf_done(&mounts);
	return found;
}

/* Returns whether the device is a tmpfs, by the mountinfo of the process, or by that of tiptop in
 * case the process has called chroot(2). The file system itself is not accessed. */
static bool is_tmpfs(int pid, dev_t device)
{
	char process[16];

	snprintf(process, sizeof process, "%d", pid);
	return has_tmpfs(process, device) || has_tmpfs("self", device);
}

/* How often a path is looked up again if a folder is renamed meanwhile. */
#define PATH_TRIES 100

static int open_path(int root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS |
			   RESOLVE_CACHED,
	};
	long fd = -1;

	errno = EAGAIN;
	for (int try = 0; try < PATH_TRIES && fd < 0 && errno == EAGAIN; try++)
		fd = syscall(SYS_openat2, root, path, &how, sizeof how);
	if (fd < 0 && errno == EINVAL) {
		how.resolve &= ~(uint64_t)RESOLVE_CACHED;
		fd = syscall(SYS_openat2, root, path, &how, sizeof how);
	}
	/* Linux before 5.6 has no openat2(2). find_fault() checks the file in any case. */
	if (fd < 0 && errno == ENOSYS)
		fd = openat(root, path + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Looks up the path below the root of the process; then below our own root, where the paths in its
 * maps begin if the process has called chroot(2). */
static int look_up(int pid, const char *path)
{
	int fd = -ENOENT;

	for (int i = 0; i < 2 && fd < 0; i++) {
		char name[64];
		int root;

		snprintf(name, sizeof name, i ? "/" : "/proc/%d/root", pid);
		root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		fd = root < 0 ? -errno : open_path(root, path);
		if (root >= 0)
			close(root);
	}
	return fd;
}

/* Returns why the file is not the table that is mapped; NULL: it is the table. The device was
 * checked to be a tmpfs. */
static const char *find_fault(int fd, int pid, const struct region_place *mapped)
{
	struct stat process;
	struct statx file;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d", pid);
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &file) ||
	    stat(path, &process))
		return "cannot be examined";
	if (!S_ISREG(file.stx_mode))
		return "is not a regular file";
	if (makedev(file.stx_dev_major, file.stx_dev_minor) != mapped->device ||
	    file.stx_ino != mapped->inode)
		return "is not the file that the process has mapped";
	return file.stx_uid == process.st_uid ? NULL : "belongs to another user than the process";
}

/* Checks the file of an O_PATH descriptor, and opens it for reading. */
static int open_checked(int place, int pid, const struct region_place *mapped, struct err *err)
{
	const char *fault = find_fault(place, pid, mapped);
	char path[64];
	int fd;

	if (fault)
		return err_set(err, EPERM, "the table of regions of the process %d, '%s', %s", pid,
			       mapped->path, fault);
	snprintf(path, sizeof path, "/proc/self/fd/%d", place);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, errno,
			       "cannot read the table of regions of the process %d, '%s': %s", pid,
			       mapped->path, strerror(errno));
	return fd;
}

int regions_open(int pid, const struct region_place *mapped, struct err *err)
{
	int place, fd;

	if (ends_with(mapped->path, DELETED))
		return err_set(
			err, ESTALE,
			"the table of regions of the process %d, '%.*s', was removed: only the "
			"report of the process has its regions",
			pid, (int)(strlen(mapped->path) - strlen(DELETED)), mapped->path);
	if (!is_tmpfs(pid, mapped->device))
		return err_set(err, EPERM,
			       "the table of regions of the process %d, '%s', is not in memory "
			       "(tmpfs)",
			       pid, mapped->path);
	place = look_up(pid, mapped->path);
	if (place == -EAGAIN)
		return err_set(err, EPERM,
			       "the table of regions of the process %d, '%s', is no longer at "
			       "this path: the kernel does not have the path in its cache",
			       pid, mapped->path);
	if (place < 0)
		return err_set(err, -place,
			       "cannot find the table of regions of the process %d, '%s': %s", pid,
			       mapped->path, strerror(-place));
	fd = open_checked(place, pid, mapped, err);
	close(place);
	return fd;
}

int regions_find(int pid, struct err *err)
{
	long number = own_number(pid);
	struct region_place mapped;
	struct strbuf maps;
	char path[64];
	ssize_t n;
	int ret;

	if (number <= 0)
		return -ESRCH;
	strbuf_init(&maps);
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	n = file_read_lines(AT_FDCWD, path, MAPS_MAX, &maps);
	if (n == -ESRCH || n == -ENOENT)
		ret = -ESRCH;
	else if (n < 0)
		ret = err_set(err, (int)-n, "cannot look for regions of the process %d: '%s': %s",
			      pid, path, strerror((int)-n));
	else if (n > 0 && find_mapped(&mapped, maps.text, number))
		ret = regions_open(pid, &mapped, err);
	else if (n > 0 && strstr(maps.text, "/memfd:" TABLE_MEMORY_NAME))
		ret = err_set(err, ENODATA,
			      "the process %d could make no file for its regions, neither in "
			      "$XDG_RUNTIME_DIR nor in /dev/shm: only its own report has them",
			      pid);
	else
		ret = -ENOENT;
	strbuf_done(&maps);
	return ret;
}

bool regions_is_held(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_GETLK, &whole) && whole.l_type != F_UNLCK;
}

/* ---- report ---- */

static enum tt_reported find_end(const struct table_header *h, bool runs)
{
	if (runs)
		return TT_REPORTED_RUNS;
	return h->wall_end ? TT_REPORTED_ENDED : TT_REPORTED_CUT;
}

static void add_report_rows(struct regions_lines *l, const struct table_copy *c)
{
	for (uint32_t i = 0; i < c->header.n_regions; i++) {
		struct table_row *row = table_copy_row(c, i);

		if (c->region[i].epoch && row->calls)
			regions_lines_add(l, c->region[i].label, row);
	}
}

void regions_report_make(struct regions_report *r, const struct table_copy *c,
			 const struct regions_form *form, bool runs)
{
	const char *fields = form->selection ? form->selection->fields : NULL;
	struct table_header header = c->header;
	struct tt_lacks lacks = table_copy_lacks(c);
	struct regions_lines lines;

	lacks.of = find_end(&header, runs);
	/* Leaves out a remark for the report that the process itself writes: that pieces of its
	 * table are missing in the file, for tiptop. */
	header.n_unseen = 0;
	r->wall_begin = header.wall_begin;
	strbuf_init(&r->head);
	strbuf_init(&r->rows);
	regions_lines_begin(&lines, form->format, &header,
			    header.wall_end ? header.wall_end : clock_ns(CLOCK_REALTIME), fields,
			    form->known);
	add_report_rows(&lines, c);
	tt_lacks_write(&lines.output, &regions_lines_lacks, &lacks);
	regions_lines_end(&lines, form->selection, &r->head, &r->rows);
}

void regions_report_done(struct regions_report *r)
{
	strbuf_done(&r->head);
	strbuf_done(&r->rows);
}

static int compare(const void *x, const void *y)
{
	const struct regions_report *a = x, *b = y;

	return (a->wall_begin > b->wall_begin) - (a->wall_begin < b->wall_begin);
}

void regions_reports_add(struct regions_report *r, size_t n, const struct dest *behind,
			 struct strbuf *out)
{
	array_sort(r, n, sizeof *r, compare);
	for (size_t i = 0; i < n; i++) {
		const bool stands = i ? !strcmp(r[i].head.text, r[i - 1].head.text)
				      : behind && dest_begins_with(behind, r[i].head.text);

		if (!stands)
			strbuf_add(out, r[i].head.text, r[i].head.len);
		strbuf_add(out, r[i].rows.text, r[i].rows.len);
	}
}
