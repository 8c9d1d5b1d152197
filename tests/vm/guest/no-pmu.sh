# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine without counters, as many virtual ones are.
. ./lib.sh

tiptop -b -i -d 1 -n 2 >"$out" 2>"$err"
is "no PMU: exit status" $? 0
is "no PMU: one sentence" "$(grep -c '^tiptop: ' "$err")" 1
has "no PMU: the screen that needs no counter is shown" "$out" '^Screen [0-9]+: software'
has "no PMU: with tasks" "$out" '^ *1 .* init$'
has_not "no PMU: no number is made up for a counter" "$out" ' (IPC|Minstr|Mcycle) '

tiptop -b -i $exact -d 1 -n 2 -p 1 >"$out" 2>"$err"
is "no PMU: a screen of counters: exit status" $? 0
is "no PMU: a screen of counters: unknown, not 0" "$(last 1 2) $(last 1 3)" "? ?"
