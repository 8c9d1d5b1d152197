#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libpfm4 4.13.0-1 (Debian 12), pfm_get_version(3).
#
# The library says of itself, when it runs and in its header alike, that it is version 4.0; that it is 4.13 stands in the
# name of its file alone (libpfm.so.4.13.0). So a program cannot choose by pfm_get_version() whether it has to correct the
# code of an event that is wrong in some releases: it has to look at the code itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

package libpfm4 4.13.0-1
package libpfm4-dev 4.13.0-1
cat >"$dir/ask.c" <<'C'
#include <stdio.h>
#include <perfmon/pfmlib.h>

int main(void)
{
	const int v = pfm_get_version();

	printf("runs %d.%d, header %d.%d\n", PFM_MAJ_VERSION(v), PFM_MIN_VERSION(v), PFM_MAJ_VERSION(LIBPFM_VERSION),
	       PFM_MIN_VERSION(LIBPFM_VERSION));
	return 0;
}
C
lib=$(dirname "$(find "$dir/root" -name 'libpfm.so.4')")
gcc -I"$dir/root/usr/include" -o "$dir/ask" "$dir/ask.c" "$lib/libpfm.so.4" || exit 1
seen "the file's name has the release" "$(find "$lib" -name 'libpfm.so.4.*' -printf '%f')" "libpfm.so.4.13.0"
seen "the library and its header say 4.0" "$(LD_LIBRARY_PATH="$lib" "$dir/ask")" "runs 4.0, header 4.0"
