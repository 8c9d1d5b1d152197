/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/pmu_instances.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "collect/cpu/cpu_place.h"

/* Longer than a list that has every second CPU. */
#define LIST_MAX (1 << 16)

void boxes_init(struct boxes *b, const struct machine *machine)
{
	*b = (struct boxes){.machine = machine};
	strbuf_init(&b->online);
}

static void forget_pmus(struct boxes *b)
{
	for (size_t i = 0; i < b->n_pmus; i++) {
		free(b->pmu[i].name);
		strbuf_done(&b->pmu[i].cpus);
	}
	b->n_pmus = 0;
}

void boxes_done(struct boxes *b)
{
	forget_pmus(b);
	strbuf_done(&b->online);
	free(b->pmu);
	free(b->v);
	free(b->socket);
}

/* Reads a file anew. Whether its text is another one than before. */
static bool read_again(struct strbuf *text, const char *folder, const char *name, const char *file)
{
	char *path = xasprintf("%s/%s/%s", folder, name, file);
	struct strbuf now;
	bool other;

	strbuf_init(&now);
	file_read_all(AT_FDCWD, path, LIST_MAX, &now);
	free(path);
	other = strcmp(now.text, text->text) != 0;
	strbuf_done(text);
	*text = now;
	return other;
}

static bool has_type(const struct machine *m, const char *pmu, uint32_t *type)
{
	char *path = xasprintf("%s/%s/type", m->host->devices, pmu), text[32], *end;
	const ssize_t n = file_read(AT_FDCWD, path, text, sizeof text);

	free(path);
	if (n <= 0)
		return false;
	*type = (uint32_t)strtoul(text, &end, 10);
	return end > text;
}

/* Lists all PMUs of the machine. */
static void list_pmus(struct boxes *b)
{
	struct folder pmus;
	const char *name;
	uint32_t type;

	forget_pmus(b);
	folder_open(&pmus, "%s", b->machine->host->devices);
	while ((name = folder_next(&pmus))) {
		if (!has_type(b->machine, name, &type))
			continue;
		b->pmu = xgrow(b->pmu, &b->cap_pmus, b->n_pmus + 1, sizeof *b->pmu);
		b->pmu[b->n_pmus] = (struct box_pmu){.name = xstrdup(name), .type = type};
		strbuf_init(&b->pmu[b->n_pmus++].cpus);
	}
}

static const char *name_of(const struct boxes *b, uint32_t type)
{
	for (size_t i = 0; i < b->n_pmus; i++)
		if (b->pmu[i].type == type)
			return b->pmu[i].name;
	return "";
}

/* Keeps those that count something. */
static void drop_others(struct boxes *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_pmus; i++) {
		if (b->pmu[i].events) {
			b->pmu[n++] = b->pmu[i];
			continue;
		}
		free(b->pmu[i].name);
		strbuf_done(&b->pmu[i].cpus);
	}
	b->n_pmus = n;
}

void boxes_find(struct boxes *b, const struct event_set *set)
{
	list_pmus(b);
	for (int i = 0; i < set->n; i++) {
		const struct event *e = &set->event[i];
		const char *one = name_of(b, e->type);

		if (e->quality != QUALITY_EXACT || !e->shared)
			continue;
		for (size_t k = 0; k < b->n_pmus; k++)
			if (event_sysfs_is_of(b->pmu[k].name, one, e->several))
				b->pmu[k].events |= 1ull << i;
	}
	drop_others(b);
	strbuf_reset(&b->online);
	b->n = b->n_sockets = 0;
}

static void note_socket(struct boxes *b, long socket)
{
	size_t i = b->n_sockets;

	while (i > 0 && b->socket[i - 1] > socket)
		i--;
	if (socket < 0 || (i > 0 && b->socket[i - 1] == socket))
		return;
	b->socket = xgrow(b->socket, &b->cap_sockets, b->n_sockets + 1, sizeof *b->socket);
	memmove(&b->socket[i + 1], &b->socket[i], (b->n_sockets++ - i) * sizeof *b->socket);
	b->socket[i] = socket;
}

static long socket_of(const struct boxes *b, int cpu)
{
	struct place place;

	place_find(&place, b->machine, cpu);
	return place.socket;
}

static void list_sockets(struct boxes *b)
{
	struct cpu_list online;

	b->n_sockets = 0;
	cpu_list_parse(&online, b->online.text);
	for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
		if (cpu_list_has(&online, cpu))
			note_socket(b, socket_of(b, cpu));
}

static void add_boxes(struct boxes *b, const struct box_pmu *pmu, int cpu)
{
	const long socket = socket_of(b, cpu);

	for (uint64_t left = socket < 0 ? 0 : pmu->events; left; left &= left - 1) {
		b->v = xgrow(b->v, &b->cap, b->n + 1, sizeof *b->v);
		b->v[b->n++] = (struct box){__builtin_ctzll(left), pmu->type, cpu, socket};
	}
}

static int compare(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return x->cpu != y->cpu ? x->cpu - y->cpu : x->event - y->event;
}

bool boxes_look(struct boxes *b)
{
	const struct event_host *host = b->machine->host;
	bool other = read_again(&b->online, host->cpus, ".", "online");

	for (size_t i = 0; i < b->n_pmus; i++)
		other |= read_again(&b->pmu[i].cpus, host->devices, b->pmu[i].name, "cpumask");
	if (!other)
		return false;
	list_sockets(b);
	b->n = 0;
	for (size_t i = 0; i < b->n_pmus; i++) {
		struct cpu_list cpus;

		cpu_list_parse(&cpus, b->pmu[i].cpus.text);
		for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
			if (cpu_list_has(&cpus, cpu))
				add_boxes(b, &b->pmu[i], cpu);
	}
	if (b->n)
		qsort(b->v, b->n, sizeof *b->v, compare);
	return true;
}
