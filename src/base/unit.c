/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/unit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- short number ---- */

/* Appends as many of at most four significant digits as fit, but at least two. */
static void add_small(struct strbuf *out, double number, int width)
{
	char text[32];
	int digits = 4;

	while (snprintf(text, sizeof text, "%.*g", digits, number) > width && --digits >= 2)
		;
	strbuf_addstr(out, text);
}

void short_number_add(struct strbuf *out, double number, int width)
{
	if (isnan(number))
		strbuf_addch(out, '?');
	else if (fabs(number) >= 99999.5)
		unit_add(out, UNIT_COUNT, number);
	else if (fabs(number) >= 1000)
		strbuf_addf(out, "%.0f", number);
	else
		add_small(out, number, width);
}

/* ---- unit ---- */

#define STEP       1000
#define STEP_BYTES 1024

static const char prefixes[] = "KMGTPEZ";

/* Appends a number with one decimal; without one if it is whole and unprefixed, or has three
 * digits. */
static void add_steps(struct strbuf *out, double number, double step)
{
	const char *sign = signbit(number) ? "-" : "";
	int i = -1;

	number = fabs(number);
	/* A number that would be rounded to 1000 gets the next prefix: 1.0K. */
	for (; number >= 999.5 && prefixes[i + 1]; i++)
		number /= step;
	if (i < 0)
		strbuf_addf(out, "%s%.*f", sign, number == floor(number) || number >= 99.95 ? 0 : 1,
			    number);
	else
		strbuf_addf(out, "%s%.*f%c", sign, number < 99.95, number, prefixes[i]);
}

static void add_large(struct strbuf *out, double number)
{
	add_steps(out, number, STEP);
}

static void add_bytes(struct strbuf *out, double number)
{
	add_steps(out, number, STEP_BYTES);
}

/* The time, in s, from which on a power of ten is shown instead: three million years. */
#define TIME_MAX 1e14

/* Appends a time, truncated, so that it never shows more than has passed. */
static void add_time(struct strbuf *out, double seconds)
{
	const char *sign = signbit(seconds) ? "-" : "";
	unsigned long long tenths, s, minutes, hours;

	if (!(fabs(seconds) < TIME_MAX)) {
		strbuf_addf(out, "%.0e", seconds);
		return;
	}
	tenths = (unsigned long long)(fabs(seconds) * 10);
	s = tenths / 10;
	minutes = s / 60;
	hours = minutes / 60;
	if (minutes < 100)
		strbuf_addf(out, "%s%llu:%02llu.%llu", sign, minutes, s % 60, tenths % 10);
	else if (hours < 100)
		strbuf_addf(out, "%s%llu:%02llu:%02llu", sign, hours, minutes % 60, s % 60);
	else if (hours < 24 * 10000)
		strbuf_addf(out, "%s%llud%02lluh", sign, hours / 24, hours % 24);
	else
		strbuf_addf(out, "%s%llud", sign, hours / 24);
}

static void add_tenths(struct strbuf *out, double number)
{
	strbuf_addf(out, "%.1f", number);
}

static void add_hundredths(struct strbuf *out, double number)
{
	strbuf_addf(out, "%.2f", number);
}

const struct unit_row unit_table[N_UNITS] = {
	[UNIT_NONE] = {"", NULL, 1, 0, "none"},
	[UNIT_TEXT] = {"text", NULL, 1, 0, "a text"},
	[UNIT_COUNT] = {"count", add_large, 1, 5, "how many"},
	[UNIT_PERCENT] = {"%", add_tenths, 1, 5, "parts of a hundred"},
	[UNIT_PER_1000] = {"1/1000", add_tenths, 1, 5, "parts of a thousand"},
	[UNIT_RATIO] = {"ratio", add_hundredths, 1, 6, "one number by another"},
	[UNIT_PER_S] = {"1/s", add_large, 1, 5, "how many in a second"},
	[UNIT_MILLION] = {"million", add_large, 1e6, 5, "how many millions"},
	[UNIT_MILLION_PER_S] = {"million/s", add_large, 1e6, 5, "how many millions in a second"},
	[UNIT_MS_PER_S] = {"ms/s", add_tenths, 1, 5, "milliseconds of each second"},
	[UNIT_GHZ] = {"GHz", add_hundredths, 1, 6, "billions of cycles in a second"},
	[UNIT_NS] = {"ns", add_time, 1e-9, 8, "time in nanoseconds"},
	[UNIT_US] = {"us", add_time, 1e-6, 8, "time in microseconds"},
	[UNIT_MS] = {"ms", add_time, 1e-3, 8, "time in milliseconds"},
	[UNIT_S] = {"s", add_time, 1, 8, "time in seconds"},
	[UNIT_BYTES] = {"bytes", add_bytes, 1, 5, "memory in bytes"},
	[UNIT_KIB] = {"KiB", add_bytes, 1024, 5, "memory in units of 1024 bytes"},
};

int unit_find(const char *name)
{
	for (int i = 0; i < N_UNITS; i++)
		if (!strcmp(unit_table[i].name, name))
			return i;
	return -1;
}

void unit_add(struct strbuf *out, enum unit unit, double number)
{
	unit_table[unit].add(out, number * unit_table[unit].factor);
}

/* Returns the factor between two prefixes of the unit; 0: the unit has no prefixes. */
static double step_of(const struct unit_row *row)
{
	if (row->add == add_time)
		return 0;
	return row->add == add_bytes ? STEP_BYTES : STEP;
}

#define DIGITS_MAX 2 /* decimals */
/* The bounds of a number with a prefix: 1.0M, not 1000K. */
#define PREFIXED_MIN 0.95
#define PREFIXED_MAX 999.5

/* Returns whether the number is in the range for the i-th prefix; i is -1 for no prefix, whose
 * range is unlimited. */
static bool suits(double number, int i)
{
	return i < 0 ||
	       (fabs(number) >= PREFIXED_MIN && (fabs(number) < PREFIXED_MAX || !prefixes[i + 1]));
}

bool unit_add_within(struct strbuf *out, enum unit unit, double number, int width, bool prefixed)
{
	const double step = step_of(&unit_table[unit]);

	number *= unit_table[unit].factor;
	for (int i = -1; step > 0 && (i < 0 || (prefixed && prefixes[i])); i++, number /= step) {
		const char prefix[2] = {i < 0 ? '\0' : prefixes[i], '\0'};

		for (int digits = DIGITS_MAX; digits >= 0 && suits(number, i); digits--) {
			char text[64];
			const int n = snprintf(text, sizeof text, "%.*f%s", digits, number, prefix);

			if (n > width || n >= (int)sizeof text)
				continue;
			strbuf_addstr(out, text);
			return true;
		}
	}
	return false;
}

/* ---- code_name ---- */

/* clang-format off */
#define SIGNALS(X) \
	X(HUP) X(INT) X(QUIT) X(ILL) X(TRAP) X(ABRT) X(BUS) X(FPE) X(KILL) X(USR1) X(SEGV) X(USR2) \
	X(PIPE) X(ALRM) X(TERM) X(STKFLT) X(CHLD) X(CONT) X(STOP) X(TSTP) X(TTIN) X(TTOU) X(URG) \
	X(XCPU) X(XFSZ) X(VTALRM) X(PROF) X(WINCH) X(POLL) X(PWR) X(SYS)

#define ERRORS(X) \
	X(EPERM) X(ENOENT) X(ESRCH) X(EINTR) X(EIO) X(ENXIO) X(E2BIG) X(ENOEXEC) X(EBADF) X(ECHILD) \
	X(EAGAIN) X(ENOMEM) X(EACCES) X(EFAULT) X(ENOTBLK) X(EBUSY) X(EEXIST) X(EXDEV) X(ENODEV) \
	X(ENOTDIR) X(EISDIR) X(EINVAL) X(ENFILE) X(EMFILE) X(ENOTTY) X(ETXTBSY) X(EFBIG) X(ENOSPC) \
	X(ESPIPE) X(EROFS) X(EMLINK) X(EPIPE) X(EDOM) X(ERANGE) X(EDEADLK) X(ENAMETOOLONG) \
	X(ENOLCK) X(ENOSYS) X(ENOTEMPTY) X(ELOOP) X(ENOMSG) X(EIDRM) X(ECHRNG) X(EL2NSYNC) X(EL3HLT) \
	X(EL3RST) X(ELNRNG) X(EUNATCH) X(ENOCSI) X(EL2HLT) X(EBADE) X(EBADR) X(EXFULL) X(ENOANO) \
	X(EBADRQC) X(EBADSLT) X(EBFONT) X(ENOSTR) X(ENODATA) X(ETIME) X(ENOSR) X(ENONET) X(ENOPKG) \
	X(EREMOTE) X(ENOLINK) X(EADV) X(ESRMNT) X(ECOMM) X(EPROTO) X(EMULTIHOP) X(EDOTDOT) \
	X(EBADMSG) X(EOVERFLOW) X(ENOTUNIQ) X(EBADFD) X(EREMCHG) X(ELIBACC) X(ELIBBAD) X(ELIBSCN) \
	X(ELIBMAX) X(ELIBEXEC) X(EILSEQ) X(ERESTART) X(ESTRPIPE) X(EUSERS) X(ENOTSOCK) \
	X(EDESTADDRREQ) X(EMSGSIZE) X(EPROTOTYPE) X(ENOPROTOOPT) X(EPROTONOSUPPORT) \
	X(ESOCKTNOSUPPORT) X(EOPNOTSUPP) X(EPFNOSUPPORT) X(EAFNOSUPPORT) X(EADDRINUSE) X(EADDRNOTAVAIL) \
	X(ENETDOWN) X(ENETUNREACH) X(ENETRESET) X(ECONNABORTED) X(ECONNRESET) X(ENOBUFS) X(EISCONN) \
	X(ENOTCONN) X(ESHUTDOWN) X(ETOOMANYREFS) X(ETIMEDOUT) X(ECONNREFUSED) X(EHOSTDOWN) \
	X(EHOSTUNREACH) X(EALREADY) X(EINPROGRESS) X(ESTALE) X(EUCLEAN) X(ENOTNAM) X(ENAVAIL) \
	X(EISNAM) X(EREMOTEIO) X(EDQUOT) X(ENOMEDIUM) X(EMEDIUMTYPE) X(ECANCELED) X(ENOKEY) \
	X(EKEYEXPIRED) X(EKEYREVOKED) X(EKEYREJECTED) X(EOWNERDEAD) X(ENOTRECOVERABLE) X(ERFKILL) \
	X(EHWPOISON)
/* clang-format on */

#define SIGNAL_ROW(name) [SIG##name] = #name,
static const char *const signal_name[] = {SIGNALS(SIGNAL_ROW)};
#undef SIGNAL_ROW

#define ERROR_ROW(name) [name] = #name,
static const char *const error_name[] = {ERRORS(ERROR_ROW)};
#undef ERROR_ROW

static const char *find(const char *const *table, size_t n, int code)
{
	return code >= 0 && (size_t)code < n ? table[code] : NULL;
}

const char *code_name_signal(int signal)
{
	return find(signal_name, sizeof signal_name / sizeof *signal_name, signal);
}

const char *code_name_error(int error)
{
	const char *name = find(error_name, sizeof error_name / sizeof *error_name, error);

	return name ? name : "an unknown error";
}
