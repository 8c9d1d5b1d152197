/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/own_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void cpu_done(struct cpu_name *c)
{
	free((char *)c->name);
	free((char *)c->models);
	free((char *)c->source);
	free((char *)c->place);
}

static void event_done(struct event_def *e)
{
	for (size_t i = 0; i < e->n_choices; i++) {
		const struct event_choice *c = &e->choice[i];

		free((char *)c->arch);
		free((char *)c->model);
		free((char *)c->event);
		free((char *)c->name);
		free((char *)c->source);
		free((char *)c->weight);
		free((char *)c->code);
	}
	free((struct event_choice *)e->choice);
	free((char *)e->name);
	free((char *)e->unit);
	free((char *)e->desc);
	free((char *)e->place);
}

void own_table_init(struct own_table *t, const struct event_table *below)
{
	*t = (struct own_table){.table = {.below = below}};
}

void own_table_done(struct own_table *t)
{
	for (size_t i = 0; i < t->table.n_cpus; i++)
		cpu_done(&t->cpu[i]);
	for (size_t i = 0; i < t->table.n_events; i++)
		event_done(&t->event[i]);
	free(t->cpu);
	free(t->event);
	own_table_init(t, NULL);
}

static void drop_cpu(struct own_table *t, const char *name)
{
	for (size_t i = 0; i < t->table.n_cpus; i++)
		if (!strcmp(t->cpu[i].name, name)) {
			cpu_done(&t->cpu[i]);
			memmove(&t->cpu[i], &t->cpu[i + 1],
				(--t->table.n_cpus - i) * sizeof *t->cpu);
			return;
		}
}

static void drop_event(struct own_table *t, const char *name)
{
	for (size_t i = 0; i < t->table.n_events; i++)
		if (!strcmp(t->event[i].name, name)) {
			event_done(&t->event[i]);
			memmove(&t->event[i], &t->event[i + 1],
				(--t->table.n_events - i) * sizeof *t->event);
			return;
		}
}

void own_table_add_cpu(struct own_table *t, const struct cpu_name *row)
{
	drop_cpu(t, row->name);
	t->cpu = xgrow(t->cpu, &t->cap_cpus, t->table.n_cpus + 1, sizeof *t->cpu);
	t->cpu[t->table.n_cpus++] = (struct cpu_name){
		.name = xstrdup_or_null(row->name),
		.models = xstrdup_or_null(row->models),
		.source = xstrdup_or_null(row->source),
		.place = xstrdup_or_null(row->place),
	};
	t->table.cpu = t->cpu;
}

void own_table_add_event(struct own_table *t, const struct event_def *row)
{
	drop_event(t, row->name);
	t->event = xgrow(t->event, &t->cap_events, t->table.n_events + 1, sizeof *t->event);
	t->event[t->table.n_events++] = (struct event_def){
		.name = xstrdup_or_null(row->name),
		.unit = xstrdup_or_null(row->unit),
		.desc = xstrdup_or_null(row->desc),
		.place = xstrdup_or_null(row->place),
	};
	t->table.event = t->event;
	t->cap_choices = 0;
}

void own_table_add_choice(struct own_table *t, const struct event_choice *row)
{
	struct event_def *e = &t->event[t->table.n_events - 1];
	struct event_choice *choice = xgrow((struct event_choice *)e->choice, &t->cap_choices,
					    e->n_choices + 1, sizeof *choice);

	choice[e->n_choices++] = (struct event_choice){
		.arch = xstrdup_or_null(row->arch),
		.model = xstrdup_or_null(row->model),
		.event = xstrdup_or_null(row->event),
		.name = xstrdup_or_null(row->name),
		.source = xstrdup_or_null(row->source),
		.weight = xstrdup_or_null(row->weight),
		.code = xstrdup_or_null(row->code),
	};
	e->choice = choice;
}
