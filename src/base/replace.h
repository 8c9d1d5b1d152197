/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replace - a file that a user has named in the running program: written as a whole or not at all.
 *
 * A new file has mode 0644, less the umask. An existing one is never touched unless `overwrite`
 * says so, and then replaced by a new one, of the same mode and owner, that is renamed over it;
 * where the owner cannot be kept, it stays. Where the path is a symbolic link of this user, the
 * file that it leads to is replaced, and the link stays; a link of somebody else is refused, since
 * it may lead anywhere.
 */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

/* -EEXIST without overwrite where there is something of that name, a link to nothing included;
 * -EISDIR for a folder, -EINVAL for anything else that is no regular file, -EPERM for a link of
 * somebody else; other errors as the system gives them. Always with a sentence, and nothing half
 * written or left behind. */
int replace_file(const char *path, const struct strbuf *text, bool overwrite, struct err *err);

#endif
