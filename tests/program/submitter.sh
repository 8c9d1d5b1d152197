#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Threads that the kernel creates for a process (io_uring) are counted, although a tracer gets no event for them.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

submitter=${builddir:?}/tests/program/submitter
head -c 65536 /dev/zero >"$dir/file"

if ! reason=$("$work" can-count); then
	skip "workers of io_uring" "$reason"
	finish
	exit
fi
"$submitter" "$dir/file" 1 >"$out" 2>"$err"
if [ $? -eq 77 ]; then
	skip "workers of io_uring" "the kernel does not allow io_uring"
	finish
	exit
fi

# summary OPTION... -- COMMAND...: its object goes to $json.
json=$dir/json
summary() {
	"$tiptop" -b --format json -o "$out" -S software -d 0.1 "$@" >"$dir/printed" 2>"$err" </dev/null
	status=$?
	grep -s '^{"type":"summary"' "$out" >"$json"
}
# number KEY: of all, not of a program.
number() {
	sed -n "s/\"level\".*//; s/.*\"$1\":\({\"value\":\)\{0,1\}\([-0-9.e+]*\).*/\2/p" "$json"
}
# The kernel accounts the switches, too, of which there are many; the first task is none of those of the program.
of_program() {
	sed -n 's/.*"name":"submitter","processes":[0-9]*,"cpu_s":\([0-9.e+-]*\).*/\1/p' "$json"
}

for way in --exact -H; do
	summary "$way" -- "$submitter" "$dir/file" 3000
	used=$(calc "$(cat "$dir/printed") / 1000")
	is "$way: status, and nothing contradicts" "$status $(grep -c '"conflict"' "$json")" "0 0"
	within "$way: the command's workers are counted" "$(number cpu_s)" "$(calc "0.6 * $used")" "$(calc "2 * $used + 0.1")"
done
summary --exact -- sh -c '"$0" "$1" 3000; true' "$submitter" "$dir/file"
used=$(calc "$(cat "$dir/printed") / 1000")
within "those of a child are counted" "$(number cpu_s)" "$(calc "0.6 * $used")" "$(calc "2 * $used + 0.1")"
# of_exit COMMAND...: the CPU time in seconds of the last of its rows of an end.
of_exit() {
	"$tiptop" follow -fe -T 0 -c task-clock -o "$out" -- "$@" >"$dir/printed" 2>"$err" </dev/null
	awk '$3 == "exit" && $4 > most { most = $4 } END { print most / 1e9 }' "$out"
}
within "as its own" "$(of_program)" "$(calc "0.4 * $used")" "$(calc "2 * $used + 0.1")"
got=$(of_exit "$submitter" "$dir/file" 3000)
used=$(calc "$(cat "$dir/printed") / 1000")
within "follow: those of the command" "$got" "$(calc "0.6 * $used")" "$(calc "2 * $used + 0.1")"
got=$(of_exit sh -c '"$0" "$1" 3000; true' "$submitter" "$dir/file")
used=$(calc "$(cat "$dir/printed") / 1000")
within "follow: those of a child" "$got" "$(calc "0.6 * $used")" "$(calc "2 * $used + 0.1")"
finish
