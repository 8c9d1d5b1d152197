/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submitter FILE ROUNDS - reads 64 KB of a file, 16 times a round, with worker threads that the
 * kernel creates for it (io_uring), and prints its CPU time by getrusage(2), in ms.
 *
 * Exit status 77: the kernel does not allow it.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES 16
#define SIZE    65536

struct ring {
	int fd;
	char *submitted, *completed;
	struct io_uring_sqe *entry;
	struct io_uring_params params;
};

static uint32_t *number_at(char *base, uint32_t offset)
{
	return (uint32_t *)(void *)(base + offset);
}

static void *map_ring(const struct ring *r, size_t size, off_t at)
{
	void *out = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, at);

	if (out == MAP_FAILED)
		exit(1);
	return out;
}

static void open_ring(struct ring *r)
{
	memset(r, 0, sizeof *r);
	r->fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &r->params);
	if (r->fd < 0)
		exit(77);
	r->submitted = map_ring(r, r->params.sq_off.array + ENTRIES * sizeof(uint32_t),
				IORING_OFF_SQ_RING);
	r->completed = map_ring(
		r, r->params.cq_off.cqes + r->params.cq_entries * sizeof(struct io_uring_cqe),
		IORING_OFF_CQ_RING);
	r->entry = map_ring(r, ENTRIES * sizeof *r->entry, IORING_OFF_SQES);
}

/* Reads all entries. A worker of io_uring executes each read. */
static void read_all(struct ring *r, int file)
{
	static char room[ENTRIES][SIZE];
	const struct io_sqring_offsets *sq = &r->params.sq_off;
	const struct io_cqring_offsets *cq = &r->params.cq_off;

	for (uint32_t i = 0; i < ENTRIES; i++) {
		r->entry[i] = (struct io_uring_sqe){.opcode = IORING_OP_READ,
						    .flags = IOSQE_ASYNC,
						    .fd = file,
						    .addr = (uintptr_t)room[i],
						    .len = SIZE};
		number_at(r->submitted, sq->array)[i] = i;
	}
	__atomic_fetch_add(number_at(r->submitted, sq->tail), ENTRIES, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, r->fd, ENTRIES, ENTRIES, IORING_ENTER_GETEVENTS, NULL, 0) <
	    0)
		exit(1);
	*number_at(r->completed, cq->head) =
		__atomic_load_n(number_at(r->completed, cq->tail), __ATOMIC_ACQUIRE);
}

static long ms_of(const struct timeval *t)
{
	return t->tv_sec * 1000 + t->tv_usec / 1000;
}

int main(int argc, char **argv)
{
	const int file = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	struct rusage used;
	struct ring ring;

	if (file < 0)
		return 1;
	open_ring(&ring);
	for (long n = strtol(argv[2], NULL, 10); n > 0; n--)
		read_all(&ring, file);
	getrusage(RUSAGE_SELF, &used);
	printf("%ld\n", ms_of(&used.ru_utime) + ms_of(&used.ru_stime));
	return 0;
}
