/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "collect/task/attach.h"
#include "collect/task/procfs.h"
#include "conf/xml.h"
#include "config.h"
#include "model/fact_list.h"
#include "pmu/check/pmu_info.h"
#include "pmu/check/privilege.h"
#include "pmu/check/refusal.h"
#include "pmu/check/rights.h"
#include "pmu/event/pfm.h"
#include "pmu/perf/sys.h"
#include "screen/bind/counters.h"

static void doctor_put_fact(struct doctor *d, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- print ----
 *
 * Lines with a mark, a label and a text.
 */

/* The columns of label and text in "  warn label       text", and the length of lines. */
#define LABEL_COLUMN 7
#define TEXT_COLUMN  20
#define WIDTH        80

static void doctor_section(struct doctor *d, const char *title)
{
	strbuf_addf(d->out, "%s%s\n", d->out->len ? "\n" : "", title);
}

/* Writes words from column x on, wrapped into as many lines as they need. */
static void put_words(struct strbuf *out, int x, const char *text)
{
	bool first = true;
	int n;

	for (text += strspn(text, " "); *text; text += n, text += strspn(text, " ")) {
		n = (int)strcspn(text, " ");
		if (!first && x + 1 + n > WIDTH) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', TEXT_COLUMN);
			x = TEXT_COLUMN;
		} else if (!first) {
			strbuf_addch(out, ' ');
			x++;
		}
		strbuf_add(out, text, (size_t)n);
		x += n;
		first = false;
	}
	strbuf_addch(out, '\n');
}

/* Writes a finding that is the consequence of another one: unlike doctor_put(), does not count it
 * in n_limits. */
static void doctor_put_consequence(struct doctor *d, const char *label, const struct finding *f)
{
	static const char *const mark[] = {"", "ok", "warn", "no"};
	struct strbuf *out = d->out;
	size_t start = out->len;
	int x;

	strbuf_addf(out, "  %-*s%s ", LABEL_COLUMN - 2, mark[f->mark], label);
	strbuf_pad(out, ' ', TEXT_COLUMN - (int)(out->len - start));
	x = (int)(out->len - start);
	put_words(out, x, f->text);
	/* A remedy is not wrapped, so that it can be copied. */
	if (f->remedy[0]) {
		strbuf_pad(out, ' ', TEXT_COLUMN);
		strbuf_addf(out, "remedy: %s\n", f->remedy);
	}
}

static void doctor_put(struct doctor *d, const char *label, const struct finding *f)
{
	d->n_limits += f->mark == FINDING_WARN || f->mark == FINDING_NO;
	doctor_put_consequence(d, label, f);
}

static void doctor_put_fact(struct doctor *d, const char *label, const char *fmt, ...)
{
	struct finding f = finding_make(FINDING_FACT, "%s", "");
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	f = finding_make(FINDING_FACT, "%s", text);
	doctor_put(d, label, &f);
	free(text);
}

/* ---- counters ----
 *
 * Checks whether hardware counters work, and for how many tasks there are descriptors.
 */

/* Number of events to try in one group: more than any known PMU counts at once. */
#define GROUP_MAX 24

static struct finding find_no_hardware(const struct doctor *d)
{
	struct finding f = finding_make(FINDING_NO, "%s", d->hardware.text);

	if (d->patient->machine->n_cores || d->rights.user_ret)
		return f;
	if (d->virtual_cpu)
		finding_set_remedy(&f, "on the host of this virtual machine, QEMU: -cpu "
				       "host,pmu=on; VMware: vpmc.enable = TRUE");
	else
		finding_set_remedy(&f, "%sdmesg | grep -iE 'performance events|hw perfevents'",
				   rights_sudo(&d->rights));
	return f;
}

static void check_groups(struct doctor *d)
{
	const struct machine *m = d->patient->machine;

	for (int core = 0; core < machine_kinds(m); core++) {
		int n = probe_group(d->patient->sys, m, core, GROUP_MAX);
		int now = probe_group_now(d->patient->sys, m, core, n);
		char held[64] = "";

		if (now < n)
			snprintf(held, sizeof held, "; now of %d, since others hold counters", now);
		doctor_put_fact(d, "groups",
				"of up to %d events%s%s, cycles and instructions in turn%s", n,
				machine_is_hybrid(m) ? " on " : "",
				machine_is_hybrid(m) ? m->core[core].name : "", held);
	}
}

void doctor_check_hardware(struct doctor *d)
{
	struct finding f = finding_make(FINDING_OK, "cycles are counted");
	struct err err = ERR_INIT;

	doctor_section(d, "Hardware counters");
	if (d->hardware.code) {
		f = find_no_hardware(d);
		/* Without permission to count, the cause is counted with the line "own tasks". */
		if (d->rights.user_ret)
			doctor_put_consequence(d, "user mode", &f);
		else
			doctor_put(d, "user mode", &f);
		return;
	}
	if (d->all_modes) {
		refusal_explain_modes("cycles", &err);
		f = finding_make(FINDING_WARN, "%s", err.text);
	}
	doctor_put(d, "user mode", &f);
	if (refusal_try_hardware(d->patient->sys, true, NULL, &err))
		f = finding_make(FINDING_WARN, "%s", err.text);
	if (d->rights.kernel_ret)
		doctor_put_consequence(d, "and kernel", &f);
	else
		doctor_put(d, "and kernel", &f);
	check_groups(d);
}

struct thread_count {
	bool all; /* threads of all users; false: of this user */
	uint64_t n_threads;
};

static void add_process(void *context, const struct proc_process *process)
{
	struct thread_count *thread_count = context;

	if (thread_count->all || process->uid == geteuid())
		thread_count->n_threads += process->facts.fact[FACT_NUM_THREADS];
}

/* Counts the existing threads, of all users (all) or of this user. */
static int count_threads(bool all, uint64_t *n, struct err *err)
{
	struct thread_count thread_count = {all, 0};
	struct proc *proc = procfs_new(err);
	int ret;

	if (!proc)
		return -err->code;
	ret = proc->walk(proc, NULL, 0, false, add_process, &thread_count);
	procfs_free(proc);
	*n = thread_count.n_threads;
	return ret ? err_set(err, -ret, "cannot read the tasks in /proc: %s", strerror(-ret)) : 0;
}

/* Reads a sysctl as text. */
static const char *read_word(const char *path, char *buf, size_t size)
{
	if (file_read(AT_FDCWD, path, buf, size) <= 0)
		return "not known";
	buf[strcspn(buf, "\n")] = '\0';
	return buf;
}

/* Sets the remedy of a finding: a limit of descriptors that is enough for twice the wanted number.
 */
static void set_limit_remedy(const struct doctor *d, struct finding *f, uint64_t wanted)
{
	char text[32];
	uint64_t limit = 1024, most;

	most = strtoull(read_word("/proc/sys/fs/nr_open", text, sizeof text), NULL, 10);
	while (limit < 2 * wanted)
		limit *= 2;
	if (most && limit > most)
		limit = most;
	if (rights_is_contained(&d->rights))
		finding_set_remedy(f, "docker run --ulimit nofile=%llu ...",
				   (unsigned long long)limit);
	else if (d->rights.caps >> CAP_SYS_RESOURCE_BIT & 1)
		finding_set_remedy(f, "ulimit -n %llu", (unsigned long long)limit);
	else
		finding_set_remedy(f,
				   "echo \"$(id -un) hard nofile %llu\" | %stee "
				   "/etc/security/limits.d/tiptop.conf # and log in again",
				   (unsigned long long)limit, rights_sudo(&d->rights));
}

/* Returns for how many tasks the descriptors suffice, with the soft limit raised. *n_fds: set to
 * the descriptors that one task needs. */
static long count_tasks(struct doctor *d, const struct screen *screen, long *n_fds)
{
	const struct doctor_input *p = d->patient;
	const struct offer offer = offer_live(p->machine, p->sys, p->kernel);
	struct event_set set;
	struct attach attach;
	long n;

	counters_make_set(&set, screen, &offer);
	attach_init(&attach, p->sys);
	attach_configure(&attach, &set, false, NULL);
	/* If nothing can be opened, use the number of events. */
	*n_fds = attach.n_usable ? attach.set.plan.n_fds : attach.set.n;
	n = attach.max_fds > 0 ? attach.max_fds / *n_fds : 0;
	attach_done(&attach);
	return n;
}

static void check_budget(struct doctor *d, const struct screen *screen)
{
	bool all = rights_may_count_others(&d->rights);
	long n_fds, n_tasks = count_tasks(d, screen, &n_fds);
	struct err err = ERR_INIT;
	uint64_t n_threads = 0;
	struct finding f;

	if (count_threads(all, &n_threads, &err)) {
		f = finding_make(FINDING_NO, "%s", err.text);
		doctor_put(d, "threads", &f);
		return;
	}
	f = finding_make((uint64_t)n_tasks < n_threads ? FINDING_WARN : FINDING_OK,
			 "enough for the counters of about %ld threads at once (screen '%s', %ld "
			 "each); there are %llu now, of %s",
			 n_tasks, screen->name, n_fds, (unsigned long long)n_threads,
			 all ? "all users" : "this user");
	if (f.mark == FINDING_WARN)
		set_limit_remedy(d, &f, n_threads * (uint64_t)n_fds);
	doctor_put(d, "threads", &f);
}

static void doctor_check_descriptors(struct doctor *d)
{
	const struct screen_list *screens = d->patient->screens;
	char open[32], max[32];
	struct rlimit limit;

	doctor_section(d, "Descriptors");
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	doctor_put_fact(
		d, "limit",
		"%llu (soft), %llu (hard), which tiptop takes; fs.nr_open is %s, fs.file-max %s",
		(unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max,
		read_word("/proc/sys/fs/nr_open", open, sizeof open),
		read_word("/proc/sys/fs/file-max", max, sizeof max));
	perf_raise_limit();
	for (size_t i = 0; i < screens->n && !d->rights.user_ret; i++)
		if (screens->v[i]->n_aliases) {
			check_budget(d, screens->v[i]);
			return;
		}
}

/* ---- cpu ----
 *
 * Checks the processor, its PMUs, and the NMI watchdog, which holds a counter.
 */

/* Appends the value of a line "NAME<tab>: VALUE" of /proc/cpuinfo, for the first CPU. False: there
 * is no such line. */
static bool read_cpuinfo(const char *name, struct strbuf *out)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *line = NULL, *colon;
	size_t cap = 0, len = strlen(name);
	bool found = false;

	while (file && !found && getline(&line, &cap, file) > 0) {
		colon = strchr(line, ':');
		if (strncmp(line, name, len) || !colon ||
		    line + len + strspn(line + len, "\t ") != colon)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		strbuf_addstr(out, colon + 1 + strspn(colon + 1, " "));
		found = true;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

/* Appends " 4.13.0", the version in the file name of the loaded library, since the library itself
 * does not provide it; nothing if the library is linked statically. */
static void add_pfm_version(struct strbuf *out)
{
	static const char name[] = "/libpfm.so.";
	FILE *file = fopen("/proc/self/maps", "re");
	char *line = NULL, *found = NULL;
	size_t cap = 0;

	while (file && !found && getline(&line, &cap, file) > 0)
		found = strstr(line, name);
	if (found)
		strbuf_addf(out, " %.*s", (int)strspn(found + strlen(name), "0123456789."),
			    found + strlen(name));
	free(line);
	if (file)
		fclose(file);
}

static void check_libpfm4(struct doctor *d)
{
	const char *forced = getenv("LIBPFM_FORCE_PMU");
	struct err why = ERR_INIT;
	struct strbuf version, tables;
	struct finding f;
	int n;

	if (event_pfm_begin(&why)) {
		f = finding_make(FINDING_WARN, "%s: events by sysfs names, or as raw numbers",
				 why.text);
		finding_set_remedy(&f, "install libpfm4");
		doctor_put(d, "libpfm4", &f);
		return;
	}
	strbuf_init(&version);
	strbuf_init(&tables);
	add_pfm_version(&version);
	n = event_pfm_add_tables(&tables);
	if (forced)
		f = finding_make(FINDING_FACT, "libpfm4%s has %s, as $LIBPFM_FORCE_PMU says",
				 version.text, n ? tables.text : "no table");
	else if (!n || (n == 1 && !strncmp(tables.text, "ix86arch", strlen("ix86arch"))))
		f = finding_make(FINDING_WARN,
				 "libpfm4%s has no table for this CPU%s: events by sysfs names, or "
				 "as raw numbers",
				 version.text, n ? " but that of the architectural events" : "");
	else
		f = finding_make(FINDING_OK, "libpfm4%s has %s", version.text, tables.text);
	if (f.mark == FINDING_WARN)
		finding_set_remedy(&f, "install a newer libpfm4, if there is one that has a table");
	doctor_put(d, "libpfm4", &f);
	strbuf_done(&version);
	strbuf_done(&tables);
}

static void doctor_check_cpu(struct doctor *d)
{
	static const char *const vendor[] = {"of another vendor", "Intel", "AMD", "Arm"};
	const struct cpu_id *cpu = &d->patient->machine->cpu;
	struct cpu_id real;
	struct strbuf brand;

	strbuf_init(&brand);
	doctor_section(d, "Processor");
	doctor_put_fact(d, "name", "%s",
			read_cpuinfo("model name", &brand) ? brand.text : "not known");
	cpu_identify(&real);
	if (!real.model[0])
		doctor_put_fact(d, "model", "arch=\"%s\", model not known", real.arch);
	else
		doctor_put_fact(d, "model", "arch=\"%s\" model=\"%s\", %s", real.arch, real.model,
				vendor[real.vendor]);
	if (strcmp(real.arch, cpu->arch) || strcmp(real.model, cpu->model))
		doctor_put_fact(d, "as if", "arch=\"%s\" model=\"%s\", %s: $TIPTOP_CPU says so",
				cpu->arch, cpu->model, vendor[cpu->vendor]);
	check_libpfm4(d);
	strbuf_done(&brand);
}

static void add_counters(struct strbuf *out, const struct pmu_counters *c)
{
	strbuf_addf(out, "%d counters of %d bits", c->n_general, c->general_bits);
	if (c->n_fixed)
		strbuf_addf(out, ", %d fixed ones of %d bits", c->n_fixed, c->fixed_bits);
}

static void add_events(struct strbuf *out, const struct pmu_counters *c)
{
	const char *between = "";

	if (c->events == (1u << PMU_N_EVENTS) - 1) {
		strbuf_addstr(out, "; all architectural events");
		return;
	}
	strbuf_addstr(out, "; architectural events: ");
	for (int missing = 0; missing < 2; missing++) {
		for (int i = 0; i < PMU_N_EVENTS; i++)
			if ((c->events >> i & 1) == !missing) {
				strbuf_addf(out, "%s%s", between, pmu_event_name(i));
				between = ", ";
			}
		between = missing ? "" : "; missing: ";
	}
}

static void put_bits(void *context, const char *bits, uint32_t value, const char *text)
{
	doctor_put_fact(context, bits, "0x%x: %s", value, text);
}

/* Writes a line with the counters that CPUID has for one CPU of the list, then a line for each
 * field of leaf 0xA. */
static void put_cpuid(struct doctor *d, const char *cpus)
{
	struct pmu_counters c;
	struct pmu_cpuid raw;
	struct strbuf text;

	if (!pmu_cpuid_read(&raw, cpus))
		return;
	pmu_counters_decode(&c, &raw);
	d->virtual_cpu = c.hypervisor;
	strbuf_init(&text);
	if (c.hypervisor)
		strbuf_addstr(&text, "a virtual CPU; ");
	switch (c.scheme) {
	case SCHEME_ARCHITECTURAL:
		strbuf_addf(&text, "leaf 0xA has version %d, ", c.version);
		add_counters(&text, &c);
		add_events(&text, &c);
		break;
	case SCHEME_AMD_V2:
		strbuf_addstr(&text, "PerfMonV2 (leaf 0x80000022), ");
		add_counters(&text, &c);
		break;
	case SCHEME_AMD_EXTENDED:
		strbuf_addstr(&text, "PerfCtrExtCore (leaf 0x80000001), ");
		add_counters(&text, &c);
		break;
	case SCHEME_AMD_LEGACY:
		strbuf_addf(&text, "neither PerfMonV2 nor PerfCtrExtCore: at most %d counters",
			    c.n_general);
		break;
	case SCHEME_NONE:
		strbuf_addstr(&text, "no leaf describes counters");
		break;
	}
	doctor_put_fact(d, "CPUID", "%s%s%s", text.text, cpus[0] ? "; CPUs " : "", cpus);
	cpuid_bits_each(&raw.leaf_a, put_bits, d);
	strbuf_done(&text);
}

/* Returns the length of a name without the number of an instance: "uncore_cha" of "uncore_cha_12";
 * 0: it has no number. */
static size_t base_length(const char *name)
{
	size_t len = strlen(name), base = len;

	while (base && strchr("0123456789", name[base - 1]))
		base--;
	return base < len && base > 1 && name[base - 1] == '_' ? base : 0;
}

/* Returns how many PMUs at the start of v[] are instances of the same PMU, such as uncore_cha_0 and
 * uncore_cha_1. */
static size_t count_instances(const struct pmu_info *v, size_t n)
{
	size_t base = base_length(v->name), k = 1;

	while (base && k < n && v[k].kind == v->kind && base_length(v[k].name) == base &&
	       !strncmp(v->name, v[k].name, base))
		k++;
	return k;
}

static void put_pmu(struct doctor *d, const struct pmu_info *pmu, size_t n)
{
	struct pmu_counters c;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%s, type %ld", pmu_kind_name(pmu->kind), pmu->type);
	if (n > 1)
		strbuf_addf(&text, " to %ld: %zu of them, to %s", pmu[n - 1].type, n,
			    pmu[n - 1].name);
	if (pmu->kind == PMU_CORE) {
		strbuf_addstr(&text, "; ");
		if (pmu_counters_read(&c, pmu->cpus) && c.scheme != SCHEME_NONE)
			add_counters(&text, &c);
		else
			strbuf_addstr(
				&text,
				"number of counters not known (the kernel's log may tell it)");
		if (pmu->cpus[0])
			strbuf_addf(&text, "; CPUs %s", pmu->cpus);
		if (pmu->mux_ms >= 0)
			strbuf_addf(&text, "; groups take turns of %ld ms", pmu->mux_ms);
		if (pmu->caps[0])
			strbuf_addf(&text, "; %s", pmu->caps);
	}
	doctor_put_fact(d, pmu->name, "%s", text.text);
	strbuf_done(&text);
}

/* Checks the kernel's NMI watchdog, which counts cycles on each CPU. */
static void check_watchdog(struct doctor *d)
{
	static const char folder[] = "/proc/sys/kernel";
	char text[16];
	struct finding f = finding_make(FINDING_OK, "off");

	if (access(folder, X_OK)) {
		doctor_put_fact(d, "NMI watchdog", "not known: %s cannot be read", folder);
		return;
	}
	if (file_read(AT_FDCWD, "/proc/sys/kernel/nmi_watchdog", text, sizeof text) <= 0)
		f = finding_make(FINDING_OK, "this kernel has none");
	else if (text[0] != '0' && !d->patient->machine->n_cores)
		f = finding_make(FINDING_OK, "on; there is no PMU that it could use");
	else if (text[0] != '0')
		f = finding_make(FINDING_WARN, "on: it holds one counter of each CPU");
	if (f.mark == FINDING_WARN)
		finding_set_remedy(&f, "%ssysctl kernel.nmi_watchdog=0", rights_sudo(&d->rights));
	doctor_put(d, "NMI watchdog", &f);
}

void doctor_check_pmus(struct doctor *d)
{
	const struct machine *m = d->patient->machine;
	struct pmu_info_list pmus;
	bool uncore = false;

	doctor_section(d, "PMUs");
	pmu_info_read(&pmus, m);
	for (size_t i = 0, n; i < pmus.n; i += n) {
		n = count_instances(&pmus.v[i], pmus.n - i);
		put_pmu(d, &pmus.v[i], n);
		uncore = uncore || pmus.v[i].kind == PMU_UNCORE;
	}
	if (uncore)
		doctor_put_fact(d, "uncore", "counts for a package or a cache, never for one task");
	if (!m->n_cores && access(m->host->devices, R_OK | X_OK))
		doctor_put_fact(d, "PMUs", "not known: %s cannot be read", m->host->devices);
	else if (!m->n_cores)
		doctor_put_fact(d, "core", "none: the kernel has no PMU that counts what tasks do");
	for (size_t i = 0; i < pmus.n && pmus.v[i].kind == PMU_CORE; i++)
		put_cpuid(d, pmus.v[i].cpus);
	if (!m->n_cores)
		put_cpuid(d, "");
	check_watchdog(d);
	pmu_info_done(&pmus);
}

/* ---- screens ----
 *
 * Checks which screens have their counters here, and why others do not.
 */

/* Returns whether the counter can be opened on some kind of cores; else sets err to the reason for
 * the first event of the counter. *hardware: set if a hardware PMU counts it. */
static bool can_open(struct event_set *set, int counter, struct perf_sys *sys, bool *hardware,
		     struct err *err)
{
	for (int i = set->n; i-- > 0;) {
		struct event *e = &set->event[i];
		struct refusal_attempt attempt = {.event = e->what,
						  .kernel = set->kernel,
						  .hardware = event_is_hardware(e),
						  .absent = e->absent};
		int fd;

		if (e->counter != counter)
			continue;
		*hardware = event_is_hardware(e) && e->quality == QUALITY_EXACT;
		if (e->quality != QUALITY_EXACT) {
			err_set(err, 1, "none of the events declared for it is known here");
			continue;
		}
		fd = event_probe(sys, set, i);
		if (fd >= 0) {
			sys->close(sys, fd);
			return true;
		}
		attempt.no_modes = e->all_modes;
		attempt.untried = e->modes_denied;
		refusal_explain(fd, &attempt, err);
	}
	return false;
}

/* Returns a mask of the counters that the columns use: bit c is counter c. Columns that do not fit
 * this machine were dropped before (fit_screen()). */
static uint64_t used_counters(const struct screen *screen)
{
	uint64_t used = 0;

	for (size_t i = 0; i < screen->n_columns; i++)
		for (size_t k = 0; k < expr_n_refs(screen->column[i].expr); k++) {
			int symbol = expr_ref_at(screen->column[i].expr, k).symbol;

			if (symbol < SYMBOL_VARIABLE)
				used |= 1ull << symbol;
		}
	return used;
}

/* The counters of a screen that cannot be opened: the names of those without permission or without
 * hardware counters, and a line with the reason for each other counter. */
struct missing {
	int n, of; /* number of missing counters, and of all that the columns use */
	struct strbuf names;
	struct strbuf lines; /* each terminated by '\0' */
};

static void find_missing(struct doctor *d, struct event_set *set, const struct screen *screen,
			 struct missing *m)
{
	uint64_t used = used_counters(screen);

	for (int c = 0; c < set->n_counters; c++) {
		const char *alias = screen->alias[c];
		struct err err = ERR_INIT;
		bool hardware = false;

		if (!(used >> c & 1))
			continue;
		m->of++;
		if (can_open(set, c, d->patient->sys, &hardware, &err))
			continue;
		m->n++;
		if (d->rights.user_ret || (d->hardware.code && hardware)) {
			strbuf_addf(&m->names, "%s%s", m->names.len ? ", " : "", alias);
		} else {
			strbuf_addf(&m->lines, "%s: %s", alias, err.text);
			strbuf_addch(&m->lines, '\0');
		}
	}
}

static void put_missing(struct doctor *d, const char *label, const struct missing *m)
{
	enum finding_mark mark = m->n == m->of ? FINDING_NO : FINDING_WARN;
	const char *why =
		d->rights.user_ret ? "nothing may be counted" : "there are no hardware counters";
	struct finding f;

	if (m->names.len)
		f = finding_make(mark, "%s: %s", why, m->names.text);
	else
		f = finding_make(mark, "%d of %d counters are not available", m->n, m->of);
	doctor_put_consequence(d, label, &f);
	for (size_t i = 0; i < m->lines.len; i += strlen(m->lines.text + i) + 1)
		doctor_put_fact(d, "", "%s", m->lines.text + i);
}

static void check_screen(struct doctor *d, size_t index)
{
	const struct screen *screen = d->patient->screens->v[index];
	struct missing missing = {.n = 0};
	struct event_set set;
	struct finding f;
	const struct doctor_input *p = d->patient;
	const struct offer offer = offer_live(p->machine, p->sys, p->kernel);
	char *label = xasprintf("%d %s", screen->number, screen->name);

	strbuf_init(&missing.names);
	strbuf_init(&missing.lines);
	counters_make_set(&set, screen, &offer);
	find_missing(d, &set, screen, &missing);
	if (missing.n) {
		put_missing(d, label, &missing);
	} else {
		d->n_whole_screens++;
		if (missing.of)
			f = finding_make(FINDING_OK, "%d counter%s", missing.of,
					 missing.of == 1 ? "" : "s");
		else
			f = finding_make(FINDING_OK, "needs no counter");
		doctor_put(d, label, &f);
	}
	event_set_done(&set);
	strbuf_done(&missing.names);
	strbuf_done(&missing.lines);
	free(label);
}

void doctor_check_screens(struct doctor *d)
{
	const struct doctor_input *p = d->patient;

	doctor_section(d, "Screens");
	for (size_t i = 0; i < p->screens->n; i++)
		check_screen(d, i);
	for (size_t i = 0; i < p->hidden->n; i++) {
		const struct screen *s = p->hidden->v[i];

		if (s->other_rows || s->left_out)
			doctor_put_fact(d, s->name, "%s", screen_why_hidden(s));
		else
			doctor_put_fact(d, s->name, "not for this processor%s%s",
					s->needs ? ": " : "", s->needs ? s->needs : "");
	}
	if (!p->screens->n && !p->hidden->n)
		doctor_put_fact(d, "none", "none is checked until the configuration can be read");
}

/* ---- doctor ---- */

static const char *plural(long n)
{
	return n == 1 ? "" : "s";
}

static void put(struct doctor *d, const char *label, struct finding f)
{
	doctor_put(d, label, &f);
}

static void doctor_check_rights(struct doctor *d)
{
	const struct rights *rights = &d->rights;
	char program[128];

	privilege_find_program(program, sizeof program);
	doctor_section(d, "Permissions");
	doctor_put_fact(d, "kernel", "Linux %s%s", rights->release,
			rights->version < 5008 ? "; CAP_PERFMON came with Linux 5.8" : "");
	put(d, "level", rights_find_level(rights));
	put(d, "capabilities", rights_find_caps(rights));
	put(d, "seccomp", rights_find_seccomp(rights));
	put(d, "container", rights_find_container(rights));
	if (rights->hides)
		put(d, "hidden tasks", rights_find_hidden(rights));
	put(d, "own tasks", rights_find_own(rights, program));
	if (rights->user_ret)
		return;
	put(d, "in kernel", rights_find_kernel(rights));
	put(d, "new threads", rights_find_threads(rights));
	put(d, "others", rights_find_others(rights, program));
}

static void check_configuration(struct doctor *d)
{
	const struct doctor_input *p = d->patient;
	struct strbuf places;
	struct finding f;

	doctor_section(d, "Configuration");
	if (p->conf_file) {
		doctor_put_fact(d, "file", "%s", p->conf_file);
	} else if (!p->n_mistakes) {
		strbuf_init(&places);
		conf_add_places(&places);
		doctor_put_fact(d, "file", "none; looked for %s", places.text);
		strbuf_done(&places);
	}
	if (!p->log->n) {
		f = finding_make(FINDING_OK, "none");
	} else {
		f = finding_make(p->n_mistakes ? FINDING_NO : FINDING_WARN, "%zu%s", p->log->n,
				 p->n_mistakes ? ": tiptop does not start"
					       : ": the faulty parts are left out");
	}
	doctor_put(d, "faults", &f);
	for (size_t i = 0; i < p->log->n; i++)
		doctor_put_fact(d, "", "%s", p->log->line[i].text);
}

static void summarize(struct doctor *d)
{
	size_t n = d->patient->screens->n;

	strbuf_addch(d->out, '\n');
	if (d->n_limits)
		strbuf_addf(d->out, "%d thing%s limit%s tiptop here", d->n_limits,
			    plural(d->n_limits), d->n_limits == 1 ? "s" : "");
	else
		strbuf_addstr(d->out, d->n_whole_screens == n ? "all is well"
							      : "nothing limits tiptop here");
	strbuf_addf(d->out, "; %zu of %zu screen%s can show all of %s columns\n",
		    d->n_whole_screens, n, plural((long)n), n == 1 ? "its" : "their");
}

void doctor_report(struct strbuf *out, const struct doctor_input *patient)
{
	struct doctor d = {.out = out, .patient = patient};

	strbuf_addf(out, "tiptop %s\n", PACKAGE_VERSION);
	rights_read(&d.rights, patient->sys);
	refusal_try_hardware(patient->sys, false, &d.all_modes, &d.hardware);
	doctor_check_cpu(&d);
	doctor_check_pmus(&d);
	doctor_check_rights(&d);
	doctor_check_hardware(&d);
	doctor_check_descriptors(&d);
	doctor_check_screens(&d);
	check_configuration(&d);
	summarize(&d);
}
