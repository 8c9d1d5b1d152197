# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The tiptop of an ordinary user does not open counters on tasks of other users.
. ./lib.sh
paranoid 2

# The counters that tiptop has open, while it runs as user1.
counters() {
	as_user user1 "tiptop -b -i $exact -d 1 -n 4" &
	sleep 1.7
	for fd in "/proc/$(pidof tiptop)/fd"/*; do
		readlink "$fd"
	done | grep -c perf_event
	wait $!
}

worker su user1 -c "exec /test/wait-short"
alone=$(counters)
others=
for _ in 1 2 3 4 5; do
	su user2 -c "exec sleep 1000" &
	others="$others $!"
done
sleep 0.1
together=$(counters)
has "users: one's own task is shown" "$out" "^ *$worker .*wait-short"
has_not "users: another's task is not shown" "$out" " sleep$"
within "users: one's own tasks have counters" "$alone" 1 100
is "users: another's tasks have none" "$together" "$alone"

tiptop -b -i $exact -d 1 -n 2 >"$out" 2>"$err"
is "users: root sees them" "$(grep -c " sleep$" "$out")" 10
tiptop -b -i -u user2 $exact -d 1 -n 2 >"$out" 2>"$err"
is "users: -u shows that user's tasks" "$(grep -c " sleep$" "$out")" 10
has_not "users: -u shows no other" "$out" wait-short
kill $others
worker_end
