/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/system_words.h"

#include <errno.h>

#include "base/num.h"

#define COUNT_MAX 1000000000

int system_take_words(const struct option_list *arguments, double *interval_s, long *count,
		      struct err *err)
{
	const char *interval = option_word(arguments, 0), *times = NULL;

	if (interval)
		times = option_word(arguments, 1);
	if (interval && num_parse_double(interval, "the interval", OPTION_DELAY_MIN,
					 OPTION_DELAY_MAX, interval_s, err))
		return -EINVAL;
	return times ? num_parse_int(times, "the count", 1, COUNT_MAX, count, err) : 0;
}

int system_take_cpus(const char *text, struct cpu_list *list, struct err *err)
{
	if (!text)
		return 0;
	if (!cpu_list_is(text))
		return err_set(err, EINVAL, "--cpus: '%s' is not a list of CPUs, such as 0-3,8",
			       text);
	cpu_list_parse(list, text);
	return 0;
}
