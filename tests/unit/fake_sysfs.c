/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_sysfs.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

void fake_sysfs_add(struct fake_sysfs *f, const struct fake_file *file)
{
	char *path = xasprintf("%s/%s", f->root, file->path);
	int fd;

	for (char *p = path + strlen(f->root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, file->text, strlen(file->text)) < 0 || close(fd))
		abort();
	free(path);
}

void fake_sysfs_make(struct fake_sysfs *f, const struct fake_file *file, size_t n)
{
	const char *folder = getenv("TMPDIR");

	f->root = xasprintf("%s/fake-sysfs-XXXXXX", folder ? folder : P_tmpdir);
	if (!mkdtemp(f->root))
		abort();
	for (size_t i = 0; i < n; i++)
		fake_sysfs_add(f, &file[i]);
	f->host.devices = xasprintf("%s/devices", f->root);
	f->host.cpus = xasprintf("%s/cpus", f->root);
	f->host.boot_id = f->host.name = f->host.release = NULL;
	f->host.tracing[0] = xasprintf("%s/tracing", f->root);
	f->host.tracing[1] = xasprintf("%s/debug", f->root);
	f->host.tracepoints = xasprintf("%s/tracepoints", f->root);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

void fake_sysfs_remove(struct fake_sysfs *f)
{
	nftw(f->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free((char *)f->host.devices);
	free((char *)f->host.cpus);
	free((char *)f->host.tracing[0]);
	free((char *)f->host.tracing[1]);
	free((char *)f->host.tracepoints);
	free(f->root);
}
