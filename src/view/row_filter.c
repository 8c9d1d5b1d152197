/* SPDX-License-Identifier: GPL-2.0-or-later */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "view/row_filter.h"

#include <errno.h>
#include <langinfo.h>
#include <pcre2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/sample.h"
#include "screen/expr/lex.h"
#include "view/condition.h"

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

/* Returns whether the text begins like "WORD above 20", with any word; or, with a name in
 * conditions, like "NAME above", "NAME 20" or "NAME = 20". Threads may have such names, so the text
 * is still a text to search for. */
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

/* ---- regex ---- */

/* ---- syntax ----
 *
 * Extended regular expressions of POSIX, with GNU's \w \W \s \S \b \B \< \> \` \', converted to
 * PCRE2.
 *
 * Syntax that differs is rewritten: {,5} becomes {0,5}, a ) without a ( is a character, and so is a
 * \ in brackets. Syntax with another meaning in PCRE2 is refused: \d and other letters with a
 * backslash, a*+ and other repeats of repeats, (?...), back references. pcre2_pattern_convert()
 * cannot be used: it converts \< to < and \s to s, and keeps a{,5} and a*+.
 */

#define GROUPS_MAX 100
#define COUNT_MAX  100000u /* the product of two of these fits an uint64_t */

struct scan {
	const char *at;
	struct strbuf *out;
	bool repeatable; /* the preceding element can be repeated */
	/* For each open group: the minimal number of characters of its counted repeats. */
	uint64_t counted[GROUPS_MAX + 1];
	int depth;
	uint64_t last; /* as counted[], of the group that ended just before; 0: no group did */
};

static const struct {
	char letter;
	bool repeatable;
	const char *as;
} escape_table[] = {
	{'w', true, "\\w"},  {'W', true, "\\W"},   {'s', true, "\\s"},      {'S', true, "\\S"},
	{'b', false, "\\b"}, {'B', false, "\\B"},  {'<', false, "[[:<:]]"}, {'>', false, "[[:>:]]"},
	{'`', false, "\\A"}, {'\'', false, "\\z"},
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Copies len characters unchanged. */
static void copy(struct scan *s, size_t len)
{
	strbuf_add(s->out, s->at, len);
	s->at += len;
}

static int refuse_escape(char c, struct err *err)
{
	if (c >= '1' && c <= '9')
		return err_set(err, EINVAL,
			       "extended regular expressions have no references back (\\%c), which "
			       "may take minutes to match: write the text out",
			       c);
	return err_set(err, EINVAL,
		       "\\%c means nothing in extended regular expressions: leave out the "
		       "backslash, or write a class such as [[:digit:]]",
		       c);
}

/* Converts the character after a backslash. */
static int convert_escape(struct scan *s, struct err *err)
{
	const char c = *s->at;

	for (size_t i = 0; i < sizeof escape_table / sizeof *escape_table; i++)
		if (c == escape_table[i].letter) {
			strbuf_addstr(s->out, escape_table[i].as);
			s->repeatable = escape_table[i].repeatable;
			s->at++;
			return 0;
		}
	if (is_letter(c) || is_digit(c))
		return refuse_escape(c, err);
	/* A backslash must not precede bytes of characters beyond ASCII. */
	if (!(c & 0x80))
		strbuf_addstr(s->out, "\\");
	if (c)
		copy(s, 1);
	s->repeatable = true;
	return 0;
}

/* Converts "[:class:]" in brackets; refuses "[." and "[=". */
static int convert_class(struct scan *s, struct err *err)
{
	static const char digit[] = "[:digit:]";
	const size_t len = 2 + strspn(s->at + 2, "abcdefghijklmnopqrstuvwxyz");

	if (s->at[1] != ':')
		return err_set(err, EINVAL,
			       "[%c and %c] are not supported in regular expressions: write the "
			       "character itself",
			       s->at[1], s->at[1]);
	if (strncmp(s->at + len, ":]", 2) != 0)
		return err_set(err, EINVAL,
			       "after [: the name of a class and :] are expected, as in [:alpha:]");
	/* PCRE2's [:digit:] has more digits than that of POSIX. */
	if (strncmp(s->at, digit, strlen(digit)) != 0) {
		copy(s, len + 2);
		return 0;
	}
	strbuf_addstr(s->out, "0-9");
	s->at += len + 2;
	return 0;
}

/* Converts a bracket expression after its [: a backslash in it is a character, and so is a ] at its
 * beginning. */
static int convert_bracket(struct scan *s, struct err *err)
{
	strbuf_addstr(s->out, "[");
	if (*s->at == '^')
		copy(s, 1);
	if (*s->at == ']')
		copy(s, 1);
	while (*s->at && *s->at != ']') {
		const bool class = *s->at == '[' && s->at[1] && strchr(":.=", s->at[1]);

		if (class) {
			if (convert_class(s, err))
				return -EINVAL;
			continue;
		}
		if (strchr("\\[", *s->at))
			strbuf_addstr(s->out, "\\");
		copy(s, 1);
	}
	if (*s->at)
		copy(s, 1);
	s->repeatable = true;
	return 0;
}

/* Adds the characters of a counted repeat {n}. Those of a repeated group were added once already,
 * when the group ended. */
static void count_repeat(struct scan *s, uint64_t n)
{
	uint64_t *sum = &s->counted[s->depth];

	n = n < COUNT_MAX ? n : COUNT_MAX;
	*sum += s->last ? s->last * (n ? n - 1 : 0) : n;
	*sum = *sum < COUNT_MAX ? *sum : COUNT_MAX;
}

/* Converts {m}, {m,}, {m,n}, {,n} or {,}. */
static int convert_interval(struct scan *s, struct err *err)
{
	const char *from = s->at + 1;
	const size_t n_from = strspn(from, "0123456789");
	const char *rest = from + n_from;
	const size_t n_rest = *rest == ',' ? 1 + strspn(rest + 1, "0123456789") : 0;

	if (rest[n_rest] != '}' || !(n_from + n_rest))
		return err_set(err, EINVAL,
			       "this '{' begins no repeat such as {2}, {2,} or {2,5}: put a "
			       "backslash before it if the character is meant");
	count_repeat(s, strtoul(from, NULL, 10));
	strbuf_addstr(s->out, n_from ? "{" : "{0");
	s->at = from;
	copy(s, n_from + n_rest + 1);
	return 0;
}

static int convert_repeat(struct scan *s, struct err *err)
{
	if (!s->repeatable)
		return err_set(err, EINVAL,
			       "there is nothing that this '%c' can repeat: to search for the "
			       "character, put a backslash before it; to repeat a repeat, put "
			       "parentheses around it",
			       *s->at);
	s->repeatable = false;
	if (*s->at == '{')
		return convert_interval(s, err);
	copy(s, 1);
	return 0;
}

static int convert_parenthesis(struct scan *s, struct err *err)
{
	const bool opens = *s->at == '(';

	if (opens && s->depth == GROUPS_MAX)
		return err_set(err, ERANGE,
			       "the regular expression has more than %d groups within each other",
			       GROUPS_MAX);
	s->repeatable = !opens;
	if (opens) {
		s->counted[++s->depth] = 0;
	} else if (s->depth) {
		s->last = s->counted[s->depth--];
		s->counted[s->depth] += s->last;
	} else {
		strbuf_addstr(s->out, "\\");
	}
	copy(s, 1);
	return 0;
}

static int convert_next(struct scan *s, struct err *err)
{
	const char c = *s->at;

	if (strchr("*+?{", c))
		return convert_repeat(s, err);
	s->last = 0;
	if (c == '(' || c == ')')
		return convert_parenthesis(s, err);
	if (c == '[' || c == '\\') {
		s->at++;
		return c == '[' ? convert_bracket(s, err) : convert_escape(s, err);
	}
	s->repeatable = !strchr("|^$", c);
	copy(s, 1);
	return 0;
}

/* Appends the converted expression. *counted: the minimal number of characters of its counted
 * repeats: 5 for a{5}. Returns 0; or -EINVAL or -ERANGE with a sentence. Incomplete expressions may
 * pass: PCRE2 refuses them. */
static int regex_syntax_convert(struct strbuf *out, const char *pattern, unsigned *counted,
				struct err *err)
{
	struct scan s = {.at = pattern, .out = out};
	uint64_t sum = 0;
	int ret = 0;

	while (!ret && *s.at)
		ret = convert_next(&s, err);
	for (int i = 0; i <= s.depth; i++)
		sum += s.counted[i];
	*counted = sum < COUNT_MAX ? (unsigned)sum : COUNT_MAX;
	return ret;
}

/* ---- matching ---- */

#define HEAP_MAX_KIB 8192

/* Between two steps, PCRE2 may scan all code of the compiled expression and try all counted
 * repeats. CODE_BYTES of code, or COUNTED_MORE repeats, take as long as one more step. */
#define CODE_BYTES   256
#define COUNTED_MORE 8

/* Shorter texts have as many free steps as a text of this length. */
#define SHORT_BYTES 64
/* The factor of steps from one attempt to the next. */
#define MORE_STEPS 4

struct regex {
	pcre2_general_context *memory;
	pcre2_compile_context *how;
	pcre2_match_context *limits;
	pcre2_match_data *data;
	pcre2_code *code;
	pcre2_code *anchored; /* the same, prefixed with .*?; may be `code` itself */
	uint32_t weight;      /* number of steps for which one unit of PCRE2's match limit counts */
	const uint8_t *tables; /* classes of bytes in the locale; NULL: UTF-8 */
	uint32_t n_spent;      /* steps of this refresh that were not free */
};

static void *take_memory(size_t size, void *context)
{
	(void)context;
	return xmalloc(size);
}

static void free_memory(void *memory, void *context)
{
	(void)context;
	free(memory);
}

static struct regex *make_empty(void)
{
	struct regex *r = xcalloc(1, sizeof *r);

	r->memory = pcre2_general_context_create(take_memory, free_memory, NULL);
	r->how = pcre2_compile_context_create(r->memory);
	r->limits = pcre2_match_context_create(r->memory);
	r->data = pcre2_match_data_create(1, r->memory);
	pcre2_set_heap_limit(r->limits, HEAP_MAX_KIB);
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		r->tables = pcre2_maketables(r->memory);
		pcre2_set_character_tables(r->how, r->tables);
	}
	return r;
}

void regex_free(struct regex *r)
{
	if (!r)
		return;
	if (r->anchored != r->code)
		pcre2_code_free(r->anchored);
	pcre2_code_free(r->code);
	pcre2_match_data_free(r->data);
	pcre2_match_context_free(r->limits);
	pcre2_compile_context_free(r->how);
	pcre2_maketables_free(r->memory, r->tables);
	pcre2_general_context_free(r->memory);
	free(r);
}

/* Compiles a pattern of PCRE2. Returns NULL with a sentence if it is invalid. */
static pcre2_code *compile(const struct regex *r, const char *pattern, struct err *err)
{
	const uint32_t utf = r->tables ? 0 : PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
	const uint32_t options = utf | PCRE2_NO_AUTO_CAPTURE | PCRE2_NO_AUTO_POSSESS |
				 PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY;
	pcre2_code *made;
	char why[128];
	size_t at;
	int fault;

	made = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &fault, &at,
			     r->how);
	if (made)
		return made;
	pcre2_get_error_message(fault, (PCRE2_UCHAR *)why, sizeof why);
	err_set(err, EINVAL, "this is not a regular expression: %s", why);
	return NULL;
}

/* Returns whether a match can begin at the start of the text only. */
static bool is_anchored(const pcre2_code *code)
{
	uint32_t options = 0;

	pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options);
	return options & PCRE2_ANCHORED;
}

static int compile_both(struct regex *r, const char *converted, struct err *err)
{
	struct strbuf text;

	r->code = compile(r, converted, err);
	if (!r->code)
		return -EINVAL;
	r->anchored = r->code;
	if (is_anchored(r->code))
		return 0;
	strbuf_init(&text);
	strbuf_addf(&text, ".*?(%s)", converted);
	r->anchored = compile(r, text.text, err);
	strbuf_done(&text);
	return r->anchored ? 0 : -EINVAL;
}

static uint32_t weigh(const struct regex *r, unsigned counted)
{
	size_t size = 0;

	pcre2_pattern_info(r->code, PCRE2_INFO_SIZE, &size);
	return 1 + (uint32_t)(size / CODE_BYTES) + counted / COUNTED_MORE;
}

int regex_compile(struct regex **out, const char *pattern, struct err *err)
{
	struct regex *r;
	struct strbuf converted;
	unsigned counted;
	int ret;

	*out = NULL;
	if (strlen(pattern) > REGEX_LENGTH_MAX)
		return err_set(err, ERANGE, "the regular expression is longer than %d bytes",
			       REGEX_LENGTH_MAX);
	r = make_empty();
	strbuf_init(&converted);
	ret = regex_syntax_convert(&converted, pattern, &counted, err);
	if (!ret)
		ret = compile_both(r, converted.text, err);
	strbuf_done(&converted);
	if (ret) {
		regex_free(r);
		return ret;
	}
	r->weight = weigh(r, counted);
	*out = r;
	return 0;
}

void regex_begin(struct regex *r)
{
	r->n_spent = 0;
}

/* Returns the number of pieces into which bytes that are not UTF-8 divide the text: PCRE2 counts
 * its steps from 0 again in each piece. In a locale without UTF-8, the text is one piece. */
static uint32_t count_pieces(const struct regex *r, const char *text, size_t n)
{
	uint32_t pieces = 1;
	size_t len;

	for (; n && !r->tables; text += len, n -= len)
		pieces += text_decode(text, n, &len) == TEXT_BAD;
	return pieces;
}

static bool is_budget_spent(const struct regex *r)
{
	return r->n_spent >= REGEX_STEPS_REFRESH;
}

static uint32_t free_steps(const struct regex *r, size_t len)
{
	const size_t bytes = len < SHORT_BYTES ? SHORT_BYTES : len;
	const size_t steps = is_budget_spent(r) ? bytes : REGEX_STEPS_FREE * bytes;

	return steps < REGEX_STEPS_MAX ? (uint32_t)steps : REGEX_STEPS_MAX;
}

/* Matches with at most `steps` steps. Returns the result of pcre2_match(). */
static int match(struct regex *r, const pcre2_code *code, const char *text, size_t len,
		 uint32_t steps)
{
	pcre2_set_match_limit(r->limits, steps > r->weight ? steps / r->weight : 1);
	return pcre2_match(code, (PCRE2_SPTR)text, len, 0, 0, r->data, r->limits);
}

/* Matches with more and more steps, as far as the budget allows. */
static int match_slowly(struct regex *r, const char *text, size_t len)
{
	const uint32_t pieces = count_pieces(r, text, len);
	uint32_t steps = free_steps(r, len);
	int ret = match(r, r->anchored, text, len, steps / pieces);

	while (ret == PCRE2_ERROR_MATCHLIMIT && steps < REGEX_STEPS_MAX && !is_budget_spent(r)) {
		steps = steps < REGEX_STEPS_MAX / MORE_STEPS ? steps * MORE_STEPS : REGEX_STEPS_MAX;
		r->n_spent += steps;
		ret = match(r, r->anchored, text, len, steps / pieces);
	}
	return ret;
}

enum tri regex_match(struct regex *r, const char *text)
{
	const size_t len = strlen(text);
	int ret = PCRE2_ERROR_MATCHLIMIT;

	if (r->anchored != r->code)
		ret = match(r, r->code, text, len, REGEX_STEPS_EACH);
	if (ret == PCRE2_ERROR_MATCHLIMIT)
		ret = match_slowly(r, text, len);
	if (ret >= 0)
		return TRI_TRUE;
	return ret == PCRE2_ERROR_NOMATCH ? TRI_FALSE : TRI_UNKNOWN;
}
