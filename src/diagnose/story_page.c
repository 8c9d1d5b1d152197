/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/story_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "report/report.h"

/* ---- story ends ----
 *
 * Sentences about tasks that failed.
 */

/* A limit for readability; JSON has all. */
#define ENDS_MAX 20

/* Tasks of one name that ended in the same way. */
struct exit_group {
	const struct story_exit *first;
	size_t n;
};

static int compare_ways(const struct story_exit *x, const struct story_exit *y)
{
	if (x->signal != y->signal)
		return x->signal < y->signal ? -1 : 1;
	if (x->status != y->status)
		return x->status < y->status ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Compares by the way of ending; equal ends keep the order of the story. */
static int compare_exits(const void *a, const void *b)
{
	const struct story_exit *x = ((const struct exit_group *)a)->first;
	const struct story_exit *y = ((const struct exit_group *)b)->first;
	const int ways = compare_ways(x, y);

	return ways ? ways : (x > y) - (x < y);
}

static int compare_first(const void *a, const void *b)
{
	const struct story_exit *x = ((const struct exit_group *)a)->first;
	const struct story_exit *y = ((const struct exit_group *)b)->first;

	return (x > y) - (x < y);
}

/* Groups the ends by name and way of ending. Returns the number of groups, which are sorted by
 * their first end. */
static size_t gather(const struct story *s, struct exit_group *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_bad; i++)
		out[i] = (struct exit_group){&s->bad[i], 1};
	array_sort(out, s->n_bad, sizeof *out, compare_exits);
	for (size_t i = 0; i < s->n_bad; i++)
		if (n && !compare_ways(out[n - 1].first, out[i].first))
			out[n - 1].n++;
		else
			out[n++] = out[i];
	array_sort(out, n, sizeof *out, compare_first);
	return n;
}

static void add_end(struct strbuf *out, const struct exit_group *a)
{
	const struct story_exit *e = a->first;
	const char *signal = code_name_signal(e->signal);

	if (e->at.wall_ns) {
		clock_add_date(out, e->at.wall_ns);
		strbuf_addstr(out, "  ");
	}
	strbuf_addf(out, "%" PRIu64 " ", e->id);
	text_add(out, e->name);
	if (!e->signal)
		strbuf_addf(out, ": ended with status %d", e->status);
	else
		strbuf_addf(out, ": ended by signal %d%s%s%s", e->signal, signal ? " (SIG" : "",
			    signal ? signal : "", signal ? ")" : "");
	if (a->n > 1)
		strbuf_addf(out, "; %zu more did so", a->n - 1);
}

/* Calls say with a sentence for each name and way of failing. */
static void story_each_end(const struct story *s, void (*say)(void *context, const char *text),
			   void *context)
{
	struct exit_group *way = xcalloc(s->n_bad, sizeof *way);
	const size_t n = gather(s, way);
	struct strbuf text;
	size_t others = 0;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		strbuf_reset(&text);
		add_end(&text, &way[i]);
		if (i < ENDS_MAX)
			say(context, text.text);
		else
			others += way[i].n;
	}
	strbuf_reset(&text);
	if (others) {
		strbuf_addf(&text, "and %zu more, in other ways", others);
		say(context, text.text);
	}
	strbuf_done(&text);
	free(way);
}

/* ---- story text ----
 *
 * The page as plain text.
 */

#define INDENT 2

/* Returns how many bytes of the text are for the first line: those up to the last blank that fits;
 * if no blank fits, those of the first word. */
static size_t first_line(const char *text, size_t width)
{
	size_t n = strlen(text), at;

	if (n <= width)
		return n;
	for (at = width; at && text[at] != ' '; at--)
		;
	return at ? at : strcspn(text, " ");
}

/* Appends wrapped text to a line of which `x` columns are used; further lines begin at column
 * `further`. */
static void add_folded(struct strbuf *out, const char *text, int x, int further, int width)
{
	while (*text) {
		const size_t n = first_line(text, (size_t)(width - x));

		strbuf_add(out, text, n);
		text += n + strspn(text + n, " ");
		x = further;
		if (*text) {
			strbuf_addch(out, '\n');
			strbuf_pad(out, ' ', x);
		}
	}
	strbuf_addch(out, '\n');
}

static void add_row(struct strbuf *out, const struct page_cells *row, int width)
{
	const int below = INDENT + PAGE_TABLE_BELOW;
	struct page_layout laid;

	page_layout_init(&laid);
	page_table_layout(&laid, row, width - INDENT);
	strbuf_pad(out, ' ', INDENT);
	strbuf_addstr(out, laid.fixed.text);
	add_folded(out, laid.rest, INDENT + laid.x, INDENT + laid.x, width);
	if (laid.below.len) {
		strbuf_pad(out, ' ', below);
		add_folded(out, laid.below.text, below, below, width);
	}
	page_layout_done(&laid);
}

static void story_text_add_line(struct strbuf *out, const struct page_line *line, int width)
{
	switch (line->style) {
	case PAGE_TITLE:
		strbuf_addf(out, "\n%s\n", line->text);
		break;
	case PAGE_ROW:
		add_row(out, &line->row, width);
		break;
	default:
		strbuf_pad(out, ' ', INDENT);
		add_folded(out, line->text, INDENT, 2 * INDENT, width);
		break;
	}
}

void story_page_add_text(struct strbuf *out, const struct page *p, int width)
{
	add_folded(out, p->title, 0, INDENT, width);
	strbuf_addstr(out, p->n && p->line[0].style != PAGE_TITLE ? "\n" : "");
	for (size_t i = 0; i < p->n; i++)
		story_text_add_line(out, &p->line[i], width);
}

/* ---- story page ---- */

struct writer {
	struct page *page;
	struct strbuf text; /* the current line */
};

static struct page_line *add_line(struct page *p)
{
	p->line = xgrow(p->line, &p->cap, p->n + 1, sizeof *p->line);
	return &p->line[p->n++];
}

/* Adds the current line to the page and empties it. */
static void end_line(struct writer *w, enum page_style style)
{
	*add_line(w->page) = (struct page_line){
		.style = style, .text = arena_strdup(&w->page->arena, w->text.text)};
	strbuf_reset(&w->text);
}

static void write_title(struct writer *w, const char *title)
{
	strbuf_addstr(&w->text, title);
	end_line(w, PAGE_TITLE);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- the head ---- */

static void write_command(struct writer *w, const struct story_about *about)
{
	const struct ending *end = about->ending;

	strbuf_addstr(&w->text, "Command ");
	for (char *const *word = about->command; *word; word++) {
		strbuf_addstr(&w->text, word == about->command ? "" : " ");
		text_add(&w->text, *word);
	}
	if (!end)
		strbuf_addstr(&w->text, ": its end is not known");
	else if (end->unknown)
		strbuf_addf(&w->text, ": ended after %.2f s; its status is unknown",
			    (double)about->ran_ns / 1e9);
	else
		strbuf_addf(&w->text, ": ended with status %d after %.2f s", end->status,
			    (double)about->ran_ns / 1e9);
	end_line(w, PAGE_TEXT);
}

static void write_head(struct writer *w, const struct story *s, const struct story_about *about)
{
	const struct sample_machine *m = about->machine;
	struct strbuf title;

	strbuf_init(&title);
	strbuf_addstr(&title, "What happened from ");
	clock_add_date(&title, s->from_ns);
	strbuf_addstr(&title, " to ");
	clock_add_date(&title, s->to_ns);
	w->page->title = arena_strdup(&w->page->arena, title.text);
	strbuf_done(&title);
	if (about->recording) {
		strbuf_addstr(&w->text, "Recording ");
		text_add(&w->text, about->recording);
		end_line(w, PAGE_TEXT);
	}
	if (about->command)
		write_command(w, about);
	if (!m || !*m->host)
		return;
	strbuf_addstr(&w->text, "Machine ");
	text_add(&w->text, m->host);
	if (s->n_cpus)
		strbuf_addf(&w->text, ", %d CPU%s", s->n_cpus, plural((size_t)s->n_cpus));
	if (*m->arch || *m->model) {
		strbuf_addstr(&w->text, ", ");
		text_add(&w->text, m->arch);
		strbuf_addch(&w->text, ' ');
		text_add(&w->text, m->model);
	}
	end_line(w, PAGE_TEXT);
}

/* ---- tables ---- */

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void write_names(struct writer *w, const struct page_table *table)
{
	*add_line(w->page) = (struct page_line){.style = PAGE_ROW, .row.table = table};
}

/* Returns the cells of a new row, all NULL. */
static const char **begin_row(struct writer *w, const struct page_table *table)
{
	const char **cell = arena_calloc(&w->page->arena, (size_t)table->n, sizeof *cell);

	*add_line(w->page) = (struct page_line){.style = PAGE_ROW, .row = {table, cell}};
	return cell;
}

static void end_cell(struct writer *w, const char **cell)
{
	*cell = arena_strdup(&w->page->arena, w->text.text);
	strbuf_reset(&w->text);
}

/* Writes the first two cells of a row: seconds, and % of all CPU time. */
static void write_share(struct writer *w, const char **cell, const struct story *s, double ns)
{
	strbuf_addf(&w->text, "%.2f", ns / 1e9);
	end_cell(w, &cell[0]);
	strbuf_addf(&w->text, "%.1f", percent(ns, s->cpu_ns));
	end_cell(w, &cell[1]);
}

/* Writes a row that sums up items without a row of their own, if they have any time. The name of
 * the row is in w->text. */
static void write_rest(struct writer *w, const struct page_table *table, const struct story *s,
		       double ns)
{
	const char **cell;
	const char *name;

	end_cell(w, &name);
	if (ns <= 0)
		return;
	cell = begin_row(w, table);
	write_share(w, cell, s, ns);
	cell[2] = name;
}

/* ---- tasks and programs ---- */

/* Writes for how long tasks waited: this is not part of their CPU time. */
static void write_waits(struct writer *w, const struct story *s)
{
	strbuf_addstr(&w->text, "time waited for a CPU: ");
	if (s->wait_known)
		strbuf_addf(&w->text, "%s%.2f s, ready to run, sum over the tasks",
			    s->wait_partial ? "at least " : "", s->wait_ns / 1e9);
	else
		strbuf_addstr(&w->text, "not known, as it was not recorded");
	end_line(w, PAGE_TEXT);
	strbuf_addstr(&w->text, "time waited for I/O: not known, as no recording has it");
	end_line(w, PAGE_TEXT);
}

static void write_ran(struct writer *w, const struct story *s)
{
	write_title(w, "What ran");
	strbuf_addf(&w->text, "%zu task%s of %zu program%s: %zu began, %zu ended", s->n_tasks,
		    plural(s->n_tasks), s->n_programs, plural(s->n_programs), s->n_born,
		    s->n_ended);
	end_line(w, PAGE_TEXT);
	strbuf_addf(&w->text, "CPU time used: %s%.2f s in %.1f s",
		    s->cpu_partial ? "at least " : "", s->cpu_ns / 1e9, s->interval_ns / 1e9);
	if (s->n_cpus && s->interval_ns > 0)
		strbuf_addf(&w->text, ", %.1f %% of the CPUs",
			    percent(s->cpu_ns, s->interval_ns * s->n_cpus));
	strbuf_addf(&w->text, "; %zu interval%s", s->n_intervals, plural(s->n_intervals));
	if (s->step_s)
		strbuf_addf(&w->text, " of up to %ld s or one sample (--step)", s->step_s);
	end_line(w, PAGE_TEXT);
	write_waits(w, s);
}

static void add_word(struct strbuf *out, const struct story *s, size_t word,
		     const struct story_time_of *by_word)
{
	strbuf_addstr(out, s->word[word] ? s->word[word] : "no verdict");
	if (2 * by_word->maybe_ns > by_word->cpu_ns)
		strbuf_addch(out, '?');
}

/* Returns the word with the most time; n_words: none. */
static size_t first_word(const struct story *s, const struct story_time_of *by_word)
{
	size_t best = s->n_words;

	for (size_t i = 0; i < s->n_words; i++)
		if (by_word[i].cpu_ns > (best < s->n_words ? by_word[best].cpu_ns : 0))
			best = i;
	return best;
}

#define NAME_WIDTH 16

enum { RAN_CPU, RAN_SHARE, RAN_NAME, RAN_TASKS, RAN_IPC, RAN_PID, RAN_MOSTLY, N_RAN };

static const struct page_column ran_column[N_RAN] = {
	[RAN_CPU] = {"CPU s", 0, 9, false},
	[RAN_SHARE] = {"%", 1, 5, false},
	[RAN_NAME] = {"program", 2, NAME_WIDTH, true},
	[RAN_TASKS] = {"tasks", 1, 6, false},
	[RAN_IPC] = {"IPC", 1, 5, false},
	[RAN_PID] = {"PID", 1, 8, false},
	[RAN_MOSTLY] = {"main verdict", 2, 0, true},
};
static const struct page_table ran_table = {ran_column, N_RAN};

static void write_program(struct writer *w, const struct story *s,
			  const struct story_program *program)
{
	const size_t word = first_word(s, program->by_word);
	const char **cell = begin_row(w, &ran_table);

	write_share(w, cell, s, program->cpu_ns);
	text_add(&w->text, program->name);
	end_cell(w, &cell[RAN_NAME]);
	strbuf_addf(&w->text, "%zu", program->n_tasks);
	end_cell(w, &cell[RAN_TASKS]);
	if (program->ipc_ns > 0)
		strbuf_addf(&w->text, "%.2f", program->ipc);
	else
		strbuf_addch(&w->text, '?');
	end_cell(w, &cell[RAN_IPC]);
	if (program->n_tasks == 1) {
		strbuf_addf(&w->text, "%" PRIu64, program->busiest);
		end_cell(w, &cell[RAN_PID]);
	}
	if (word == s->n_words)
		return;
	add_word(&w->text, s, word, &program->by_word[word]);
	strbuf_addf(&w->text, " %.0f %%", percent(program->by_word[word].cpu_ns, program->cpu_ns));
	end_cell(w, &cell[RAN_MOSTLY]);
}

static void write_programs(struct writer *w, const struct story *s, const struct story_about *about)
{
	size_t n = s->n_programs < about->rows ? s->n_programs : about->rows;
	double rest_ns = 0;

	/* Programs without CPU time are left out. */
	while (n && s->program[n - 1]->cpu_ns <= 0)
		n--;
	if (!n)
		return;
	write_title(w, "The biggest consumers");
	strbuf_addstr(&w->text,
		      "%: share of all CPU time used; the main verdict names what slowed the "
		      "program down most, and the share of its CPU time with this verdict");
	end_line(w, PAGE_TEXT);
	write_names(w, &ran_table);
	for (size_t i = 0; i < n; i++)
		write_program(w, s, s->program[i]);
	for (size_t i = n; i < s->n_programs; i++)
		rest_ns += s->program[i]->cpu_ns;
	strbuf_addf(&w->text, "%zu others", s->n_programs - n);
	write_rest(w, &ran_table, s, rest_ns);
}

/* ---- verdicts ---- */

/* The maximal number of programs named with a verdict. */
#define PROGRAMS_NAMED_MAX 3

/* Returns the program that follows `before` when programs are sorted by their time for this word,
 * the most first. before NULL: returns the first program. Returns NULL if no program follows. */
static const struct story_program *next_of(const struct story *s, size_t word,
					   const struct story_program *before)
{
	const double limit = before ? before->by_word[word].cpu_ns : INFINITY;
	const struct story_program *best = NULL;
	bool behind = !before;

	/* Programs with equal times are in the order of s->program. */
	for (size_t i = 0; i < s->n_programs; i++) {
		const struct story_program *x = s->program[i];
		const double ns = x->by_word[word].cpu_ns;

		if (ns > 0 && (ns < limit || (ns == limit && behind && x != before)) &&
		    (!best || ns > best->by_word[word].cpu_ns))
			best = x;
		behind = behind || x == before;
	}
	return best;
}

enum { TOLD_CPU, TOLD_SHARE, TOLD_WORD, TOLD_PROGRAMS, N_TOLD };

static const struct page_column verdict_column[N_TOLD] = {
	[TOLD_CPU] = {"CPU s", 0, 9, false},
	[TOLD_SHARE] = {"%", 1, 5, false},
	[TOLD_WORD] = {"main verdict", 2, NAME_WIDTH, true},
	[TOLD_PROGRAMS] = {"programs", 1, 0, true},
};
static const struct page_table verdict_table = {verdict_column, N_TOLD};

static void write_verdict(struct writer *w, const struct story *s, size_t word)
{
	const struct story_time_of *by_word = &s->by_word[word];
	const struct story_program *of = NULL;
	const char **cell = begin_row(w, &verdict_table);
	const char *between = "";

	write_share(w, cell, s, by_word->cpu_ns);
	add_word(&w->text, s, word, by_word);
	end_cell(w, &cell[TOLD_WORD]);
	for (int i = 0; i < PROGRAMS_NAMED_MAX && (of = next_of(s, word, of)); i++) {
		strbuf_addstr(&w->text, between);
		text_add(&w->text, of->name);
		strbuf_addf(&w->text, " %.0f %%",
			    percent(of->by_word[word].cpu_ns, by_word->cpu_ns));
		between = ", ";
	}
	end_cell(w, &cell[TOLD_PROGRAMS]);
}

static int compare_times(const void *a, const void *b, void *context)
{
	const struct story *s = context;
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (s->by_word[x].cpu_ns != s->by_word[y].cpu_ns)
		return s->by_word[x].cpu_ns > s->by_word[y].cpu_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Sorts the words that have time, the largest first, into word[n_words]. Returns their number. */
static size_t story_rank_words(const struct story *s, size_t *word)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_words; i++)
		if (s->by_word[i].cpu_ns > 0)
			word[n++] = i;
	array_sort_with(word, n, sizeof *word, compare_times, (void *)s);
	return n;
}

static void write_verdicts(struct writer *w, const struct story *s, const struct story_about *about)
{
	size_t *word = xcalloc(s->n_words, sizeof *word), n = story_rank_words(s, word);
	double others_ns = 0;

	if (s->cpu_ns > 0) {
		write_title(w, "Why they were no faster");
		strbuf_addstr(&w->text, "the CPU time used, by main verdict; it does not include "
					"the time that the tasks waited");
		end_line(w, PAGE_TEXT);
	}
	if (n)
		write_names(w, &verdict_table);
	for (size_t i = 0; i < n; i++)
		if (i < about->rows)
			write_verdict(w, s, word[i]);
		else
			others_ns += s->by_word[word[i]].cpu_ns;
	strbuf_addstr(&w->text, "other verdicts");
	write_rest(w, &verdict_table, s, others_ns);
	strbuf_addstr(&w->text, "not judged: less than 10 ms of CPU in an interval");
	write_rest(w, &verdict_table, s, s->cpu_ns - s->judged_ns);
	free(word);
}

/* ---- the whole page ---- */

/* A limit for readability; JSON has all. */
#define CHANGES_MAX 20

/* Returns whether the table of programs has a row with this name. */
static bool is_named(const struct story *s, const struct story_about *about, const char *name)
{
	for (size_t i = 0; i < s->n_programs && i < about->rows; i++)
		if (!strcmp(s->program[i]->name, name))
			return true;
	return false;
}

static const struct {
	const char *label;
	int digits;
} level[N_STORY_LEVELS] = {[STORY_IPC] = {"IPC", 2}, [STORY_CPU] = {"%CPU", 1}};

static void write_changes(struct writer *w, const struct story *s, const struct story_about *about)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_changes && n < CHANGES_MAX; i++) {
		const struct story_change *c = &s->change[i];

		if (!is_named(s, about, c->name))
			continue;
		if (!n++)
			write_title(w, "Phases");
		clock_add_date(&w->text, c->at.wall_ns);
		strbuf_addf(&w->text, "  %" PRIu64 " ", c->id);
		text_add(&w->text, c->name);
		strbuf_addf(&w->text, ": %s %.*f -> %.*f (10^%.0f times likelier than noise)",
			    level[c->of].label, level[c->of].digits, c->before, level[c->of].digits,
			    c->after, c->likelier);
		end_line(w, PAGE_TEXT);
	}
	if (!n || n == s->n_changes)
		return;
	strbuf_addf(&w->text, "and %zu more changes, of these and other programs",
		    s->n_changes - n);
	end_line(w, PAGE_TEXT);
}

static void write_notes(struct writer *w, const struct story *s)
{
	if (!s->n_notes)
		return;
	write_title(w, "What coincided");
	for (size_t i = 0; i < s->n_notes; i++) {
		text_add(&w->text, s->note[i].text);
		end_line(w, PAGE_TEXT);
	}
}

/* Only the kernel's log names the killed processes. */
static void write_kills(struct writer *w, const struct story *s)
{
	if (!s->kills)
		return;
	strbuf_addf(&w->text,
		    "the kernel killed %" PRIu64 " process%s of this machine for lack of memory "
		    "since tiptop began; its log has their names",
		    s->kills, s->kills == 1 ? "" : "es");
	end_line(w, PAGE_TEXT);
}

static void write_sentence(void *context, const char *text)
{
	struct writer *w = context;

	strbuf_addstr(&w->text, text);
	end_line(w, PAGE_TEXT);
}

static void write_remark(void *context, const char *id, const char *text)
{
	(void)id;
	write_sentence(context, text);
}

void story_page_make(struct page *p, const struct story *s, const struct story_about *about)
{
	struct writer w = {.page = p};

	strbuf_init(&w.text);
	p->n = 0;
	arena_reset(&p->arena);
	write_head(&w, s, about);
	write_ran(&w, s);
	write_programs(&w, s, about);
	write_verdicts(&w, s, about);
	write_changes(&w, s, about);
	write_notes(&w, s);
	if (s->n_bad || s->kills)
		write_title(&w, "What ended badly");
	story_each_end(s, write_sentence, &w);
	write_kills(&w, s);
	write_title(&w, "What is not known");
	story_each_remark(s, write_remark, &w);
	strbuf_done(&w.text);
}

/* ---- tables for a browser ---- */

/* clang-format off */
static const struct report_column program_columns[] = {
	{.csv = "program", .title = "program", .width = -16, .role = REPORT_IS_NAME},
	{.csv = "cpu_s", .csv_digits = 3, .title = "CPU", .digits = 2, .unit = "s"},
	{.csv = "share_pct", .csv_digits = 3, .title = "share", .digits = 1, .unit = "%"},
	{.csv = "tasks", .title = "tasks", .role = REPORT_IS_TIMES},
	{.csv = "ended", .title = "ended"},
	{.csv = "ipc", .csv_digits = 4, .title = "IPC", .digits = 2},
	{.csv = "busiest", .title = "busiest PID", .role = REPORT_IS_PROCESS},
	{.csv = "verdict", .title = "main verdict", .width = -16},
	{.csv = "verdict_pct", .csv_digits = 3, .title = "of its time", .digits = 1, .unit = "%"},
};

static const struct report_column verdict_columns[] = {
	{.csv = "program", .title = "program", .width = -16, .role = REPORT_IS_NAME},
	{.csv = "verdict", .title = "verdict", .width = -16, .role = REPORT_IS_KIND},
	{.csv = "cpu_s", .csv_digits = 3, .title = "CPU", .digits = 2, .unit = "s"},
	{.csv = "share_pct", .csv_digits = 3, .title = "of its time", .digits = 1, .unit = "%"},
	{.csv = "maybe_s", .csv_digits = 3, .title = "not certain", .digits = 2, .unit = "s"},
	{.csv = "busiest_interval", .title = "its numbers in the busiest interval", .width = -40, .unknown = ""},
};

static const struct report_column change_columns[] = {
	{.csv = "time", .title = "time", .width = -29},
	{.csv = "id", .title = "PID", .role = REPORT_IS_PROCESS},
	{.csv = "program", .title = "program", .width = -16},
	{.csv = "column", .title = "column", .width = -8},
	{.csv = "before", .csv_digits = 4, .title = "before", .digits = 2},
	{.csv = "after", .csv_digits = 4, .title = "after", .digits = 2},
	{.csv = "likelier", .csv_digits = 1, .title = "likelier than noise, 10^", .digits = 0},
};

static const struct report_column note_columns[] = {
	{.csv = "time", .title = "time", .width = -29},
	{.csv = "text", .title = "what coincided", .width = -40},
};

static const struct report_column exit_columns[] = {
	{.csv = "time", .title = "time", .width = -29},
	{.csv = "id", .title = "PID", .role = REPORT_IS_PROCESS},
	{.csv = "program", .title = "program", .width = -16},
	{.csv = "signal", .title = "signal"},
	{.csv = "status", .title = "status"},
};
static const struct report_column remark_columns[] = {
	{.csv = "text", .title = "What is not known", .width = -40},
};
/* clang-format on */

#define TYPE(name)                                                                                 \
	static const struct report_type name##_type = {                                            \
		name##_columns, sizeof name##_columns / sizeof *name##_columns, NULL, 1, NULL}

TYPE(program);
TYPE(verdict);
TYPE(change);
TYPE(note);
TYPE(exit);
TYPE(remark);

/* ---- sentences ---- */

/* Adds the lines of the page before its second section, as a note. */
static void add_head(struct report *report, const struct story *s, const struct story_about *about)
{
	struct strbuf text;
	struct page page;
	int sections = 0;

	page_init(&page);
	story_page_make(&page, s, about);
	strbuf_init(&text);
	strbuf_addf(&text, "# %s\n", page.title);
	for (size_t i = 0; i < page.n && sections < 2; i++)
		if (page.line[i].style == PAGE_TITLE)
			sections++;
		else
			strbuf_addf(&text, "#   %s\n", page.line[i].text);
	report_note(report, text.text);
	strbuf_done(&text);
	page_done(&page);
}

static void add_remark(void *report, const char *id, const char *text)
{
	(void)id;
	record_text(report_add(report, &remark_type), "", text);
}

/* ---- tables ---- */

static void put_word(struct report_record *r, const struct story *s, size_t word,
		     const struct story_time_of *by_word)
{
	record_textf(r, "", "%s%s", s->word[word] ? s->word[word] : "no verdict",
		     2 * by_word->maybe_ns > by_word->cpu_ns ? "?" : "");
}

static size_t main_word(const struct story *s, const struct story_time_of *by_word)
{
	size_t best = 0;

	for (size_t i = 1; i < s->n_words; i++)
		if (by_word[i].cpu_ns > by_word[best].cpu_ns)
			best = i;
	return best;
}

static void add_program(struct report *report, const struct story *s, const struct story_program *p)
{
	struct report_record *r = report_add(report, &program_type);
	const size_t word = main_word(s, p->by_word);

	record_text(r, "", p->name);
	record_number(r, "", p->cpu_ns / 1e9);
	record_number(r, "", percent(p->cpu_ns, s->cpu_ns));
	record_count(r, "", p->n_tasks);
	record_count(r, "", p->n_ended);
	record_number(r, "", p->ipc_ns > 0 ? p->ipc : NAN);
	record_count(r, "", p->busiest);
	if (p->by_word[word].cpu_ns > 0) {
		put_word(r, s, word, &p->by_word[word]);
		record_number(r, "", percent(p->by_word[word].cpu_ns, p->cpu_ns));
	} else {
		record_unknown(r, "");
		record_unknown(r, "");
	}
}

static int compare_word_times(const void *a, const void *b, void *context)
{
	const struct story_time_of *by_word = context;
	const double x = by_word[*(const size_t *)a].cpu_ns, y = by_word[*(const size_t *)b].cpu_ns;

	return (x < y) - (x > y);
}

/* Adds the verdicts of a program, the one with the most CPU time first. */
static void add_verdicts(struct report *report, const struct story *s,
			 const struct story_program *p, const struct story_examples *examples)
{
	size_t *word = xcalloc(s->n_words + 1, sizeof *word);

	for (size_t i = 0; i < s->n_words; i++)
		word[i] = i;
	array_sort_with(word, s->n_words, sizeof *word, compare_word_times, p->by_word);
	for (size_t i = 0; i < s->n_words && p->by_word[word[i]].cpu_ns > 0; i++) {
		const struct story_time_of *by_word = &p->by_word[word[i]];
		struct report_record *r = report_add(report, &verdict_type);

		record_text(r, "", p->name);
		put_word(r, s, word[i], by_word);
		record_number(r, "", by_word->cpu_ns / 1e9);
		record_number(r, "", percent(by_word->cpu_ns, p->cpu_ns));
		record_number(r, "", by_word->maybe_ns / 1e9);
		record_text(r, "", examples->find(examples->context, p->name, word[i]));
	}
	free(word);
}

static void put_time(struct report_record *r, uint64_t wall_ns)
{
	if (wall_ns)
		record_time(r, "", wall_ns);
	else
		record_unknown(r, "");
}

static void add_changes(struct report *report, const struct story *s)
{
	if (s->n_changes)
		report_note(report, "# Phases: when a number changed its level\n");
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct story_change *c = &s->change[i];
		struct report_record *r = report_add(report, &change_type);

		put_time(r, c->at.wall_ns);
		record_count(r, "", c->id);
		record_text(r, "", c->name);
		record_text(r, "", c->of == STORY_IPC ? "IPC" : "%CPU");
		record_number(r, "", c->before);
		record_number(r, "", c->after);
		record_number(r, "", c->likelier);
	}
}

static void add_notes(struct report *report, const struct story *s)
{
	if (s->n_notes)
		report_note(report, "# What coincided\n");
	for (size_t i = 0; i < s->n_notes; i++) {
		struct report_record *r = report_add(report, &note_type);

		put_time(r, s->note[i].at.wall_ns);
		record_text(r, "", s->note[i].text);
	}
}

static void add_exits(struct report *report, const struct story *s)
{
	if (s->n_bad)
		report_note(report, "# What ended badly\n");
	for (size_t i = 0; i < s->n_bad; i++) {
		const struct story_exit *e = &s->bad[i];
		struct report_record *r = report_add(report, &exit_type);

		put_time(r, e->at.wall_ns);
		record_count(r, "", e->id);
		record_text(r, "", e->name);
		record_optional_count(r, "", (uint64_t)e->signal);
		record_optional_count(r, "", e->signal ? 0 : (uint64_t)e->status);
	}
}

void story_add_report(struct report *report, const struct story *s, const struct story_about *about,
		      const struct story_examples *examples)
{
	add_head(report, s, about);
	report_note(report, "# The biggest consumers\n");
	for (size_t i = 0; i < s->n_programs; i++)
		add_program(report, s, s->program[i]);
	report_note(report, "# Why they were no faster: CPU time by verdict\n");
	for (size_t i = 0; i < s->n_programs; i++)
		add_verdicts(report, s, s->program[i], examples);
	add_changes(report, s);
	add_notes(report, s);
	add_exits(report, s);
	story_each_remark(s, add_remark, report);
}
