/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_number - a number for people, in four digits or so, whatever it is of.
 */
#ifndef BASE_SHORT_NUMBER_H
#define BASE_SHORT_NUMBER_H

#include "base/strbuf.h"

/* Appends the number, in so many characters where two digits or more have room; "?": NaN. */
void short_number_add(struct strbuf *out, double number, int width);

#endif
