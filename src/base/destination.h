/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * destination - where something is written to: standard output, a file in its place, or a file that
 * takes the place of another.
 *
 *   dest_open()   opens the file; nothing is lost yet, as the file is not cut off
 *   dest_begin()  cuts the file off: nothing else can fail any more
 *   dest_write()  writes all of it, however few bytes the kernel takes at a time; where that fails,
 *                 a regular file is cut back to the last whole line
 *   dest_close()  says what the system reports at the end, as a file over the network may only
 *                 then; removes an empty file that dest_open() has made, where all has failed
 *
 * dest_open_append() opens the file to write behind what it has; dest_begin() then leaves that.
 *
 * dest_open_beside() makes a new file beside the old one, mode 0644 less the umask; dest_close()
 * gives it the name. So the old file is replaced as a whole or not at all: readers of the name
 * never see half a file. A symbolic link stays, the file that it leads to is replaced. With
 * `overwrite`, what is no regular file is never replaced: standard output by any name, a device, or
 * a FIFO that a program reads is written in its place; anything else is refused.
 *
 * Errors: -errno with a sentence that names the file. -EPIPE: the reader has gone.
 *
 * Ownership: path and wake are borrowed.
 */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* How waiting for a reader ends: while dest_write() waits for one, fd is watched, too, and where
 * stop() says so, writing ends with -ECANCELED. So a reader that does not read does not hold
 * tiptop. */
struct dest_wake {
	int fd;
	bool (*stop)(void *context);
	void *context;
};

struct dest {
	int fd;                       /* -1: not open */
	const char *path;             /* NULL: standard output */
	const struct dest_wake *wake; /* NULL: a reader is waited for as long as it takes */
	/* The destination's own state: */
	bool owned;      /* the descriptor is closed at the end; else a copy of it is */
	char *temporary; /* the name of a new file beside the old one; NULL: the file is written in
			    its place */
	char *target;    /* the name that the new file gets */
	bool overwrite;  /* the new file may take the place of an old one */
	bool made;       /* there was no such file */
	bool appends;    /* what is in the file stays */
	bool filled;     /* there was something in it already */
	bool impatient;  /* a reader is not waited for: -ECANCELED */
	size_t chunk;    /* bytes that one write(2) may take without waiting for a reader */
};

#define DEST_NONE                                                                                  \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Opens the file in its place; path: NULL for standard output. */
int dest_open(struct dest *d, const char *path, struct err *err);
/* -ENXIO: no program reads the FIFO. */
int dest_open_beside(struct dest *d, const char *path, bool overwrite, struct err *err);
int dest_open_append(struct dest *d, const char *path, struct err *err);
/* The one or the other; standard output is never appended to. */
int dest_open_or_append(struct dest *d, const char *path, bool append, struct err *err);
/* Whether what is in a file to append to begins with this text and ends with a whole line. -EINVAL:
 * it does not. */
int dest_check(const struct dest *d, const char *text, struct err *err);
/* Uses a descriptor that is open already, as standard output is: it stays open at the close. */
void dest_use(struct dest *d, int fd);

int dest_begin(struct dest *d, struct err *err);
int dest_write(struct dest *d, const char *data, size_t n, struct err *err);
/* Whether this destination is the regular file of that name. */
bool dest_is(const struct dest *d, const char *path);

/* Closes the destination, if it is open. failed: not all was written, so that a new file beside the
 * old one goes, and so does an empty file that dest_open() has made. -EEXIST: without `overwrite`,
 * there is a file of that name by now. */
int dest_close(struct dest *d, bool failed, struct err *err);

#endif
