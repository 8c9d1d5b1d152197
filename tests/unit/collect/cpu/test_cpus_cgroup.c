/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening the folder of a control group, in made-up hierarchies. */
#include "collect/cpu/cpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char root[] = P_tmpdir "/tiptop-cgroup-XXXXXX";

/* Returns the path of the folder that was opened, relative to root, or the message of the error. */
static const char *find(const struct group_mounts *mounts, const char *path)
{
	static char found[ERR_TEXT_MAX];
	struct err err = ERR_INIT;
	int fd = cgroup_open(mounts, path, &err);
	char link[64];
	ssize_t n;

	if (fd < 0) {
		snprintf(found, sizeof found, "%s", err.text);
		return found;
	}
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, found, sizeof found - 1);
	found[n < 0 ? 0 : n] = '\0';
	close(fd);
	return found + strlen(root);
}

static void make(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", root, name);
	tap_int(mkdir(path, 0700), 0, "%s", name);
}

static void drop(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", root, name);
	rmdir(path);
}

int main(void)
{
	struct group_mounts mounts = {.unified = ""};
	char path[256];

	tap_ok(mkdtemp(root), "a place for them");
	make("v2");
	make("v2/user.slice");
	make("v1");
	make("v1/jobs");
	tap_ok(strstr(find(&mounts, "/x"), "no hierarchy of control groups"), "none is mounted");
	snprintf(mounts.unified, sizeof mounts.unified, "%s/v2", root);
	tap_str(find(&mounts, "/user.slice"), "/v2/user.slice", "as /proc/PID/cgroup has it");
	tap_str(find(&mounts, "user.slice"), "/v2/user.slice", "without the first slash");
	tap_str(find(&mounts, "/"), "/v2", "the root");
	snprintf(path, sizeof path, "%s/v2/user.slice", root);
	tap_str(find(&mounts, path), "/v2/user.slice", "the whole path");
	tap_ok(strstr(find(&mounts, "/jobs"), "there is no control group '/jobs' (the folder "),
	       "one that there is not");
	snprintf(mounts.perf, sizeof mounts.perf, "%s/v1", root);
	tap_str(find(&mounts, "/jobs"), "/v1/jobs", "the older hierarchy, where it counts events");
	drop("v1/jobs");
	drop("v1");
	drop("v2/user.slice");
	drop("v2");
	rmdir(root);
	return tap_done();
}
