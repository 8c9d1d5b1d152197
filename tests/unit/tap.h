/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tap - a minimal test harness: each check prints one line of the Test Anything Protocol, the plan
 * comes last.
 *
 *   int main(void) { tap_ok(1 + 1 == 2, "sums"); return tap_done(); }
 *
 * A check that fails also prints its place, and for strings and numbers the actual and the expected
 * value.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

#define tap_ok(cond, ...) tap_line(cond, __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static inline bool tap_line(bool good, const char *file,
								  int line, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", good ? "ok" : "not ok", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!good) {
		tap_failed++;
		printf("# failed at %s:%d\n", file, line);
	}
	return good;
}

/* Reports a check as skipped. */
#define tap_skip(name, why) tap_ok(true, "%s # SKIP %s", name, why)

/* Shows a text of several lines, each after '#'. */
static inline void tap_show(const char *label, const char *text)
{
	printf("# %s: ", label);
	for (; *text; text++) {
		putchar(*text);
		if (*text == '\n')
			printf("#   ");
	}
	putchar('\n');
}

#define tap_str(got, want, ...)                                                                    \
	do {                                                                                       \
		const char *tap_got = (got), *tap_want = (want);                                   \
		if (!tap_ok(!strcmp(tap_got, tap_want), __VA_ARGS__)) {                            \
			tap_show("got", tap_got);                                                  \
			tap_show("want", tap_want);                                                \
		}                                                                                  \
	} while (0)

#define tap_int(got, want, ...)                                                                    \
	do {                                                                                       \
		long long tap_got = (long long)(got), tap_want = (long long)(want);                \
		if (!tap_ok(tap_got == tap_want, __VA_ARGS__))                                     \
			printf("# got %lld, want %lld\n", tap_got, tap_want);                      \
	} while (0)

/* Compares numbers to 9 digits; NaN equals NaN. */
#define tap_num(got, want, ...)                                                                    \
	do {                                                                                       \
		double tap_got = (got), tap_want = (want);                                         \
		bool tap_same = (isnan(tap_got) && isnan(tap_want)) ||                             \
				fabs(tap_got - tap_want) <= 1e-9 * fmax(1, fabs(tap_want));        \
		if (!tap_ok(tap_same, __VA_ARGS__))                                                \
			printf("# got %.17g, want %.17g\n", tap_got, tap_want);                    \
	} while (0)

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
