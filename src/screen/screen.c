/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/screen.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "screen/expr/lex.h"

/* ---- topic ---- */

/* The maximal depth of columns that use other columns: it ends the recursion of cycles. */
#define DEPTH_MAX 8

const char *const topic_title[N_TOPICS] = {
	[TOPIC_IDENTITY] = "Which task it is",
	[TOPIC_CPU_TIME] = "CPU time",
	[TOPIC_WAITING] = "Waiting and scheduling",
	[TOPIC_MEMORY] = "Memory and page faults",
	[TOPIC_COUNTERS] = "Counters",
	[TOPIC_REGIONS] = "Regions of code and library calls",
	[TOPIC_LOCKS] = "Locks",
	[TOPIC_PLACE] = "CPUs, cores and sockets",
	[TOPIC_OTHER] = "Others",
};

static const enum topic derived_topic[VARIABLE_FIRST_FACT] = {
	[VARIABLE_CPU_TOT] = TOPIC_CPU_TIME,    [VARIABLE_CPU_SYS] = TOPIC_CPU_TIME,
	[VARIABLE_CPU_USER] = TOPIC_CPU_TIME,   [VARIABLE_FAST_CORES] = TOPIC_CPU_TIME,
	[VARIABLE_MEM_TOTAL_KB] = TOPIC_MEMORY, [VARIABLE_VERDICT] = TOPIC_WAITING,
};

const int n_variables = VARIABLE_FIRST_FACT + N_FACTS;

enum topic topic_of_variable(int variable)
{
	if (variable < VARIABLE_FIRST_FACT)
		return derived_topic[variable];
	return fact_table[variable - VARIABLE_FIRST_FACT].topic;
}

static bool is_counter(const struct screen *s, const struct lexer *l)
{
	for (size_t i = 0; i < s->n_counters; i++)
		if (lex_is(l, s->counter[i].alias))
			return true;
	return false;
}

static enum topic topic_of_name(const struct lexer *l)
{
	for (int v = 0; v < n_variables; v++)
		if (lex_is(l, variable_at(v).name))
			return topic_of_variable(v);
	return TOPIC_OTHER;
}

/* Returns the column that the token names, perhaps in [ ]; n_columns: none. */
static size_t column_of(const struct screen *s, const struct token *t)
{
	const size_t edge = t->kind == TOKEN_BRACKET;

	return screen_find_column(s, 0, t->text + edge, t->len - 2 * edge);
}

static enum topic topic_of(const struct screen *s, const char *text, int depth)
{
	enum topic first = TOPIC_OTHER;
	struct lexer l;

	for (lex_start(&l, text); l.token.kind != TOKEN_END; lex_next(&l)) {
		enum topic topic = TOPIC_OTHER;
		size_t i;

		if (l.token.kind != TOKEN_NAME && l.token.kind != TOKEN_BRACKET)
			continue;
		if (is_counter(s, &l))
			return TOPIC_COUNTERS;
		topic = topic_of_name(&l);
		i = topic ? s->n_columns : column_of(s, &l.token);
		if (i < s->n_columns && depth < DEPTH_MAX)
			topic = topic_of(s, s->column[i].text, depth + 1);
		if (topic == TOPIC_COUNTERS)
			return topic;
		first = first ? first : topic;
	}
	return first;
}

void topic_set(struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		s->column[i].topic = topic_of(s, s->column[i].text, 0);
}

/* ---- threshold ---- */

static bool is_less(double a, double b)
{
	return a < b;
}

static bool is_less_equal(double a, double b)
{
	return a <= b;
}

static bool is_greater(double a, double b)
{
	return a > b;
}

static bool is_greater_equal(double a, double b)
{
	return a >= b;
}

static bool is_equal(double a, double b)
{
	return a == b;
}

static bool is_other(double a, double b)
{
	return a != b;
}

/* "<=" precedes "<", and ">=" precedes ">": the first sign with which the text begins is used. */
static const struct {
	const char *sign, *word;
	bool (*is_beyond)(double a, double b);
} operators[] = {
	{"<=", "le", is_less_equal}, {"<", "lt", is_less},   {">=", "ge", is_greater_equal},
	{">", "gt", is_greater},     {"==", "eq", is_equal}, {"!=", "ne", is_other},
};

int threshold_read(struct threshold *t, struct err *err)
{
	const char *text = t->text;

	for (size_t i = 0; text && i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t sign = strlen(operators[i].sign), word = strlen(operators[i].word), n = 0;

		if (!strncmp(text, operators[i].sign, sign))
			n = sign;
		else if (!strncmp(text, operators[i].word, word) && text[word] == ' ')
			n = word;
		if (!n)
			continue;
		t->is_beyond = operators[i].is_beyond;
		return num_parse_double(text + n + strspn(text + n, " "), "the threshold",
					-HUGE_VAL, HUGE_VAL, &t->number, err);
	}
	return text ? err_set(err, EINVAL,
			      "'%s' is not a threshold: write a comparison and a number, as in "
			      "\"&lt; 0.5\" or \"gt 20\"",
			      text)
		    : 0;
}

void threshold_done(struct threshold *t)
{
	free(t->text);
	*t = (struct threshold){.text = NULL};
}

static bool is_beyond(const struct threshold *t, struct value v)
{
	return t->is_beyond && value_known(v) && t->is_beyond(v.number, t->number);
}

enum level threshold_level(const struct threshold *warn, const struct threshold *crit,
			   struct value v)
{
	return is_beyond(crit, v) ? LEVEL_CRIT : is_beyond(warn, v) ? LEVEL_WARN : LEVEL_NONE;
}

/* ---- variable ----
 *
 * The variables that expressions may use.
 */

static const struct variable_row derived_table[VARIABLE_FIRST_FACT] = {
	[VARIABLE_CPU_TOT] = {.name = "CPU_TOT",
			      .unit = UNIT_PERCENT,
			      .facts = FACT_SET(FACT_CPU_NS),
			      .help = "CPU usage in this interval (% of one CPU)"},
	[VARIABLE_CPU_SYS] = {.name = "CPU_SYS",
			      .unit = UNIT_PERCENT,
			      .facts = FACT_SET(FACT_STIME_NS),
			      .help = "CPU usage in the kernel (% of one CPU)"},
	[VARIABLE_CPU_USER] = {.name = "CPU_USER",
			       .unit = UNIT_PERCENT,
			       .facts = FACT_SET(FACT_UTIME_NS),
			       .help = "CPU usage in user mode (% of one CPU)"},
	[VARIABLE_FAST_CORES] = {.name = "FAST_CORES",
				 .unit = UNIT_PERCENT,
				 .help = "time on the performance cores of a hybrid CPU "
					 "(% of the time on any)"},
	[VARIABLE_MEM_TOTAL_KB] = {.name = "MEM_TOTAL_KB",
				   .unit = UNIT_KIB,
				   .help = "memory of the machine (KiB)"},
	/* .facts: all facts that the rules of config/verdicts.xml use. */
	[VARIABLE_VERDICT] = {.name = "VERDICT",
			      .unit = UNIT_TEXT,
			      .facts =
				      FACT_SET(FACT_CPU_NS, FACT_STIME_NS, FACT_MINFLT, FACT_MAJFLT,
					       FACT_VCSW, FACT_WAIT_NS, FACT_NUM_THREADS),
			      .help = "why it is no faster, in a word or two: the word of its "
				      "first verdict"},
};

struct variable_row variable_at(int v)
{
	if (v < VARIABLE_FIRST_FACT)
		return derived_table[v];
	v -= VARIABLE_FIRST_FACT;
	return (struct variable_row){fact_table[v].name, fact_table[v].unit, FACT_SET(v),
				     fact_table[v].help};
}

bool variable_is_text(int v)
{
	return v == VARIABLE_VERDICT ||
	       (v >= VARIABLE_FIRST_FACT && fact_table[v - VARIABLE_FIRST_FACT].kind == FACT_TEXT);
}

/* Returns whether the variable only grows, so that its increment has a meaning. */
static bool grows(int v)
{
	return v >= VARIABLE_FIRST_FACT && fact_table[v - VARIABLE_FIRST_FACT].kind == FACT_COUNTER;
}

int variable_check_mode(int v, enum expr_mode mode, struct err *err)
{
	if (mode == EXPR_TOTAL || grows(v))
		return 0;
	return err_set(err, EINVAL, "%s(%s) has no meaning: %s is no counter, write it alone",
		       expr_function_table[mode].name, variable_at(v).name, variable_at(v).name);
}

/* ---- screen ---- */

struct screen *screen_new(const char *name, const char *desc)
{
	struct screen *s = xcalloc(1, sizeof *s);

	s->number = -1;
	s->name = xstrdup(name);
	s->desc = xstrdup_or_null(desc);
	return s;
}

static void counter_done(struct counter_decl *c)
{
	free(c->alias);
	free(c->event);
	free(c->config);
	free(c->type);
	free(c->arch);
	free(c->model);
}

static void column_done(struct column *c)
{
	free(c->id);
	free(c->header);
	free(c->format);
	free(c->desc);
	free(c->text);
	free(c->unit_name);
	free(c->spark);
	free(c->zero);
	threshold_done(&c->warn);
	threshold_done(&c->crit);
	expr_free(c->expr);
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_counters; i++)
		counter_done(&s->counter[i]);
	for (size_t i = 0; i < s->n_columns; i++)
		column_done(&s->column[i]);
	for (size_t i = 0; i < s->n_aliases; i++)
		free(s->alias[i]);
	free(s->counter);
	free(s->column);
	free(s->alias);
	free(s->name);
	free(s->desc);
	free(s->needs);
	free(s->rows);
	free(s->file);
	screen_free(s->declared);
	free(s);
}

struct counter_decl *screen_copy_counter(struct screen *s, const struct counter_decl *from)
{
	struct counter_decl *c = screen_add_counter(s, from->alias, from->config, from->type);

	c->event = xstrdup_or_null(from->event);
	c->arch = xstrdup_or_null(from->arch);
	c->model = xstrdup_or_null(from->model);
	c->line = from->line;
	c->element = from->element;
	c->join = from->join;
	return c;
}

struct column *screen_copy_column(struct screen *s, const struct column *from)
{
	struct column *c = screen_add_column(s, from->header, from->format, from->desc, from->text);

	screen_give_id(c, from->id_given ? from->id : NULL);
	c->unit_name = xstrdup_or_null(from->unit_name);
	c->line = from->line;
	c->element = from->element;
	c->optional = from->optional;
	c->priority = from->priority;
	c->spark = xstrdup_or_null(from->spark);
	c->same_scale = from->same_scale;
	c->warn.text = xstrdup_or_null(from->warn.text);
	c->crit.text = xstrdup_or_null(from->crit.text);
	return c;
}

const char *screen_why_hidden(const struct screen *s)
{
	return s->left_out ? "the option 'screens' leaves it out" : s->needs;
}

bool screen_has_tab(const struct screen *s)
{
	return s->lacking ? !s->left_out : !screen_why_hidden(s);
}

struct screen *screen_copy(const struct screen *s)
{
	struct screen *copy = screen_new(s->name, s->desc);

	copy->number = s->number;
	copy->needs = xstrdup_or_null(s->needs);
	copy->rows = xstrdup_or_null(s->rows);
	copy->file = xstrdup_or_null(s->file);
	copy->line = s->line;
	copy->element = s->element;
	copy->replace = s->replace;
	copy->idle = s->idle;
	copy->from_folder = s->from_folder;
	copy->lost = s->lost;
	for (size_t i = 0; i < s->n_counters; i++)
		screen_copy_counter(copy, &s->counter[i]);
	for (size_t i = 0; i < s->n_columns; i++)
		screen_copy_column(copy, &s->column[i]);
	return copy;
}

bool screen_has_rows(const struct screen *s, const char *kind)
{
	const char *at = s->rows ? s->rows : kind_task.name;

	for (size_t len; *at; at += len + (at[len] == ' ')) {
		len = strcspn(at, " ");
		if (len == strlen(kind) && !strncmp(at, kind, len))
			return true;
	}
	return false;
}

struct counter_decl *screen_add_counter(struct screen *s, const char *alias, const char *config,
					const char *type)
{
	struct counter_decl *c;

	s->counter = xgrow(s->counter, &s->cap_counters, s->n_counters + 1, sizeof *s->counter);
	c = &s->counter[s->n_counters++];
	*c = (struct counter_decl){.alias = xstrdup(alias),
				   .config = xstrdup_or_null(config),
				   .type = xstrdup_or_null(type)};
	return c;
}

struct column *screen_add_column(struct screen *s, const char *header, const char *format,
				 const char *desc, const char *expression)
{
	struct column *c;

	s->column = xgrow(s->column, &s->cap_columns, s->n_columns + 1, sizeof *s->column);
	c = &s->column[s->n_columns++];
	*c = (struct column){.header = xstrdup(header),
			     .format = xstrdup(format),
			     .desc = xstrdup_or_null(desc),
			     .text = xstrdup(expression)};
	return c;
}

void screen_give_id(struct column *c, const char *id)
{
	c->id = xstrdup_or_null(id);
	c->id_given = id;
}

void screen_drop_counter(struct screen *s, size_t i)
{
	counter_done(&s->counter[i]);
	s->n_counters--;
	memmove(&s->counter[i], &s->counter[i + 1], (s->n_counters - i) * sizeof *s->counter);
}

void screen_drop_column(struct screen *s, size_t i)
{
	column_done(&s->column[i]);
	s->n_columns--;
	memmove(&s->column[i], &s->column[i + 1], (s->n_columns - i) * sizeof *s->column);
}

bool screen_column_is_text(const struct column *c)
{
	return c->unit == UNIT_TEXT;
}

bool screen_column_is_verdict(const struct column *c)
{
	return screen_column_is_text(c) &&
	       expr_ref_at(c->expr, 0).symbol == SYMBOL_VARIABLE + VARIABLE_VERDICT;
}

int screen_column_fact(const struct column *c)
{
	return expr_ref_at(c->expr, 0).symbol - SYMBOL_VARIABLE - VARIABLE_FIRST_FACT;
}

/* The priority of a column whose screen gives none. */
#define PRIORITY_USUAL 5

bool screen_column_counts(const struct column *c)
{
	for (size_t i = 0; i < expr_n_refs(c->expr); i++)
		if (expr_ref_at(c->expr, i).symbol < SYMBOL_VARIABLE)
			return true;
	return false;
}

bool screen_needs_counters(const struct screen *screen)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!screen->column[i].optional && screen_column_counts(&screen->column[i]))
			return true;
	return false;
}

int screen_column_priority(const struct column *c)
{
	return c->priority ? c->priority : PRIORITY_USUAL;
}

const char *screen_column_name(const struct column *c, int *len)
{
	const char *name = c->header + strspn(c->header, " ");

	*len = (int)strlen(name);
	while (*len && name[*len - 1] == ' ')
		--*len;
	return name;
}

size_t screen_find_column(const struct screen *s, size_t from, const char *name, size_t len)
{
	for (size_t i = from; i < s->n_columns; i++) {
		int header_len;
		const char *header = screen_column_name(&s->column[i], &header_len);

		if ((size_t)header_len == len && !memcmp(header, name, len))
			return i;
	}
	return s->n_columns;
}

void screen_list_add(struct screen_list *l, struct screen *s)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = s;
}

void screen_list_done(struct screen_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		screen_free(l->v[i]);
	free(l->v);
	*l = (struct screen_list)SCREEN_LIST_INIT;
}

int screen_list_find_number(const struct screen_list *l, int number)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i]->number == number)
			return (int)i;
	return -1;
}

static bool has_number(const struct screen_list *l, int number)
{
	return screen_list_find_number(l, number) >= 0;
}

int screen_list_free_number(const struct screen_list *const list[], size_t n)
{
	int number = 0;

	for (size_t i = 0; i < n;)
		if (has_number(list[i], number)) {
			number++;
			i = 0;
		} else {
			i++;
		}
	return number;
}

void screen_lists_number(struct screen_list *const list[], size_t n)
{
	size_t total = 0;
	int number = 0;
	bool *used;

	for (size_t k = 0; k < n; k++)
		total += list[k]->n;
	used = xcalloc(total + 1, sizeof *used);
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < list[k]->n; i++) {
			const int taken = list[k]->v[i]->number;

			if (taken >= 0 && (size_t)taken < total)
				used[taken] = true;
		}
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < list[k]->n; i++) {
			if (list[k]->v[i]->number >= 0)
				continue;
			while (used[number])
				number++;
			list[k]->v[i]->number = number++;
		}
	free(used);
}

void screen_list_number(struct screen_list *l)
{
	screen_lists_number((struct screen_list *const[]){l}, 1);
}

/* Appends the numbers of the screens: "0, 3-5, 7". */
static void add_numbers(struct strbuf *out, const struct screen_list *l)
{
	size_t left = l->n;

	for (int from = 0, to; left; from = to + 1) {
		for (to = from; has_number(l, to); to++)
			left--;
		if (to == from)
			continue;
		strbuf_addf(out, "%s%d", out->len ? ", " : "", from);
		if (to > from + 1)
			strbuf_addf(out, "-%d", to - 1);
	}
}

static int find_by_number(const struct screen_list *l, const char *what, struct err *err)
{
	struct strbuf numbers;
	long number;

	if (!num_parse_int(what, "", 0, INT_MAX, &number, NULL) && has_number(l, (int)number))
		return screen_list_find_number(l, (int)number);
	strbuf_init(&numbers);
	add_numbers(&numbers, l);
	err_set(err, EINVAL, "there is no screen %s: %s %s", what,
		l->n == 1 ? "the only one is" : "screens are", numbers.text);
	strbuf_done(&numbers);
	return -1;
}

static int find_by_name(const struct screen_list *l, const char *what, struct err *err)
{
	struct suggestion near;
	struct strbuf names;

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i]->name, what))
			return (int)i;
	for (size_t i = 0; i < l->n; i++)
		if (strstr(l->v[i]->name, what))
			return (int)i;
	strbuf_init(&names);
	suggestion_begin(&near, what);
	for (size_t i = 0; i < l->n; i++) {
		suggestion_offer(&near, l->v[i]->name);
		strbuf_addf(&names, "%s'%s'", i ? ", " : "", l->v[i]->name);
	}
	err_set(err, EINVAL, "there is no screen with '%s' in its name%s: screens are %s", what,
		suggestion_text(&near), names.text);
	strbuf_done(&names);
	return -1;
}

int screen_list_find(const struct screen_list *l, const char *what, struct err *err)
{
	if (!l->n) {
		err_set(err, EINVAL, "there is no screen '%s': there are no screens at all", what);
		return -1;
	}
	if (what[0] && !what[strspn(what, "0123456789")])
		return find_by_number(l, what, err);
	return find_by_name(l, what, err);
}

/* ---- formats of columns ---- */

/* Formats passed to printf(3) here were checked by column_format_read(): they have exactly one
 * conversion, for a double, and bounded width and precision. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

#define NUMBERS           "fFeEgG"
#define CONVERSIONS       NUMBERS "hs"
#define FLAGS             "-+ 0#"
#define DIGITS            "0123456789"
#define LENGTHS           "lL"
#define FORMAT_NUMBER_MAX 99
#define DEFAULT_PRECISION 6 /* as in printf(3) */

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* A parsed conversion. */
struct conversion {
	size_t flags_len;
	const char *flags;
	int width, precision;
	bool pointed; /* a precision is given */
	char type;
};

static bool has_flag(const struct conversion *c, char flag)
{
	return memchr(c->flags, flag, c->flags_len) != NULL;
}

/* Returns the number of characters of the shortest result, which is that for the number 0. */
static int conversion_width(const struct conversion *c)
{
	bool point = c->precision > 0 || has_flag(c, '#');
	int width = has_flag(c, '+') || has_flag(c, ' ');

	if (c->type == 'h' || c->type == 's')
		return max_int(c->width, 1);
	if (c->type == 'g' || c->type == 'G') /* without '#', trailing zeros are removed: "0" */
		width += has_flag(c, '#') ? max_int(c->precision, 1) + 1 : 1;
	else
		width += 1 + point + c->precision;
	if (c->type == 'e' || c->type == 'E')
		width += (int)strlen("e+00");
	return max_int(width, c->width);
}

/* Reads decimal digits, perhaps none, as a number; -1: it is above FORMAT_NUMBER_MAX. */
static int read_number(const char **at)
{
	int number = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++) {
		number = number * 10 + (**at - '0');
		if (number > FORMAT_NUMBER_MAX)
			return -1;
	}
	return number;
}

/* Parses a conversion. *at: the character after its '%'; set to the first character after the
 * conversion. */
static int read_conversion(const char *format, const char **at, struct conversion *c,
			   struct err *err)
{
	c->flags = *at;
	c->flags_len = strspn(*at, FLAGS);
	*at += c->flags_len;
	c->width = read_number(at);
	c->precision = DEFAULT_PRECISION;
	c->pointed = **at == '.';
	if (c->width >= 0 && c->pointed) {
		(*at)++;
		c->precision = read_number(at);
	}
	if (c->width < 0 || c->precision < 0)
		return err_set(err, EINVAL, "'%s' asks for a width or a precision above %d", format,
			       FORMAT_NUMBER_MAX);
	c->type = **at;
	if (!c->type)
		return err_set(err, EINVAL,
			       "'%s' ends inside its conversion: one like %%5.1f is needed",
			       format);
	if (!strchr(CONVERSIONS, c->type))
		return err_set(err, EINVAL, "'%s': one of f F e E g G h s is expected after '%.*s'",
			       format, (int)(*at - c->flags) + 1, c->flags - 1);
	if (c->type == 's' &&
	    (c->flags_len > 1 || (c->flags_len && c->flags[0] != '-') || c->pointed))
		return err_set(err, EINVAL,
			       "'%s': the '%%' of an s may be followed by a '-' and a width only",
			       format);
	if (c->type == 'h' && (c->flags_len || c->pointed))
		return err_set(err, EINVAL,
			       "'%s': the '%%' of an h may be followed only by a width", format);
	(*at)++;
	return 0;
}

/* Removes the length modifiers of the conversion at a '%'. Returns its end. */
static char *strip_conversion(char *at)
{
	char *type, *end;

	at++;
	type = at + strspn(at, FLAGS "." DIGITS);
	end = type + strspn(type, LENGTHS);
	if (*end && strchr(NUMBERS, *end))
		memmove(type, end, strlen(end) + 1);
	return *type ? type + 1 : type;
}

void column_format_strip(char *format)
{
	for (char *at = strchr(format, '%'); at; at = strchr(at, '%'))
		at = at[1] == '%' ? at + 2 : strip_conversion(at);
}

int column_format_read(const char *format, struct column_format *out, struct err *err)
{
	struct conversion c = {.type = '\0'};
	int literal = 0;

	for (const char *at = format; *at;) {
		if (at[0] != '%' || at[1] == '%') {
			literal += !text_continues(*at);
			at += at[0] == '%' ? 2 : 1;
			continue;
		}
		if (c.type)
			return err_set(err, EINVAL,
				       "'%s' has more than one conversion: a column has one "
				       "number, and %%%% prints a %%",
				       format);
		out->from = (size_t)(at++ - format);
		if (read_conversion(format, &at, &c, err))
			return -EINVAL;
		out->to = (size_t)(at - format);
	}
	if (!c.type)
		return err_set(err, EINVAL, "'%s' has no conversion: one like %%5.1f is needed",
			       format);
	out->conversion = c.type;
	out->field = c.width;
	out->fixed = c.type == 'f' && !c.flags_len && c.precision <= NUM_FIXED_DECIMALS_MAX;
	out->decimals = c.precision;
	out->ascii = c.type != 'h' && text_length(format) == (int)strlen(format);
	out->width = literal + conversion_width(&c);
	return 0;
}

char *column_format_zero(const char *format, const struct column_format *shape)
{
	return strchr("hs", shape->conversion) ? NULL : xasprintf(format, 0.0);
}

void column_format_add_text(struct strbuf *out, const char *format, size_t from, size_t to)
{
	for (size_t i = from; i < to; i += format[i] == '%' ? 2 : 1)
		strbuf_addch(out, format[i]);
}

/* ---- built-in screens ---- */

static struct screen *declare(const struct screen_row *row)
{
	struct screen *s = screen_new(row->name, row->desc);

	s->number = row->number;
	s->needs = xstrdup_or_null(row->needs);
	s->rows = xstrdup_or_null(row->rows);
	s->idle = row->idle;
	for (size_t i = 0; i < row->n_counters; i++) {
		const struct counter_row *c = &row->counter[i];
		struct counter_decl *decl = screen_add_counter(s, c->alias, NULL, NULL);

		decl->event = xstrdup_or_null(c->event);
		decl->arch = xstrdup_or_null(c->arch);
		decl->model = xstrdup_or_null(c->model);
	}
	for (size_t i = 0; i < row->n_columns; i++) {
		const struct column_row *c = &row->column[i];
		struct column *column =
			screen_add_column(s, c->header, c->format, c->desc, c->expr);

		screen_give_id(column, c->id);
		column->unit_name = xstrdup_or_null(c->unit);
		column->optional = c->optional;
		column->priority = c->priority;
		column->warn.text = xstrdup_or_null(c->warn);
		column->crit.text = xstrdup_or_null(c->crit);
	}
	return s;
}

void screen_list_add_built_in(struct screen_list *l, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		screen_list_add(l, declare(&screen_built_in[i]));
}

/* ---- named filters ---- */

bool filter_list_is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";

	return *name && !name[strspn(name, allowed)];
}

const struct named_filter *filter_list_find(const struct filter_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].name, name))
			return &l->v[i];
	return NULL;
}

struct named_filter *filter_list_add(struct filter_list *l, const char *name, const char *text,
				     const char *desc)
{
	struct named_filter *f;

	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	f = &l->v[l->n++];
	*f = (struct named_filter){
		.name = xstrdup(name), .text = xstrdup(text), .desc = xstrdup_or_null(desc)};
	return f;
}

void filter_list_done(struct filter_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].text);
		free(l->v[i].desc);
		free(l->v[i].file);
	}
	free(l->v);
	*l = (struct filter_list)FILTER_LIST_INIT;
}
