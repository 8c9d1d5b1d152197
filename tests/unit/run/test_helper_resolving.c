/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lookup of names that does not end: a signal stops it, and the report continues without
 * names. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/helper.h"
#include "tap.h"

/* --- a lookup that knows the name of place 1 only, and hangs for all others --- */

struct symbols *symbols_new(const struct locks_module *module, size_t n)
{
	(void)module, (void)n;
	return NULL;
}

void symbols_free(struct symbols *s)
{
	(void)s;
}

void symbols_set_process(struct symbols *s, const struct perf_map_process *process)
{
	(void)s, (void)process;
}

bool symbols_add(struct symbols *s, struct strbuf *out, uint64_t place)
{
	(void)s;
	while (place != 1)
		pause();
	strbuf_addstr(out, "known");
	return true;
}

bool symbols_add_line(struct symbols *s, struct strbuf *out, uint64_t place)
{
	return symbols_add(s, out, place);
}

bool symbols_add_file(struct symbols *s, struct strbuf *out, uint64_t place)
{
	(void)s, (void)out, (void)place;
	return false;
}

void symbols_begin_fork(void)
{
}

int symbols_open_file(const struct locks_module *m)
{
	(void)m;
	return -1;
}

/* --- the tests --- */

static bool is_known(struct resolver *r, uint64_t place)
{
	struct strbuf text;
	bool known;

	strbuf_init(&text);
	known = resolver_add_name(r, &text, place);
	strbuf_done(&text);
	return known;
}

/* A child sends the signal while this process resolves names. Returns how long resolving took, in
 * ns. */
static uint64_t end_by(int number, struct resolving *resolving, struct resolver *names)
{
	const pid_t pid = fork();
	uint64_t begin;

	if (!pid) {
		usleep(200000);
		_exit(kill(getppid(), number) != 0);
	}
	begin = clock_ns(CLOCK_MONOTONIC);
	resolving_run(resolving, names);
	begin = clock_ns(CLOCK_MONOTONIC) - begin;
	waitpid(pid, NULL, 0);
	return begin;
}

static void check_signal(struct signals *signals, int number, const char *name)
{
	struct resolving resolving = {.signals = signals};
	struct resolver *r = resolver_new(NULL, 0);
	uint64_t ns;

	is_known(r, 1);
	is_known(r, 2);
	ns = end_by(number, &resolving, r);
	tap_ok(ns < 60000000000ull, "%s ends it: after %llu ms", name,
	       (unsigned long long)ns / 1000000);
	tap_ok(is_known(r, 1), "what was there is in the report");
	tap_ok(!is_known(r, 2), "the rest is not");
	tap_int((int)resolver_n_given_up(r), 1, "which is said");
	tap_str(resolver_reason(r), "a signal ended that", "with the reason");
	resolver_free(r);
	r = resolver_new(NULL, 0);
	is_known(r, 2);
	resolving_run(&resolving, r);
	tap_int((int)resolver_n_given_up(r), 1, "another report does not begin with it");
	resolver_free(r);
}

int main(void)
{
	struct err err = ERR_INIT;
	struct signals signals;

	signals_begin(&signals);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (signals_block(&signals, SIGNALS_PLAIN, &err))
		abort();
	check_signal(&signals, SIGINT, "SIGINT");
	check_signal(&signals, SIGTERM, "SIGTERM");
	signals_done(&signals);
	return tap_done();
}
