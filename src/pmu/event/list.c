/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/event/name.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/pfm.h"
#include "pmu/event/table.h"

/* ---- meaning ----
 *
 * Sources. The kernel's mapping of its generic events: arch/x86/events/intel/core.c
 * (intel_perfmon_event_map), arch/x86/events/amd/core.c (amd_perfmon_event_map and those of
 * families 17h and 19h) and drivers/perf/arm_pmuv3.c (armv8_pmuv3_perf_map). The meaning of these
 * events: Intel SDM volume 3, AMD PPR, Arm ARM.
 */

/* Groups of CPUs; within each, the generic events mean the same. KIND_OTHER: all other
 * CPUs, for which only the general meaning is known. */
enum kind { KIND_OTHER, KIND_INTEL, KIND_ZEN_1, KIND_ZEN_2_3, KIND_ZEN_4_5, KIND_ARM, N_KINDS };

static enum kind kind_of(const struct cpu_id *cpu)
{
	static const struct {
		enum kind kind;
		const char *models; /* the first match counts, so 17_?? is Zen 1 */
	} zen[] = {
		{KIND_ZEN_2_3, "zen2;zen3"},
		{KIND_ZEN_1, "17_??"},
		{KIND_ZEN_4_5, "19_??;1A_??"},
	};

	if (cpu->vendor == CPU_INTEL)
		return KIND_INTEL;
	/* Apple's cores have their own events. */
	if (cpu->vendor == CPU_ARM)
		return strncmp(cpu->model, "61_", 3) ? KIND_ARM : KIND_OTHER;
	for (size_t i = 0; i < sizeof zen / sizeof *zen; i++)
		if (cpu->vendor == CPU_AMD &&
		    event_table_fits(&event_table_built_in, cpu, NULL, NULL, zen[i].models))
			return zen[i].kind;
	return KIND_OTHER;
}

#define L2_REQUESTS "requests to L2, from the L1 caches and the prefetchers (event 0x60)"
#define L2_MISSES                                                                                  \
	"misses of L2, not of the last level: requests for data and instructions, without the "    \
	"prefetcher of L2 "                                                                        \
	"(event 0x64, umask 9)"
#define AMD_BRANCHES   "retired branches (event 0xc2)"
#define AMD_MISPREDICT "retired branches that were wrongly predicted (event 0xc3)"
#define OP_QUEUE_EMPTY                                                                             \
	"cycles in which the front end had no operation to give: the queue was empty (event 0xa9)"
#define NOT_HERE "this CPU has no such event"

/* The meaning by kind of CPU; NULL: the same as KIND_OTHER. */
static const char *const hardware_table[PERF_COUNT_HW_MAX][N_KINDS] = {
	[PERF_COUNT_HW_CPU_CYCLES] = {"cycles in which the CPU was not halted; how many there are "
				      "in a second varies with its clock rate"},
	[PERF_COUNT_HW_INSTRUCTIONS] =
		{"retired instructions: those that were executed to their end"},
	[PERF_COUNT_HW_CACHE_REFERENCES] =
		{
			"accesses to a cache, mostly the last level: which one is the kernel's "
			"choice",
			[KIND_INTEL] = "requests to the last-level cache (event 0x2e, umask 0x4f), "
				       "some prefetches included",
			[KIND_ZEN_1] = L2_REQUESTS,
			[KIND_ZEN_2_3] = L2_REQUESTS,
			[KIND_ZEN_4_5] = L2_REQUESTS,
			[KIND_ARM] =
				"accesses to the L1 data cache, not the last level (L1D_CACHE)",
		},
	[PERF_COUNT_HW_CACHE_MISSES] =
		{
			"misses of a cache, mostly the last level: which one is the kernel's "
			"choice",
			[KIND_INTEL] = "misses of the last-level cache (event 0x2e, umask 0x41), "
				       "some prefetches included",
			[KIND_ZEN_1] = L2_MISSES,
			[KIND_ZEN_2_3] = L2_MISSES,
			[KIND_ZEN_4_5] = L2_MISSES,
			[KIND_ARM] = "lines brought into the L1 data cache: its misses, not those "
				     "of the last level (L1D_CACHE_REFILL)",
		},
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] =
		{
			"retired branches",
			[KIND_INTEL] = "retired branches (event 0xc4)",
			[KIND_ZEN_1] = AMD_BRANCHES,
			[KIND_ZEN_2_3] = AMD_BRANCHES,
			[KIND_ZEN_4_5] = AMD_BRANCHES,
			[KIND_ARM] = "retired branches (BR_RETIRED); on older kernels only those "
				     "that were taken (PC_WRITE_RETIRED)",
		},
	[PERF_COUNT_HW_BRANCH_MISSES] =
		{
			"branches that were wrongly predicted",
			[KIND_INTEL] = "retired branches that were wrongly predicted (event 0xc5)",
			[KIND_ZEN_1] = AMD_MISPREDICT,
			[KIND_ZEN_2_3] = AMD_MISPREDICT,
			[KIND_ZEN_4_5] = AMD_MISPREDICT,
			[KIND_ARM] = "branches that were wrongly predicted, those on wrong paths "
				     "included (BR_MIS_PRED)",
		},
	[PERF_COUNT_HW_BUS_CYCLES] =
		{
			"cycles of a bus",
			[KIND_INTEL] =
				"cycles of a constant clock while the CPU was not halted (event "
				"0x3c, umask 1); its rate is not the same on all models",
			[KIND_ZEN_1] = NOT_HERE,
			[KIND_ZEN_2_3] = NOT_HERE,
			[KIND_ZEN_4_5] = NOT_HERE,
			[KIND_ARM] = "cycles of the bus between the core and the memory system "
				     "(BUS_CYCLES)",
		},
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] =
		{
			"cycles in which the front end gave no operation",
			[KIND_INTEL] = "cycles in which no micro-op was issued, for any reason; "
				       "only Nehalem to Ivy Bridge have it",
			[KIND_ZEN_1] = "cycles in which instruction fetch stood still with an "
				       "empty queue behind it (event 0x87, umask 2)",
			[KIND_ZEN_2_3] = OP_QUEUE_EMPTY,
			[KIND_ZEN_4_5] = OP_QUEUE_EMPTY,
			[KIND_ARM] = "cycles in which the front end had no operation to give "
				     "(STALL_FRONTEND)",
		},
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] =
		{
			"cycles in which the back end took no operation",
			[KIND_INTEL] = "cycles in which no micro-op was executed; only Nehalem to "
				       "Sandy Bridge have it",
			[KIND_ZEN_1] = "cycles in which instruction fetch stood still, as nothing "
				       "was taken from it (event 0x87, umask 1)",
			[KIND_ZEN_2_3] = NOT_HERE,
			[KIND_ZEN_4_5] = NOT_HERE,
			[KIND_ARM] =
				"cycles in which the back end took no operation (STALL_BACKEND)",
		},
	[PERF_COUNT_HW_REF_CPU_CYCLES] =
		{
			"cycles of a clock of constant rate, while the CPU was not halted",
			[KIND_INTEL] = "cycles at the rate of the time stamp counter, while the "
				       "CPU was not halted",
			[KIND_ZEN_1] = NOT_HERE,
			[KIND_ZEN_2_3] = NOT_HERE,
			[KIND_ZEN_4_5] = "cycles at the nominal rate (P0), while the CPU was not "
					 "halted (event 0x120, umask 1)",
			[KIND_ARM] = NOT_HERE,
		},
};

/* The meaning of software events: perf_event_open(2). */
static const char *const software_table[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "the kernel's clock of the CPU, in ns",
	[PERF_COUNT_SW_TASK_CLOCK] = "time for which the task was on a CPU, in ns",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page faults, minor and major",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] =
		"context switches, voluntary or not; they happen in the kernel",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "moves to another CPU; they happen in the kernel",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "page faults that needed no I/O",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "page faults that had to wait for I/O",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] =
		"unaligned accesses that the kernel had to mend; never on x86",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "instructions that the kernel had to emulate",
};

/* The meaning of the architectural events that the kernel lists for Arm: Arm ARM, "Common event
 * numbers". */
static const struct {
	uint16_t code;
	const char *text;
} arm_table[] = {
	{0x03, "lines brought into the L1 data cache: its misses"},
	{0x04, "accesses to the L1 data cache"},
	{0x08, "retired instructions: those that were executed to their end"},
	{0x10, "branches that were wrongly predicted, those on wrong paths included"},
	{0x11, "cycles in which the CPU was not halted; how many there are in a second varies with "
	       "its clock rate"},
	{0x17, "lines brought into L2, for data and instructions: its misses"},
	{0x1d, "cycles of the bus between the core and the memory system"},
	{0x21, "retired branches"},
	{0x22, "retired branches that were wrongly predicted"},
	{0x23, "cycles in which the front end had no operation to give"},
	{0x24, "cycles in which the back end took no operation"},
	{0x34, "page walks for data"},
	{0x35, "page walks for instructions"},
	{0x37, "reads that missed the last-level cache"},
	{0x3a, "operations that retired"},
	{0x3b, "operations that were executed, on wrong paths, too"},
	{0x3d, "slots for operations that the back end could not take"},
	{0x3e, "slots for which the front end had no operation"},
	{0x3f, "slots for operations that stayed empty"},
	{0x74, "Advanced SIMD operations, on wrong paths, too"},
	{0x75, "scalar floating-point operations, on wrong paths, too"},
	{0x4005, "cycles in which the back end took no operation, while data from beyond the "
		 "core's caches was awaited"},
	{0x8006, "SVE instructions, on wrong paths, too"},
	{0x80c0,
	 "floating-point operations of SVE, for each 128 bits of a vector, on wrong paths, too"},
	{0x80c1, "floating-point operations other than of SVE, on wrong paths, too"},
};

static const char *const cache_words[] = {
	[PERF_COUNT_HW_CACHE_L1D] = "the L1 data cache",
	[PERF_COUNT_HW_CACHE_L1I] = "the L1 instruction cache",
	[PERF_COUNT_HW_CACHE_LL] = "the last-level cache",
	[PERF_COUNT_HW_CACHE_DTLB] = "the TLB for data",
	[PERF_COUNT_HW_CACHE_ITLB] = "the TLB for instructions",
	[PERF_COUNT_HW_CACHE_BPU] = "the branch predictor",
	[PERF_COUNT_HW_CACHE_NODE] = "the memory of the node",
};

static const char *const operation_words[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = "reads",
	[PERF_COUNT_HW_CACHE_OP_WRITE] = "writes",
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = "prefetches",
};

#define N_ROWS(table) (sizeof(table) / sizeof *(table))

static bool add_cache(struct strbuf *out, uint64_t config, enum kind kind)
{
	size_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= N_ROWS(cache_words) || operation >= N_ROWS(operation_words) ||
	    result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return false;
	strbuf_addf(out, "%s %s %s; which event that is on this CPU is the kernel's choice",
		    operation_words[operation],
		    result == PERF_COUNT_HW_CACHE_RESULT_MISS ? "that missed" : "of",
		    cache_words[cache]);
	if (cache == PERF_COUNT_HW_CACHE_LL && kind >= KIND_ZEN_1 && kind <= KIND_ZEN_4_5)
		strbuf_addstr(out, "; AMD counts its last level for all tasks of a group of cores, "
				   "not for one");
	return true;
}

/* Returns the meaning of SLOTS or of one of Intel's top-down metrics; NULL: another event. Intel
 * SDM, volume 3, "Performance Metrics". */
static const char *topdown_text(const struct event *e)
{
	static const char *const metric[] = {
		"slots for operations that retired",
		"slots wasted on wrong guesses",
		"slots for which the front end had no operation",
		"slots that the back end could not take",
	};
	uint64_t i = (e->config >> 8) - 0x80;

	if (e->topdown == TOPDOWN_SLOTS)
		return "slots in which an operation could have been issued";
	return e->topdown == TOPDOWN_METRIC && i < N_ROWS(metric) ? metric[i] : NULL;
}

static const char *arm_text(uint64_t config)
{
	for (size_t i = 0; i < N_ROWS(arm_table); i++)
		if (arm_table[i].code == config)
			return arm_table[i].text;
	return NULL;
}

/* Returns the kind of CPU whose event for stalled cycles the kernel uses. Kernels without the table
 * for Zen 2 use the event of Zen 1 on every Zen; sysfs shows which event this kernel uses. */
static enum kind kind_of_stalls(const struct event *e, enum kind kind, const struct machine *m)
{
	uint64_t generic = (uint32_t)e->config;
	const char *name =
		generic == PERF_COUNT_HW_STALLED_CYCLES_FRONTEND  ? "stalled-cycles-frontend"
		: generic == PERF_COUNT_HW_STALLED_CYCLES_BACKEND ? "stalled-cycles-backend"
								  : NULL;
	struct event listed = {.name = NULL};

	if (!name || !m->host || (kind != KIND_ZEN_2_3 && kind != KIND_ZEN_4_5) ||
	    event_sysfs_find(&listed, m->host, NULL, name, NULL) != 1)
		return kind;
	return (listed.config & 0xff) == 0x87 ? KIND_ZEN_1 : kind;
}

/* Finds the sentence for the event in the tables, or NULL. */
static const char *find_text(const struct event *e, enum kind kind)
{
	uint64_t generic = (uint32_t)e->config; /* the upper half may be the type of a PMU */

	switch (e->type) {
	case PERF_TYPE_HARDWARE:
		if (generic >= PERF_COUNT_HW_MAX)
			return NULL;
		return hardware_table[generic][kind] ? hardware_table[generic][kind]
						     : hardware_table[generic][KIND_OTHER];
	case PERF_TYPE_SOFTWARE:
		return generic < N_ROWS(software_table) ? software_table[generic] : NULL;
	case PERF_TYPE_TRACEPOINT:
		return "times the kernel came past this place of its code";
	default:
		if (!event_is_hardware(e))
			return NULL;
		return kind == KIND_ARM ? arm_text(e->config) : topdown_text(e);
	}
}

/* Appends the description from the event table, with the vendor's name of the event: the event
 * itself may be just a number. */
static bool add_table_meaning(struct strbuf *out, const struct event *e, const struct machine *m)
{
	const struct event_choice *choice;
	const char *pmu = e->core == EVENT_NO_CORE ? NULL : machine_pmu(m, e->core);
	const struct event_def *def = event_names_find(m->table, &m->cpu, pmu, e->what, &choice);

	if (!def)
		return false;
	strbuf_addstr(out, def->desc);
	if (choice->name)
		strbuf_addf(out, " (%s)", choice->name);
	return true;
}

bool meaning_add(struct strbuf *out, const struct event *e, const struct machine *m)
{
	enum kind kind = kind_of(&m->cpu);
	const char *text;

	if (!e->what)
		return false;
	if (e->type == PERF_TYPE_HW_CACHE)
		return add_cache(out, (uint32_t)e->config, kind);
	if (e->type == PERF_TYPE_HARDWARE)
		kind = kind_of_stalls(e, kind, m);
	text = find_text(e, kind);
	if (!text)
		return (!m->elsewhere && event_pfm_describe(out, e->what)) ||
		       add_table_meaning(out, e, m);
	strbuf_addstr(out, text);
	return true;
}

/* ---- list ---- */

const struct event_opens_row event_opens_table[N_EVENT_OPENS] = {
	[OPENS_YES] = {"yes", "it can be counted"},
	[OPENS_ABSENT] = {"absent", "this CPU or this kernel does not have it"},
	[OPENS_DENIED] = {"denied", "this user may not count it; 'tiptop --check' says why"},
	[OPENS_REFUSED] = {"refused",
			   "its PMU does not count it for a task, or not with these numbers"},
	[OPENS_BUSY] = {"busy", "another program holds its PMU for itself"},
	[OPENS_FAILED] = {"failed",
			  "not known: there were no file descriptors or no memory left to try"},
	[OPENS_UNTRIED] = {"untried", "the CPU is not that of this machine (--for-cpu)"},
	[OPENS_UNUSABLE] = {"unusable",
			    "it is not an event that tiptop can count, for the reason given"},
};

/* The first event of a type, which stays open until the list is complete. */
struct held {
	uint32_t type;
	int fd;
};

struct builder {
	struct event_list *list;
	const struct machine *machine;
	struct perf_sys *sys;
	const char *text;
	struct held *held; /* the first event of each type that could be opened */
	size_t n_held, cap_held;
	bool asked; /* a tracepoint was opened */
	/* The result (enum event_opens) of opening one tracepoint, valid for all of them. */
	uint8_t all_tracepoints;
};

static enum event_opens opens_of(int ret)
{
	static const struct {
		int error;
		enum event_opens opens;
	} table[] = {
		{0, OPENS_YES},
		{EACCES, OPENS_DENIED},
		{EPERM, OPENS_DENIED},
		{ENOENT, OPENS_ABSENT},
		{ENODEV, OPENS_ABSENT},
		{ENOSYS, OPENS_ABSENT},
		{EOPNOTSUPP, OPENS_ABSENT},
		{EINVAL, OPENS_REFUSED},
		{EXDEV, OPENS_REFUSED},
		{EBUSY, OPENS_BUSY},
		{ECANCELED, OPENS_UNTRIED},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (ret == -table[i].error)
			return table[i].opens;
	return OPENS_FAILED;
}

/* Keeps the event open if it is the first of its type, else closes it. */
static void keep_or_close(struct builder *b, uint32_t type, int fd)
{
	for (size_t i = 0; i < b->n_held; i++)
		if (b->held[i].type == type) {
			b->sys->close(b->sys, fd);
			return;
		}
	b->held = xgrow(b->held, &b->cap_held, b->n_held + 1, sizeof *b->held);
	b->held[b->n_held++] = (struct held){type, fd};
}

static enum event_opens try_event(struct builder *b, struct event *e)
{
	struct event_set set = {.event = e, .n = 1};
	int fd = event_probe(b->sys, &set, 0);

	if (fd >= 0)
		keep_or_close(b, e->type, fd);
	return opens_of(fd < 0 ? fd : 0);
}

static enum event_opens try_tracepoint(struct builder *b, struct event *e)
{
	if (!b->asked)
		b->all_tracepoints = (uint8_t)try_event(b, e);
	b->asked = true;
	return b->all_tracepoints;
}

static bool matches(const struct builder *b, const char *name, const char *pmu, const char *help)
{
	return !b->text || strcasestr(name, b->text) || strcasestr(pmu, b->text) ||
	       strcasestr(help, b->text);
}

/* Adds a row without a code; returns NULL if it does not match the text. */
static struct event_row *add_row(struct builder *b, const char *name, const char *pmu,
				 const char *help, enum event_opens opens)
{
	struct event_list *l = b->list;

	if (!matches(b, name, pmu, help))
		return NULL;
	l->row = xgrow(l->row, &l->cap, l->n + 1, sizeof *l->row);
	l->row[l->n] = (struct event_row){.name = xstrdup(name),
					  .pmu = xstrdup(pmu),
					  .help = xstrdup(help),
					  .opens = (uint8_t)opens};
	return &l->row[l->n++];
}

static void add_event(struct builder *b, const char *name, const char *pmu, const char *help,
		      struct event *e)
{
	struct event_row *row = add_row(b, name, pmu, help, OPENS_YES);

	if (!row)
		return;
	row->opens =
		(uint8_t)(e->type == PERF_TYPE_TRACEPOINT ? try_tracepoint(b, e) : try_event(b, e));
	row->has_code = true;
	row->event = *e;
	row->event.name = row->event.what = NULL;
}

/* Returns the kernel's name of the PMU that counts a generic event. */
static const char *pmu_of(const struct machine *m, const struct event *e)
{
	if (e->core == EVENT_NO_CORE)
		return "software";
	return e->core < m->n_cores ? m->core[e->core].name : "-";
}

/* Adds a generic event. has_code: this kind of cores has the event, so e has its code. */
static void add_generic(struct builder *b, struct event *e, bool has_code, const char *name,
			const char *also)
{
	const char *pmu = pmu_of(b->machine, e);
	struct strbuf help;

	strbuf_init(&help);
	e->name = e->what = (char *)name;
	if (!has_code || !meaning_add(&help, e, b->machine))
		strbuf_addstr(&help, "a generic event of the kernel");
	if (also)
		strbuf_addf(&help, " (also called %s)", also);
	if (has_code)
		add_event(b, name, pmu, help.text, e);
	else
		add_row(b, name, pmu, help.text, OPENS_ABSENT);
	strbuf_done(&help);
}

static void visit_generic(void *context, const char *name, const char *also)
{
	struct builder *b = context;

	for (int core = 0; core < machine_kinds(b->machine); core++) {
		struct event e = {.name = NULL};
		bool has_code = !event_name_resolve(&e, b->machine, core, name, NULL);

		add_generic(b, &e, has_code, name, also);
		if (e.core == EVENT_NO_CORE)
			break;
	}
}

/* Adds an event of a table, with its description and source. */
static void add_definition(struct builder *b, const struct event_def *def, int core,
			   const char *what, struct event *e)
{
	const struct machine *m = b->machine;
	const struct event_choice *choice = def->choice;
	struct strbuf help;

	event_names_find(m->table, &m->cpu, machine_pmu(m, core), what, &choice);
	strbuf_init(&help);
	strbuf_addf(&help, "%s [%s", def->desc, def->unit);
	if (choice->weight)
		strbuf_addf(&help, ", %s for each count", choice->weight);
	strbuf_addf(&help, "; %s%s%s]", choice->name ? choice->name : "", choice->name ? ", " : "",
		    choice->source ? choice->source : def->place);
	add_event(b, def->name, pmu_of(m, e), help.text, e);
	strbuf_done(&help);
}

/* Adds an event of a table for one kind of cores. Chooses among its names as screen/bind/counters.h
 * does: the first name that can be opened, else the last one that resolves. Returns whether a core
 * PMU counts it. */
static bool add_of_table(struct builder *b, const struct event_def *def, int core)
{
	const struct machine *m = b->machine;
	struct event e = {.name = NULL}, next;
	struct event_names names;
	char *what = NULL, *name;
	bool opens = false;

	event_names_init(&names, m->table, &m->cpu, machine_pmu(m, core), m->takes_codes,
			 def->name);
	while (!opens && (name = event_names_next(&names))) {
		next = (struct event){.name = NULL};
		opens = what && try_event(b, &e) == OPENS_YES;
		if (opens || event_name_resolve(&next, m, core, name, NULL) ||
		    event_weigh(&next, m, core, names.weight, NULL)) {
			free(name);
			continue;
		}
		free(what);
		what = name;
		e = next;
	}
	event_names_done(&names);
	if (what)
		add_definition(b, def, core, what, &e);
	free(what);
	return e.core != EVENT_NO_CORE;
}

/* Adds the events of all tables. An event hides events of the same name in the tables below. */
static void visit_table(struct builder *b)
{
	const struct event_table *top = b->machine->table;

	for (const struct event_table *t = top; t; t = t->below)
		for (size_t i = 0; i < t->n_events; i++)
			for (int core = 0; core < machine_kinds(b->machine); core++)
				if (event_table_find(top, t->event[i].name,
						     strlen(t->event[i].name)) != &t->event[i] ||
				    !add_of_table(b, &t->event[i], core))
					break;
}

static bool same_code(const struct event *a, const struct event *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2;
}

/* Returns the kind of cores with this PMU; EVENT_NO_CORE: none. */
static int core_of(const struct machine *m, const char *pmu)
{
	for (int i = 0; i < m->n_cores; i++)
		if (!strcmp(m->core[i].name, pmu))
			return i;
	return EVENT_NO_CORE;
}

/* Returns whether the event is listed under its bare name: if it is an event of a core PMU, and its
 * bare name resolves to the same event, not to a generic one. */
static bool has_bare_name(const struct machine *m, int core, const struct event_sysfs_row *row,
			  const struct event *e)
{
	struct event bare = {.name = NULL};

	return core != EVENT_NO_CORE && !event_name_resolve(&bare, m, core, row->name, NULL) &&
	       same_code(&bare, e);
}

/* Appends the meaning of the event to `help`, which has the terms of the event: the kernel provides
 * no description. */
static void add_meaning(struct strbuf *help, const struct event *e, const struct machine *m)
{
	struct strbuf meaning;

	strbuf_init(&meaning);
	if (meaning_add(&meaning, e, m))
		strbuf_addf(help, ": %s", meaning.text);
	strbuf_done(&meaning);
}

static void visit_sysfs(void *context, const struct event_sysfs_row *row)
{
	struct builder *b = context;
	int core = core_of(b->machine, row->pmu), ret;
	char *full = xasprintf("%s/%s/", row->pmu, row->name);
	struct err err = ERR_INIT;
	struct event e = {.name = NULL};
	struct strbuf help;

	strbuf_init(&help);
	ret = event_name_resolve(&e, b->machine, core == EVENT_NO_CORE ? 0 : core, full, &err);
	if (ret) {
		add_row(b, full, row->pmu, err.text, OPENS_UNUSABLE);
	} else {
		e.name = e.what =
			has_bare_name(b->machine, core, row, &e) ? (char *)row->name : full;
		strbuf_addstr(&help, row->terms);
		if (row->scale[0])
			strbuf_addf(&help, " (in steps of %s %s)", row->scale, row->unit);
		else if (row->unit[0])
			strbuf_addf(&help, " (in %s)", row->unit);
		add_meaning(&help, &e, b->machine);
		add_event(b, e.name, row->pmu, help.text, &e);
	}
	strbuf_done(&help);
	free(full);
}

static int resolve_pfm(struct event *e, const struct machine *m, int core, const char *name,
		       struct err *err)
{
	int ret;

	*e = (struct event){.name = NULL};
	ret = event_pfm_resolve(e, machine_is_hybrid(m) ? &m->core[core] : NULL, name, err);
	return ret ? ret : machine_bind(m, core, e, err);
}

/* Returns whether the event is in the list already: libpfm4 may have the same events in a PMU for
 * the model of the CPU and in a PMU for its architecture. */
static bool is_listed(const struct event_list *l, const char *name, const struct event *e)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->row[i].has_code && !strcmp(l->row[i].name, name) &&
		    same_code(&l->row[i].event, e))
			return true;
	return false;
}

static void add_pfm(struct builder *b, int core, const char *pmu, const char *name,
		    const char *full)
{
	struct err err = ERR_INIT;
	struct event e, bare;
	struct strbuf help;
	int ret = resolve_pfm(&e, b->machine, core, full, &err);

	/* Only another kind of cores has the event. */
	if (ret == -ENOENT)
		return;
	if (ret) {
		add_row(b, full, pmu, err.text, OPENS_UNUSABLE);
		return;
	}
	if (resolve_pfm(&bare, b->machine, core, name, NULL) || !same_code(&bare, &e))
		name = full;
	if (is_listed(b->list, name, &e))
		return;
	strbuf_init(&help);
	if (!event_pfm_describe(&help, full) || !help.len)
		strbuf_addstr(&help, "libpfm4 does not describe it");
	add_event(b, name, pmu, help.text, &e);
	strbuf_done(&help);
}

static void visit_pfm(void *context, const char *pmu, const char *name)
{
	struct builder *b = context;
	char *full = xasprintf("%s::%s", pmu, name);

	for (int core = 0; core < machine_kinds(b->machine); core++)
		add_pfm(b, core, pmu, name, full);
	free(full);
}

static void visit_tracepoint(void *context, const char *name)
{
	const char *pmu = "tracepoint", *help = "a tracepoint of the kernel";
	struct builder *b = context;
	struct event e = {.name = NULL};

	if (matches(b, name, pmu, help) && !event_name_resolve(&e, b->machine, 0, name, NULL))
		add_event(b, name, pmu, help, &e);
}

void event_list_make(struct event_list *l, const struct machine *m, struct perf_sys *sys,
		     const char *text)
{
	struct builder b = {
		.list = l, .machine = m, .sys = sys, .text = text && *text ? text : NULL};

	*l = (struct event_list){.tracepoints = -ENODATA};
	generic_each(visit_generic, &b);
	visit_table(&b);
	event_sysfs_each(m->host, visit_sysfs, &b);
	if (!m->elsewhere)
		event_pfm_each(visit_pfm, &b);
	if (b.text && !m->elsewhere)
		l->tracepoints = event_sysfs_each_tracepoint(m->host, visit_tracepoint, &b);
	while (b.n_held)
		sys->close(sys, b.held[--b.n_held].fd);
	free(b.held);
}

void event_list_done(struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->row[i].name);
		free(l->row[i].pmu);
		free(l->row[i].help);
	}
	free(l->row);
	*l = (struct event_list){.row = NULL};
}
