/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * memory - the memory of a table: pieces of a file, so that other processes can read it, or private
 * memory if the file has no room.
 *
 * A process that writes to a mapped page for which the tmpfs has no room is killed by SIGBUS, and
 * one that extends a file beyond RLIMIT_FSIZE by SIGXFSZ. So the file grows with its mappings and
 * within the limit, and each page is populated before it is written.
 *
 * The file has one descriptor, with a high number (descriptor.h). If the program closes the
 * descriptor, mappings and the lock on the file stay, and later pieces are private memory.
 */
#ifndef INJECT_LIB_MEMORY_H
#define INJECT_LIB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct memory_file {
	int fd; /* -1: no file */
	dev_t device;
	ino_t inode;
	size_t size;
};

/* Takes over the descriptor of an empty file and moves it to a high number. -EMFILE: no number is
 * free. */
int tt_memory_open(struct memory_file *f, int fd);
/* Returns whether there is a file, and its descriptor still refers to it. */
bool tt_memory_is_open(const struct memory_file *f);
/* Closes the descriptor if it still refers to the file. */
void tt_memory_close(struct memory_file *f);

/* Maps a piece of the file or, if the file has no room, zeroed private memory. Sets *in_file to
 * whether the piece is in the file. NULL: no memory. The piece must not be written before
 * tt_memory_make_real(). */
void *tt_memory_map(struct memory_file *f, size_t offset, size_t size, bool *in_file);
/* Populates the pages of [from, from + size), so that they can be written. A page for which the
 * file has no room becomes private memory, and *in_file is set to false. Returns false if there is
 * no memory. */
bool tt_memory_make_real(void *from, size_t size, bool *in_file);
/* Frees the pages of a piece, which reads as 0 in the file afterwards, and unmaps it. */
void tt_memory_unmap(void *piece, size_t size);

#endif
