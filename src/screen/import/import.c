/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "pmu/event/machine.h"
#include "pmu/event/name.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/pfm.h"
#include "pmu/event/table.h"
#include "screen/compile.h"
#include "screen/import/formula.h"

/* ---- event code ----
 *
 * Writes an event by its code: needed if terms change the code, or for one kind of cores only.
 */

/* Fields of PERFEVTSEL, by their terms: Intel SDM, volume 3, "Performance Monitoring". */
static const struct field {
	const char *name;
	int shift;
	uint64_t max;
	const char *modifier; /* the modifier of libpfm4 for the field; NULL: none */
} field_table[] = {
	{"umask", 8, 0xff, NULL},
	{"edge", 18, 1, "e"},
	{"inv", 23, 1, "i"},
	{"cmask", 24, 0xff, "c"},
};

/* Returns the field of a term, whose name has n characters; NULL: none. */
static const struct field *find_field(const char *term, size_t n)
{
	for (size_t i = 0; i < sizeof field_table / sizeof *field_table; i++)
		if (strlen(field_table[i].name) == n && !strncmp(field_table[i].name, term, n))
			return &field_table[i];
	return NULL;
}

/* Codes of Intel's architectural events: Intel SDM, volume 3, "Architectural Performance
 * Monitoring"; code of reference cycles as in the kernel: Linux arch/x86/events/intel/core.c. */
static const uint64_t intel_codes[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = 0x3c,          [PERF_COUNT_HW_INSTRUCTIONS] = 0xc0,
	[PERF_COUNT_HW_CACHE_REFERENCES] = 0x4f2e,  [PERF_COUNT_HW_CACHE_MISSES] = 0x412e,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = 0xc4, [PERF_COUNT_HW_BRANCH_MISSES] = 0xc5,
	[PERF_COUNT_HW_REF_CPU_CYCLES] = 0x300,
};

static int apply_term(uint64_t *config, const char *term, struct err *err)
{
	const size_t len = strcspn(term, "=");
	const struct field *field = find_field(term, len);
	uint64_t value = 1;

	if (!field)
		return err_set(err, ENOENT, "the term '%s' of an event has no counterpart", term);
	if (term[len] && num_parse_u64(term + len + 1, field->name, &value, err))
		return -EINVAL;
	if (value > field->max)
		return err_set(err, EINVAL, "the term '%s' has room for 0x%" PRIx64 " at most",
			       term, field->max);
	*config &= ~(field->max << field->shift);
	*config |= value << field->shift;
	return 0;
}

/* Sets *config to the code of the event, to which terms can be added; -ENOENT: it has none. */
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

/* For an event without a code that terms can change: appends its name with the terms in the syntax
 * of libpfm4, "UOPS_RETIRED:MS:c=1:e=1". Returns false if libpfm4 does not know that event. */
static bool add_with_modifiers(struct strbuf *out, const struct machine *m, int core,
			       const char *name, const char *terms)
{
	const int stem = (int)strcspn(name, ".");
	struct event e = {.name = NULL};
	bool is_known = true;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%.*s%s%s", stem, name, name[stem] ? ":" : "",
		    name[stem] ? name + stem + 1 : "");
	while (*terms && is_known) {
		const size_t len = strcspn(terms, ","), word = strcspn(terms, "=,");
		const struct field *field = find_field(terms, word);

		is_known = field && field->modifier;
		if (is_known)
			strbuf_addf(&text, ":%s%.*s", field->modifier,
				    word < len ? (int)(len - word) : 2,
				    word < len ? terms + word : "=1");
		terms += len + (terms[len] == ',');
	}
	is_known = is_known && !event_name_resolve(&e, m, core, text.text, NULL);
	if (is_known)
		strbuf_addstr(out, text.text);
	strbuf_done(&text);
	return is_known;
}

/* Appends the code of an event that event_name_resolve() knows on these cores: "r10001b1", or on a
 * hybrid machine "cpu_core/config=0x10001b1/". terms: "cmask=1,inv", which change the code; NULL:
 * none. If the event has no such code, appends a name of libpfm4 with modifiers instead; if it has
 * no such name either, returns -ENOENT. */
static int import_event_code(struct strbuf *out, const struct machine *m, int core,
			     const char *name, const char *terms, struct err *err)
{
	const char *list = terms ? terms : "";
	struct err why = ERR_INIT;
	uint64_t config = 0;
	int ret;

	if (terms && strcmp(m->cpu.arch, "x86") != 0)
		return err_set(err, ENOENT, "the terms '%s' have a counterpart on x86 only", list);
	ret = code_of(&config, m, core, name, &why);
	if (ret == -ENOENT && !machine_is_hybrid(m) && add_with_modifiers(out, m, core, name, list))
		return 0;
	if (ret && err)
		*err = why;
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

/* ---- events ----
 *
 * Translates the names of events in other tools' files to the names that screens use.
 *
 * An event is looked up among the generic events, then among the events of the event table whose
 * choice for this CPU has the name (a vendor's name, see pmu/event/name.h), then in sysfs and
 * libpfm4.
 */

struct foreign_event {
	const char *name;  /* "FP_ARITH_INST_RETIRED.SCALAR", "cpu_core/EVENT,cmask=1/k" */
	const char *terms; /* terms to add, "cmask=1,inv"; NULL: none */
	const char *pmu;   /* the PMU of one kind of cores; NULL: any */
};

/* Intel's top-down metrics by their names in likwid. */
static const struct {
	const char *name, *event;
} metric_table[] = {
	{"RETIRING", "topdown-retiring"},       {"BAD_SPECULATION", "topdown-bad-spec"},
	{"FRONTEND_BOUND", "topdown-fe-bound"}, {"BACKEND_BOUND", "topdown-be-bound"},
	{"HEAVY_OPS", "topdown-heavy-ops"},     {"BR_MISPREDICT", "topdown-br-mispredict"},
	{"FETCH_LATENCY", "topdown-fetch-lat"}, {"MEM_BOUND", "topdown-mem-bound"},
};

static char *find_generic(const struct machine *m, const char *name)
{
	uint64_t config;
	uint32_t type;

	if (generic_find(name, &type, &config))
		return xstrdup(name);
	return xstrdup_or_null(event_vendor_generic(m, name));
}

static char *find_by_maker(const struct machine *m, const char *pmu, const char *name)
{
	bool outside;
	const struct event_def *def = event_vendor_find(m, pmu, name, &outside);

	return def && !outside ? xstrdup(def->name) : NULL;
}

/* Returns the name, in the event table, of the event that has `name` among its choices; NULL: none.
 * Mainly needed for a CPU that is not this machine's, so that its sysfs is not available. */
static char *find_by_choice(const struct machine *m, const char *pmu, const char *name)
{
	const struct event_choice *choice;
	const struct event_def *def = event_names_find(m->table, &m->cpu, pmu, name, &choice);

	return def ? xstrdup(def->name) : NULL;
}

static int core_of(const struct machine *m, const char *pmu)
{
	int core = 0;

	while (pmu && core + 1 < m->n_cores && strcmp(m->core[core].name, pmu) != 0)
		core++;
	return core;
}

static bool resolves(const struct machine *m, const char *pmu, const char *name)
{
	struct event e = {.name = NULL};

	return !event_name_resolve(&e, m, core_of(m, pmu), name, NULL);
}

static char *resolve_or_free(const struct machine *m, const char *pmu, char *name)
{
	if (resolves(m, pmu, name))
		return name;
	free(name);
	return NULL;
}

/* Returns the name in lower case, as sysfs has the names of Arm's events; NULL: it is unknown. */
static char *find_small(const struct machine *m, const char *pmu, const char *name)
{
	char *small = xstrdup(name);

	for (char *p = small; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return resolve_or_free(m, pmu, small);
}

/* Returns the name with ':' in place of one '.' or '_', as names of libpfm4 have; NULL: none of
 * these is known. */
static char *find_with_colon(const struct machine *m, const char *pmu, const char *name)
{
	char *try = xstrdup(name), *p = try, *found = NULL;

	while (!found && (p = strpbrk(p, "._"))) {
		char old = *p;

		*p = ':';
		found = resolve_or_free(m, pmu, xstrdup(try));
		*p++ = old;
	}
	free(try);
	return found;
}

/* Returns the kernel's name for one of likwid's top-down metrics; any other name unchanged. */
static const char *kernel_name(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < sizeof metric_table / sizeof *metric_table; i++)
		if (m->cpu.vendor == CPU_INTEL &&
		    event_vendor_names_same(metric_table[i].name, name))
			return metric_table[i].event;
	return name;
}

/* Returns the name that screens use for the event, which the caller frees; NULL: none. */
static char *events_find_event(const struct machine *m, const char *pmu, const char *name)
{
	char *found = find_generic(m, name);

	name = kernel_name(m, name);
	if (!found)
		found = find_by_maker(m, pmu, name);
	if (!found)
		found = resolve_or_free(m, pmu, xstrdup(name));
	if (!found)
		found = find_by_choice(m, pmu, name);
	if (!found && m->cpu.vendor == CPU_ARM)
		found = find_small(m, pmu, name);
	if (!found && !m->elsewhere)
		found = find_with_colon(m, pmu, name);
	return found;
}

static int lack(const struct machine *m, const char *name, struct err *err)
{
	struct err why = ERR_INIT;

	if (m->elsewhere)
		return err_set(err, ENOENT,
			       "the event '%s' has no counterpart: the tables of tiptop do not "
			       "have it for that CPU",
			       name);
	if (event_pfm_begin(&why))
		return err_set(err, ENOENT,
			       "the event '%s' has no counterpart: neither the tables of tiptop "
			       "nor the kernel have it for this CPU, and %s",
			       name, why.text);
	return err_set(err, ENOENT,
		       "the event '%s' has no counterpart: neither the tables of tiptop, nor the "
		       "kernel, nor libpfm4 have it for this CPU",
		       name);
}

static int lack_cores(const char *pmu, struct err *err)
{
	return err_set(
		err, ENOENT,
		"the PMU '%s' has no counterpart: this CPU has no cores with it, so that its "
		"events would not be those of a task",
		pmu);
}

/* Appends the event of a name that has no modifiers and no "PMU/.../". */
static int add_plain(struct strbuf *out, const struct machine *m, const struct foreign_event *event,
		     struct err *err)
{
	bool of_one_kind = event->pmu && machine_is_hybrid(m), outside;
	char *found;
	int ret = 0;

	if (event->pmu && !machine_is_core_pmu(m, event->pmu, strlen(event->pmu)))
		return lack_cores(event->pmu, err);
	if (event_vendor_find(m, event->pmu, event->name, &outside) && outside)
		return err_set(err, ENOENT,
			       "the event '%s' has no counterpart: it is counted outside of the "
			       "cores, and so not per task",
			       event->name);
	found = events_find_event(m, event->pmu, event->name);
	if (!found)
		return lack(m, event->name, err);
	if (event->terms || of_one_kind)
		ret = import_event_code(out, m, core_of(m, event->pmu), found, event->terms, err);
	else
		strbuf_addstr(out, found);
	free(found);
	return ret;
}

/* Appends the event "PMU/TERMS/". The first of the terms may be the name of an event: in
 * "PMU/NAME,TERM=1/". */
static int add_path(struct strbuf *out, const struct machine *m, const char *pmu, const char *terms,
		    struct err *err)
{
	size_t len = strcspn(terms, ",");
	char *name = xstrndup(terms, len);
	struct foreign_event event = {name, terms[len] ? terms + len + 1 : NULL, pmu};
	int ret = 0;

	if (!machine_is_core_pmu(m, pmu, strlen(pmu))) {
		ret = lack_cores(pmu, err);
	} else if (strchr(name, '=')) {
		char *path = xasprintf("%s/%s/", pmu, terms);

		ret = resolves(m, pmu, path) ? 0 : lack(m, path, err);
		if (!ret)
			strbuf_addstr(out, path);
		free(path);
	} else {
		ret = add_plain(out, m, &event, err);
	}
	free(name);
	return ret;
}

/* Removes the modifiers from a name, "u" from "NAME:u", and returns them. */
static const char *split_modifiers(char *name)
{
	char *colon = strrchr(name, ':');

	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "ukhGHR")])
		return "";
	*colon = '\0';
	return colon + 1;
}

static int add_modifiers(struct strbuf *out, const char *modifiers, struct err *err)
{
	if (strchr(modifiers, 'R'))
		return err_set(err, ENOENT,
			       "the modifier 'R' has no counterpart: it asks for the latency of "
			       "an instruction's retirement, which perf samples");
	if (*modifiers)
		strbuf_addf(out, "%s%s", out->text[out->len - 1] == '/' ? "" : ":", modifiers);
	return 0;
}

/* Appends the event in the syntax of a <counter>'s event attribute. Returns -ENOENT with a sentence
 * if it has no counterpart, -EINVAL if it is invalid. */
static int import_event(struct strbuf *out, const struct machine *m,
			const struct foreign_event *event, struct err *err)
{
	char *name = xstrdup(event->name), *slash = strchr(name, '/'), *end = strrchr(name, '/');
	struct foreign_event plain = *event;
	const char *modifiers;
	int ret;

	if (slash && slash != end) {
		*slash = *end = '\0';
		modifiers = end[1] == ':' ? end + 2 : end + 1;
		ret = add_path(out, m, name, slash + 1, err);
	} else {
		modifiers = split_modifiers(name);
		plain.name = name;
		ret = add_plain(out, m, &plain, err);
	}
	ret = ret ? ret : add_modifiers(out, modifiers, err);
	free(name);
	return ret;
}

/* ---- names ----
 *
 * Finds the meaning of the names in a file's formulas: the time, constants, other metrics of the
 * file, and events, which become counters.
 *
 * Ownership: struct import_names owns the counters and their texts; import_names_done() frees them.
 */

struct import_names {
	const struct foreign_file *file;
	const struct machine *machine;
	const struct foreign_metric *metric; /* the current one; NULL: none */
	/* The kernel counts top-down metrics only in a group led by the event "slots".
	 * has_slots_part: the current metric uses one of them, on the cores slots_core; has_slots:
	 * it uses "slots". */
	bool has_slots_part, has_slots;
	int slots_core;
	/* The counters found so far, for the screen. */
	struct {
		char *alias, *event;
	} * counter;
	size_t n_counters, cap_counters;
};

/* Names in formulas that are not events. lack: why a name has no counterpart; NULL: it has one. */
static const struct {
	bool likwid;
	const char *name;
	enum formula_kind kind;
	double number;
	const char *lack;
} constant_table[] = {
	{true, "time", FORMULA_TIME, 0, NULL},
	{true, "inverseClock", 0, 0, "the rate of the time stamp counter is not known to screens"},
	{false, "duration_time", FORMULA_TIME, 0, NULL},
	/* Its value is 0: tasks are counted, not whole cores. */
	{false, "#core_wide", FORMULA_NUMBER, 0, NULL},
	{false, "#slots", 0, 0,
	 "screens do not know the slots of a cycle: write their number in its place"},
	{false, "#smt_on", 0, 0, "screens do not know whether the cores have several threads"},
	{false, "user_time", 0, 0, "screens have CPU_USER, in % of a CPU"},
	{false, "system_time", 0, 0, "screens have CPU_SYS, in % of a CPU"},
};

static int find_constant(const struct import_names *n, const char *name,
			 struct formula_meaning *out, struct err *err)
{
	for (size_t i = 0; i < sizeof constant_table / sizeof *constant_table; i++) {
		if (constant_table[i].likwid != n->file->likwid ||
		    strcmp(constant_table[i].name, name) != 0)
			continue;
		if (constant_table[i].lack)
			return err_set(err, ENOENT, "'%s' has no counterpart: %s", name,
				       constant_table[i].lack);
		*out = (struct formula_meaning){.kind = constant_table[i].kind,
						.number = constant_table[i].number};
		return 1;
	}
	if (name[0] == '#')
		return err_set(
			err, ENOENT,
			"'%s' has no counterpart: a screen has no such number of the machine",
			name);
	return 0;
}

static bool has_alias(const struct import_names *n, const char *alias)
{
	for (size_t i = 0; i < n->n_counters; i++)
		if (!strcmp(n->counter[i].alias, alias))
			return true;
	return false;
}

/* Makes a unique alias: lower-case letters, digits and '_', not beginning with a digit. */
static char *make_alias(const struct import_names *n, const char *name)
{
	char *base = xasprintf("%s%s", isdigit((unsigned char)name[0]) ? "e" : "", name), *alias;

	for (char *p = base; *p; p++)
		*p = (char)(isalnum((unsigned char)*p) ? tolower((unsigned char)*p) : '_');
	for (size_t len = strlen(base); len > 1 && base[len - 1] == '_'; len--)
		base[len - 1] = '\0';
	alias = xstrdup(base);
	for (int i = 2; has_alias(n, alias); i++) {
		free(alias);
		alias = xasprintf("%s_%d", base, i);
	}
	free(base);
	return alias;
}

/* Returns the alias of the counter for this event; adds it if it is new. */
static const char *add_counter(struct import_names *n, const char *event, const char *name)
{
	for (size_t i = 0; i < n->n_counters; i++)
		if (!strcmp(n->counter[i].event, event))
			return n->counter[i].alias;
	n->counter = xgrow(n->counter, &n->cap_counters, n->n_counters + 1, sizeof *n->counter);
	n->counter[n->n_counters].alias = make_alias(n, name);
	n->counter[n->n_counters].event = xstrdup(event);
	return n->counter[n->n_counters++].alias;
}

/* Drops the counters from index `from` on. */
static void import_names_drop(struct import_names *n, size_t from)
{
	while (n->n_counters > from) {
		n->n_counters--;
		free(n->counter[n->n_counters].alias);
		free(n->counter[n->n_counters].event);
	}
}

/* Updates has_slots, has_slots_part and slots_core for an event that the current metric uses. */
static void note_slots(struct import_names *n, const char *event)
{
	for (int core = 0; core < machine_kinds(n->machine); core++) {
		struct event e = {.name = NULL};

		if (event_name_resolve(&e, n->machine, core, event, NULL))
			continue;
		n->has_slots |= e.topdown == TOPDOWN_SLOTS;
		if (e.topdown == TOPDOWN_METRIC) {
			n->has_slots_part = true;
			n->slots_core = core;
		}
	}
}

/* Makes a metric the current one. */
static void import_names_begin(struct import_names *n, const struct foreign_metric *metric)
{
	n->metric = metric;
	n->has_slots = n->has_slots_part = false;
}

/* If the current metric uses a top-down metric but not "slots", returns the name of that event as a
 * formula writes it; else "". The caller frees the result. */
static char *import_names_leader(const struct import_names *n)
{
	if (!n->has_slots_part || n->has_slots)
		return xstrdup("");
	return machine_is_hybrid(n->machine)
		       ? xasprintf("%s@slots@", machine_pmu(n->machine, n->slots_core))
		       : xstrdup("slots");
}

static int find_event(struct import_names *n, const struct foreign_event *event,
		      struct formula_meaning *out, struct err *err)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	ret = import_event(&text, n->machine, event, err);
	if (!ret) {
		note_slots(n, text.text);
		*out = (struct formula_meaning){.kind = FORMULA_COUNTER,
						.alias = add_counter(n, text.text, event->name)};
	}
	strbuf_done(&text);
	return ret;
}

static int find_counter(struct import_names *n, const char *name, struct formula_meaning *out,
			struct err *err)
{
	/* A formula may repeat the options of the counter, as in "PMC0:EDGEDETECT". */
	const size_t len = strcspn(name, ":");

	for (size_t i = 0; i < n->file->n_counters; i++) {
		const struct foreign_counter *c = &n->file->counter[i];

		if (strncmp(c->alias, name, len) != 0 || c->alias[len])
			continue;
		if (c->lack)
			return err_set(err, ENOENT, "%s", c->lack);
		return find_event(n, &(struct foreign_event){c->event, c->terms, NULL}, out, err);
	}
	if (!strcmp(name, "slots") || strchr(name, '/')) /* as import_names_leader() returns it */
		return find_event(n, &(struct foreign_event){name, NULL, NULL}, out, err);
	return err_set(err, EINVAL, "there is no counter '%s' in this group", name);
}

static bool same_cores(const struct foreign_metric *m, const char *pmu)
{
	return m->pmu && pmu ? !strcmp(m->pmu, pmu) : !m->pmu && !pmu;
}

/* Returns the metric with this name; NULL: none. If there are several, prefers one for the same
 * kind of cores as the current metric. */
static const struct foreign_metric *import_names_metric(const struct import_names *n,
							const char *name)
{
	const struct foreign_metric *found = NULL;

	for (size_t i = 0; i < n->file->n_metrics; i++) {
		const struct foreign_metric *m = &n->file->metric[i];

		if (strcmp(m->name, name) != 0)
			continue;
		if (n->metric && same_cores(m, n->metric->pmu))
			return m;
		found = found ? found : m;
	}
	return found;
}

/* Implements formula_names.find; context: struct import_names. Adds a counter for a new event. */
static int import_names_find(void *context, const char *name, struct formula_meaning *out,
			     struct err *err)
{
	struct import_names *n = context;
	int ret = find_constant(n, name, out, err);
	const struct foreign_metric *other;

	if (ret)
		return ret < 0 ? ret : 0;
	if (n->file->likwid)
		return find_counter(n, name, out, err);
	other = import_names_metric(n, name);
	if (other && other->formula) {
		*out = (struct formula_meaning){.kind = FORMULA_TEXT, .text = other->formula};
		return 0;
	}
	return find_event(n, &(struct foreign_event){name, NULL, n->metric->pmu}, out, err);
}

/* Implements formula_names.has: returns 1 or 0; -ENOENT if that is unknown, because the CPU is not
 * this machine's and its event is in no table. Adds no counter. */
static int import_names_has(void *context, const char *name, struct err *err)
{
	struct import_names *n = context;
	const size_t n_counters = n->n_counters;
	struct formula_meaning meaning;
	int ret = import_names_find(n, name, &meaning, NULL);

	import_names_drop(n, n_counters);
	if (!ret || !n->machine->elsewhere)
		return !ret;
	return err_set(err, ENOENT,
		       "whether that CPU has the event '%s' is not known here: the tables of "
		       "tiptop do not have it",
		       name);
}

static void import_names_done(struct import_names *n)
{
	import_names_drop(n, 0);
	free(n->counter);
}

/* ---- import ---- */

#define DIGITS_BEHIND 2
#define WIDTH_MIN     8
#define WIDTH_RATIO   9  /* "1.23e-05" and a blank */
#define WIDTH_MAX     99 /* the maximal width in a format */

/* The text before the alias of a divisor, as formula_write() writes it. */
#define DIVISOR " / delta("

struct builder {
	const struct import_request *request;
	struct foreign_file file;
	struct import_names names;
	struct import *out;
	screen_report report;
	void *context;
};

/* Returns the unit of the metric if columns can have it; else NULL. */
static const char *unit_of(const struct foreign_metric *m)
{
	return m->unit && !strcmp(m->unit, "%")     ? "%"
	       : m->unit && !strcmp(m->unit, "GHz") ? "GHz"
						    : NULL;
}

/* Sets the threshold of a column: that of the metric times its factor. If the threshold uses other
 * metrics, too, it is only added to the notes. */
static void take_threshold(struct builder *b, const struct foreign_metric *m, struct column *c)
{
	struct formula_limit limit;

	if (!m->threshold)
		return;
	if (formula_read_limit(&limit, m->threshold, m->name))
		c->warn.text = xasprintf("%c %.12g", limit.sign, limit.number * m->factor);
	else
		strbuf_addf(&b->out->notes, "%s: the vendor's threshold is %s\n", m->name,
			    m->threshold);
}

/* Returns whether the file has another metric with this name, as for other cores. */
static bool is_of_several(const struct foreign_file *file, const struct foreign_metric *m)
{
	for (size_t i = 0; i < file->n_metrics; i++)
		if (&file->metric[i] != m && !strcmp(file->metric[i].name, m->name))
			return true;
	return false;
}

static bool has_header(const struct screen *s, const char *name)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		const char *header = s->column[i].header;

		if (!strcmp(header + strspn(header, " "), name))
			return true;
	}
	return false;
}

/* Returns a unique header for the column; the caller frees it. */
static char *make_header(const struct builder *b, const struct foreign_metric *m)
{
	bool of_cores = m->pmu && !strncmp(m->pmu, "cpu_", 4) && is_of_several(&b->file, m);
	char *base = xasprintf("%s%s", m->name, of_cores ? m->pmu + 3 : ""), *name = xstrdup(base);

	for (int i = 2; has_header(b->out->screen, name); i++) {
		free(name);
		name = xasprintf("%s_%d", base, i);
	}
	free(base);
	return name;
}

static const char *event_of(const struct builder *b, const char *alias, size_t len)
{
	for (size_t i = 0; i < b->names.n_counters; i++)
		if (!strncmp(b->names.counter[i].alias, alias, len) &&
		    !b->names.counter[i].alias[len])
			return b->names.counter[i].event;
	return "";
}

static bool is_instructions(const char *event)
{
	return !strcmp(event, "instructions") || strstr(event, "/config=0xc0/");
}

static bool is_cycles(const char *event)
{
	return !strcmp(event, "cycles") || strstr(event, "/config=0x3c/");
}

/* Returns whether the expression is a number of events per instruction, which is often far below
 * 0.01. Cycles per instruction are not. */
static bool is_per_instruction(const struct builder *b, const char *expression)
{
	const char *divisor = strstr(expression, DIVISOR), *next;
	size_t len;

	while (divisor && (next = strstr(divisor + 1, DIVISOR)))
		divisor = next;
	if (!divisor || strtod(expression, NULL) > 1)
		return false;
	next = divisor + strlen(DIVISOR);
	len = strcspn(next, ")");
	if (!next[len] || next[len + 1] || !is_instructions(event_of(b, next, len)))
		return false;
	next = strncmp(expression, "delta(", 6) ? "" : expression + 6;
	return !is_cycles(event_of(b, next, strcspn(next, ")")));
}

static char *make_format(const struct builder *b, const char *expression, int *width)
{
	if (!is_per_instruction(b, expression))
		return xasprintf("%%%d.%df", *width, DIGITS_BEHIND);
	*width = *width < WIDTH_RATIO ? WIDTH_RATIO : *width;
	return xasprintf("%%%d.%dg", *width, DIGITS_BEHIND + 1);
}

static void add_column(struct builder *b, const struct foreign_metric *m, const char *expression)
{
	char *name = make_header(b, m), *header, *format, *desc;
	int width = text_length(name) + 1;
	struct column *c;

	width = width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width;
	format = make_format(b, expression, &width);
	header = xasprintf("%*s", width, name);
	desc = xasprintf("%s%s%s%s", m->desc ? m->desc : m->name, m->unit ? " (" : "",
			 m->unit ? m->unit : "", m->unit ? ")" : "");
	text_sanitize(desc, ' ');
	c = screen_add_column(b->out->screen, header, format, desc, expression);
	c->unit_name = xstrdup_or_null(unit_of(m));
	take_threshold(b, m, c);
	free(desc);
	free(format);
	free(header);
	free(name);
}

static void leave_out(struct builder *b, const struct foreign_metric *m, const struct err *why)
{
	struct err err = {.code = why->code};

	snprintf(err.text, sizeof err.text, "metric '%s': %s: it is left out", m->name, why->text);
	text_sanitize(err.text, ' ');
	b->report(b->context, m->line, &err);
	strbuf_addf(&b->out->notes, "%s\n", err.text);
}

/* Appends the formula of the metric, times its factor. leader: an event that has to be counted with
 * it, but must not change the value, so that 0 times it is added; "": none. */
static void add_formula(struct strbuf *out, const struct foreign_metric *m, const char *leader)
{
	if (m->factor == 1 && !*leader)
		strbuf_addstr(out, m->formula);
	else
		strbuf_addf(out, "(%s)", m->formula);
	if (m->factor != 1)
		strbuf_addf(out, " * %.15g", m->factor);
	if (*leader)
		strbuf_addf(out, " + 0 * %s", leader);
}

static int translate(struct builder *b, const struct foreign_metric *m, struct strbuf *out,
		     struct err *err)
{
	const struct formula_names names = {import_names_find, import_names_has, &b->names};
	struct strbuf formula;
	char *leader;
	int ret;

	if (!m->formula)
		return err_set(err, ENOENT, "it has no MetricExpr: that stands in another file");
	strbuf_init(&formula);
	add_formula(&formula, m, "");
	ret = formula_translate(out, formula.text, &names, err);
	leader = import_names_leader(&b->names);
	if (!ret && *leader) {
		strbuf_reset(out);
		strbuf_reset(&formula);
		add_formula(&formula, m, leader);
		ret = formula_translate(out, formula.text, &names, err);
	}
	free(leader);
	strbuf_done(&formula);
	return ret;
}

static void take_metric(struct builder *b, const struct foreign_metric *m)
{
	size_t n_counters = b->names.n_counters;
	struct err err = ERR_INIT;
	struct strbuf expression;

	import_names_begin(&b->names, m);
	strbuf_init(&expression);
	if (translate(b, m, &expression, &err)) {
		import_names_drop(&b->names, n_counters);
		leave_out(b, m, &err);
	} else {
		add_column(b, m, expression.text);
	}
	strbuf_done(&expression);
}

/* Returns whether a list of names, separated by ',', has this name. */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	while (list) {
		if (!strncmp(list, name, len) && (!list[len] || list[len] == ','))
			return true;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return false;
}

static int check_wanted(const struct builder *b, struct err *err)
{
	const char *list = b->request->metrics;

	while (list && *list) {
		size_t len = strcspn(list, ",");
		char *name = xstrndup(list, len);
		bool known = import_names_metric(&b->names, name);

		if (!known)
			err_set(err, EINVAL, "%s: it has no metric '%s'", b->request->path, name);
		free(name);
		if (!known)
			return -EINVAL;
		list += len + (list[len] == ',');
	}
	return 0;
}

/* Returns the name of the file without folder and extension. */
static char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot > base ? xstrndup(base, (size_t)(dot - base)) : xstrdup(base);
}

static int read_file(struct builder *b, struct err *err)
{
	const struct import_request *r = b->request;
	char first = r->text[strspn(r->text, " \t\r\n")];

	if (first == '[' || first == '{')
		return foreign_read_perf(&b->file, r->path, r->text, err);
	return foreign_read_likwid(&b->file, r->path, r->text, err);
}

/* Compiles a copy of the screen, so that faults are reported now and not when a file with the
 * screen is read. */
static int check_screen(const struct builder *b, struct err *err)
{
	struct screen *copy = screen_copy(b->out->screen);
	int ret = screen_compile(copy, b->report, b->context, err);

	screen_free(copy);
	return ret ? err_prefix(err, "%s: choose fewer metrics", b->request->path) : 0;
}

static int build(struct builder *b, struct err *err)
{
	char *name = base_name(b->request->path);
	struct screen *s = screen_new(name, b->file.desc ? b->file.desc : "Imported metrics");

	b->out->screen = s;
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	progress_set_total(b->request->progress, 0, (double)b->file.n_metrics);
	for (size_t i = 0; i < b->file.n_metrics; i++) {
		if (!b->request->metrics || is_listed(b->request->metrics, b->file.metric[i].name))
			take_metric(b, &b->file.metric[i]);
		progress_set(b->request->progress, 0, (double)(i + 1));
	}
	free(name);
	for (size_t i = 0; i < b->names.n_counters; i++)
		screen_add_counter(s, b->names.counter[i].alias, "", NULL)->event =
			xstrdup(b->names.counter[i].event);
	if (s->n_columns == 1)
		return err_set(err, ENOENT, "%s: none of its metrics has a counterpart",
			       b->request->path);
	return check_screen(b, err);
}

int import_read(struct import *out, const struct import_request *request, screen_report report,
		void *context, struct err *err)
{
	struct builder b = {.request = request, .out = out, .report = report, .context = context};
	int ret;

	b.names = (struct import_names){.file = &b.file, .machine = request->machine};
	out->screen = NULL;
	strbuf_init(&out->notes);
	ret = read_file(&b, err);
	ret = ret ? ret : check_wanted(&b, err);
	ret = ret ? ret : build(&b, err);
	import_names_done(&b.names);
	foreign_file_done(&b.file);
	return ret;
}

void import_done(struct import *i)
{
	if (i->screen)
		screen_free(i->screen);
	strbuf_done(&i->notes);
}
