/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/group_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define NUMBER_MAX 64

/* File names of a version of control groups; NULL: that version has no such file. */
struct version {
	const char *used, *max, *high, *inherits;
};

static const struct version unified = {"memory.current", "memory.max", "memory.high", NULL};
static const struct version older = {"memory.usage_in_bytes", "memory.limit_in_bytes", NULL,
				     "memory.use_hierarchy"};

/* State of the walk from a group up to the root. */
struct limit_walk {
	const char *mount;
	const struct version *version;
	char group[GROUP_PATH_MAX];
	struct strbuf *text;
	struct arena *arena;
	struct detail_memory *out;
};

/* Numbers from here on mean "no limit": version 1 writes the largest number of whole pages, of up
 * to 64 KiB each. */
#define LARGEST (INT64_MAX - 65535)

bool group_memory_parse(const char *text, uint64_t *bytes)
{
	if (!strcmp(text, "max\n") || !strcmp(text, "max")) {
		*bytes = DETAIL_NO_LIMIT;
		return true;
	}
	if (sscanf(text, "%" SCNu64, bytes) != 1)
		return false;
	if (*bytes >= LARGEST)
		*bytes = DETAIL_NO_LIMIT;
	return true;
}

/* Reads a number of bytes from a file of the group. Returns 0, or -errno. */
static int read_bytes(struct limit_walk *w, const char *group, const char *file, uint64_t *bytes)
{
	char path[2 * GROUP_PATH_MAX + 32];
	ssize_t n;

	snprintf(path, sizeof path, "%s%s/%s", w->mount, strcmp(group, "/") ? group : "", file);
	n = file_read_all(AT_FDCWD, path, NUMBER_MAX, w->text);
	if (n < 0)
		return (int)n;
	return group_memory_parse(w->text->text, bytes) ? 0 : -EINVAL;
}

static const char *explain_failure(struct limit_walk *w, const char *file, int error)
{
	char *text = xasprintf("%s of %s cannot be read: %s", file, w->group, strerror(-error));
	const char *why = arena_strdup(w->arena, text);

	free(text);
	return why;
}

/* Sets the bound if the limit of this group is the lowest so far. A group without the file has no
 * limit. */
static void read_limit(struct limit_walk *w, const char *file, struct detail_bound *b)
{
	uint64_t bytes;
	int ret = file ? read_bytes(w, w->group, file, &bytes) : -ENOENT;

	if (ret == -ENOENT)
		return;
	if (ret && !b->why)
		b->why = explain_failure(w, file, ret);
	if (!ret && (!b->group || bytes < b->bytes)) {
		b->bytes = bytes;
		b->group = arena_strdup(w->arena, w->group);
	}
}

static void read_use(struct limit_walk *w)
{
	int ret;

	if (w->out->group || w->out->why)
		return;
	ret = read_bytes(w, w->group, w->version->used, &w->out->used);
	if (!ret)
		w->out->group = arena_strdup(w->arena, w->group);
	else if (ret != -ENOENT)
		w->out->why = explain_failure(w, w->version->used, ret);
}

/* Moves to the group above. Returns false at the root, or if limits of the groups above do not
 * apply. */
static bool go_up(struct limit_walk *w)
{
	uint64_t inherits = 1;
	char *last = strrchr(w->group, '/');

	if (!strcmp(w->group, "/"))
		return false;
	last[last == w->group] = '\0';
	return !w->version->inherits || read_bytes(w, w->group, w->version->inherits, &inherits) ||
	       inherits;
}

/* Sets the memory used by the group that has the limit. */
static void add_use(struct limit_walk *w, struct detail_bound *b)
{
	b->used_known = b->group && !read_bytes(w, b->group, w->version->used, &b->used);
}

/* Returns whether this is the initial cgroup namespace: its inode number is the same on every
 * kernel. */
static bool is_whole(int proc_fd, struct strbuf *text)
{
	return file_read_link(proc_fd, "self/ns/cgroup", text) < 0 ||
	       !strcmp(text->text, "cgroup:[4026531835]");
}

void group_memory_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		       struct arena *arena, struct detail_memory *out)
{
	struct limit_walk w = {.version = &older, .text = text, .arena = arena, .out = out};
	char path[GROUP_PATH_MAX];
	const bool is_older = group_file_parse_path(text->text, "memory", w.group);
	const bool is_unified = group_file_parse_path(text->text, NULL, path);

	*out = (struct detail_memory){.read = true};
	group_file_find_mounts(mounts, proc_fd, text);
	w.mount = mounts->memory;
	if (!is_older) {
		w.version = &unified;
		w.mount = mounts->unified;
		memcpy(w.group, path, sizeof path);
	}
	if (!is_older && !is_unified)
		out->why = "its control group is outside of what is seen here";
	else if (!*w.mount)
		out->why = "no control groups that count memory are mounted here";
	if (out->why)
		return;
	out->is_whole = is_whole(proc_fd, text);
	out->has_high = w.version->high;
	do {
		read_use(&w);
		read_limit(&w, w.version->max, &out->max);
		read_limit(&w, w.version->high, &out->high);
	} while (go_up(&w));
	add_use(&w, &out->max);
	add_use(&w, &out->high);
	if (!out->group && !out->why)
		out->why = "neither its control group nor one above it counts memory";
}
