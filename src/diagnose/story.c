/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "report/format.h"

/* A task in the story. */
struct story_task {
	bool seen;
	uint64_t start_ns;
	struct story_program *program; /* its current program */
	double cpu_ns;                 /* its CPU time since it became this program */
};

/* ---- words ---- */

static size_t find_word(const struct story *s, const char *word)
{
	size_t i = 0;

	while (i < s->n_words && strcmp(s->word[i], word))
		i++;
	return i;
}

static void list_words(struct story *s)
{
	const size_t n = judge_max(s->rules);

	s->word = arena_calloc(&s->arena, n + 1, sizeof *s->word);
	s->word_of = arena_calloc(&s->arena, n, sizeof *s->word_of);
	for (size_t i = 0; i < n; i++) {
		const char *word = rules_verdict(s->rules, i)->word;

		s->word_of[i] = find_word(s, word);
		if (s->word_of[i] == s->n_words)
			s->word[s->n_words++] = word;
	}
	s->word[s->n_words++] = NULL;
}

static size_t find_metric(const struct rules *r, const char *name)
{
	size_t i = 0;

	while (i < rules_n_metrics(r) && strcmp(rules_metric(r, i)->name, name))
		i++;
	return i;
}

char *story_first_verdict(const struct story *s, const struct story_row *row)
{
	const struct tell tell = {
		.rules = s->rules, .task = row->row->task, .cell = row->cell, .on_page = true};
	struct strbuf text;
	char *copy;

	strbuf_init(&text);
	verdict_sentence(&text, &tell, &row->found[0]);
	strbuf_addstr(&text, " (");
	verdict_numbers(&text, &tell, &row->found[0]);
	strbuf_addch(&text, ')');
	copy = xstrdup(text.text);
	strbuf_done(&text);
	return copy;
}

void story_init(struct story *s, const struct rules *rules)
{
	*s = (struct story){.rules = rules, .least_share = 1};
	list_words(s);
	s->by_word = arena_calloc(&s->arena, s->n_words, sizeof *s->by_word);
	s->unknown = arena_calloc(&s->arena, rules_n_metrics(rules), sizeof *s->unknown);
	s->ipc = find_metric(rules, "ipc");
}

void story_done(struct story *s)
{
	struct story_task *task;

	for (size_t pos = 0; (task = hash_next(&s->tasks, &pos));)
		free(task);
	hash_done(&s->tasks);
	hash_done(&s->programs);
	free(s->program);
	free(s->change);
	free(s->bad);
	free(s->note);
	arena_done(&s->arena);
}

/* ---- time ---- */

/* Returns the time (ns) without counting between the interval before and this one. Across a reboot,
 * only the wall clock shows it. */
static double gap_of(const struct story *s, const struct story_interval *interval)
{
	const uint64_t mono_ns = interval->mono_ns - interval->interval_ns;
	const uint64_t wall_ns = interval->wall_ns - interval->interval_ns;

	if (mono_ns >= s->end_ns)
		return (double)(mono_ns - s->end_ns);
	return wall_ns > s->to_ns ? (double)(wall_ns - s->to_ns) : 0;
}

/* A clock that is slewed, as by NTP, differs by less than both in an interval. */
#define JUMP_NS    1e9
#define JUMP_SHARE 1e-3

/* Notes whether the wall clock and CLOCK_MONOTONIC differ in their lengths of the interval. */
static void add_jump(struct story *s, const struct story_interval *interval)
{
	const double length_ns = (double)(int64_t)(interval->mono_ns - s->end_ns);
	const double jump_ns = (double)(int64_t)(interval->wall_ns - s->to_ns) - length_ns;

	if (fabs(jump_ns) < JUMP_NS || fabs(jump_ns) < JUMP_SHARE * fabs(length_ns))
		return;
	s->n_jumps++;
	s->jump_ns += jump_ns;
}

void story_interval(struct story *s, const struct story_interval *interval)
{
	const uint64_t begin_ns = interval->wall_ns - interval->interval_ns;
	double gap_ns;

	if (!s->to_ns)
		s->from_ns = begin_ns;
	/* The time before the first interval is not part of the span. */
	gap_ns = s->to_ns ? gap_of(s, interval) : 0;
	if (gap_ns > 0 || (s->to_ns && !interval->interval_ns)) {
		s->n_gaps++;
		s->gap_ns += gap_ns;
	} else if (s->to_ns) {
		add_jump(s, interval);
	}
	s->to_ns = interval->wall_ns;
	s->end_ns = interval->mono_ns;
	s->n_cpus = interval->n_cpus;
	s->n_intervals += interval->interval_ns > 0;
	s->interval_ns += (double)interval->interval_ns;
	s->last_ns = (double)interval->interval_ns;
	if (interval->n_left_out > s->n_left_out)
		s->n_left_out = interval->n_left_out;
}

/* ---- tasks and programs ---- */

/* Finds a program by name; NULL: none. Sets *key to its key in the hash table, or to the key for a
 * new program of this name. */
static struct story_program *look_up(const struct story *s, const char *name, uint64_t *key)
{
	struct story_program *p;

	*key = hash_text(name, strlen(name));
	/* Another name may have this key. */
	while ((p = hash_get(&s->programs, *key)) && strcmp(p->name, name))
		++*key;
	return p;
}

static bool is_there(const struct story *s, const char *name)
{
	uint64_t key;

	return look_up(s, name, &key);
}

static struct story_program *find_program(struct story *s, const char *name)
{
	uint64_t key;
	struct story_program *p = look_up(s, name, &key);

	if (p)
		return p;
	p = arena_calloc(&s->arena, 1, sizeof *p);
	p->name = arena_strdup(&s->arena, name);
	p->by_word = arena_calloc(&s->arena, s->n_words, sizeof *p->by_word);
	hash_put(&s->programs, key, p);
	s->program = xgrow(s->program, &s->cap_programs, s->n_programs + 1,
			   sizeof(struct story_program *));
	s->program[s->n_programs++] = p;
	return p;
}

/* Ends the time of a task as its current program. */
static void leave(struct story_task *task, uint64_t id)
{
	struct story_program *p = task->program;

	if (p && (!p->busiest || task->cpu_ns > p->busiest_ns)) {
		p->busiest = id;
		p->busiest_ns = task->cpu_ns;
	}
	task->program = NULL;
	task->cpu_ns = 0;
}

static uint64_t key_of(const struct story_row *in)
{
	return in->row->task->id << 1 | in->thread;
}

/* Returns whether the row is one task: the rest row of a command is the sum of any number of
 * tasks. */
static bool is_task(const struct task *t)
{
	return t->kind != &kind_rest;
}

/* Returns the task of the row; adds the task if it is new, and counts it in its current program. */
static struct story_task *find_task(struct story *s, const struct story_row *in)
{
	const struct task *t = in->row->task;
	struct story_program *program = find_program(s, t->process);
	struct story_task *task = hash_get(&s->tasks, key_of(in));

	if (!task) {
		task = xcalloc(1, sizeof *task);
		hash_put(&s->tasks, key_of(in), task);
	}
	if (!task->seen || task->start_ns != t->start_ns) {
		leave(task, t->id);
		s->n_tasks += is_task(t);
		s->n_born += in->born && is_task(t);
		task->seen = true;
		task->start_ns = t->start_ns;
	}
	if (task->program != program) {
		leave(task, t->id);
		task->program = program;
		program->n_tasks += is_task(t);
	}
	return task;
}

static void forget_task(struct story *s, const struct story_row *in)
{
	struct story_task *task = hash_remove(&s->tasks, key_of(in));

	s->n_ended++;
	task->program->n_ended++;
	leave(task, in->row->task->id);
	free(task);
}

/* ---- rows ---- */

static void add_word_time(struct story_time_of *by_word, const struct story_row *in, double ns)
{
	by_word->cpu_ns += ns;
	if (in->n_found && in->found[0].sure == SURE_MAYBE)
		by_word->maybe_ns += ns;
}

static void add_verdict(struct story *s, struct story_program *p, const struct story_row *in,
			double ns)
{
	const size_t word =
		in->n_found ? s->word_of[judge_rule(s->rules, &in->found[0])] : s->n_words - 1;
	const size_t n_metrics = rules_n_metrics(s->rules);

	s->judged_ns += ns;
	add_word_time(&s->by_word[word], in, ns);
	add_word_time(&p->by_word[word], in, ns);
	for (size_t i = 0; i < n_metrics; i++)
		if (!value_known(in->cell[i]))
			s->unknown[i].cpu_ns[in->cell[i].quality] += ns;
	if (s->ipc < n_metrics && value_known(in->cell[s->ipc])) {
		p->ipc_ns += ns;
		p->ipc += (in->cell[s->ipc].number - p->ipc) * ns / p->ipc_ns;
	}
}

static void take_shares(struct story *s, const struct delta_row *row)
{
	for (int i = 0; i < sample_events_n(row->events); i++)
		if (value_known(row->increment[i]) && row->increment[i].share < s->least_share)
			s->least_share = row->increment[i].share;
}

bool story_wants_verdict(const struct delta_row *row)
{
	return value_known(row->cpu_ns) && row->cpu_ns.quality != QUALITY_STALE &&
	       row->cpu_ns.number >= STORY_JUDGED_NS;
}

/* Returns the part (ns) of a wait that was before the interval, but within the span. */
static double earlier_wait(const struct story *s, const struct delta_row *row)
{
	const struct value earlier = delta_waited_earlier(row);
	const double before_ns = s->interval_ns - s->last_ns;
	const struct value threads = delta_fact_now(row, FACT_NUM_THREADS);
	const double most = before_ns * (value_known(threads) ? threads.number : 1);

	if (!value_known(earlier))
		return 0;
	return earlier.number < most ? earlier.number : most;
}

static void add_wait(struct story *s, const struct delta_row *row)
{
	const struct value wait = delta_fact(row, FACT_WAIT_NS);
	const bool known = value_known(wait) && wait.quality != QUALITY_STALE;

	if (!known || wait.quality == QUALITY_PARTIAL)
		s->wait_partial = true;
	if (known)
		s->wait_ns += wait.number + earlier_wait(s, row);
	s->wait_known |= known;
}

void story_row(struct story *s, const struct story_row *in)
{
	struct story_task *task = find_task(s, in);
	const struct value cpu = in->row->cpu_ns;
	/* A stale time is that of the last complete interval, which has been added already. */
	const bool known = value_known(cpu) && cpu.quality != QUALITY_STALE;

	take_shares(s, in->row);
	add_wait(s, in->row);
	if (!known || cpu.quality == QUALITY_PARTIAL)
		s->cpu_partial = true;
	if (known) {
		s->cpu_ns += cpu.number;
		task->cpu_ns += cpu.number;
		task->program->cpu_ns += cpu.number;
		if (in->cell)
			add_verdict(s, task->program, in, cpu.number);
	}
	if (in->row->task->dead)
		forget_task(s, in);
}

void story_change(struct story *s, const struct story_change *change)
{
	s->change = xgrow(s->change, &s->cap_changes, s->n_changes + 1, sizeof *s->change);
	s->change[s->n_changes] = *change;
	s->change[s->n_changes++].name = arena_strdup(&s->arena, change->name);
}

void story_exit(struct story *s, const struct story_exit *how)
{
	s->n_exits++;
	if (!how->signal && !how->status)
		return;
	s->bad = xgrow(s->bad, &s->cap_bad, s->n_bad + 1, sizeof *s->bad);
	s->bad[s->n_bad] = *how;
	s->bad[s->n_bad++].name = arena_strdup(&s->arena, how->name);
}

void story_kills(struct story *s, uint64_t n)
{
	s->kills_known = true;
	s->kills = n;
}

void story_note(struct story *s, const struct story_note *note)
{
	s->note = xgrow(s->note, &s->cap_notes, s->n_notes + 1, sizeof *s->note);
	s->note[s->n_notes++] = (struct story_note){.at = note->at,
						    .of = arena_strdup(&s->arena, note->of),
						    .text = arena_strdup(&s->arena, note->text),
						    .id = note->id};
}

/* ---- end ---- */

static int compare_programs(const void *a, const void *b)
{
	const struct story_program *x = *(struct story_program *const *)a;
	const struct story_program *y = *(struct story_program *const *)b;

	if (x->cpu_ns != y->cpu_ns)
		return x->cpu_ns > y->cpu_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int compare_changes(const void *a, const void *b)
{
	const struct story_change *x = a, *y = b;

	if (x->at.moment != y->at.moment)
		return x->at.moment < y->at.moment ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int compare_exits(const void *a, const void *b)
{
	const struct story_exit *x = a, *y = b;

	if (x->at.moment != y->at.moment)
		return x->at.moment < y->at.moment ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int compare_notes(const void *a, const void *b)
{
	const struct story_note *x = a, *y = b;

	if (x->at.moment != y->at.moment)
		return x->at.moment < y->at.moment ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void drop_others(struct story *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_changes; i++)
		if (is_there(s, s->change[i].name))
			s->change[n++] = s->change[i];
	s->n_changes = n;
	n = 0;
	for (size_t i = 0; i < s->n_notes; i++)
		if (is_there(s, s->note[i].of))
			s->note[n++] = s->note[i];
	s->n_notes = n;
}

void story_end(struct story *s)
{
	drop_others(s);
	for (size_t pos = 0; pos < s->tasks.cap; pos++)
		if (s->tasks.slot[pos].value)
			leave(s->tasks.slot[pos].value, s->tasks.slot[pos].key >> 1);
	array_sort(s->program, s->n_programs, sizeof(struct story_program *), compare_programs);
	array_sort(s->change, s->n_changes, sizeof *s->change, compare_changes);
	array_sort(s->bad, s->n_bad, sizeof *s->bad, compare_exits);
	array_sort(s->note, s->n_notes, sizeof *s->note, compare_notes);
}

/* ---- remarks ----
 *
 * Sentences about what is unknown of the span.
 */

/* A sentence with its id. add() appends the sentence, or nothing if it does not apply. The ids are
 * in doc/what.md and never change. */
struct remark {
	const char *id;
	void (*add)(struct strbuf *out, const struct story *s);
};

/* Less is shown as 0.0 s: a restart for other counters takes milliseconds. */
#define GAP_SHOWN_NS 5e7

static void add_restarts(struct strbuf *out, const struct story *s)
{
	if (s->gap_ns >= GAP_SHOWN_NS)
		strbuf_addf(out,
			    "nothing is known about %.1f s (%zu gap%s): counting restarted, or "
			    "was not recorded",
			    s->gap_ns / 1e9, s->n_gaps, s->n_gaps == 1 ? "" : "s");
}

static void add_jumps(struct strbuf *out, const struct story *s)
{
	if (s->n_jumps)
		strbuf_addf(out,
			    "the clock jumped %zu time%s, by %+.1f s in all: it was set, or the "
			    "machine was suspended; the intervals do not include this time",
			    s->n_jumps, s->n_jumps == 1 ? "" : "s", s->jump_ns / 1e9);
}

static void add_multiplexed(struct strbuf *out, const struct story *s)
{
	if (s->least_share < 1)
		strbuf_addf(out,
			    "counters took turns: some were on their PMU for only %.0f %% of the "
			    "time, and their counts are extrapolated",
			    100 * (double)s->least_share);
}

static void add_steps(struct strbuf *out, const struct story *s)
{
	if (s->step_s)
		strbuf_addf(
			out,
			"verdicts, IPC, phases and names of programs are of whole intervals of up "
			"to %ld s or one sample: shorter phases are not seen, nor names that a "
			"task had only within one; --step 0 takes each sample",
			s->step_s);
}

static void add_left_out(struct strbuf *out, const struct story *s)
{
	if (s->n_left_out)
		strbuf_addf(out, "up to %zu processes existed that were not selected",
			    s->n_left_out);
}

static void add_no_culprit(struct strbuf *out, const struct story *s)
{
	if (s->no_culprit)
		strbuf_addf(out, "whether another task caused a drop of IPC: it is not known %s",
			    s->no_culprit);
}

static void add_details(struct strbuf *out, const struct story *s)
{
	(void)s;
	strbuf_addstr(out, "details of tasks are not kept: where a task sleeps, quotas of its "
			   "control group, pressure");
}

static void add_between_samples(struct strbuf *out, const struct story *s)
{
	(void)s;
	strbuf_addstr(out, "a task that began and ended between two samples was not seen");
}

static void add_no_status(struct strbuf *out, const struct story *s)
{
	if (s->n_ended > s->n_exits)
		strbuf_addstr(out, s->n_exits ? "how the others ended is not known: the kernel "
						"reports it only to their parents"
					      : "how tasks ended is not known: the kernel reports "
						"it only to their parents");
}

static void add_no_kills(struct strbuf *out, const struct story *s)
{
	if (!s->kills_known)
		strbuf_addstr(
			out, "whether the kernel killed processes for lack of memory is not known");
}

/* In the order of the page, before and after the remarks about metrics. */
static const struct remark remarks_before[] = {
	{"steps", add_steps},       {"restarts", add_restarts},
	{"clock", add_jumps},       {"multiplexed", add_multiplexed},
	{"left-out", add_left_out},
};
static const struct remark remarks_behind[] = {
	{"no-interference", add_no_culprit},      {"no-details", add_details},
	{"between-samples", add_between_samples}, {"no-exit-status", add_no_status},
	{"no-oom-kills", add_no_kills},
};

/* The id of a remark about metrics is this prefix with the name of the reason (quality_table). */
#define METRICS_ID "metrics-"

struct sayer {
	void (*say)(void *context, const char *id, const char *text);
	void *context;
	struct strbuf text;
};

/* Passes the sentence in text to the callback, if there is one, and empties text. */
static void say(struct sayer *to, const char *id)
{
	if (to->text.len)
		to->say(to->context, id, to->text.text);
	strbuf_reset(&to->text);
}

static void say_each(struct sayer *to, const struct remark *remark, size_t n, const struct story *s)
{
	for (size_t i = 0; i < n; i++) {
		remark[i].add(&to->text, s);
		say(to, remark[i].id);
	}
}

/* Returns a reason as text. Without hardware counters, this is the reason for all metrics that need
 * events. QUALITY_NOT_READ has another text here, as the fact may also be missing because no shown
 * column needs it. */
static const char *reason(const struct story *s, enum quality why)
{
	if (s->no_counters && (why == QUALITY_NOT_COUNTED || why == QUALITY_UNSUPPORTED))
		return s->no_counters;
	return why == QUALITY_NOT_READ
		       ? "not read: no shown column needs it, or the kernel does not report it"
		       : quality_table[why].text;
}

/* Returns whether the metric needs the details of a task. */
static bool is_looked_for(const struct metric_row *m)
{
	return m->look && !m->expr && !m->n_from;
}

static double share_of(const struct story *s, size_t metric, enum quality why)
{
	if (is_looked_for(rules_metric(s->rules, metric)) || s->judged_ns <= 0)
		return 0;
	return round(100 * s->unknown[metric].cpu_ns[why] / s->judged_ns);
}

/* Writes one sentence for all metrics that were unknown for the same reason and share of time. */
static void say_metrics(struct sayer *to, const struct story *s, enum quality why, const char *id)
{
	const size_t n = rules_n_metrics(s->rules);

	for (int share = 100; share >= 1; share--) {
		const char *between = "";

		for (size_t i = 0; i < n; i++) {
			if (share_of(s, i, why) != share)
				continue;
			strbuf_addf(&to->text, "%s%s", between, rules_metric(s->rules, i)->desc);
			between = ", ";
		}
		if (!*between)
			continue;
		strbuf_addf(&to->text, ": %s", reason(s, why));
		if (share < 100)
			strbuf_addf(&to->text, " (%d %% of the judged time)", share);
		say(to, id);
	}
}

void story_each_remark(const struct story *s,
		       void (*each)(void *context, const char *id, const char *text), void *context)
{
	struct sayer to = {each, context, {.text = NULL}};
	struct strbuf id;

	strbuf_init(&to.text);
	strbuf_init(&id);
	say_each(&to, remarks_before, sizeof remarks_before / sizeof *remarks_before, s);
	for (int why = QUALITY_FIRST_NONE; why < N_QUALITIES; why++) {
		strbuf_reset(&id);
		strbuf_addf(&id, METRICS_ID "%s", quality_table[why].name);
		say_metrics(&to, s, (enum quality)why, id.text);
	}
	say_each(&to, remarks_behind, sizeof remarks_behind / sizeof *remarks_behind, s);
	strbuf_done(&id);
	strbuf_done(&to.text);
}

/* ---- JSON ---- */

#define SCHEMA 1

/* clang-format off */
REPORT_TYPE(verdict_time_type, {.id = "verdict"}, {.id = "cpu_s"}, {.id = "maybe_s"});
REPORT_TYPE(program_type, {.id = "program"}, {.id = "tasks"}, {.id = "ended"}, {.id = "cpu_s"}, {.id = "ipc"},
	    {.id = "busiest"}, {.id = "verdicts"});
REPORT_TYPE(change_type, {.id = "time"}, {.id = "id"}, {.id = "name"}, {.id = "column"}, {.id = "before"},
	    {.id = "after"}, {.id = "likelier"});
REPORT_TYPE(note_type, {.id = "time"}, {.id = "text"}, {.id = "id"});
REPORT_TYPE(exit_type, {.id = "time"}, {.id = "id"}, {.id = "name"}, {.id = "signal"}, {.id = "status"});
REPORT_TYPE(unknown_type, {.id = "metric"}, {.id = "reason"}, {.id = "cpu_s"});

REPORT_TYPE(story_type, {.id = "type"}, {.id = "schema"},
	    {.id = "recording"}, {.id = "host"}, {.id = "arch"}, {.id = "model"}, {.id = "cpus"},
	    {.id = "command", .members = 3}, {.id = "words"}, {.id = "status"}, {.id = "ran_s"},
	    {.id = "from"}, {.id = "to"}, {.id = "intervals"}, {.id = "step_s"}, {.id = "measured_s"},
	    {.id = "gaps"}, {.id = "gaps_s"},
	    {.id = "least_share"}, {.id = "tasks"}, {.id = "began"}, {.id = "ended"}, {.id = "cpu_s"},
	    {.id = "cpu_wait_s"}, {.id = "judged_s"}, {.id = "verdicts"},
	    {.id = "programs"}, {.id = "phases"},
	    {.id = "coincidences"}, {.id = "ended_badly"}, {.id = "oom_kills"},
	    {.id = "not_known"}, {.id = "remarks"}, {.id = "remark_ids"});
/* clang-format on */

/* --- fields of the story --- */

/* Writes null for an empty text. */
static void put_known(struct report_record *r, const char *id, const char *text)
{
	record_text(r, id, text && *text ? text : NULL);
}

static void put_machine(struct report_record *r, const struct story *s,
			const struct story_about *about)
{
	const struct sample_machine *m = about->machine;

	record_text(r, "recording", about->recording);
	put_known(r, "host", m ? m->host : NULL);
	put_known(r, "arch", m ? m->arch : NULL);
	put_known(r, "model", m ? m->model : NULL);
	record_number(r, "cpus", s->n_cpus ? s->n_cpus : NAN);
}

/* Writes null if no command was followed. */
static void put_command(struct report_record *r, const struct story_about *about)
{
	const struct ending *end = about->ending;

	if (!about->command) {
		record_unknown(r, "command");
		return;
	}
	record_group(r, "command");
	record_list(r, "words", 1);
	for (char *const *word = about->command; *word; word++)
		record_item_text(r, *word);
	record_number(r, "status", end && !end->unknown ? end->status : NAN);
	record_number(r, "ran_s", end ? (double)about->ran_ns / 1e9 : NAN);
}

static void put_span(struct report_record *r, const struct story *s)
{
	record_time(r, "from", s->from_ns);
	record_time(r, "to", s->to_ns);
	record_count(r, "intervals", s->n_intervals);
	record_number(r, "step_s", s->step_s ? (double)s->step_s : NAN);
	record_number(r, "measured_s", s->interval_ns / 1e9);
	record_count(r, "gaps", s->n_gaps);
	record_number(r, "gaps_s", s->gap_ns / 1e9);
	record_number(r, "least_share", (double)s->least_share);
	record_count(r, "tasks", s->n_tasks);
	record_count(r, "began", s->n_born);
	record_count(r, "ended", s->n_ended);
	record_number(r, "cpu_s", s->cpu_ns / 1e9);
	record_number(r, "cpu_wait_s", s->wait_known ? s->wait_ns / 1e9 : NAN);
	record_number(r, "judged_s", s->judged_ns / 1e9);
}

/* --- records in lists; they are added before the record of the story --- */

/* The index of the first record of each list among the entries, and the end of the last list. */
struct inner {
	size_t verdicts, programs, changes, notes, exits, unknown, end;
};

/* by_word: [n_words] of a program, or of all tasks. */
static void add_verdicts(struct report *report, const struct story *s,
			 const struct story_time_of *by_word)
{
	for (size_t i = 0; i < s->n_words; i++) {
		struct report_record *item;

		if (by_word[i].cpu_ns <= 0)
			continue;
		item = report_add_inner(report, &verdict_time_type);
		record_text(item, "verdict", s->word[i]);
		record_number(item, "cpu_s", by_word[i].cpu_ns / 1e9);
		record_number(item, "maybe_s", by_word[i].maybe_ns / 1e9);
	}
}

/* Adds a program; its verdicts are the entries from `first` to before `end`. */
static void add_program(struct report *report, const struct story_program *p, size_t first,
			size_t end)
{
	struct report_record *item = report_add_inner(report, &program_type);

	record_text(item, "program", p->name);
	record_count(item, "tasks", p->n_tasks);
	record_count(item, "ended", p->n_ended);
	record_number(item, "cpu_s", p->cpu_ns / 1e9);
	record_number(item, "ipc", p->ipc_ns > 0 ? p->ipc : NAN);
	record_count(item, "busiest", p->busiest);
	record_records(item, "verdicts", first, end);
}

/* Adds the verdicts of all programs, then the programs. Returns the index of the first program. */
static size_t add_programs(struct report *report, const struct story *s)
{
	size_t *by_word = xcalloc(s->n_programs + 1, sizeof *by_word), begin;

	for (size_t i = 0; i < s->n_programs; i++) {
		by_word[i] = report->n;
		add_verdicts(report, s, s->program[i]->by_word);
	}
	by_word[s->n_programs] = report->n;
	for (size_t i = 0; i < s->n_programs; i++)
		add_program(report, s->program[i], by_word[i], by_word[i + 1]);
	begin = by_word[s->n_programs];
	free(by_word);
	return begin;
}

static void add_changes(struct report *report, const struct story *s)
{
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct story_change *c = &s->change[i];
		struct report_record *item = report_add_inner(report, &change_type);

		record_time(item, "time", c->at.wall_ns);
		record_count(item, "id", c->id);
		record_text(item, "name", c->name);
		record_text(item, "column", c->of == STORY_IPC ? "ipc" : "cpu");
		record_number(item, "before", c->before);
		record_number(item, "after", c->after);
		record_number(item, "likelier", c->likelier);
	}
}

static void add_notes(struct report *report, const struct story *s)
{
	for (size_t i = 0; i < s->n_notes; i++) {
		struct report_record *item = report_add_inner(report, &note_type);

		record_time(item, "time", s->note[i].at.wall_ns);
		record_text(item, "text", s->note[i].text);
		record_text(item, "id", s->note[i].id);
	}
}

static void add_exits(struct report *report, const struct story *s)
{
	for (size_t i = 0; i < s->n_bad; i++) {
		const struct story_exit *e = &s->bad[i];
		struct report_record *item = report_add_inner(report, &exit_type);

		if (e->at.wall_ns)
			record_time(item, "time", e->at.wall_ns);
		else
			record_unknown(item, "time");
		record_count(item, "id", e->id);
		record_text(item, "name", e->name);
		record_optional_count(item, "signal", (uint64_t)e->signal);
		record_optional_count(item, "status", e->signal ? 0 : (uint64_t)e->status);
	}
}

static void add_unknown(struct report *report, const struct story *s, size_t metric)
{
	for (int why = QUALITY_FIRST_NONE; why < N_QUALITIES; why++) {
		const double ns = s->unknown[metric].cpu_ns[why];
		struct report_record *item;

		if (ns <= 0)
			continue;
		item = report_add_inner(report, &unknown_type);
		record_text(item, "metric", rules_metric(s->rules, metric)->name);
		record_text(item, "reason", quality_table[why].name);
		record_number(item, "cpu_s", ns / 1e9);
	}
}

static struct inner add_inner(struct report *report, const struct story *s)
{
	struct inner in;

	in.programs = add_programs(report, s);
	in.verdicts = report->n;
	add_verdicts(report, s, s->by_word);
	in.changes = report->n;
	add_changes(report, s);
	in.notes = report->n;
	add_notes(report, s);
	in.exits = report->n;
	add_exits(report, s);
	in.unknown = report->n;
	for (size_t i = 0; i < rules_n_metrics(s->rules); i++)
		add_unknown(report, s, i);
	in.end = report->n;
	return in;
}

/* --- the whole story --- */

static void put_remark(void *record, const char *id, const char *text)
{
	(void)id;
	record_item_text(record, text);
}

static void put_remark_id(void *record, const char *id, const char *text)
{
	(void)text;
	record_item_text(record, id);
}

static void put_lists(struct report_record *r, const struct story *s, const struct inner *in)
{
	record_records(r, "verdicts", in->verdicts, in->changes);
	record_records(r, "programs", in->programs, in->verdicts);
	record_records(r, "phases", in->changes, in->notes);
	record_records(r, "coincidences", in->notes, in->exits);
	record_records(r, "ended_badly", in->exits, in->unknown);
	record_number(r, "oom_kills", s->kills_known ? (double)s->kills : NAN);
	record_records(r, "not_known", in->unknown, in->end);
	record_list(r, "remarks", 1);
	story_each_remark(s, put_remark, r);
	record_list(r, "remark_ids", 1);
	story_each_remark(s, put_remark_id, r);
}

void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about)
{
	struct report report;
	struct report_record *r;
	struct inner in;

	report_init(&report);
	in = add_inner(&report, s);
	r = report_add(&report, &story_type);
	record_text(r, "type", "story");
	record_count(r, "schema", SCHEMA);
	put_machine(r, s, about);
	put_command(r, about);
	put_span(r, s);
	put_lists(r, s, &in);
	report_write_json(&report, false, out);
	report_done(&report);
}
