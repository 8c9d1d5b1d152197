/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control groups: the paths of their files, and the parsers of their contents. */
#include "collect/task/group_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tap.h"

static void test_mounts(void)
{
	struct group_mounts m;

	group_file_parse_mounts(
		"22 1 0:21 / /proc rw - proc proc rw\n"
		"30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
		&m);
	tap_str(m.unified, "/sys/fs/cgroup", "the unified hierarchy");
	tap_str(m.cpu, "", "and no older one");
	group_file_parse_mounts(
		"31 25 0:27 /a /x rw - cgroup2 cgroup2 rw\n"
		"32 25 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
		"33 25 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
		"36 25 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
		"34 25 0:30 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n"
		"35 25 0:31 / /sys/fs/cgroup/perf_event rw - cgroup none rw,perf_event\n"
		"37 25 0:33 / /sys/fs/cgroup/freezer rw - cgroup none rw,freezer\n"
		"35 25 0:31 /\n",
		&m);
	tap_str(m.cpu, "/sys/fs/cgroup/cpu", "that of CPU time, among several");
	tap_str(m.memory, "/sys/fs/cgroup/memory", "that of memory");
	tap_str(m.unified, "/sys/fs/cgroup/unified", "a part of a hierarchy is passed over");
	tap_str(m.perf, "/sys/fs/cgroup/perf_event", "the hierarchy that counts events");
	tap_str(m.freezer, "/sys/fs/cgroup/freezer", "the one that freezes");
}

#define ID     "/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define NESTED "0::/docker" ID "/kubelet" ID "/kubepods" ID "/pod" ID ID "\n"

static void test_paths(void)
{
	static const char text[] = "4:memory:/m\n3:cpuset:/s\n2:cpu,cpuacct:/c/d\n0::/u\n";
	char path[GROUP_PATH_MAX];

	tap_ok(group_file_parse_path(text, "cpu", path), "a path by its controller");
	tap_str(path, "/c/d", "is that of the controller, not of one whose name begins alike");
	tap_ok(group_file_parse_path(text, NULL, path), "a path in the unified hierarchy");
	tap_str(path, "/u", "is that");
	tap_ok(!group_file_parse_path(text, "blkio", path), "no such controller");
	tap_ok(!group_file_parse_path("0::/../x\n", NULL, path), "outside of what is seen here");
	tap_ok(!group_file_parse_path("nonsense\n", NULL, path), "a text that is none");
	tap_ok(group_file_parse_path(NESTED, NULL, path), "a path of containers in containers");
	tap_int((long)strlen(path), (long)strlen(NESTED) - 4, "whole");
}

static void test_numbers(void)
{
	uint64_t ns = 0;

	tap_ok(group_file_parse_throttled("usage_usec 7\nnr_throttled 3\nthrottled_usec 42\n", &ns),
	       "cpu.stat of the unified hierarchy");
	tap_int((long)ns, 42000, "is in us");
	tap_ok(group_file_parse_throttled("nr_periods 1\nnr_throttled 3\nthrottled_time 43\n", &ns),
	       "that of the older one");
	tap_int((long)ns, 43, "is in ns");
	tap_ok(!group_file_parse_throttled("usage_usec 7\n", &ns), "the root says nothing of it");
	tap_ok(group_file_parse_pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"
					 "full avg10=0.00 avg60=0.00 avg300=0.00 total=1\n",
					 &ns),
	       "pressure");
	tap_int((long)ns, 9000, "is that of some task, in us");
	tap_ok(!group_file_parse_pressure("", &ns), "where it is switched off, there is none");
}

static void test_frozen(void)
{
	tap_ok(group_file_parse_frozen("populated 1\nfrozen 1\n"), "cgroup.events: frozen");
	tap_ok(!group_file_parse_frozen("populated 1\nfrozen 0\n"), "not frozen");
	tap_ok(!group_file_parse_frozen("populated 1\n"), "before Linux 5.2 it does not say");
	tap_ok(group_file_parse_frozen("FROZEN\n"), "freezer.state: frozen");
	tap_ok(!group_file_parse_frozen("FREEZING\n"), "some of its tasks are not yet");
	tap_ok(!group_file_parse_frozen("THAWED\n"), "thawed");
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		tap_ok(false, "%s cannot be written", path);
	free(path);
}

static void remove_file(const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);

	remove(path);
	free(path);
}

/* A group within a group, each with a quota. */
static void test_read(void)
{
	char root[] = P_tmpdir "/tiptop-groups-XXXXXX", *outer, *inner;
	struct detail_wait w = {.known = 0};
	struct group_mounts m = {.known = true};
	struct strbuf text;

	if (!mkdtemp(root)) {
		tap_ok(false, "a folder can be made");
		return;
	}
	outer = xasprintf("%s/a", root);
	inner = xasprintf("%s/a/b", root);
	mkdir(outer, 0700);
	mkdir(inner, 0700);
	write_file(outer, "cpu.stat", "throttled_usec 5\n");
	write_file(inner, "cpu.stat", "throttled_usec 2\n");
	write_file(inner, "cgroup.events", "populated 1\nfrozen 1\n");
	write_file(inner, "io.pressure", "some avg10=0 avg60=0 avg300=0 total=3\n");
	snprintf(m.unified, sizeof m.unified, "%s", root);
	strbuf_init(&text);
	strbuf_addstr(&text, "0::/a/b\n");
	group_file_read(&m, AT_FDCWD, &text, &w);
	tap_int((long)w.known, 1 << DETAIL_THROTTLED_NS | 1 << DETAIL_IO_PRESSURE_NS,
		"what can be read is known, and nothing else");
	tap_int((long)w.count[DETAIL_THROTTLED_NS], 7000,
		"quotas of all groups on the way up count");
	tap_int((long)w.count[DETAIL_IO_PRESSURE_NS], 3000, "pressure is that of the group itself");
	tap_ok(w.frozen, "it is frozen");
	w = (struct detail_wait){.known = 0};
	strbuf_reset(&text);
	strbuf_addstr(&text, "9:freezer:/a\n");
	write_file(outer, "freezer.state", "FROZEN\n");
	snprintf(m.freezer, sizeof m.freezer, "%s", root);
	group_file_read(&m, AT_FDCWD, &text, &w);
	tap_ok(w.frozen, "so is the other one, in the older hierarchy");
	w = (struct detail_wait){.known = 0};
	strbuf_reset(&text);
	strbuf_addstr(&text, "0::/c\n");
	group_file_read(&m, AT_FDCWD, &text, &w);
	tap_int((long)w.known, 0, "of a group that is not there, nothing is known");
	strbuf_reset(&text);
	strbuf_addstr(&text, "0::/\n");
	group_file_read(&m, AT_FDCWD, &text, &w);
	tap_ok(w.known & 1 << DETAIL_THROTTLED_NS && !w.count[DETAIL_THROTTLED_NS],
	       "the root has no quota");
	strbuf_done(&text);
	remove_file(inner, "cpu.stat");
	remove_file(inner, "io.pressure");
	remove_file(inner, "cgroup.events");
	remove_file(outer, "freezer.state");
	remove_file(outer, "cpu.stat");
	remove(inner);
	remove(outer);
	remove(root);
	free(inner);
	free(outer);
}

int main(void)
{
	test_mounts();
	test_paths();
	test_numbers();
	test_frozen();
	test_read();
	return tap_done();
}
