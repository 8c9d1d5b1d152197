/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of config/waits.list, and those of a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "profile/locks/wait_rules.h"
#include "tap.h"

/* In the order of enum wait_evidence: waits, wakes, handed, balanced, broadcasts, timeouts,
 * inheriting. */
struct known {
	double x[WAIT_EVIDENCE];
};

static struct wait_rules *rules;

static void reset(void)
{
	wait_rules_free(rules);
	rules = wait_rules_new();
}

static void check(enum locks_kind kind, struct known k, const char *want, const char *what)
{
	const struct wait_use use = wait_rules_decide(rules, kind, k.x);
	char *got = xasprintf("%s %s", use.is_work ? "work" : "lock",
			      wait_rules_certainty(use.certainty));

	tap_str(got, want, "%s", what);
	free(got);
}

static void test_built_in(void)
{
	check(LOCKS_FUTEX, (struct known){{9, 9, 0, 0, 0, 0, 1}}, "lock sure", "inheriting");
	check(LOCKS_COND, (struct known){{9, 9, 0, 0, 0, 0, 1}}, "work sure",
	      "a condition does not");
	check(LOCKS_BARRIER, (struct known){{9, 0, NAN, 0, NAN, 0, 0}}, "work sure", "a barrier");
	check(LOCKS_COND, (struct known){{9, 9, 100, 100, 0, 95, 0}}, "work sure", "a timer");
	check(LOCKS_SEMAPHORE, (struct known){{9, 9, 0, 0, 0, 0, 0}}, "work sure", "a queue");
	check(LOCKS_SEMAPHORE, (struct known){{1, 1, 0, 0, 0, 0, 0}}, "work likely", "one wake");
	check(LOCKS_COND, (struct known){{30, 10, 100, 33, 100, 0, 0}}, "work likely",
	      "all wait until one wakes all");
	check(LOCKS_COND, (struct known){{30, 30, 100, 100, 100, 0, 0}}, "work maybe", "in turns");
	check(LOCKS_FUTEX, (struct known){{30, 30, 100, 100, 0, 0, 0}}, "lock likely", "one each");
	check(LOCKS_FUTEX, (struct known){{30, 30, 60, 30, 0, 0, 0}}, "lock maybe", "most of them");
	check(LOCKS_FUTEX, (struct known){{4, 30, 2, 100, 0, 0, 0}}, "lock maybe",
	      "a starved thread gives it back");
	check(LOCKS_FUTEX, (struct known){{4, 0, NAN, 0, NAN, NAN, 0}}, "work maybe",
	      "nothing known");
}

static char path[40];
static int fd;

/* Reads a file with this text. The path of the file is cut off from the sentence. */
static int read_rules(const char *text, struct err *err)
{
	const size_t size = strlen(text);
	int ret;

	if (ftruncate(fd, 0) || pwrite(fd, text, size, 0) != (ssize_t)size)
		abort();
	ret = wait_rules_read(rules, path, err);
	if (ret && !strncmp(err->text, path, strlen(path)))
		memmove(err->text, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
	return ret;
}

static void test_own(void)
{
	const struct known queue = {{9, 9, 0, 0, 0, 0, 0}};
	struct err err = ERR_INIT;

	tap_int(read_rules("# ours\n\nlock maybe semaphore handed<5 waits>=9 # all\n", &err), 0,
		"a file of rules");
	check(LOCKS_SEMAPHORE, queue, "lock maybe", "it comes first");
	check(LOCKS_COND, queue, "work sure", "for its kind");
	check(LOCKS_SEMAPHORE, (struct known){{8, 9, 0, 0, 0, 0, 0}}, "work sure",
	      "if all conditions are true");
	reset();
	check(LOCKS_SEMAPHORE, queue, "work sure", "until it is forgotten");
}

static void test_faults(void)
{
	static const struct {
		const char *text, *want;
	} faults[] = {
		{"work sure", ": line 1: a kind is missing"},
		{"\nwork", ": line 2: a certainty is missing"},
		{"idle sure any", ": line 1: 'idle' is not known"},
		{"work often any", ": line 1: 'often' is not known"},
		{"work sure mutex", ": line 1: 'mutex' is not known"},
		{"work sure any handed=5", ": line 1: 'handed=5' is not known"},
		{"work sure any handed>5", ": line 1: 'handed>5' is not known"},
		{"work sure any handed<1.5", ": line 1: 'handed<1.5' is not known"},
		{"work sure any hands<1", ": line 1: 'hands<1' is not known"},
		{"work sure any waits<", ": line 1: 'waits<' is not known"},
		{"work sure any a b c d e f g", ": line 1: more than 6 conditions"},
	};

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct err err = ERR_INIT;

		tap_ok(read_rules(faults[i].text, &err) < 0, "refused: %s", faults[i].text);
		tap_str(err.text, faults[i].want, "and why");
		reset();
	}
	tap_ok(wait_rules_read(rules, "/no/such/file", NULL) < 0, "a file that does not exist");
}

int main(void)
{
	fd = memfd_create("rules", MFD_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	reset();
	test_built_in();
	test_own();
	test_faults();
	wait_rules_free(rules);
	close(fd);
	return tap_done();
}
