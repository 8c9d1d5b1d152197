#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libpfm4 4.13.0-1 (Debian 12), LIBPFM_FORCE_PMU.
#
# The variable makes the library take the machine for another model, so that its events can be looked up anywhere. It
# does not add that model's table to what is always there, it replaces all of it: the table of the kernel's own events
# is gone, too. "cycles", "instructions", "context-switches" and "perf::CYCLES", which resolve on each machine, are not
# found any more, while the events of the model are. A tool that looks up a screen for another machine has to resolve
# the generic names by itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

package libpfm4 4.13.0-1
package libpfm4-dev 4.13.0-1
cat >"$dir/ask.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <perfmon/pfmlib_perf_event.h>

int main(int argc, char **argv)
{
	if (pfm_initialize() != PFM_SUCCESS)
		return 1;
	for (int i = 1; i < argc; i++) {
		struct perf_event_attr attr = {.size = sizeof attr};
		pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof arg};

		printf("%s: %s\n", argv[i], pfm_strerror(pfm_get_os_event_encoding(argv[i], PFM_PLM3, PFM_OS_PERF_EVENT, &arg)));
	}
	return 0;
}
C
lib=$(dirname "$(find "$dir/root" -name 'libpfm.so.4')")
gcc -I"$dir/root/usr/include" -o "$dir/ask" "$dir/ask.c" "$lib/libpfm.so.4" || exit 1
# ask MODEL NAME: what the library says of the name; MODEL "": on this machine.
ask() {
	env ${1:+LIBPFM_FORCE_PMU=$1} LD_LIBRARY_PATH="$lib" "$dir/ask" "$2"
}
for name in context-switches perf::CYCLES; do
	seen "$name is found on this machine" "$(ask "" $name)" "$name: success"
done
seen "the model's own event is found when it is forced" "$(ask skx INST_RETIRED)" "INST_RETIRED: success"
for name in cycles instructions context-switches perf::CYCLES; do
	seen "$name is not found then" "$(ask skx $name)" "$name: event not found"
done
