/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/perf_name.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/perf/sys.h"

#define N_ROWS(table) (sizeof(table) / sizeof *(table))

/* ---- generic events ---- */

struct generic {
	const char *name;
	uint32_t type;
	uint64_t config;
};

static const struct generic generic_table[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};

#define READ     (1 << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITE    (1 << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCH (1 << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/* The caches. The name of a cache event is a name of this table and a name of access_table;
 * `operations` has the operations that the cache supports. */
static const struct {
	const char *name;
	unsigned int cache, operations;
} cache_table[] = {
	{"L1-dcache-", PERF_COUNT_HW_CACHE_L1D, READ | WRITE | PREFETCH},
	{"L1-icache-", PERF_COUNT_HW_CACHE_L1I, READ | PREFETCH},
	{"LLC-", PERF_COUNT_HW_CACHE_LL, READ | WRITE | PREFETCH},
	{"dTLB-", PERF_COUNT_HW_CACHE_DTLB, READ | WRITE | PREFETCH},
	{"iTLB-", PERF_COUNT_HW_CACHE_ITLB, READ},
	{"branch-", PERF_COUNT_HW_CACHE_BPU, READ},
	{"node-", PERF_COUNT_HW_CACHE_NODE, READ | WRITE | PREFETCH},
};

static const struct {
	const char *name;
	unsigned int operation, result;
} access_table[] = {
	{"loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS},
};

static bool find_named(const char *base, uint32_t *type, uint64_t *config)
{
	for (size_t i = 0; i < N_ROWS(generic_table); i++)
		if (!strcmp(generic_table[i].name, base)) {
			*type = generic_table[i].type;
			*config = generic_table[i].config;
			return true;
		}
	return false;
}

static bool find_cache(const char *base, uint32_t *type, uint64_t *config)
{
	for (size_t i = 0; i < N_ROWS(cache_table); i++) {
		size_t len = strlen(cache_table[i].name);

		if (strncmp(base, cache_table[i].name, len))
			continue;
		for (size_t k = 0; k < N_ROWS(access_table); k++)
			if (!strcmp(base + len, access_table[k].name) &&
			    (cache_table[i].operations >> access_table[k].operation & 1)) {
				*type = PERF_TYPE_HW_CACHE;
				*config = cache_table[i].cache | access_table[k].operation << 8 |
					  access_table[k].result << 16;
				return true;
			}
	}
	return false;
}

bool generic_find(const char *name, uint32_t *type, uint64_t *config)
{
	return find_named(name, type, config) || find_cache(name, type, config);
}

/* Returns whether two rows are names of one event; such rows are adjacent. */
static bool is_same(size_t a, size_t b)
{
	return a < N_ROWS(generic_table) && b < N_ROWS(generic_table) &&
	       generic_table[a].type == generic_table[b].type &&
	       generic_table[a].config == generic_table[b].config;
}

void generic_each(void (*visit)(void *context, const char *name, const char *also), void *context)
{
	for (size_t i = 0; i < N_ROWS(generic_table); i++)
		if (!is_same(i, i - 1))
			visit(context, generic_table[i].name,
			      is_same(i, i + 1) ? generic_table[i + 1].name : NULL);
	for (size_t i = 0; i < N_ROWS(cache_table); i++)
		for (size_t k = 0; k < N_ROWS(access_table); k++) {
			char *name = xasprintf("%s%s", cache_table[i].name, access_table[k].name);

			if (cache_table[i].operations >> access_table[k].operation & 1)
				visit(context, name, NULL);
			free(name);
		}
}

/* ---- spelling ---- */

#define MODES    "ukhGH"
#define PRECISE  "pP"
#define IGNORED  PRECISE "SDWe"
#define REFUSED  "IbR"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Modifiers that would change the count, and why they are not supported. */
static const struct {
	char letter;
	const char *why;
} refused_table[] = {
	{'I', "it leaves idle CPUs out, in which a task is not counted anyway"},
	{'b', "it makes perf count by a BPF program"},
	{'R', "it asks for the latency of retirement, which perf samples"},
};

static const struct {
	const char *name;
	const char *why; /* why the term is refused; NULL: it does not change the count */
} term_table[] = {
	{"period", NULL},
	{"freq", NULL},
	{"metric-id", NULL},
	{"percore", "it adds up the threads of a core, as 'tiptop system --group core' does"},
};

int event_spelling_check(const char *name, const char *modifiers, struct err *err)
{
	if (!modifiers[0] || modifiers[strspn(modifiers, MODES IGNORED REFUSED)])
		return err_set(err, EINVAL,
			       "'%s' is not a modifier of the event '%s': use u, k, h, G or H",
			       modifiers, name);
	for (size_t i = 0; i < N_ROWS(refused_table); i++)
		if (strchr(modifiers, refused_table[i].letter))
			return err_set(err, EINVAL,
				       "the modifier '%c' of the event '%s' is not supported: %s; "
				       "remove it",
				       refused_table[i].letter, name, refused_table[i].why);
	return 0;
}

size_t event_spelling_tail(const char *name)
{
	const char *slash = strrchr(name, '/'), *tail = strrchr(slash ? slash : name, ':');

	if (!tail && slash && slash != strchr(name, '/'))
		tail = slash;
	if (!tail || !tail[1] || tail[1 + strspn(tail + 1, MODES IGNORED REFUSED)])
		return strlen(name);
	return (size_t)(tail - name);
}

/* Appends an ignored term or modifier to s->ignored. */
static void note(struct event_spelling *s, const char *text, size_t len)
{
	if (s->ignored.len)
		strbuf_addstr(&s->ignored, ", ");
	strbuf_add(&s->ignored, text, len);
}

/* Returns whether a term, NAME or NAME=VALUE, has this name. */
static bool is_term(const char *term, size_t len, const char *name)
{
	const size_t n = strlen(name);

	return len >= n && !strncmp(term, name, n) && (len == n || term[n] == '=');
}

/* Parses a term that perf itself handles, such as name= or period=. Returns 1; 0: it is a term of
 * the PMU; -EINVAL: the term is refused. */
static int take_term(struct event_spelling *s, const char *term, size_t len, struct err *err)
{
	if (len > 5 && !strncmp(term, "name=", 5)) {
		free(s->label);
		s->label = xstrndup(term + 5, len - 5);
		return 1;
	}
	for (size_t i = 0; i < N_ROWS(term_table); i++) {
		if (!is_term(term, len, term_table[i].name))
			continue;
		if (term_table[i].why)
			return err_set(err, EINVAL, "the term '%.*s' is not supported: %s",
				       (int)len, term, term_table[i].why);
		note(s, term, len);
		return 1;
	}
	return 0;
}

/* Parses the terms that perf itself handles, and appends the terms of the PMU to `out`. */
static int read_terms(struct event_spelling *s, const char *terms, const char *end,
		      struct strbuf *out, struct err *err)
{
	for (size_t n; terms <= end; terms += n + 1) {
		const char *comma = memchr(terms, ',', (size_t)(end - terms));
		int ret;

		n = (size_t)((comma ? comma : end) - terms);
		ret = take_term(s, terms, n, err);
		if (ret < 0)
			return ret;
		if (!ret) {
			strbuf_addstr(out, out->len ? "," : "");
			strbuf_add(out, terms, n);
		}
	}
	return 0;
}

/* Converts "PMU/TERMS/MODIFIERS"; or "EVENT/TERMS/MODIFIERS", if perf itself handles all terms. */
static int read_path(struct event_spelling *s, const char *text, const char *slash, const char *end,
		     struct err *err)
{
	const char *modifiers = end + 1 + (end[1] == ':');
	struct strbuf terms;
	int ret;

	strbuf_init(&terms);
	ret = read_terms(s, slash + 1, end, &terms, err);
	if (!ret && !terms.len && (s->label || s->ignored.len)) {
		free(s->name);
		s->name = xasprintf("%.*s%s%s", (int)(slash - text), text, *modifiers ? ":" : "",
				    modifiers);
	} else if (!ret && (s->label || s->ignored.len)) {
		free(s->name);
		s->name = xasprintf("%.*s/%s%s", (int)(slash - text), text, terms.text, end);
	}
	strbuf_done(&terms);
	return ret;
}

/* Removes the modifiers that do not change the count. */
static void drop_modifiers(struct event_spelling *s)
{
	const size_t len = event_spelling_tail(s->name);
	char *to = s->name + len + 1;
	const bool vendor = !strchr(s->name, '/') && strcspn(s->name, CAPITALS ".") < len;
	const char *ignored = vendor ? PRECISE : IGNORED;

	if (!s->name[len])
		return;
	for (const char *at = to; *at;) {
		const size_t n = strspn(at, ignored);

		if (n)
			note(s, at, n);
		else
			*to++ = *at;
		at += n ? n : 1;
	}
	*to = '\0';
	if (to == s->name + len + 1 && s->name[len] == ':')
		s->name[len] = '\0';
}

int event_spelling_read(struct event_spelling *s, const char *text, struct err *err)
{
	const char *slash = strchr(text, '/'), *end = strrchr(text, '/');
	int ret = 0;

	*s = (struct event_spelling){.name = xstrdup(text)};
	strbuf_init(&s->ignored);
	if (slash != end)
		ret = read_path(s, text, slash, end, err);
	if (!ret)
		drop_modifiers(s);
	return ret;
}

void event_spelling_done(struct event_spelling *s)
{
	free(s->name);
	free(s->label);
	strbuf_done(&s->ignored);
}

void event_spelling_add_ignored(struct strbuf *out, const char *ignored)
{
	if (!out->len || !strstr(out->text, ignored))
		strbuf_addf(out, "%s%s", out->len ? ", " : "", ignored);
}

void event_spelling_collect_ignored(struct strbuf *out, const char *names)
{
	for (size_t len; *names; names += len + (names[len] == ';')) {
		struct event_spelling s;
		char *base;

		len = strcspn(names, ";");
		base = xstrndup(names, len);
		base[strcspn(base, "@")] = '\0';
		event_spelling_read(&s, base, NULL);
		if (s.ignored.len)
			event_spelling_add_ignored(out, s.ignored.text);
		event_spelling_done(&s);
		free(base);
	}
}

char *event_spelling_extend(const char *name, const char *modifiers)
{
	const size_t len = strlen(name), tail = event_spelling_tail(name);
	struct strbuf out;

	strbuf_init(&out);
	strbuf_addstr(&out, name);
	if (tail == len && len && name[len - 1] != '/')
		strbuf_addch(&out, ':');
	/* Do not add a mode that the name has already. */
	for (; *modifiers; modifiers++)
		if (!strchr(MODES, *modifiers) || !strchr(name + tail, *modifiers))
			strbuf_addch(&out, *modifiers);
	return out.text;
}
