/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/event_screen.h"

#include <errno.h>

#include "base/strbuf.h"
#include "model/sample.h"
#include "screen/compile.h"
#include "tap.h"

/* Appends each counter as "alias=event", with "@number" for each of its groups. */
static void show_counters(struct strbuf *out, const struct screen *s)
{
	for (size_t i = 0; i < s->n_counters; i++) {
		const struct counter_decl *c = &s->counter[i];

		strbuf_addf(out, "%s%s=%s", i ? " " : "", c->alias, c->event);
		if (c->join)
			strbuf_addf(out, "@%d", c->join);
	}
}

static void show_headers(struct strbuf *out, const struct screen *s)
{
	for (size_t i = 1; i < s->n_columns; i++)
		strbuf_addf(out, "%s%s", i > 1 ? " " : "", s->column[i].header);
}

static const struct {
	const char *list, *counters, *headers;
} lists[] = {
	{"page-faults", "page_faults=page-faults", "page-faults"},
	{"task-clock,cs", "task_clock=task-clock cs=cs", "task-clock cs"},
	{" a ,\tb\n", "a=a b=b", "a b"},
	{"{a,b}", "a=a@1 b=b@1", "a b"},
	{" { a , b } ", "a=a@1 b=b@1", "a b"},
	{"a,{b,c},d,{e}", "a=a b=b@1 c=c@1 d=d e=e@2", "a b c d e"},
	{"{a,b},c", "a=a@1 b=b@1 c=c", "a b c"},

	/* A repeated event: one counter, in all groups. */
	{"a,b,a", "a=a b=b", "a b"},
	{"{a,a}", "a=a@1", "a"},
	{"a,{a,b}", "a=a@1 b=b@1", "a b"},
	{"{a,b},a", "a=a@1 b=b@1", "a b"},
	{"{a,b},{a,c},{c,a}", "a=a@1 b=b@1 a=a@2 c=c@2 c=c@3 a=a@3", "a b c"},

	/* Names in the syntax of pmu/event/name.h. */
	{"cpu/event=0x3c,cmask=1/,a", "cpu_event_0x3c_cmask_1=cpu/event=0x3c,cmask=1/ a=a",
	 "cpu/event=0x3c,cmask=1/ a"},
	{"{cpu/a,b/u,cpu/{c}/:k}", "cpu_a_b_u=cpu/a,b/u@1 cpu_c_k=cpu/{c}/:k@1",
	 "cpu/a,b/u cpu/{c}/:k"},
	{"A:B ; cpu/a,b/;c,d", "A_B_cpu_a_b_c=A:B ; cpu/a,b/;c d=d", "A:B ; cpu/a,b/;c d"},
	{"r412e,0x5301c2", "r412e=r412e event_0x5301c2=0x5301c2", "r412e 0x5301c2"},
	{"skl::FP_ASSIST:ANY", "skl_FP_ASSIST_ANY=skl::FP_ASSIST:ANY", "skl::FP_ASSIST:ANY"},

	/* Names in perf's syntax: name= gives the header; modifiers of a group apply to each
	 * member. */
	{"cpu/event=0x3c,name=foo,period=5/", "foo=cpu/event=0x3c,name=foo,period=5/", "foo"},
	{"a/name=x/,b/name=x/", "x=a/name=x/ x_2=b/name=x/", "a/name=x/ b/name=x/"},
	{"{a,b:k,cpu/c/}:u", "a_u=a:u@1 b_ku=b:ku@1 cpu_c_u=cpu/c/u@1", "a:u b:ku cpu/c/u"},
	{"{a,b}:pp,c", "a_pp=a:pp@1 b_pp=b:pp@1 c=c", "a:pp b:pp c"},
	{"one{a,b},two-2{c}:u", "a=a@1 b=b@1 c_u=c:u@2", "a b c:u"},
	{"{a,b}:W,{c,d}:Wk", "a=a b=b c_k=c:k d_k=d:k", "a b c:k d:k"},
	{"{a;b:k,c@hold}:u", "a_u_b_ku=a:u;b:ku@1 c_u_hold=c:u@hold@1", "a:u;b:ku c:u@hold"},

	/* Aliases are unique, and none equals the name of a variable. */
	{"a:b,a-b,a.b,a_b", "a_b=a:b a_b_2=a-b a_b_3=a.b a_b_4=a_b", "a:b a-b a.b a_b"},
	{"a-b,a-b-2,a:b", "a_b=a-b a_b_2=a-b-2 a_b_3=a:b", "a-b a-b-2 a:b"},
	{"CPU-TOT,NICE", "CPU_TOT_2=CPU-TOT NICE_2=NICE", "CPU-TOT NICE"},
	{"_a-,9", "event_a=_a- event_9=9", "_a- 9"},
	{"\303\251,\303\250t\303\250", "event_=\303\251 event_t=\303\250t\303\250",
	 "\303\251 \303\250t\303\250"},

	/* Long headers are cut if they remain unique. */
	{"123456789012345678901234", "event_123456789012345678901234=123456789012345678901234",
	 "123456789012345678901234"},
	{"LONGEST_LAT_CACHE:REFERENCE", "LONGEST_LAT_CACHE_REFERENCE=LONGEST_LAT_CACHE:REFERENCE",
	 "LONGEST_LAT..E:REFERENCE"},
	{"AAAAAAAAAAAAAAA1BBBBBBBBBBBBB,AAAAAAAAAAAAAAA2BBBBBBBBBBBBB",
	 "AAAAAAAAAAAAAAA1BBBBBBBBBBBBB=AAAAAAAAAAAAAAA1BBBBBBBBBBBBB "
	 "AAAAAAAAAAAAAAA2BBBBBBBBBBBBB=AAAAAAAAAAAAAAA2BBBBBBBBBBBBB",
	 "AAAAAAAAAAAAAAA1BBBBBBBBBBBBB AAAAAAAAAAAAAAA2BBBBBBBBBBBBB"},
	{"LONGEST_LAT_CACHE:REFERENCE,LONGEST_LAT..E:REFERENCE",
	 "LONGEST_LAT_CACHE_REFERENCE=LONGEST_LAT_CACHE:REFERENCE "
	 "LONGEST_LAT_E_REFERENCE=LONGEST_LAT..E:REFERENCE",
	 "LONGEST_LAT_CACHE:REFERENCE LONGEST_LAT..E:REFERENCE"},
};

static void test_lists(void)
{
	struct strbuf out;

	strbuf_init(&out);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct screen *screen = NULL;
		struct err err = ERR_INIT;

		tap_int(event_screen_new(&screen, lists[i].list, NULL, NULL, NULL, &err), 0,
			"list %zu is read", i + 1);
		strbuf_reset(&out);
		show_counters(&out, screen);
		tap_str(out.text, lists[i].counters, "its counters");
		strbuf_reset(&out);
		show_headers(&out, screen);
		tap_str(out.text, lists[i].headers, "its columns");
		screen_free(screen);
	}
	strbuf_done(&out);
}

static void test_ignored(void)
{
	static const char *const list[][2] = {
		{"a,b:u,{c,d}:k", ""},
		{"a:pp,cpu/b,period=100003,name=x/P,{c,d}:pp", "pp, period=100003, P"},
		{"{a,b}:W", ""},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct screen *screen = NULL;
		struct strbuf ignored;

		strbuf_init(&ignored);
		event_screen_new(&screen, list[i][0], NULL, NULL, &ignored, NULL);
		tap_str(ignored.text ? ignored.text : "", list[i][1], "what is ignored of '%s'",
			list[i][0]);
		screen_free(screen);
		strbuf_done(&ignored);
	}
}

static char *choose_second(void *context, const char *names)
{
	const char *second = strchr(names, ';');

	++*(int *)context;
	return second ? xstrdup(second + 1) : NULL;
}

/* Alternatives: the chosen one is the header of the columns, and determines their ratios. */
static void test_alternatives(void)
{
	struct screen *screen = NULL;
	struct strbuf out;
	int asked = 0;

	strbuf_init(&out);
	event_screen_new(&screen, "nope;instructions,cycles,cs,no;cs", choose_second, &asked, NULL,
			 NULL);
	show_headers(&out, screen);
	tap_str(out.text, "instructions cycles cs no;cs IPC", "alternatives: the columns");
	tap_str(screen->counter[0].event, "nope;instructions", "the declaration keeps them all");
	tap_int(asked, 2, "nothing is asked of a single name");
	screen_free(screen);
	strbuf_done(&out);
}

#define MISSING ": a name is missing: events are written a,b and a group {a,b}"
#define SLASH   ": the second '/' is missing: an event of a PMU is written PMU/EVENT/"

static const struct {
	const char *list, *sentence;
} wrong[] = {
	{"", "column 1 of ''" MISSING},
	{"  ", "column 3 of '  '" MISSING},
	{",a", "column 1 of ',a'" MISSING},
	{"a,,b", "column 3 of 'a,,b'" MISSING},
	{"a, ", "column 4 of 'a, '" MISSING},
	{"a,b,", "column 5 of 'a,b,'" MISSING},
	{"{}", "column 2 of '{}'" MISSING},
	{"{a,}", "column 4 of '{a,}'" MISSING},
	{"{,a}", "column 2 of '{,a}'" MISSING},
	{"{", "column 2 of '{'" MISSING},
	{"{a,b},", "column 7 of '{a,b},'" MISSING},
	{"{a,b", "column 1 of '{a,b': the '{' has no '}': a group is written {a,b}"},
	{"a,{b", "column 3 of 'a,{b': the '{' has no '}': a group is written {a,b}"},
	{"a,b}", "column 4 of 'a,b}': the '}' has no '{': a group is written {a,b}"},
	{"}", "column 1 of '}': the '}' has no '{': a group is written {a,b}"},
	{"{a}}", "column 4 of '{a}}': a ',' is missing after the group"},
	{"{a}b", "column 4 of '{a}b': a ',' is missing after the group"},
	{"{a} {b}", "column 5 of '{a} {b}': a ',' is missing after the group"},
	{"{a,b}:q",
	 "column 7 of '{a,b}:q': 'q' is not a modifier of the event '{a,b}': use u, k, h, G "
	 "or H"},
	{"{a,b}:", "column 7 of '{a,b}:': '' is not a modifier of the event '{a,b}': use u, k, h, "
		   "G or H"},
	{"{a,b}:u c", "column 9 of '{a,b}:u c': a ',' is missing after the group"},
	{"a+{b}", "column 3 of 'a+{b}': a '{' cannot be inside a name: put a ',' before it"},
	{"a:{b}", "column 2 of 'a:{b}': write the name of a group before its '{' without a ':'"},
	{"{{a}}", "column 2 of '{{a}}': a group cannot be inside another one: write {a,b},{c,d}"},
	{"{a,{b}}",
	 "column 4 of '{a,{b}}': a group cannot be inside another one: write {a,b},{c,d}"},
	{"cpu/x", "column 4 of 'cpu/x'" SLASH},
	{"cpu/a,b/,cpu/x,c", "column 13 of 'cpu/a,b/,cpu/x,c'" SLASH},
	{"{cpu/x}", "column 5 of '{cpu/x}'" SLASH},
	{"cpu/x,msr/tsc/", "column 14 of 'cpu/x,msr/tsc/'" SLASH},
};

static void test_wrong(void)
{
	char list[301];
	struct err err = ERR_INIT;
	struct screen *screen = NULL;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		tap_int(event_screen_new(&screen, wrong[i].list, NULL, NULL, NULL, &err), -EINVAL,
			"-e '%s'", wrong[i].list);
		tap_str(err.text, wrong[i].sentence, "its sentence");
		tap_ok(!screen, "no screen");
	}
	memset(list, 'a', 300);
	list[299] = ',';
	list[300] = '\0';
	event_screen_new(&screen, list, NULL, NULL, NULL, &err);
	tap_ok(!strncmp(err.text, "column 301 of 'aaaa", 19) &&
		       strstr(err.text, "aa...': a name is missing"),
	       "of a long list the sentence quotes the beginning");
}

/* The headers after those of the counts: "IPC:u x/KI". */
static const struct {
	const char *list, *ratios;
} ratios[] = {
	{"cycles", ""},
	{"instructions", ""},
	{"cache-misses", ""},
	{"cycles,cache-misses", ""},
	{"instructions,cycles", "IPC"},
	{"cpu-cycles,instructions", "IPC"},
	{"cycles,cpu-cycles,instructions", "IPC"},
	{"{instructions,cycles},{instructions,cache-misses}", "IPC cache-misses/KI"},
	{"cache-misses,instructions,branch-misses,cycles", "IPC cache-misses/KI branch-misses/KI"},
	{"INSTRUCTIONS,perf::CPU-CYCLES", "IPC"},

	/* IPC only if both events have the same modes. */
	{"instructions:u,cycles:u", "IPC:u"},
	{"instructions:u,cycles", ""},
	{"instructions:u,cycles:k", ""},
	{"instructions:uk,cycles:k:u", "IPC:uk"},
	{"instructions:u,instructions:k,cycles:k,cycles:u,cache-misses:k",
	 "IPC:u IPC:k cache-misses:k/KI"},
	{"instructions:k,cycles:k,instructions,cycles", "IPC:k IPC"},
	{"instructions:uk,instructions:ku,cycles:uk", "IPC:uk"},
	{"instructions:u,cache-misses", ""},
	{"instructions,cpu/cache-misses/u", ""},
	{"instructions:u,cpu/cache-misses/u", "cpu/cache-misses/u/KI"},
	{"instructions:uk,cpu/cache-misses/:ku", "cpu/cache-misses/:ku/KI"},
	{"instructions:G,cycles:G", "IPC:G"},
	{"instructions@hold,cycles@hold", "IPC@hold"},
	{"instructions@hold,cycles@acquire", ""},
	{"instructions:u@hold,cycles:u@hold,cache-misses:u@hold",
	 "IPC:u@hold cache-misses:u@hold/KI"},
	{"instructions@elsewhere,cycles", ""},

	/* Events counted by the cores have a ratio per 1000 instructions. */
	{"instructions,r412e,0x5301c2", "r412e/KI 0x5301c2/KI"},
	{"instructions,LLC-load-misses,ref-cycles", "LLC-load-misses/KI ref-cycles/KI"},
	{"instructions,FP_ASSIST:ANY,skl::UOPS_ISSUED:ANY,fp_assist",
	 "FP_ASSIST:ANY/KI skl::UOPS_ISSUED:ANY/KI fp_assist/KI"},
	{"instructions:u,FP_ASSIST:ANY:u", "FP_ASSIST:ANY:u/KI"},
	{"instructions,cpu/x/,cpu_atom/x/,cpu_core/x/", "cpu/x//KI cpu_atom/x//KI cpu_core/x//KI"},
	{"instructions,armv8_pmuv3/x/,apple_icestorm_pmu/x/",
	 "armv8_pmuv3/x//KI apple_icestorm_pmu/x//KI"},

	/* Events that the cores do not count have no ratio per 1000 instructions. */
	{"instructions,task-clock,cpu-clock,page-faults,faults,minor-faults,major-faults,context-"
	 "switches,cs",
	 ""},
	{"instructions,cpu-migrations,migrations,alignment-faults,emulation-faults", ""},
	{"instructions:u,page-faults:u,perf::PAGE-FAULTS:u,PERF_COUNT_SW_PAGE_FAULTS:u", ""},
	{"instructions,sched:sched_switch,raw_syscalls:sys_enter", ""},
	{"instructions,msr/tsc/,power/energy-pkg/", ""},

	/* Alternatives have a ratio only if all are of the same kind and have the same
	 * modifiers. */
	{"cycles;cpu-cycles,instructions", "IPC"},
	{"instructions,FP_ASSIST:ANY;ASSISTS:FP", "FP_ASSIST:ANY;ASSISTS:FP/KI"},
	{"instructions,FP_ASSIST:ANY;task-clock", ""},
	{"instructions,task-clock;FP_ASSIST:ANY", ""},
	{"instructions,a;cs;b", ""},
	{"instructions,FP_ASSIST:ANY;ASSISTS:FP:u", ""},
	{"instructions;INST_RETIRED,cycles", ""},
	{"instructions,;", ""},
};

static void test_ratios(void)
{
	for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
		struct screen *screen = NULL;
		struct strbuf out;
		size_t n = 0;

		event_screen_new(&screen, ratios[i].list, NULL, NULL, NULL, NULL);
		strbuf_init(&out);
		/* Only ratios have a '/' in their expression. A count has one counter, and %CPU
		 * (column 0) none. */
		for (size_t k = 1; k < screen->n_columns; k++)
			if (strchr(screen->column[k].text, '/'))
				strbuf_addf(&out, "%s%s", n++ ? " " : "", screen->column[k].header);
		tap_str(out.text, ratios[i].ratios, "-e '%s': its ratios", ratios[i].list);
		strbuf_done(&out);
		screen_free(screen);
	}
}

static void show_columns(struct strbuf *out, const struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct column *c = &s->column[i];

		strbuf_addf(out, "%s|%d|%s|%s|%s\n", c->header, c->width, c->format, c->text,
			    c->desc);
	}
}

static void count_fault(void *context, int line, const struct err *err)
{
	(void)line;
	printf("# %s\n", err->text);
	++*(int *)context;
}

static int compile(struct screen *screen, int *faults)
{
	*faults = 0;
	return screen_compile(screen, count_fault, faults, &(struct err)ERR_INIT);
}

static void test_columns(void)
{
	struct screen *screen = NULL;
	struct strbuf out;
	int faults;

	strbuf_init(&out);
	event_screen_new(&screen,
			 "instructions,cycles,task-clock,TASK-CLOCK,cpu-clock,context-switches,LLC-"
			 "load-misses",
			 NULL, NULL, NULL, NULL);
	tap_int(compile(screen, &faults), 0, "it compiles");
	tap_int(faults, 0, "without a fault");
	show_columns(&out, screen);
	tap_str(out.text,
		" %CPU|5|%5.1f|CPU_TOT|CPU usage (% of one CPU)\n"
		"instructions|13|%13.0f|delta(instructions)|instructions since the last refresh\n"
		"cycles|13|%13.0f|delta(cycles)|cycles since the last refresh\n"
		"task-clock|13|%13.0f|delta(task_clock)|task-clock since the last refresh (ns)\n"
		"TASK-CLOCK|13|%13.0f|delta(TASK_CLOCK)|TASK-CLOCK since the last refresh (ns)\n"
		"cpu-clock|13|%13.0f|delta(cpu_clock)|cpu-clock since the last refresh (ns)\n"
		"context-switches|16|%13.0f|delta(context_switches)|context-switches since the "
		"last refresh\n"
		"LLC-load-misses|15|%13.0f|delta(LLC_load_misses)|LLC-load-misses since the last "
		"refresh\n"
		"IPC|5| %4.2f|delta(instructions) / delta(cycles)|Retired instructions (per "
		"cycle)\n"
		"LLC-load-misses/KI|18|%8.3f|1000 * delta(LLC_load_misses) / delta(instructions)|"
		"LLC-load-misses (per 1000 instructions)\n",
		"all of the columns");
	tap_str(screen->name, EVENT_SCREEN_NAME, "the name of the screen");
	tap_ok(screen->file != NULL, "it is one of the user's own, which the key W writes");
	screen_free(screen);
	strbuf_done(&out);
}

static struct screen *many(int n)
{
	struct screen *screen = NULL;
	struct strbuf list;

	strbuf_init(&list);
	for (int i = 0; i < n; i++)
		strbuf_addf(&list, "%se%d", i ? "," : "", i);
	event_screen_new(&screen, list.text, NULL, NULL, NULL, NULL);
	strbuf_done(&list);
	return screen;
}

static void test_limit(void)
{
	struct screen *screen = many(SAMPLE_MAX_EVENTS);
	int faults;

	tap_int(compile(screen, &faults), 0, "as many events as a sample holds");
	screen_free(screen);
	screen = many(SAMPLE_MAX_EVENTS + 1);
	tap_int(compile(screen, &faults), -EINVAL, "one more");
	screen_free(screen);
}

/* Returns whether a list is refused with a message, or makes a screen that compiles. */
static bool is_sound(const char *list)
{
	struct screen *screen = NULL;
	struct err err = ERR_INIT;
	int ret = event_screen_new(&screen, list, NULL, NULL, NULL, &err), faults = 0;

	if (ret)
		return !screen && ret == -EINVAL && err.code == EINVAL &&
		       !strncmp(err.text, "column ", 7);
	ret = compile(screen, &faults);
	screen_free(screen);
	return !ret && !faults;
}

static void test_mutations(void)
{
	static const char list[] = "{instructions:u,cycles:u}, "
				   "cpu/event=0x3c,cmask=1/u,{cycles:u,FP_ASSIST:ANY;msr/tsc/}";
	static const char other[] = "a0_ ,;:/{}-\n\303";
	char text[sizeof list];
	size_t n = 0, sound = 0;

	for (size_t i = 0; i < sizeof list; i++) {
		memcpy(text, list, sizeof list);
		text[i] = '\0';
		n++;
		sound += is_sound(text);
		memcpy(text + i, list + i, sizeof list - i);
		for (const char *c = other; *c && i < sizeof list - 1; c++, n++) {
			text[i] = *c;
			sound += is_sound(text);
		}
	}
	tap_int(sound, n, "all beginnings of a list, and all lists with another character");
}

int main(void)
{
	test_lists();
	test_ignored();
	test_alternatives();
	test_wrong();
	test_ratios();
	test_columns();
	test_limit();
	test_mutations();
	return tap_done();
}
