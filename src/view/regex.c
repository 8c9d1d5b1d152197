/* SPDX-License-Identifier: GPL-2.0-or-later */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "view/regex.h"

#include <errno.h>
#include <langinfo.h>
#include <pcre2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "view/regex_syntax.h"

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

static struct regex *make(void)
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
	r = make();
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
