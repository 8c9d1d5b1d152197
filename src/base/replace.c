/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/mem.h"

/* Gives the new file the owner and mode of the old one. The owner comes first: fchown(2) clears
 * bits of the mode. */
static int copy_access(int fd, const char *path)
{
	struct stat old, new;

	if (stat(path, &old) || fstat(fd, &new))
		return 0;
	if ((old.st_uid != new.st_uid || old.st_gid != new.st_gid) &&
	    fchown(fd, old.st_uid, old.st_gid))
		return -errno;
	return fchmod(fd, old.st_mode & 07777) ? -errno : 0;
}

/* Writes a new file beside the old one, and renames the new file over the old one once it is
 * complete. */
static int replace(const char *path, const struct strbuf *text, bool overwrite)
{
	struct dest dest;
	int rc = dest_open_beside(&dest, path, overwrite, NULL), closed;

	if (!rc && overwrite)
		rc = copy_access(dest.fd, path);
	if (!rc)
		rc = dest_write(&dest, text->text, text->len, NULL);
	closed = dest_close(&dest, rc != 0, NULL);
	return rc ? rc : closed;
}

/* Finds the file to be written. *target: owned by the caller. */
static int find_target(const char *path, bool overwrite, char **target, struct err *err)
{
	struct stat st;

	*target = NULL;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return err_set(err, EISDIR, "'%s' is a folder: name a file in it", path);
	if (!lstat(path, &st) && !overwrite)
		return err_set(err, EEXIST, "'%s' already exists", path);
	if (!lstat(path, &st) && S_ISLNK(st.st_mode)) {
		if (st.st_uid != geteuid())
			return err_set(
				err, EPERM,
				"'%s' is a symbolic link of another user: name a regular file",
				path);
		*target = realpath(path, NULL);
		if (!*target)
			return err_set(err, errno, "cannot follow the symbolic link '%s': %s", path,
				       strerror(errno));
	} else {
		*target = xstrdup(path);
	}
	if (!lstat(*target, &st) && !S_ISREG(st.st_mode))
		return err_set(err, EINVAL, "'%s' is not a regular file", path);
	return 0;
}

int replace_file(const char *path, const struct strbuf *text, bool overwrite, struct err *err)
{
	char *target;
	int rc = find_target(path, overwrite, &target, err);

	if (!rc) {
		rc = replace(target, text, overwrite);
		if (rc == -EEXIST)
			err_set(err, EEXIST, "'%s' already exists", path);
		else if (rc)
			err_set(err, -rc, "cannot write '%s': %s", path, strerror(-rc));
	}
	free(target);
	return rc;
}
