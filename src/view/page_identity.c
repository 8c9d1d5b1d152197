/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: who the row is about. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "view/page_part.h"

#define NS_PER_S 1000000000u

static void add_state(struct strbuf *out, char state)
{
	static const struct {
		char letter;
		const char *word;
	} states[] = {
		{'R', "running"}, {'S', "sleeping"},    {'D', "waiting for a device"},
		{'T', "stopped"}, {'t', "traced"},      {'Z', "ended, not yet reaped"},
		{'X', "ended"},   {'I', "kernel idle"},
	};

	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (states[i].letter == state) {
			strbuf_addf(out, "%c %s", state, states[i].word);
			return;
		}
	strbuf_addstr(out, "?");
}

/* "2026-11-22 08:12:03, 25:12.0 ago". */
static void write_start(struct page_writer *w)
{
	const struct sample *s = w->in->frame->sample;
	const uint64_t start_ns = w->row->task->start_ns;
	const time_t t = (time_t)((s->wall_ns - s->boot_ns + start_ns) / NS_PER_S);
	char date[64] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
	strbuf_addf(&w->text, "%s, ", date);
	unit_add(&w->text, UNIT_NS, s->boot_ns > start_ns ? (double)(s->boot_ns - start_ns) : 0.0);
	strbuf_addstr(&w->text, " ago");
	page_add(w, PAGE_ENTRY, "started");
}

/* A fact that is a text, where somebody has read it. */
static void write_fact_text(struct page_writer *w, enum fact f, const char *label)
{
	const struct detail *d = w->in->detail;
	const char *text = task_text(w->row->task, f);

	if (!text && d && !d->error)
		text = d->text[f - FACT_FIRST_READ_TEXT];
	if (!text)
		return;
	text_add(&w->text, *text ? text : "-");
	page_add(w, PAGE_ENTRY, label);
}

static void write_parent(struct page_writer *w)
{
	const struct sample *s = w->in->frame->sample;
	const struct detail *d = w->in->detail;
	struct value parent = delta_fact_now(w->row->from, FACT_PPID);

	if (!value_known(parent) && d && !d->error && d->known & FACT_BIT(FACT_PPID))
		parent = value_exact((double)d->fact[FACT_PPID]);
	if (!value_known(parent))
		return;
	strbuf_addf(&w->text, parent.number > 0 ? "%.0f" : "none", parent.number);
	for (size_t i = 0; i < s->n; i++)
		if (task_is_leader(s->task[i]) && (double)s->task[i]->id == parent.number &&
		    s->task[i]->kind == w->row->task->kind) {
			strbuf_addch(&w->text, ' ');
			text_add(&w->text, s->task[i]->process);
			break;
		}
	page_add(w, PAGE_ENTRY, "parent");
}

/* "process of 4 threads", "thread of 4711 java". */
static void write_kind(struct page_writer *w)
{
	const struct task *t = w->row->task;
	const struct value n = delta_fact_now(w->row->from, FACT_NUM_THREADS);

	strbuf_addstr(&w->text, t->kind->name);
	if (w->in->frame->sample->threads) {
		strbuf_reset(&w->text);
		strbuf_addf(&w->text, "%s of %s %" PRIu64 " ", t->kind->part, t->kind->name,
			    t->owner);
		text_add(&w->text, t->process);
	} else if (value_known(n)) {
		strbuf_addf(&w->text, ", %.0f %s%s", n.number, t->kind->part,
			    n.number == 1 ? "" : "s");
	}
	page_add(w, PAGE_ENTRY, "kind");
}

/* A longer command line is at the end of the page. */
#define COMMAND_MAX 240

static bool is_long(const struct task *t)
{
	return t->cmdline && strlen(t->cmdline) > COMMAND_MAX;
}

static void write_command(struct page_writer *w)
{
	const struct task *t = w->row->task;
	size_t n = COMMAND_MAX;

	if (!t->cmdline) {
		strbuf_addstr(&w->text, "none: a task of the kernel has none, or it was not read");
	} else if (is_long(t)) {
		char *start;

		while (text_continues(t->cmdline[n]))
			n--;
		start = xstrndup(t->cmdline, n);
		text_add(&w->text, start);
		strbuf_addstr(&w->text, "... (all of it is at the end)");
		free(start);
	} else {
		text_add(&w->text, t->cmdline);
	}
	page_add(w, PAGE_ENTRY, "command");
}

void page_write_long_command(struct page_writer *w)
{
	if (!is_long(w->row->task))
		return;
	page_add_text(w, PAGE_TITLE, NULL, "Command line");
	text_add(&w->text, w->row->task->cmdline);
	page_add(w, PAGE_TEXT, NULL);
}

/* "CPU 3 only, of 8": one that may not run on all of them may have to wait while others are idle.
 */
static void write_allowed(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	const int n_cpus = w->in->frame->host->n_cpus;

	if (!d || d->error || !d->wait.n_allowed)
		return;
	strbuf_addf(&w->text, "CPU%s %s", d->wait.n_allowed == 1 ? "" : "s", d->wait.allowed);
	if (d->wait.n_allowed < n_cpus)
		strbuf_addf(&w->text, " only, of %d: it may wait for these while others are idle",
			    n_cpus);
	page_add(w, PAGE_ENTRY, "may run on");
}

static void write_task(struct page_writer *w)
{
	const struct task *t = w->row->task;

	write_kind(w);
	text_add(&w->text, t->user);
	strbuf_addf(&w->text, " (%" PRIu32 ")", t->uid);
	page_add(w, PAGE_ENTRY, "user");
	write_start(w);
	write_command(w);
	add_state(&w->text, t->state);
	page_add(w, PAGE_ENTRY, "state");
	write_parent(w);
	write_allowed(w);
	write_fact_text(w, FACT_EXECUTABLE, "program");
	write_fact_text(w, FACT_CGROUP, "cgroup");
	write_fact_text(w, FACT_CONTAINER, "container");
}

/* Of what is no task: what its kind calls it. */
static void write_other(struct page_writer *w)
{
	const struct task *t = w->row->task;

	strbuf_addstr(&w->text, t->kind->id_help);
	page_add(w, PAGE_ENTRY, "kind");
	if (!t->kind->counts_members)
		return;
	strbuf_addf(&w->text, "%d: Enter on its row lists them", w->row->from->n_members);
	page_add(w, PAGE_ENTRY, "members");
}

void page_write_identity(struct page_writer *w)
{
	if (w->row->task->kind->pid)
		write_task(w);
	else
		write_other(w);
}
