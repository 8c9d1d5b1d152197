/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of chains of waits, in a table that is filled here. */
#include <stdlib.h>

#include "locks_copy_rig.h"
#include "profile/locks/folded.h"
#include "profile/locks/lines.h"
#include "tap.h"

#define N 7

/* Waits 1 to 3 are for the locks 1 to 3, by callers in three files, so that their names differ. */
static struct locks_chain chain[N] = {
	{.n = 0},
	{.wait = 3, .depth = 1, .n = 4, .ticks = 100},
	{.wait = 2, .next = 1, .depth = 2, .n = 2, .ticks = 30},
	{.wait = 1, .next = 2, .depth = 3, .n = 2, .ticks = 50},
	/* Another record with the same names as the second one. */
	{.wait = 4, .next = 1, .depth = 2, .n = 1, .ticks = 15},
	/* No wait is counted: only failed attempts were in this chain. */
	{.wait = 1, .next = 1, .depth = 2},
	{.wait = 1, .depth = 1, .n = 1, .ticks = 5},
};
static struct locks_copy copy;
static struct resolver *names;
static struct strbuf text;

static void make(void)
{
	static const char *const path[] = {"/alpha", "/beta", "/gamma"};

	locks_copy_rig_read(&copy, false);
	copy.header.ns_per_tick = 2ull << 32;
	free(copy.module);
	free(copy.wait);
	free(copy.chain);
	copy.module = calloc(3, sizeof *copy.module);
	copy.wait = calloc(5, sizeof *copy.wait);
	copy.chain = malloc(sizeof chain);
	if (!copy.module || !copy.wait || !copy.chain)
		abort();
	memcpy(copy.chain, chain, sizeof chain);
	copy.header.n_modules = 3;
	copy.header.n_waits = 5;
	copy.header.n_chains = N;
	for (uint32_t i = 0; i < 3; i++) {
		copy.module[i].begin = 0x10000 * (i + 1);
		copy.module[i].end = copy.module[i].begin + 0x1000;
		snprintf(copy.module[i].path, sizeof copy.module[i].path, "%s", path[i]);
		copy.instance[i].first_caller = copy.module[i].begin + 0x11;
		copy.wait[i + 1] = (struct locks_wait){.instance = i + 1,
						       .n_frames = 1,
						       .frame = {copy.module[i].begin + 0x21},
						       .holder = copy.module[i].begin + 0x31};
	}
	copy.wait[4] = copy.wait[2];
	copy.wait[4].holder = 0;
	names = resolver_new(copy.module, copy.header.n_modules);
}

static void done(void)
{
	resolver_free(names);
	locks_copy_done(&copy);
}

static void test_sums(void)
{
	struct locks_chains all;

	make();
	locks_chains_make(&all, &copy, names);
	tap_int((long)all.n, 2, "chains of two waits or more");
	tap_int((long)all.ticks, 200, "the time of all waits");
	tap_int((long)all.listed, 95, "and of those that are listed");
	tap_str(all.v[0].text,
		"[alpha+0x10] (alpha+0x20) > [beta+0x10] (beta+0x20) > [gamma+0x10] (gamma+0x20)",
		"the longest one first");
	tap_int((long)all.v[0].ticks, 50, "with its time");
	tap_str(all.v[1].text, "[beta+0x10] (beta+0x20) > [gamma+0x10] (gamma+0x20)",
		"the next one");
	tap_int((long)all.v[1].ticks, 45, "is the sum of all with these names");
	tap_int((long)all.v[1].n, 3, "and waits");
	locks_chains_done(&all);
	done();
}

static const char *line(const char *of, int number)
{
	static char found[1000];

	while (--number && of)
		of = strchr(of, '\n') ? strchr(of, '\n') + 1 : NULL;
	snprintf(found, sizeof found, "%.*s", of ? (int)strcspn(of, "\n") : 0, of ? of : "");
	return found;
}

static void write_as(enum report_format_id format)
{
	struct locks_report report;
	struct locks_lines l = {.format = format,
				.copy = &copy,
				.report = &report,
				.names = names,
				.chains = true,
				.is_first = true};

	locks_report_make(&report, &copy, 0);
	strbuf_reset(&text);
	locks_lines_add(&l, &text);
	locks_report_done(&report);
}

static void test_lines(void)
{
	make();
	write_as(REPORT_AS_CSV);
	tap_str(line(text.text, 1), "pid,wait_ns,share_pct,waits,length,chain,holder",
		"the columns of CSV");
	tap_str(line(text.text, 3),
		"4711,90,22.5000,3,2,[beta+0x10] (beta+0x20) > [gamma+0x10] "
		"(gamma+0x20),gamma+0x30",
		"a chain as CSV");
	write_as(REPORT_AS_JSON);
	tap_str(line(text.text, 3),
		"{\"type\":\"chain\",\"schema\":1,\"pid\":4711,\"wait\":90,\"share\":22.5,"
		"\"waits\":3,"
		"\"length\":2,\"chain\":\"[beta+0x10] (beta+0x20) > [gamma+0x10] "
		"(gamma+0x20)\",\"holder\":"
		"\"gamma+0x30\",\"locks\":[\"[beta+0x10]\",\"[gamma+0x10]\"],\"callers\":[\"beta+"
		"0x20\","
		"\"gamma+0x20\"]}",
		"and as JSON");
	write_as(REPORT_AS_TEXT);
	tap_ok(strstr(text.text, "# chains of waits: 2, with 47.5 % of the waiting for locks: "),
	       "what they are in all");
	copy.header.n_chains = 0;
	write_as(REPORT_AS_TEXT);
	tap_ok(strstr(text.text, "# no chains of waits: in waits that have ended, "),
	       "or that there are none, as far as is known");
	copy.kernel.alone = true;
	write_as(REPORT_AS_TEXT);
	tap_ok(strstr(text.text,
		      "# chains of waits are not known: the kernel's records do not say "),
	       "or that the kernel does not record them");
	write_as(REPORT_AS_JSON);
	tap_ok(strstr(text.text, "\"chains_reason\":\"the kernel's records do not say which"),
	       "which JSON says, too");
	copy.kernel.alone = false;
	done();
	tap_ok(locks_chains_are_full(LOCKS_CHAINS - LOCKS_CHAIN_PIECE + 1) &&
		       !locks_chains_are_full(LOCKS_CHAINS - LOCKS_CHAIN_PIECE),
	       "there is room for a whole piece, or none");
}

/* A report must not sort the waits of the copy, as chains refer to them by number. */
static void test_folded(void)
{
	struct locks_report report;

	make();
	copy.wait[1].instance = 4;
	locks_report_make(&report, &copy, 0);
	strbuf_reset(&text);
	locks_folded_add_chains(&copy, names, &text);
	tap_str(line(text.text, 3),
		"process 4711;[held by gamma];[lock of gamma];gamma;[lock of beta];beta;"
		"[lock of ?];alpha 100",
		"the last holder is the foot");
	tap_str(line(text.text, 5), "process 4711;[held by alpha];[lock of ?];alpha 10",
		"waits without a chain are there, too, but none without time");
	locks_report_done(&report);
	done();
}

int main(void)
{
	strbuf_init(&text);
	test_sums();
	test_lines();
	test_folded();
	strbuf_done(&text);
	return tap_done();
}
