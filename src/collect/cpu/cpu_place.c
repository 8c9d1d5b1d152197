/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/cpu_place.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"

/* Reads the number at the beginning of a topology file of the CPU; -1: none. */
static long read_number(const struct machine *m, int cpu, const char *name)
{
	char *path = xasprintf("%s/cpu%d/topology/%s", m->host->cpus, cpu, name), text[64], *end;
	ssize_t n = file_read(AT_FDCWD, path, text, sizeof text);
	long number = n > 0 ? strtol(text, &end, 10) : -1;

	free(path);
	return n > 0 && end > text ? number : -1;
}

static int find_kind(const struct machine *m, int cpu)
{
	for (int k = 0; k < m->n_cores; k++)
		if (!machine_is_hybrid(m) || cpu_list_has(&m->core[k].cpus, cpu))
			return k;
	return -1;
}

void place_find(struct place *out, const struct machine *machine, int cpu)
{
	out->core = read_number(machine, cpu, "thread_siblings_list");
	out->socket = read_number(machine, cpu, "physical_package_id");
	out->kind = find_kind(machine, cpu);
}

void place_add(struct strbuf *out, const struct machine *machine, const struct place *place)
{
	size_t start = out->len;

	if (place->socket >= 0)
		strbuf_addf(out, "socket %ld", place->socket);
	if (place->core >= 0)
		strbuf_addf(out, "%score %ld", out->len > start ? ", " : "", place->core);
	if (out->len == start)
		strbuf_addch(out, '?');
	if (place->kind >= 0 && machine_is_hybrid(machine))
		strbuf_addf(out, " (%s)", machine_pmu(machine, place->kind));
}
