/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/event_screen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/event/name.h"
#include "pmu/event/perf_name.h"
#include "pmu/event/table.h"

/* ---- event nature ----
 *
 * Derives the kind of an event from its name alone: this machine may not know the event.
 */

#define EVENT_MODIFIERS "ukhGH"
#define EVENT_PHASE_BIT 8

/* The kinds of events that matter for ratios. */
enum event_kind { EVENT_KIND_OTHER, EVENT_KIND_CORE, EVENT_KIND_INSTRUCTIONS, EVENT_KIND_CYCLES };

struct event_nature {
	enum event_kind kind;
	/* Bit i: the modifier EVENT_MODIFIERS[i]; from EVENT_PHASE_BIT on: the phase. */
	unsigned int modes;
};

#define DIGITS "0123456789"

/* Software events with the units of their counts; NULL: events. */
static const struct software {
	const char *name, *unit;
} software_table[] = {
	{"task-clock", "ns"},       {"cpu-clock", "ns"},
	{"page-faults", NULL},      {"faults", NULL},
	{"minor-faults", NULL},     {"major-faults", NULL},
	{"context-switches", NULL}, {"cs", NULL},
	{"cpu-migrations", NULL},   {"migrations", NULL},
	{"alignment-faults", NULL}, {"emulation-faults", NULL},
	{"cgroup-switches", NULL},
};

static const struct software *find_software(const char *name)
{
	for (size_t i = 0; i < sizeof software_table / sizeof *software_table; i++)
		if (!strcasecmp(software_table[i].name, name))
			return &software_table[i];
	return NULL;
}

/* Returns the unit of a software event, "ns"; NULL: it is a number of events. */
static const char *event_nature_unit(const char *name)
{
	const struct software *software = find_software(name);

	return software ? software->unit : NULL;
}

/* Removes modifiers and phase from a name, "cycles:u:k@hold" or "cpu/.../uk", and returns them as
 * event_nature.modes. */
static unsigned int cut_modifiers(char *name)
{
	enum event_phase phase;
	size_t len = event_name_phase(name, &phase), n;
	unsigned int modes = 0;
	char before;

	name[len] = '\0';
	modes |= (unsigned)phase << EVENT_PHASE_BIT;
	do {
		for (n = 0; n < len && strchr(EVENT_MODIFIERS, name[len - n - 1]); n++)
			;
		before = n && n < len ? name[len - n - 1] : '\0';
		if (before != ':' && before != '/')
			break;
		for (const char *c = name + len - n; *c; c++)
			modes |= 1u << (strchr(EVENT_MODIFIERS, *c) - EVENT_MODIFIERS);
		len -= n + (before == ':');
		name[len] = '\0';
	} while (before == ':');
	return modes;
}

/* Returns whether the PMU is a core PMU, by its names on x86, Power, s390 and Arm. */
static bool is_core_pmu(const char *path)
{
	return !strncmp(path, "cpu", 3) || !strncmp(path, "armv", 4) || !strncmp(path, "apple_", 6);
}

/* Returns whether the name is that of a tracepoint, "sched:sched_switch". Names of libpfm4 are
 * "PMU::EVENT", and have events in upper case. */
static bool is_tracepoint(const char *base)
{
	const char *colon = base + strspn(base, "abcdefghijklmnopqrstuvwxyz_" DIGITS);

	return *colon == ':' && colon[1] && !strchr(colon + 1, ':');
}

static enum event_kind kind_of(const char *base)
{
	if (strchr(base, '/'))
		return is_core_pmu(base) ? EVENT_KIND_CORE : EVENT_KIND_OTHER;
	if (is_tracepoint(base))
		return EVENT_KIND_OTHER;
	/* Bits 16 and 17 of a raw code on x86 select user and kernel mode. With only one of them,
	 * the event counts in other modes than its modifiers say. */
	if (!strncmp(base, "0x", 2) && (strtoull(base, NULL, 16) >> 16 & 3) % 3)
		return EVENT_KIND_OTHER;
	if (!strncasecmp(base, "perf::", 6)) /* name of libpfm4 for the PMU of generic events */
		base += 6;
	if (find_software(base) || !strncasecmp(base, "PERF_COUNT_SW_", 14))
		return EVENT_KIND_OTHER;
	if (!strcasecmp(base, "instructions"))
		return EVENT_KIND_INSTRUCTIONS;
	if (!strcasecmp(base, "cycles") || !strcasecmp(base, "cpu-cycles"))
		return EVENT_KIND_CYCLES;
	return EVENT_KIND_CORE;
}

/* Returns kind and modes of an event; EVENT_KIND_OTHER if its alternatives differ in them. */
static struct event_nature event_nature_of(const char *name)
{
	struct event_nature nature = {EVENT_KIND_OTHER, 0}, other;
	const char *list = name;
	char *next;

	for (size_t n = 0; (next = event_name_next(&list)); n++) {
		other.modes = cut_modifiers(next);
		other.kind = kind_of(next);
		free(next);
		if (n && (other.kind != nature.kind || other.modes != nature.modes))
			other.kind = EVENT_KIND_OTHER;
		nature = other;
	}
	return nature;
}

/* ---- event screen ---- */

#define BLANKS     " \t\n"
#define LETTERS    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define QUOTED_MAX 200 /* maximal length of the list in a sentence */

/* 13 digits are enough: 1000 cores of 4 GHz have fewer cycles in 2 s. */
#define COUNT_FORMAT "%13.0f"

/* An event of the list; repeated names are one event. */
struct list_event {
	const char *name, *alias; /* borrowed from its counter_decl */
	/* The name of the alternative that is counted here; without alternatives, or if choose()
	 * returned none, the whole name. */
	char *taken;
	char *label; /* the header of its column: from name=, else `taken` */
	struct event_nature nature;
};

struct reader {
	const char *list, *at;
	struct screen *screen;
	struct list_event *list_event;
	size_t n, cap;
	int group, n_groups; /* group: the number of the current group; 0: none, or a weak one */
	bool in_group;       /* between '{' and '}', also of a weak group */
	char *modifiers;     /* the modifiers after the current group; NULL: none */
	struct strbuf *ignored;
	event_screen_choose choose;
	void *context;
	struct err *err;
};

/* Reads an event in the syntax of perf: sets *name to its name in the syntax of pmu/event/name.h
 * with the phase of locks in which it counts ("@hold"), and *label to the name given by name=, or
 * NULL. Adds ignored parts to r->ignored. Alternatives, "A;B", become *name unchanged. */
static void read_spelling(const struct reader *r, const char *text, char **name, char **label)
{
	enum event_phase phase;
	const size_t len = event_name_phase(text, &phase);
	char *base = xstrndup(text, strchr(text, ';') ? 0 : len);
	struct event_spelling s;

	/* Errors are reported when the event is looked up. */
	event_spelling_read(&s, base, NULL);
	*name = *base ? xasprintf("%s%s", s.name, text + len) : xstrdup(text);
	*label = xstrdup_or_null(s.label);
	if (s.ignored.len && r->ignored)
		event_spelling_add_ignored(r->ignored, s.ignored.text);
	event_spelling_done(&s);
	free(base);
}

static bool alias_in_use(const struct reader *r, const char *alias)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->list_event[i].alias, alias))
			return true;
	/* A counter with this name would hide a variable. */
	for (int v = 0; v < n_variables; v++)
		if (!strcmp(variable_at(v).name, alias))
			return true;
	return false;
}

/* Makes an alias from the name of an event, with '_' for characters that are not allowed in
 * expressions: "LLC_load_misses". */
static char *make_alias(const struct reader *r, const char *name)
{
	struct strbuf alias;
	size_t len;

	strbuf_init(&alias);
	if (!strchr(LETTERS, name[0]))
		strbuf_addstr(&alias, "event_");
	for (; *name; name++) {
		if (strchr(LETTERS DIGITS, *name))
			strbuf_addch(&alias, *name);
		else if (alias.text[alias.len - 1] != '_' && name[strcspn(name, LETTERS DIGITS)])
			strbuf_addch(&alias, '_');
	}
	len = alias.len;
	for (int n = 2; alias_in_use(r, alias.text); n++) {
		alias.len = len;
		strbuf_addf(&alias, "_%d", n);
	}
	return alias.text;
}

static void declare(struct reader *r, const char *alias, const char *name)
{
	struct counter_decl *decl = screen_add_counter(r->screen, alias, NULL, NULL);

	decl->event = xstrdup(name);
	decl->join = r->group;
}

/* Adds an event that was listed before to the current group. */
static void join_group(struct reader *r, const struct list_event *a)
{
	for (size_t i = 0; i < r->screen->n_counters; i++) {
		struct counter_decl *decl = &r->screen->counter[i];

		if (strcmp(decl->alias, a->alias))
			continue;
		if (!decl->join)
			decl->join = r->group;
		if (!r->group || decl->join == r->group)
			return;
	}
	declare(r, a->alias, a->name);
}

static void add_event(struct reader *r, const char *name)
{
	const struct counter_decl *decl;
	char *alias, *taken, *spelled, *label;

	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->list_event[i].name, name)) {
			join_group(r, &r->list_event[i]);
			return;
		}
	read_spelling(r, name, &spelled, &label);
	alias = make_alias(r, label ? label : name);
	declare(r, alias, name);
	free(alias);
	decl = &r->screen->counter[r->screen->n_counters - 1];
	taken = r->choose && strchr(name, ';') ? r->choose(r->context, name) : NULL;
	taken = taken ? taken : xstrdup(name);
	r->list_event = xgrow(r->list_event, &r->cap, r->n + 1, sizeof *r->list_event);
	if (!label)
		label = xstrdup(taken);
	r->list_event[r->n++] =
		(struct list_event){decl->event, decl->alias, taken, label,
				    event_nature_of(strchr(name, ';') ? taken : spelled)};
	free(spelled);
}

static int refuse(const struct reader *r, const char *at, const char *fault)
{
	size_t len = strlen(r->list);

	return err_set(r->err, EINVAL, "column %zu of '%.*s%s': %s", (size_t)(at - r->list) + 1,
		       QUOTED_MAX, r->list, len > QUOTED_MAX ? "..." : "", fault);
}

/* Appends modifiers to the name of each alternative, before its phase. */
static void extend_all(char **names, const char *modifiers)
{
	const char *list = *names;
	struct strbuf all;
	char *name;

	strbuf_init(&all);
	while ((name = event_name_next(&list))) {
		enum event_phase phase;
		const size_t len = event_name_phase(name, &phase);
		char *base = xstrndup(name, len), *full = event_spelling_extend(base, modifiers);

		strbuf_addf(&all, "%s%s%s", all.len ? ";" : "", full, name + len);
		free(base);
		free(full);
		free(name);
	}
	free(*names);
	*names = all.text ? all.text : xstrdup("");
}

/* Reads an event, up to the next ',', '{' or '}' outside of '/.../'. */
static int read_event(struct reader *r)
{
	const char *begin = r->at + strspn(r->at, BLANKS), *end = begin, *slash;
	char *name;

	for (; *end && !strchr(",{}", *end); end++) {
		slash = *end == '/' ? strchr(end + 1, '/') : end;
		if (!slash)
			return refuse(r, end,
				      "the second '/' is missing: an event of a PMU is written "
				      "PMU/EVENT/");
		end = slash;
	}
	if (*end == '{')
		return refuse(r, end,
			      r->in_group
				      ? "a group cannot be inside another one: write {a,b},{c,d}"
				      : "a '{' cannot be inside a name: put a ',' before it");
	if (*end == '}' && !r->in_group)
		return refuse(r, end, "the '}' has no '{': a group is written {a,b}");
	r->at = end;
	while (end > begin && strchr(BLANKS, end[-1]))
		end--;
	if (end == begin)
		return refuse(r, r->at,
			      "a name is missing: events are written a,b and a group {a,b}");
	name = xstrndup(begin, (size_t)(end - begin));
	if (r->modifiers)
		extend_all(&name, r->modifiers);
	add_event(r, name);
	free(name);
	return 0;
}

/* Returns the '}' of a group, outside of '/.../'; NULL: none. */
static const char *find_close(const char *at)
{
	bool inside = false;

	for (; *at && (inside || *at != '}'); at++)
		inside ^= *at == '/';
	return *at ? at : NULL;
}

static int check_modifiers(const struct reader *r, const char *open, const char *end)
{
	char *group = xstrndup(open, (size_t)(end - open));
	int ret = event_spelling_check(group, r->modifiers, r->err);

	free(group);
	return ret ? err_prefix(r->err, "column %zu of '%s'", (size_t)(end - r->list) + 2, r->list)
		   : 0;
}

/* Begins a group: looks ahead for the modifiers after its '}', which apply to each of its events.
 * The events of a weak group, "{a,b}:W", are counted without a group. */
static int take_modifiers(struct reader *r, const char *open)
{
	const char *close = find_close(open), *at = close ? close + 1 : NULL;
	char *to;

	r->group = ++r->n_groups;
	if (!at || *at != ':')
		return 0;
	to = r->modifiers = xstrndup(at + 1, strspn(at + 1, LETTERS));
	if (check_modifiers(r, open, at))
		return -EINVAL;
	if (strchr(r->modifiers, 'W'))
		r->group = 0;
	for (const char *from = r->modifiers; *from; from++)
		if (*from != 'W')
			*to++ = *from;
	*to = '\0';
	if (!*r->modifiers) {
		free(r->modifiers);
		r->modifiers = NULL;
	}
	return 0;
}

static int read_events(struct reader *r)
{
	const char *open = r->at;
	int ret;

	do {
		r->at++;
		ret = read_event(r);
	} while (!ret && *r->at == ',');
	if (!ret && *r->at != '}')
		return refuse(r, open, "the '{' has no '}': a group is written {a,b}");
	if (!ret && *++r->at == ':')
		r->at += 1 + strspn(r->at + 1, LETTERS);
	if (!ret)
		r->at += strspn(r->at, BLANKS);
	if (!ret && *r->at && *r->at != ',')
		return refuse(r, r->at, "a ',' is missing after the group");
	return ret;
}

static int read_group(struct reader *r)
{
	int ret = take_modifiers(r, r->at);

	r->in_group = true;
	ret = ret ? ret : read_events(r);
	r->in_group = false;
	r->group = 0;
	free(r->modifiers);
	r->modifiers = NULL;
	return ret;
}

/* Skips the name of a group in the syntax of perf: "NAME{a,b}". */
static int skip_group_name(struct reader *r)
{
	const size_t len = strspn(r->at, LETTERS DIGITS "_-");
	const char *end = r->at + len;
	char *name;

	if (len && !strncmp(end, ":{", 2))
		return refuse(r, end, "write the name of a group before its '{' without a ':'");
	if (!len || *end != '{')
		return 0;
	name = xasprintf("%.*s{}", (int)len, r->at);
	if (r->ignored)
		event_spelling_add_ignored(r->ignored, name);
	free(name);
	r->at = end;
	return 0;
}

static int read_list(struct reader *r)
{
	int ret;

	for (;; r->at++) {
		r->at += strspn(r->at, BLANKS);
		ret = skip_group_name(r);
		if (ret)
			return ret;
		ret = *r->at == '{' ? read_group(r) : read_event(r);
		if (ret || !*r->at)
			return ret;
	}
}

/* Returns the name, cut in the middle if it is too long for a header: the beginning of its PMU and
 * its modifiers stay. */
static char *cut_name(const char *name)
{
	size_t len = strlen(name), half = (EVENT_HEADER_MAX - 2) / 2;

	if (len <= EVENT_HEADER_MAX)
		return xstrdup(name);
	return xasprintf("%.*s..%s", (int)half, name, name + len - half);
}

static char *make_header(const struct reader *r, size_t i)
{
	char *header = cut_name(r->list_event[i].label);
	bool same = false;

	for (size_t k = 0; k < r->n && !same; k++) {
		char *other = cut_name(r->list_event[k].label);

		same = k != i && !strcmp(header, other);
		free(other);
	}
	if (same) {
		free(header);
		header = xstrdup(r->list_event[i].name);
	}
	return header;
}

static void add_count(struct reader *r, size_t i)
{
	const struct list_event *a = &r->list_event[i];
	const char *unit = event_nature_unit(a->taken);
	char *header = make_header(r, i), *text = xasprintf("delta(%s)", a->alias);
	char *desc = xasprintf("%s since the last refresh%s%s%s", a->name, unit ? " (" : "",
			       unit ? unit : "", unit ? ")" : "");

	screen_add_column(r->screen, header, COUNT_FORMAT, desc, text);
	free(header);
	free(text);
	free(desc);
}

/* Returns the first event of this kind that is counted in these modes; NULL: none. */
static const struct list_event *find_nature(const struct reader *r, enum event_kind kind,
					    unsigned int modes)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->list_event[i].nature.kind == kind && r->list_event[i].nature.modes == modes)
			return &r->list_event[i];
	return NULL;
}

/* Adds the column IPC = instructions / cycles, if the list has cycles in the same modes. If several
 * events are cycles, the first one is used. */
static void add_ipc(struct reader *r, const struct list_event *instructions)
{
	const struct list_event *cycles =
		find_nature(r, EVENT_KIND_CYCLES, instructions->nature.modes);
	const unsigned modes = instructions->nature.modes;
	const char *phase = modes >> EVENT_PHASE_BIT ? strrchr(instructions->taken, '@') : NULL;
	struct strbuf header;
	char *text;

	if (!cycles)
		return;
	strbuf_init(&header);
	strbuf_addstr(&header, modes % (1 << EVENT_PHASE_BIT) ? "IPC:" : "IPC");
	for (size_t i = 0; EVENT_MODIFIERS[i]; i++)
		if (modes >> i & 1)
			strbuf_addch(&header, EVENT_MODIFIERS[i]);
	strbuf_addstr(&header, phase ? phase : "");
	text = xasprintf("delta(%s) / delta(%s)", instructions->alias, cycles->alias);
	screen_add_column(r->screen, header.text, " %4.2f", "Retired instructions (per cycle)",
			  text);
	strbuf_done(&header);
	free(text);
}

/* Adds the column 1000 x events / instructions (MPKI for misses), if the list has instructions in
 * the same modes. */
static void add_per_1000(struct reader *r, size_t i)
{
	const struct list_event *a = &r->list_event[i];
	const struct list_event *instructions =
		find_nature(r, EVENT_KIND_INSTRUCTIONS, a->nature.modes);
	char *name, *header, *desc, *text;

	if (a->nature.kind != EVENT_KIND_CORE || !instructions)
		return;
	name = make_header(r, i);
	header = xasprintf("%s/KI", name);
	desc = xasprintf("%s (per 1000 %s)", a->name, instructions->name);
	text = xasprintf("1000 * delta(%s) / delta(%s)", a->alias, instructions->alias);
	screen_add_column(r->screen, header, "%8.3f", desc, text);
	free(name);
	free(header);
	free(desc);
	free(text);
}

static void add_columns(struct reader *r)
{
	screen_add_column(r->screen, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	for (size_t i = 0; i < r->n; i++)
		add_count(r, i);
	for (size_t i = 0; i < r->n; i++)
		if (find_nature(r, EVENT_KIND_INSTRUCTIONS, r->list_event[i].nature.modes) ==
		    &r->list_event[i])
			add_ipc(r, &r->list_event[i]);
	for (size_t i = 0; i < r->n; i++)
		add_per_1000(r, i);
}

int event_screen_new(struct screen **out, const char *list, event_screen_choose choose,
		     void *context, struct strbuf *ignored, struct err *err)
{
	struct reader r = {.list = list,
			   .at = list,
			   .choose = choose,
			   .context = context,
			   .ignored = ignored,
			   .err = err};
	int ret;

	r.screen = screen_new(EVENT_SCREEN_NAME, "Counts of the events of -e, and their ratios");
	r.screen->file = xstrdup("-e");
	ret = read_list(&r);
	if (!ret)
		add_columns(&r);
	for (size_t i = 0; i < r.n; i++)
		free(r.list_event[i].taken), free(r.list_event[i].label);
	free(r.list_event);
	if (ret)
		screen_free(r.screen);
	else
		*out = r.screen;
	return ret;
}
