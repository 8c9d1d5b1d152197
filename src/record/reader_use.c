/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: what CPUs and memory of a machine were used for, and which CPUs it had, and
 * where. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "record/reader_part.h"

/* The kernel knows no more. */
#define CPUS_MAX  8192
#define ERROR_MAX 4095

static uint64_t number_at(sqlite3_stmt *stmt, int column)
{
	return (uint64_t)sqlite3_column_int64(stmt, column);
}

/* What is no error of the kernel is one that has no name. */
static int error_at(sqlite3_stmt *stmt, int column)
{
	const uint64_t error = number_at(stmt, column);

	return error <= ERROR_MAX ? (int)error : ERROR_MAX;
}

static uint64_t at_most(uint64_t part, uint64_t all)
{
	return part < all ? part : all;
}

/* No part is larger than the whole, and no machine is without memory. */
static void check_memory(struct machine_use *use)
{
	struct memory_use *m = &use->memory;

	if (!m->total && !use->memory_error)
		use->memory_error = EINVAL;
	m->free = at_most(m->free, m->total);
	m->available = at_most(m->available, m->total);
	m->swap_free = at_most(m->swap_free, m->swap_total);
}

void reader_set_use(const struct record_reader *r, struct machine_use *out)
{
	sqlite3_stmt *stmt = r->sample;

	*out = (struct machine_use){
		.wanted = sqlite3_column_type(stmt, SAMPLE_CPU_ERROR) != SQLITE_NULL,
		.cpu_error = error_at(stmt, SAMPLE_CPU_ERROR),
		.memory_error = error_at(stmt, SAMPLE_MEMORY_ERROR),
		.memory = {.total = number_at(stmt, SAMPLE_MEMORY_KB),
			   .free = number_at(stmt, SAMPLE_MEMORY_FREE_KB),
			   .available = number_at(stmt, SAMPLE_MEMORY_AVAILABLE_KB),
			   .swap_total = number_at(stmt, SAMPLE_SWAP_KB),
			   .swap_free = number_at(stmt, SAMPLE_SWAP_FREE_KB)},
	};
	if (out->wanted)
		check_memory(out);
}

/* 1: there is a row, of a CPU that may be. CPUs come by number, each once. */
static int next_cpu(struct record_reader *r, sqlite3_stmt *stmt, int64_t last, struct err *err)
{
	int ret = reader_step(r, stmt, err);
	int64_t cpu;

	if (ret != 1)
		return ret;
	cpu = sqlite3_column_int64(stmt, 0);
	if (cpu > last && cpu < CPUS_MAX)
		return 1;
	reader_complain(r, "no machine has a CPU %lld", (long long)cpu);
	return 0;
}

int reader_add_cpus(struct record_reader *r, struct sample *out, struct err *err)
{
	struct cpu_ticks *cpu = NULL;
	struct err why = ERR_INIT;
	size_t n = 0, cap = 0;
	int ret;

	sqlite3_bind_int64(r->cpu_use, 1, r->now.id);
	while ((ret = next_cpu(r, r->cpu_use, n ? cpu[n - 1].cpu : -1, &why)) == 1) {
		cpu = xgrow(cpu, &cap, n + 1, sizeof *cpu);
		cpu[n].cpu = sqlite3_column_int(r->cpu_use, 0);
		for (int i = 0; i < N_CPU_STATES; i++)
			cpu[n].in[i] = number_at(r->cpu_use, 1 + i);
		n++;
	}
	sqlite3_reset(r->cpu_use);
	out->use.cpu = arena_copy(&out->arena, cpu, n * sizeof *cpu);
	out->use.n_cpus = n;
	free(cpu);
	return ret < 0 ? reader_pass_over(r, ret, &why, err) : 0;
}

int reader_load_cpus(struct record_reader *r, int64_t machine, uint8_t **kind, int *n,
		     struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int ret;

	*kind = NULL;
	*n = 0;
	if (r->db.version < 2)
		return 0;
	ret = record_db_prepare(&r->db, &stmt,
				"SELECT cpu, kind FROM machine_cpu WHERE machine = ? ORDER BY cpu",
				err);
	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, machine);
	while ((ret = next_cpu(r, stmt, *n - 1, err)) == 1 && sqlite3_column_int(stmt, 0) == *n) {
		*kind = xgrow(*kind, &cap, (size_t)*n + 1, sizeof **kind);
		(*kind)[(*n)++] = (uint8_t)sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

/* What is no CPU is not known. */
static int16_t first_at(sqlite3_stmt *stmt, int column)
{
	const int64_t cpu = sqlite3_column_int64(stmt, column);

	return sqlite3_column_type(stmt, column) == SQLITE_INTEGER && cpu >= 0 && cpu < CPUS_MAX
		       ? (int16_t)cpu
		       : -1;
}

int reader_load_places(struct record_reader *r, int64_t machine, struct sample_place **place,
		       int *n, struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int ret;

	*place = NULL;
	*n = 0;
	if (r->db.version < 3)
		return 0;
	ret = record_db_prepare(&r->db, &stmt,
				"SELECT cpu, node, l3, l2, core FROM machine_place "
				"WHERE machine = ? ORDER BY cpu",
				err);
	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, machine);
	while ((ret = next_cpu(r, stmt, *n - 1, err)) == 1 && sqlite3_column_int(stmt, 0) == *n) {
		*place = xgrow(*place, &cap, (size_t)*n + 1, sizeof **place);
		(*place)[*n].first[SHARE_NOTHING] = -1;
		for (int share = SHARE_NODE; share < SHARE_CPU; share++)
			(*place)[*n].first[share] = first_at(stmt, share);
		++*n;
	}
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}
