/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/group_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* Fields of a line of mountinfo before the " - ": the root within the hierarchy, and the mount
 * point. */
enum { MOUNT_ROOT = 3, MOUNT_POINT = 4, MOUNT_FIELDS = 6 };

/* Returns whether the text, a list with these separators, has the word. */
static bool has_word(const char *text, size_t len, const char *separators, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 0; i < len; i += strcspn(text + i, separators) + 1)
		if (i + n <= len && !memcmp(text + i, word, n) &&
		    (i + n == len || strchr(separators, text[i + n])))
			return true;
	return false;
}

/* Sets the mount point, unless an earlier line has set it. */
static void set_mount(char mount[GROUP_PATH_MAX], const char *path, size_t n)
{
	if (!*mount)
		snprintf(mount, GROUP_PATH_MAX, "%.*s", (int)n, path);
}

static void parse_mount(const char *line, size_t len, struct group_mounts *out)
{
	const char *field[MOUNT_FIELDS], *end = line + len, *p = line;
	const char *type = memmem(line, len, " - ", 3);
	size_t n;

	for (int i = 0; i < MOUNT_FIELDS; i++) {
		field[i] = p;
		p = memchr(p, ' ', (size_t)(end - p));
		if (!p)
			return;
		p++;
	}
	if (!type || memcmp(field[MOUNT_ROOT], "/ ", 2) != 0)
		return;
	type += 3;
	n = strcspn(field[MOUNT_POINT], " ");
	if (n >= GROUP_PATH_MAX)
		return;
	if (!strncmp(type, "cgroup2 ", 8))
		set_mount(out->unified, field[MOUNT_POINT], n);
	if (strncmp(type, "cgroup ", 7) != 0)
		return;
	if (has_word(type, (size_t)(end - type), ", ", "cpu"))
		set_mount(out->cpu, field[MOUNT_POINT], n);
	if (has_word(type, (size_t)(end - type), ", ", "memory"))
		set_mount(out->memory, field[MOUNT_POINT], n);
	if (has_word(type, (size_t)(end - type), ", ", "perf_event"))
		set_mount(out->perf, field[MOUNT_POINT], n);
	if (has_word(type, (size_t)(end - type), ", ", "freezer"))
		set_mount(out->freezer, field[MOUNT_POINT], n);
}

void group_file_parse_mounts(const char *text, struct group_mounts *out)
{
	*out = (struct group_mounts){.cpu = ""};
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		parse_mount(text, len, out);
	}
}

#define MOUNTS_MAX (1 << 20)

void group_file_find_mounts(struct group_mounts *mounts, int proc_fd, struct strbuf *text)
{
	if (mounts->known || file_read_lines(proc_fd, "self/mountinfo", MOUNTS_MAX, text) <= 0)
		return;
	group_file_parse_mounts(text->text, mounts);
	mounts->known = true;
}

bool group_file_parse_path(const char *text, const char *controller, char path[GROUP_PATH_MAX])
{
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		const char *list = memchr(text, ':', len = strcspn(text, "\n"));
		const char *at =
			list ? memchr(list + 1, ':', len - (size_t)(list + 1 - text)) : NULL;
		size_t n;

		if (!at)
			return false;
		list++;
		if (controller ? !has_word(list, (size_t)(at - list), ",", controller) : at != list)
			continue;
		n = len - (size_t)(++at - text);
		/* A path that begins with "/.." is outside of this cgroup namespace. */
		if (!n || n >= GROUP_PATH_MAX || at[0] != '/' || !strncmp(at, "/..", 3))
			return false;
		snprintf(path, GROUP_PATH_MAX, "%.*s", (int)n, at);
		return true;
	}
	return false;
}

static bool find_number(const char *text, const char *key, uint64_t *number)
{
	const char *at = strstr(text, key);

	return at && (at == text || at[-1] == '\n' || at[-1] == ' ') &&
	       sscanf(at + strlen(key), "%" SCNu64, number) == 1;
}

bool group_file_parse_throttled(const char *text, uint64_t *ns)
{
	if (find_number(text, "throttled_time ", ns))
		return true;
	if (!find_number(text, "throttled_usec ", ns))
		return false;
	*ns *= 1000;
	return true;
}

bool group_file_parse_pressure(const char *text, uint64_t *ns)
{
	if (strncmp(text, "some ", 5) != 0 || !find_number(text, "total=", ns))
		return false;
	*ns *= 1000;
	return true;
}

bool group_file_parse_frozen(const char *text)
{
	uint64_t frozen;

	return (find_number(text, "frozen ", &frozen) && frozen) || !strcmp(text, "FROZEN\n");
}

#define FILE_MAX 4096

static void set(struct detail_wait *out, enum detail_count i, uint64_t ns)
{
	out->count[i] = ns;
	out->known |= 1u << i;
}

/* Sums up the throttled time of the group and all groups above it; changes `group`. A task in the
 * root has no quota: 0. */
static void read_throttled(const char *mount, char *group, struct strbuf *text,
			   struct detail_wait *out)
{
	uint64_t sum = 0, ns;
	bool known = !strcmp(group, "/");
	char path[2 * GROUP_PATH_MAX + 16];

	while (*group && strcmp(group, "/") != 0) {
		snprintf(path, sizeof path, "%s%s/cpu.stat", mount, group);
		if (file_read_all(AT_FDCWD, path, FILE_MAX, text) > 0 &&
		    group_file_parse_throttled(text->text, &ns)) {
			sum += ns;
			known = true;
		}
		*strrchr(group, '/') = '\0';
	}
	if (known)
		set(out, DETAIL_THROTTLED_NS, sum);
}

static void read_pressure(const char *mount, const char *group, int proc_fd, struct strbuf *text,
			  struct detail_wait *out)
{
	static const struct {
		const char *name;
		enum detail_count count;
	} files[] = {{"cpu", DETAIL_CPU_PRESSURE_NS},
		     {"io", DETAIL_IO_PRESSURE_NS},
		     {"memory", DETAIL_MEMORY_PRESSURE_NS}};
	const bool root = !strcmp(group, "/");

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[2 * GROUP_PATH_MAX + 32];
		uint64_t ns;

		if (root)
			snprintf(path, sizeof path, "pressure/%s", files[i].name);
		else
			snprintf(path, sizeof path, "%s%s/%s.pressure", mount, group,
				 files[i].name);
		if (file_read_all(proc_fd, path, FILE_MAX, text) > 0 &&
		    group_file_parse_pressure(text->text, &ns))
			set(out, files[i].count, ns);
	}
}

static bool read_frozen(const char *mount, const char *group, const char *file, struct strbuf *text)
{
	char path[2 * GROUP_PATH_MAX + 16];

	snprintf(path, sizeof path, "%s%s/%s", mount, group, file);
	return file_read_all(AT_FDCWD, path, FILE_MAX, text) > 0 &&
	       group_file_parse_frozen(text->text);
}

void group_file_read(struct group_mounts *mounts, int proc_fd, struct strbuf *text,
		     struct detail_wait *out)
{
	char older[GROUP_PATH_MAX], unified[GROUP_PATH_MAX], freezer[GROUP_PATH_MAX];
	const bool has_older = group_file_parse_path(text->text, "cpu", older);
	const bool has_unified = group_file_parse_path(text->text, NULL, unified);
	const bool has_freezer = group_file_parse_path(text->text, "freezer", freezer);

	group_file_find_mounts(mounts, proc_fd, text);
	if (mounts->freezer[0] && has_freezer)
		out->frozen = read_frozen(mounts->freezer, freezer, "freezer.state", text);
	/* read_throttled() changes the path, so it comes last. */
	if (mounts->unified[0] && has_unified) {
		out->frozen |= read_frozen(mounts->unified, unified, "cgroup.events", text);
		read_pressure(mounts->unified, unified, proc_fd, text, out);
		if (!mounts->cpu[0])
			read_throttled(mounts->unified, unified, text, out);
	}
	if (mounts->cpu[0] && has_older)
		read_throttled(mounts->cpu, older, text, out);
}

/* ---- memory ---- */

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

/* Reads a file of the control group that has one number, of bytes. Returns 0, or -errno. */
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
