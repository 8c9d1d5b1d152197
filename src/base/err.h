/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * err - a failure, as a code and one complete sentence.
 *
 * The sentence is written where the fault is found, and names the place (file, line, column,
 * element, event, task), the true cause and, where there is one, the remedy. It starts with a small
 * letter, has no full stop and no newline, so that "tiptop: <sentence>" can be printed as it is:
 * texts from users and files are made harmless in it (strbuf.h). Callers return it unchanged or add
 * the place they know.
 *
 * Invariants: code is 0 or a positive errno value; text is always terminated. A NULL struct err is
 * allowed everywhere and means that the caller does not want the sentence.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define ERR_TEXT_MAX 512

struct err {
	int code;
	char text[ERR_TEXT_MAX];
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		0, ""                                                                              \
	}

/* Sets code and sentence, and returns -code, so that "return err_set(err, EINVAL, ...)" ends a
 * function. A sentence too long for the buffer is cut. */
int err_set(struct err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "<place>: " before the sentence in err. Returns -code; -EINVAL if err is NULL. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
