/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of made-up tables in each format, compared with files of tests/golden/locks. */
#include <stdlib.h>

#include "golden.h"
#include "locks_copy_rig.h"
#include "profile/locks/lines.h"

static struct locks_copy copy;
static struct locks_report report;

/* Sets a kind of lock for each line, one line that stands for several locks, and one without a
 * lock. */
static void vary(void)
{
	static const uint32_t kinds[] = {LOCKS_COND, LOCKS_RWLOCK, LOCKS_RWLOCK, LOCKS_MUTEX};

	for (size_t i = 0; i < report.n; i++) {
		struct locks_line *line = &report.line[i];
		struct locks_instance *lock = &copy.instance[line->instance - copy.instance];

		lock->kind = kinds[i % 4];
		lock->generation = i % 4 == 3 ? 5 : 1;
		lock->several = i == 2;
		line->sum.shared = i % 2;
		line->sum.failed = i;
		line->sum.lost = 1000 * i;
		line->sum.n_under_way = i / 2;
		line->sum.under_way = 77 * i;
	}
	report.line[1].instance = NULL;
	report.line[1].sum.caller = 0;
	report.line[1].holder = report.line[1].holder_ticks = 0;
	memset(&report.line[1].sum.phase[LOCKS_HOLD], 0, sizeof(struct locks_quantity));
	report.n_under_way = 3;
	report.under_way = 9000;
}

/* Sets losses of each kind, so that the report has all of its notes. */
static void lose(void)
{
	copy.header.overhead_ticks = 0;
	copy.header.n_homeless = 2;
	copy.header.futex_caller = 0x1001;
	report.n_futex = 12;
	report.n_unmeasured = 3;
	report.n_too_deep = 4;
	report.n_unmatched = 5;
	report.at_least = true;
	report.cpu_ns = 5000000;
}

/* Sets a futex that is a lock, and one for which threads wait idle. */
static void wait_for_futexes(void)
{
	for (size_t i = 0; i < report.n; i++) {
		struct locks_line *line = &report.line[i];
		struct locks_instance *lock = &copy.instance[line->instance - copy.instance];

		if (i > 1)
			continue;
		lock->kind = LOCKS_FUTEX;
		line->idle = i;
		line->sum.failed = 11;
		line->sum.futex = (struct locks_futex){
			.timeouts = 1, .changed = 2, .interrupted = 3, .woken = 4};
		memset(&line->sum.phase[LOCKS_HOLD], 0, sizeof(struct locks_quantity));
	}
	report.idle = 5;
	report.n_futex = 40;
	report.n_futex_left_out = 3;
	copy.header.futex_caller = 0x1001;
}

static void sample(void)
{
	copy.header.sample = 3;
	copy.header.counted_ticks = 20;
	for (size_t i = 0; i < report.n; i++)
		for (int p = 0; p < LOCKS_PHASES; p++)
			report.line[i].sum.untimed[p] = i * 10;
}

static void forget(void)
{
	report.n = 0;
	memset(&report.all, 0, sizeof report.all);
}

static void leave(void)
{
}

/* with_threads: include the rows of threads. */
static void write_report(enum report_format_id format, bool with_threads, struct strbuf *out)
{
	struct resolver *names = resolver_new(copy.module, copy.header.n_modules);
	struct locks_threads threads;
	struct locks_lines l = {.format = format,
				.copy = &copy,
				.report = &report,
				.names = names,
				.is_first = true};

	locks_threads_make(&threads, &copy, &report);
	if (with_threads)
		l.threads = &threads;
	strbuf_reset(out);
	locks_lines_add(&l, out);
	locks_threads_done(&threads);
	resolver_free(names);
}

static void check(const char *name, bool events, bool with_threads, void (*change)(void))
{
	static const char *const formats[] = {
		[REPORT_AS_TEXT] = "text", [REPORT_AS_CSV] = "csv", [REPORT_AS_JSON] = "json"};
	struct strbuf out;

	locks_copy_rig_read(&copy, events);
	locks_report_make(&report, &copy, 0);
	change();
	strbuf_init(&out);
	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		char *file = xasprintf("%s-%s", name, formats[f]);

		write_report((enum report_format_id)f, with_threads, &out);
		golden_check("locks", file, out.text);
		free(file);
	}
	strbuf_done(&out);
	locks_report_done(&report);
	locks_copy_done(&copy);
}

int main(void)
{
	check("plain", false, false, leave);
	check("kinds", false, false, vary);
	check("lacks", false, false, lose);
	check("futexes", false, false, wait_for_futexes);
	check("sampled", false, false, sample);
	check("events", true, false, leave);
	check("threads", true, true, leave);
	check("threads-sampled", false, true, sample);
	check("empty", false, false, forget);
	return tap_done();
}
