/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/retention_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

/* Smaller files would be nothing but their own tables. */
#define BYTES_MIN (1024 * 1024.0)
#define BYTES_MAX 1e15
#define NS_PER_S  1e9
#define NS_MAX    (1e18)

static const struct {
	char letter;
	bool is_time;
	double of; /* bytes or ns */
} units[] = {
	{'K', false, 1024},
	{'M', false, 1024 * 1024},
	{'G', false, 1024.0 * 1024 * 1024},
	{'s', true, NS_PER_S},
	{'m', true, 60 * NS_PER_S},
	{'h', true, 3600 * NS_PER_S},
	{'d', true, 24 * 3600 * NS_PER_S},
};

/* A number and its unit. */
static int parse_amount(const char *text, const char *what, bool *is_time, double *out,
			struct err *err)
{
	const size_t len = strlen(text);
	char *number = xstrdup(text);
	int ret = -EINVAL;

	for (size_t i = 0; len && i < sizeof units / sizeof *units; i++) {
		if (text[len - 1] != units[i].letter)
			continue;
		number[len - 1] = '\0';
		ret = num_parse_double(number, what, 0, BYTES_MAX, out, err);
		*out *= units[i].of;
		*is_time = units[i].is_time;
		free(number);
		return ret;
	}
	free(number);
	return err_set(err, EINVAL, "%s: '%s' is neither a size (K, M, G) nor a time (s, m, h, d)",
		       what, text);
}

/* Does something with each of the words between commas. */
static int each_word(const char *list,
		     int (*take)(struct record_keep *, int, const char *, struct err *),
		     struct record_keep *out, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	int ret = 0;

	for (int i = 0; !ret && (word = strsep(&rest, ",")); i++)
		ret = take(out, i, word, err);
	free(copy);
	return ret;
}

static int take_max(struct record_keep *out, int i, const char *word, struct err *err)
{
	double amount;
	bool is_time;
	int ret = parse_amount(word, "--record-max", &is_time, &amount, err);

	(void)i;
	if (ret)
		return ret;
	if (is_time && (amount < NS_PER_S || amount > NS_MAX))
		return err_set(err, EINVAL,
			       "--record-max: '%s': a second at least, 30 years at most", word);
	if (!is_time && (amount < BYTES_MIN || amount > BYTES_MAX))
		return err_set(err, EINVAL, "--record-max: '%s': 1M at least", word);
	if (is_time)
		out->ns = (uint64_t)amount;
	else
		out->bytes = (uint64_t)amount;
	return 0;
}

/* The first one stands for both. */
static int take_around(struct record_keep *out, int i, const char *word, struct err *err)
{
	double amount;
	bool is_time;
	int ret = parse_amount(word, "--record-around", &is_time, &amount, err);

	if (ret)
		return ret;
	if (!is_time || amount > NS_MAX || i > 1)
		return err_set(
			err, EINVAL,
			"--record-around: '%s': one time, or two with ',' between them, in s, "
			"m, h or d",
			word);
	if (!i)
		out->before_ns = (uint64_t)amount;
	out->after_ns = (uint64_t)amount;
	return 0;
}

int keep_parse(struct record_keep *out, const struct options *options, struct err *err)
{
	int ret = 0;

	*out = (struct record_keep){.marked_only = options->record_when};
	if (options->record_around && !options->record_when)
		return err_set(err, EINVAL, "--record-around is of a condition: add --record-when");
	if (options->record_max)
		ret = each_word(options->record_max, take_max, out, err);
	if (!ret && options->record_when)
		ret = each_word(options->record_around ? options->record_around : KEEP_AROUND,
				take_around, out, err);
	return ret;
}
