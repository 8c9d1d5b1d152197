/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_reader - a file that another process shares with tiptop (inject/lib/container.h), be it of
 * regions, of locks or of library calls: what is in it is checked here, and nowhere else.
 *
 * The process may write anything into its file, cut it off, and do so while it is read. So it is
 * never mapped: pieces are copied by pread(2). What a copy holds is as its columns say: numbers are
 * from the least to the most, those of elements of another section are in that one, texts have an
 * end and are harmless. Whether they are true is the business of the process.
 *
 * All functions that give an int: 0, or -errno with a sentence that goes on from "the table of
 * locks of the process 4711". -EAGAIN: it has changed meanwhile, so all of it is to be read again.
 */
#ifndef INJECT_TABLE_READER_H
#define INJECT_TABLE_READER_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/lib/container.h"

struct container_reader {
	const struct container_plan *plan;
	int fd;
	bool ended;   /* nobody writes it any more: it is as it was left */
	void *header; /* [plan->header_size], of the caller */
	struct container_directory directory;
};

/* An element, and where it is put. */
struct container_piece {
	unsigned section; /* its number in the plan */
	uint64_t number;  /* of elements within others, those of all outer ones counted through */
	void *to;
	size_t size; /* of its begin; 0: its stride */
};

/* Begins to read: copies and checks the header and the directory. The reader has its plan, fd,
 * ended and header. */
int container_reader_open(struct container_reader *r, struct err *err);

/* How many elements of a section are in use, and how many it has room for. */
uint32_t container_reader_used(const struct container_reader *r, unsigned section);
uint32_t container_reader_count(const struct container_reader *r, unsigned section);
size_t container_reader_stride(const struct container_reader *r, unsigned section);
/* Where an element is in the file. */
size_t container_reader_at(const struct container_reader *r, unsigned section, uint64_t number);

/* Copies n elements, or the begin of one, as they stand. */
int container_reader_copy(const struct container_reader *r, const struct container_piece *first,
			  uint32_t n, struct err *err);
/* Checks n elements that were copied, and what is within them, and makes their texts harmless. */
int container_reader_check(const struct container_reader *r, unsigned section, void *copied,
			   uint32_t n, struct err *err);
/* Allocates *to anew, and puts there all elements of a section that are in use, checked. */
int container_reader_copy_all(const struct container_reader *r, unsigned section, void **to,
			      struct err *err);
/* Lets the first piece, which begins with a sequence and was copied, be as it stood at one moment;
 * and copies the others, which are of the same moment. Sets *torn: in so many tries its writer was
 * always at it; then they are as they stand, some calls apart. */
int container_reader_copy_stable(const struct container_reader *r,
				 const struct container_piece piece[], unsigned n, unsigned tries,
				 bool *torn, struct err *err);
/* The number of the first element of a section, in the file, from this one on, that is not in a
 * hole; its count: there is none. */
uint32_t container_reader_next(const struct container_reader *r, unsigned section, uint32_t number);
/* Ends the reading: what concerns several elements has not changed meanwhile. */
int container_reader_close(const struct container_reader *r, struct err *err);

#endif
