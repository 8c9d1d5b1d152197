/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/proc_file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/fact_list.h"

/* ---- container ---- */

/* Lengths of container IDs; engines show only the first 12 digits of an ID of 64 digits. */
#define NUMBER_DIGITS   64
#define NUMBER_SHOWN    12
#define FARGATE_DIGITS  32
#define BUILDKIT_DIGITS 25
#define GUID_LENGTH     36
#define GUID_SHORT      28

#define DECIMAL "0123456789"
#define HEX     "0123456789abcdef"
#define LETTERS "0123456789abcdefghijklmnopqrstuvwxyz"

enum parent { PARENT_ANY, PARENT_IS, PARENT_BEGINS, BELOW };

enum id {
	ID_NAME,     /* any name, shown in full */
	ID_NUMBER,   /* 64 hexadecimal digits */
	ID_FARGATE,  /* 32 hexadecimal digits, '-', a decimal number */
	ID_BUILDKIT, /* 25 lower-case letters and digits */
	ID_GUID,     /* 8-4-4-4-12 or 8-4-4-4-4 hexadecimal digits */
};

/* How an engine names the control group of a container: the name of the parent group (or of any
 * group above it), and the prefix and suffix around the ID. A prefix that begins with ':' may be
 * anywhere in the name. */
struct form {
	const char *engine;
	enum parent how;
	const char *parent, *prefix, *suffix;
	enum id id;
};

/* The cgroup drivers "cgroupfs" and "systemd" of an engine name groups differently. A path for the
 * systemd driver that is passed to cgroupfs becomes a group named SLICE:ENGINE:NUMBER
 * (containerd/containerd, issue 4857). Groups of processes that only monitor a container, such as
 * libpod-conmon-... and lxc.monitor...., have no row here. A build with docker runs in a container
 * of BuildKit. */
static const struct form form_table[] = {
	{"docker", PARENT_IS, "docker", "", "", ID_NUMBER},
	{"docker", PARENT_ANY, "", "docker-", ".scope", ID_NUMBER},
	{"docker", PARENT_ANY, "", ":docker:", "", ID_NUMBER},
	{"buildkit", PARENT_IS, "buildkit", "", "", ID_BUILDKIT},
	{"buildkit", PARENT_ANY, "", "buildkit-", ".scope", ID_BUILDKIT},
	{"buildkit", PARENT_ANY, "", "docker-", ".scope", ID_BUILDKIT},
	{"podman", PARENT_ANY, "", "libpod-payload-", "", ID_NUMBER},
	{"podman", PARENT_ANY, "", "libpod-", ".scope", ID_NUMBER},
	{"podman", PARENT_ANY, "", "libpod-", "", ID_NUMBER},
	{"containerd", PARENT_ANY, "", "cri-containerd-", ".scope", ID_NUMBER},
	{"containerd", PARENT_ANY, "", ":cri-containerd:", "", ID_NUMBER},
	{"containerd", PARENT_ANY, "", "nerdctl-", ".scope", ID_NUMBER},
	{"containerd", PARENT_IS, "default", "", "", ID_NUMBER},
	{"containerd", PARENT_IS, "k8s.io", "", "", ID_NUMBER},
	{"cri-o", PARENT_ANY, "", "crio-", ".scope", ID_NUMBER},
	{"cri-o", PARENT_ANY, "", "crio-", "", ID_NUMBER},
	{"cri-o", PARENT_ANY, "", ":crio:", "", ID_NUMBER},
	{"kubernetes", PARENT_BEGINS, "pod", "", "", ID_NUMBER},
	{"kubernetes", PARENT_BEGINS, "kubepods-", "", "", ID_NUMBER},
	{"ecs", BELOW, "ecs", "", "", ID_NUMBER},
	{"ecs", BELOW, "ecs", "", "", ID_FARGATE},
	{"garden", BELOW, "garden", "", "", ID_GUID},
	{"lxc", PARENT_ANY, "", "lxc.payload.", "", ID_NAME},
	{"lxc", PARENT_IS, "lxc.payload", "", "", ID_NAME},
	{"lxc", PARENT_IS, "lxc", "", "", ID_NAME},
	{"nspawn", PARENT_ANY, "", "systemd-nspawn@", ".service", ID_NAME},
	{"nspawn", PARENT_ANY, "", "machine-", ".scope", ID_NAME},
};

/* A part of a text, without a NUL at its end. */
struct part {
	const char *text;
	size_t len;
};

static bool begins(struct part p, const char *with)
{
	return p.len >= strlen(with) && !memcmp(p.text, with, strlen(with));
}

static bool ends(struct part p, const char *with)
{
	size_t n = strlen(with);

	return p.len >= n && !memcmp(p.text + p.len - n, with, n);
}

static bool consists_of(struct part p, const char *letters)
{
	return p.len && strspn(p.text, letters) >= p.len;
}

static bool is_fargate(struct part p)
{
	const struct part task = {p.text, FARGATE_DIGITS};

	return p.len > FARGATE_DIGITS + 1 && consists_of(task, HEX) &&
	       p.text[FARGATE_DIGITS] == '-' &&
	       consists_of((struct part){p.text + FARGATE_DIGITS + 1, p.len - FARGATE_DIGITS - 1},
			   DECIMAL);
}

/* Returns whether the name is that of a virtual machine: systemd names groups of virtual machines
 * and of containers in the same form. */
static bool is_virtual_machine(struct part name)
{
	return begins(name, "qemu\\x2d") || begins(name, "qemu-");
}

static bool is_id(enum id id, struct part p)
{
	switch (id) {
	case ID_NUMBER:
		return p.len == NUMBER_DIGITS && consists_of(p, HEX);
	case ID_FARGATE:
		return is_fargate(p);
	case ID_BUILDKIT:
		return p.len == BUILDKIT_DIGITS && consists_of(p, LETTERS);
	case ID_GUID:
		return (p.len == GUID_LENGTH || p.len == GUID_SHORT) && consists_of(p, HEX "-");
	case ID_NAME:
		break;
	}
	return p.len && !is_virtual_machine(p);
}

/* Returns whether one of the groups of the path, up to `end`, has this name. */
static bool is_below(const char *path, const char *end, const char *name)
{
	for (path += strspn(path, "/"); path < end; path += strspn(path, "/")) {
		const size_t len = strcspn(path, "/");

		if (len == strlen(name) && !memcmp(path, name, len))
			return true;
		path += len;
	}
	return false;
}

/* One control group in a path of groups. */
struct group {
	const char *path;
	struct part parent, name;
};

static bool has_parent(const struct form *f, const struct group *g)
{
	switch (f->how) {
	case PARENT_IS:
		return g->parent.len == strlen(f->parent) && begins(g->parent, f->parent);
	case PARENT_BEGINS:
		return begins(g->parent, f->parent);
	case BELOW:
		return is_below(g->path, g->name.text, f->parent);
	case PARENT_ANY:
		break;
	}
	return true;
}

/* Removes the prefix from a group's name. Returns false if the name does not have it. */
static bool skip_prefix(const char *prefix, struct part *name)
{
	while (prefix[0] == ':' && name->len && !begins(*name, prefix)) {
		name->text++;
		name->len--;
	}
	if (!begins(*name, prefix))
		return false;
	name->text += strlen(prefix);
	name->len -= strlen(prefix);
	return true;
}

/* Returns the ID; of length 0 if the group does not have this form. */
static struct part match(const struct form *f, const struct group *g)
{
	struct part name = g->name;

	if (!has_parent(f, g) || !skip_prefix(f->prefix, &name) || !ends(name, f->suffix))
		return (struct part){"", 0};
	name.len -= strlen(f->suffix);
	return is_id(f->id, name) ? name : (struct part){"", 0};
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Appends the name; systemd escapes '-' and other characters as "\x2d" in names of groups. */
static void add_name(struct strbuf *out, struct part name)
{
	for (size_t i = 0; i < name.len; i++) {
		const char *c = name.text + i;

		if (name.len - i >= 4 && c[0] == '\\' && c[1] == 'x' && hex_digit(c[2]) >= 0 &&
		    hex_digit(c[3]) >= 0) {
			strbuf_addch(out, (char)(hex_digit(c[2]) << 4 | hex_digit(c[3])));
			i += 3;
		} else {
			strbuf_addch(out, *c);
		}
	}
}

static bool add_container(struct strbuf *out, const struct group *g)
{
	for (size_t i = 0; i < sizeof form_table / sizeof *form_table; i++) {
		const struct form *f = &form_table[i];
		struct part name = match(f, g);

		if (!name.len)
			continue;
		strbuf_addf(out, "%s:", f->engine);
		if (f->id == ID_NUMBER)
			name.len = NUMBER_SHOWN;
		add_name(out, name);
		return true;
	}
	return false;
}

bool container_of_cgroup(const char *path, struct strbuf *out)
{
	struct group g = {.path = path, .parent = {"", 0}};

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		g.name = (struct part){path, strcspn(path, "/")};
		if (add_container(out, &g))
			return true;
		g.parent = g.name;
		path += g.name.len;
	}
	return false;
}

/* ---- proc file ---- */

/* Sets a fact, and marks it as known. */
static void proc_set_fact(struct proc_facts *out, int fact, uint64_t value)
{
	out->fact[fact] = value;
	fact_add(&out->known, fact);
}

static uint64_t convert(uint64_t value, enum fact_scale scale, const struct proc_units *units)
{
	switch (scale) {
	case FACT_TICKS:
		return value * units->tick_ns;
	case FACT_BYTES:
		return value / 1024;
	case FACT_PAGES:
		return value * units->page_kb;
	case FACT_AS_IS:
		break;
	}
	return value;
}

/* Sets facts from the numbered fields of a file. */
static void set_numbered(struct fact_set facts, const uint64_t *field,
			 const struct proc_units *units, struct proc_facts *out)
{
	for (int f; (f = fact_take(&facts)) >= 0;) {
		const struct fact_row *row = &fact_table[f];

		/* field[0] is 0: a row with only one field has 0 as its second index. */
		proc_set_fact(out, f,
			      convert(field[row->at[0]] + field[row->at[1]], row->scale, units));
	}
}

/* Reads the next number after blanks, and moves *at past it. A negative number wraps around as in
 * strtoull(3), which takes three times as long. Returns false if there is none. */
static bool next_number(const char **at, uint64_t *value)
{
	const char *p = *at;
	bool negative;

	while (*p == ' ' || *p == '\t')
		p++;
	negative = *p == '-';
	p += negative;
	if (*p < '0' || *p > '9')
		return false;
	for (*value = 0; *p >= '0' && *p <= '9'; p++)
		*value = *value * 10 + (uint64_t)(*p - '0');
	*value = negative ? -*value : *value;
	*at = p;
	return true;
}

#define STAT_FIELD_STATE   3
#define STAT_FIELD_FLAGS   9
#define STAT_FIELD_START   22
#define STAT_FIELD_IGNORED 33

/* Returns the set of fields of stat that are facts, or needed beside them: bit i: field i. */
static uint64_t wanted_in_stat(void)
{
	uint64_t fields =
		1ull << STAT_FIELD_FLAGS | 1ull << STAT_FIELD_START | 1ull << STAT_FIELD_IGNORED;
	struct fact_set facts = fact_in_file[FACT_FILE_STAT];

	for (int f; (f = fact_take(&facts)) >= 0;) {
		const struct fact_row *row = &fact_table[f];

		fields |= 1ull << row->at[0] | 1ull << row->at[1];
	}
	return fields;
}

/* Moves *at from the blank before a field to the one behind it. Returns false if there is none. */
static bool skip_field(const char **at)
{
	*at = **at ? strchr(*at + 1, ' ') : NULL;
	return *at;
}

static void set_name(char to[PROC_NAME_MAX], const char *name, size_t len)
{
	len = len < PROC_NAME_MAX ? len : PROC_NAME_MAX - 1;
	memcpy(to, name, len);
	to[len] = '\0';
}

/* Flag of kernel threads, PF_KTHREAD of the kernel's sched.h. */
#define FLAG_KTHREAD 0x00200000u

/* Returns whether the kernel discards the CPU time of children that exit: it adds that time when
 * the process waits for the child, but children of a process that ignores SIGCHLD are gone before.
 * Kernel threads ignore all signals; those that wait for a child do not ignore SIGCHLD then. */
static bool discards_children(const uint64_t *field)
{
	return field[STAT_FIELD_IGNORED] >> (SIGCHLD - 1) & 1 &&
	       !(field[STAT_FIELD_FLAGS] & FLAG_KTHREAD);
}

int proc_parse_stat(const char *text, const struct proc_units *units, struct proc_facts *out)
{
	/* The name is in parentheses and may contain any character, parentheses too. */
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	const uint64_t wanted = wanted_in_stat();
	uint64_t field[PROC_STAT_FIELDS + 1] = {0};
	const char *p;

	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return -EINVAL;
	set_name(out->name, open + 1, (size_t)(close - open - 1));
	out->state = close[2];
	p = close + 3;
	for (int i = STAT_FIELD_STATE + 1; i <= PROC_STAT_FIELDS; i++)
		if (!(wanted >> i & 1 ? next_number(&p, &field[i]) : skip_field(&p)))
			return -EINVAL;
	out->start_ns = field[STAT_FIELD_START] * units->tick_ns;
	set_numbered(fact_in_file[FACT_FILE_STAT], field, units, out);
	if (discards_children(field))
		fact_remove(&out->known, FACT_CHILD_NS);
	return 0;
}

/* Finds the line that begins with the word `key`, and reads the number after it; blanks and a colon
 * may stand between them. Returns 0, or -EINVAL. */
static int keyed_number(const char *text, const char *key, uint64_t *value)
{
	size_t len = strlen(key);

	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, key, len) || !strchr(" \t:", p[len]))
			continue;
		p += len + strspn(p + len, " \t:");
		return next_number(&p, value) ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static const char *name_in_file(int file, int fact)
{
	const struct fact_row *row = &fact_table[fact];

	return row->file == file ? row->field : row->sched_field;
}

/* Sets facts from a file of lines "name: number". */
static int parse_named(int file, const char *text, struct fact_set facts,
		       const struct proc_units *units, struct proc_facts *out)
{
	bool any = false;
	uint64_t value;

	for (int f; (f = fact_take(&facts)) >= 0;) {
		if (keyed_number(text, name_in_file(file, f), &value))
			continue;
		proc_set_fact(out, f, convert(value, fact_table[f].scale, units));
		any = true;
	}
	return any ? 0 : -EINVAL;
}

static int parse_schedstat(const char *text, struct fact_set facts, const struct proc_units *units,
			   struct proc_facts *out)
{
	uint64_t field[PROC_SCHEDSTAT_FIELDS + 1] = {0};

	for (int i = 1; i <= PROC_SCHEDSTAT_FIELDS; i++)
		if (!next_number(&text, &field[i]))
			return -EINVAL;
	set_numbered(facts, field, units, out);
	return 0;
}

int proc_parse_file(int file, const char *text, const struct proc_units *units,
		    struct fact_set want, struct proc_facts *out)
{
	struct fact_set facts = fact_and(want, fact_in_file[file]);

	if (file == FACT_FILE_SCHED)
		facts = fact_or(facts, fact_and(want, fact_in_sched));
	switch (file) {
	case FACT_FILE_STAT:
		return proc_parse_stat(text, units, out);
	case FACT_FILE_SCHEDSTAT:
		return parse_schedstat(text, facts, units, out);
	default:
		return parse_named(file, text, facts, units, out);
	}
}

/* A line of /proc/PID/cgroup. */
struct cgroup_line {
	const char *path;
	size_t path_len;
	/* preference for its hierarchy (RANK_...): the line with the highest rank is used */
	int rank;
};

enum { RANK_ROOT = 1, RANK_ANY, RANK_SYSTEMD, RANK_UNIFIED, RANK_IN_CONTAINER };

static int rank_of(const char *hierarchy, size_t len, const char *path)
{
	static const char systemd[] = ":name=systemd:";

	if (path[0] != '/' || path[1] == '\n' || !path[1])
		return RANK_ROOT;
	if (len == strlen("0::") && !memcmp(hierarchy, "0::", len))
		return RANK_UNIFIED;
	return len >= sizeof systemd - 1 && !memcmp(hierarchy + len - (sizeof systemd - 1), systemd,
						    sizeof systemd - 1)
		       ? RANK_SYSTEMD
		       : RANK_ANY;
}

static int parse_cgroup_line(const char *text, size_t len, struct cgroup_line *out)
{
	const char *colon = memchr(text, ':', len), *at = NULL;

	if (colon)
		at = memchr(colon + 1, ':', len - (size_t)(colon + 1 - text));
	if (!at)
		return -EINVAL;
	at++;
	*out = (struct cgroup_line){.path = at,
				    .path_len = len - (size_t)(at - text),
				    .rank = rank_of(text, (size_t)(at - text), at)};
	return 0;
}

static bool set_cgroup(const struct cgroup_line *line, struct strbuf *path,
		       struct strbuf *container)
{
	strbuf_reset(path);
	strbuf_reset(container);
	strbuf_add(path, line->path, line->path_len);
	return container_of_cgroup(path->text, container);
}

int proc_parse_cgroup(const char *text, struct strbuf *path, struct strbuf *container)
{
	struct cgroup_line best = {.rank = 0}, line;

	while (*text) {
		const size_t len = strcspn(text, "\n");

		if (parse_cgroup_line(text, len, &line))
			return -EINVAL;
		if (set_cgroup(&line, path, container))
			line.rank += RANK_IN_CONTAINER;
		if (line.rank > best.rank)
			best = line;
		text += len + (text[len] == '\n');
	}
	if (!best.rank)
		return -EINVAL;
	set_cgroup(&best, path, container);
	return 0;
}

long proc_parse_syscall(const char *text)
{
	char *end;
	long call = strtol(text, &end, 10);

	return end == text || call < 0 ? DETAIL_CALL_NONE : call;
}

void proc_parse_wchan(const char *text, struct detail_wait *out)
{
	if (strcmp(text, "0") != 0)
		snprintf(out->place, sizeof out->place, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Reads the next range of a list of CPUs, "0-3,8", and moves *list past it. Returns false at the
 * end. */
static bool next_range(const char **list, int *first, int *last)
{
	const char *at = *list + strspn(*list, ",");
	char *end;

	*first = *last = (int)strtol(at, &end, 10);
	if (end == at)
		return false;
	if (*end == '-')
		*last = (int)strtol(end + 1, &end, 10);
	*list = end;
	return true;
}

void proc_parse_allowed(const char *text, struct detail_wait *out)
{
	static const char name[] = "\nCpus_allowed_list:\t";
	const char *list = strstr(text, name);
	int first, last;
	size_t len;

	if (!list)
		return;
	list += strlen(name);
	len = strcspn(list, "\n");
	if (!len || len >= sizeof out->allowed)
		return;
	snprintf(out->allowed, sizeof out->allowed, "%.*s", (int)len, list);
	list = out->allowed;
	out->n_allowed = 0;
	while (next_range(&list, &first, &last))
		out->n_allowed += last - first + 1;
}

static bool is_allowed(const struct detail_wait *w, int cpu)
{
	const char *list = w->allowed;
	int first, last;

	while (next_range(&list, &first, &last))
		if (cpu >= first && cpu <= last)
			return true;
	return false;
}

/* Columns at which the fields of a line begin. Fields cannot be split at blanks, which names
 * contain, too. */
enum { LIMIT_NAME = 0, LIMIT_SOFT = 26, LIMIT_HARD = 47, LIMIT_UNIT = 68 };

/* Copies a field of a line, without trailing blanks. */
static const char *limit_field(const char *line, size_t len, size_t from, size_t to,
			       struct arena *arena)
{
	char *field;

	to = to < len ? to : len;
	while (to > from && line[to - 1] == ' ')
		to--;
	if (to <= from)
		return "";
	field = arena_copy(arena, line + from, to - from + 1);
	field[to - from] = '\0';
	return field;
}

int proc_parse_limits(const char *text, struct detail *out)
{
	struct arena *arena = &out->limits_arena;
	struct detail_limit *limit;
	size_t n = 0;

	for (const char *p = text; *p; p++)
		n += *p == '\n';
	limit = arena_calloc(arena, n, sizeof *limit);
	out->limit = limit;
	out->n_limits = 0;
	/* Skips the line of headers. */
	for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line, '\n')) {
		const size_t len = strcspn(++line, "\n");

		if (len < LIMIT_UNIT || line[len] != '\n') {
			out->n_limits = 0;
			break;
		}
		limit[out->n_limits++] = (struct detail_limit){
			.name = limit_field(line, len, LIMIT_NAME, LIMIT_SOFT, arena),
			.soft = limit_field(line, len, LIMIT_SOFT, LIMIT_HARD, arena),
			.hard = limit_field(line, len, LIMIT_HARD, LIMIT_UNIT, arena),
			.unit = limit_field(line, len, LIMIT_UNIT, len, arena),
		};
	}
	return out->n_limits ? 0 : -EINVAL;
}

/* The columns after "cpu0". Later columns have the time of guests, which the first two include. */
static const enum cpu_state cpu_columns[] = {CPU_USER, CPU_NICE, CPU_SYSTEM, CPU_IDLE,
					     CPU_IDLE, CPU_IRQ,  CPU_IRQ,    CPU_STOLEN};

#define CPU_COLUMN_WAITING 4 /* iowait */

/* The oldest kernels have only this many columns. */
#define CPU_COLUMNS_MIN 4

static int parse_cpu(const char *line, struct cpu_ticks *out)
{
	char *end;
	size_t n = 0;

	*out = (struct cpu_ticks){.cpu = (int)strtol(line, &end, 10)};
	for (; n < sizeof cpu_columns / sizeof *cpu_columns; n++) {
		const char *column = end;
		const uint64_t ticks = strtoull(column, &end, 10);

		if (end == column)
			break;
		out->in[cpu_columns[n]] += ticks;
		if (n == CPU_COLUMN_WAITING)
			out->waiting = ticks;
	}
	return n < CPU_COLUMNS_MIN ? -EINVAL : 0;
}

int proc_parse_cpus(const char *text, struct machine_use *out, struct arena *arena)
{
	size_t n = 0;
	struct cpu_ticks *cpu;

	for (const char *p = text; (p = strstr(p, "\ncpu")); p++)
		n++;
	cpu = arena_calloc(arena, n, sizeof *cpu);
	out->cpu = cpu;
	out->n_cpus = 0;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++) {
		if (parse_cpu(p + strlen("\ncpu"), &cpu[out->n_cpus])) {
			out->n_cpus = 0;
			return -EINVAL;
		}
		if (out->n_cpus && cpu[out->n_cpus].cpu <= cpu[out->n_cpus - 1].cpu)
			break;
		out->n_cpus++;
	}
	return out->n_cpus ? 0 : -EINVAL;
}

void proc_parse_others(const char *text, uint64_t tick_ns, struct detail_wait *out)
{
	struct cpu_ticks cpu;
	uint64_t idle = 0;
	int n = 0;

	if (!out->n_allowed)
		return;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++) {
		if (parse_cpu(p + strlen("\ncpu"), &cpu))
			return;
		if (!is_allowed(out, cpu.cpu)) {
			idle += cpu.in[CPU_IDLE];
			n++;
		}
	}
	out->n_others = n;
	out->count[DETAIL_OTHER_IDLE_NS] = idle * tick_ns;
	out->known |= 1u << DETAIL_OTHER_IDLE_NS;
}

int proc_parse_memory(const char *text, struct memory_use *out)
{
	const struct {
		const char *key;
		uint64_t *to;
	} table[] = {
		{"MemTotal:", &out->total},         {"MemFree:", &out->free},
		{"MemAvailable:", &out->available}, {"SwapTotal:", &out->swap_total},
		{"SwapFree:", &out->swap_free},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (keyed_number(text, table[i].key, table[i].to))
			return -EINVAL;
	return 0;
}

/* Reads a number with digits behind a point, such as a load average, and moves *at behind it. */
static bool next_decimal(const char **at, double *value)
{
	uint64_t whole, digits = 0;
	double scale = 1;
	const char *p;

	if (!next_number(at, &whole) || **at != '.')
		return false;
	for (p = *at + 1; *p >= '0' && *p <= '9'; p++) {
		digits = digits * 10 + (uint64_t)(*p - '0');
		scale *= 10;
	}
	*value = ((double)whole * scale + (double)digits) / scale;
	*at = p;
	return true;
}

int proc_parse_loadavg(const char *text, struct host *host, int *last_pid)
{
	uint64_t running, threads, last;
	double load1, load5, load15;

	if (!next_decimal(&text, &load1) || !next_decimal(&text, &load5) ||
	    !next_decimal(&text, &load15) || !next_number(&text, &running) || *text++ != '/' ||
	    !next_number(&text, &threads) || !next_number(&text, &last))
		return -EINVAL;
	host->load1 = load1;
	host->load5 = load5;
	host->load15 = load15;
	host->n_running = (int)running;
	*last_pid = (int)last;
	return 0;
}
