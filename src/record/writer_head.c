/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: what a sample says of itself and of its machine. */
#include "record/writer_part.h"

static int add_cpu_use(struct record_writer *w, const struct cpu_ticks *cpu, struct err *err)
{
	struct writer_row row = {w->cpu_use, 0};

	writer_put_number(&row, (uint64_t)w->next_sample);
	writer_put_number(&row, (uint64_t)cpu->cpu);
	for (int i = 0; i < N_CPU_STATES; i++)
		writer_put_number(&row, cpu->in[i]);
	return record_db_run(&w->db, w->cpu_use, err);
}

static void put_memory(struct writer_row *row, const struct machine_use *use)
{
	const struct memory_use *m = &use->memory;
	const uint64_t kb[] = {m->total, m->free, m->available, m->swap_total, m->swap_free};

	writer_put_number(row, (uint64_t)use->memory_error);
	for (size_t i = 0; i < sizeof kb / sizeof *kb; i++)
		writer_put_number(row, kb[i]);
}

/* What nobody wanted to know is NULL. */
static void put_use(struct writer_row *row, const struct machine_use *use)
{
	if (use->wanted) {
		writer_put_number(row, (uint64_t)use->cpu_error);
		put_memory(row, use);
	}
	while (row->column < SAMPLE_TICK_NS)
		writer_put_null(row);
}

int writer_add_head(struct record_writer *w, const struct sample *s,
		    const struct writer_begin *begin, struct err *err)
{
	const uint64_t numbers[] = {(uint64_t)w->next_sample,
				    (uint64_t)w->run,
				    s->wall_ns,
				    s->mono_ns,
				    s->boot_ns,
				    s->generation,
				    s->number,
				    s->last,
				    s->threads};
	const double loads[] = {s->host.uptime_s, s->host.load1, s->host.load5, s->host.load15};
	const uint64_t rest[] = {
		(uint64_t)s->host.n_cpus, s->host.mem_total_kb,  s->n_left_out,
		(uint64_t)begin->reading, (uint64_t)begin->task, (uint64_t)s->host.n_running};
	struct writer_row row = {w->sample, 0};
	int ret;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		writer_put_number(&row, numbers[i]);
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		writer_put_real(&row, loads[i]);
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		writer_put_number(&row, rest[i]);
	put_use(&row, &s->use);
	writer_put_number(&row, s->host.tick_ns);
	ret = record_db_run(&w->db, w->sample, err);
	for (size_t i = 0; s->use.wanted && i < s->use.n_cpus && !ret; i++)
		ret = add_cpu_use(w, &s->use.cpu[i], err);
	return ret;
}
