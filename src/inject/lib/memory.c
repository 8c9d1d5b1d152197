/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/memory.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/lib/descriptor.h"

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

bool tt_memory_is_open(const struct memory_file *f)
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
