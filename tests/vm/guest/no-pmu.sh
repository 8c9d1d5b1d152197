# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine without hardware counters, like many virtual machines.
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

tiptop -b -d 0.2 -e instructions,page-faults,r8 -- ./loop-short >"$out" 2>"$err"
is "no PMU: -e: exit status" $? 0
pid=$(pid_of loop-short)
is "no PMU: -e: unknown, not 0" "$(cells "$pid" instructions) $(cells "$pid" r8)" "? ?"
within "no PMU: -e: what the kernel itself counts" "$(cells "$pid" page-faults)" 1 100
is "no PMU: -e: one sentence" "$(grep -c '^tiptop: ' "$err")" 1

tiptop --check >"$out" 2>"$err"
is "no PMU: --check: exit status" $? 0
has "no PMU: --check: the cores have none" "$out" '^ +core +none: '
has "no PMU: --check: so there are no counters" "$out" '^  no +user mode +this machine has no hardware counters'
has "no PMU: --check: nor the screens of them" "$out" '^  no +0 default +there are no hardware counters: '
tiptop --list-events instructions >"$out" 2>"$err"
has "no PMU: --list-events" "$out" '^instructions +- +0x0:0x1 +absent '
