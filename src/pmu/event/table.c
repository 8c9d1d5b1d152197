/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/value.h"
#include "pmu/perf/arch.h"

/* ---- cpu ---- */

/* Families of x86: Intel has 6, 0x12 and 0x13; AMD has 0x10, 0x14 to 0x17, 0x19 and 0x1a. AMD also
 * used 0x12, and both vendors used 0xf, for old CPUs for which tiptop has no events. Intel SDM,
 * volume 4, table 2-1; Linux arch/x86/include/asm/intel-family.h; AMD64 APM, volume 3, CPUID
 * Fn0000_0001. */
static const struct {
	char family[3];
	enum cpu_vendor vendor;
} x86_families[] = {
	{"06", CPU_INTEL}, {"12", CPU_INTEL}, {"13", CPU_INTEL}, {"10", CPU_AMD}, {"14", CPU_AMD},
	{"15", CPU_AMD},   {"16", CPU_AMD},   {"17", CPU_AMD},   {"19", CPU_AMD}, {"1A", CPU_AMD},
};

static enum cpu_vendor vendor_of(const char *arch, const char *model)
{
	if (!strcmp(arch, "arm64"))
		return CPU_ARM;
	for (size_t i = 0; !strcmp(arch, "x86") && i < sizeof x86_families / sizeof *x86_families;
	     i++)
		if (!strncasecmp(model, x86_families[i].family, 2))
			return x86_families[i].vendor;
	return CPU_OTHER;
}

enum cpu_vendor cpu_vendor_named(const char *name)
{
	if (!strcmp(name, "GenuineIntel"))
		return CPU_INTEL;
	return !strcmp(name, "AuthenticAMD") ? CPU_AMD : CPU_OTHER;
}

/* Returns the vendor from leaf 0 of CPUID; if the architecture has no CPUID, the vendor by the
 * model. */
static enum cpu_vendor read_vendor(const struct cpu_id *id)
{
	struct arch_cpuid leaf;
	char name[13] = "";

	if (!arch_read_cpuid(0, &leaf))
		return vendor_of(id->arch, id->model);
	memcpy(name, &leaf.ebx, 4);
	memcpy(name + 4, &leaf.edx, 4);
	memcpy(name + 8, &leaf.ecx, 4);
	return cpu_vendor_named(name);
}

void cpu_identify(struct cpu_id *id)
{
	int revision = arch_read_revision();
	uint32_t family, model;

	memset(id, 0, sizeof *id);
	snprintf(id->arch, sizeof id->arch, "%s", ARCH_NAME);
	if (arch_read_model(&family, &model))
		snprintf(id->model, sizeof id->model,
			 revision < 0 ? "%02X_%02X" : "%02X_%02X_R%02X", family & 0xff,
			 model & 0xfff, (unsigned)revision & 0xff);
	id->vendor = (uint8_t)read_vendor(id);
}

bool cpu_parse(struct cpu_id *id, const char *text)
{
	size_t arch = strcspn(text, ":");

	if (!arch || !text[arch] || arch >= sizeof id->arch ||
	    strlen(text + arch + 1) >= sizeof id->model)
		return false;
	memset(id, 0, sizeof *id);
	memcpy(id->arch, text, arch);
	memcpy(id->model, text + arch + 1, strlen(text + arch + 1));
	id->vendor = (uint8_t)vendor_of(id->arch, id->model);
	return true;
}

/* Returns how many characters of the CPU's model are compared with a pattern of this length:
 * without the revision if the pattern has none. */
static size_t model_length(const char *model, size_t pattern_len)
{
	size_t len = strlen(model);

	return pattern_len < len && !strncmp(model + pattern_len, "_R", 2) ? pattern_len : len;
}

/* Returns whether a pattern matches all models of a family: "06_??". */
static bool is_family(const char *pattern, size_t len)
{
	return len == 5 && !memcmp(pattern + 2, "_??", 3);
}

/* Returns whether the CPU matches this pattern, "06_1A", regardless of case. '?' stands for any
 * digit: "19_6?". A pattern without a revision matches all revisions. A pattern for a whole family
 * of x86, "06_??", matches only CPUs of the vendor that uses the family today: "12_??" matches
 * Intel's CPUs, not AMD's older ones. A CPU with an unknown model matches no pattern. */
static bool cpu_fits(const struct cpu_id *id, const char *pattern, size_t len)
{
	if (!id->model[0] || len != model_length(id->model, len))
		return false;
	if (is_family(pattern, len) && vendor_of(id->arch, pattern) != id->vendor)
		return false;
	for (size_t i = 0; i < len; i++)
		if (pattern[i] != '?' && strncasecmp(pattern + i, id->model + i, 1))
			return false;
	return true;
}

/* ---- table ---- */

#define SEPARATORS "; \t\n"

/* The depth to which CPU names that stand for other CPU names are followed: more than any table
 * needs, and a limit in case names refer to each other. */
#define DEPTH_MAX 8

struct place {
	const struct event_table *table;
	const struct cpu_id *cpu;
	const char *pmu;
};

static bool is_name(const char *own, const char *name, size_t len)
{
	/* Most names differ in their first characters: this saves the call. */
	return (!len || *own == *name) && !strncmp(own, name, len) && !own[len];
}

static bool fits_list(const struct place *p, const char *list, int depth);

static bool fits_one(const struct place *p, const char *model, size_t len, int depth)
{
	const char *at = memchr(model, '@', len);
	size_t n = at ? (size_t)(at - model) : len;
	const struct cpu_name *named;

	if (at && p->pmu && !is_name(p->pmu, at + 1, len - n - 1))
		return false;
	if (memchr(model, '_', n))
		return cpu_fits(p->cpu, model, n);
	named = depth < DEPTH_MAX ? event_table_find_cpu(p->table, model, n) : NULL;
	return named && fits_list(p, named->models, depth + 1);
}

static bool fits_list(const struct place *p, const char *list, int depth)
{
	size_t n;

	for (list += strspn(list, SEPARATORS); *list; list += n, list += strspn(list, SEPARATORS)) {
		n = strcspn(list, SEPARATORS);
		if (fits_one(p, list, n, depth))
			return true;
	}
	return false;
}

bool event_table_fits(const struct event_table *table, const struct cpu_id *cpu, const char *pmu,
		      const char *arch, const char *models)
{
	const struct place place = {table, cpu, pmu};

	if (arch && strcasecmp(arch, cpu->arch))
		return false;
	return !models || fits_list(&place, models, 0);
}

const struct cpu_name *event_table_find_cpu(const struct event_table *t, const char *name,
					    size_t len)
{
	for (; t; t = t->below)
		for (size_t i = 0; i < t->n_cpus; i++)
			if (is_name(t->cpu[i].name, name, len))
				return &t->cpu[i];
	return NULL;
}

const struct event_def *event_table_find(const struct event_table *t, const char *name, size_t len)
{
	for (; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			if (is_name(t->event[i].name, name, len))
				return &t->event[i];
	return NULL;
}

/* ---- names ---- */

char *event_name_next(const char **list)
{
	const char *blanks = " \t\n", *start = *list + strspn(*list, " \t\n;");
	size_t len = strcspn(start, ";");

	*list = start + len;
	while (len && strchr(blanks, start[len - 1]))
		len--;
	return len ? xstrndup(start, len) : NULL;
}

void event_names_init(struct event_names *n, const struct event_table *table,
		      const struct cpu_id *cpu, const char *pmu, bool takes_codes, const char *list)
{
	*n = (struct event_names){
		.table = table, .cpu = cpu, .pmu = pmu, .takes_codes = takes_codes, .list = list};
}

void event_names_done(struct event_names *n)
{
	free(n->modifiers);
	n->modifiers = NULL;
}

/* Appends modifiers to a name that has none. Modifiers follow a colon, or the last '/' of
 * "PMU/TERMS/". */
static char *add_modifiers(char *name, const char *modifiers)
{
	const char *slash = strrchr(name, '/');
	char *full;

	if (!modifiers[0] || (slash ? slash[1] != '\0' : strchr(name, ':') != NULL))
		return name;
	full = xasprintf("%s%s", name, slash ? modifiers + 1 : modifiers);
	free(name);
	return full;
}

/* Returns the next name of the current event's choices; NULL: the end. */
static char *next_of_choices(struct event_names *n)
{
	const struct event_def *def = n->def;
	char *name;

	for (;;) {
		name = n->choice ? event_name_next(&n->choice) : NULL;
		if (name)
			return add_modifiers(name, n->modifiers);
		n->choice = NULL;
		while (n->n_given < def->n_choices && !n->choice) {
			const struct event_choice *c = &def->choice[n->n_given++];

			if (!event_table_fits(n->table, n->cpu, n->pmu, c->arch, c->model))
				continue;
			n->choice = n->takes_codes && c->code ? c->code : c->event;
			n->weight = c->weight;
		}
		if (!n->choice)
			return NULL;
	}
}

char *event_names_next(struct event_names *n)
{
	for (;;) {
		char *name = n->def ? next_of_choices(n) : NULL;
		size_t len;

		if (name)
			return name;
		event_names_done(n);
		n->def = NULL;
		n->weight = NULL;
		name = event_name_next(&n->list);
		if (!name)
			return NULL;
		len = strcspn(name, ":");
		n->def = event_table_find(n->table, name, len);
		if (!n->def)
			return name;
		n->n_given = 0;
		n->modifiers = xstrdup(name + len);
		free(name);
	}
}

static bool is_with_modifiers(const char *name, const char *base)
{
	size_t len = strlen(base);

	return !strncmp(name, base, len) &&
	       (!name[len] || name[len] == ':' || base[len - 1] == '/');
}

static bool is_among(const char *list, const char *name)
{
	bool found = false;
	char *next;

	while (!found && (next = event_name_next(&list))) {
		found = is_with_modifiers(name, next);
		free(next);
	}
	return found;
}

const struct event_def *event_names_find(const struct event_table *table, const struct cpu_id *cpu,
					 const char *pmu, const char *name,
					 const struct event_choice **choice)
{
	for (const struct event_table *t = table; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			for (size_t k = 0; k < t->event[i].n_choices; k++) {
				const struct event_choice *c = &t->event[i].choice[k];

				if (!(is_among(c->event, name) ||
				      (c->code && is_among(c->code, name))) ||
				    !event_table_fits(table, cpu, pmu, c->arch, c->model))
					continue;
				*choice = c;
				return &t->event[i];
			}
	return NULL;
}

/* ---- weight ---- */

/* Larger than any useful weight. */
#define WEIGHT_MAX 1e9

bool event_weight_is_slots(const char *weight)
{
	return weight && !strcmp(weight, "slots");
}

int event_weight_check(const char *weight, struct err *err)
{
	double number;

	if (event_weight_is_slots(weight))
		return 0;
	return num_parse_double(weight, "the weight", 0, WEIGHT_MAX, &number, err);
}

double event_weight_scale(const char *weight)
{
	const double scale = weight ? strtod(weight, NULL) : 0;

	return weight && scale == 0 ? SCALE_NOTHING : scale;
}

bool event_weight_fits(const char *weight, double scale)
{
	return event_weight_is_slots(weight) ? scale > 0 : scale == event_weight_scale(weight);
}
