/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_reader - copies and checks a file that another process shares with tiptop
 * (inject/lib/container.h): tables of regions, of locks and of library calls. No other code checks
 * their contents.
 *
 * The process may write anything into its file, or truncate it, even while it is read. So the file
 * is never mapped: pieces are copied by pread(2). The values of a checked copy are as the columns
 * declare: numbers are within their limits, an element with each element number exists, and texts
 * are terminated and contain no control characters. Whether the numbers are true is up to the
 * process.
 *
 * Functions that return an int return 0, or -errno with a sentence that continues "the table of
 * locks of the process 4711". -EAGAIN: the file changed while it was read; read all of it again.
 */
#ifndef INJECT_TABLE_READER_H
#define INJECT_TABLE_READER_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/lib/container.h"

struct container_reader {
	const struct container_plan *plan;
	int fd;
	bool ended;   /* the process has ended: no one writes to the file */
	void *header; /* [plan->header_size]; memory of the caller */
	struct container_directory directory;
};

/* An element, and the memory that it is copied to. */
struct container_piece {
	unsigned section; /* index in the plan */
	uint64_t number;  /* index of the element, from 0 on; in a section within another one,
			     counted over all outer elements */
	void *to;
	size_t size; /* bytes to copy from the start of the element; 0: the whole element */
};

/* Copies and checks the header and the directory. The caller has set plan, fd, ended and header. */
int container_reader_open(struct container_reader *r, struct err *err);

/* Return the number of elements in use, the number of elements that the section has room for, and
 * the size of an element in bytes. */
uint32_t container_reader_used(const struct container_reader *r, unsigned section);
uint32_t container_reader_count(const struct container_reader *r, unsigned section);
size_t container_reader_stride(const struct container_reader *r, unsigned section);
/* Returns the offset of an element in the file. */
size_t container_reader_at(const struct container_reader *r, unsigned section, uint64_t number);

/* Copies n adjacent elements from *first on, or the first first->size bytes of one element, without
 * a check. */
int container_reader_copy(const struct container_reader *r, const struct container_piece *first,
			  uint32_t n, struct err *err);
/* Checks n copied elements with the sections within them, and replaces control characters in their
 * texts. */
int container_reader_check(const struct container_reader *r, unsigned section, void *copied,
			   uint32_t n, struct err *err);
/* Reallocates *to (owned by the caller) and copies all elements of a section that are in use into
 * it, checked. */
int container_reader_copy_all(const struct container_reader *r, unsigned section, void **to,
			      struct err *err);
/* Copies all pieces as of one moment. The first piece begins with a sequence counter and has been
 * copied once by the caller. If the writer changed the counter meanwhile, all pieces are copied
 * again. Sets *torn if the writer was active in each of `tries` tries: the pieces may then be some
 * calls apart from each other. */
int container_reader_copy_stable(const struct container_reader *r,
				 const struct container_piece piece[], unsigned n, unsigned tries,
				 bool *torn, struct err *err);
/* Returns the index of the first element, from `number` on, that does not lie in a hole of the
 * file. If there is none, returns the count of the section. */
uint32_t container_reader_next(const struct container_reader *r, unsigned section, uint32_t number);
/* Checks, after the last copy, that the header's sequence counter is the same as at
 * container_reader_open(). -EAGAIN: the process changed data of several elements meanwhile. */
int container_reader_close(const struct container_reader *r, struct err *err);

#endif
