#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a terminal shows of a report: the columns and rows that fit, and what it leaves out. A file has all.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

terminal=${builddir:?}/tests/program/terminal
locker=$builddir/tests/program/locker
# Without cond and c11: which places wait in them depends on the scheduler.
steps='mutex rwlock spin semaphore barrier types'
shown=$dir/shown

# show OPTION... -- COMMAND...: runs tiptop on a terminal of 100 x 30; its lines are in $shown then.
show() {
	# shellcheck disable=SC2016 # the inner shell's arguments
	"$terminal" "copy=$dir/copy" 'show=END.' -- sh -c '"$@"; echo END.' sh "$tiptop" "$@" >"$out" 2>&1
	tr -d '\r' <"$dir/copy" | sed '/^END/d' >"$shown"
}

# contains NAME PATTERN: the lines shown contain a text.
contains() {
	# shellcheck disable=SC2254 # a pattern
	case $(cat "$shown") in
	$2) ok "$1" 0 ;;
	*) ok "$1" 1 ;;
	esac
}

rows() {
	sed -n '/^# lock /,/^# /p' "$1" | grep -vc '^#'
}

# shellcheck disable=SC2086 # several steps
"$tiptop" locks -o "$dir/all" -- "$locker" $steps >"$out" 2>"$err"
all=$(rows "$dir/all")
ok "a file has all rows: $all" "$([ "$all" -gt 20 ] && echo 0 || echo 1)"
ok "and all columns" "$(awk 'length > 200 && /release/ { all = 1 } /not shown|more row/ { less = 1 } END { print !all + less }' "$dir/all")"

# shellcheck disable=SC2086
show locks -- "$locker" $steps
is "no line is wider than the terminal" "$(awk 'length > 100' "$shown")" ""
ok "the report fits" "$(($(sed -n '/^# locks of/,$p' "$shown" | wc -l) > 30))"
is "the rows that are left out are counted" "$(($(rows "$shown") + $(awk '/more rows?:/ { print $2 }' "$shown")))" "$all"
contains "the columns that are left out are named" "*# not shown: *release_ns*: --fields shows them*"

# shellcheck disable=SC2086
show locks --rows 0 -- "$locker" $steps
is "--rows 0 shows all rows" "$(rows "$shown")" "$all"
# shellcheck disable=SC2086
show locks --fields release_ns,name,hold_ns --rows 3 -- "$locker" $steps
contains "chosen fields are all there, and the limit of --rows is said" \
	"*#release_ns name * hold_ns*# $((all - 3)) more rows: --rows 0 shows all*"

for format in csv json; do
	show locks --format "$format" -- "$locker" mutex rwlock spin
	ok "$format has all on a terminal, too" "$(awk '/release/ { all = 1 } /not shown/ { less = 1 } END { print !all + less }' "$shown")"
done

show locks -- "$locker" many
contains "an array of locks is one row" "*
many?24*#*# x?n?: n locks, of one variable or first acquired at one place*"
is "as is what has no name of its own" "$(rows "$shown")" 2

show calls -- "$locker" mutex
is "calls are shown alike" "$(awk 'length > 100' "$shown")" ""
ok "with the time first" "$(grep -Eq '^# function +.*calls +self ms +share%' "$shown"; echo $?)"
finish
