/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/ask.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "base/unit.h"
#include "tui/key.h"
#include "view/row_filter.h"

/* ---- prompt ---- */

/* The minimum width of the text field, however long the label is. */
#define FIELD_MIN 10
/* From this field width on, "<" and ">" mark the cut ends of the text. */
#define MARKS_MIN 5

void prompt_open(struct prompt *p, const char *label, const char *initial)
{
	*p = (struct prompt){.label = label, .selected = true};
	snprintf(p->text, sizeof(p->text), "%s", initial);
	p->len = p->cursor = strlen(p->text);
}

/* Returns the offset of the character before byte `at`. */
static size_t place_before(const struct prompt *p, size_t at)
{
	while (at > 0 && text_continues(p->text[--at]))
		;
	return at;
}

static size_t place_behind(const struct prompt *p, size_t at)
{
	at += at < p->len;
	while (at < p->len && text_continues(p->text[at]))
		at++;
	return at;
}

static void cut(struct prompt *p, size_t from, size_t to)
{
	if (p->selected) {
		from = 0;
		to = p->len;
	}
	memmove(p->text + from, p->text + to, p->len + 1 - to);
	p->len -= to - from;
	p->cursor = from;
}

static void insert(struct prompt *p, const char *bytes, size_t n)
{
	if (p->selected)
		cut(p, 0, p->len);
	p->selected = false;
	if (p->len + n >= sizeof(p->text))
		return;
	memmove(p->text + p->cursor + n, p->text + p->cursor, p->len + 1 - p->cursor);
	memcpy(p->text + p->cursor, bytes, n);
	p->len += n;
	p->cursor += n;
}

/* Returns the length of the multi-byte UTF-8 sequence that begins with this byte; 0: the byte
 * begins no such sequence, as with ASCII. */
static size_t sequence_length(unsigned char lead)
{
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static void take_byte(struct prompt *p, char byte)
{
	size_t len;

	if (!text_continues(byte))
		p->n_partial = 0;
	else if (p->n_partial == 0)
		return;
	p->partial[p->n_partial++] = byte;
	if (p->n_partial < sequence_length((unsigned char)p->partial[0]))
		return;
	text_decode(p->partial, p->n_partial, &len);
	if (len > 1)
		insert(p, p->partial, p->n_partial);
	p->n_partial = 0;
}

static void edit_left(struct prompt *p)
{
	p->cursor = place_before(p, p->cursor);
}

static void edit_right(struct prompt *p)
{
	p->cursor = place_behind(p, p->cursor);
}

static void edit_home(struct prompt *p)
{
	p->cursor = 0;
}

static void edit_end(struct prompt *p)
{
	p->cursor = p->len;
}

static void edit_backspace(struct prompt *p)
{
	cut(p, place_before(p, p->cursor), p->cursor);
}

static void edit_delete(struct prompt *p)
{
	cut(p, p->cursor, place_behind(p, p->cursor));
}

static void edit_line(struct prompt *p)
{
	cut(p, 0, p->cursor);
}

/* Deletes the word before the cursor, and the blanks between the word and the cursor. */
static void edit_word(struct prompt *p)
{
	size_t from = p->cursor;

	while (from > 0 && p->text[from - 1] == ' ')
		from--;
	while (from > 0 && p->text[from - 1] != ' ')
		from--;
	cut(p, from, p->cursor);
}

static const struct {
	int key;
	void (*act)(struct prompt *p);
} edit_table[] = {
	{KEYCODE_LEFT, edit_left},        {KEYCODE_RIGHT, edit_right},
	{KEYCODE_HOME, edit_home},        {KEYCODE_END, edit_end},
	{KEYCODE_DELETE, edit_delete},    {KEYCODE_BACKSPACE, edit_backspace},
	{KEYCODE_CTRL_H, edit_backspace}, {KEYCODE_CTRL_U, edit_line},
	{KEYCODE_CTRL_W, edit_word},
};

enum prompt_state prompt_key(struct prompt *p, int key)
{
	char byte = (char)key;
	bool in_sequence = key >= 0x80 && key < KEYCODE_FIRST;

	if (!in_sequence)
		p->n_partial = 0;
	switch (key) {
	case KEYCODE_ENTER:
	case '\n':
		return PROMPT_ACCEPTED;
	case KEYCODE_ESC:
	case KEYCODE_CTRL_C:
	case KEYCODE_CTRL_G:
		return PROMPT_CANCELLED;
	}
	for (size_t i = 0; i < sizeof(edit_table) / sizeof(edit_table[0]); i++)
		if (edit_table[i].key == key) {
			edit_table[i].act(p);
			p->selected = false;
			return PROMPT_OPEN;
		}
	if (key >= ' ' && key < KEYCODE_BACKSPACE)
		insert(p, &byte, 1);
	else if (in_sequence)
		take_byte(p, byte);
	return PROMPT_OPEN;
}

/* Returns the number of columns that the first n bytes of a text take. */
static int columns(const char *text, size_t n)
{
	struct canvas nowhere = CANVAS_INIT;

	return canvas_put_n(&nowhere, 0, 0, LOOK_NORMAL, text, n);
}

/* Paints the character under the cursor, together with zero-width characters before it. */
static void paint_cursor(const struct prompt *p, struct canvas *c, int x, int y)
{
	size_t end = p->cursor;
	int wide = 0;

	while (end < p->len && wide == 0) {
		end = place_behind(p, end);
		wide = columns(p->text + p->cursor, end - p->cursor);
	}
	if (wide > 0)
		canvas_put_n(c, x, y, LOOK_HEADER, p->text + p->cursor, end - p->cursor);
	else
		canvas_fill(c, x, y, 1, LOOK_HEADER);
}

/* Where the parts of a prompt are painted, in columns. */
struct places {
	int label;  /* width of the label */
	int field;  /* width of the text field */
	int start;  /* columns of the text that are scrolled out at the left */
	int all;    /* width of the text, plus one for a cursor after it */
	int before; /* columns of the text before the cursor */
};

static struct places places_of(const struct prompt *p, int width)
{
	struct places at = {
		.label = canvas_text_width(p->label),
		.all = columns(p->text, p->len) + 1,
		.before = columns(p->text, p->cursor),
	};

	if (at.label > width - FIELD_MIN)
		at.label = width > FIELD_MIN ? width - FIELD_MIN : 0;
	at.field = width - at.label;
	at.start = at.before - at.field / 2;
	at.start = at.start < at.all - at.field ? at.start : at.all - at.field;
	at.start = at.start > 0 ? at.start : 0;
	/* If the field has only one column, show the last character instead of the cursor after
	 * it. */
	if (at.field == 1 && p->cursor == p->len && at.before > 0)
		at.start = at.before - 1;
	return at;
}

int prompt_column(const struct prompt *p, int width, size_t at)
{
	const struct places places = places_of(p, width);
	int x = places.label - places.start + columns(p->text, at < p->len ? at : p->len);

	if (x < places.label)
		return places.label;
	return x < width ? x : width - 1;
}

#define KEYS "Enter accepts, ESC cancels"

/* Paints the keys that end a prompt, if its text leaves room for them. */
static void paint_keys(struct canvas *c, int y, const struct places *at)
{
	const int x = c->width - canvas_text_width(KEYS);

	if (at->label + at->all + 1 < x)
		canvas_put(c, x, y, LOOK_FAINT, KEYS);
}

void prompt_paint(const struct prompt *p, struct canvas *c, int y)
{
	const struct places at = places_of(p, c->width);

	canvas_fill(c, 0, y, c->width, LOOK_NORMAL);
	paint_keys(c, y, &at);
	canvas_put(c, at.label - at.start, y, p->selected ? LOOK_HEADER : LOOK_NORMAL, p->text);
	paint_cursor(p, c, at.label - at.start + at.before, y);
	if (at.start > 0 && at.field >= MARKS_MIN)
		canvas_put(c, at.label, y, LOOK_FAINT, "<");
	if (at.all - at.start > at.field && at.field >= MARKS_MIN)
		canvas_put(c, c->width - 1, y, LOOK_FAINT, ">");
	canvas_fill(c, 0, y, at.label, LOOK_NORMAL);
	canvas_put_cut(c, 0, y, at.label, LOOK_NORMAL | LOOK_STRONG, p->label);
}

/* ---- signame ---- */

int signame_parse(const char *text, int *signal, struct err *err)
{
	const char *name = strncasecmp(text, "SIG", 3) ? text : text + 3;
	struct suggestion near;
	long number;

	suggestion_begin(&near, name);
	for (int i = 1; i < NSIG; i++) {
		const char *abbreviation = code_name_signal(i);

		if (abbreviation && !strcasecmp(abbreviation, name)) {
			*signal = i;
			return 0;
		}
		if (abbreviation)
			suggestion_offer(&near, abbreviation);
	}
	if (num_parse_int(text, "the signal", 1, SIGRTMAX, &number, NULL) < 0)
		return err_set(err, EINVAL,
			       "there is no signal '%s'%s: type a name such as TERM, or a number "
			       "from 1 to %d",
			       text, suggestion_text(&near), SIGRTMAX);
	*signal = (int)number;
	return 0;
}

/* ---- ask ---- */

/* One prompt of a request. */
struct ask_row {
	const char *label;
	/* Appends the variable part of the label, which stands between `label` and `end`. NULL: the
	 * label has no variable part. */
	void (*about)(const struct ask *a, struct strbuf *out);
	const char *end;
	/* Writes the initial text of the prompt, "" for none. Returns the length that the text has
	 * if it is not cut, as snprintf() does. NULL: the prompt starts empty. */
	int (*initial)(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX]);
	/* Parses the answer into the draft. NULL: the answer becomes draft->text unchanged. */
	int (*take)(struct request *draft, const char *answer, struct err *err);
	bool may_be_empty; /* false: an empty answer cancels the request */
	/* Checks the answer at each key. Appends a hint to `tell` if the answer is valid; else sets
	 * err, whose sentence begins with the column of the error if the error has a place. NULL:
	 * the answer is not checked while it is typed. */
	int (*check)(const struct ask *a, const char *answer, struct strbuf *tell, struct err *err);
};

#define STEPS_MAX 2
#define TOO_LONG  "what is set now is too long to be edited here: ESC keeps it"

static int initial_delay(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)a;
	return snprintf(text, REQUEST_TEXT_MAX, "%g", view->delay_s);
}

static int write_filter(const struct filter *filter, char text[REQUEST_TEXT_MAX])
{
	if (filter->pid)
		return snprintf(text, REQUEST_TEXT_MAX, "%d", filter->pid);
	return snprintf(text, REQUEST_TEXT_MAX, "%s", filter->text ? filter->text : "");
}

static int initial_filter(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)a;
	return write_filter(&view->filter, text);
}

static int initial_row_filter(const struct ask *a, const struct view *view,
			      char text[REQUEST_TEXT_MAX])
{
	(void)a;
	return snprintf(text, REQUEST_TEXT_MAX, "%s", view->filter_text ? view->filter_text : "");
}

/* Appends the forms that a filter may have, and the names of the named filters. */
static void add_filter_forms(const struct ask *a, struct strbuf *out)
{
	strbuf_addstr(out, "a text, /a regular expression/ or a condition: "
			   "cpu > 20 && user == 'db'; under(pid)");
	for (size_t i = 0; a->filters && i < a->filters->n; i++)
		strbuf_addf(out, "; @%s", a->filters->v[i].name);
}

static int check_row_filter(const struct ask *a, const char *answer, struct strbuf *tell,
			    struct err *err)
{
	static const struct filter_list none = FILTER_LIST_INIT;
	struct row_filter *made = NULL;
	int ret = 0;

	if (a->screen)
		ret = row_filter_make(&made, answer, a->screen, a->filters ? a->filters : &none,
				      err);
	if (!ret && made && row_filter_advice(made))
		strbuf_addstr(tell, row_filter_advice(made));
	else if (!ret)
		add_filter_forms(a, tell);
	row_filter_free(made);
	return ret;
}

static int check_by_opener(const struct ask *a, const char *answer, struct strbuf *tell,
			   struct err *err)
{
	return a->check ? a->check(a->ui, answer, tell, err) : 0;
}

static int initial_watch(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)a;
	return view->watching ? write_filter(&view->watch, text) : 0;
}

static int initial_user(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)a;
	return snprintf(text, REQUEST_TEXT_MAX, "%s", view->uid_name ? view->uid_name : "");
}

static int initial_victim(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)view;
	return a->victim ? snprintf(text, REQUEST_TEXT_MAX, "%d", a->victim) : 0;
}

static int initial_signal(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)view;
	return snprintf(text, REQUEST_TEXT_MAX, "%d", a->draft.signal ? a->draft.signal : SIGTERM);
}

static int initial_path(const struct ask *a, const struct view *view, char text[REQUEST_TEXT_MAX])
{
	(void)view;
	return snprintf(text, REQUEST_TEXT_MAX, "%s", a->path ? a->path : "");
}

static int initial_picture(const struct ask *a, const struct view *view,
			   char text[REQUEST_TEXT_MAX])
{
	(void)a;
	(void)view;
	return snprintf(text, REQUEST_TEXT_MAX, "tiptop.svg");
}

static void take_text(struct request *draft, const char *answer)
{
	snprintf(draft->text, sizeof(draft->text), "%s", answer);
}

/* Accepts only pids from 1 on: kill(2) takes numbers below 1 for process groups. */
static int take_pid(struct request *draft, const char *answer, struct err *err)
{
	long pid;
	int ret = num_parse_int(answer, "the pid", 1, INT32_MAX, &pid, err);

	if (!ret)
		take_text(draft, answer);
	return ret;
}

static int take_signal(struct request *draft, const char *answer, struct err *err)
{
	return signame_parse(answer, &draft->signal, err);
}

/* ---- subjects of prompts ---- */

static void add_subject(const struct ask *a, struct strbuf *out)
{
	strbuf_addstr(out, *a->subject ? a->subject : "the task");
}

/* Returns whether the user has kept the default pid. */
static bool is_default_pid(const struct ask *a)
{
	return a->victim && strtol(a->draft.text, NULL, 10) == a->victim;
}

/* Appends the name of the task with the default pid, unless the user has typed another pid. */
static void add_default_name(const struct ask *a, struct strbuf *out)
{
	const char *name = strchr(a->subject, ' ');

	if (name && (!*a->draft.text || is_default_pid(a)))
		strbuf_addf(out, " (%s)", name + 1);
}

/* Appends the name of the task if the user has kept the default pid, else the typed pid. */
static void add_receiver(const struct ask *a, struct strbuf *out)
{
	if (is_default_pid(a))
		add_subject(a, out);
	else
		strbuf_addstr(out, a->draft.text);
}

static void add_user(const struct ask *a, struct strbuf *out)
{
	if (*a->row_user)
		strbuf_addf(out, "this row: %s; ", a->row_user);
}

static const struct ask_row ask_table[][STEPS_MAX] = {
	[REQUEST_DELAY] = {{.label = "Seconds between two refreshes: ", .initial = initial_delay}},
	[REQUEST_FILTER] = {{.label = "Only a pid, or names that contain a text: ",
			     .initial = initial_filter,
			     .may_be_empty = true}},
	[REQUEST_ROW_FILTER] = {{.label = "Filter: ",
				 .initial = initial_row_filter,
				 .may_be_empty = true,
				 .check = check_row_filter}},
	[REQUEST_USER] = {{.label = "Only tasks of the user (",
			   .about = add_user,
			   .end = "empty: all): ",
			   .initial = initial_user,
			   .may_be_empty = true}},
	[REQUEST_WATCH] = {{.label = "Watch a pid, or names that contain a text: ",
			    .initial = initial_watch,
			    .may_be_empty = true}},
	[REQUEST_SCREEN] = {{.label = "Screen (number or name): "}},
	[REQUEST_KILL] = {{.label = "Pid to send a signal to",
			   .about = add_default_name,
			   .end = ": ",
			   .initial = initial_victim,
			   .take = take_pid},
			  {.label = "Signal for ",
			   .about = add_receiver,
			   .end = " (number or name): ",
			   .initial = initial_signal,
			   .take = take_signal}},
	[REQUEST_KILL_TAGGED] = {{.label = "Signal for ",
				  .about = add_subject,
				  .end = " (number or name): ",
				  .initial = initial_signal,
				  .take = take_signal}},
	[REQUEST_NICE] = {{.label = "Nice value of ",
			   .about = add_subject,
			   .end = " (-20 to 19): "}},
	[REQUEST_CPUS] = {{.label = "CPUs for ", .about = add_subject, .end = " (as 0-3,8): "}},
	[REQUEST_JUMP] = {{.label = "Go to (14:03, 2026-01-31 14:03:20, +90, -90): "}},
	[REQUEST_SETTING] = {{.label = "Value: "}},
	[REQUEST_COLUMN] = {{.label = "Column (NAME = expression): ", .check = check_by_opener}},
	[REQUEST_COPY] = {{.label = "Name of the copy of ",
			   .about = add_subject,
			   .end = ": ",
			   .check = check_by_opener}},
	[REQUEST_SEARCH] = {{.label = "Search: ", .may_be_empty = true}},
	[REQUEST_PICTURE] = {{.label = "Write a picture to (.txt .ans .svg .html): ",
			      .initial = initial_picture}},
	[REQUEST_RECORD_TO] = {{.label = "Record into: "}},
	[REQUEST_WRITE] = {{.label = "Write the configuration to: ", .initial = initial_path}},
};

static const struct ask_row *step_row(const struct ask *a)
{
	return &ask_table[a->draft.kind][a->step];
}

/* Opens the prompt of the current step with this initial text. */
static void open_prompt(struct ask *a, const char *initial)
{
	const struct ask_row *row = step_row(a);
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addstr(&text, row->label);
	if (row->about) {
		row->about(a, &text);
		strbuf_addstr(&text, row->end);
	}
	snprintf(a->label, sizeof a->label, "%s", text.text);
	strbuf_done(&text);
	prompt_open(&a->prompt, a->label, initial);
}

/* Checks the answer typed so far, and sets a->text and a->fault. Returns whether the answer is
 * valid. */
static bool check_answer(struct ask *a)
{
	const struct ask_row *row = step_row(a);
	struct err err = ERR_INIT;
	struct strbuf tell;
	int ret;

	a->fault = 0;
	if (!row->check)
		return true;
	strbuf_init(&tell);
	ret = row->check(a, a->prompt.text, &tell, &err);
	snprintf(a->text, sizeof(a->text), "%s", ret ? err.text : tell.text);
	strbuf_done(&tell);
	if (ret)
		a->fault = expr_fault_column(&err);
	return !ret;
}

static void open_step(struct ask *a, size_t step, const struct view *view)
{
	const struct ask_row *row;
	char text[REQUEST_TEXT_MAX] = "";
	bool whole;

	a->step = step;
	row = step_row(a);
	whole = !row->initial || row->initial(a, view, text) < REQUEST_TEXT_MAX;
	/* A setting that is too long for the prompt is left out: if the prompt had only its
	 * beginning, Enter would change the setting. */
	open_prompt(a, whole ? text : "");
	snprintf(a->text, sizeof(a->text), "%s", whole ? "" : TOO_LONG);
	if (whole)
		check_answer(a);
	a->mode = ASK_PROMPT;
}

void ask_open(struct ask *a, enum request_kind kind, const struct view *view)
{
	a->draft = (struct request){.kind = kind};
	open_step(a, 0, view);
}

void ask_offer(struct ask *a, enum request_kind kind, const char *text)
{
	a->draft = (struct request){.kind = kind};
	a->step = 0;
	open_prompt(a, text);
	a->text[0] = '\0';
	a->mode = ASK_PROMPT;
}

static void say(struct ask *a, enum ask_mode mode, const char *text)
{
	snprintf(a->text, sizeof(a->text), "%s", text);
	a->fault = 0;
	a->mode = mode;
}

void ask_message(struct ask *a, const char *text)
{
	say(a, ASK_MESSAGE, text);
}

void ask_question(struct ask *a, const char *text, const struct request *yes)
{
	a->draft = *yes;
	say(a, ASK_QUESTION, text);
}

/* Leaves the answer in its prompt, but not selected: the next key edits the answer instead of
 * replacing it. */
static void retain_answer(struct ask *a, const char *reason)
{
	a->prompt.selected = false;
	say(a, ASK_PROMPT, reason);
}

void ask_refuse(struct ask *a, const struct request *refused, const char *reason)
{
	a->draft = *refused;
	if (refused->kind == REQUEST_OVERWRITE)
		a->draft.kind = REQUEST_WRITE;
	if (refused->kind == REQUEST_PICTURE_OVERWRITE)
		a->draft.kind = REQUEST_PICTURE;
	a->step = 0;
	open_prompt(a, refused->text);
	retain_answer(a, reason);
}

bool ask_takes_keys(const struct ask *a)
{
	return a->mode == ASK_PROMPT || a->mode == ASK_QUESTION;
}

static unsigned close_with(struct ask *a, unsigned reactions)
{
	if (reactions & REACT_REQUEST)
		a->ready = a->draft;
	a->text[0] = '\0';
	a->fault = 0;
	a->mode = ASK_NOTHING;
	return reactions;
}

static unsigned accept(struct ask *a, const struct view *view)
{
	const struct ask_row *row = step_row(a);
	struct err err = ERR_INIT;

	if (a->prompt.len == 0 && !row->may_be_empty)
		return close_with(a, REACT_PAINT);
	if (!check_answer(a)) {
		a->prompt.selected = false;
		return REACT_PAINT;
	}
	if (!row->take) {
		take_text(&a->draft, a->prompt.text);
	} else if (row->take(&a->draft, a->prompt.text, &err) < 0) {
		retain_answer(a, err.text);
		return REACT_PAINT;
	}
	if (a->step + 1 == STEPS_MAX || !row[1].label)
		return close_with(a, REACT_REQUEST | REACT_PAINT);
	open_step(a, a->step + 1, view);
	return REACT_PAINT;
}

static unsigned answer_question(struct ask *a, int key)
{
	/* The keys that answer each question, and the request that each leads to. */
	static const struct {
		enum request_kind asked;
		int key;
		enum request_kind agreed;
	} answers[] = {
		{REQUEST_OVERWRITE, 'y', REQUEST_OVERWRITE},
		{REQUEST_PICTURE_OVERWRITE, 'y', REQUEST_PICTURE_OVERWRITE},
		{REQUEST_QUIT, 'q', REQUEST_QUIT},
		{REQUEST_QUIT, 'w', REQUEST_WRITE},
		{REQUEST_LEAVE, 'e', REQUEST_END},
		{REQUEST_LEAVE, 'l', REQUEST_LEAVE},
	};

	switch (key) {
	case 'n':
	case 'N':
	case KEYCODE_ESC:
	case KEYCODE_CTRL_C:
	case KEYCODE_CTRL_G:
		return close_with(a, REACT_PAINT);
	}
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		if (answers[i].asked == a->draft.kind &&
		    (key == answers[i].key || key == answers[i].key + 'A' - 'a')) {
			a->draft.kind = answers[i].agreed;
			if (a->draft.kind == REQUEST_WRITE) {
				ask_open(a, REQUEST_WRITE, NULL);
				a->draft.then = REQUEST_QUIT;
				return REACT_PAINT;
			}
			return close_with(a, REACT_REQUEST | REACT_PAINT);
		}
	return REACT_NONE;
}

unsigned ask_key(struct ask *a, const struct view *view, int key)
{
	if (a->mode == ASK_QUESTION)
		return answer_question(a, key);
	switch (prompt_key(&a->prompt, key)) {
	case PROMPT_ACCEPTED:
		return accept(a, view);
	case PROMPT_CANCELLED:
		return close_with(a, REACT_PAINT);
	default:
		check_answer(a);
		return REACT_PAINT;
	}
}

unsigned ask_clear(struct ask *a)
{
	return a->mode == ASK_MESSAGE ? close_with(a, REACT_PAINT) : REACT_NONE;
}

/* Paints the text into the lines before `bottom`, at most `most` of them. */
static void paint_text(const char *text, struct canvas *c, int bottom, int most)
{
	int n = canvas_put_wrapped(c, c->height, most, LOOK_NOTE, text);

	for (int y = bottom - n; y < bottom; y++)
		canvas_fill(c, 0, y, c->width, LOOK_NOTE);
	canvas_put_wrapped(c, bottom - n, most, LOOK_NOTE, text);
}

/* Paints the prompt, below it a mark at the place of the error, and the sentence of the error:
 * behind the mark if it fits there, else in the lines below. */
static void paint_fault(const struct ask *a, struct canvas *c, int most)
{
	int x = prompt_column(&a->prompt, c->width, a->fault - 1), lines = 0, y;
	bool behind = x + 2 + canvas_text_width(a->text) <= c->width;

	if (!behind)
		lines = canvas_put_wrapped(c, c->height, most - 2, LOOK_NOTE, a->text);
	y = c->height - 2 - lines;
	prompt_paint(&a->prompt, c, y++);
	for (int i = y; i < c->height; i++)
		canvas_fill(c, 0, i, c->width, LOOK_NOTE);
	canvas_put(c, x, y, LOOK_NOTE | LOOK_STRONG, "^");
	if (behind)
		canvas_put(c, x + 2, y, LOOK_NOTE, a->text);
	else
		canvas_put_wrapped(c, y + 1, most - 2, LOOK_NOTE, a->text);
}

/* From this screen height on there is room for an error below a prompt. */
#define FAULT_MIN_LINES 6

void ask_paint(const struct ask *a, struct canvas *c)
{
	int most = c->height > 3 ? c->height / 2 : (c->height + 1) / 2;

	if (a->mode == ASK_PROMPT && a->fault && c->height >= FAULT_MIN_LINES) {
		paint_fault(a, c, most);
	} else if (a->mode == ASK_PROMPT) {
		paint_text(a->text, c, c->height - 1, most - 1);
		prompt_paint(&a->prompt, c, c->height - 1);
	} else if (a->mode != ASK_NOTHING) {
		paint_text(a->text, c, c->height, most);
	}
}
