/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in screens: scripts depend on their layout, and all columns must compile.
 */
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"

static void collect(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

/* Appends a screen as text: its columns, separated by '|', then its counters and facts. */
static void describe(struct strbuf *out, const struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		strbuf_addf(out, "%s|%s|%d%s\n", s->column[i].header, s->column[i].format,
			    s->column[i].width, s->column[i].optional ? " optional" : "");
	for (size_t i = 0; i < s->n_aliases; i++)
		strbuf_addf(out, "%s ", s->alias[i]);
	for (int i = 0; i < N_FACTS; i++)
		if (fact_in(s->facts, i))
			strbuf_addf(out, "%s ", fact_table[i].name);
}

static const struct {
	const char *name, *want;
} expected[] = {
	{"default", " %CPU|%5.1f|5\n"
		    " %SYS|%5.1f|5\n"
		    "   P| %3.0f|4\n"
		    "  Mcycle|%8.2f|8\n"
		    "  Minstr|%8.2f|8\n"
		    "  IPC| %4.2f|5\n"
		    " %MISS|%6.2f|6\n"
		    " %BMIS|%6.2f|6\n"
		    " %BUS|%5.1f|5 optional\n"
		    "cycle instr miss br_miss bus CPU_NS STIME_NS PROC_ID "},
	{"branch", "  %CPU| %5.1f|6\n"
		   "   %MIS/I|   %6.2f|9\n"
		   "   %MISP|   %5.2f|8\n"
		   "  %BR/I|  %5.1f|7\n"
		   "br_miss instr branch CPU_NS "},
	{"imix", " %CPU|%5.1f|5\n"
		 "  Mcycle|%8.2f|8\n"
		 "  Minstr|%8.2f|8\n"
		 "  IPC| %4.2f|5\n"
		 "   %LD|%6.1f|6\n"
		 "   %ST|%6.1f|6\n"
		 "  %x87|%6.1f|6\n"
		 "   %BR|%6.1f|6\n"
		 "cycle instr load store x87 branch CPU_NS "},
	{"FP", " %CPU|%5.1f|5\n"
	       "  Mcycle|%8.2f|8\n"
	       "  Minstr|%8.2f|8\n"
	       "  IPC| %4.2f|5\n"
	       "  %x87|%6.1f|6\n"
	       " %SSES|%6.1f|6 optional\n"
	       " %SSED|%6.1f|6 optional\n"
	       " %SSED|%6.1f|6 optional\n"
	       " %assist|%8.2f|8\n"
	       "cycle instr x87 single double packed_double scalar_double assist CPU_NS "},
	{"mem", " %CPU|%5.1f|5\n"
		"  Mcycle|%8.2f|8\n"
		"  Minstr|%8.2f|8\n"
		"  IPC| %4.2f|5\n"
		" L2hit|%6.2f|6\n"
		" L3hit|%6.2f|6\n"
		"L3miss|%6.2f|6\n"
		"cycle instr l2_hit l3_hit l3_miss CPU_NS "},
	{"uOps", " %CPU|%5.1f|5\n"
		 " %SYS|%5.1f|5\n"
		 "  Mcycle|%8.2f|8\n"
		 "  Minstr|%8.2f|8\n"
		 "  IPC| %4.2f|5\n"
		 "   Muops|%8.2f|8\n"
		 "  uPI| %4.2f|5\n"
		 " macrof|%7.2f|7 optional\n"
		 "cycle instr uop fused CPU_NS STIME_NS "},
	{"software", " %CPU|%5.1f|5\n"
		     " %SYS|%5.1f|5\n"
		     "%CHLD|%5.1f|5\n"
		     "   P| %3.0f|4\n"
		     " VCSW/s|%7.1f|7\n"
		     "NVCSW/s|%7.1f|7\n"
		     "MIGR/s|%6.1f|6\n"
		     " MINFL/s|%8.1f|8\n"
		     "MAJFL/s|%7.1f|7\n"
		     "WAITms/s|%8.1f|8\n"
		     "CPU_NS STIME_NS PROC_ID MINFLT MAJFLT VCSW NVCSW MIGRATIONS WAIT_NS "
		     "CHILD_NS "},
	{"tasks", "USER|%-8s|8\n"
		  "S|%s|1\n"
		  " %CPU|%5.1f|5\n"
		  " NI|%3.0f|3\n"
		  "   RES|%6h|6\n"
		  " %MEM|%5.1f|5\n"
		  "   TIME+|%8h|8\n"
		  "  IPC| %4.2f|5 optional\n"
		  "instr cycle CPU_NS RSS_KB NICE USER STATE "},
};

#define N_EXPECTED (sizeof expected / sizeof *expected)

static void test_compiles(struct screen *s, const char *name)
{
	struct strbuf reports;
	struct err err = ERR_INIT;
	bool reported = s->desc && s->desc[0];

	for (size_t i = 0; i < s->n_columns; i++)
		reported = reported && s->column[i].desc && s->column[i].desc[0];
	strbuf_init(&reports);
	tap_str(s->name, name, "screen '%s' is in its place", name);
	tap_ok(reported, "it and its columns have descriptions");
	tap_int(screen_compile(s, collect, &reports, &err), 0, "it compiles");
	tap_str(reports.text, "", "without a report");
	for (size_t i = 0; i < s->n_columns; i++)
		tap_ok(screen_column_is_text(&s->column[i]) ||
			       s->column[i].width == (int)strlen(s->column[i].header),
		       "'%s' is as wide as its numbers", s->column[i].header);
	for (size_t i = 0; i < s->n_columns; i++)
		if (s->column[i].unit == UNIT_NONE)
			strbuf_addf(&reports, "%s ", s->column[i].id);
	tap_ok(!reports.text[0] || !strcmp(reports.text, "p ") || !strcmp(reports.text, "ni "),
	       "all columns but the number of a CPU and nice values have a unit: %s", reports.text);
	strbuf_done(&reports);
}

static void test_screen(struct screen *s, const char *name, const char *want)
{
	struct strbuf text;

	test_compiles(s, name);
	strbuf_init(&text);
	describe(&text, s);
	tap_str(text.text, want, "its layout and its needs");
	strbuf_done(&text);
}

/* Returns 100, 200, 300, ... for delta() of the counters, in the order of the aliases; 7e6 for
 * rate() and for totals. */
static struct value load(const void *row, struct expr_ref ref)
{
	(void)row;
	return value_exact(ref.mode == EXPR_DELTA ? 100.0 * (ref.symbol + 1) : 7e6);
}

static void test_formulas(const struct screen_list *l)
{
	static const struct {
		int screen, column;
		double want;
	} table[] = {
		/* default: cycle 100, instr 200, miss 300, br_miss 400, bus 500 */
		{0, 3, 1e-4},
		{0, 4, 2e-4},
		{0, 5, 2},
		{0, 6, 150},
		{0, 7, 200},
		{0, 8, 2.5},
		/* branch: br_miss 100, instr 200, branch 300 */
		{1, 1, 50},
		{1, 2, 100.0 / 3},
		{1, 3, 150},
		/* imix: cycle 100, instr 200, load 300, store 400, x87 500, branch 600 */
		{2, 4, 150},
		{2, 7, 300},
		/* FP: ..., x87 300, single 400, double 500, packed_double 600,
		 * scalar_double 700, assist 800 */
		{3, 4, 150},
		{3, 7, 650},
		{3, 8, 400},
		/* mem: ..., l2_hit 300, l3_hit 400, l3_miss 500 */
		{4, 4, 1500},
		{4, 6, 2500},
		/* uOps: ..., uop 300, fused 400 */
		{5, 5, 3e-4},
		{5, 6, 1.5},
		{5, 7, 2},
		/* software */
		{6, 2, 0.7},
		{6, 4, 7e6},
		{6, 9, 7},
		/* tasks: a process with 7e6 KiB on a machine with 7e6 KiB has 100 % */
		{7, 5, 100},
		{7, 7, 0.5}, /* instr 100, cycle 200 */
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct column *c = &l->v[table[i].screen]->column[table[i].column];

		tap_num(expr_eval(c->expr, load, NULL, NULL).number, table[i].want,
			"the formula of '%s'", c->header);
	}
}

/* The screens for current CPUs, with all columns; columns for different CPUs may have the same
 * header. */
static const char *const today_names[] = {"memory",   "stalls", "frontend", "topdown", "flops_dp",
					  "flops_sp", "fp",     "system",   "fetch",   "memops",
					  "walks",    "simd",   "regions",  "why",     "numa",
					  "locks",    "calls",  "work"};

#define N_TODAY (sizeof today_names / sizeof *today_names)
/* Number of these screens that come after software and tasks. */
#define N_LAST 9
/* Number of screens of tiptop 2.3.1, which come first. */
#define N_FIRST 6
/* Number of screens of CPUs and sockets, which come after the others; one of regions follows
 * (N_BEHIND). */
#define N_OF_CPUS 7
#define N_BEHIND  1
#define N_OTHERS  (screen_built_in_n - N_OF_CPUS - N_BEHIND)

/* Counts by alias. delta() and rate() are derived from them. */
static const struct {
	const char *name;
	double count;
} count_table[] = {
	{"cycle", 4000},      {"instr", 2000},      {"l1", 30},          {"l2", 20},
	{"l3", 10},           {"dram", 5},          {"ll", 4},           {"dtlb", 3},
	{"itlb", 1},          {"branch", 400},      {"br_miss", 8},      {"fe", 800},
	{"exec", 1000},       {"noret", 2000},      {"load", 1600},      {"be", 1200},
	{"mem", 600},         {"scalar", 1e6},      {"p128", 2e6},       {"p256", 3e6},
	{"p512", 4e6},        {"flop", 5e6},        {"fixed", 6e6},      {"scale256", 7e6},
	{"scale128", 8e6},    {"vector", 3e6},      {"vfp", 100},        {"ase", 200},
	{"sve", 300},         {"assist", 500},      {"cycle_all", 9e9},  {"cycle_k", 18e8},
	{"cycle_u", 72e8},    {"ref_u", 48e8},      {"CPU_NS", 3e9},     {"VCSW", 5},
	{"NVCSW", 6},         {"MIGRATIONS", 7},    {"MINFLT", 8},       {"MAJFLT", 9},
	{"WAIT_NS", 11e6},    {"CPU_TOT", 12},      {"FAST_CORES", 13},  {"flop_e", 9e6},
	{"flop_scalar", 1e6}, {"flop_packed", 2e6}, {"wait_l1", 40},     {"wait_l2", 20},
	{"wait_l3", 10},      {"ret_miss", 1},      {"ind_miss", 3},     {"op_cache", 900},
	{"decoder", 300},     {"split_ld", 4},      {"page_ld", 1},      {"split_st", 6},
	{"lock", 8},          {"far", 10},          {"store", 400},      {"load_walk", 200},
	{"store_walk", 100},  {"fetch_walk", 40},   {"v128", 2e6},       {"v256", 3e6},
	{"v512", 4e6},        {"amx", 1000},        {"miss", 24},        {"CALLS", 8},
	{"REGION_NS", 4e6},   {"SELF_NS", 1e6},     {"MAX_NS", 9e5},     {"near", 20},
	{"ACQUISITIONS", 50}, {"CONTENDED", 10},    {"ACQUIRE_NS", 3e7}, {"HOLDS", 40},
	{"HOLD_NS", 8e3},     {"RELEASES", 20},     {"RELEASE_NS", 600}, {"OWNER_CHANGES", 30},
	{"TRYING_NS", 5e7},   {"WORK1", 2000},      {"WORK2", 16},       {"WORK3", 4},
	{"WORK4", 2}};

static struct value load_named(const void *row, struct expr_ref ref)
{
	const struct screen *s = row;
	const char *name = (size_t)ref.symbol < s->n_aliases
				   ? s->alias[ref.symbol]
				   : variable_at(ref.symbol - SYMBOL_VARIABLE).name;

	for (size_t i = 0; i < sizeof count_table / sizeof *count_table; i++)
		if (!strcmp(count_table[i].name, name))
			return value_exact(count_table[i].count);
	return value_none(QUALITY_UNSUPPORTED);
}

/* Returns the n-th column with this header. */
static const struct column *find_column(const struct screen *s, const char *header, int n)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (!strcmp(s->column[i].header, header) && !n--)
			return &s->column[i];
	return NULL;
}

/* Columns of topdown are tested in bind/test_counters_built_in.c. */
static const struct {
	const char *screen, *header;
	int variant;
	double want;
} today_table[] = {
	{"memory", " L1MPKI", 0, 15},
	{"memory", " L2MPKI", 0, 10},
	{"memory", " L3MPKI", 0, 5},
	{"memory", "DRAMPKI", 0, 2.5},
	{"memory", " LLMPKI", 0, 2},
	{"memory", "dTLBPKI", 0, 1.5},
	{"stalls", "%NOEX", 0, 25},
	{"stalls", "%INL1", 0, 1},
	/* Lion Cove, whose stall events exclude each other; and other CPUs. */
	{"stalls", "  %L1", 0, 1},
	{"stalls", "  %L1", 1, 0.75},
	{"stalls", "  %L2", 0, 0.5},
	{"stalls", "  %L3", 0, 0.25},
	{"stalls", "%NORET", 0, 50},
	{"stalls", "%LOAD", 0, 40},
	{"stalls", "  %BE", 0, 30},
	{"stalls", " %BEM", 0, 15},
	{"frontend", "BRMPKI", 0, 4},
	{"frontend", " %MISP", 0, 2},
	{"frontend", "iTLBPKI", 0, 0.5},
	{"frontend", "  %FE", 0, 20},
	/* Operations from scalar and vector instructions, or from any; with AVX-512, and
	 * without. */
	{"flops_dp", "MFLOP/s", 0, 3},
	{"flops_dp", "FLOP/c", 0, 3e6 / 4000},
	{"flops_dp", " %VEC", 0, 100 * 2.0 / 3},
	{"flops_dp", "MFLOP/s", 1, 5},
	{"flops_dp", "MFLOP/s", 2, 1 + 2 * 2 + 4 * 3 + 8 * 4},
	{"flops_dp", "MFLOP/s", 3, 1 + 2 * 2 + 4 * 3},
	{"flops_dp", "FLOP/c", 1, 5e6 / 4000},
	{"flops_dp", "FLOP/c", 2, 49e6 / 4000},
	{"flops_dp", "FLOP/c", 3, 17e6 / 4000},
	{"flops_dp", " %VEC", 1, 100 * 48.0 / 49},
	{"flops_dp", " %VEC", 2, 100 * 16.0 / 17},
	{"flops_sp", "MFLOP/s", 2, 1 + 4 * 2 + 8 * 3 + 16 * 4},
	{"flops_sp", "MFLOP/s", 3, 1 + 4 * 2 + 8 * 3},
	{"flops_sp", "FLOP/c", 2, 97e6 / 4000},
	{"flops_sp", " %VEC", 2, 100 * 32.0 / 33},
	/* Efficiency cores; AMD; Arm with SVE of 256 bits, and of 128 bits. */
	{"fp", "MFLOP/s", 0, 9},
	{"fp", "MFLOP/s", 1, 5},
	{"fp", "MFLOP/s", 2, 20},
	{"fp", "MFLOP/s", 3, 14},
	{"fp", "  %FP", 0, 100 * 4e6 / 2000},
	{"fp", " %VEC", 0, 75},
	{"fp", " %VFP", 0, 5},
	{"fp", " %ASE", 0, 10},
	{"fp", " %SVE", 0, 15},
	{"fp", " %assist", 0, 25},
	{"memops", "SPLDPKI", 0, 2},
	{"memops", "PGLDPKI", 0, 0.5},
	{"memops", "SPSTPKI", 0, 3},
	{"memops", "LOCKPKI", 0, 4},
	{"memops", " FARPKI", 0, 5},
	{"numa", " MEMPKI", 0, 15},
	{"numa", " %FAR", 0, 100 / 3.0},
	{"walks", "%STORE", 0, 10},
	{"walks", "%LDWALK", 0, 5},
	{"walks", "%STWALK", 0, 2.5},
	{"walks", "%IWALK", 0, 1},
	/* With AVX-512, and without. */
	{"simd", "  MFP/s", 0, 10},
	{"simd", "  MFP/s", 1, 6},
	{"simd", "%SCAL", 0, 10},
	{"simd", "%SCAL", 1, 100 / 6.0},
	{"simd", " %128", 0, 20},
	{"simd", " %128", 1, 100 / 3.0},
	{"simd", " %256", 0, 30},
	{"simd", " %256", 1, 50},
	{"simd", " %512", 0, 40},
	{"fp", " %AMX", 0, 25},
	{"fetch", "RETMPKI", 0, 0.5},
	{"fetch", "INDMPKI", 0, 1.5},
	{"fetch", "%OPCACHE", 0, 75},
	{"system", " GHz", 0, 3},
	{"system", "TURBO", 0, 1.5},
	{"system", "%KERN", 0, 20},
	{"system", "%FAST", 0, 13},
	{"system", "  CSW/s", 0, 11},
	{"system", "MIGR/s", 0, 7},
	{"system", " FAULT/s", 0, 17},
	{"system", "WAITms/s", 0, 11},
	{"regions", "       ms", 0, 4},
	{"regions", " %SELF", 0, 25},
	{"regions", "    CALLS", 0, 8},
	{"regions", "   us/call", 0, 500},
	{"regions", " EVERMAXus", 0, 900},
	{"regions", "  IPC", 0, 0.5},
	{"regions", " MISS/call", 0, 3},
	{"work", "          1", 0, 2000},
	{"work", "       1/s", 0, 5e5},
	{"work", "    1/call", 0, 250},
	{"work", "      ns/1", 0, 2000},
	{"work", "   instr/1", 0, 1},
	{"work", "     cyc/1", 0, 2},
	{"work", "    miss/1", 0, 0.012},
	{"work", "  IPC", 0, 0.5},
	{"work", "       2/s", 0, 4000},
	{"work", "       3/s", 0, 1000},
	{"work", "       4/s", 0, 500},
	{"locks", " %WAIT", 0, 3},
	{"locks", "    ACQ/s", 0, 50},
	{"locks", " %CONT", 0, 20},
	{"locks", "     ns/acq", 0, 6e5},
	{"locks", "    ns/hold", 0, 200},
	{"locks", "  ns/rel", 0, 30},
	{"locks", " OWNCHG/s", 0, 30},
	{"calls", " %TIME", 0, 0.1},
	{"calls", "   CALLS/s", 0, 8},
	{"calls", "    ns/call", 0, 125000},
	{"calls", " EVERMAXus", 0, 900},
};

static void test_today(void)
{
	struct screen_list l = SCREEN_LIST_INIT;

	screen_list_add_built_in(&l, N_FIRST, N_OTHERS - N_LAST - 2);
	screen_list_add_built_in(&l, N_OTHERS - N_LAST, N_OTHERS);
	screen_list_add_built_in(&l, N_OTHERS + N_OF_CPUS, screen_built_in_n);
	tap_int(l.n, N_TODAY, "the screens for today's CPUs");
	for (size_t i = 0; i < l.n && i < N_TODAY; i++)
		test_compiles(l.v[i], today_names[i]);
	for (size_t i = 0; i < sizeof today_table / sizeof *today_table; i++) {
		struct err err = ERR_INIT;
		int found = screen_list_find(&l, today_table[i].screen, &err);
		const struct screen *s = l.v[found < 0 ? 0 : found];
		const struct column *c =
			find_column(s, today_table[i].header, today_table[i].variant);

		if (tap_ok(c, "the column '%s' of %s", today_table[i].header,
			   today_table[i].screen))
			tap_num(expr_eval(c->expr, load_named, NULL, s).number, today_table[i].want,
				"its formula");
	}
	screen_list_done(&l);
}

/* Scripts use these numbers, so none may change. A new screen gets the next number. */
static const char *const numbers[] = {
	"default",  "branch",   "imix",    "FP",       "mem",      "uOps",  "memory",
	"stalls",   "frontend", "topdown", "flops_dp", "flops_sp", "fp",    "system",
	"software", "tasks",    "fetch",   "memops",   "walks",    "simd",  "regions",
	"why",      "numa",     "locks",   "calls",    "har",      "har-i", "har-s",
	"har-more", "har-cpi",  "sockets", "cpus",     "work"};

static void test_numbers(void)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		tap_str(screen_built_in[i].name, numbers[i], "screen %zu", i);
		tap_int(screen_built_in[i].number, (int)i, "keeps its number");
	}
}

int main(void)
{
	struct screen_list l = SCREEN_LIST_INIT;

	screen_list_add_built_in(&l, 0, N_FIRST);
	tap_int(l.n, 6, "the screens of tiptop 2.3.1");
	screen_list_add_built_in(&l, N_OTHERS - N_LAST - 2, N_OTHERS - N_LAST);
	if (tap_ok(l.n == N_EXPECTED, "two work without hardware counters")) {
		for (size_t i = 0; i < N_EXPECTED; i++)
			test_screen(l.v[i], expected[i].name, expected[i].want);
		test_formulas(&l);
	}
	screen_list_done(&l);
	test_today();
	test_numbers();
	return tap_done();
}
