/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contradictions between the CPU time of counters and that of getrusage(2), and differences that
 * are noise. */
#include "output/summary.h"

#include "tap.h"

#define MS 1e6

static bool conflict(double counted_ms, double accounted_ms, double switches, const char *word)
{
	const struct cpu_times times = {counted_ms * MS, accounted_ms * MS, switches};
	struct strbuf text;
	bool is;

	strbuf_init(&text);
	is = cpu_conflict_add_text(&text, &times);
	if (is != (text.len > 0) || (is && !strstr(text.text, word)))
		tap_ok(false, "the sentence is '%s'", text.text);
	strbuf_done(&text);
	return is;
}

int main(void)
{
	tap_ok(conflict(7, 1454, 1000, "counters lack 1.447 s"), "workers were not counted");
	tap_ok(!conflict(0, 40, 0, ""), "four ticks of 10 ms");
	tap_ok(!conflict(1000, 1200, 0, ""), "a fifth");
	tap_ok(!conflict(125, 300, 100000, ""), "many switches");
	tap_ok(conflict(0, 300, 1000, "counters lack"), "few switches");
	tap_ok(conflict(1500, 2, 10, "user and system lack 1.498 s"), "no parent waited for them");
	tap_ok(!conflict(2000, 600, 0, ""), "a host that takes two thirds of the time");
	tap_ok(!conflict(90, 0, 0, ""), "little was counted");
	tap_ok(!conflict(0, 0, 0, ""), "nothing was");
	return tap_done();
}
