#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop follow without hardware counters: the facts from /proc of each task agree with the command's own getrusage(2), and
# software events count.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if ! "$tiptop" --check 2>"$dir/text" | grep -q '^  no   user mode'; then
	skip_all "this machine has hardware counters"
fi
# follow NAME STATUS WORD...
follow() {
	follow_name=$1 follow_status=$2
	shift 2
	"$tiptop" follow -o "$out" "$@" >"$dir/printed" 2>"$err" </dev/null
	is "$follow_name: exit status" $? "$follow_status"
}
# field NAME: of the last row, as CSV.
field() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } END { print $column[name] }' "$out"
}

follow "a command" 5 -T 0 --format csv -- sh -c "$work touch=20000 spin=200; exit 5"
is "a command: the numbers" "$(head -n 1 "$out")" \
	"time_s,pid,lwp,event,cpu-us,user-us,system-us,wait-us,page-faults,context-switches,cpu-migrations,quality,remark"
is "a command: one sentence says why" "$(grep -c "^tiptop: follow: .*: what /proc says of each task in place of '-c cycles,instructions'\$" "$err")" 1
is "a command: nothing else is said" "$(wc -l <"$err")" 1
follow "what it did" 0 -T 0 --format csv -- "$work" touch=20000 spin=200
within "page faults" "$(field page-faults)" 20000 21000
within "CPU time" "$(field cpu-us)" 150000 60000000
awk -v cpu="$(field cpu-us)" -v user="$(field user-us)" -v kernel="$(field system-us)" \
	'BEGIN { d = cpu - user - kernel; exit !(d < 30000 && d > -30000) }'
ok "user mode and kernel are its CPU time, but for the ticks" $?
matches "waits for a CPU, switches and migrations are known" "$(field wait-us) $(field context-switches) $(field cpu-migrations)" \
	"[0-9]+ [0-9]+ [0-9]*"
is "nothing else is unknown" "$(field quality | sed 's/pic6:not-read//')" ""

# A thread has its own, also one that has ended, and the process the sum.
follow "threads" 0 -T 0 -v -n -- "$work" pool=3 each-touch=1000
is "threads: the faults of each" "$(awk '$4 == "lwp_exit" && $9 >= 1000 && $9 < 1100' "$out" | wc -l)" 3
is "threads: the sum is that of the process" "$(awk '$3 == "exit" { print $8 }' "$out")" \
	"$(awk '$4 == "lwp_exit" || $4 == "fini_lwp" { n += $9 } END { print n }' "$out")"
# What it makes, and ticks.
follow "many" 0 -T 0 -fe -n -- sh -c 'i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i + 1)); done'
is "many: none is lost, and of each all is known" "$(grep -c ' exit ' "$out") $(awk '$3 == "exit" && $8 + 0 == 0' "$out" | wc -l)" "101 0"
follow "ticks" 0 -T 0.05 -v -n -- "$work" touch=500 spin=300 touch=500
is "ticks: they and the rest are the total" \
	"$(awk '$4 == "tick" { n += $9 } $4 == "fini_lwp" { total = $9 } END { print (total >= n && total - n < 600 && n > 0) }' "$out")" 1
# A process that runs has what it does from then on.
"$work" touch=5000 spin=60000 &
other=$!
"$tiptop" follow -T 0.2 -N 1 -n -p $other >"$out" 2>"$err"
is "a process that runs: a tick" "$? $(grep -c ' tick ' "$out")" "0 1"
kill $other
wait $other 2>/dev/null

# What is asked for is shown as it is, or refused for the true reason.
follow "events" 0 -T 0 -c page-faults --format csv -- true
is "events: these alone" "$(head -n 1 "$out") $(wc -l <"$err")" "time_s,pid,lwp,event,page-faults,quality,remark 0"
"$tiptop" follow -c cycles -- true >"$out" 2>"$err"
matches "cycles: they are refused" "$? $(cat "$err")" "[12] tiptop: follow: .*"
"$tiptop" follow -t -- true >"$out" 2>"$err"
matches "-t: cycles are refused" "$? $(cat "$err")" "[12] tiptop: follow: .*"
if "$tiptop" --build-info 2>/dev/null | grep -q SQLite; then
	follow "recorded" 0 -T 0 -fe --record "$dir/f.db" -- sh -c 'date; :'
	"$tiptop" follow --replay "$dir/f.db" >"$dir/again" 2>"$err"
	cmp "$dir/again" "$out"
	ok "recorded: the same rows" $?
else
	skip "recorded" "tiptop was built without SQLite"
fi
finish
