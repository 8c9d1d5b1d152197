/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_child - runs a test as if on another CPU, in a child process. $LIBPFM_FORCE_PMU selects the
 * CPU in libpfm4; sysfs is made up, and the PMU opens all events, or none.
 */
#ifndef TESTS_CPU_CHILD_H
#define TESTS_CPU_CHILD_H

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "fake_sysfs.h"
#include "known_cpus.h"
#include "pmu/event/machine.h"

struct played_cpu {
	const char *cpu;                /* in the syntax of cpu_parse() */
	const char *tables;             /* of libpfm4 */
	const struct pmu_files *pmu[3]; /* no files: the CPU is known, but has no counters at all */
};

/* CPUs in addition to case_table, one model for each pattern of models. */
static const struct played_cpu played_table[] = {
	{"x86:06_25", "wsm", {&intel_old}},
	{"x86:06_2E", "nhm_ex", {&intel_old}},
	{"x86:06_2F", "wsm_dp", {&intel_old}},
	{"x86:06_3E", "ivb_ep", {&skylake}},
	{"x86:06_3F", "hsw_ep", {&skylake}},
	{"x86:06_45", "hsw", {&skylake}},
	{"x86:06_4F", "bdw_ep", {&skylake}},
	{"x86:06_56", "bdw_ep", {&skylake}},
	{"x86:06_4E", "skl", {&skylake}},
	{"x86:06_A5", "skl", {&skylake}},
	{"x86:06_55", "clx", {&skylake}},
	{"x86:06_6A", "icx", {&ice_lake}},
	{"x86:06_8C", "icl", {&ice_lake}},
	{"x86:06_CF", "spr", {&ice_lake}},
	{"x86:06_9A", NO_TABLES, {&gracemont, &golden_cove}},
	{"x86:06_B7", NO_TABLES, {&gracemont, &golden_cove}},
	{"x86:06_97", NO_TABLES, {&golden_cove}},
	{"x86:06_97", NO_TABLES, {&intel_old}},
	{"x86:06_B5", NO_TABLES, {&crestmont, &golden_cove}},
	{"x86:06_C6", NO_TABLES, {&skymont, &golden_cove}},
	{"x86:06_D5", NO_TABLES, {&skymont, &golden_cove}},
	{"x86:06_AE", NO_TABLES, {&ice_lake}},
	{"x86:06_86", "tmt", {&tremont}},
	{"x86:06_96", "tmt", {&tremont}},
	{"x86:06_B6", NO_TABLES, {&crestmont_alone}},
	{"x86:06_5C", "glm", {&skylake}},
	{"x86:17_18", "amd64_fam17h_zen1", {&zen}},
	{"x86:17_47", "amd64_fam17h_zen2", {&zen}},
	{"x86:17_60", NO_TABLES, {&zen}},
	{"x86:17_71", "amd64_fam17h_zen2", {&zen}},
	{"x86:17_90", NO_TABLES, {&zen}},
	{"x86:17_91", NO_TABLES, {&zen}},
	{"x86:17_A0", NO_TABLES, {&zen}},
	{"x86:19_21", "amd64_fam19h_zen3", {&zen}},
	{"x86:19_30", NO_TABLES, {&zen}},
	{"x86:19_44", NO_TABLES, {&zen}},
	{"x86:19_50", NO_TABLES, {&zen}},
	{"x86:19_74", "amd64_fam19h_zen4", {&zen}},
	{"x86:19_80", NO_TABLES, {&zen}},
	{"x86:19_90", NO_TABLES, {&zen}},
	{"x86:19_A0", NO_TABLES, {&zen}},
	{"x86:1A_11", NO_TABLES, {&zen}},
	{"x86:1A_24", NO_TABLES, {&zen}},
	{"x86:1A_44", NO_TABLES, {&zen}},
	{"x86:1A_60", NO_TABLES, {&zen}},
	{"x86:1A_70", NO_TABLES, {&zen}},
	{"x86:1A_90", NO_TABLES, {&zen}},
	{"x86:1A_A8", NO_TABLES, {&zen}},
	{"x86:1A_C0", NO_TABLES, {&zen}},
	{"x86:1A_30", NO_TABLES, {&zen}},
	{"x86:10_02", NO_TABLES, {&zen}},
	{"x86:15_02", NO_TABLES, {&zen}},
	{"arm64:41_D49_R00", NO_TABLES, {&neoverse_v1}},
	{"arm64:41_D49_R01", NO_TABLES, {&neoverse_v1}},
	{"arm64:41_D0C_R31", NO_TABLES, {&neoverse_n1}},
	{"arm64:41_D4B", NO_TABLES, {&neoverse_n1}},
	{"arm64:41_D40", NO_TABLES, {NULL}},
	{"x86:06_97", NO_TABLES, {NULL}},
};

#define N_CASES       (sizeof case_table / sizeof *case_table)
#define N_PLAYED_CPUS (N_CASES + sizeof played_table / sizeof *played_table)

/* Returns the i-th CPU; those of case_table come first. */
static inline struct played_cpu played_cpu_at(size_t i)
{
	if (i >= N_CASES)
		return played_table[i - N_CASES];
	return (struct played_cpu){
		.cpu = case_table[i].cpu,
		.tables = case_table[i].tables,
		.pmu = {case_table[i].pmu[0], case_table[i].pmu[1], case_table[i].pmu[2]},
	};
}

static inline int open_anything(struct perf_sys *self, const struct perf_event_attr *attr,
				pid_t tid, int cpu, int group_fd, unsigned long flags)
{
	(void)self, (void)attr, (void)tid, (void)cpu, (void)group_fd, (void)flags;
	return 1000;
}

static inline int open_nothing(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid,
			       int cpu, int group_fd, unsigned long flags)
{
	(void)self, (void)attr, (void)tid, (void)cpu, (void)group_fd, (void)flags;
	return -ENOENT;
}

static inline int close_anything(struct perf_sys *self, int fd)
{
	(void)self, (void)fd;
	return 0;
}

static inline void add_pmu(struct fake_sysfs *f, const struct pmu_files *pmu)
{
	for (const char *line = pmu->files; *line; line += strcspn(line, "\n") + 1) {
		size_t name = strcspn(line, " "), len = strcspn(line, "\n") + 1;
		char *path = xasprintf("devices/%s/%.*s", pmu->name, (int)name, line);
		char *text = xstrndup(line + name + 1, len - name - 1);

		fake_sysfs_add(f, &(struct fake_file){path, text});
		free(path);
		free(text);
	}
}

/* A callback that runs on the simulated CPU, in the child, and appends its results. */
typedef void cpu_play(struct strbuf *out, const void *context, const struct machine *m,
		      struct perf_sys *sys);

static inline void cpu_child_play(struct strbuf *out, const struct played_cpu *c, cpu_play *play,
				  const void *context)
{
	struct perf_sys sys = {.open = c->pmu[0] ? open_anything : open_nothing,
			       .close = close_anything};
	struct fake_sysfs f;
	struct machine m;

	fake_sysfs_make(&f, NULL, 0);
	for (int i = 0; i < 3 && c->pmu[i]; i++)
		add_pmu(&f, c->pmu[i]);
	machine_init(&m, &f.host);
	if (!cpu_parse(&m.cpu, c->cpu))
		strbuf_addstr(out, "bad: the CPU cannot be read\n");
	play(out, context, &m, &sys);
	fake_sysfs_remove(&f);
}

/* Runs the callback in a child, and appends its results. */
static inline void cpu_child_ask(struct strbuf *out, const struct played_cpu *c, cpu_play *play,
				 const void *context)
{
	char buf[4096];
	int fd[2], status;
	ssize_t n;

	if (pipe(fd))
		abort();
	fflush(stdout);
	if (!fork()) {
		setenv("LIBPFM_FORCE_PMU", c->tables, 1);
		cpu_child_play(out, c, play, context);
		for (size_t at = 0; at < out->len; at += (size_t)n) {
			n = write(fd[1], out->text + at, out->len - at);
			if (n <= 0)
				_exit(1);
		}
		_exit(0);
	}
	close(fd[1]);
	while ((n = read(fd[0], buf, sizeof buf)) > 0)
		strbuf_add(out, buf, (size_t)n);
	close(fd[0]);
	if (wait(&status) < 0 || status)
		strbuf_addf(out, "bad: the child ended with %d\n", status);
}

#endif
