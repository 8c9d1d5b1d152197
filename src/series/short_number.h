/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_number - a number for people, in four digits or so, whatever it is of.
 */
#ifndef SERIES_SHORT_NUMBER_H
#define SERIES_SHORT_NUMBER_H

#include "base/strbuf.h"

/* Appends a blank and the number, right-aligned; "?": NaN. */
void short_number_add(struct strbuf *out, double number, int width);

#endif
