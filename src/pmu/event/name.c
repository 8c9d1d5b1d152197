/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/name.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/suggestion.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/pfm.h"
#include "pmu/event/table.h"

/* Bits of the register PERFEVTSEL that are not part of the event: Intel SDM, volume 3, "Performance
 * Monitoring". */
#define PERFEVTSEL_USER      (1ull << 16)
#define PERFEVTSEL_KERNEL    (1ull << 17)
#define PERFEVTSEL_INTERRUPT (1ull << 20)
#define PERFEVTSEL_ENABLE    (1ull << 22)

#define CONFIG_TERM "config="

int event_modifiers_apply(struct event *e, const char *name, const char *modifiers, struct err *err)
{
	bool user, kernel, hv, guest, host;

	if (!modifiers)
		return 0;
	if (event_spelling_check(name, modifiers, err))
		return -EINVAL;
	user = strchr(modifiers, 'u');
	kernel = strchr(modifiers, 'k');
	hv = strchr(modifiers, 'h');
	guest = strchr(modifiers, 'G');
	host = strchr(modifiers, 'H');
	if (e->all_modes || (event_is_kernel_side(e) && !kernel && (user || hv)))
		return err_set(
			err, EINVAL,
			"the event '%s' cannot have the modifier '%s': it is not counted by modes",
			name, modifiers);
	if (user || kernel || hv) {
		e->own_modes = true;
		e->no_user = !user;
		e->no_kernel = !kernel;
		e->no_hv = !hv;
	}
	e->guest_too = guest;
	e->no_host = guest && !host;
	return 0;
}

int event_weigh(struct event *e, const struct machine *m, int core, const char *weight,
		struct err *err)
{
	int slots;

	if (!event_weight_is_slots(weight)) {
		e->scale = weight ? event_weight_scale(weight) : e->scale;
		return 0;
	}
	slots = event_sysfs_slots(m->host, machine_pmu(m, core), err);
	if (slots < 0)
		return slots;
	e->scale = slots;
	return 0;
}

/* Where a name is resolved: on this machine, for one kind of its cores. */
struct place {
	const struct machine *machine;
	const struct core_pmu *core; /* of a hybrid machine; else NULL */
};

/* Resolves "PMU/TERMS/MODIFIERS", also with a colon before the modifiers. */
static int resolve_path(struct event *e, const struct place *place, const char *name,
			struct err *err)
{
	const struct event_host *host = place->machine->host;
	const char *modifiers = strrchr(name, '/') + 1;
	char *path;
	int ret;

	/* A path with only one '/' is not an event; the sentence quotes all of it. */
	if (modifiers == strchr(name, '/') + 1)
		return event_sysfs_resolve(e, host, name, err);
	path = xstrndup(name, (size_t)(modifiers - name));
	ret = event_sysfs_resolve(e, host, path, err);
	free(path);
	if (ret || !*modifiers)
		return ret;
	return event_modifiers_apply(e, name, modifiers + (*modifiers == ':'), err);
}

/* Returns the hexadecimal digits of a raw event ("r1c2"); NULL: the name is not a raw event. */
static const char *raw_digits(const char *base)
{
	const char *digits = base[0] == 'r' ? base + 1 : !strncmp(base, "0x", 2) ? base + 2 : "";

	return *digits && !digits[strspn(digits, "0123456789abcdefABCDEF")] ? digits : NULL;
}

static int resolve_raw(struct event *e, const struct place *place, const char *name,
		       const char *base, const char *modifiers, struct err *err)
{
	bool is_register = base[0] == '0' && !strcmp(place->machine->cpu.arch, "x86");
	uint64_t modes;

	errno = 0;
	e->type = place->core ? place->core->type : PERF_TYPE_RAW;
	e->config = strtoull(raw_digits(base), NULL, 16);
	if (errno)
		return err_set(err, EINVAL, "the number of the event '%s' does not fit in 64 bits",
			       name);
	modes = e->config & (PERFEVTSEL_USER | PERFEVTSEL_KERNEL);
	if (is_register) {
		e->config &= ~(modes | PERFEVTSEL_INTERRUPT | PERFEVTSEL_ENABLE);
		if (modes && modifiers)
			return err_set(
				err, EINVAL,
				"the event '%s' has modifiers, although bits 16 and 17 of its "
				"number select the modes: leave out one of them",
				name);
		/* The register has no bit for the hypervisor, which is counted if the kernel is. */
		e->own_modes = modes == PERFEVTSEL_KERNEL || modes == PERFEVTSEL_USER;
		e->no_user = modes == PERFEVTSEL_KERNEL;
		e->no_kernel = e->no_hv = modes == PERFEVTSEL_USER;
	}
	return event_modifiers_apply(e, name, modifiers, err);
}

/* Returns whether the name may be a tracepoint: the part before the colon is in lower case, while
 * vendors write events in capitals. */
static bool is_tracepoint(const char *base, const char *modifiers)
{
	for (; *base; base++)
		if (!islower((unsigned char)*base) && !isdigit((unsigned char)*base) &&
		    *base != '_')
			return false;
	return modifiers && *modifiers && !strchr(modifiers, ':');
}

/* Refuses a name for a CPU other than that of this machine: sysfs and tracefs describe the CPU of
 * this machine, and so does libpfm4, unless the name contains its PMU. */
static int refuse_elsewhere(const char *name, struct err *err)
{
	return err_set(err, ENOENT,
		       "the event '%s' is not in the tables of tiptop; the sysfs of another CPU "
		       "cannot be read, and libpfm4 needs the name of its PMU: skl::INST_RETIRED",
		       name);
}

/* Returns -ENOENT if the PMU in the name is from another vendor than the CPU: libpfm4 would encode
 * its events anyway. */
static int check_vendor(const struct machine *m, const char *name, struct err *err)
{
	static const char *const names[] = {
		[CPU_INTEL] = "Intel", [CPU_AMD] = "AMD", [CPU_ARM] = "Arm"};
	const enum cpu_vendor vendor = event_pfm_vendor(name), own = m->cpu.vendor;

	if (vendor == CPU_OTHER || own == CPU_OTHER || vendor == own)
		return 0;
	return err_set(err, ENOENT,
		       "the event '%s' belongs to a PMU of %s, but the selected CPU %s is made by "
		       "%s: name an event of a PMU of that vendor, or another CPU",
		       name, names[vendor], m->cpu.model, names[own]);
}

static int resolve_elsewhere(struct event *e, const struct machine *m, const char *name,
			     struct err *err)
{
	int ret;

	if (!strstr(name, "::"))
		return refuse_elsewhere(name, err);
	ret = check_vendor(m, name, err);
	if (ret)
		return ret;
	ret = event_pfm_resolve(e, NULL, name, err);
	return ret == -ENOENT ? err_set(err, ENOENT, "libpfm4 knows no event '%s'", name) : ret;
}

static int resolve_name(struct event *e, const struct place *place, const char *name,
			const char *base, const char *modifiers, struct err *err)
{
	const struct event_host *host = place->machine->host;
	int ret;

	if (generic_find(base, &e->type, &e->config))
		return event_modifiers_apply(e, name, modifiers, err);
	ret = event_sysfs_find(e, host, place->core ? place->core->name : NULL, base, err);
	if (ret)
		return ret < 0 ? ret : event_modifiers_apply(e, name, modifiers, err);
	/* Numbers are tried before libpfm4, which would parse them for the first kind of cores
	 * only; no vendor's event has such a name. */
	if (raw_digits(base))
		return resolve_raw(e, place, name, base, modifiers, err);
	if (place->machine->elsewhere)
		return resolve_elsewhere(e, place->machine, name, err);
	if (!is_tracepoint(base, modifiers))
		return event_pfm_resolve(e, place->core, name, err);
	if (!event_pfm_resolve(e, place->core, name, NULL))
		return 0;
	ret = event_sysfs_tracepoint(e, host, name, err);
	if (ret && event_pfm_begin(NULL))
		err_prefix(err, "event '%s'", name);
	else if (ret)
		err_prefix(err, "event '%s', which libpfm4 does not know", name);
	return ret;
}

/* Resolves a path; on a hybrid machine, "cpu/.../" means the PMU of this kind of cores. */
static int resolve_path_for(struct event *e, const struct place *place, const char *name,
			    struct err *err)
{
	char *full;
	int ret;

	if (!place->core || strncmp(name, "cpu/", 4))
		return resolve_path(e, place, name, err);
	full = xasprintf("%s/%s", place->core->name, name + 4);
	ret = resolve_path(e, place, full, err);
	free(full);
	return ret;
}

/* Resolves "PMU/config=NUMBER/MODIFIERS" for a CPU other than that of this machine, if PMU is one
 * of its kinds of cores in the tables: this needs no sysfs. */
static int resolve_path_elsewhere(struct event *e, const struct machine *m, const char *name,
				  struct err *err)
{
	const char *slash = strchr(name, '/'), *end = strrchr(name, '/');
	size_t len = (size_t)(slash - name);
	char *number;
	int core = 0;
	bool good;

	while (core < m->n_cores &&
	       (strncmp(m->core[core].name, name, len) != 0 || m->core[core].name[len]))
		core++;
	if (core == m->n_cores || end == slash ||
	    strncmp(slash + 1, CONFIG_TERM, strlen(CONFIG_TERM)) != 0)
		return refuse_elsewhere(name, err);
	number = xstrndup(slash + 1 + strlen(CONFIG_TERM),
			  (size_t)(end - slash - 1) - strlen(CONFIG_TERM));
	good = !num_parse_u64(number, "config", &e->config, NULL);
	free(number);
	if (!good)
		return refuse_elsewhere(name, err);
	e->type = m->core[core].type;
	return event_modifiers_apply(e, name, end[1] ? end + 1 + (end[1] == ':') : NULL, err);
}

/* Resolves a name that is not in the table. */
static int resolve_one(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err)
{
	const struct place place = {m, machine_is_hybrid(m) ? &m->core[core] : NULL};
	size_t len = strcspn(name, ":");
	char *base;
	int ret;

	if (strchr(name, '/')) {
		ret = m->elsewhere ? resolve_path_elsewhere(e, m, name, err)
				   : resolve_path_for(e, &place, name, err);
	} else {
		base = xstrndup(name, len);
		ret = resolve_name(e, &place, name, base, name[len] ? name + len + 1 : NULL, err);
		free(base);
	}
	if (!ret && machine_bind(m, core, e, err)) {
		err_prefix(err, "event '%s'", name);
		ret = -ENOENT;
	}
	return ret;
}

/* Resolves a name of the table to the first of its choices that resolves on this machine. If none
 * does, sets err to the reason why the first choice does not; a choice that is invalid on any
 * machine ends the search, with its own reason. */
static int resolve_of_table(struct event *e, const struct machine *m, int core, const char *name,
			    struct err *err)
{
	struct event_names names;
	struct err why = ERR_INIT;
	int ret = -ENOENT;
	char *next;

	event_names_init(&names, m->table, &m->cpu, machine_pmu(m, core), m->takes_codes, name);
	while (ret && ret != -EINVAL && (next = event_names_next(&names))) {
		struct event candidate = *e;
		struct err own = ERR_INIT;

		ret = resolve_one(&candidate, m, core, next, &own);
		if (!ret)
			ret = event_weigh(&candidate, m, core, names.weight, &own);
		if (!ret)
			*e = candidate;
		else if (!why.code || ret == -EINVAL)
			why = own;
		free(next);
	}
	event_names_done(&names);
	if (ret)
		return why.code ? err_set(err, why.code, "%s", why.text)
				: err_set(err, ENOENT, "the event '%s' is not known for this CPU",
					  name);
	return 0;
}

static int resolve_known(struct event *e, const struct machine *m, int core, const char *name,
			 struct err *err)
{
	if (event_table_find(m->table, name, strcspn(name, ":")))
		return resolve_of_table(e, m, core, name, err);
	return resolve_one(e, m, core, name, err);
}

/* Resolves the vendor's name of an event that has another name in tiptop. */
static int resolve_vendor(struct event *e, const struct machine *m, int core, const char *name)
{
	const char *generic = event_vendor_generic(m, name);
	const struct event_def *def;
	bool outside = false;

	if (generic)
		return resolve_known(e, m, core, generic, NULL);
	/* Not on Arm, where the choice may count a substitute event and have the vendor's name of
	 * the substitute. */
	def = m->cpu.vendor == CPU_ARM ? NULL
				       : event_vendor_find(m, machine_pmu(m, core), name, &outside);
	return def && !outside ? resolve_known(e, m, core, def->name, NULL) : -ENOENT;
}

/* Returns whether the PMU with this name, `len` characters, is that of this kind of cores. "cpu"
 * stands for the PMU of any kind. */
static bool is_pmu_of(const struct machine *m, int core, const char *name, size_t len)
{
	if (len == 3 && !strncmp(name, "cpu", len))
		return true;
	return core < m->n_cores && !strncmp(m->core[core].name, name, len) &&
	       !m->core[core].name[len];
}

/* Resolves "cpu/NAME/MODIFIERS", as perf list prints the events of vendors, by NAME alone. */
static int resolve_vendor_path(struct event *e, const struct machine *m, int core, const char *name)
{
	const char *slash = strchr(name, '/'), *end = strrchr(name, '/');
	char *base;
	int ret;

	if (end == slash || !is_pmu_of(m, core, name, (size_t)(slash - name)))
		return -ENOENT;
	base = xstrndup(slash + 1, (size_t)(end - slash) - 1);
	ret = strpbrk(base, "=,") ? -ENOENT : resolve_vendor(e, m, core, base);
	if (ret && !m->elsewhere && !strpbrk(base, "=,:"))
		ret = event_pfm_resolve(e, machine_is_hybrid(m) ? &m->core[core] : NULL, base,
					NULL);
	free(base);
	return ret ? ret
		   : event_modifiers_apply(e, name, end[1] ? end + 1 + (end[1] == ':') : NULL,
					   NULL);
}

/* Resolves a name that tiptop's table, the kernel or libpfm4 has; else tries it as a name of the
 * vendor. */
static int resolve_base(struct event *e, const struct machine *m, int core, const char *name,
			struct err *err)
{
	struct event other = *e;
	int ret = resolve_known(e, m, core, name, err);

	if (!ret || ret == -EINVAL ||
	    (strchr(name, '/') ? resolve_vendor_path(&other, m, core, name)
			       : resolve_vendor(&other, m, core, name)))
		return ret;
	*e = other;
	return 0;
}

/* Resolves a name with its modifiers: first as a whole, since libpfm4 parses its own modifiers. If
 * that name is not known (but not on -EINVAL), resolves the name without them, and applies them as
 * modifiers of perf. */
static int resolve_any(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err)
{
	const size_t len = event_spelling_tail(name);
	struct event other = *e;
	struct err why = ERR_INIT;
	char *base;
	int ret = resolve_base(e, m, core, name, &why);

	if (ret && ret != -EINVAL && name[len] == ':') {
		base = xstrndup(name, len);
		if (!resolve_base(&other, m, core, base, NULL)) {
			*e = other;
			ret = event_modifiers_apply(e, name, name + len + 1, &why);
		}
		free(base);
	}
	return ret ? err_set(err, why.code, "%s", why.text) : 0;
}

/* The suffix of a name for each phase. */
static const char *const phase_words[N_EVENT_PHASES] = {[EVENT_ANY_PHASE] = "",
							[EVENT_ACQUIRE] = "@acquire",
							[EVENT_HOLD] = "@hold",
							[EVENT_RELEASE] = "@release"};

char *event_name_extend(const char *name, char mode, enum event_phase phase)
{
	const size_t len = strlen(name);
	const char modifier[] = {mode, '\0'};
	const char *colon = !mode || (len && name[len - 1] == '/') ? "" : ":";

	return xasprintf("%s%s%s%s", name, colon, modifier, phase_words[phase]);
}

size_t event_name_phase(const char *name, enum event_phase *phase)
{
	const char *at = strrchr(name, '@');

	*phase = EVENT_ANY_PHASE;
	for (int i = EVENT_ACQUIRE; at && i < N_EVENT_PHASES; i++)
		if (!strcmp(at, phase_words[i]))
			*phase = (enum event_phase)i;
	return *phase ? (size_t)(at - name) : strlen(name);
}

static int resolve_spelled(struct event *e, const struct machine *m, int core, const char *name,
			   struct err *err)
{
	struct event_spelling s;
	int ret = event_spelling_read(&s, name, err);

	if (!ret)
		ret = resolve_any(e, m, core, s.name, err);
	event_spelling_done(&s);
	return ret;
}

int event_name_resolve(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err)
{
	enum event_phase phase;
	const size_t len = event_name_phase(name, &phase);
	char *base;
	int ret;

	if (!phase)
		return resolve_spelled(e, m, core, name, err);
	base = xstrndup(name, len);
	ret = resolve_spelled(e, m, core, base, err);
	e->phase = (uint8_t)phase;
	free(base);
	return ret;
}

bool event_name_is_certain(const struct machine *m, const char *name)
{
	enum event_phase phase;
	char *spelled = xstrndup(name, event_name_phase(name, &phase));
	struct event_spelling s;
	uint64_t config;
	uint32_t type;
	bool certain = false;

	if (!event_spelling_read(&s, spelled, NULL)) {
		s.name[strcspn(s.name, ":")] = '\0';
		certain = raw_digits(s.name) != NULL ||
			  (!machine_is_hybrid(m) && generic_find(s.name, &type, &config));
	}
	event_spelling_done(&s);
	free(spelled);
	return certain;
}

/* ---- vendor names ---- */

/* Vendor names of events that count exactly what a generic event of the kernel counts. */
static const struct {
	uint8_t vendor; /* enum cpu_vendor */
	const char *name, *generic;
} generic_table[] = {
	{CPU_INTEL, "INST_RETIRED.ANY", "instructions"},
	{CPU_INTEL, "INST_RETIRED.ANY_P", "instructions"},
	{CPU_INTEL, "INSTR_RETIRED.ANY", "instructions"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.THREAD", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.THREAD_P", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.CORE", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.CORE_P", "cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.REF_TSC", "ref-cycles"},
	{CPU_INTEL, "CPU_CLK_UNHALTED.REF", "ref-cycles"},
	{CPU_INTEL, "BR_INST_RETIRED.ALL_BRANCHES", "branches"},
	{CPU_INTEL, "BR_MISP_RETIRED.ALL_BRANCHES", "branch-misses"},
	{CPU_AMD, "ex_ret_instr", "instructions"},
	{CPU_AMD, "RETIRED_INSTRUCTIONS", "instructions"},
	{CPU_AMD, "ls_not_halted_cyc", "cycles"},
	{CPU_AMD, "CPU_CLOCKS_UNHALTED", "cycles"},
	{CPU_ARM, "INST_RETIRED", "instructions"},
	{CPU_ARM, "CPU_CYCLES", "cycles"},
};

bool event_vendor_names_same(const char *x, const char *y)
{
	for (; *x && *y; x++, y++) {
		bool letters = isalnum((unsigned char)*x) && isalnum((unsigned char)*y);

		if (letters ? toupper((unsigned char)*x) != toupper((unsigned char)*y)
			    : isalnum((unsigned char)*x) || isalnum((unsigned char)*y))
			return false;
	}
	return !*x && !*y;
}

const char *event_vendor_generic(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < sizeof generic_table / sizeof *generic_table; i++)
		if (generic_table[i].vendor == m->cpu.vendor &&
		    event_vendor_names_same(generic_table[i].name, name))
			return generic_table[i].generic;
	return NULL;
}

/* Returns whether any choice of the event has the name, for whatever CPU: a quick test before
 * first_choice(), which is slow. */
static bool has_name(const struct event_def *def, const char *name)
{
	for (size_t i = 0; i < def->n_choices; i++)
		if (def->choice[i].name && event_vendor_names_same(def->choice[i].name, name))
			return true;
	return false;
}

/* Returns the choice that is used on this CPU; NULL: none. */
static const struct event_choice *first_choice(const struct machine *m, const char *pmu,
					       const struct event_def *def)
{
	for (size_t i = 0; i < def->n_choices; i++)
		if (event_table_fits(m->table, &m->cpu, pmu, def->choice[i].arch,
				     def->choice[i].model))
			return &def->choice[i];
	return NULL;
}

bool machine_is_core_pmu(const struct machine *m, const char *name, size_t len)
{
	for (int i = 0; i < m->n_cores; i++)
		if (!strncmp(m->core[i].name, name, len) && !m->core[i].name[len])
			return true;
	return len == 3 && !strncmp(name, "cpu", 3) && !machine_is_hybrid(m);
}

/* Returns whether a choice is an event of a PMU outside of the cores: "amd_df/event=0x07/". */
static bool is_outside(const struct machine *m, const struct event_choice *c)
{
	size_t len = strcspn(c->event, "/;");

	return c->event[len] == '/' && !machine_is_core_pmu(m, c->event, len);
}

const struct event_def *event_vendor_find(const struct machine *m, const char *pmu,
					  const char *name, bool *outside)
{
	for (const struct event_table *t = m->table; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++) {
			const struct event_choice *c = has_name(&t->event[i], name)
							       ? first_choice(m, pmu, &t->event[i])
							       : NULL;

			if (!c || !c->name || !event_vendor_names_same(c->name, name))
				continue;
			*outside = is_outside(m, c);
			if (*outside || !c->weight)
				return &t->event[i];
		}
	*outside = false;
	return NULL;
}

/* ---- suggestions ---- */

struct search {
	const struct machine *machine;
	struct suggestion suggestion;
};

static void compare(struct search *s, const char *known)
{
	suggestion_offer(&s->suggestion, known);
}

static void compare_generic(void *context, const char *name, const char *also)
{
	compare(context, name);
	if (also)
		compare(context, also);
}

/* Returns whether a name of the table has a choice for this machine. */
static bool is_here(const struct machine *m, const char *name)
{
	struct event_names names;
	bool here = false;
	char *choice;

	for (int core = 0; !here && core < machine_kinds(m); core++) {
		event_names_init(&names, m->table, &m->cpu, machine_pmu(m, core), m->takes_codes,
				 name);
		choice = event_names_next(&names);
		here = choice;
		free(choice);
		event_names_done(&names);
	}
	return here;
}

static void compare_table(struct search *s, const struct event_table *t)
{
	for (; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			if (is_here(s->machine, t->event[i].name))
				compare(s, t->event[i].name);
}

/* Compares with "PMU/NAME/", and for an event of a core PMU with its bare name, too. */
static void compare_sysfs(void *context, const struct event_sysfs_row *row)
{
	struct search *s = context;
	char *path = xasprintf("%s/%s/", row->pmu, row->name);

	compare(s, path);
	free(path);
	for (int i = 0; i < s->machine->n_cores; i++)
		if (!strcmp(s->machine->core[i].name, row->pmu))
			compare(s, row->name);
}

static void compare_pfm(void *context, const char *pmu, const char *name)
{
	(void)pmu;
	compare(context, name);
}

char *event_suggest(const struct machine *m, const char *name)
{
	/* Modifiers are cut off, as they are not part of the name. An umask of libpfm4 follows a
	 * colon, too: for libpfm4, the whole name is compared below. */
	char *base = xstrndup(name, strchr(name, '/') ? strlen(name) : strcspn(name, ":"));
	struct search s = {.machine = m};
	const bool long_enough = strlen(base) > 2;
	const char *best;

	suggestion_begin(&s.suggestion, base);
	if (long_enough) {
		generic_each(compare_generic, &s);
		compare_table(&s, m->table);
		event_sysfs_each(m->host, compare_sysfs, &s);
	}
	suggestion_retype(&s.suggestion, name);
	if (long_enough && !m->elsewhere)
		event_pfm_each(compare_pfm, &s);
	free(base);
	best = suggestion_best(&s.suggestion);
	return best ? xstrdup(best) : NULL;
}

void event_suggest_add(const struct machine *m, const char *name, struct err *err)
{
	char *near = event_suggest(m, name);
	const struct err why = *err;

	if (near)
		err_set(err, why.code, "%s (did you mean '%s'?)", why.text, near);
	free(near);
}
