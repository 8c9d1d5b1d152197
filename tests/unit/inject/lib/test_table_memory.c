/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mapped parts of a file that cannot grow, has no space, or is removed. */
#include "inject/lib/regions.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static struct memory_file file;
static size_t page;

static void open_file(void)
{
	if (tt_memory_open(&file, memfd_create("test", MFD_CLOEXEC)))
		abort();
}

static long blocks(void)
{
	struct stat s;

	return fstat(file.fd, &s) ? -1 : (long)s.st_blocks * 512 / (long)page;
}

/* Returns whether a byte written to the mapping is in the file. */
static bool is_seen(char *at, size_t offset)
{
	char found = 0;

	*at = 'x';
	return pread(file.fd, &found, 1, (off_t)offset) == 1 && found == 'x';
}

static void check_file(void)
{
	bool in_file;
	char *piece;

	open_file();
	piece = tt_memory_map(&file, 2 * page, 4 * page, &in_file);
	tap_ok(piece && in_file, "a piece of the file");
	tap_int(blocks(), 0, "has no page yet");
	tap_ok(tt_memory_make_real(piece + page + 10, page, &in_file) && in_file,
	       "pages are there when they are wanted");
	tap_int(blocks(), 2, "those that it is in, and no other");
	tap_ok(is_seen(piece + page + 10, 3 * page + 10), "what is written is in the file");
	tt_memory_unmap(piece, 4 * page);
	tap_int(blocks(), 0, "it gives them back");
	tt_memory_close(&file);
}

/* A file that ends before the page is treated like a full file system: a write to the page would
 * raise SIGBUS. */
static void check_room(void)
{
	bool in_file;
	char *piece;

	open_file();
	piece = tt_memory_map(&file, 0, 4 * page, &in_file);
	if (!piece || ftruncate(file.fd, (off_t)(2 * page)))
		abort();
	tap_ok(tt_memory_make_real(piece + page, 2 * page, &in_file), "a page without room");
	tap_ok(!in_file, "is not in the file");
	piece[2 * page] = 'y';
	tap_ok(is_seen(piece + page, page), "the page before it is");
	if (ftruncate(file.fd, (off_t)(4 * page)))
		abort();
	in_file = true;
	tap_ok(tt_memory_make_real(piece + 3 * page, page, &in_file) && in_file,
	       "once there is room, so is the one behind it");
	tt_memory_unmap(piece, 4 * page);
	tap_int(blocks(), 0, "all of them are given back");
	tt_memory_close(&file);
}

static void check_limit(void)
{
	struct rlimit before, few;
	bool in_file;
	char *piece;

	open_file();
	getrlimit(RLIMIT_FSIZE, &before);
	few = before;
	few.rlim_cur = 2 * page;
	setrlimit(RLIMIT_FSIZE, &few);
	piece = tt_memory_map(&file, page, page, &in_file);
	tap_ok(piece && in_file, "a file grows up to its limit");
	tt_memory_unmap(piece, page);
	piece = tt_memory_map(&file, 2 * page, page, &in_file);
	tap_ok(piece && !in_file && tt_memory_make_real(piece, page, &in_file),
	       "above it memory is private, and no signal comes");
	piece[0] = 'x';
	tt_memory_unmap(piece, page);
	setrlimit(RLIMIT_FSIZE, &before);
	tt_memory_close(&file);
}

static void check_closed(void)
{
	bool in_file;
	char *piece;
	int own, fd;

	open_file();
	own = memfd_create("own", MFD_CLOEXEC);
	fd = file.fd;
	if (ftruncate(own, (off_t)(4 * page)) || dup2(own, fd) != fd)
		abort();
	piece = tt_memory_map(&file, 0, page, &in_file);
	tap_ok(piece && !in_file, "what the program has in its place is not mapped");
	tt_memory_unmap(piece, page);
	tt_memory_close(&file);
	tap_ok(fcntl(fd, F_GETFD) >= 0, "nor closed");
}

int main(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	check_file();
	check_room();
	check_limit();
	check_closed();
	return tap_done();
}
