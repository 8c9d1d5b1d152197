/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolving addresses in a helper process: how often and in which order, and the result if a lookup
 * takes too long or the helper ends. The lookup function is replaced by one of this test, which
 * counts in memory shared by both processes. */
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "profile/locks/resolver.h"
#include "tap.h"

#define PLACES   2000
#define HANGS    5000 /* the place whose lookup does not end */
#define DIES     5001 /* the place whose lookup ends the helper */
#define HAS_NONE 5002
#define LATE     4999 /* in the file of the third module */
#define IS_NEAR  5003 /* from here on, only the nearest function is known */

static struct shared {
	atomic_int asked[2][PLACES];     /* number of lookups: of names, of lines */
	atomic_int n, order[3 * PLACES]; /* lookups in order, also after a restart */
	atomic_int n_modules;
} * shared;

/* --- the lookup --- */

struct symbols {
	size_t n_modules;
};

struct symbols *symbols_new(const struct locks_module *module, size_t n)
{
	struct symbols *s = calloc(1, sizeof *s);

	(void)module;
	if (!s)
		abort();
	s->n_modules = n;
	return s;
}

void symbols_free(struct symbols *s)
{
	free(s);
}

static bool look_up(const struct symbols *s, struct strbuf *out, uint64_t place, int kind)
{
	while (place == HANGS)
		pause();
	if (place == DIES)
		_exit(1);
	shared->n_modules = (int)s->n_modules;
	if (place >= IS_NEAR)
		strbuf_addf(out, "~near+0x%" PRIx64, place);
	if (place >= IS_NEAR)
		return true;
	if (place == LATE && s->n_modules > 2)
		strbuf_addstr(out, "late");
	if (place >= PLACES)
		return out->len;
	shared->asked[kind][place]++;
	shared->order[shared->n++] = (int)place + kind * PLACES;
	strbuf_addf(out, "%s %" PRIu64 "\033", kind ? "line" : "name", place);
	return true;
}

void symbols_begin_fork(void)
{
}

void symbols_set_process(struct symbols *s, const struct perf_map_process *process)
{
	(void)s, (void)process;
}

bool symbols_add(struct symbols *s, struct strbuf *out, uint64_t place)
{
	return look_up(s, out, place, 0);
}

bool symbols_add_line(struct symbols *s, struct strbuf *out, uint64_t place)
{
	return look_up(s, out, place, 1);
}

bool symbols_add_file(struct symbols *s, struct strbuf *out, uint64_t place)
{
	if (place == LATE && s->n_modules <= 2)
		return false;
	if (place < IS_NEAR)
		strbuf_addf(out, "file+%" PRIu64, place);
	else
		strbuf_addf(out, "%s+0x10",
			    (const char *const[]){"lib", "a.lib", "lib.a"}[place % 3]);
	return true;
}

/* --- the tests --- */

static const char *name_of(struct resolver *r, uint64_t place)
{
	static struct strbuf text;

	if (!text.text)
		strbuf_init(&text);
	strbuf_reset(&text);
	if (!resolver_add_name(r, &text, place))
		resolver_add_file(r, &text, place);
	return text.text;
}

static void ask_line(struct resolver *r, uint64_t place)
{
	struct strbuf text;

	strbuf_init(&text);
	resolver_add_line(r, &text, place);
	strbuf_done(&text);
}

static bool work(struct resolver *r)
{
	bool goes_on;

	while ((goes_on = resolver_step(r)) && resolver_n_missing(r))
		resolver_wait(r, 1000);
	return goes_on;
}

static void check_once(void)
{
	struct resolver *r = resolver_new(NULL, 1);
	int once = 0, in_order = 0;

	memset(shared, 0, sizeof *shared);
	for (int k = 0; k < 5; k++)
		for (uint64_t i = 0; i < PLACES; i++) {
			ask_line(r, PLACES - 1 - i);
			name_of(r, PLACES - 1 - i);
		}
	tap_str(name_of(r, 7), "file+7", "what is not known yet is where it is in its file");
	tap_int((int)resolver_n_missing(r), 2 * PLACES, "each is wanted once");
	tap_int((int)resolver_n_wanted(r, LOOKUP_LINE), PLACES, "half of them are lines");
	tap_int((int)resolver_n_answered(r, LOOKUP_LINE), 0, "of which none is known yet");
	tap_ok(work(r), "it goes well");
	tap_int((int)resolver_n_answered(r, LOOKUP_LINE), PLACES, "all lines are known");
	for (int i = 0; i < PLACES; i++) {
		once += shared->asked[0][i] == 1 && shared->asked[1][i] == 1;
		in_order += shared->order[i] == PLACES - 1 - i &&
			    shared->order[PLACES + i] == 2 * PLACES - 1 - i;
	}
	tap_int(once, PLACES, "each address is looked up once");
	tap_int(in_order, PLACES, "in the order in which they were asked for, names first");
	tap_str(name_of(r, 7), "name 7?", "its name, which is made harmless");
	name_of(r, HAS_NONE);
	tap_ok(work(r), "what has no name");
	tap_str(name_of(r, HAS_NONE), "file+5002", "is not asked for again");
	tap_int((int)resolver_n_missing(r), 0, "nothing is missing");
	resolver_set_modules(r, NULL, 2);
	name_of(r, 7);
	ask_line(r, PLACES);
	tap_ok(work(r) && shared->n_modules == 2, "new modules are seen by the next lookup");
	tap_int(shared->asked[0][7], 1, "what is known stays so");
	resolver_free(r);
}

/* A place whose module is noted after the place itself, after a lookup and after a lookup that was
 * ended meanwhile. */
static void check_late(void)
{
	struct resolver *r = resolver_new(NULL, 2);

	memset(shared, 0, sizeof *shared);
	name_of(r, LATE);
	name_of(r, HAS_NONE);
	name_of(r, 1);
	tap_ok(work(r), "names in no module and in one");
	tap_str(name_of(r, LATE), "", "there is no name without a module");
	tap_ok(!resolver_set_modules(r, NULL, 1), "fewer modules have no further names");
	tap_ok(resolver_set_modules(r, NULL, 3), "the module of a place without a name comes");
	tap_int((int)resolver_n_missing(r), 1, "then its name is wanted again, no other one");
	tap_int((int)resolver_n_answered(r, LOOKUP_NAME), 2, "of three");
	tap_ok(work(r), "it is looked up");
	tap_str(name_of(r, LATE), "late", "and found");
	tap_int(shared->asked[0][1], 1, "what was known is not asked for again");
	tap_ok(!resolver_set_modules(r, NULL, 4), "further modules change nothing");
	resolver_free(r);
}

static void check_give_up(void)
{
	struct resolver *r = resolver_new(NULL, 1);
	uint64_t begin;

	name_of(r, 1);
	tap_ok(work(r), "one is known");
	name_of(r, HANGS);
	name_of(r, 2);
	for (int i = 0; i < 5; i++) {
		resolver_step(r);
		resolver_wait(r, 10);
	}
	tap_int((int)resolver_n_missing(r), 2, "one hangs, and one comes behind it");
	begin = clock_ns(CLOCK_MONOTONIC);
	resolver_give_up(r, "it is late");
	tap_ok(clock_ns(CLOCK_MONOTONIC) - begin < 5000000000ull, "it can be ended all the same");
	tap_str(name_of(r, 1), "name 1?", "what was there is there");
	tap_str(name_of(r, 2), "file+2", "the rest is given up");
	tap_str(name_of(r, 3), "file+3", "and so is what is asked for later");
	tap_int((int)resolver_n_given_up(r), 3, "these are three");
	tap_int((int)resolver_n_missing(r), 0, "nothing is waited for");
	tap_str(resolver_reason(r), "it is late", "why");
	resolver_free(r);
}

static void check_death(void)
{
	struct resolver *r = resolver_new(NULL, 1);

	name_of(r, 1);
	name_of(r, DIES);
	name_of(r, 2);
	tap_ok(!work(r), "a lookup that ends");
	tap_str(name_of(r, 1), "name 1?", "what it had found is there");
	tap_int((int)resolver_n_given_up(r), 2, "the rest is given up");
	tap_str(resolver_reason(r), "their lookup ended too early", "and it says why");
	resolver_free(r);
}

static void check_nearest(void)
{
	struct resolver *r = resolver_new(NULL, 1);
	struct strbuf files;

	strbuf_init(&files);
	name_of(r, 1);
	tap_ok(work(r), "a name");
	tap_int((int)resolver_add_nearest(r, &files), 0,
		"which is not that of the nearest function");
	tap_str(files.text, "", "so no file lacks symbols");
	for (uint64_t place = IS_NEAR; place < IS_NEAR + 6; place++)
		name_of(r, place);
	tap_int((int)resolver_add_nearest(r, &files), 0, "six that are not known yet");
	tap_ok(work(r), "and are found");
	tap_int((int)resolver_add_nearest(r, &files), 6, "these are of the nearest functions");
	tap_str(files.text, "lib.a, lib, a.lib", "each file once");
	strbuf_done(&files);
	resolver_free(r);
}

int main(void)
{
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		abort();
	check_once();
	check_late();
	check_give_up();
	check_death();
	check_nearest();
	return tap_done();
}
