/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of made-up tables, in each format. */
#include <stdlib.h>

#include "locks_copy_rig.h"
#include "profile/locks/halving.h"
#include "profile/locks/lines_sections.h"
#include "tap.h"

static struct locks_copy copy;
static struct locks_report report;
static struct strbuf text;
static enum locks_group_key group;

static const char *write_report(enum report_format_id format, bool first)
{
	struct resolver *names = resolver_new(copy.module, copy.header.n_modules);
	const struct locks_lines l = {.format = format,
				      .copy = &copy,
				      .report = &report,
				      .names = names,
				      .group = group,
				      .is_first = first};

	strbuf_reset(&text);
	locks_lines_add(&l, &text);
	resolver_free(names);
	return text.text;
}

/* Returns a line by its number, counted from 1, without its end. */
static const char *line(const char *of, int number)
{
	static char found[4000];

	while (--number && of)
		of = strchr(of, '\n') ? strchr(of, '\n') + 1 : NULL;
	snprintf(found, sizeof found, "%.*s", of ? (int)strcspn(of, "\n") : 0, of ? of : "");
	return found;
}

static void read_table(bool events)
{
	locks_copy_rig_read(&copy, events);
	copy.header.full = 1;
	locks_report_make(&report, &copy, 0);
}

static void check_text(void)
{
	const char *all = write_report(REPORT_AS_TEXT, false);

	tap_str(line(all, 1), "# locks of process 4711: 3 threads, 0.010 s of their time",
		"whose locks they are");
	tap_str(line(all, 2),
		"#   waiting for locks: 18.5 % of this time (blocked 18.5 %, running 0.0 %, which "
		"is 0.0 % "
		"of "
		"the CPU time); most for [?program+0x10] in ?program+0x0 (25 %), [?program+0x10] "
		"in "
		"?program+0x0 (25 %), [?program+0x10] in ?program+0x0 (25 %); to try: fewer "
		"acquisitions, or several locks in place of one",
		"what waiting costs");
	tap_str(line(all, 3),
		"#   of this time by the kernel: running 20.0 %, ready to run 4.0 %, blocked for a "
		"lock 18.5 %, for work "
		"7.0 %, unknown 50.5 %",
		"what they did with their time");
	tap_str(line(all, 4),
		"#   of this time by calls: acquiring or waiting 0.0 %, holding a lock 0.0 %, "
		"neither 100.0 %, in tiptop 0.0 %",
		"what its threads did");
	tap_str(line(all, 5),
		"#   96 acquisitions of at least 4 locks, 0.240 in 10,000 ticks of the clock; "
		"times are not CPU cycles",
		"how many there are");
	tap_str(line(all, 6),
		"#   a lock was on average acquired in 25 ns, held for 2500 ns, released in 50 ns",
		"what each takes");
	tap_str(line(all, 7),
		"#   measuring takes 125 ns an acquisition, 0.0 % of the time, which is in these "
		"times",
		"and what tiptop itself takes");
	tap_str(line(all, 8),
		"# lock          kind  instance caller         acquired  cont%   owners"
		"   failed in  wait      so far"
		"    acquire  ns each     max us       hold  ns each     max us"
		"    release  ns each     max us waited for",
		"the heading, as wide as the names");
	tap_str(line(all, 9),
		"[?program+0x10] mutex 0x50c0   ?program+0x0         18   16.7        3"
		"           -     -           -"
		"    0.000ms       25      0.025    0.045ms     2500      2.500"
		"    0.001ms       50      0.050 ?program+0x1 50 %",
		"a lock");
}

static void check_csv(void)
{
	const char *all = write_report(REPORT_AS_CSV, true);

	tap_ok(!strncmp(line(all, 1), "pid,name,address,", 17), "a header for programs");
	tap_str(line(all, 2),
		"4711,[?program+0x10],0x50c0,1,1,mutex,?program+0x0,18,3,0,0,3,450,25.000,25,0.000,"
		"45000,2500.000,2500,0.000,900,50.000,50,0.000,?program+0x1,7,,18,18,18,0,0,0,,"
		",,,,0,sure,1",
		"a lock as CSV");
	all = write_report(REPORT_AS_CSV, false);
	tap_ok(!strncmp(line(all, 1), "4711,", 5), "no header twice");
}

static void check_json(void)
{
	const char *all = write_report(REPORT_AS_JSON, true);

	tap_str(line(all, 1),
		"{\"type\":\"locks\",\"schema\":1,\"pid\":4711,\"threads\":3,\"dynamic\":96,"
		"\"static\":4,\"per_10k_ticks\":0.23994019490641957,\"unit\":\"ns\",\"time\":"
		"10002492,"
		"\"waiting\":750,\"holding\":1500,\"free\":10000167,\"own\":75,\"sample\":1,"
		"\"measuring\":3750,\"cpu_time\":null,\"under_way\":0,\"under_way_ns\":0,"
		"\"held\":0,\"unmeasured\":0,\"too_deep\":0,\"unmatched\":0,\"threads_left_out\":0,"
		"\"stopped_after\":null,"
		"\"futex_calls\":0,\"futex_caller\":null,\"unseen\":[],\"names_given_up\":0,"
		"\"names_nearest\":0,\"names_generated\":0,"
		"\"static_at_least\":1,\"futex_left_out\":0,\"waiting_idle\":0,"
		"\"shared_dynamic\":0,\"shared_static\":0,\"halving_time\":null,"
		"\"halving_reason\":\"threads differ in how often they use locks\","
		"\"kernel_lost\":null,\"kernel_unpaired\":null,\"rows\":8,"
		"\"acquire\":{\"n\":96,\"timed\":96,\"sum\":2400,\"mean\":25,\"max\":25,\"stddev\":"
		"0,"
		"\"histogram\":[[40,96]]},"
		"\"hold\":{\"n\":96,\"timed\":96,\"sum\":240000,\"mean\":2500,\"max\":2500,"
		"\"stddev\":0,"
		"\"histogram\":[[2560,96]]},"
		"\"release\":{\"n\":96,\"timed\":96,\"sum\":4800,\"mean\":50,\"max\":50,\"stddev\":"
		"0,"
		"\"histogram\":[[80,96]]},"
		"\"running\":2000600,\"runnable\":400100,\"blocked_lock\":1854475,"
		"\"blocked_work\":695673,\"blocked_input\":0,\"blocked_time\":0,"
		"\"blocked_task\":0,\"blocked_device\":0,\"unknown\":5051644}",
		"the program");
	tap_str(line(all, 2),
		"{\"type\":\"lock\",\"schema\":1,\"pid\":4711,\"name\":\"[?program+0x10]\",\"name_"
		"symbol\":\"[?program]\","
		"\"address\":\"0x50c0\",\"generation\":1,\"addresses\":1,\"kind\":\"mutex\","
		"\"owner_"
		"changes\":3,"
		"\"caller\":\"?program+0x0\",\"caller_symbol\":\"?program\",\"source\":null,"
		"\"holder\":\"?program+0x1\",\"holder_"
		"ns\":7,"
		"\"acquisitions\":18,\"contended\":3,\"nested\":0,"
		"\"failed\":0,\"failed_ns\":0,\"under_way\":0,\"under_way_ns\":0,\"unit\":\"ns\","
		"\"idle\":0,\"certainty\":\"sure\",\"processes\":1,"
		"\"acquire\":{\"n\":18,\"timed\":18,\"sum\":450,\"mean\":25,\"max\":25,\"stddev\":"
		"0,"
		"\"histogram\":[[40,18]]},"
		"\"hold\":{\"n\":18,\"timed\":18,\"sum\":45000,\"mean\":2500,\"max\":2500,"
		"\"stddev\":0,"
		"\"histogram\":[[2560,18]]},"
		"\"release\":{\"n\":18,\"timed\":18,\"sum\":900,\"mean\":50,\"max\":50,\"stddev\":"
		"0,"
		"\"histogram\":[[80,18]]}}",
		"a lock as JSON");
}

/* Waits for condition variables, which have no holder, and shared locks. */
static void check_kinds(void)
{
	struct locks_instance *i = &copy.instance[report.line[0].instance - copy.instance];
	const char *all;

	i->kind = LOCKS_COND;
	tap_ok(strstr(line(write_report(REPORT_AS_CSV, false), 1),
		      ",cond,?program+0x0,18,,0,0,,450,"),
	       "it is not known who had what is not held");
	all = write_report(REPORT_AS_JSON, false);
	tap_ok(strstr(line(all, 2), "\"owner_changes\":null") &&
		       strstr(line(all, 2), "\"contended\":null"),
	       "nor for programs");
	i->kind = LOCKS_RWLOCK;
	tap_ok(strstr(line(write_report(REPORT_AS_CSV, false), 1), ",rwlock-write,"), "who writes");
	report.line[0].sum.shared = 1;
	tap_ok(strstr(line(write_report(REPORT_AS_CSV, false), 1), ",rwlock-read,"), "who reads");
	i->several = 1;
	i->generation = 77;
	tap_ok(strstr(line(write_report(REPORT_AS_CSV, false), 1), "],,,77,rwlock-read,"),
	       "several locks have no address");
	tap_ok(strstr(line(write_report(REPORT_AS_CSV, false), 1), ",18,3,0,0,,"), "and no owner");
	all = write_report(REPORT_AS_JSON, false);
	tap_ok(strstr(line(all, 2), "\"address\":null,\"generation\":null,\"addresses\":77,"),
	       "for programs, too");
	tap_ok(strstr(write_report(REPORT_AS_TEXT, false), " 77 addresses "), "and for people");
}

static void check_other(void)
{
	report.line[0].instance = NULL;
	report.line[0].sum.caller = 0;
	report.line[0].holder = report.line[0].holder_ticks = 0;
	memset(&report.line[0].sum.phase[LOCKS_HOLD], 0, sizeof(struct locks_quantity));
	tap_str(line(write_report(REPORT_AS_CSV, false), 1),
		"4711,other,,,,,-,18,3,0,0,,450,25.000,25,0.000,,,,,900,50.000,50,0.000,,,,18,0,18,"
		"0,0,0,,,,,,,,",
		"what had no room has no address, and what is not known is empty");
	group = LOCKS_BY_PROCESS;
	tap_ok(!strstr(write_report(REPORT_AS_TEXT, false), " 0 locks "),
	       "a group of it does not say how many locks it has");
	tap_ok(!strstr(write_report(REPORT_AS_JSON, false), "\"addresses\":0,"),
	       "nor for programs");
	group = LOCKS_BY_NONE;
}

static void has(const char *all, const char *want, const char *what)
{
	if (!tap_ok(strstr(all, want), "%s", what))
		printf("# '%s' is not in: %s\n", want, all);
}

static void check_cost(void)
{
	struct locks_quantity *hold = &report.line[0].sum.phase[LOCKS_HOLD];

	hold->base += 4000;
	report.line[0].sum.waited *= 10;
	has(line(write_report(REPORT_AS_TEXT, false), 2),
	    "most for [?program+0x10] in ?program+0x0 (77 %), ", "the longest waits first");
	has(line(write_report(REPORT_AS_TEXT, false), 2),
	    "; to try: do less while the lock is held, 12 us each time, by ?program+0x0",
	    "long holds are what to shorten");
	hold->base -= 4000;
	copy.instance[3].kind = LOCKS_SPIN;
	has(line(write_report(REPORT_AS_TEXT, false), 2), "; to try: a mutex, which does not spin",
	    "short ones of a spin lock");
	report.states.n_known = 0;
	report.ticks[LOCKS_WAITING] = locks_report_time(&report) / 2;
	has(line(write_report(REPORT_AS_TEXT, false), 2), "% of this time; most for",
	    "the CPU time is unknown");
	report.states.n_known = report.states.n_threads - 1;
	report.states.ns[STATES_LOCK] = 0;
	has(line(write_report(REPORT_AS_TEXT, false), 2), "locks: 33.3 % of this time; most for",
	    "that of one thread is");
	report.ticks[LOCKS_WAITING] = 0;
	tap_ok(!strstr(line(write_report(REPORT_AS_TEXT, false), 2), "little to gain"),
	       "then a small share says nothing");
	report.states.n_known = report.states.n_threads;
	has(line(write_report(REPORT_AS_TEXT, false), 2), "; little to gain", "a small share");
	for (size_t i = 0; i < report.n; i++)
		report.line[i].idle = true;
	has(line(write_report(REPORT_AS_TEXT, false), 2), "#   no thread had to wait for a lock",
	    "idle waits are not for locks");
}

/* Waits that are for work, maybe: 1 % of the time, and 0.9 %; most in the place of two lines with
 * less each. */
static void check_doubts(void)
{
	const uint64_t time = locks_report_time(&report);

	for (size_t i = 0; i < report.n; i++) {
		report.line[i].idle = true;
		report.line[i].sum = (struct locks_row){.caller = 0x1001 + i / 2};
	}
	report.line[1].sum.lost = time / 200;
	report.line[2].sum.lost = report.line[3].sum.lost = time * 3 / 1000;
	for (size_t i = 1; i <= 3; i++)
		report.line[i].certainty = WAIT_MAYBE;
	tap_str(line(write_report(REPORT_AS_TEXT, false), 2),
		"#   waits that may be for a lock: 1.1 % of this time, most in ?program+0x1 "
		"(probably for work)",
		"doubt remains");
	report.line[1].certainty = WAIT_LIKELY;
	has(line(write_report(REPORT_AS_TEXT, false), 2), "#   no thread had to wait for a lock",
	    "but not of short waits, or likely ones");
	report.line[1].certainty = WAIT_MAYBE;
	report.line[0].idle = false;
	report.line[0].sum.waited = 1;
	report.states.n_known = report.states.n_threads;
	report.states.ns[STATES_LOCK] = 0;
	tap_ok(!strstr(line(write_report(REPORT_AS_TEXT, false), 2), "little to gain"),
	       "there may be something to gain");
	has(line(text.text, 3), "#   waits that may be for a lock: 1.1 %",
	    "as the next sentence says");
}

/* Returns the sentences above the tables with a prediction for a lock. */
static const char *write_head(const struct halvings *h)
{
	struct resolver *names = resolver_new(copy.module, copy.header.n_modules);
	const struct locks_lines l = {
		.copy = &copy, .report = &report, .names = names, .halvings = h};

	strbuf_reset(&text);
	lines_head_add_text(&l, &text);
	resolver_free(names);
	return text.text;
}

/* The waits are a small share of the time. */
static void check_halving(void)
{
	struct halvings h = {.v = {{.instance = copy.instance, .hold = 100, .saved = 0.05}},
			     .n = 1,
			     .n_threads = 3};
	const char *all;

	report.states.n_known = report.states.n_threads;
	report.states.ns[STATES_LOCK] = 0;
	all = write_head(&h);
	tap_ok(!strstr(all, "little to gain"), "a prediction does not contradict the waits");
	has(line(all, 3),
	    "[?program+0x10], 250 ns each, would save 5 % of the 0.000 s in which 3 threads use "
	    "it, if the "
	    "threads' other work takes as long as before",
	    "and has its condition");
	h.v[0].hold = 4000;
	has(write_head(&h), "[?program+0x10], 10 us each, would save", "long holds are in us");
	h.v[0].saved = 0.049;
	has(line(write_head(&h), 2), "; little to gain", "a small one confirms it");
}

/* The first line has 18 calls, 7 of them by the thread that lacks the second event. */
static void check_events(void)
{
	const char *all = write_report(REPORT_AS_CSV, true);

	has(line(all, 1),
	    ",holder_ns,source,acquire_timed,hold_timed,release_timed,acquire_cycles,acquire_"
	    "cycles_n,acquire_cycles_mean,acquire_cycles_"
	    "max,"
	    "acquire_cycles_stddev,hold_cycles,",
	    "CSV has columns of each event");
	has(line(all, 1), ",\"release_a,b\",\"release_a,b_n\",", "whatever its name is");
	has(line(all, 2), ",7,,18,18,18,126,18,7.000,7,0.000,252,18,14.000,14,0.000,378,18,",
	    "its counts");
	has(line(all, 2), ",0.000,154,11,14.000,14,0.000,", "of those who count it");
	all = write_report(REPORT_AS_JSON, true);
	has(all,
	    "\"events\":{\"cycles\":{\"count\":3000,\"waiting\":300,\"holding\":600,\"free\":900,"
	    "\"own\":1200,\"measuring\":900,\"per_10k\":320,\"threads_without\":0,"
	    "\"threads_in_user_space\":3,\"threads_by_system_call\":0,\"threads_in_all_modes\":0,"
	    "\"reason\":null,\"reason_id\":null,"
	    "\"acquire\":{\"unit\":\"cycles\",\"n\":96,\"sum\":672,",
	    "JSON says what the program counts");
	has(all,
	    "\"threads_without\":1,\"threads_in_user_space\":1,\"threads_by_system_call\":1,"
	    "\"threads_in_all_modes\":2,\"reason\":\"no descriptor was left",
	    "and why one does not");
	has(all, "\"reason_id\":\"no-descriptor\"", "as an id, too");
	has(all,
	    "\"a,b\":{\"acquire\":{\"unit\":\"a,b\",\"n\":11,\"sum\":154,\"mean\":14,\"max\":14,"
	    "\"stddev\":0,\"histogram\":[[16,11]]}",
	    "and what each lock does");
	all = write_report(REPORT_AS_TEXT, true);
	has(all,
	    "#   cycles: 3000, waiting 10.0 %, holding 20.0 %, neither 30.0 %, in tiptop 40.0 %, "
	    "320.000 acquisitions in 10,000\n#     read in user space: measuring an "
	    "acquisition counts 30\n",
	    "text has the states of the program");
	has(all, "\n# a,b of each lock\n", "and a table of each event");
	has(all, "\n#     counted in all modes, in the kernel, too: the PMU can leave none out\n",
	    "an event that counts in more modes than were asked for says so");
	report.lacking[0] = 1;
	report.lacking[1] = 2;
	all = write_report(REPORT_AS_TEXT, true);
	has(all, "\n#     not counted all the time in 1 thread, as the kernel has multiplexed it, ",
	    "a thread that counted for a part of the time");
	has(all, "\n#     not counted all the time in 1 more, as the kernel has multiplexed it, ",
	    "beside one that could not count at all");
	report.lacking[0] = 0;
	report.lacking[1] = 1;
	memset(report.line[0].counts, 0, sizeof(struct locks_quantity));
	has(line(write_report(REPORT_AS_CSV, false), 1), ",7,,18,18,18,,,,,,252,18,",
	    "nothing counted is no 0");
	has(write_report(REPORT_AS_JSON, false),
	    "\"acquire\":{\"unit\":\"cycles\",\"n\":0,\"sum\":null,", "for programs, too");
	report.lacking[1] = copy.header.n_threads;
	has(write_report(REPORT_AS_TEXT, false), "#   a,b: -\n",
	    "an event that no thread counts has a reason");
}

/* The sentences about missing records of the kernel. */
static void check_kernel(void)
{
	const struct locks_kernel none = {.used = false};
	const char *all;

	copy.kernel = (struct locks_kernel){.used = true, .n_lost = 7, .n_unpaired = 3};
	all = write_report(REPORT_AS_TEXT, false);
	has(all,
	    "\n#   records that the kernel lost, as it made them faster than tiptop read them: 7\n",
	    "lost records");
	has(all,
	    "\n#   calls of futex(2), of all processes, in no row, as a part of each may be lost "
	    "(without those that are lost as a whole): 3\n",
	    "calls of which a part is lost");
	copy.kernel.alone = true;
	all = write_report(REPORT_AS_TEXT, false);
	has(all, "\n#   the cost of measuring, which is in these times, is not known\n",
	    "nor is the cost known without the object");
	tap_ok(!strstr(all, "measuring takes"), "which is not given as that of an acquisition");
	tap_ok(!strstr(all, "no effect"), "all options have their effect");
	copy.kernel.ignored = "--sample";
	has(write_report(REPORT_AS_TEXT, false),
	    "\n#   --sample has no effect on this program: only tiptop-locks.so applies it\n",
	    "an option without one is named");
	copy.kernel.alone = false;
	tap_ok(!strstr(write_report(REPORT_AS_TEXT, false), "no effect"), "the object applies it");
	copy.kernel = none;
}

int main(void)
{
	strbuf_init(&text);
	read_table(false);
	check_text();
	check_kernel();
	check_csv();
	check_json();
	check_kinds();
	check_other();
	locks_report_done(&report);
	locks_copy_done(&copy);
	read_table(false);
	check_cost();
	locks_report_done(&report);
	locks_copy_done(&copy);
	read_table(false);
	check_halving();
	locks_report_done(&report);
	locks_copy_done(&copy);
	read_table(false);
	check_doubts();
	locks_report_done(&report);
	locks_copy_done(&copy);
	read_table(true);
	check_events();
	locks_report_done(&report);
	locks_copy_done(&copy);
	strbuf_done(&text);
	return tap_done();
}
