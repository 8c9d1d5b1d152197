/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/sample.h"

#define CONVERSIONS       "fFeEgG"
#define FORMAT_NUMBER_MAX 99
#define DEFAULT_PRECISION 6 /* printf(3) */

/* Characters, not bytes, of UTF-8: all but continuation bytes. */
static bool starts_character(char c)
{
	return ((unsigned char)c & 0xC0) != 0x80;
}

int screen_text_width(const char *s)
{
	int width = 0;

	for (; *s; s++)
		width += starts_character(*s);
	return width;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* One conversion, read from behind its '%'. */
struct conversion {
	size_t flags_len;
	const char *flags;
	int width, precision;
	char type;
};

static bool has_flag(const struct conversion *c, char flag)
{
	return memchr(c->flags, flag, c->flags_len) != NULL;
}

/* What printf(3) makes of 0, the shortest of all numbers. */
static int conversion_width(const struct conversion *c)
{
	bool point = c->precision > 0 || has_flag(c, '#');
	int width = has_flag(c, '+') || has_flag(c, ' ');

	if (c->type == 'g' || c->type == 'G') /* only '#' keeps the zeros: as many digits as the precision says */
		width += has_flag(c, '#') ? max_int(c->precision, 1) + 1 : 1;
	else
		width += 1 + point + c->precision;
	if (c->type == 'e' || c->type == 'E')
		width += (int)strlen("e+00");
	return max_int(width, c->width);
}

/* Reads a number of at most two digits; -1 where it is larger. */
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

/* *at: behind the '%'; left behind the conversion. */
static int read_conversion(const char *format, const char **at, struct conversion *c, struct err *err)
{
	c->flags = *at;
	c->flags_len = strspn(*at, "-+ 0#");
	*at += c->flags_len;
	c->width = read_number(at);
	c->precision = DEFAULT_PRECISION;
	if (c->width >= 0 && **at == '.') {
		(*at)++;
		c->precision = read_number(at);
	}
	if (c->width < 0 || c->precision < 0)
		return err_set(err, EINVAL, "'%s' asks for a width or a precision above %d", format, FORMAT_NUMBER_MAX);
	c->type = **at;
	if (!c->type)
		return err_set(err, EINVAL, "'%s' ends inside its conversion: one like %%5.1f is needed", format);
	if (!strchr(CONVERSIONS, c->type))
		return err_set(err, EINVAL, "'%s': one of f F e E g G is expected behind '%.*s'", format,
			       (int)(*at - c->flags) + 1, c->flags - 1);
	(*at)++;
	return 0;
}

int screen_check_format(const char *format, int *width, struct err *err)
{
	struct conversion c = {.type = '\0'};
	int literal = 0;

	for (const char *at = format; *at;) {
		if (at[0] != '%' || at[1] == '%') {
			literal += starts_character(*at);
			at += at[0] == '%' ? 2 : 1;
			continue;
		}
		if (c.type)
			return err_set(
				err, EINVAL,
				"'%s' has more than one conversion: a column has one number, and %%%% prints a %%",
				format);
		at++;
		if (read_conversion(format, &at, &c, err))
			return -EINVAL;
	}
	if (!c.type)
		return err_set(err, EINVAL, "'%s' has no conversion: one like %%5.1f is needed", format);
	*width = literal + conversion_width(&c);
	return 0;
}

/* The screen's own names come first, so that a new variable never changes what an old screen means. A counter becomes
 * an alias when it is used for the first time. */
static int find_symbol(const void *context, const char *name, size_t len)
{
	struct screen *s = *(struct screen *const *)context;

	for (size_t i = 0; i < s->n_aliases; i++)
		if (strlen(s->alias[i]) == len && !memcmp(s->alias[i], name, len))
			return (int)i;
	for (size_t i = 0; i < s->n_counters; i++)
		if (strlen(s->counter[i].alias) == len && !memcmp(s->counter[i].alias, name, len)) {
			s->alias[s->n_aliases] = xstrndup(name, len);
			return (int)s->n_aliases++;
		}
	for (int v = 0; v < N_VARIABLES; v++) {
		const char *variable = variable_at(v).name;

		if (strlen(variable) == len && !memcmp(variable, name, len))
			return SYMBOL_VARIABLE + v;
	}
	return -1;
}

/* Only what grows has increments; the increment of a state would be a number without a meaning. */
static bool variable_grows(int v)
{
	return v >= VARIABLE_FIRST_FACT && fact_table[v - VARIABLE_FIRST_FACT].kind == FACT_COUNTER;
}

static int collect_facts(const struct screen *s, const struct expr *e, fact_mask *facts, struct err *err)
{
	for (size_t i = 0; i < expr_n_refs(e); i++) {
		struct expr_ref ref = expr_ref_at(e, i);
		int v = ref.symbol - SYMBOL_VARIABLE;

		if ((size_t)ref.symbol < s->n_aliases)
			continue;
		if (ref.mode != EXPR_TOTAL && !variable_grows(v))
			return err_set(err, EINVAL, "%s(%s) has no meaning: %s is a state, write it alone",
				       expr_function_table[ref.mode].name, variable_at(v).name, variable_at(v).name);
		*facts |= variable_at(v).facts;
	}
	return 0;
}

static int compile_column(struct screen *s, struct column *c, struct err *err)
{
	const struct expr_symbols symbols = {find_symbol, &s};
	fact_mask facts = 0;
	int width;

	if (screen_check_format(c->format, &width, err))
		return err_prefix(err, "format");
	if (expr_compile(&c->expr, c->text, &symbols, err) || collect_facts(s, c->expr, &facts, err))
		return err_prefix(err, "expr");
	if (!c->desc)
		c->desc = xstrdup(c->text);
	c->width = max_int(screen_text_width(c->header), width);
	s->facts |= facts;
	return 0;
}

/* The header without the blanks around it: what people call the column. */
static void prefix_column(const struct screen *s, const struct column *c, struct err *err)
{
	const char *name = c->header + strspn(c->header, " ");
	size_t len = strlen(name);

	while (len && name[len - 1] == ' ')
		len--;
	err_prefix(err, "screen '%s', column '%.*s'", s->name, (int)len, name);
}

static void forget_aliases(struct screen *s, size_t n)
{
	while (s->n_aliases > n)
		free(s->alias[--s->n_aliases]);
}

static bool is_used(const struct screen *s, const char *alias)
{
	for (size_t i = 0; i < s->n_aliases; i++)
		if (!strcmp(s->alias[i], alias))
			return true;
	return false;
}

static bool is_alternative(const struct screen *s, size_t counter)
{
	for (size_t i = 0; i < counter; i++)
		if (!strcmp(s->counter[i].alias, s->counter[counter].alias))
			return true;
	return false;
}

static void mark_counters(struct screen *s, screen_report report, void *context)
{
	for (size_t i = 0; i < s->n_counters; i++) {
		struct counter_decl *c = &s->counter[i];
		struct err e = ERR_INIT;

		c->used = is_used(s, c->alias);
		if (c->used || is_alternative(s, i))
			continue;
		err_set(&e, ENOENT, "screen '%s': no column that can be shown uses the counter '%s', it is not opened",
			s->name, c->alias);
		report(context, c->line, &e);
	}
}

int screen_compile(struct screen *s, screen_report report, void *context, struct err *err)
{
	s->alias = xcalloc(s->n_counters, sizeof *s->alias);
	for (size_t i = 0; i < s->n_columns;) {
		struct column *c = &s->column[i];
		size_t n_aliases = s->n_aliases;
		struct err e = ERR_INIT;

		if (compile_column(s, c, &e)) {
			prefix_column(s, c, &e);
			report(context, c->line, &e);
			forget_aliases(s, n_aliases);
			screen_drop_column(s, i);
			continue;
		}
		if (s->n_aliases > SAMPLE_MAX_EVENTS)
			return err_set(err, EINVAL, "screen '%s' uses more than %d counters: split it", s->name,
				       SAMPLE_MAX_EVENTS);
		i++;
	}
	mark_counters(s, report, context);
	if (!s->n_columns)
		return err_set(err, ENOENT, "screen '%s' has no column that can be shown", s->name);
	return 0;
}
