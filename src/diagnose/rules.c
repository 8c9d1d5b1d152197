/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/rules.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/suggestion.h"
#include "model/fact_list.h"
#include "screen/compile.h"
#include "screen/screen.h"

/* ---- seen evidence ---- */

/* Counters that become evidence. scale: the factor from increments per second to the unit of the
 * evidence. */
static const struct {
	enum detail_count count;
	enum evidence evidence;
	double scale;
} growing[] = {
	{DETAIL_QUEUE_NS, EVIDENCE_QUEUE, 1e-7},
	{DETAIL_SWITCHES, EVIDENCE_SWITCHES, 1},
	{DETAIL_MINFLT, EVIDENCE_MINOR, 1},
	{DETAIL_MAJFLT, EVIDENCE_MAJOR, 1},
	{DETAIL_THROTTLED_NS, EVIDENCE_THROTTLED, 1e-6},
	{DETAIL_CPU_PRESSURE_NS, EVIDENCE_CPU_PRESSURE, 1e-7},
	{DETAIL_IO_PRESSURE_NS, EVIDENCE_IO_PRESSURE, 1e-7},
	{DETAIL_MEMORY_PRESSURE_NS, EVIDENCE_MEMORY_PRESSURE, 1e-7},
	{DETAIL_OTHER_IDLE_NS, EVIDENCE_OTHER_IDLE, 1e-7},
};

/* System calls of 32-bit tasks that take 64-bit times. On most architectures, these are the
 * numbers, and no 64-bit task has calls with them. */
enum {
	CALL_CLOCK_NANOSLEEP_TIME64 = 407,
	CALL_PSELECT6_TIME64 = 413,
	CALL_PPOLL_TIME64 = 414,
	CALL_FUTEX_TIME64 = 422,
};

/* System calls that show the reason of a wait. Older calls, such as poll(2), do not exist on all
 * architectures and are not listed. */
static const struct {
	long call;
	enum evidence evidence;
} calls[] = {
	{SYS_futex, EVIDENCE_IN_LOCK},
	{CALL_FUTEX_TIME64, EVIDENCE_IN_LOCK},
	{SYS_nanosleep, EVIDENCE_IN_TIMER},
	{SYS_clock_nanosleep, EVIDENCE_IN_TIMER},
	{CALL_CLOCK_NANOSLEEP_TIME64, EVIDENCE_IN_TIMER},
	{SYS_ppoll, EVIDENCE_IN_POLL},
	{CALL_PPOLL_TIME64, EVIDENCE_IN_POLL},
	{SYS_pselect6, EVIDENCE_IN_POLL},
	{CALL_PSELECT6_TIME64, EVIDENCE_IN_POLL},
	{SYS_epoll_pwait, EVIDENCE_IN_POLL},
	{SYS_wait4, EVIDENCE_IN_CHILD},
	{SYS_waitid, EVIDENCE_IN_CHILD},
	{SYS_fsync, EVIDENCE_IN_DEVICE},
	{SYS_fdatasync, EVIDENCE_IN_DEVICE},
};

/* Parts of the names of kernel functions, from Linux 4 to 6. */
static const struct {
	const char *part;
	enum evidence evidence;
} places[] = {
	{"futex", EVIDENCE_IN_LOCK},          {"pipe", EVIDENCE_IN_PIPE},
	{"nanosleep", EVIDENCE_IN_TIMER},     {"poll_schedule", EVIDENCE_IN_POLL},
	{"do_select", EVIDENCE_IN_POLL},      {"do_sys_poll", EVIDENCE_IN_POLL},
	{"ep_poll", EVIDENCE_IN_POLL},        {"do_wait", EVIDENCE_IN_CHILD},
	{"kernel_wait", EVIDENCE_IN_CHILD},   {"unix_stream", EVIDENCE_IN_SOCKET},
	{"skb_", EVIDENCE_IN_SOCKET},         {"inet_csk", EVIDENCE_IN_SOCKET},
	{"sk_wait", EVIDENCE_IN_SOCKET},      {"sk_stream", EVIDENCE_IN_SOCKET},
	{"io_schedule", EVIDENCE_IN_DEVICE},  {"folio_wait", EVIDENCE_IN_DEVICE},
	{"wait_on_page", EVIDENCE_IN_DEVICE}, {"bit_wait_io", EVIDENCE_IN_DEVICE},
	{"jbd2", EVIDENCE_IN_DEVICE},
};

/* Returns the kind of wait in which the task sleeps; N_EVIDENCE: unknown or another kind. */
static enum evidence place_of(const struct detail_wait *w)
{
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (w->call == calls[i].call)
			return calls[i].evidence;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strstr(w->place, places[i].part))
			return places[i].evidence;
	return N_EVIDENCE;
}

/* Returns whether the task is frozen. Under the freezer of cgroup v1, tasks sleep in
 * __refrigerator(). Under that of v2, they sleep in a function that also handles signals, so
 * w->frozen has to show it. */
static bool is_frozen(const struct detail_wait *w)
{
	return w->frozen || strstr(w->place, "refrigerator");
}

static void take_place(struct value out[N_EVIDENCE], const struct detail *now)
{
	const struct detail_wait *w = &now->wait;
	enum evidence place = is_frozen(w) ? EVIDENCE_FROZEN : place_of(w);

	/* A task that waits for its child in vfork(2), or in clone(2) with CLONE_VFORK, is in this
	 * state, too. */
	if (now->state == 'D' && place == N_EVIDENCE)
		place = strstr(w->place, "vfork") || strstr(w->place, "kernel_clone")
				? EVIDENCE_IN_CHILD
				: EVIDENCE_IN_DEVICE;

	/* Neither the system call nor the kernel function could be read. */
	if (place == N_EVIDENCE && w->call == DETAIL_CALL_UNKNOWN && !w->place[0])
		return;
	for (int i = EVIDENCE_IN_DEVICE; i <= EVIDENCE_FROZEN; i++)
		out[i] = value_exact(i == (int)place);
}

/* Sets the number of CPUs on which the task may and may not run. */
static void take_cpus(struct value out[N_EVIDENCE], const struct detail_wait *w)
{
	if (!(w->known & 1u << DETAIL_OTHER_IDLE_NS))
		return;
	out[EVIDENCE_ALLOWED_CPUS] = value_exact(w->n_allowed);
	out[EVIDENCE_OTHER_CPUS] = value_exact(w->n_others);
}

/* Returns whether two readings of a counter can be compared. Idle times of other CPUs can be
 * compared only if both readings have the same set of CPUs. */
static bool is_comparable(const struct detail_wait *before, const struct detail_wait *now,
			  enum detail_count c)
{
	return c != DETAIL_OTHER_IDLE_NS ||
	       (before->n_others == now->n_others && !strcmp(before->allowed, now->allowed));
}

/* Limits the wait for CPUs to the whole interval for each thread: the kernel accounts a wait when
 * it ends, though it may have begun before the interval. */
static void bound_queue(struct value out[N_EVIDENCE])
{
	const struct value threads = out[EVIDENCE_THREADS], queue = out[EVIDENCE_QUEUE];

	if (value_known(threads) && value_known(queue) && queue.number > 101 * threads.number)
		out[EVIDENCE_QUEUE] = (struct value){100 * threads.number, 1, QUALITY_UNEQUAL, 0};
}

static void clear(struct value evidence[N_EVIDENCE])
{
	for (int i = 0; i < N_EVIDENCE; i++)
		evidence[i] = value_none(QUALITY_NOT_READ);
}

void evidence_read(struct value out[N_EVIDENCE], const struct detail_wait *before,
		   const struct detail *now)
{
	const struct detail_wait *w = &now->wait;
	double seconds;

	clear(out);
	if (now->error || !w->mono_ns)
		return;
	if (fact_in(now->known, FACT_NUM_THREADS))
		out[EVIDENCE_THREADS] = value_exact((double)now->fact[FACT_NUM_THREADS]);
	take_place(out, now);
	take_cpus(out, w);
	if (!before->mono_ns || before->mono_ns >= w->mono_ns)
		return;
	seconds = (double)(w->mono_ns - before->mono_ns) / 1e9;
	for (size_t i = 0; i < sizeof growing / sizeof *growing; i++) {
		const enum detail_count c = growing[i].count;

		/* A count falls if a thread ends, as the count of this thread is then missing. */
		if (w->known & before->known & 1u << c && w->count[c] >= before->count[c] &&
		    is_comparable(before, w, c))
			out[growing[i].evidence] =
				value_exact((double)(w->count[c] - before->count[c]) / seconds *
					    growing[i].scale);
	}
	bound_queue(out);
}

/* ---- evidence ---- */

static const char *const names[N_EVIDENCE] = {
	[EVIDENCE_CPU_MS] = "cpu-ms",
	[EVIDENCE_ASLEEP] = "asleep",
	[EVIDENCE_QUEUE_EARLIER] = "queue-earlier",
	[EVIDENCE_THREADS] = "threads",
	[EVIDENCE_QUEUE] = "queue",
	[EVIDENCE_SWITCHES] = "switches",
	[EVIDENCE_MINOR] = "minor",
	[EVIDENCE_MAJOR] = "major",
	[EVIDENCE_THROTTLED] = "throttled",
	[EVIDENCE_CPU_PRESSURE] = "cpu-pressure",
	[EVIDENCE_IO_PRESSURE] = "io-pressure",
	[EVIDENCE_MEMORY_PRESSURE] = "memory-pressure",
	[EVIDENCE_ALLOWED_CPUS] = "allowed-cpus",
	[EVIDENCE_OTHER_CPUS] = "other-cpus",
	[EVIDENCE_OTHER_IDLE] = "other-idle",
	[EVIDENCE_IN_DEVICE] = "in-device",
	[EVIDENCE_IN_LOCK] = "in-lock",
	[EVIDENCE_IN_PIPE] = "in-pipe",
	[EVIDENCE_IN_SOCKET] = "in-socket",
	[EVIDENCE_IN_TIMER] = "in-timer",
	[EVIDENCE_IN_POLL] = "in-poll",
	[EVIDENCE_IN_CHILD] = "in-child",
	[EVIDENCE_FROZEN] = "frozen",
};

/* Returns the evidence with this name; -1: none. */
static int evidence_find(const char *name)
{
	for (int i = 0; i < N_EVIDENCE; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* ---- rules ---- */

/* ---- template ----
 *
 * Texts with numbers in them.
 *
 *   {queue}                   the number of the metric "queue", in the format of this metric
 *   {1.33 / ipc}              the result of an expression, without decimals
 *   {misses * ipc:%.1f}       the result of an expression, in this format
 *   {pid}                     the pid of the task
 *   {event:branch_misses}     the event that this metric counts on this CPU
 */

#define EVENT "event:"

static struct piece *add(struct template *t, enum piece_kind kind, const char *text, size_t len)
{
	struct piece *p;

	t->piece = xgrow(t->piece, &t->cap, t->n + 1, sizeof *t->piece);
	p = &t->piece[t->n++];
	*p = (struct piece){.kind = kind, .text = xstrndup(text, len)};
	return p;
}

static size_t rules_find_metric(const struct rules *r, const char *name, size_t len);

/* Adds a number. text: an expression, and possibly ":" and a format. */
static int add_number(struct template *t, const char *text, const struct rules *r, struct err *err)
{
	const char *colon = strstr(text, ":%");
	const size_t len = colon ? (size_t)(colon - text) : strlen(text);
	const size_t metric = rules_find_metric(r, text, len);
	const char *format = colon                   ? colon + 1
			     : metric < r->n_metrics ? r->metric[metric].row->format
						     : "%.0f";
	struct column_format shape;
	char *expression;
	int ret = column_format_read(format, &shape, err);

	if (ret || shape.conversion == 's' || shape.conversion == 'h')
		return ret ? ret : err_set(err, EINVAL, "'%s' is not a format of a number", format);
	expression = xstrndup(text, len);
	ret = condition_compile(&add(t, PIECE_NUMBER, format, strlen(format))->number, expression,
				r->metrics, err);
	free(expression);
	return ret;
}

static int add_braced(struct template *t, const char *text, const struct rules *r, struct err *err)
{
	size_t metric;

	if (!strcmp(text, "pid")) {
		add(t, PIECE_PID, "", 0);
		return 0;
	}
	if (strncmp(text, EVENT, strlen(EVENT)) != 0)
		return add_number(t, text, r, err);
	text += strlen(EVENT);
	metric = rules_find_metric(r, text, strlen(text));
	if (metric == r->n_metrics)
		return err_set(err, ENOENT, "'%s' is not a metric", text);
	add(t, PIECE_EVENT, "", 0)->metric = metric;
	return 0;
}

static int template_read(struct template *t, const char *text, const struct rules *r,
			 struct err *err)
{
	int ret = 0;

	while (*text && !ret) {
		size_t n = strcspn(text, "{");
		const char *end = strchr(text, '}');
		char *braced;

		if (n) {
			add(t, PIECE_TEXT, text, n);
			text += n;
			continue;
		}
		if (!end)
			return err_set(err, EINVAL, "'}' is missing after '%s'", text);
		braced = xstrndup(text + 1, (size_t)(end - text) - 1);
		ret = add_braced(t, braced, r, err);
		free(braced);
		text = end + 1;
	}
	return ret;
}

static void template_done(struct template *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->piece[i].text);
		condition_free(t->piece[i].number);
	}
	free(t->piece);
	*t = (struct template){.n = 0};
}

void template_each(const struct template *t, void (*visit)(void *context, struct condition *c),
		   void *context)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->piece[i].number)
			visit(context, t->piece[i].number);
}

/* ---- rules ---- */

/* The state of the compiler. report() is called for each error. */
struct compiler {
	struct rules *rules;
	const struct rules_machine *machine;
	void (*report)(void *context, const struct err *err);
	void *context;
};

/* Returns the index of the metric with this name; n_metrics: none. */
static size_t rules_find_metric(const struct rules *r, const char *name, size_t len)
{
	size_t i = 0;

	while (i < r->n_metrics && (strlen(r->metric[i].row->name) != len ||
				    memcmp(r->metric[i].row->name, name, len) != 0))
		i++;
	return i;
}

size_t rules_find_evidence(const struct rules *r, enum evidence evidence)
{
	size_t i = 0;

	while (i < r->n_metrics && r->metric[i].evidence != (int)evidence)
		i++;
	return i;
}

static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

/* Compiles a copy of the user's screen of this name; NULL: there is none, or it has no valid
 * column. */
static struct screen *compile_user_screen(const struct rules_machine *machine, const char *name)
{
	const struct screen_list *own = machine ? machine->screens : NULL;
	struct screen *screen = NULL;

	for (size_t i = 0; own && i < own->n && !screen; i++)
		if (!strcmp(own->v[i]->name, name))
			screen = screen_copy(own->v[i]);
	if (screen && screen_compile(screen, pass_over, NULL, NULL)) {
		screen_free(screen);
		return NULL;
	}
	return screen;
}

/* Finds a screen among those in use, or adds it. Returns false if it does not exist. */
static bool find_screen(struct compiler *c, const char *name, size_t *found)
{
	struct rules *r = c->rules;
	struct screen *own;

	for (*found = 0; *found < r->screens.n; ++*found)
		if (!strcmp(r->screens.v[*found]->name, name))
			return true;
	own = compile_user_screen(c->machine, name);
	if (own) {
		screen_list_add(&r->screens, own);
		return true;
	}
	for (size_t i = 0; i < screen_built_in_n; i++)
		if (!strcmp(screen_built_in[i].name, name)) {
			screen_list_add_built_in(&r->screens, i, i + 1);
			return !screen_compile(r->screens.v[*found], pass_over, NULL, NULL);
		}
	return false;
}

static int refuse_screen(const struct rules *r, const char *name, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (size_t i = 0; i < screen_built_in_n; i++)
		suggestion_offer(&near, screen_built_in[i].name);
	for (size_t i = 0; i < r->screens.n; i++)
		suggestion_offer(&near, r->screens.v[i]->name);
	return err_set(err, ENOENT, "there is no screen '%s'%s", name, suggestion_text(&near));
}

static int refuse_column(const struct screen *s, const char *name, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (size_t i = 0; i < s->n_columns; i++)
		suggestion_offer(&near, s->column[i].id);
	return err_set(err, ENOENT, "the screen '%s' has no column '%s'%s", s->name, name,
		       suggestion_text(&near));
}

/* Adds all columns with this id as sources, as it depends on the row which of the columns has
 * events. */
static int add_sources(struct compiler *c, struct metric *m, const struct metric_from *from,
		       struct err *err)
{
	const struct rules *r = c->rules;
	const size_t before = m->n_sources;
	double times = 1;
	size_t s;

	if (from->times && num_parse_double(from->times, "times", -DBL_MAX, DBL_MAX, &times, err))
		return -EINVAL;
	if (!find_screen(c, from->screen, &s))
		return refuse_screen(r, from->screen, err);
	for (size_t i = 0; i < r->screens.v[s]->n_columns; i++) {
		if (strcmp(r->screens.v[s]->column[i].id, from->column) != 0)
			continue;
		m->source = xgrow(m->source, &m->cap, m->n_sources + 1, sizeof *m->source);
		m->source[m->n_sources++] = (struct metric_source){s, i, times};
	}
	return m->n_sources > before ? 0 : refuse_column(r->screens.v[s], from->column, err);
}

static int fill_metric(struct compiler *c, struct metric *m, struct err *err)
{
	const struct metric_row *row = m->row;
	const struct rules_machine *machine = c->machine;
	int ret = 0;

	m->evidence = row->look ? evidence_find(row->look) : -1;
	if (row->look && m->evidence < 0)
		return err_set(err, ENOENT, "there is no evidence '%s'", row->look);
	for (size_t i = 0; i < row->n_from && !ret; i++)
		if (!machine || !machine->fits ||
		    machine->fits(machine->context, row->from[i].arch, row->from[i].model))
			ret = add_sources(c, m, &row->from[i], err);
	return ret;
}

static void complain(const struct compiler *c, const char *what, const char *name,
		     const char *place, struct err *err)
{
	err_prefix(err, "<%s '%s'>", what, name);
	if (place)
		err_prefix(err, "%s", place);
	c->report(c->context, err);
}

/* A placeholder, as each column must have an expression: for metrics that are not computed from
 * variables. */
#define NO_EXPRESSION "0"

static struct column *add_column(struct screen *screen, const struct metric_row *row)
{
	struct column *c = screen_add_column(screen, row->name, row->format, row->desc,
					     row->expr ? row->expr : NO_EXPRESSION);

	screen_give_id(c, row->name);
	return c;
}

static void take_fault(void *context, int line, const struct err *fault)
{
	struct err *err = context;

	(void)line;
	if (!err->code)
		*err = *fault;
}

/* Checks that format and expression of a metric are those of a number. */
static int check_metric(const struct metric_row *row, struct err *err)
{
	struct screen *alone = screen_new("metric", "");
	struct err fault = ERR_INIT;

	add_column(alone, row);
	screen_compile(alone, take_fault, &fault, NULL);
	if (!fault.code && screen_column_is_text(&alone->column[0]))
		err_set(&fault, EINVAL, "it is a text, not a number");
	screen_free(alone);
	return fault.code ? err_set(err, fault.code, "%s", fault.text) : 0;
}

/* The metrics to compile: of several with the same name, the last one. */
struct metric_rows {
	const struct metric_row **v;
	size_t n, cap;
};

static void take_metric(struct compiler *c, struct metric_rows *rows, const struct metric_row *row)
{
	struct err err = ERR_INIT;
	size_t i = 0;

	if (row->place && check_metric(row, &err)) {
		complain(c, "metric", row->name, row->place, &err);
		return;
	}
	while (i < rows->n && strcmp(rows->v[i]->name, row->name))
		i++;
	if (i == rows->n) {
		rows->v = xgrow(rows->v, &rows->cap, rows->n + 1, sizeof(struct metric_row *));
		rows->n++;
	}
	rows->v[i] = row;
}

static void add_metric(struct compiler *c, const struct metric_row *row)
{
	struct rules *r = c->rules;
	struct err err = ERR_INIT;
	struct metric *m;

	r->metric = xgrow(r->metric, &r->cap_metrics, r->n_metrics + 1, sizeof *r->metric);
	m = &r->metric[r->n_metrics++];
	*m = (struct metric){.row = row};
	if (fill_metric(c, m, &err))
		complain(c, "metric", row->name, row->place, &err);
	add_column(r->metrics, row);
}

static void add_metrics(struct compiler *c, const struct verdict_table *const *table, size_t n)
{
	struct metric_rows rows = {.n = 0};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < table[i]->n_metrics; k++)
			take_metric(c, &rows, &table[i]->metric[k]);
	for (size_t i = 0; i < rows.n; i++)
		add_metric(c, rows.v[i]);
	free(rows.v);
}

static int compile_texts(struct rule *rule, const struct rules *r, struct err *err)
{
	const struct verdict_row *row = rule->row;
	int ret = template_read(&rule->says, row->says, r, err);

	rule->run = xcalloc(row->n_next, sizeof *rule->run);
	rule->why = xcalloc(row->n_next, sizeof *rule->why);
	for (size_t i = 0; i < row->n_next && !ret; i++) {
		ret = template_read(&rule->run[i], row->next[i].run, r, err);
		if (!ret)
			ret = template_read(&rule->why[i], row->next[i].why, r, err);
	}
	return ret;
}

static uint64_t metric_bits(const size_t *metric, size_t n)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < n; i++)
		bits |= metric[i] < 64 ? 1ull << metric[i] : 0;
	return bits;
}

/* Compiles names of metrics, separated by ';'. */
static int compile_without(struct rule *rule, const struct rules *r, struct err *err)
{
	const char *name = rule->row->without ? rule->row->without : "";

	rule->without = xcalloc(strlen(name) + 1, sizeof *rule->without);
	for (size_t len; *name; name += len + (name[len] == ';')) {
		size_t i;

		len = strcspn(name, ";");
		i = rules_find_metric(r, name, len);
		if (i == r->n_metrics)
			return err_set(err, ENOENT, "without: '%.*s' is not a metric", (int)len,
				       name);
		rule->without[rule->n_without++] = i;
	}
	rule->without_bits = metric_bits(rule->without, rule->n_without);
	return 0;
}

static void find_names(struct rule *rule, const struct rules *r)
{
	rule->name = xcalloc(r->n_metrics, sizeof *rule->name);
	rule->need = xcalloc(r->n_metrics, sizeof *rule->need);
	for (size_t i = 0; i < r->n_metrics; i++) {
		if (condition_names(rule->when, i))
			rule->name[rule->n_names++] = i;
		if (condition_needs(rule->when, i))
			rule->need[rule->n_need++] = i;
	}
	rule->need_bits = metric_bits(rule->need, rule->n_need);
}

static int compile_rule(struct rule *rule, const struct rules *r, struct err *err)
{
	const struct verdict_row *row = rule->row;

	if (condition_compile(&rule->when, row->when, r->metrics, err))
		return err_prefix(err, "when");
	rule->all_limits = condition_limits(rule->when, rule->limit, LIMITS_MAX, &rule->n_limits);
	find_names(rule, r);
	if (condition_compile(&rule->rank, row->rank, r->metrics, err))
		return err_prefix(err, "rank");
	if (compile_without(rule, r, err))
		return -ENOENT;
	if (strcmp(row->sure, "sure") && strcmp(row->sure, "likely") && strcmp(row->sure, "maybe"))
		return err_set(err, EINVAL, "sure: '%s' is neither sure, likely nor maybe",
			       row->sure);
	rule->by_counters = row->counters && *row->counters;
	if (rule->by_counters &&
	    num_parse_double(row->counters, "counters", 0, DBL_MAX, &rule->cpu_ms, err))
		return -EINVAL;
	return compile_texts(rule, r, err);
}

static void free_rule(struct rule *rule)
{
	condition_free(rule->when);
	condition_free(rule->rank);
	free(rule->without);
	free(rule->covers);
	free(rule->name);
	free(rule->need);
	template_done(&rule->says);
	for (size_t i = 0; i < rule->row->n_next && rule->run; i++) {
		template_done(&rule->run[i]);
		template_done(&rule->why[i]);
	}
	free(rule->run);
	free(rule->why);
}

/* Returns the index of the rule with this name; r->n: none. */
static size_t find_rule(const struct rules *r, const char *name, size_t len)
{
	size_t i = 0;

	while (i < r->n && (strlen(r->rule[i].row->name) != len ||
			    memcmp(r->rule[i].row->name, name, len) != 0))
		i++;
	return i;
}

/* Returns the place for a rule: that of an earlier rule with the same name, or a new one. */
static struct rule *find_place(struct rules *r, const char *name)
{
	const size_t i = find_rule(r, name, strlen(name));

	if (i < r->n)
		return &r->rule[i];
	r->rule = xgrow(r->rule, &r->cap, r->n + 1, sizeof *r->rule);
	r->rule[r->n] = (struct rule){.row = NULL};
	return &r->rule[r->n++];
}

static void add_rule(struct compiler *c, const struct verdict_row *row)
{
	struct rule rule = {.row = row}, *place;
	struct err err = ERR_INIT;

	if (compile_rule(&rule, c->rules, &err)) {
		complain(c, "verdict", row->name, row->place, &err);
		free_rule(&rule);
		return;
	}
	place = find_place(c->rules, row->name);
	if (place->row)
		free_rule(place);
	*place = rule;
	c->rules->facts = fact_or(c->rules->facts,
				  fact_or(condition_facts(rule.when), condition_facts(rule.rank)));
}

static void refuse_covered(const struct compiler *c, const struct verdict_row *row,
			   const char *covered)
{
	const struct rules *r = c->rules;
	struct suggestion near;
	struct err err = ERR_INIT;

	suggestion_begin(&near, covered);
	for (size_t i = 0; i < r->n; i++)
		suggestion_offer(&near, r->rule[i].row->name);
	err_set(&err, ENOENT, "covers: there is no verdict '%s'%s", covered,
		suggestion_text(&near));
	complain(c, "verdict", row->name, row->place, &err);
}

/* Adds rule i, once; a rule does not cover itself. */
static void add_covered(const struct rules *r, struct rule *rule, size_t i)
{
	for (size_t k = 0; k < rule->n_covers; k++)
		if (rule->covers[k] == i)
			return;
	if (&r->rule[i] != rule)
		rule->covers[rule->n_covers++] = i;
}

/* Compiles names of verdicts, separated by ';', which may come later in the table. */
static void compile_covers(const struct compiler *c, struct rule *rule)
{
	const char *name = rule->row->covers ? rule->row->covers : "";

	rule->covers = xcalloc(c->rules->n, sizeof *rule->covers);
	for (size_t len; *name; name += len + (name[len] == ';')) {
		size_t i;

		len = strcspn(name, ";");
		i = find_rule(c->rules, name, len);
		if (i < c->rules->n) {
			add_covered(c->rules, rule, i);
		} else {
			char *covered = xstrndup(name, len);

			refuse_covered(c, rule->row, covered);
			free(covered);
		}
	}
}

/* Adds the rules that the covered rules cover: else a verdict would stay if the one that covers it
 * is dropped first. */
static void add_indirect(const struct rules *r, struct rule *rule)
{
	for (size_t k = 0; k < rule->n_covers; k++) {
		const struct rule *covered = &r->rule[rule->covers[k]];

		for (size_t i = 0; i < covered->n_covers; i++)
			add_covered(r, rule, covered->covers[i]);
	}
}

struct rules *rules_new(const struct verdict_table *const *table, size_t n_tables,
			const struct rules_machine *machine,
			void (*report)(void *context, const struct err *err), void *context)
{
	struct rules *r = xcalloc(1, sizeof *r);
	struct compiler c = {r, machine, report, context};
	struct err err = ERR_INIT;

	r->metrics = screen_new("metrics", "what verdicts ask for");
	add_metrics(&c, table, n_tables);
	r->cpu_ms = rules_find_evidence(r, EVIDENCE_CPU_MS);
	if (screen_compile(r->metrics, pass_over, NULL, &err))
		report(context, &err);
	r->facts = r->metrics->facts;
	screen_numbers_init(&r->no_numbers, NULL, NULL, 0);
	binding_init(&r->binding, r->metrics, &r->no_numbers);
	for (size_t i = 0; i < n_tables; i++)
		for (size_t k = 0; k < table[i]->n_verdicts; k++)
			add_rule(&c, &table[i]->verdict[k]);
	for (size_t i = 0; i < r->n; i++)
		compile_covers(&c, &r->rule[i]);
	for (size_t i = 0; i < r->n; i++)
		add_indirect(r, &r->rule[i]);
	return r;
}

void rules_free(struct rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		free_rule(&r->rule[i]);
	free(r->rule);
	for (size_t i = 0; i < r->n_metrics; i++)
		free(r->metric[i].source);
	free(r->metric);
	binding_done(&r->binding);
	screen_numbers_done(&r->no_numbers);
	screen_free(r->metrics);
	screen_list_done(&r->screens);
	free(r);
}

struct fact_set rules_facts(const struct rules *r)
{
	return r->facts;
}

size_t rules_n_screens(const struct rules *r)
{
	return r->screens.n;
}

const struct screen *rules_screen(const struct rules *r, size_t i)
{
	return r->screens.v[i];
}

const struct verdict_row *rules_verdict(const struct rules *r, size_t i)
{
	return r->rule[i].row;
}

size_t rules_n_metrics(const struct rules *r)
{
	return r->n_metrics;
}

const struct metric_row *rules_metric(const struct rules *r, size_t i)
{
	return r->metric[i].row;
}
