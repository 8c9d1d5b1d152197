# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One instruction takes 2^SHIFT cycles here.
. ./lib.sh

want=$(awk -v cycles="$((1 << ns_shift))" 'BEGIN { print 1 / cycles }')
tiptop -b -W conf/ipc --only-conf -d 0.2 -- ./loop-half >"$out" 2>"$err"
pid=$(pid_of loop-half)
within "ipc: shown in some refreshes" "$(rows "$pid" 2 | wc -l)" 2 20
for value in $(rows "$pid" 2); do
	is "ipc: $(printf %.4f "$want")" "$value" "$(printf %.4f "$want")"
done

# The built-in screen has it, too.
tiptop -b -d 0.2 -- ./loop-half >"$out" 2>"$err"
field=$(field IPC)
within "ipc: the built-in screen has the column" "${field:-none}" 2 20
pid=$(pid_of loop-half)
has "ipc: what this machine cannot count is unknown, not 0" "$out" "^ *$pid .* \\? "
has "ipc: and that is said" "$err" "^tiptop: this machine has no hardware counter for"
is "ipc: $(printf %.2f "$want") on the built-in screen" "$(rows "$pid" "$field" | sed -n 2p)" "$(printf %.2f "$want")"
