# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# File descriptors: behaviour when they are short, and closing of those of ended tasks.
. ./lib.sh

# counters: how many tiptop has open.
counters() {
	for fd in "/proc/$tiptop/fd"/*; do
		readlink "$fd"
	done | grep -c perf_event
}

# Some 20 are kept for other things; there are more than 30 tasks that run in each interval.
mkfifo /tmp/tick
exec 5<>/tmp/tick
others=
for _ in $(seq 40); do
	sh -c 'while :; do read -r -t 0.05 _ <&5; done' &
	others="$others $!"
done
sleep 0.5

(ulimit -n 50 && exec tiptop -b $exact -d 0.5 -n 2) >"$out" 2>"$err" 5>&-
is "files: too few: exit status" $? 0
has "files: too few: some tasks are counted" "$out" '^ *[0-9]+ +[0-9]+ +[0-9]+ '
has "files: too few: the others are unknown, not 0" "$out" '^ *[0-9]+ +[?] +[?] '
is "files: too few: one sentence" "$(grep -c '^tiptop: ' "$err")" 1
has "files: too few: it says why and what to do" "$err" 'file descriptor|open files|ulimit'
has_not "files: too few: it is not called a matter of permission" "$err" '[Pp]ermission|paranoid'
kill $others
wait
exec 5>&-

# So few refreshes that no task is put to sleep, which would take descriptors, too.
monitor -i $exact -d 0.25 -n 15
sleep 0.55
before=$(counters)
for _ in $(seq 20); do
	sleep 1 &
done
sleep 0.5
during=$(counters)
sleep 1
after=$(counters)
wait $tiptop
# One more or less: the shell's own short tasks.
within "files: new tasks get theirs" "$during" "$((before + 19))" "$((before + 21))"
within "files: those of ended tasks are given back" "$after" "$((before - 1))" "$((before + 1))"
