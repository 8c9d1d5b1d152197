/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/resctrl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"

/* Limits: number of L3 caches, bytes of a file `tasks`, bytes of any other file. */
#define DOMAINS_MAX 64
#define TASKS_MAX   (1 << 20)
#define FILE_MAX    64

static const char *const usage_files[N_RESCTRL_NUMBERS] = {
	[RESCTRL_OCCUPANCY] = "llc_occupancy",
	[RESCTRL_TOTAL] = "mbm_total_bytes",
	[RESCTRL_LOCAL] = "mbm_local_bytes",
};

/* Texts that the kernel writes in place of a number. */
static const struct {
	const char *text;
	enum resctrl_why why;
} words[] = {
	{"Unavailable", RESCTRL_UNAVAILABLE},
	{"Error", RESCTRL_ERROR},
	{"Unassigned", RESCTRL_UNASSIGNED},
};

/* ---- one file ---- */

static ssize_t read_file(const struct resctrl_look *look, const char *group, const char *file,
			 size_t max)
{
	char *path = xasprintf("%s%s/%s", look->mount, group, file);
	const ssize_t n = file_read_lines(AT_FDCWD, path, max, look->text);

	free(path);
	return n;
}

static enum resctrl_why parse_number(const char *text, uint64_t *number)
{
	char *end;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(text, words[i].text, strlen(words[i].text)))
			return words[i].why;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return end == text || *text == '-' || errno || (*end && *end != '\n') ? RESCTRL_UNREADABLE
									      : RESCTRL_KNOWN;
}

/* Adds number i of one L3 to the sum over all L3. The sum is known only if the number of each L3 is
 * known. */
static void add_domain(const struct resctrl_look *look, struct resctrl_group *g, const char *domain,
		       int i)
{
	char *file = xasprintf("mon_data/%s/%s", domain, usage_files[i]);
	const ssize_t n = read_file(look, g->name, file, FILE_MAX);
	enum resctrl_why why = RESCTRL_UNREADABLE;
	uint64_t number = 0;

	if (n > 0)
		why = parse_number(look->text->text, &number);
	else if (n == -ENOENT)
		why = RESCTRL_ABSENT;
	free(file);
	g->sum[i] += number;
	if (g->sum_why[i] == RESCTRL_KNOWN)
		g->sum_why[i] = why;
}

static void read_numbers(const struct resctrl_look *look, struct resctrl_group *g)
{
	struct folder data;
	const char *name;
	int n = 0;

	folder_open(&data, "%s%s/mon_data", look->mount, g->name);
	while ((name = folder_next(&data))) {
		if (strncmp(name, "mon_L3_", 7) != 0 || n++ >= DOMAINS_MAX)
			continue;
		for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
			add_domain(look, g, name, i);
	}
	for (int i = 0; (n == 0 || n > DOMAINS_MAX) && i < N_RESCTRL_NUMBERS; i++)
		g->sum_why[i] = n ? RESCTRL_UNREADABLE : RESCTRL_ABSENT;
}

/* ---- its tasks ---- */

static bool is_own(const struct resctrl_look *look, long tid)
{
	for (size_t i = 0; i < look->n_tids; i++)
		if (look->tid[i] == tid)
			return true;
	return false;
}

static void read_tasks(const struct resctrl_look *look, struct resctrl_group *g)
{
	ssize_t n;

	if (!*g->name)
		return;
	n = read_file(look, g->name, "cpus_list", FILE_MAX);
	g->has_cpus = n < 0 || look->text->text[strspn(look->text->text, " \n")];
	n = read_file(look, g->name, "tasks", TASKS_MAX);
	g->tasks_known = n >= 0 && n <= TASKS_MAX;
	if (!g->tasks_known)
		return;
	for (char *at = look->text->text, *end;; at = end) {
		const long tid = strtol(at, &end, 10);

		if (end == at)
			break;
		g->n_tasks++;
		g->n_own += is_own(look, tid);
	}
}

/* ---- all groups ---- */

/* Sets a rate from two sums. Counters of the kernel do not wrap: if the sum is less than before,
 * another group has this name, or the hardware has lost its counts. */
static void set_rate(struct resctrl_group *g, const struct resctrl_group *before, int i)
{
	g->why[i] = g->sum_why[i];
	if (g->why[i] != RESCTRL_KNOWN)
		return;
	if (!before || before->sum_why[i] != RESCTRL_KNOWN || g->mono_ns <= before->mono_ns)
		g->why[i] = RESCTRL_FIRST;
	else if (g->sum[i] < before->sum[i])
		g->why[i] = RESCTRL_RESET;
	else
		g->number[i] = (double)(g->sum[i] - before->sum[i]) * 1e9 /
			       (double)(g->mono_ns - before->mono_ns);
}

static const struct resctrl_group *find(const struct resctrl *r, const struct resctrl_group *g)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->group[i].name, g->name) && r->group[i].inode == g->inode)
			return &r->group[i];
	return NULL;
}

struct reading {
	const struct resctrl_look *look;
	const struct resctrl *before;
	struct resctrl *out;
};

/* Adds a group, unless it has been removed meanwhile; without room for it, only counts it in
 * n_more. */
static void add_group(const struct reading *r, const char *name)
{
	struct resctrl_group g = {.mono_ns = r->look->mono_ns};
	char *path = xasprintf("%s%s", r->look->mount, name);
	struct stat st;
	const bool is_there = !stat(path, &st) && S_ISDIR(st.st_mode);

	free(path);
	if (!is_there)
		return;
	if (r->out->n == RESCTRL_GROUPS_MAX || strlen(name) >= sizeof g.name) {
		r->out->n_more++;
		return;
	}
	snprintf(g.name, sizeof g.name, "%s", name);
	g.inode = st.st_ino;
	read_tasks(r->look, &g);
	read_numbers(r->look, &g);
	g.why[RESCTRL_OCCUPANCY] = g.sum_why[RESCTRL_OCCUPANCY];
	g.number[RESCTRL_OCCUPANCY] = (double)g.sum[RESCTRL_OCCUPANCY];
	for (int i = RESCTRL_TOTAL; i < N_RESCTRL_NUMBERS; i++)
		set_rate(&g, find(r->before, &g), i);
	r->out->group[r->out->n++] = g;
}

static void add_with_subgroups(const struct reading *r, const char *group)
{
	struct folder parts;
	const char *name;

	add_group(r, group);
	folder_open(&parts, "%s%s/mon_groups", r->look->mount, group);
	while ((name = folder_next(&parts))) {
		char *path = xasprintf("%s/mon_groups/%s", group, name);

		add_group(r, path);
		free(path);
	}
}

/* Moves the group of the task to the front: of the groups that have threads of the task, the one
 * with the longest path. If no group below the root has one, it is the root group, which is certain
 * only if the tasks of all groups are known. */
static void put_own_first(struct resctrl *r)
{
	struct resctrl_group own;
	bool all = !r->n_more;
	size_t at = 0;

	for (size_t i = 1; i < r->n; i++) {
		all = all && r->group[i].tasks_known;
		if (r->group[i].n_own && strlen(r->group[i].name) >= strlen(r->group[at].name))
			at = i;
	}
	r->own_known = at || all;
	own = r->group[at];
	memmove(&r->group[1], &r->group[0], at * sizeof own);
	r->group[0] = own;
}

void resctrl_read(const struct resctrl_look *look, struct resctrl *io)
{
	struct resctrl *before = xmalloc(sizeof *before);
	const struct reading r = {look, before, io};
	struct folder groups;
	const char *name;

	*before = *io;
	*io = (struct resctrl){.mounted = false};
	/* Without a mount the folder is empty; without monitoring it has no mon_data. */
	if (folder_open(&groups, "%s/mon_data", look->mount) >= 0) {
		io->mounted = true;
		while (folder_next(&groups))
			;
		add_with_subgroups(&r, "");
		folder_open(&groups, "%s", look->mount);
		while ((name = folder_next(&groups))) {
			char *path = xasprintf("/%s", name);

			if (strcmp(name, "info") && strcmp(name, "mon_groups") &&
			    strcmp(name, "mon_data"))
				add_with_subgroups(&r, path);
			free(path);
		}
		if (io->n)
			put_own_first(io);
	}
	free(before);
}

void resctrl_read_here(struct proc *proc, const struct pid_list *own, struct resctrl *io)
{
	struct strbuf text;

	strbuf_init(&text);
	resctrl_read(&(struct resctrl_look){.mount = RESCTRL_MOUNT,
					    .mono_ns = proc->now(proc),
					    .tid = own->v,
					    .n_tids = own->n,
					    .text = &text},
		     io);
	strbuf_done(&text);
}
