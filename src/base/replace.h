/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replace - writes a file that the user has named in the running program, as a whole or not at all.
 *
 * A new file has mode 0644, less the umask. An existing file is replaced only with `overwrite`: by
 * a new file with the same mode and owner, which is renamed over the old one. If the owner cannot
 * be kept, nothing is replaced. If the path is a symbolic link of this user, its target is replaced
 * and the link stays; a link of another user is refused, since it may lead anywhere.
 */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Writes the text to the file at this path. Returns 0; -EEXIST: without overwrite, the path exists,
 * be it a dangling link; -EISDIR: it is a folder; -EINVAL: it is not a regular file; -EPERM: it is
 * a link of another user; other errors as the system returns them. Each error has a sentence and
 * leaves no partial or temporary file. */
int replace_file(const char *path, const struct strbuf *text, bool overwrite, struct err *err);

#endif
