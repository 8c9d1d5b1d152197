/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding - one thing that --check has found: how good it is, a sentence, and where there is
 * one, the remedy.
 *
 * Sentences start with a small letter and have no full stop; longer ones than the buffers are cut.
 * A remedy is one line: a command that can be copied, where there is one. Where nothing is wrong
 * there is no remedy.
 */
#ifndef PMU_CHECK_FINDING_H
#define PMU_CHECK_FINDING_H

enum finding_mark {
	FINDING_FACT, /* neither good nor bad */
	FINDING_OK,
	FINDING_WARN, /* a part does not work */
	FINDING_NO,   /* it does not work */
};

#define FINDING_TEXT_MAX   512
#define FINDING_REMEDY_MAX 256

struct finding {
	enum finding_mark mark;
	char text[FINDING_TEXT_MAX];
	char remedy[FINDING_REMEDY_MAX]; /* "": none */
};

/* Makes a finding that has no remedy. */
struct finding finding_make(enum finding_mark mark, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void finding_set_remedy(struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
