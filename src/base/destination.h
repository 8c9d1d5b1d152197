/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * destination - where output is written: standard output, a file written in place, or a new file
 * that replaces an old one.
 *
 *   dest_open()   opens the file, without truncating it: no data are lost yet
 *   dest_begin()  truncates the file; to be called when nothing else can fail. Fails if the disk
 *                 has no space left for a single block, and its file system tells it
 *   dest_try()    may be called before: fails if dest_begin() would fail, but leaves a file that
 *                 has contents as it is
 *   dest_write()  writes all n bytes, in as many calls of write(2) as it takes; if that fails, cuts
 *                 a regular file back to the last line of these bytes that is whole, unless another
 *                 process has appended to it
 *   dest_close()  reports errors of close(2), where a network file system reports failed writes; if
 *                 the output failed, removes a file that dest_open() created and that is still
 *                 empty
 *
 *   replace_file() does all of this for a text that is complete
 *
 * dest_open_append() opens the file to append to it; dest_begin() then does not truncate it.
 *
 * dest_open_beside() creates a new file beside the old one, mode 0644 less the umask; dest_close()
 * renames it to the path. So the old file is replaced as a whole or not at all: readers never see
 * half a file. A symbolic link stays; its target is replaced. With `overwrite`, only a regular file
 * is replaced: standard output by any name, a character device, or a FIFO that a program reads is
 * written in place, and anything else is refused. If `transient` is set before dest_close(), the
 * two files are exchanged and the old one is removed: ext4 writes a file to the disk when it is
 * renamed over another, but not when two files are exchanged. So a file that is replaced again and
 * again costs less (a third of the CPU time of the replacing, of 90 KB on ext4 of Linux 6.18), and
 * mostly never reaches the disk; after a crash of the machine it may be empty.
 *
 * Errors: -errno with a sentence, which names the file unless writing was interrupted (-ECANCELED).
 * -EPIPE: the reader has closed the pipe.
 *
 * Ownership: path and wake are borrowed.
 */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Lets the caller interrupt dest_write() while it waits for a slow reader: dest_write() then also
 * polls fd, and returns -ECANCELED once fd is readable and stop() returns true. */
struct dest_wake {
	int fd;
	bool (*stop)(void *context);
	void *context;
};

struct dest {
	int fd;                       /* -1: not open */
	const char *path;             /* NULL: standard output */
	const struct dest_wake *wake; /* NULL: waits for a reader without a limit */
	/* Private to destination.c, except `impatient` and `transient`, which sinks set: */
	bool owned;      /* dest_close() closes fd; false: only a duplicate of fd */
	char *temporary; /* the name of a new file beside the old one; owned; NULL: the file is
			    written in place */
	char *target;    /* the name that the new file gets; owned */
	bool overwrite;  /* the new file may replace an old one */
	bool transient;  /* the new file need not survive a crash of the machine */
	bool made;       /* dest_open() or dest_open_append() created the file */
	bool appends;    /* opened to append: dest_begin() does not truncate the file */
	bool filled;     /* the file had contents when it was opened to append */
	bool impatient;  /* fails with -ECANCELED instead of waiting for a reader */
	size_t chunk;    /* bytes that one write(2) can take without blocking */
};

#define DEST_NONE                                                                                  \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Opens the file for writing in place; path: NULL for standard output. */
int dest_open(struct dest *d, const char *path, struct err *err);
/* Creates a new file beside the path. -ENXIO: the path is a FIFO that no program reads. */
int dest_open_beside(struct dest *d, const char *path, bool overwrite, struct err *err);
int dest_open_append(struct dest *d, const char *path, struct err *err);
/* Opens the file of an option -o, for appending if `append` is true, else for writing in place.
 * path: NULL or "-" for standard output, which is never appended to. */
int dest_open_or_append(struct dest *d, const char *path, bool append, struct err *err);
/* Returns whether the file to append to is not empty and begins with this text. */
bool dest_begins_with(const struct dest *d, const char *text);
/* Checks that the file to append to, unless empty, begins with this text and ends with a whole
 * line; -EINVAL: it does not. */
int dest_check(const struct dest *d, const char *text, struct err *err);
/* Uses a descriptor that is already open, such as standard output; dest_close() leaves it open. */
void dest_use(struct dest *d, int fd);

int dest_begin(struct dest *d, struct err *err);
/* Does the same as dest_begin() if no data would be lost, as the file is empty or appended to;
 * nothing if the file has contents to lose. */
int dest_try(struct dest *d, struct err *err);
int dest_write(struct dest *d, const char *data, size_t n, struct err *err);

/* Keeps a text that dest_write() could not write: writes it to a new file in $TMPDIR, /tmp or
 * /dev/shm, the first that has room for it, and adds the path to the sentence of err; or adds that
 * none has. what: "the report". */
void dest_keep(const char *what, const struct strbuf *text, struct err *err);

/* ---- files ----
 *
 * The files of a command, which must not overwrite each other. Devices and FIFOs may be shared.
 */

enum dest_use { DEST_IS_READ, DEST_IS_WRITTEN, DEST_IS_REPLACED };

struct dest_file {
	const char *what; /* "the output (-o)" */
	const char *path; /* NULL: there is no such file */
	enum dest_use use;
};

/* Checks that no two of the files, unless both are only read, are one file, which need not exist
 * yet. -EINVAL with a sentence: they are. */
int dest_check_files(const struct dest_file *file, size_t n, struct err *err);
/* Checks that writing to `output` would not overwrite `input`, a file that is read; either may be
 * NULL. -EINVAL with a sentence: it would. */
int dest_check_input(const char *output, const char *input, struct err *err);

/* Closes the destination, if it is open. If `failed` is true (not all data were written), removes a
 * new file beside the old one, and an empty file that dest_open() or dest_open_append() created.
 * -EEXIST: without `overwrite`, a file of that name exists already. */
int dest_close(struct dest *d, bool failed, struct err *err);

/* ---- replace ----
 *
 * Writes a file that the user has named in the running program, as a whole or not at all.
 *
 * A new file has mode 0644, less the umask. An existing file is replaced only with `overwrite`: by
 * a new file with the same mode and owner, which is renamed over the old one. If the owner cannot
 * be kept, nothing is replaced. If the path is a symbolic link of this user, its target is replaced
 * and the link stays; a link of another user is refused, since it may lead anywhere.
 */

/* Writes the text to the file at this path. Returns 0; -EEXIST: without overwrite, the path exists,
 * be it a dangling link; -EISDIR: it is a folder; -EINVAL: it is not a regular file; -EPERM: it is
 * a link of another user; other errors as the system returns them. Each error has a sentence and
 * leaves no partial or temporary file. */
int replace_file(const char *path, const struct strbuf *text, bool overwrite, struct err *err);

#endif
