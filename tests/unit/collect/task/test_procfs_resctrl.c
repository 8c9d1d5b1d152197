/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cache occupancy and memory bandwidth of resctrl groups, from made-up folders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "collect/task/procfs.h"
#include "tap.h"

#define SECOND 1000000000u

static char root[64];
static struct strbuf scratch;

static void make_folder(const char *name)
{
	char *path = xasprintf("%s%s", root, name);

	if (mkdir(path, 0700))
		tap_ok(false, "%s cannot be made", path);
	free(path);
}

static void put(const char *group, const char *file, const char *text)
{
	char *path = xasprintf("%s%s/%s", root, group, file);
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		tap_ok(false, "%s cannot be written", path);
	free(path);
}

/* Writes the numbers of the group's two L3 caches; those of the second are constant. */
static void put_numbers(const char *group, const char *held, const char *total, const char *local)
{
	for (int l3 = 0; l3 < 2; l3++) {
		char folder[64];

		snprintf(folder, sizeof folder, "%s/mon_data/mon_L3_%02d", group, l3);
		put(folder, "llc_occupancy", l3 ? "1000\n" : held);
		put(folder, "mbm_total_bytes", l3 ? "5000\n" : total);
		if (local)
			put(folder, "mbm_local_bytes", l3 ? "500\n" : local);
	}
}

static void make_group(const char *group, const char *cpus, const char *tasks)
{
	static const char *const parts[] = {"/mon_data", "/mon_data/mon_L3_00",
					    "/mon_data/mon_L3_01"};

	if (*group)
		make_folder(group);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char *path = xasprintf("%s%s", group, parts[i]);

		make_folder(path);
		free(path);
	}
	put(group, "cpus_list", cpus);
	put(group, "tasks", tasks);
}

static void remove_group(const char *name)
{
	char *command = xasprintf("rm -rf '%s%s'", root, name);

	tap_int(system(command), 0, "%s is removed", *name ? name : "all");
	free(command);
}

/* Reads the groups for a process with the threads 10 and 11. */
static void look(struct resctrl *r, unsigned second)
{
	static const int tid[] = {10, 11};

	resctrl_read(&(struct resctrl_look){.mount = root,
					    .mono_ns = (uint64_t)second * SECOND,
					    .tid = tid,
					    .n_tids = 2,
					    .text = &scratch},
		     r);
}

static const struct resctrl_group *group_of(const struct resctrl *r, const char *name)
{
	static const struct resctrl_group none;

	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->group[i].name, name))
			return &r->group[i];
	return &none;
}

static void make_all(void)
{
	make_folder("");
	make_group("", "0-3\n", "1\n2\n");
	make_folder("/info");
	make_folder("/mon_groups");
	make_group("/mon_groups/watched", "\n", "30\n");
	make_group("/web", "\n", "10\n11\n12\n");
	make_folder("/web/mon_groups");
	make_group("/web/mon_groups/own", "\n", "10\n11\n");
	make_group("/batch", "2-3\n", "");
	put_numbers("", "Unavailable\n", "100\n", NULL);
	put_numbers("/mon_groups/watched", "77\n", "100\n", "Unassigned\n");
	put_numbers("/web", "3000\n", "10000\n", "1000\n");
	put_numbers("/web/mon_groups/own", "2000\n", "9000\n", "Error\n");
	put_numbers("/batch", "lots\n", "4\n", "4\n");
}

static void test_groups(struct resctrl *r)
{
	const struct resctrl_group *g;

	look(r, 1);
	tap_ok(r->mounted && r->n == 5 && !r->n_more, "all of them: %zu", r->n);
	tap_str(r->group[0].name, "/web/mon_groups/own", "that of the task comes first");
	tap_ok(r->own_known, "as is known");
	tap_int((long)r->group[0].n_own, 2, "it has both threads");
	tap_int((long)r->group[0].n_tasks, 2, "and no others");
	tap_ok(!r->group[0].has_cpus, "nor CPUs");
	g = group_of(r, "/web");
	tap_ok(g->n_tasks == 3 && g->n_own == 2, "the one above has another one");
	tap_ok(g->why[RESCTRL_OCCUPANCY] == RESCTRL_KNOWN, "what it holds is known");
	tap_num(g->number[RESCTRL_OCCUPANCY], 4000, "of both caches");
	tap_int(g->why[RESCTRL_TOTAL], RESCTRL_FIRST, "what it moves is not yet");
	tap_ok(group_of(r, "/batch")->has_cpus, "one that is of CPUs");
	tap_int(group_of(r, "")->why[RESCTRL_OCCUPANCY], RESCTRL_UNAVAILABLE, "unavailable");
	tap_int(group_of(r, "")->why[RESCTRL_LOCAL], RESCTRL_ABSENT, "what is not counted");
	tap_ok(!group_of(r, "")->tasks_known, "who is in the root is not asked");
	tap_int(r->group[0].why[RESCTRL_LOCAL], RESCTRL_ERROR, "an error");
	tap_int(group_of(r, "/mon_groups/watched")->why[RESCTRL_LOCAL], RESCTRL_UNASSIGNED,
		"without a counter");
	tap_int(group_of(r, "/batch")->why[RESCTRL_OCCUPANCY], RESCTRL_UNREADABLE, "no number");
}

static void test_rates(struct resctrl *r)
{
	put_numbers("/web", "3000\n", "14000\n", "900\n");
	look(r, 3);
	tap_int(group_of(r, "/web")->why[RESCTRL_TOTAL], RESCTRL_KNOWN, "of two looks");
	tap_num(group_of(r, "/web")->number[RESCTRL_TOTAL], 2000, "there is a rate");
	tap_int(group_of(r, "/web")->why[RESCTRL_LOCAL], RESCTRL_RESET, "one that restarts");
	tap_num(group_of(r, "/batch")->number[RESCTRL_TOTAL], 0, "nothing is 0");
	look(r, 4);
	tap_num(group_of(r, "/web")->number[RESCTRL_LOCAL], 0, "and goes on");
}

static void test_changes(struct resctrl *r)
{
	remove_group("/web/mon_groups/own");
	look(r, 5);
	tap_str(r->group[0].name, "/web", "one that vanishes: the task is in the one above");
	tap_int((long)r->n, 4, "and the others stay");
	/* A group is removed and created again under the same name. The other folder made in
	 * between prevents that the new one gets the inode number of the old one. */
	remove_group("/web");
	make_group("/spare", "\n", "");
	make_group("/web", "\n", "12\n");
	put_numbers("/web", "1\n", "90000\n", "90000\n");
	look(r, 6);
	tap_int(group_of(r, "/web")->why[RESCTRL_TOTAL], RESCTRL_FIRST,
		"another one with its name is another one");
	tap_str(r->group[0].name, "", "who is in none is in the root");
	tap_ok(r->own_known, "as is known");
	for (char name[] = "/ga"; name[2] < 'a' + RESCTRL_GROUPS_MAX; name[2]++)
		make_group(name, "\n", "");
	look(r, 7);
	tap_ok(r->n == RESCTRL_GROUPS_MAX && r->n_more, "too many are counted only: %zu",
	       r->n_more);
	tap_ok(!r->own_known, "and the task may be in one of these");
}

static void test_none(struct resctrl *r)
{
	remove_group("");
	look(r, 8);
	tap_ok(!r->mounted && !r->n, "where it is not mounted, nothing is known");
	make_folder("");
	look(r, 9);
	tap_ok(!r->mounted, "nor of an empty folder");
	rmdir(root);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	struct resctrl r = {.mounted = false};

	snprintf(root, sizeof root, "%s/resctrl.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(root) || rmdir(root))
		return 1;
	strbuf_init(&scratch);
	make_all();
	test_groups(&r);
	test_rates(&r);
	test_changes(&r);
	test_none(&r);
	strbuf_done(&scratch);
	return tap_done();
}
