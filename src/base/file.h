/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file - small files of the kernel, read in one go.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads up to size - 1 bytes and terminates them. Returns the number of bytes, or -errno with an empty text. dir_fd is
 * that of a folder, or AT_FDCWD. */
ssize_t file_read(int dir_fd, const char *path, char *buf, size_t size);

#endif
