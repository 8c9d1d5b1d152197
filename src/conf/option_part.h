/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of option share. */
#ifndef CONF_OPTION_PART_H
#define CONF_OPTION_PART_H

#include "conf/option.h"

/* getopt_long() gives this + row for a long name, the letter for a short one. */
#define OPTION_LONG_CODE 256

/* The row of such a code; set->n_rows: there is none. */
size_t option_row_of_code(const struct option_set *set, int code);
/* Sets `typed` to the option as it stands in the word: "--delay" of "--delay=1", "-d" of "-bd1". */
void option_copy_typed(char *typed, size_t size, const char *word, char letter);
/* Sets the sentence for what getopt_long() has given back so. Returns -EINVAL. */
int option_scan_fault(const struct option_set *set, int code, const char *word, struct err *err);

#endif
