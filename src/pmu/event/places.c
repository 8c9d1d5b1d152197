/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/places.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "pmu/perf/affinity.h"

/* More levels than any CPU has, with those of instructions. */
#define CACHES_MAX 16

struct places {
	const char *cpus; /* the folder */
	struct sample_place *v;
	int n;
};

/* The text of a file in the folder of the CPUs; false: there is none. */
static bool read_text(const struct places *p, struct strbuf *out, const char *path)
{
	char *whole = xasprintf("%s/%s", p->cpus, path);
	const ssize_t n = file_read_all(AT_FDCWD, whole, 1 << 16, out);

	free(whole);
	return n > 0;
}

/* Reads the list of those that share something. */
static void read_list(struct places *p, const char *path, enum sample_share what)
{
	struct strbuf text;
	struct cpu_list list;
	int first = -1;

	strbuf_init(&text);
	cpu_list_parse(&list, read_text(p, &text, path) ? text.text : "");
	for (int cpu = 0; cpu < p->n; cpu++) {
		if (!cpu_list_has(&list, cpu))
			continue;
		if (first < 0)
			first = cpu;
		p->v[cpu].first[what] = (int16_t)first;
	}
	strbuf_done(&text);
}

static void read_core(struct places *p, int cpu)
{
	char *path = xasprintf("cpu%d/topology/thread_siblings_list", cpu);

	read_list(p, path, SHARE_CORE);
	free(path);
}

/* The level of a cache; 0: there is none with this index. */
static int read_level(const struct places *p, int cpu, int index)
{
	char *path = xasprintf("cpu%d/cache/index%d/level", cpu, index);
	struct strbuf text;
	int level = 0;

	strbuf_init(&text);
	if (read_text(p, &text, path))
		level = (int)strtol(text.text, NULL, 10);
	strbuf_done(&text);
	free(path);
	return level;
}

static void read_caches(struct places *p, int cpu)
{
	int level = 1;

	for (int i = 0; i < CACHES_MAX && level > 0; i++) {
		char *path;

		level = read_level(p, cpu, i);
		if (level != 2 && level != 3)
			continue;
		path = xasprintf("cpu%d/cache/index%d/shared_cpu_list", cpu, i);
		read_list(p, path, level == 2 ? SHARE_L2 : SHARE_L3);
		free(path);
	}
}

static void read_nodes(struct places *p)
{
	struct folder nodes;
	const char *name;

	folder_open(&nodes, "%s/../node", p->cpus);
	while ((name = folder_next(&nodes))) {
		char *path;

		if (strncmp(name, "node", 4) || !isdigit((unsigned char)name[4]))
			continue;
		path = xasprintf("../node/%s/cpulist", name);
		read_list(p, path, SHARE_NODE);
		free(path);
	}
}

/* The number behind the last CPU that is online. */
static int count_cpus(const struct places *p, struct cpu_list *online)
{
	struct strbuf text;
	int n = 0;

	strbuf_init(&text);
	cpu_list_parse(online, read_text(p, &text, "online") ? text.text : "");
	strbuf_done(&text);
	for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
		if (cpu_list_has(online, cpu))
			n = cpu + 1;
	return n;
}

int places_read(const struct event_host *host, struct sample_place **out)
{
	struct places p = {.cpus = host->cpus};
	struct cpu_list online;

	p.n = count_cpus(&p, &online);
	p.v = p.n ? xcalloc((size_t)p.n, sizeof *p.v) : NULL;
	for (int cpu = 0; cpu < p.n; cpu++)
		for (int share = 0; share < SHARE_CPU; share++)
			p.v[cpu].first[share] = -1;
	for (int cpu = 0; cpu < p.n; cpu++) {
		if (!cpu_list_has(&online, cpu))
			continue;
		if (p.v[cpu].first[SHARE_CORE] < 0)
			read_core(&p, cpu);
		if (p.v[cpu].first[SHARE_L2] < 0 || p.v[cpu].first[SHARE_L3] < 0)
			read_caches(&p, cpu);
	}
	if (p.n)
		read_nodes(&p);
	*out = p.v;
	return p.n;
}
