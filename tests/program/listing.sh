#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --list-events, --list-columns, --list-filters and --list-screens equal the files of tests/golden/listing, byte by byte, in
# each format: for a fixed CPU and configuration file. TAP_UPDATE=1 in the environment writes the files.
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
list events-csv --list-events l1d --format csv
list events-json --list-events l1d --format json
list code-text --list-events r08d1
list code-csv --list-events r08d1 --format csv
list code-json --list-events r08d1 --format json
for format in text csv json; do
	list filters-$format --list-filters --format $format
	list screens-$format --list-screens --format $format
done

# There are more variables and functions with each new fact of the kernel.
"$tiptop" -W "$golden/tiptoprc" --only-conf --for-cpu 06_97 --list-columns 2>"$err" |
	sed '/^variable *MINFLT /!{/^variable/d}; s/  */ /g' >"$dir/list"
golden columns-text
"$tiptop" -W "$golden/tiptoprc" --only-conf --for-cpu 06_97 --list-columns --format csv 2>"$err" |
	sed '/^variable,MINFLT,/!{/^variable/d}' >"$dir/list"
golden columns-csv
if command -v jq >/dev/null; then
	"$tiptop" -W "$golden/tiptoprc" --only-conf --for-cpu 06_97 --list-columns --format json 2>"$err" |
		jq -c '.[] | select(.kind != "variable" or .name == "MINFLT")' >"$dir/list"
	golden columns-json
else
	skip columns-json "there is no jq"
fi

# What the file says of outputs is not meant for lists, which programs read.
sed 's|^</tiptop>|<options><option name="format" value="json"/></options>&|' "$golden/tiptoprc" >"$dir/rc"
"$tiptop" -W "$dir/rc" --only-conf --for-cpu 06_97 --list-screens >"$dir/list" 2>"$err"
golden screens-text

"$tiptop" -W "$golden/tiptoprc" --only-conf --list-events nowhere-at-all --format json >"$dir/list" 2>"$err"
is "no events: exit status" $? 1
golden events-none
"$tiptop" --for-cpu 06_97 --list-events rxyz=/ >"$dir/list" 2>"$err"
is "no such number: exit status" $? 1

finish
