/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * memory - the memory of a table: pieces of a file, so that other processes can read it, or private
 * memory where the file has no room.
 *
 * A file in memory (tmpfs) that is full ends by a signal (SIGBUS) a process that writes to it, and
 * a file above RLIMIT_FSIZE one that makes it larger (SIGXFSZ). So the file grows with what is
 * mapped of it, and the kernel is asked for each page before that is written.
 *
 * The file has one descriptor, which lies high (descriptor.h). Where the program has closed it,
 * what is mapped stays so, with the lock that is on the file, and what is mapped later is private.
 */
#ifndef INJECT_LIB_MEMORY_H
#define INJECT_LIB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct memory_file {
	int fd; /* -1: there is no file */
	dev_t device;
	ino_t inode;
	size_t size;
};

/* Takes the descriptor of an empty file; it is moved up. -errno: there is none left. */
int tt_memory_open(struct memory_file *f, int fd);
/* Whether there is a file, and the descriptor is still its one. */
bool tt_memory_is_open(const struct memory_file *f);
/* Closes it if it is still the one of the file. */
void tt_memory_close(struct memory_file *f);

/* Maps a piece of the file, or private memory; both are 0. *in_file says which one it is. NULL:
 * there is no memory. Nothing may be written to it yet. */
void *tt_memory_map(struct memory_file *f, size_t offset, size_t size, bool *in_file);
/* Gets the pages of [from, from + size), so that they can be written. Where the file has no room
 * for one, it becomes private memory, and *in_file false. False: there is no memory. */
bool tt_memory_make_real(void *from, size_t size, bool *in_file);
/* Gives the pages of a piece back to the file, which is 0 there, and unmaps it. */
void tt_memory_unmap(void *piece, size_t size);

#endif
