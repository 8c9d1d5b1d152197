#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# After a recording, one line on a terminal names the commands that read it; these commands work.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

terminal=$builddir/tests/program/terminal
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

# use_of NAME STEP... -- WORD...: what tiptop WORD... says last on its terminal.
use_of() {
	use_name=$1
	shift
	rm -f "$dir/raw" "$dir/r.db"
	TERM=xterm "$terminal" "copy=$dir/raw" "$@" >"$dir/steps" 2>&1
	tr -d '\r' <"$dir/raw" | grep -o "tiptop: '[^']*' is recorded.*" >"$out"
	is "$use_name: it is said once" "$(wc -l <"$out")" 1
}
# reads NAME: each of the commands that are named.
reads() {
	grep -o "'tiptop [^']*'" "$out" | tr -d "'" >"$dir/commands"
	while read -r _ words; do
		case $words in --replay*) words="-b $words" ;; esac
		# shellcheck disable=SC2086 # words
		"$tiptop" $words >"$dir/told" 2>"$err" </dev/null
		is "$1: 'tiptop $words' reads it" "$? $(test -s "$dir/told" && echo text)" "0 text"
	done <"$dir/commands"
}
told="tiptop: '$dir/r.db' is recorded: 'tiptop what $dir/r.db' summarizes it, 'tiptop --replay $dir/r.db' shows it again"

use_of "batch mode" 'show=shows it again' end -- "$tiptop" -b -n 2 -d 0.2 --record "$dir/r.db" -o "$dir/shown"
is "batch mode: the line" "$(cat "$out")" "$told"
reads "batch mode"
use_of "batch mode, ended by Ctrl-C" show=PID type=^C 'show=shows it again' end -- \
	"$tiptop" -b -d 0.2 --record "$dir/r.db"
use_of "a command" 'show=shows it again' end -- "$tiptop" -b -d 0.2 --record "$dir/r.db" -o "$dir/shown" -- sleep 0.5
is "a command: the line" "$(cat "$out")" "$told"
reads "a command"
use_of "the live screen" show=PID type=q 'show=shows it again' end -- "$tiptop" -d 0.2 --record "$dir/r.db"
is "the live screen: the line" "$(cat "$out")" "$told"
use_of "rows of CPUs" 'show=shows it again' end -- "$tiptop" system --record "$dir/r.db" -o "$dir/shown" 0.2 1
is "rows of CPUs: the commands for tasks are not named" "$(cat "$out")" \
	"tiptop: '$dir/r.db' is recorded: 'tiptop --replay $dir/r.db' shows it again"
reads "rows of CPUs"
use_of "tiptop follow" 'show=shows it again' end -- "$tiptop" follow -c page-faults --record "$dir/r.db" -o "$dir/shown" -- true
is "tiptop follow: the line" "$(cat "$out")" \
	"tiptop: '$dir/r.db' is recorded: 'tiptop follow --replay $dir/r.db' shows it again"
reads "tiptop follow"

"$tiptop" -b -n 1 -d 0.1 --record "$dir/r.db" >"$out" 2>"$err" </dev/null
is "no terminal: nothing is said" "$(grep -c 'is recorded' "$err")" 0
finish
