/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/row_filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/sample.h"
#include "screen/expr/lex.h"
#include "view/condition.h"
#include "view/regex.h"

struct row_filter {
	char *text; /* as given */
	struct row_test test;
	/* One of these is set. */
	char *needle;
	struct regex *regex;
	struct condition *condition;
	/* Another meaning that the user may have had in mind for the needle; NULL: none. */
	const char *advice;
	bool cmdline;
	bool timed_out; /* a match took too long since the last row_filter_begin() */
};

/* Returns whether the text is enclosed in this character, whose last occurrence is not escaped by
 * '\'. */
static bool is_enclosed(const char *text, char by)
{
	size_t len = strlen(text), n = 0;

	if (len < 2 || text[0] != by || text[len - 1] != by)
		return false;
	while (n < len - 2 && text[len - 2 - n] == '\\')
		n++;
	return n % 2 == 0;
}

/* Returns the text between the slashes, with "\/" as a slash. The caller frees it. */
static char *pattern_of(const char *text)
{
	size_t len = strlen(text);
	char *pattern = xmalloc(len), *p = pattern;

	for (const char *s = text + 1; s < text + len - 1; s++) {
		if (*s == '\\' && s + 1 < text + len - 1) {
			if (s[1] != '/')
				*p++ = *s;
			s++;
		}
		*p++ = *s;
	}
	*p = '\0';
	return pattern;
}

static int make_regex(struct row_filter *f, const char *text, struct err *err)
{
	char *pattern = pattern_of(text);
	int ret = *pattern ? regex_compile(&f->regex, pattern, err)
			   : err_set(err, EINVAL, "the regular expression is empty");

	free(pattern);
	return ret ? err_prefix(err, "column 2") : 0;
}

static bool is_one_of(const struct lexer *l, const char *const list[])
{
	for (; *list; list++)
		if (lex_is(l, *list))
			return true;
	return false;
}

/* Returns whether an invalid condition was probably meant as a condition: it has a sign of
 * comparison or logic, or a word such as "lt" between other words, or begins with under(. */
static bool looks_like_condition(const char *text)
{
	static const char *const sign[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", NULL};
	static const char *const word[] = {"lt", "le", "gt", "ge", "eq", "ne", NULL};
	bool between = false, first = true, under = false;
	struct lexer l;

	for (lex_start(&l, text); l.token.kind != TOKEN_END; lex_next(&l)) {
		if (between || (l.token.kind == TOKEN_SYMBOL && is_one_of(&l, sign)))
			return true;
		if (under && lex_is(&l, "("))
			return true;
		between = !first && l.token.kind == TOKEN_NAME && is_one_of(&l, word);
		under = lex_is(&l, "under");
		first = false;
	}
	return false;
}

/* Returns whether the text begins like "NAME above 20" or "NAME = 20", NAME being a name in
 * conditions or any word. Threads may have such names, so the text is still a text to search
 * for. */
static bool begins_like_condition(const char *text, const struct screen *screen)
{
	const struct expr_symbols symbols = condition_symbols(screen);
	struct lexer l;
	bool known, word;

	lex_start(&l, text);
	if (l.token.kind != TOKEN_NAME)
		return false;
	known = symbols.find(symbols.context, l.token.text, l.token.len) >= 0;
	lex_next(&l);
	word = l.token.kind == TOKEN_NAME;
	if (known && (word || l.token.kind == TOKEN_NUMBER || lex_is(&l, "=")))
		return true;
	lex_next(&l);
	return word && l.token.kind == TOKEN_NUMBER;
}

static const char *advise(const char *text, const struct screen *screen)
{
	if (*text == '/')
		return "a text: a regular expression ends with '/', too";
	if (begins_like_condition(text, screen))
		return "a text to look for in names: a condition compares, as in cpu > 20";
	return NULL;
}

static int make_condition_or_text(struct row_filter *f, const char *text,
				  const struct screen *screen, struct err *err)
{
	struct err fault = ERR_INIT;
	int ret = condition_compile(&f->condition, text, screen, &fault);

	if (!ret && condition_has_test(f->condition))
		return 0;
	if (ret && looks_like_condition(text))
		return err_set(err, -ret, "%s", fault.text);
	condition_free(f->condition);
	f->condition = NULL;
	f->needle = xstrdup(text);
	f->advice = advise(text, screen);
	return 0;
}

static int make(struct row_filter *f, const char *text, const struct screen *screen,
		struct err *err)
{
	if (is_enclosed(text, '/'))
		return make_regex(f, text, err);
	if ((is_enclosed(text, '"') && !strchr(text + 1, '"')[1]) ||
	    (is_enclosed(text, '\'') && !strchr(text + 1, '\'')[1])) {
		f->needle = xstrndup(text + 1, strlen(text) - 2);
		return 0;
	}
	return make_condition_or_text(f, text, screen, err);
}

static int refuse_name(const char *name, const struct filter_list *named, struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	suggestion_begin(&near, name);
	for (size_t i = 0; i < named->n; i++) {
		suggestion_offer(&near, named->v[i].name);
		strbuf_addf(&list, "%s@%s", i ? ", " : "", named->v[i].name);
	}
	if (named->n)
		ret = err_set(err, ENOENT, "column 2: no filter is called '%s'%s: there are %s",
			      name, suggestion_text(&near), list.text);
	else
		ret = err_set(err, ENOENT,
			      "column 2: no filter is called '%s': tiptoprc(5) says how to name "
			      "one; in quotes it is a text to look for",
			      name);
	strbuf_done(&list);
	return ret;
}

static int make_named(struct row_filter *f, const char *name, const struct screen *screen,
		      const struct filter_list *named, struct err *err)
{
	const struct named_filter *n = filter_list_find(named, name);

	if (!n)
		return refuse_name(name, named, err);
	if (make(f, n->text, screen, err))
		return err_prefix(err, "column 2: the filter '%s' (%s)", n->name, n->text);
	return 0;
}

static enum tri ask(void *context, const struct task *task, const struct delta_row *row)
{
	return row_filter_match(context, task, row);
}

int row_filter_make(struct row_filter **out, const char *text, const struct screen *screen,
		    const struct filter_list *named, struct err *err)
{
	struct row_filter *f;
	int ret;

	*out = NULL;
	if (!*text)
		return 0;
	f = xcalloc(1, sizeof *f);
	f->text = xstrdup(text);
	ret = *text == '@' ? make_named(f, text + 1, screen, named, err)
			   : make(f, text, screen, err);
	if (ret) {
		row_filter_free(f);
		return ret;
	}
	f->test = (struct row_test){ask, f, row_filter_is_of_task(f), f->text};
	*out = f;
	return 0;
}

void row_filter_free(struct row_filter *f)
{
	if (!f)
		return;
	regex_free(f->regex);
	condition_free(f->condition);
	free(f->needle);
	free(f->text);
	free(f);
}

const char *row_filter_advice(const struct row_filter *f)
{
	return f->advice;
}

const char *row_filter_text(const struct row_filter *f)
{
	return f->text;
}

struct fact_set row_filter_facts(const struct row_filter *f)
{
	return f->condition ? condition_facts(f->condition) : FACT_NONE;
}

bool row_filter_is_of_task(const struct row_filter *f)
{
	return !f->condition || condition_is_of_task(f->condition);
}

bool row_filter_is_condition(const struct row_filter *f)
{
	return f->condition != NULL;
}

void row_filter_set_judged(struct row_filter *f, const struct judged *judged)
{
	if (f->condition)
		condition_set_judged(f->condition, judged);
}

void row_filter_begin(struct row_filter *f, struct binding *binding, const struct sample *sample,
		      bool cmdline)
{
	f->cmdline = cmdline;
	f->timed_out = false;
	if (f->regex)
		regex_begin(f->regex);
	if (f->condition)
		condition_begin(f->condition, binding, sample, cmdline);
}

static enum tri matches(struct row_filter *f, const char *name)
{
	if (f->regex)
		return regex_match(f->regex, name);
	return strstr(name, f->needle) ? TRI_TRUE : TRI_FALSE;
}

/* Returns whether a name matches; unknown if none does, but one took too long. */
static enum tri has_name(struct row_filter *f, const struct task *t)
{
	const char *name[FILTER_NAMES_MAX];
	enum tri answer = TRI_FALSE;
	int n = filter_names(t, f->cmdline, name);

	for (int i = 0; i < n && answer != TRI_TRUE; i++) {
		const enum tri matched = matches(f, name[i]);

		answer = matched == TRI_FALSE ? answer : matched;
	}
	return answer;
}

enum tri row_filter_match(struct row_filter *f, const struct task *task,
			  const struct delta_row *row)
{
	enum tri answer;

	if (f->condition)
		return condition_test(f->condition, task, row, NULL);
	answer = has_name(f, task);
	if (answer != TRI_UNKNOWN)
		return answer;
	f->timed_out = true;
	return TRI_TRUE;
}

int row_filter_timed_out(const struct row_filter *f, struct err *err)
{
	if (!f || !f->timed_out)
		return 0;
	return err_set(err, ETIME,
		       "the filter '%s' takes too long on some names, whose rows are shown "
		       "unfiltered: simplify its repeats",
		       f->text);
}

const struct row_test *row_filter_test(const struct row_filter *f)
{
	return f ? &f->test : NULL;
}
