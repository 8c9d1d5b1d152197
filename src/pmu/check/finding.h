/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding - one result of --check: a mark, a sentence and perhaps a remedy.
 *
 * Sentences start with a small letter and have no full stop; those longer than the buffers are cut.
 * A remedy is one line, if possible a command that can be copied. A finding without a fault has no
 * remedy.
 */
#ifndef PMU_CHECK_FINDING_H
#define PMU_CHECK_FINDING_H

enum finding_mark {
	FINDING_FACT, /* neither good nor bad */
	FINDING_OK,
	FINDING_WARN, /* something works only in part */
	FINDING_NO,   /* something does not work */
};

#define FINDING_TEXT_MAX   512
#define FINDING_REMEDY_MAX 256

struct finding {
	enum finding_mark mark;
	char text[FINDING_TEXT_MAX];
	char remedy[FINDING_REMEDY_MAX]; /* "": none */
};

/* Makes a finding without a remedy. */
struct finding finding_make(enum finding_mark mark, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void finding_set_remedy(struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
