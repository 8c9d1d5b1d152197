/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of control groups, from folders of files like the kernel's. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/task/group_file.h"
#include "tap.h"

/* A made-up hierarchy, with the groups /a and /a/b. */
struct world {
	char root[64];
	struct group_mounts mounts;
	struct strbuf text;
	struct arena arena;
	struct detail_memory m;
};

/* Writes a file; an empty text removes it. */
static void put(struct world *w, const char *file, const char *text)
{
	char *path = xasprintf("%s/%s", w->root, file);
	FILE *f = *text ? fopen(path, "w") : NULL;

	if (!*text)
		remove(path);
	else if (!f || fputs(text, f) < 0 || fclose(f))
		tap_ok(false, "%s cannot be written", path);
	free(path);
}

static void make_folder(struct world *w, const char *name)
{
	char *path = xasprintf("%s/%s", w->root, name);

	if (mkdir(path, 0700))
		tap_ok(false, "%s cannot be made", path);
	free(path);
}

/* namespace: the target of the link self/ns/cgroup, which says whether /proc is seen from the root
 * namespace or from a container's. */
static void begin(struct world *w, const char *namespace)
{
	char *path;

	*w = (struct world){.root = P_tmpdir "/tiptop-memory-XXXXXX", .mounts.known = true};
	if (!mkdtemp(w->root))
		tap_ok(false, "a folder can be made");
	strbuf_init(&w->text);
	make_folder(w, "a");
	make_folder(w, "a/b");
	make_folder(w, "self");
	make_folder(w, "self/ns");
	path = xasprintf("%s/self/ns/cgroup", w->root);
	if (symlink(namespace, path))
		tap_ok(false, "%s cannot be made", path);
	free(path);
}

static void end(struct world *w)
{
	static const char *const names[] = {"a/b", "a", "self/ns/cgroup", "self/ns", "self", ""};
	static const char *const files[] = {"memory.current",       "memory.max",
					    "memory.high",          "memory.limit_in_bytes",
					    "memory.use_hierarchy", "memory.usage_in_bytes"};

	for (size_t i = 0; i < 2 * sizeof files / sizeof *files; i++) {
		char *path = xasprintf("%s/%s", i % 2 ? "a/b" : "a", files[i / 2]);

		put(w, path, "");
		put(w, files[i / 2], "");
		free(path);
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		put(w, names[i], "");
	tap_ok(access(w->root, F_OK), "nothing was left behind");
	strbuf_done(&w->text);
	arena_done(&w->arena);
}

static const struct detail_memory *read_of(struct world *w, const char *cgroup)
{
	int fd = open(w->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	strbuf_reset(&w->text);
	strbuf_addstr(&w->text, cgroup);
	group_memory_read(&w->mounts, fd, &w->text, &w->arena, &w->m);
	close(fd);
	return &w->m;
}

#define MACHINE "cgroup:[4026531835]"

static void test_numbers(void)
{
	uint64_t bytes = 0;

	tap_ok(group_memory_parse("4096\n", &bytes) && bytes == 4096, "a number");
	tap_ok(group_memory_parse("max\n", &bytes) && bytes == DETAIL_NO_LIMIT, "no limit");
	tap_ok(group_memory_parse("9223372036854771712\n", &bytes) && bytes == DETAIL_NO_LIMIT,
	       "none in the older hierarchy");
	tap_ok(group_memory_parse("9223372036854710272\n", &bytes) && bytes == DETAIL_NO_LIMIT,
	       "nor with large pages");
	tap_ok(!group_memory_parse("much\n", &bytes), "a text that is none");
}

static void test_unified(void)
{
	const struct detail_memory *m;
	struct world w;

	begin(&w, MACHINE);
	snprintf(w.mounts.unified, sizeof w.mounts.unified, "%s", w.root);
	m = read_of(&w, "0::/a/b\n");
	tap_str(m->why, "neither its control group nor one above it counts memory",
		"a group without the controller");
	put(&w, "a/memory.current", "3000\n");
	put(&w, "a/memory.max", "max\n");
	put(&w, "a/memory.high", "max\n");
	m = read_of(&w, "0::/a/b\n");
	tap_str(m->group, "/a", "the nearest that has it");
	tap_int((long)m->used, 3000, "says what is used");
	tap_ok(!m->why && m->max.bytes == DETAIL_NO_LIMIT && m->is_whole, "there is no limit");
	put(&w, "a/memory.max", "8000\n");
	put(&w, "a/b/memory.current", "1000\n");
	put(&w, "a/b/memory.max", "9000\n");
	put(&w, "a/b/memory.high", "2000\n");
	m = read_of(&w, "0::/a/b\n");
	tap_str(m->group, "/a/b", "its own group");
	tap_int((long)m->used, 1000, "with what it has");
	tap_int((long)m->max.bytes, 8000, "the least limit counts");
	tap_str(m->max.group, "/a", "that of the group above");
	tap_int((long)m->max.used, 3000, "with what that has");
	tap_int((long)m->high.bytes, 2000, "another kind of limit");
	tap_str(m->high.group, "/a/b", "is its own");
	put(&w, "a/memory.max", "much\n");
	m = read_of(&w, "0::/a/b\n");
	tap_str(m->max.why, "memory.max of /a cannot be read: Invalid argument",
		"one that cannot be read makes it unknown");
	tap_ok(!m->high.why, "and no other");
	end(&w);
}

static void test_namespace(void)
{
	const struct detail_memory *m;
	struct world w;

	begin(&w, "cgroup:[4026532000]");
	snprintf(w.mounts.unified, sizeof w.mounts.unified, "%s", w.root);
	put(&w, "memory.current", "5000\n");
	put(&w, "memory.max", "6000\n");
	m = read_of(&w, "0::/\n");
	tap_str(m->group, "/", "the root of a namespace is a group");
	tap_int((long)m->max.bytes, 6000, "with a limit");
	tap_ok(!m->is_whole, "above which may be others");
	m = read_of(&w, "0::/../x\n");
	tap_str(m->why, "its control group is outside of what is seen here", "one outside");
	w.mounts.unified[0] = '\0';
	m = read_of(&w, "0::/\n");
	tap_str(m->why, "no control groups that count memory are mounted here", "no hierarchy");
	end(&w);
}

static void test_older(void)
{
	const struct detail_memory *m;
	struct world w;

	begin(&w, MACHINE);
	snprintf(w.mounts.memory, sizeof w.mounts.memory, "%s", w.root);
	put(&w, "a/b/memory.usage_in_bytes", "100\n");
	put(&w, "a/b/memory.limit_in_bytes", "9223372036854771712\n");
	put(&w, "a/memory.usage_in_bytes", "200\n");
	put(&w, "a/memory.limit_in_bytes", "400\n");
	put(&w, "a/memory.use_hierarchy", "1\n");
	m = read_of(&w, "4:memory:/a/b\n0::/\n");
	tap_int((long)m->used, 100, "what is used");
	tap_int((long)m->max.bytes, 400, "the limit of the group above");
	tap_ok(m->max.used_known && m->max.used == 200, "and what that has");
	tap_ok(!m->has_high, "there is no other");
	put(&w, "a/memory.use_hierarchy", "0\n");
	m = read_of(&w, "4:memory:/a/b\n0::/\n");
	tap_ok(m->max.bytes == DETAIL_NO_LIMIT, "which does not hold where it is not handed down");
	end(&w);
}

int main(void)
{
	test_numbers();
	test_unified();
	test_namespace();
	test_older();
	return tap_done();
}
