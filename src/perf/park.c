/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/park.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* Places of one table where the limit of descriptors is higher, or none. */
#define CAPACITY_MAX 16384

void park_init(struct park *p)
{
	memset(p, 0, sizeof *p);
}

void park_done(struct park *p)
{
	for (int i = 0; i < p->n_rings; i++)
		close(p->ring[i].fd);
	for (int i = 0; i < PARK_FILES_MAX; i++)
		free(p->free[i].ticket);
	park_init(p);
}

/* Files are put into the places from `first` on; -1 empties a place. */
static int update(int ring_fd, int first, const int *fd, int n)
{
	struct io_uring_files_update u = {.offset = (unsigned)first, .fds = (uintptr_t)fd};
	long done = syscall(SYS_io_uring_register, ring_fd, IORING_REGISTER_FILES_UPDATE, &u, n);

	return done < 0 ? -errno : (int)done;
}

/* A ring with an empty table. */
static int make_ring(int capacity)
{
	struct io_uring_params params = {.flags = 0};
	int fd = (int)syscall(SYS_io_uring_setup, 1, &params), *none, ret;

	if (fd < 0)
		return -errno;
	none = xcalloc((size_t)capacity, sizeof *none);
	memset(none, 0xff, (size_t)capacity * sizeof *none);
	ret = syscall(SYS_io_uring_register, fd, IORING_REGISTER_FILES, none, capacity) < 0 ? -errno : 0;
	free(none);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int add_ring(struct park *p)
{
	struct rlimit limit;
	int fd;

	if (p->n_rings == PARK_RINGS_MAX)
		return -EMFILE;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > CAPACITY_MAX)
		limit.rlim_cur = CAPACITY_MAX;
	p->capacity = p->n_rings ? p->capacity : (int)limit.rlim_cur;
	fd = make_ring(p->capacity);
	if (fd < 0)
		return fd;
	p->ring[p->n_rings].fd = fd;
	p->ring[p->n_rings++].used = 0;
	return 0;
}

/* A place for n files, as ring × capacity + place. */
static int take_place(struct park *p, int n)
{
	int r = 0, ret;

	if (p->free[n].n)
		return p->free[n].ticket[--p->free[n].n];
	while (r < p->n_rings && p->ring[r].used + n > p->capacity)
		r++;
	if (r == p->n_rings) {
		ret = add_ring(p);
		if (ret)
			return ret;
	}
	p->ring[r].used += n;
	return r * p->capacity + p->ring[r].used - n;
}

/* Places are used again for as many files only, until all have been given back. */
static void start_anew(struct park *p)
{
	for (int i = 0; i < p->n_rings; i++)
		p->ring[i].used = 0;
	for (int i = 0; i < PARK_FILES_MAX; i++)
		p->free[i].n = 0;
}

static void give_back(struct park *p, int ticket, int n)
{
	size_t cap = (size_t)p->free[n].cap;

	p->free[n].ticket = xgrow(p->free[n].ticket, &cap, (size_t)p->free[n].n + 1, sizeof *p->free[n].ticket);
	p->free[n].cap = (int)cap;
	p->free[n].ticket[p->free[n].n++] = ticket;
}

int park_files(struct park *p, const int *fd, int n)
{
	int ticket, done;

	if (p->broken)
		return -ENOSYS;
	ticket = take_place(p, n);
	if (ticket < 0) {
		p->broken = !p->n_rings;
		return ticket;
	}
	p->n_held += n;
	done = update(p->ring[ticket / p->capacity].fd, ticket % p->capacity, fd, n);
	if (done != n) {
		park_drop(p, ticket, n);
		return done < 0 ? done : -ENOMEM;
	}
	for (int i = 0; i < n; i++)
		close(fd[i]);
	return ticket;
}

void park_drop(struct park *p, int ticket, int n)
{
	int none[PARK_FILES_MAX];

	memset(none, 0xff, sizeof none);
	update(p->ring[ticket / p->capacity].fd, ticket % p->capacity, none, n);
	give_back(p, ticket, n);
	p->n_held -= n;
	if (!p->n_held)
		start_anew(p);
}
