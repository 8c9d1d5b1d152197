/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number of a reading to which a counter of a screen is bound, by its event, and in one group
 * with the other counters of its column; or else the reason why there is none.
 */
#include "screen/binding.h"
#include "screen/compile.h"
#include "tap.h"

/* Makes a set from text, "ab bc -d": events are letters, upper-case for the second kind of cores,
 * in groups; '-' before an unsupported event, '~' before one that any core counts. */
static struct sample_events *make_set(const char *text)
{
	struct sample_event event[SAMPLE_MAX_EVENTS] = {{.given = NULL}};
	bool absent = false, software = false;
	uint16_t group = 0;
	int n = 0;

	for (; *text; text++) {
		struct sample_event *e = &event[n];
		bool slow = *text >= 'A' && *text <= 'Z';

		if (*text == ' ')
			group++;
		absent = absent || *text == '-';
		software = software || *text == '~';
		if (*text == ' ' || *text == '-' || *text == '~')
			continue;
		*e = (struct sample_event){
			.given = "misleading",
			.pmu = software ? "software"
			       : slow   ? "cpu_atom"
					: "cpu_core",
			.kind = software ? EVENT_SOFTWARE : EVENT_RAW,
			.config = (uint64_t)(*text | 0x20),
			.core = software ? SAMPLE_ANY_CORE : slow,
			.group = absent ? SAMPLE_NO_GROUP : group,
			.quality = absent ? QUALITY_DENIED : QUALITY_EXACT,
		};
		for (int i = 0; slow && i < n && !e->part_of; i++)
			if (event[i].config == e->config && event[i].group == group)
				e->part_of = (uint16_t)(i + 1);
		absent = software = false;
		n++;
	}
	return sample_events_new(event, n);
}

struct bench {
	struct screen *screen;
	struct screen_numbers numbers;
	struct binding binding;
	struct sample_events *set;
};

static void no_fault(void *context, int line, const struct err *err)
{
	(void)context, (void)line;
	tap_ok(false, "no fault: %s", err->text);
}

/* Makes a screen with the counters a, b, ...; columns use the counters of their letters. known: the
 * event of each counter, in this order, as for make_set(); '?': none. */
static void begin(struct bench *b, const char *const column[], const char *known)
{
	int head[SAMPLE_MAX_EVENTS] = {0}, n = 0;
	struct err err = ERR_INIT;

	memset(b, 0, sizeof *b);
	b->screen = screen_new("test", NULL);
	for (char c = 'a'; c <= 'd'; c++)
		screen_add_counter(b->screen, (char[]){c, '\0'}, "1", NULL);
	screen_add_column(b->screen, "all", "%5.1f", NULL, "a + b + c + d");
	for (int i = 0; column[i]; i++) {
		char text[32] = "0", *p = text + 1;

		for (const char *c = column[i]; *c; c++) {
			*p++ = '+';
			*p++ = *c;
			*p = '\0';
		}
		screen_add_column(b->screen, (char[]){(char)('A' + i), '\0'}, "%5.1f", NULL, text);
	}
	tap_int(screen_compile(b->screen, no_fault, NULL, &err), 0, "the screen compiles");
	b->numbers.events = make_set(known);
	for (int i = 0; i < b->numbers.events->n; i++)
		if (!b->numbers.events->event[i].part_of)
			head[n++] = i;
	screen_numbers_init(&b->numbers, b->numbers.events, head, n);
	binding_init(&b->binding, b->screen, &b->numbers);
}

static void end(struct bench *b)
{
	binding_done(&b->binding);
	screen_numbers_done(&b->numbers);
	sample_events_unref(b->set);
	screen_free(b->screen);
}

/* Returns the counters of column i as text: their positions in the set, or the reasons why there
 * are none. */
static const char *bound_text(struct bench *b, size_t i)
{
	static char text[256];
	const struct bound *bound = binding_column(&b->binding, b->set, i + 1);
	const struct expr *expr = b->screen->column[i + 1].expr;
	size_t len = 0;

	text[0] = '\0';
	for (size_t k = 0; k < expr_n_refs(expr); k++) {
		const struct bound *x = &bound[expr_ref_at(expr, k).symbol];

		if (x->event >= 0)
			len += (size_t)snprintf(text + len, sizeof text - len, "%s%d",
						len ? " " : "", x->event);
		else
			len += (size_t)snprintf(text + len, sizeof text - len, "%s%s",
						len ? " " : "", quality_table[x->quality].name);
	}
	return text;
}

/* clang-format off */
static const struct {
	const char *name, *known, *set, *column[2], *want[2];
	bool whole;
} column_table[] = {
	{"one group", "abcd", "abcd", {"ab", "d"}, {"0 1", "3"}, true},
	{"by what they are, in whatever order", "abcd", "dcba", {"ab", "d"}, {"3 2", "0"}, true},
	{"each column its own group", "abcd", "ab bc d", {"ab", "cb"}, {"0 1", "3 2"}, true},
	{"a counter alone, the first", "abcd", "ab bc d", {"b", "c"}, {"1", "3"}, true},
	{"no group has all: singly", "abcd", "ab cd", {"abc", "cd"}, {"0 1 2", "2 3"}, false},
	{"what is not there", "abcd", "ab d", {"ac", "d"}, {"0 not-counted", "2"}, false},
	{"what could not be had is there", "abcd", "abc -d", {"ad", "c"}, {"0 3", "2"}, false},
	{"the kernel's own need no group", "ab~cd", "abd ~c", {"ac", "cd"}, {"0 3", "3 2"}, true},
	{"of two kinds of cores", "aAbBcCdD", "abAB cdCD", {"ab", "cd"}, {"0 1", "4 5"}, true},
	{"in two groups of each", "aAbBcCdD", "abAB bcdBCD", {"ab", "bc"}, {"0 1", "4 5"}, true},
	{"half a number is none", "aAbBcCdD", "abBcCdD", {"a", "b"}, {"not-counted", "1"}, false},
	{"nor is a whole one of a half", "abcd", "aAbcd", {"a", "b"}, {"not-counted", "2"}, false},
};
/* clang-format on */

static void test_columns(void)
{
	for (size_t i = 0; i < sizeof column_table / sizeof *column_table; i++) {
		const char *const column[] = {column_table[i].column[0], column_table[i].column[1],
					      NULL};
		struct bench b;

		begin(&b, column, column_table[i].known);
		b.set = make_set(column_table[i].set);
		for (size_t k = 0; k < 2; k++)
			tap_str(bound_text(&b, k), column_table[i].want[k], "%s: column %s",
				column_table[i].name, column[k]);
		screen_drop_column(b.screen, 0);
		binding_done(&b.binding);
		binding_init(&b.binding, b.screen, &b.numbers);
		tap_int(binding_is_whole(&b.binding, b.set), column_table[i].whole, "%s: whole",
			column_table[i].name);
		end(&b);
	}
}

/* An unsupported event is not searched in readings. */
static void test_unknown(void)
{
	static const char *const column[] = {"ab", "c", NULL};
	struct bench b;

	begin(&b, column, "abcd");
	b.numbers.events->event[1].kind = EVENT_NONE;
	b.set = make_set("abcd");
	b.set->event[1].kind = EVENT_NONE;
	tap_str(bound_text(&b, 0), "0 unsupported",
		"an event that no sample has is not looked for");
	tap_ok(binding_is_whole(&b.binding, b.set), "and is not missed");
	end(&b);
	begin(&b, column, "abcd");
	tap_str(bound_text(&b, 0), "not-counted not-counted",
		"a reading of which nothing was wanted");
	end(&b);
}

/* A column of joined counters is bound to the group that has all of them. */
static void test_wishes(void)
{
	static const char *const column[] = {"c", "ac", NULL};
	struct bench b;

	begin(&b, column, "abcd");
	for (size_t i = 0; i < b.screen->n_counters; i++)
		b.screen->counter[i].join = b.screen->counter[i].alias[0] >= 'c';
	b.set = make_set("ac cd");
	tap_str(bound_text(&b, 0), "2", "from the group that has all that is joined");
	tap_str(bound_text(&b, 1), "0 1", "a column of more than that is not bound by it");
	end(&b);
}

/* Sets to which only the binding still refers are freed, others are kept. */
static void test_many_sets(void)
{
	static const char *const column[] = {"ab", NULL};
	struct sample_events *first;
	struct bench b;

	begin(&b, column, "abcd");
	b.set = first = make_set("abcd");
	bound_text(&b, 0);
	for (int i = 0; i < 100; i++) {
		b.set = make_set("ba");
		tap_str(bound_text(&b, 0), "1 0", "set %d", i);
		sample_events_unref(b.set);
	}
	tap_ok(b.binding.n < 20, "a hundred sets are not kept");
	b.set = first;
	tap_str(bound_text(&b, 0), "0 1", "the one that is used is");
	end(&b);
}

int main(void)
{
	test_columns();
	test_unknown();
	test_wishes();
	test_many_sets();
	return tap_done();
}
