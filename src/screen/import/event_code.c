/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/event_code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "pmu/event/name.h"

/* Fields of PERFEVTSEL: Intel SDM, volume 3, "Performance Monitoring". */
static const struct {
	const char *name;
	int shift;
	uint64_t max;
} field_table[] = {
	{"umask", 8, 0xff},
	{"edge", 18, 1},
	{"inv", 23, 1},
	{"cmask", 24, 0xff},
};

/* Intel's architectural events by their codes: Intel SDM, volume 3, "Architectural Performance
 * Monitoring"; reference cycles by the kernel's own: Linux arch/x86/events/intel/core.c. */
static const uint64_t intel_codes[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = 0x3c,          [PERF_COUNT_HW_INSTRUCTIONS] = 0xc0,
	[PERF_COUNT_HW_CACHE_REFERENCES] = 0x4f2e,  [PERF_COUNT_HW_CACHE_MISSES] = 0x412e,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = 0xc4, [PERF_COUNT_HW_BRANCH_MISSES] = 0xc5,
	[PERF_COUNT_HW_REF_CPU_CYCLES] = 0x300,
};

static int apply_term(uint64_t *config, const char *term, struct err *err)
{
	size_t len = strcspn(term, "="), i = 0;
	uint64_t value = 1;

	while (i < sizeof field_table / sizeof *field_table &&
	       (strlen(field_table[i].name) != len || strncmp(field_table[i].name, term, len)))
		i++;
	if (i == sizeof field_table / sizeof *field_table)
		return err_set(err, ENOENT, "the term '%s' of an event has no counterpart", term);
	if (term[len] && num_parse_u64(term + len + 1, field_table[i].name, &value, err))
		return -EINVAL;
	if (value > field_table[i].max)
		return err_set(err, EINVAL, "the term '%s' has room for 0x%" PRIx64 " at most",
			       term, field_table[i].max);
	*config &= ~(field_table[i].max << field_table[i].shift);
	*config |= value << field_table[i].shift;
	return 0;
}

/* The code of the event, to which terms can be added. */
static int code_of(uint64_t *config, const struct machine *m, int core, const char *name,
		   struct err *err)
{
	struct event e = {.name = NULL};
	int ret = event_name_resolve(&e, m, core, name, err);

	if (ret)
		return ret;
	*config = e.config & UINT32_MAX;
	if (e.type == PERF_TYPE_HARDWARE && m->cpu.vendor == CPU_INTEL &&
	    *config < sizeof intel_codes / sizeof *intel_codes && intel_codes[*config]) {
		*config = intel_codes[*config];
		return 0;
	}
	if (e.type == PERF_TYPE_HARDWARE || e.type == PERF_TYPE_HW_CACHE || e.config1 || e.config2)
		return err_set(err, ENOENT,
			       "the event '%s' has no code that could stand for it on one kind of "
			       "cores or take terms",
			       name);
	*config = e.config;
	return 0;
}

int import_event_code(struct strbuf *out, const struct machine *m, int core, const char *name,
		      const char *terms, struct err *err)
{
	const char *list = terms ? terms : "";
	uint64_t config;
	int ret;

	if (terms && strcmp(m->cpu.arch, "x86") != 0)
		return err_set(err, ENOENT, "the terms '%s' have a counterpart on x86 only", list);
	ret = code_of(&config, m, core, name, err);
	while (!ret && *list) {
		char *term = xstrndup(list, strcspn(list, ","));

		list += strlen(term);
		list += *list == ',';
		ret = apply_term(&config, term, err);
		free(term);
	}
	if (ret)
		return ret;
	if (machine_is_hybrid(m))
		strbuf_addf(out, "%s/config=0x%" PRIx64 "/", m->core[core].name, config);
	else
		strbuf_addf(out, "r%" PRIx64, config);
	return 0;
}
