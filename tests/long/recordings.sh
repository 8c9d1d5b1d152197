#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Long recordings, made by bench/recording: writing and reading them, with the memory and the CPU time that this takes. The
# bounds of the CPU time (not wall time) are twice the target, as machines are busy.
# shellcheck source=../program/lib.sh
. "$(dirname "$0")/../program/lib.sh"

make=$builddir/bench/recording usage=$builddir/bench/usage file=$dir/r.db
[ -x "$make" ] || skip_all "there is no bench/recording: it is built with SQLite, by make check"

# value NAME: of the lines of a name and a number.
value() {
	awk -v name="$1" '$1 == name { print $2 }' "$out"
}
# seconds: the CPU time.
seconds() {
	awk '$1 == "cpu_us" { print $2 / 1e6 }' "$out"
}

# An hour of 1,000 tasks that run all the time, every two seconds.
"$make" "$file" 1000 1000 1800 2000 >"$out" 2>"$err"
ok "an hour of 1,000 tasks is recorded" $?
is "each reading" "$(value readings)" 1800000
within "bytes of a reading, with all that is beside it" "$(value bytes)" 20 120
within "CPU time of writing it, us" "$(value cpu_us)" 0.01 16
"$usage" "$tiptop" -b --replay "$file" >"$out" 2>"$err" </dev/null
ok "it is replayed" $?
within "its CPU time, s" "$(seconds)" 0.1 40
within "the most memory, MiB" "$(calc "$(value peak_kib) / 1024")" 1 50
"$tiptop" -b --replay "$file" --format csv --fields mono_s,pid -p 10000000 >"$out" 2>"$err"
is "a task has all of its intervals" "$(sed 1d "$out" | cut -d , -f 1 | sort -un | wc -l)" 1799
rm -f "$file"

# A day in which some do something.
"$make" "$file" 1000 20 43200 2000 >"$out" 2>"$err"
ok "a day is recorded" $?
for from in +1 +43000 -30; do
	"$usage" "$tiptop" -b --replay "$file" --from $from -n 1 >"$out" 2>"$err" </dev/null
	ok "to $from s of it" $?
	within "CPU time of the jump, and of the start, s" "$(seconds)" 0.001 2
done
"$tiptop" -b -i --replay "$file" --from +43000 --to +43004 --format csv --fields pid >"$out" 2>"$err"
is "all tasks are there" "$(sed 1d "$out" | sort -u | wc -l)" 1000
finish
