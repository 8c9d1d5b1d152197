/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"

/* ---- line ----
 *
 * The files in which the kernel describes this machine, and reading lines of them.
 */

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

const struct event_host event_host_here = {
	.devices = "/sys/bus/event_source/devices",
	.tracing = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"},
	.tracepoints = "/run/tiptop/tracepoints",
	.cpus = "/sys/devices/system/cpu",
	.boot_id = "/proc/sys/kernel/random/boot_id",
	.name = "/proc/sys/kernel/hostname",
	.release = "/proc/sys/kernel/osrelease",
};

ssize_t sysfs_read_line(char *buf, size_t size, const char *path, ...)
{
	char *name;
	ssize_t n;
	va_list ap;

	va_start(ap, path);
	name = xvasprintf(path, ap);
	va_end(ap);
	n = file_read(AT_FDCWD, name, buf, size);
	free(name);
	if (n < 0)
		return n;
	if ((size_t)n == size - 1)
		return -EFBIG;
	buf[strcspn(buf, "\n")] = '\0';
	return (ssize_t)strlen(buf);
}

/* Returns whether the name is a plain file name: it cannot lead out of its folder. */
static bool sysfs_is_name(const char *s)
{
	return s[0] && s[0] != '.' && !s[strspn(s, NAME_CHARS)];
}

/* ---- numbered ----
 *
 * PMUs whose names differ only in the number at their end.
 */

/* Returns the number at the end of a name that consists of `of`, '_' and a number; -1: the name has
 * another form. */
static long number_behind(const char *name, const char *of)
{
	const size_t n = strlen(of);
	const char *digits = name + n + 1;

	if (strncmp(name, of, n) || name[n] != '_' || !*digits ||
	    digits[strspn(digits, "0123456789")])
		return -1;
	return strtol(digits, NULL, 10);
}

/* Returns the name of the PMU that is called `name`, '_' and the lowest number; NULL: there is
 * none. The caller frees the name. */
static char *sysfs_find_numbered(const struct event_host *host, const char *name)
{
	long lowest = LONG_MAX;
	struct folder pmus;
	const char *entry;

	folder_open(&pmus, "%s", host->devices);
	while ((entry = folder_next(&pmus))) {
		const long number = number_behind(entry, name);

		if (number >= 0 && number < lowest)
			lowest = number;
	}
	return lowest < LONG_MAX ? xasprintf("%s_%ld", name, lowest) : NULL;
}

bool event_sysfs_is_of(const char *pmu, const char *one, bool several)
{
	const char *number = several ? strrchr(one, '_') : NULL;
	char *name = number ? xstrndup(one, (size_t)(number - one)) : NULL;
	const bool is = name ? number_behind(pmu, name) >= 0 : !strcmp(pmu, one);

	free(name);
	return is;
}

/* ---- tracepoint ----
 *
 * Tracepoints, in tracefs.
 */

const char *event_sysfs_tracing_denied(void)
{
	return geteuid() ? "only root may read it: run tiptop as root"
			 : "this root may not read it: it is that of a user namespace, or lacks "
			   "the capability CAP_DAC_OVERRIDE, as in a container";
}

/* The most bytes of the list of tracepoints: Linux has some 3,000. */
#define LIST_MAX ((size_t)1 << 20)

/* Returns why the list is not used; NULL: it can be trusted. */
static const char *distrust(const struct stat *s)
{
	if (!S_ISREG(s->st_mode))
		return "is not a regular file";
	if (s->st_uid && s->st_uid != geteuid())
		return "belongs neither to root nor to you";
	return s->st_mode & (S_IWGRP | S_IWOTH) ? "may be written by a group or by others" : NULL;
}

/* Reads the list of tracepoints. Returns NULL; or, with `out` empty, why it is not used, as the
 * rest of a sentence about the file; "": there is none. */
static const char *read_list(const char *path, struct strbuf *out)
{
	const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *why = NULL;
	struct stat s;

	strbuf_reset(out);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? ""
		       : errno == ELOOP                    ? "is a symbolic link"
							   : "cannot be opened";
	if (fstat(fd, &s))
		why = "cannot be read";
	else
		why = distrust(&s);
	if (!why && file_read_again(fd, LIST_MAX, out) <= 0)
		why = "is empty or cannot be read";
	if (why)
		strbuf_reset(out);
	close(fd);
	return why;
}

/* Finds the id of a tracepoint in the list. Returns NULL; or why it is not found, like read_list().
 */
static const char *find_in_list(const struct event_host *host, const char *name, uint64_t *id)
{
	const size_t len = strlen(name);
	struct strbuf list;
	char *line, *rest = NULL;
	const char *why = "";

	strbuf_init(&list);
	if (host->tracepoints)
		why = read_list(host->tracepoints, &list);
	if (!why) {
		why = "has no line 'SYSTEM:NAME NUMBER' for it";
		for (line = strtok_r(list.text, "\n", &rest); line && why;
		     line = strtok_r(NULL, "\n", &rest))
			if (!strncmp(line, name, len) && line[len] == ' ' &&
			    !num_parse_u64(line + len + 1, "the id", id, NULL))
				why = NULL;
	}
	strbuf_done(&list);
	return why;
}

/* Adds to an error why the list of tracepoints does not help. Returns the code of the error. */
static int add_list(struct err *err, int ret, const struct event_host *host, const char *why)
{
	char *text = err && why[0] ? xstrdup(err->text) : NULL;

	if (text)
		err_set(err, -ret, "%s; the list %s does not help: it %s", text, host->tracepoints,
			why);
	free(text);
	return ret;
}

int event_sysfs_tracepoint(struct event *e, const struct event_host *host, const char *name,
			   struct err *err)
{
	size_t colon = strcspn(name, ":");
	char text[32], *system = xstrndup(name, colon);
	bool denied = false;
	const char *why = "";
	ssize_t n = -ENOENT;
	uint64_t id;

	if (name[colon] && sysfs_is_name(system) && sysfs_is_name(name + colon + 1))
		for (int i = 0; i < 2 && n < 0; i++) {
			n = sysfs_read_line(text, sizeof text, "%s/events/%s/%s/id",
					    host->tracing[i], system, name + colon + 1);
			denied = denied || n == -EACCES || n == -EPERM;
		}
	free(system);
	if (n < 0)
		why = find_in_list(host, name, &id);
	n = why ? n : 0;
	if (n < 0 && denied) {
		err_set(err, EACCES, "the tracepoint '%s' cannot be looked up in %s: %s", name,
			host->tracing[0], event_sysfs_tracing_denied());
		return add_list(err, -EACCES, host, why);
	}
	if (n < 0 || (n && num_parse_u64(text, "the id", &id, NULL))) {
		err_set(err, ENOENT,
			"there is no tracepoint '%s' in %s, where tracefs has to be mounted", name,
			host->tracing[0]);
		return add_list(err, -ENOENT, host, why);
	}
	e->type = PERF_TYPE_TRACEPOINT;
	e->config = id;
	e->all_modes = true;
	return 0;
}

static void visit_system(const char *tracing, const char *system,
			 event_sysfs_tracepoint_visit visit, void *context)
{
	struct folder f;
	const char *name;

	folder_open(&f, "%s/events/%s", tracing, system);
	while ((name = folder_next(&f))) {
		char *full = xasprintf("%s:%s", system, name);

		visit(context, full);
		free(full);
	}
}

int event_sysfs_each_tracepoint(const struct event_host *host, event_sysfs_tracepoint_visit visit,
				void *context)
{
	bool denied = false;

	for (int i = 0; i < 2; i++) {
		struct folder f;
		const char *system;
		int n = folder_open(&f, "%s/events", host->tracing[i]);

		while ((system = folder_next(&f)))
			visit_system(host->tracing[i], system, visit, context);
		if (n >= 0)
			return 0;
		denied = denied || n == -EACCES || n == -EPERM;
	}
	return denied ? -EACCES : -ENOENT;
}

/* ---- sysfs ---- */

/* Appends the names in a folder, separated by ", ". */
static void list_folder(struct strbuf *sb, struct folder *f)
{
	const char *name;

	while ((name = folder_next(f)))
		strbuf_addf(sb, "%s%s", sb->len ? ", " : "", name);
}

/* Parses "7" or "0-7" at *p, and advances *p. */
static bool parse_range(const char **p, unsigned long *first, unsigned long *last)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return false;
	*first = *last = strtoul(*p, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		*last = strtoul(end + 1, &end, 10);
	}
	*p = end;
	return *first <= *last && *last < 64;
}

int event_field_parse(struct event_field *f, const char *text, struct err *err)
{
	static const char *const words[] = {"config:", "config1:", "config2:"};
	unsigned long first, last;
	const char *p = NULL;

	f->mask = 0;
	for (f->word = 0; f->word < 3; f->word++)
		if (!strncmp(text, words[f->word], strlen(words[f->word]))) {
			p = text + strlen(words[f->word]);
			break;
		}
	while (p && parse_range(&p, &first, &last)) {
		f->mask |= UINT64_MAX >> (63 - last) & UINT64_MAX << first;
		if (!*p)
			return 0;
		if (*p++ != ',')
			break;
	}
	return err_set(err, EINVAL,
		       "'%s' does not say which bits of config, config1 or config2 a term has",
		       text);
}

/* Changes the error to -ENOENT and returns it: if tiptop cannot parse the kernel's description of a
 * PMU, this machine lacks something, while the user has made no mistake. */
static int not_here(struct err *err)
{
	if (err)
		err->code = ENOENT;
	return -ENOENT;
}

/* A PMU, and the host whose files describe it. */
struct pmu {
	const struct event_host *host;
	const char *name;
};

static int find_field(struct event_field *f, const struct pmu *pmu, const char *term,
		      struct err *err)
{
	static const char *const words[] = {"config", "config1", "config2"};
	struct folder terms;
	struct strbuf known;
	char text[256];
	ssize_t n = sysfs_read_line(text, sizeof text, "%s/%s/format/%s", pmu->host->devices,
				    pmu->name, term);

	if (n >= 0) {
		if (!event_field_parse(f, text, err))
			return 0;
		err_prefix(err, "PMU '%s', term '%s'", pmu->name, term);
		return not_here(err);
	}
	for (int i = 0; i < 3; i++)
		if (!strcmp(term, words[i])) {
			*f = (struct event_field){i, UINT64_MAX};
			return 0;
		}
	strbuf_init(&known);
	folder_open(&terms, "%s/%s/format", pmu->host->devices, pmu->name);
	list_folder(&known, &terms);
	err_set(err, ENOENT, "the PMU '%s' has no event or term '%s'%s%s", pmu->name, term,
		known.len ? ": its terms are " : "", known.text);
	strbuf_done(&known);
	return -ENOENT;
}

/* Deposits the value in the bits of the mask, the lowest first. False: the mask has too few
 * bits. */
static bool set_field(uint64_t *word, uint64_t mask, uint64_t value)
{
	uint64_t bits = 0;

	for (uint64_t rest = mask; rest; rest &= rest - 1, value >>= 1)
		if (value & 1)
			bits |= rest & ~(rest - 1);
	*word = (*word & ~mask) | bits;
	return !value;
}

static int apply_value(struct event *e, const struct pmu *pmu, const char *term, const char *text,
		       struct err *err)
{
	uint64_t *const word[] = {&e->config, &e->config1, &e->config2};
	struct event_field f;
	uint64_t value = 1;
	int ret;

	if (text && !strcmp(text, "?"))
		return err_set(err, ENOENT,
			       "the event wants a parameter for its term '%s' of the PMU '%s'",
			       term, pmu->name);
	ret = text ? num_parse_u64(text, "the value of a term", &value, err) : 0;
	if (ret) {
		err_prefix(err, "PMU '%s', term '%s'", pmu->name, term);
		return ret;
	}
	ret = find_field(&f, pmu, term, err);
	if (ret)
		return ret;
	if (!set_field(word[f.word], f.mask, value))
		return err_set(err, ERANGE,
			       "%s does not fit in the %d-bit term '%s' of the PMU '%s'", text,
			       __builtin_popcountll(f.mask), term, pmu->name);
	return 0;
}

/* Calls apply() for each term. Blanks and empty terms are errors. */
static int apply_terms(struct event *e, const struct pmu *pmu, const char *terms,
		       int (*apply)(struct event *e, const struct pmu *pmu, const char *term,
				    const char *value, struct err *err),
		       struct err *err)
{
	int ret = 0;

	for (size_t n; !ret; terms += n + 1) {
		char *term, *value;

		n = strcspn(terms, ",");
		term = xstrndup(terms, n);
		value = strchr(term, '=');
		if (value)
			*value++ = '\0';
		if (sysfs_is_name(term) && (!value || *value))
			ret = apply(e, pmu, term, value, err);
		else
			ret = err_set(err, EINVAL,
				      "'%.*s' is not a term: write TERM or TERM=NUMBER", (int)n,
				      terms);
		free(term);
		if (!terms[n])
			break;
	}
	return ret;
}

/* Reads the file EVENT.scale or EVENT.unit beside the file of the event; side: "scale" or "unit".
 * "": there is no such file. */
#define SIDE_MAX 64
static void read_side(char text[SIDE_MAX], const struct pmu *pmu, const char *event,
		      const char *side)
{
	if (sysfs_read_line(text, SIDE_MAX, "%s/%s/events/%s.%s", pmu->host->devices, pmu->name,
			    event, side) < 0)
		text[0] = '\0';
}

/* Sets the scale of the event (the factor from the raw count) and its unit. */
static int take_scale(struct event *e, const struct pmu *pmu, const char *event, struct err *err)
{
	char scale[SIDE_MAX], unit[SIDE_MAX], *end;

	read_side(scale, pmu, event, "scale");
	read_side(unit, pmu, event, "unit");
	snprintf(e->unit, sizeof e->unit, "%s", unit);
	e->scale = strtod(scale, &end);
	if (!scale[0] || (!*end && isnormal(e->scale)))
		return 0;
	return err_set(err, ENOENT,
		       "the scale of the event '%s' of the PMU '%s' is not a number: '%s'", event,
		       pmu->name, scale);
}

/* Applies the terms of the event with this name. Returns 1; 0: the PMU has no such event; or
 * -errno. */
static int apply_event(struct event *e, const struct pmu *pmu, const char *event, struct err *err)
{
	char text[1024];
	int ret;

	if (sysfs_read_line(text, sizeof text, "%s/%s/events/%s", pmu->host->devices, pmu->name,
			    event) < 0)
		return 0;
	ret = take_scale(e, pmu, event, err);
	if (!ret)
		ret = apply_terms(e, pmu, text, apply_value, err);
	if (!ret)
		return 1;
	err_prefix(err, "event '%s'", event);
	return not_here(err);
}

/* Applies the terms of the event with this name regardless of case, as perf(1) does: "msr/TSC/". */
static int apply_event_of_any_case(struct event *e, const struct pmu *pmu, const char *event,
				   struct err *err)
{
	struct folder events;
	char *found = NULL;
	const char *name;
	int ret;

	folder_open(&events, "%s/%s/events", pmu->host->devices, pmu->name);
	while ((name = folder_next(&events)))
		if (!found && !strcasecmp(name, event))
			found = xstrdup(name);
	ret = found ? apply_event(e, pmu, found, err) : 0;
	free(found);
	return ret;
}

static int apply_term(struct event *e, const struct pmu *pmu, const char *term, const char *value,
		      struct err *err)
{
	struct event_field field;
	int ret = value ? 0 : apply_event(e, pmu, term, err);

	if (!ret && !value && find_field(&field, pmu, term, NULL))
		ret = apply_event_of_any_case(e, pmu, term, err);
	if (ret)
		return ret < 0 ? ret : 0;
	return apply_value(e, pmu, term, value, err);
}

static bool has_file(const struct pmu *pmu, const char *file)
{
	char *path = xasprintf("%s/%s/%s", pmu->host->devices, pmu->name, file);
	const bool there = !access(path, F_OK);

	free(path);
	return there;
}

static bool is_core(const struct pmu *pmu)
{
	return !strcmp(pmu->name, "cpu") || has_file(pmu, "cpus");
}

static int take_type(struct event *e, const struct pmu *pmu, struct err *err)
{
	struct folder pmus;
	struct strbuf known;
	char text[32];
	uint64_t type;

	if (sysfs_read_line(text, sizeof text, "%s/%s/type", pmu->host->devices, pmu->name) < 0) {
		strbuf_init(&known);
		folder_open(&pmus, "%s", pmu->host->devices);
		list_folder(&known, &pmus);
		err_set(err, ENOENT, "this machine has no PMU '%s'%s%s", pmu->name,
			known.len ? ": there are " : "", known.text);
		strbuf_done(&known);
		return -ENOENT;
	}
	if (num_parse_u64(text, "the type", &type, err) || type > UINT32_MAX) {
		err_set(err, ENOENT, "the type of the PMU '%s' is not a number: '%s'", pmu->name,
			text);
		return -ENOENT;
	}
	e->type = (uint32_t)type;
	e->all_modes = e->type != PERF_TYPE_SOFTWARE && !is_core(pmu);
	e->shared = e->all_modes && has_file(pmu, "cpumask");
	return 0;
}

/* Sets the type to that of the PMU with this name. If there is none, but several PMUs have this
 * name and a number, takes the PMU with the lowest number, and replaces *name by its name. */
static int take_pmu(struct event *e, const struct event_host *host, char **name, struct err *err)
{
	char *first = has_file(&(struct pmu){host, *name}, "type")
			      ? NULL
			      : sysfs_find_numbered(host, *name);

	if (first && has_file(&(struct pmu){host, first}, "cpumask")) {
		char *old = *name;

		*name = first;
		first = old;
		e->several = true;
	}
	free(first);
	return take_type(e, &(struct pmu){host, *name}, err);
}

int event_sysfs_resolve(struct event *e, const struct event_host *host, const char *name,
			struct err *err)
{
	size_t slash = strcspn(name, "/"), len = strlen(name);
	char *pmu_name, *terms;
	int ret;

	if (len < slash + 3 || name[len - 1] != '/' ||
	    strchr(name + slash + 1, '/') != name + len - 1)
		return err_set(err, EINVAL, "'%s' is not an event: write PMU/TERM=NUMBER,.../",
			       name);
	pmu_name = xstrndup(name, slash);
	terms = xstrndup(name + slash + 1, len - slash - 2);
	if (!sysfs_is_name(pmu_name))
		ret = err_set(err, EINVAL, "'%s' cannot be the name of a PMU", pmu_name);
	else
		ret = take_pmu(e, host, &pmu_name, err);
	if (!ret)
		ret = apply_terms(e, &(struct pmu){host, pmu_name}, terms, apply_term, err);
	free(pmu_name);
	free(terms);
	return ret;
}

static int find_in(struct event *e, const struct pmu *pmu, const char *name, struct err *err)
{
	int ret = apply_event(e, pmu, name, err);

	if (ret <= 0)
		return ret;
	ret = take_type(e, pmu, err);
	return ret ? ret : 1;
}

int event_sysfs_find(struct event *e, const struct event_host *host, const char *pmu,
		     const char *name, struct err *err)
{
	struct core_pmu core[CORES_MAX];
	int n = sysfs_is_name(name) ? event_sysfs_cores(host, core, CORES_MAX) : 0, ret = 0;

	for (int i = 0; i < n && !ret; i++)
		if (!pmu || !strcmp(pmu, core[i].name))
			ret = find_in(e, &(struct pmu){host, core[i].name}, name, err);
	return ret;
}

/* Returns the speed of the PMU's cores, relative to that of the others; 0: unknown. */
static long core_capacity(const struct event_host *host, const char *pmu)
{
	char text[256];

	if (sysfs_read_line(text, sizeof text, "%s/%s/cpus", host->devices, pmu) < 0)
		return 0;
	if (sysfs_read_line(text, sizeof text, "%s/cpu%ld/cpu_capacity", host->cpus,
			    strtol(text, NULL, 10)) < 0)
		return 0;
	return strtol(text, NULL, 10);
}

/* Returns the rank of a PMU by its name, 0 for the fastest cores: on Intel, cpu_core is faster than
 * cpu_atom, but comes later in the alphabet. */
static int core_rank(const char *name)
{
	return strcmp(name, "cpu") && strcmp(name, "cpu_core");
}

/* Inserts the PMU before those with slower cores. */
static void insert_core(const struct event_host *host, struct core_pmu *out, int n,
			const struct core_pmu *new)
{
	while (n > 0 && (core_rank(new->name) < core_rank(out[n - 1].name) ||
			 core_capacity(host, new->name) > core_capacity(host, out[n - 1].name))) {
		out[n] = out[n - 1];
		n--;
	}
	out[n] = *new;
}

/* A limit to detect wrong values: known cores have at most a dozen slots per cycle. */
#define SLOTS_MAX 64

int event_sysfs_slots(const struct event_host *host, const char *pmu, struct err *err)
{
	char text[32];
	long slots = 0;

	/* The file has the number in hex; 0 if the PMU does not report it:
	 * drivers/perf/arm_pmuv3.c. */
	if (pmu[0] &&
	    sysfs_read_line(text, sizeof text, "%s/%s/caps/slots", host->devices, pmu) > 0)
		slots = strtol(text, NULL, 0);
	if (slots > 0 && slots <= SLOTS_MAX)
		return (int)slots;
	return err_set(
		err, ENOENT,
		"the number of slots in a cycle is unknown: only the kernel of such a machine "
		"provides it, in the file caps/slots of its PMU%s%s",
		pmu[0] ? " " : "", pmu);
}

/* Room for the longest list of CPUs, which has every second CPU. */
#define CPUS_TEXT (AFFINITY_CPUS / 2 * (int)sizeof "8191")

static void take_cpus(struct cpu_list *list, const struct pmu *pmu)
{
	char *text = xcalloc(CPUS_TEXT, 1);

	if (sysfs_read_line(text, CPUS_TEXT, "%s/%s/cpus", pmu->host->devices, pmu->name) > 0)
		cpu_list_parse(list, text);
	free(text);
}

int event_sysfs_cores(const struct event_host *host, struct core_pmu *out, int max)
{
	struct folder f;
	const char *name;
	int found = 0;

	folder_open(&f, "%s", host->devices);
	while ((name = folder_next(&f))) {
		const struct pmu pmu = {host, name};
		struct core_pmu core = {.type = 0};
		struct event e = {.name = NULL};

		if (found < max && strlen(name) < sizeof core.name && is_core(&pmu) &&
		    !take_type(&e, &pmu, NULL)) {
			memcpy(core.name, name, strlen(name) + 1);
			core.type = e.type;
			take_cpus(&core.cpus, &pmu);
			insert_core(host, out, found++, &core);
		}
	}
	return found;
}

/* Returns whether the file is not an event, but has a property of an event. */
static bool is_side_file(const char *name)
{
	static const char *const ends[] = {".scale", ".unit", ".per-pkg", ".snapshot"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(dot, ends[i]))
			return true;
	return false;
}

static void visit_events(const struct pmu *pmu, event_sysfs_visit visit, void *context)
{
	const char *devices = pmu->host->devices, *name;
	char terms[1024], scale[SIDE_MAX], unit[SIDE_MAX];
	struct folder f;

	folder_open(&f, "%s/%s/events", devices, pmu->name);
	while ((name = folder_next(&f))) {
		if (is_side_file(name) || sysfs_read_line(terms, sizeof terms, "%s/%s/events/%s",
							  devices, pmu->name, name) < 0)
			continue;
		read_side(scale, pmu, name, "scale");
		read_side(unit, pmu, name, "unit");
		visit(context, &(struct event_sysfs_row){pmu->name, name, terms, scale, unit});
	}
}

void event_sysfs_each(const struct event_host *host, event_sysfs_visit visit, void *context)
{
	struct folder f;
	const char *name;

	folder_open(&f, "%s", host->devices);
	while ((name = folder_next(&f)))
		visit_events(&(struct pmu){host, name}, visit, context);
}
