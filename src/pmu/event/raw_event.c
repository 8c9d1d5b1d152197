/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/raw_event.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "pmu/event/list.h"
#include "pmu/event/name.h"
#include "pmu/perf/event.h"

/* ---- types ---- */

struct constant {
	const char *name;
	uint64_t value;
};

/* Names as in linux/perf_event.h, without the prefix PERF_COUNT_HW_ and the like, as in tiptop
 * 2.3.1. */
static const struct constant hardware_constants[] = {
	{"CPU_CYCLES", PERF_COUNT_HW_CPU_CYCLES},
	{"INSTRUCTIONS", PERF_COUNT_HW_INSTRUCTIONS},
	{"CACHE_REFERENCES", PERF_COUNT_HW_CACHE_REFERENCES},
	{"CACHE_MISSES", PERF_COUNT_HW_CACHE_MISSES},
	{"BRANCH_INSTRUCTIONS", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"BRANCH_MISSES", PERF_COUNT_HW_BRANCH_MISSES},
	{"BUS_CYCLES", PERF_COUNT_HW_BUS_CYCLES},
	{"STALLED_CYCLES_FRONTEND", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"STALLED_CYCLES_BACKEND", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"REF_CPU_CYCLES", PERF_COUNT_HW_REF_CPU_CYCLES},
	{NULL, 0},
};

static const struct constant software_constants[] = {
	{"CPU_CLOCK", PERF_COUNT_SW_CPU_CLOCK},
	{"TASK_CLOCK", PERF_COUNT_SW_TASK_CLOCK},
	{"PAGE_FAULTS", PERF_COUNT_SW_PAGE_FAULTS},
	{"CONTEXT_SWITCHES", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"CPU_MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"PAGE_FAULTS_MIN", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"PAGE_FAULTS_MAJ", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"ALIGNMENT_FAULTS", PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"EMULATION_FAULTS", PERF_COUNT_SW_EMULATION_FAULTS},
	{NULL, 0},
};

/* A cache event is cache | operation << 8 | result << 16. */
static const struct constant cache_constants[] = {
	{"L1D", PERF_COUNT_HW_CACHE_L1D},
	{"L1I", PERF_COUNT_HW_CACHE_L1I},
	{"LL", PERF_COUNT_HW_CACHE_LL},
	{"DTLB", PERF_COUNT_HW_CACHE_DTLB},
	{"ITLB", PERF_COUNT_HW_CACHE_ITLB},
	{"BPU", PERF_COUNT_HW_CACHE_BPU},
	{"NODE", PERF_COUNT_HW_CACHE_NODE},
	{"OP_READ", PERF_COUNT_HW_CACHE_OP_READ},
	{"OP_WRITE", PERF_COUNT_HW_CACHE_OP_WRITE},
	{"OP_PREFETCH", PERF_COUNT_HW_CACHE_OP_PREFETCH},
	{"RESULT_ACCESS", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"RESULT_MISS", PERF_COUNT_HW_CACHE_RESULT_MISS},
	{NULL, 0},
};

static int find_constant(const struct constant *table, const char *name, size_t len,
			 uint64_t *value)
{
	for (; table->name; table++)
		if (strlen(table->name) == len && !memcmp(table->name, name, len)) {
			*value = table->value;
			return 0;
		}
	return -1;
}

static int hardware_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(hardware_constants, name, len, value);
}

static int software_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(software_constants, name, len, value);
}

static int cache_constant(const char *name, size_t len, uint64_t *value)
{
	return find_constant(cache_constants, name, len, value);
}

static int no_constant(const char *name, size_t len, uint64_t *value)
{
	(void)name, (void)len, (void)value;
	return -1;
}

static const struct event_type type_table[] = {
	{"HARDWARE", PERF_TYPE_HARDWARE, hardware_constant},
	{"SOFTWARE", PERF_TYPE_SOFTWARE, software_constant},
	{"HW_CACHE", PERF_TYPE_HW_CACHE, cache_constant},
	{"RAW", PERF_TYPE_RAW, no_constant},
};

const struct event_type *event_type_find(const char *name, struct err *err)
{
	if (!name)
		return &type_table[0];
	for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
		if (!strcmp(type_table[i].name, name))
			return &type_table[i];
	err_set(err, EINVAL,
		"there is no type of counter '%s': there are HARDWARE, SOFTWARE, HW_CACHE and RAW",
		name);
	return NULL;
}

/* ---- decode ---- */

/* A field of a config: bits from..to. If two rows have the same name, the later one has the higher
 * bits of the field. Sources: Intel SDM, volume 3, "IA32_PERFEVTSELx"; AMD64 APM, volume 2,
 * "PERF_CTL"; Arm ARM, PMEVTYPER_EL0. */
struct field {
	const char *name;
	int from, to;
	uint8_t vendor;   /* enum cpu_vendor */
	bool is_register; /* the kernel sets the field; it is not part of the event */
	const char *text;
};

static const struct field fields[] = {
	{"event", 0, 7, CPU_INTEL, false, "which event"},
	{"umask", 8, 15, CPU_INTEL, false, "which part of it"},
	{"USR", 16, 16, CPU_INTEL, true, "count in user mode"},
	{"OS", 17, 17, CPU_INTEL, true, "count in the kernel"},
	{"edge", 18, 18, CPU_INTEL, false,
	 "count how often the condition begins, not for how long"},
	{"PC", 19, 19, CPU_INTEL, true, "signal at a pin of the CPU"},
	{"INT", 20, 20, CPU_INTEL, true, "interrupt when the counter runs over"},
	{"ANY", 21, 21, CPU_INTEL, false, "count for the other thread of the core, too"},
	{"EN", 22, 22, CPU_INTEL, true, "count at all"},
	{"inv", 23, 23, CPU_INTEL, false, "cycles with fewer than cmask, not with as many or more"},
	{"cmask", 24, 31, CPU_INTEL, false,
	 "0: events; else cycles with at least this many events"},
	{"IN_TX", 32, 32, CPU_INTEL, false, "within transactions only"},
	{"IN_TXCP", 33, 33, CPU_INTEL, false, "without what aborted transactions did"},
	{"event", 0, 7, CPU_AMD, false, "which event"},
	{"umask", 8, 15, CPU_AMD, false, "which part of it"},
	{"USR", 16, 16, CPU_AMD, true, "count in user mode"},
	{"OS", 17, 17, CPU_AMD, true, "count in the kernel"},
	{"edge", 18, 18, CPU_AMD, false, "count how often the condition begins, not for how long"},
	{"INT", 20, 20, CPU_AMD, true, "interrupt when the counter runs over"},
	{"EN", 22, 22, CPU_AMD, true, "count at all"},
	{"inv", 23, 23, CPU_AMD, false, "cycles with fewer than cmask, not with as many or more"},
	{"cmask", 24, 31, CPU_AMD, false, "0: events; else cycles with at least this many events"},
	{"event", 32, 35, CPU_AMD, false, "bits 8 to 11 of the event"},
	{"guest", 40, 40, CPU_AMD, true, "count in guests only"},
	{"host", 41, 41, CPU_AMD, true, "count in the host only"},
	{"event", 0, 15, CPU_ARM, false, "which event"},
};

#define N_FIELDS (sizeof fields / sizeof *fields)

struct decoder {
	const struct machine *machine;
	event_decode_visit visit;
	void *context;
	bool is_register; /* the number is a value of the whole register */
	uint64_t given;   /* all bits of the number */
	uint64_t config;  /* the bits for the kernel */
};

static uint64_t mask_of(const struct field *f)
{
	return (~0ull >> (63 - (f->to - f->from))) << f->from;
}

static void report_number(const struct decoder *d, const char *field, uint64_t value,
			  const char *text)
{
	char number[24];

	snprintf(number, sizeof number, "0x%" PRIx64, value);
	d->visit(d->context, field, number, text);
}

static bool is_path(const char *text)
{
	size_t slash = strcspn(text, "/"), len = strlen(text);

	return slash && len > slash + 2 && text[len - 1] == '/' && strchr(text, '=') &&
	       strchr(text, '/') + 1 < strchr(text, '=');
}

static bool is_number(const char *text)
{
	size_t skip = !strncmp(text, "0x", 2) ? 2 : text[0] == 'r';

	return skip && text[skip] && !text[skip + strspn(text + skip, "0123456789abcdefABCDEF")];
}

bool event_is_code(const char *text)
{
	return is_number(text) || is_path(text);
}

/* Puts the value into the fields with this name, its low bits first. */
static int put_term(uint64_t *config, const struct machine *m, const char *name, uint64_t value,
		    struct err *err)
{
	bool known = false;

	for (size_t i = 0; i < N_FIELDS; i++) {
		const struct field *f = &fields[i];

		if (f->vendor != m->cpu.vendor || f->is_register || strcasecmp(f->name, name))
			continue;
		known = true;
		*config = (*config & ~mask_of(f)) | (value << f->from & mask_of(f));
		value = f->to - f->from == 63 ? 0 : value >> (f->to - f->from + 1);
	}
	if (!known)
		return err_set(err, EINVAL, "this CPU has no term '%s'", name);
	return value ? err_set(err, EINVAL, "the value of '%s' has too many bits", name) : 0;
}

/* Parses the terms of a core PMU for a CPU other than that of this machine, without sysfs. */
static int read_terms(uint64_t *config, const struct machine *m, const char *text, struct err *err)
{
	char *terms = xstrdup(strchr(text, '/') + 1), *state, *term;
	int ret = 0;

	terms[strlen(terms) - 1] = '\0';
	for (term = strtok_r(terms, ",", &state); term && !ret;
	     term = strtok_r(NULL, ",", &state)) {
		char *equals = strchr(term, '='), *end = NULL;
		uint64_t value;

		if (equals)
			*equals = '\0';
		errno = 0;
		value = equals ? strtoull(equals + 1, &end, 0) : 1;
		if (errno || (equals && (end == equals + 1 || *end)))
			ret = err_set(err, EINVAL, "'%s' is not a number", equals + 1);
		else
			ret = put_term(config, m, term, value, err);
	}
	free(terms);
	return ret;
}

static int read_code(struct decoder *d, const char *code, struct err *err)
{
	struct event e = {.name = NULL};
	int ret = 0;

	d->is_register = code[0] == '0' && !strcmp(d->machine->cpu.arch, "x86");
	if (is_number(code)) {
		errno = 0;
		d->given = strtoull(code + (code[0] == 'r' ? 1 : 2), NULL, 16);
		if (errno)
			return err_set(err, EINVAL, "the number '%s' does not fit in 64 bits",
				       code);
	} else if (d->machine->elsewhere) {
		ret = read_terms(&d->given, d->machine, code, err);
	} else {
		ret = event_name_resolve(&e, d->machine, 0, code, err);
		d->given = e.config;
	}
	return ret;
}

static void report_fields(struct decoder *d)
{
	uint64_t rest = d->given;

	d->config = d->given;
	for (size_t i = 0; i < N_FIELDS; i++) {
		const struct field *f = &fields[i];

		if (f->vendor != d->machine->cpu.vendor ||
		    (f->is_register && !d->is_register && !(d->given & mask_of(f))))
			continue;
		report_number(d, f->name, (d->given & mask_of(f)) >> f->from, f->text);
		rest &= ~mask_of(f);
		if (f->is_register)
			d->config &= ~mask_of(f);
	}
	report_number(d, "config", d->config,
		      "what is passed to the kernel, without the bits that the kernel sets");
	if (!d->is_register && d->config != d->given)
		report_number(d, "wrong", d->config ^ d->given,
			      "these bits are not part of an event: the kernel sets them itself");
	if (rest)
		report_number(
			d, "wrong", rest,
			d->machine->cpu.vendor == CPU_OTHER
				? "the fields of this CPU are not known"
				: "these bits are reserved: the kernel refuses or ignores them");
	if (d->machine->cpu.vendor == CPU_INTEL && d->given >> 21 & 1)
		report_number(d, "wrong", 1ull << 21,
			      "with ANY, the count includes other tasks: those of the other thread "
			      "of the core");
}

/* The events to which the kernel maps its generic events on Intel (arch/x86/events/intel/core.c,
 * intel_perfmon_event_map), with the codes of the architectural events. */
static const struct {
	uint16_t config;
	const char *name, *text;
} architectural[] = {
	{0x003c, "cycles", "cycles in which the CPU was not halted"},
	{0x00c0, "instructions", "retired instructions"},
	{0x4f2e, "cache-references", "requests to the last-level cache"},
	{0x412e, "cache-misses", "misses of the last-level cache"},
	{0x00c4, "branches", "retired branches"},
	{0x00c5, "branch-misses", "retired branches that were wrongly predicted"},
	{0x013c, "bus-cycles", "cycles of a constant clock while the CPU was not halted"},
};

static bool report_architectural(const struct decoder *d)
{
	for (size_t i = 0; i < sizeof architectural / sizeof *architectural; i++)
		if (d->machine->cpu.vendor == CPU_INTEL && architectural[i].config == d->config) {
			d->visit(d->context, "name", architectural[i].name, architectural[i].text);
			return true;
		}
	return false;
}

static bool is_raw(const struct machine *m, const struct event *e)
{
	return e->core != EVENT_NO_CORE && e->type != PERF_TYPE_HARDWARE &&
	       e->type != PERF_TYPE_HW_CACHE &&
	       (e->type == PERF_TYPE_RAW ||
		(e->core < m->n_cores && e->type == m->core[e->core].type));
}

/* Reports the names in the list that have this config. Returns whether there are any. */
static bool report_names(const struct decoder *d, const struct event_list *list)
{
	bool found = false;

	for (size_t i = 0; i < list->n; i++) {
		const struct event_row *row = &list->row[i];
		char *help;

		if (!row->has_code || !is_raw(d->machine, &row->event) ||
		    row->event.config != d->config)
			continue;
		help = machine_is_hybrid(d->machine) ? xasprintf("%s: %s", row->pmu, row->help)
						     : xstrdup(row->help);
		d->visit(d->context, "name", row->name, help);
		free(help);
		found = true;
	}
	return found;
}

/* Reports events of the tables that have this code on other CPUs. */
static void report_other_cpus(const struct decoder *d)
{
	char *raw = xasprintf("r%" PRIx64, d->config);

	for (const struct event_table *t = d->machine->table; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			for (size_t k = 0; k < t->event[i].n_choices; k++) {
				const struct event_choice *c = &t->event[i].choice[k];
				char *text;

				if ((strcmp(c->event, raw) && (!c->code || strcmp(c->code, raw))) ||
				    !c->model)
					continue;
				text = xasprintf("its name on %s; this CPU is none of these",
						 c->model);
				d->visit(d->context, "elsewhere", c->name ? c->name : c->event,
					 text);
				free(text);
			}
	free(raw);
}

int event_decode(const struct machine *m, const char *code, event_decode_visit visit, void *context,
		 struct err *err)
{
	struct decoder d = {.machine = m, .visit = visit, .context = context};
	int ret = read_code(&d, code, err);
	struct event_list list;
	struct perf_sys nowhere;
	bool named;

	if (ret)
		return ret;
	report_fields(&d);
	perf_foreign_init(&nowhere);
	event_list_make(&list, m, &nowhere, NULL);
	named = report_architectural(&d);
	named = report_names(&d, &list) || named;
	event_list_done(&list);
	if (!named) {
		report_number(&d, "wrong", d.config,
			      "no event of this CPU is known that has this code");
		report_other_cpus(&d);
	}
	return 0;
}
