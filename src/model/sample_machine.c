/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/sample_machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static size_t count_texts(const char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

static size_t texts_size(const char *const *list, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += strlen(list[i]) + 1;
	return size;
}

struct sample_machine *sample_machine_new(const struct sample_machine *from)
{
	const size_t n_cores = (size_t)from->n_cores, n_pmus = count_texts(from->pmu);
	const char *const single[] = {from->arch, from->model, from->boot_id, from->host};
	const size_t size = texts_size(single, sizeof single / sizeof *single) +
			    texts_size(from->core, n_cores) + texts_size(from->pmu, n_pmus) +
			    (size_t)from->n_cpus;
	const size_t places = (size_t)from->n_places * sizeof *from->place;
	struct sample_machine *m =
		xcalloc(1, sizeof *m + (n_cores + n_pmus + 1) * sizeof(char *) + places + size);
	const char **list = (const char **)(m + 1);
	struct sample_place *place = (struct sample_place *)(list + n_cores + n_pmus + 1);
	char *at = (char *)place + places;

	*m = *from;
	m->refs = 1;
	m->arch = mem_put_text(&at, from->arch);
	m->model = mem_put_text(&at, from->model);
	m->boot_id = mem_put_text(&at, from->boot_id);
	m->host = mem_put_text(&at, from->host);
	m->core = list;
	m->pmu = list + n_cores;
	for (size_t i = 0; i < n_cores; i++)
		list[i] = mem_put_text(&at, from->core[i]);
	for (size_t i = 0; i < n_pmus; i++)
		list[n_cores + i] = mem_put_text(&at, from->pmu[i]);
	m->place = place;
	if (places)
		memcpy(place, from->place, places);
	m->cpu_kind = (const uint8_t *)at;
	if (from->n_cpus)
		memcpy(at, from->cpu_kind, (size_t)from->n_cpus);
	return m;
}

int sample_machine_kind(const struct sample_machine *machine, int cpu)
{
	return machine && cpu >= 0 && cpu < machine->n_cpus ? machine->cpu_kind[cpu] : 0;
}

enum sample_share sample_machine_share(const struct sample_machine *machine, int a, int b)
{
	const int n = machine ? machine->n_places : 0;
	int share = SHARE_CORE;

	if (a < 0 || b < 0)
		return SHARE_NOTHING;
	if (a == b)
		return SHARE_CPU;
	if (a >= n || b >= n)
		return SHARE_NOTHING;
	while (share > SHARE_NOTHING &&
	       (machine->place[a].first[share] < 0 ||
		machine->place[a].first[share] != machine->place[b].first[share]))
		share--;
	return (enum sample_share)share;
}

struct sample_machine *sample_machine_ref(const struct sample_machine *machine)
{
	struct sample_machine *shared = (struct sample_machine *)machine;

	if (shared)
		shared->refs++;
	return shared;
}

void sample_machine_unref(const struct sample_machine *machine)
{
	struct sample_machine *shared = (struct sample_machine *)machine;

	if (shared && --shared->refs == 0)
		free(shared);
}
