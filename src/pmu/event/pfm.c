/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/pfm.h"

#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

/* ---- load ----
 *
 * The functions of libpfm4 that this file calls: the first call of pfm_initialize() loads libpfm4,
 * and the others forward to it. If it cannot be loaded, pfm_initialize() returns an error, for
 * which pfm_strerror() has a sentence; no other function may be called then.
 */

/* The result of pfm_initialize() if libpfm4 cannot be loaded; libpfm4 itself has no error with this
 * number. */
#define NOT_THERE (-100)

static struct {
	pthread_once_t once;
	pfm_err_t (*initialize)(void);
	const char *(*error)(int code);
	pfm_err_t (*encode)(const char *name, int modes, pfm_os_t os, void *arguments);
	pfm_err_t (*pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *info);
	pfm_err_t (*event_info)(int event, pfm_os_t os, pfm_event_info_t *info);
	pfm_err_t (*attr_info)(int event, int attr, pfm_os_t os, pfm_event_attr_info_t *info);
	int (*event_next)(int event);
} loaded = {.once = PTHREAD_ONCE_INIT};

static void load(void)
{
	void *library = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
	const struct {
		const char *name;
		void *function;
	} table[] = {
		{"pfm_strerror", &loaded.error},
		{"pfm_get_os_event_encoding", &loaded.encode},
		{"pfm_get_pmu_info", &loaded.pmu_info},
		{"pfm_get_event_info", &loaded.event_info},
		{"pfm_get_event_attr_info", &loaded.attr_info},
		{"pfm_get_event_next", &loaded.event_next},
		{"pfm_initialize", &loaded.initialize},
	};

	/* pfm_initialize is the last, so that loaded.initialize is set only if all other functions
	 * were found. */
	for (size_t i = 0; library && i < sizeof table / sizeof *table; i++)
		if (!(*(void **)table[i].function = dlsym(library, table[i].name)))
			return;
}

pfm_err_t pfm_initialize(void)
{
	pthread_once(&loaded.once, load);
	return loaded.initialize ? loaded.initialize() : NOT_THERE;
}

const char *pfm_strerror(int code)
{
	return loaded.initialize
		       ? loaded.error(code)
		       : "a vendor's name needs libpfm4 (libpfm.so.4), which cannot be loaded";
}

pfm_err_t pfm_get_os_event_encoding(const char *name, int modes, pfm_os_t os, void *arguments)
{
	return loaded.encode(name, modes, os, arguments);
}

pfm_err_t pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	return loaded.pmu_info(pmu, info);
}

pfm_err_t pfm_get_event_info(int event, pfm_os_t os, pfm_event_info_t *info)
{
	return loaded.event_info(event, os, info);
}

pfm_err_t pfm_get_event_attr_info(int event, int attr, pfm_os_t os, pfm_event_attr_info_t *info)
{
	return loaded.attr_info(event, attr, os, info);
}

int pfm_get_event_next(int event)
{
	return loaded.event_next(event);
}

/* ---- corrections ---- */

#define PERFMON(file) "Intel perfmon, " file

#define HASWELL   "hsw hsw_ep"
#define BROADWELL "bdw bdw_ep"
#define SKYLAKE   "skl skx clx"

/* Intel's files are as of August 2026. On Sapphire Rapids, libpfm4 puts the value of the MSR
 * FRONTEND, which belongs in config1, in the place of the umask; if config1 is 0, the event counts
 * nothing: arch/x86/events/intel/core.c, intel_glc_extra_regs. */
const struct pfm_correction pfm_correction_table[] = {
	{HASWELL, "L2_RQSTS", "DEMAND_DATA_RD_HIT", 0x4124, 0xc124, 0,
	 PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "DEMAND_RFO_HIT", 0x4224, 0xc224, 0, PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "CODE_RD_HIT", 0x4424, 0xc424, 0, PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "L2_PF_HIT", 0xd824, 0xd024, 0, PERFMON("haswell_core.json")},
	{HASWELL, "L2_RQSTS", "L2_PF_MISS", 0x3824, 0x3024, 0, PERFMON("haswell_core.json")},
	{BROADWELL, "L2_RQSTS", "DEMAND_DATA_RD_HIT", 0x4124, 0xc124, 0,
	 PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "DEMAND_RFO_HIT", 0x4224, 0xc224, 0,
	 PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "CODE_RD_HIT", 0x4424, 0xc424, 0, PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "L2_PF_HIT", 0xd824, 0xd024, 0, PERFMON("broadwell_core.json")},
	{BROADWELL, "L2_RQSTS", "L2_PF_MISS", 0x3824, 0x3024, 0, PERFMON("broadwell_core.json")},
	{SKYLAKE, "UOPS_RETIRED", "STALL_CYCLES", 0x01c2, 0x02c2, 0, PERFMON("skylake_core.json")},
	{SKYLAKE, "UOPS_RETIRED", "TOTAL_CYCLES", 0x01c2, 0x02c2, 0, PERFMON("skylake_core.json")},
	{"icl icx", "MEM_LOAD_MISC_RETIRED", "UC", 0x04c4, 0x04d4, 0, PERFMON("icelake_core.json")},
	{"spr", "INT_MISC", "UNKNOWN_BRANCH_CYCLES", 0x07ad, 0x40ad, 7,
	 PERFMON("sapphirerapids_core.json")},
	{"spr", "UOPS_RETIRED", "MS", 0x08c2, 0x04c2, 8, PERFMON("sapphirerapids_core.json")},
};
const size_t pfm_correction_n = sizeof pfm_correction_table / sizeof *pfm_correction_table;

static bool is_code(const struct pfm_correction *c, uint64_t config)
{
	return c->wrong == (config & 0xffff);
}

bool pfm_correction_concerns(uint64_t config)
{
	for (size_t i = 0; i < pfm_correction_n; i++)
		if (is_code(&pfm_correction_table[i], config))
			return true;
	return false;
}

/* Returns whether the text, split at these separators, contains the word, regardless of case. */
static bool has_word(const char *text, const char *separators, const char *word)
{
	const size_t len = strlen(word);
	size_t n;

	for (; *text; text += n + (text[n] != '\0')) {
		n = strcspn(text, separators);
		if (n == len && !strncasecmp(text, word, n))
			return true;
	}
	return false;
}

/* Returns whether `full`, a name that libpfm4 has expanded, is the row's event on one of the row's
 * PMUs. */
static bool is_event(const struct pfm_correction *c, const char *full)
{
	const char *colons = strstr(full, "::"), *event = colons ? colons + 2 : NULL;
	const size_t len = strlen(c->event);
	char pmu[32];

	if (!colons || (size_t)(colons - full) >= sizeof pmu)
		return false;
	memcpy(pmu, full, (size_t)(colons - full));
	pmu[colons - full] = '\0';
	return has_word(c->pmus, " ", pmu) && !strncmp(event, c->event, len) &&
	       (event[len] == ':' || !event[len]);
}

const struct pfm_correction *pfm_correction_find(const char *full, const char *name,
						 uint64_t config)
{
	for (size_t i = 0; i < pfm_correction_n; i++) {
		const struct pfm_correction *c = &pfm_correction_table[i];

		/* Some umasks are only aliases in libpfm4: `full` then has another umask with
		 * modifiers, but `name` has the alias. */
		if (is_code(c, config) && is_event(c, full) &&
		    (has_word(full, ":", c->umask) || has_word(name, ":.", c->umask)))
			return c;
	}
	return NULL;
}

/* ---- names ---- */

/* Asks libpfm4 for the code of the event. modes: used if the name has no modifiers for modes. */
static int encode_in(struct perf_event_attr *attr, const char *name, int modes)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof arg};

	*attr = (struct perf_event_attr){.size = sizeof *attr};
	return pfm_get_os_event_encoding(name, modes, PFM_OS_PERF_EVENT_EXT, &arg);
}

/* Replaces a wrong code of libpfm4 by the code in the vendor's documents. */
static void correct(struct event *e, const char *name)
{
	struct perf_event_attr attr = {.size = sizeof attr};
	const struct pfm_correction *correction;
	char *full = NULL;
	pfm_perf_encode_arg_t arg = {.attr = &attr, .fstr = &full, .size = sizeof arg};

	if (e->type != PERF_TYPE_RAW || !pfm_correction_concerns(e->config) ||
	    pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg) !=
		    PFM_SUCCESS)
		return;
	correction = pfm_correction_find(full, name, e->config);
	if (correction) {
		e->config = (e->config & ~0xffffull) | correction->right;
		e->config1 |= correction->config1;
	}
	free(full);
}

static int encode(struct event *e, const char *name)
{
	struct perf_event_attr attr, user;
	int ret = encode_in(&attr, name, PFM_PLM0 | PFM_PLM3);
	bool named;

	if (ret != PFM_SUCCESS)
		return ret;
	e->type = attr.type;
	e->config = attr.config;
	e->config1 = attr.config1;
	e->config2 = attr.config2;
	correct(e, name);
	/* Without a modifier, libpfm4 excludes only the hypervisor. If the kernel is counted
	 * although user mode is the default, the name has modifiers (:u:k). */
	named = attr.exclude_user || attr.exclude_kernel ||
		(encode_in(&user, name, PFM_PLM3) == PFM_SUCCESS && !user.exclude_kernel);
	if (named) {
		e->own_modes = true;
		e->no_user = attr.exclude_user;
		e->no_kernel = attr.exclude_kernel;
		e->no_hv = attr.exclude_hv;
	}
	return PFM_SUCCESS;
}

/* Encodes the event for one kind of cores. libpfm4 resolves a bare name to the first PMU that has
 * the event; for other kinds of cores, the name of their PMU is prepended. */
static int encode_for(struct event *e, const struct core_pmu *core, const char *name)
{
	int ret = encode(e, name), i;

	if (strstr(name, "::") || (ret == PFM_SUCCESS && e->type == core->type))
		return ret;
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t info = {.size = sizeof info};
		char *full;
		int found;

		if (pfm_get_pmu_info(i, &info) != PFM_SUCCESS || !info.is_present ||
		    info.type != PFM_PMU_TYPE_CORE)
			continue;
		full = xasprintf("%s::%s", info.name, name);
		found = encode(e, full);
		free(full);
		if (found == PFM_SUCCESS && e->type == core->type)
			return PFM_SUCCESS;
	}
	/* Only other kinds of cores have the event: the caller recognizes this by the event's
	 * type. */
	return ret == PFM_SUCCESS ? encode(e, name) : ret;
}

int event_pfm_resolve(struct event *e, const struct core_pmu *core, const char *name,
		      struct err *err)
{
	int ret = pfm_initialize();

	if (ret == PFM_SUCCESS)
		ret = core ? encode_for(e, core, name) : encode(e, name);
	if (ret == PFM_ERR_NOTFOUND)
		return err_set(err, ENOENT, "libpfm4 knows no event '%s' for this CPU", name);
	if (ret != PFM_SUCCESS)
		return err_set(err, EOPNOTSUPP, "event '%s': %s", name, pfm_strerror(ret));
	return 0;
}

void event_pfm_encode_all(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
}

static enum cpu_vendor vendor_in(const char *description)
{
	static const struct {
		const char *begin;
		enum cpu_vendor vendor;
	} vendors[] = {{"Intel", CPU_INTEL}, {"AMD", CPU_AMD}, {"ARM", CPU_ARM}};

	for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
		if (!strncasecmp(description, vendors[i].begin, strlen(vendors[i].begin)))
			return vendors[i].vendor;
	return CPU_OTHER;
}

enum cpu_vendor event_pfm_vendor(const char *name)
{
	const char *end = strstr(name, "::");
	const size_t len = end ? (size_t)(end - name) : 0;
	int i;

	if (!end || pfm_initialize() != PFM_SUCCESS)
		return CPU_OTHER;
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm_get_pmu_info(i, &info) == PFM_SUCCESS && strlen(info.name) == len &&
		    !strncasecmp(info.name, name, len))
			return vendor_in(info.desc);
	}
	return CPU_OTHER;
}

int event_pfm_begin(struct err *err)
{
	int ret = pfm_initialize();

	return ret == PFM_SUCCESS ? 0 : err_set(err, EOPNOTSUPP, "%s", pfm_strerror(ret));
}

int event_pfm_add_tables(struct strbuf *out)
{
	int n = 0, i;

	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t info = {.size = sizeof info};

		if (pfm_get_pmu_info(i, &info) == PFM_SUCCESS && info.is_present &&
		    info.type == PFM_PMU_TYPE_CORE)
			strbuf_addf(out, "%s%s (%s)", n++ ? ", " : "", info.name, info.desc);
	}
	return n;
}

/* Calls visit for "EVENT:UMASK" of each umask; for "EVENT" if the event has no umasks. */
static void visit_event(const char *pmu, const pfm_event_info_t *event,
			void (*visit)(void *context, const char *pmu, const char *name),
			void *context)
{
	pfm_event_attr_info_t attr = {.size = sizeof attr};
	bool has_umasks = false;
	int i;

	pfm_for_each_event_attr(i, event)
	{
		char *name;

		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT_EXT, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		has_umasks = true;
		name = xasprintf("%s:%s", event->name, attr.name);
		visit(context, pmu, name);
		free(name);
	}
	if (!has_umasks)
		visit(context, pmu, event->name);
}

void event_pfm_each(void (*visit)(void *context, const char *pmu, const char *name), void *context)
{
	int i, k;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t pmu = {.size = sizeof pmu};
		pfm_event_info_t event = {.size = sizeof event};

		if (pfm_get_pmu_info(i, &pmu) != PFM_SUCCESS || !pmu.is_present ||
		    pmu.type != PFM_PMU_TYPE_CORE)
			continue;
		for (k = pmu.first_event; k != -1; k = pfm_get_event_next(k))
			if (pfm_get_event_info(k, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS)
				visit_event(pmu.name, &event, visit, context);
	}
}

/* Appends a text of libpfm4 with its blanks collapsed and without the final full stop. */
static void add_text(struct strbuf *out, const char *text)
{
	const char *blanks = " \t\n", *end = text + strlen(text);
	size_t len;

	while (end > text && strchr(" \t\n.", end[-1]))
		end--;
	for (text += strspn(text, blanks); text < end; text += strspn(text, blanks)) {
		len = strcspn(text, blanks);
		len = len < (size_t)(end - text) ? len : (size_t)(end - text);
		strbuf_add(out, text, len);
		text += len;
		if (text < end)
			strbuf_addch(out, ' ');
	}
}

/* Returns whether the umask `part` is in `full`, the name as libpfm4 expanded it:
 * "skl::FP_ASSIST:ANY:e=0:...". Umasks have no '='. */
static bool has_part(const char *full, const char *part)
{
	size_t len;

	for (full = strstr(full, "::") + 2; *full; full += len + (full[len] == ':')) {
		len = strcspn(full, ":");
		if (len == strlen(part) && !strncmp(full, part, len))
			return true;
	}
	return false;
}

static void add_umasks(struct strbuf *out, const pfm_event_info_t *event, const char *full)
{
	pfm_event_attr_info_t attr = {.size = sizeof attr};
	const char *separator = ": ";
	int i;

	pfm_for_each_event_attr(i, event)
	{
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT_EXT, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK || !has_part(full, attr.name))
			continue;
		strbuf_addstr(out, separator);
		add_text(out, attr.desc);
		separator = "; ";
	}
}

/* If libpfm4's code is wrong, appends a note with the corrected code and its source. */
static void add_correction(struct strbuf *out, const char *full, const char *name, uint64_t config)
{
	const struct pfm_correction *c = pfm_correction_find(full, name, config);

	if (c)
		strbuf_addf(out, " (corrected: event 0x%02x, umask 0x%02x, not 0x%02x, 0x%02x: %s)",
			    c->right & 0xff, c->right >> 8, c->wrong & 0xff, c->wrong >> 8,
			    c->source);
}

bool event_pfm_describe(struct strbuf *out, const char *name)
{
	struct perf_event_attr attr = {.size = sizeof attr};
	char *full = NULL;
	pfm_perf_encode_arg_t arg = {.attr = &attr, .fstr = &full, .size = sizeof arg};
	pfm_event_info_t event = {.size = sizeof event};
	pfm_pmu_info_t pmu = {.size = sizeof pmu};
	bool known = pfm_initialize() == PFM_SUCCESS &&
		     pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
					       &arg) == PFM_SUCCESS &&
		     pfm_get_event_info(arg.idx, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS &&
		     pfm_get_pmu_info(event.pmu, &pmu) == PFM_SUCCESS;

	/* For the kernel's generic events, libpfm4 has nothing but the names. */
	known = known && pmu.type != PFM_PMU_TYPE_OS_GENERIC;
	if (known) {
		add_text(out, event.desc);
		add_umasks(out, &event, full);
		add_correction(out, full, name, attr.config);
	}
	free(full);
	return known;
}
