#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks and tiptop calls beside a filter of system calls that a program did not set itself: one that was set before it
# was executed, and one that tiptop runs under. It does what it does without tiptop, and is named where it is not measured.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
own_tables
jail=$builddir/tests/program/jail
"$jail" kill all unseen "$jail" inside >"$out" 2>"$err"
is "the jail" "$?$(cat "$out" "$err")" 7inside
[ "$(cat "$out")" = inside ] || skip_all "no program runs in the jail here"

for what in locks calls; do
	# --- a filter that is set before the program is executed ---
	for way in seen unseen; do
		for deed in '' forks; do
			for children in '' --children; do
				"$tiptop" $what $children -o "$dir/report" -- "$jail" kill all $way "$jail" inside $deed >"$out" 2>"$err"
				is "$what: $way $deed $children: as without tiptop" "$? $(cat "$out")" "7 inside${deed:+
inside}"
			done
		done
	done
done
finish
