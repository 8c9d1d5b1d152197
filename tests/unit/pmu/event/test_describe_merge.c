/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merging the events of two screens into one set: common events once, and the columns of both.
 */
#include <string.h>

#include "pmu/event/describe.h"
#include "tap.h"

/* Adds counters named by letters, with the letter's event code; an upper-case letter is counted on
 * two kinds of cores. */
static void make_set(struct event_set *set, const char *letters)
{
	event_set_init(set);
	for (; *letters; letters++) {
		char name[] = {*letters, '\0'};
		struct event *e = event_set_add(set, name);

		e->type = PERF_TYPE_RAW;
		e->config = (uint64_t)(*letters | 0x20);
		if (*letters & 0x20)
			continue;
		e = event_set_add_part(set, name);
		e->type = PERF_TYPE_RAW;
		e->config = (uint64_t)(*letters | 0x20);
		e->core = 1;
	}
}

/* Returns the names of the counters in a mask, in their order. */
static const char *names_of(const struct event_set *set, uint64_t counters)
{
	static char text[EVENT_SET_MAX + 1];
	char *p = text;

	for (int i = 0; i < set->n; i++)
		if (counters >> set->event[i].counter & 1 &&
		    (i == 0 || set->event[i].counter != set->event[i - 1].counter))
			*p++ = set->event[i].name[0];
	*p = '\0';
	return text;
}

static void join(struct event_set *set, const char *letters, bool wish)
{
	uint64_t counters = 0;

	for (; *letters; letters++)
		for (int i = 0; i < set->n; i++)
			if (set->event[i].name[0] == *letters)
				counters |= 1ull << set->event[i].counter;
	event_set_join(set, counters);
	set->n_wishes += wish;
}

static void test_merge(void)
{
	static const char *const want[] = {"ab", "bc", "cd", "aB", "ac", "dB"};
	struct event_set set, other;

	make_set(&set, "abcB");
	join(&set, "ab", false);
	join(&set, "bc", false);
	join(&set, "ac", true);
	make_set(&other, "cdBa");
	other.event[0].name[0] = 'x';
	other.event[0].what = strdup("whatever it is called");
	event_set_join(&other, 1 | 2);
	join(&other, "aB", false);
	join(&other, "dB", true);
	tap_int(event_set_find(&set, &other, 0), 2, "the same event under another name");
	tap_int(event_set_find(&set, &other, 1), -1, "one that is not there");
	tap_int(event_set_find(&set, &other, 2), 3, "one of two kinds of cores");
	tap_int(event_set_merge(&set, &other), 0, "all have room");
	tap_int(set.n, 6, "those that both have are there once");
	tap_int(set.n_counters, 5, "and so are their counters");
	tap_int(set.n_together, 6, "the columns of both");
	tap_int(set.n_wishes, 2, "and the wishes");
	for (int t = 0; t < 6 && t < set.n_together; t++) {
		const char *got = names_of(&set, set.together[t]);
		size_t n = strspn(got, want[t]);

		tap_ok(n == 2 && !got[2], "together, wishes last: %s", want[t]);
	}
	tap_int(other.n, 0, "the other set has moved");
	event_set_done(&set);
}

static void test_unknown(void)
{
	struct event_set set, other;

	make_set(&set, "a");
	make_set(&other, "a");
	set.event[0].quality = other.event[0].quality = QUALITY_UNSUPPORTED;
	tap_int(event_set_find(&set, &other, 0), -1, "two that were not found are not the same");
	set.event[0].quality = other.event[0].quality = QUALITY_EXACT;
	other.kernel = true;
	tap_int(event_set_find(&set, &other, 0), -1, "nor are those of other modes");
	event_set_done(&set);
	event_set_done(&other);
}

static void test_full(void)
{
	struct event_set set, other;

	event_set_init(&set);
	for (int i = 0; i < EVENT_SET_MAX - 1; i++)
		event_set_add(&set, "x")->config = 1000u + (unsigned)i;
	make_set(&other, "aBc");
	tap_int(event_set_merge(&set, &other), 2, "what has no room is left out");
	tap_int(set.n, EVENT_SET_MAX, "the rest is there");
	event_set_done(&set);
}

static void test_rejoin(void)
{
	struct event_set set, other;

	make_set(&set, "abc");
	join(&set, "abc", false);
	make_set(&other, "cxa");
	join(&other, "ca", false);
	join(&other, "cx", true);
	event_set_rejoin(&set, &other);
	tap_int(set.n_together, 2, "what was wanted before is not wanted any more");
	tap_str(names_of(&set, set.together[0]), "ac", "other columns");
	tap_str(names_of(&set, set.together[1]), "c", "as far as their counters are there");
	tap_int(set.n_wishes, 1, "wishes are wishes");
	event_set_done(&set);
	event_set_done(&other);
}

static void test_once(void)
{
	struct event_set set;

	make_set(&set, "abaB");
	set.event[2].name[0] = 'x';
	set.kernel = true;
	join(&set, "xb", false);
	join(&set, "xB", true);
	set.kernel = set.no_user = true;
	event_set_dedupe(&set);
	tap_ok(set.kernel && set.no_user, "once: it is counted in the same modes");
	tap_int(set.n_counters, 3, "once: what two aliases stand for is one counter");
	tap_ok(!strcmp(names_of(&set, set.together[0]), "ab"), "under its first name");
	tap_ok(!strcmp(names_of(&set, set.together[1]), "aB"),
	       "what is counted on more cores is another");
	tap_int(set.n_wishes, 1, "wishes are kept");
	tap_ok(set.kernel, "so is where to count");
	event_set_done(&set);
}

int main(void)
{
	test_merge();
	test_once();
	test_unknown();
	test_full();
	test_rejoin();
	return tap_done();
}
