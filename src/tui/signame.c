/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/signame.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/num.h"
#include "base/suggestion.h"

int signame_parse(const char *text, int *signal, struct err *err)
{
	const char *name = strncasecmp(text, "SIG", 3) ? text : text + 3;
	struct suggestion near;
	long number;

	suggestion_begin(&near, name);
	for (int i = 1; i < NSIG; i++) {
		const char *abbreviation = sigabbrev_np(i);

		if (abbreviation && !strcasecmp(abbreviation, name)) {
			*signal = i;
			return 0;
		}
		if (abbreviation)
			suggestion_offer(&near, abbreviation);
	}
	if (num_parse_int(text, "the signal", 1, SIGRTMAX, &number, NULL) < 0)
		return err_set(err, EINVAL,
			       "there is no signal '%s'%s: type a name such as TERM, or a number "
			       "from 1 to %d",
			       text, suggestion_text(&near), SIGRTMAX);
	*signal = (int)number;
	return 0;
}
