#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --list-events, --list-columns, --list-filters and --list-screens, byte by byte as files of tests/golden/listing have
# them: of a CPU and a configuration file that are the same everywhere. TAP_UPDATE=1 in the environment writes the files.
# shellcheck source=lib.sh
golden=$(cd "$(dirname "$0")/../golden/listing" && pwd)
. "$(dirname "$0")/lib.sh"

# golden NAME: what was printed is what the file has.
golden() {
	[ -z "${TAP_UPDATE-}" ] || cp "$dir/list" "$golden/$1.txt"
	cmp -s "$dir/list" "$golden/$1.txt"
	golden_same=$?
	[ $golden_same -eq 0 ] || diff "$golden/$1.txt" "$dir/list" >"$out"
	ok "$1" $golden_same
}

# list NAME OPTION...: with status 0.
list() {
	list_name=$1
	shift
	"$tiptop" -W "$golden/tiptoprc" --only-conf --for-cpu 06_97 "$@" >"$dir/list" 2>"$err" </dev/null
	is "$list_name: exit status" $? 0
	golden "$list_name"
}

list events-text --list-events l1d
list events-software-text --list-events=page-f
list events-json --list-events l1d --format json
list code-text --list-events r08d1
list code-json --list-events r08d1 --format json
list filters-text --list-filters
list screens-text --list-screens

# There are more variables and functions with each new fact of the kernel.
"$tiptop" -W "$golden/tiptoprc" --only-conf --for-cpu 06_97 --list-columns 2>"$err" |
	sed '/^variable *MINFLT /!{/^variable/d}; s/  */ /g' >"$dir/list"
golden columns-text

"$tiptop" -W "$golden/tiptoprc" --only-conf --list-events nowhere-at-all --format json >"$dir/list" 2>"$err"
is "no events: exit status" $? 1
golden events-none
"$tiptop" --for-cpu 06_97 --list-events rxyz=/ >"$dir/list" 2>"$err"
is "no such number: exit status" $? 1

finish
