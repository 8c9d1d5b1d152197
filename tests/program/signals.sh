#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Signals: what those do that the kernel sends, and those that somebody sends.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# limited OPTION...: no file may be larger than 512 bytes, or 1,024 with some shells.
limited() {
	(
		ulimit -f 1
		exec timeout 60 "$tiptop" -b -i -d 0.01 "$@"
	)
}
limited -o "$dir/large" 2>"$dir/told"
is "a file at its limit: the status is 1" $? 1
matches "a file at its limit: a sentence says so" "$(cat "$dir/told")" "tiptop: cannot write '$dir/large': File too large"
limited >"$dir/large" 2>"$dir/told"
is "standard output at its limit: the status is 1" $? 1
matches "standard output at its limit: a sentence says so" "$(cat "$dir/told")" \
	'tiptop: cannot write to standard output: File too large'
"$tiptop" -b -o "$out" -- grep ^SigIgn /proc/self/status >"$dir/printed" 2>"$err"
is "the command does not ignore it" "$(cat "$dir/printed")" "$(grep ^SigIgn /proc/self/status)"

finish
