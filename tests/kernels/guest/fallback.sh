#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tiptop falls back to on this CPU: without a PMU, the kernel's own counters; without a steady clock, a system call.
# shellcheck source=../../program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

echo "# $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1): $(sed -n 's/^flags.*: //p' /proc/cpuinfo | head -n 1)"
"$tiptop" --check >"$out" 2>"$err"
is "--check: exit status" $? 0
if [ -d /sys/bus/event_source/devices/cpu ]; then
	matches "--check: there are hardware counters" "$(grep ' user mode ' "$out")" '  ok   user mode .*'
	skip "without a PMU" "this guest has one: the host's KVM shows it"
else
	matches "--check: no PMU counts tasks" "$(grep ' core  ' "$out")" ' +core +none: the kernel has no PMU .*'
	matches "--check: so there are no counters" "$(grep ' user mode ' "$out")" '  no   user mode +this machine has no hardware counters.*'
	is "--check: nor screens of them" "$(grep -c '^  no .* there are no hardware counters: ' "$out" | sed 's/^[1-9].*/some/')" some
	"$tiptop" -b -i -n 2 -d 0.2 >"$out" 2>"$err"
	is "the first rows: exit status, and one sentence" "$? $(grep -c '^tiptop: ' "$err")" "0 1"
	matches "the first rows: the screen that needs no counter" "$(grep '^Screen ' "$out" | sort -u)" 'Screen [0-9]+: software.*'
	matches "the first rows: process 1" "$(grep -E '^ +1 ' "$out" | tail -n 1)" ' +1 +[0-9].* (sh|init)'
	"$tiptop" -b -d 0.2 -e instructions,page-faults --format json -- "$work" touch=1000 >"$out" 2>"$err"
	is "-e: the status is that of the command, and one sentence" "$? $(grep -c '^tiptop: ' "$err")" "0 1"
	is "-e: unknown, not 0" "$(jq -r 'select(.type == "summary").events.instructions.value' "$out")" null
	within "-e: what the kernel counts" "$(jq -r 'select(.type == "summary").events."page-faults".value' "$out")" 1000 3000
fi
for what in calls locks; do
	"$tiptop" $what --format csv -o "$dir/report" -- "$work" spin=100 >"$out" 2>"$err"
	is "$what, whatever the clock: exit status" $? 0
done
finish
