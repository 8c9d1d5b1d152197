# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The permissions of an ordinary user to count, by the level of perf_event_paranoid.
. ./lib.sh
remedy='perf_event_paranoid.*(sysctl|CAP_PERFMON|root|set it|lower)'

paranoid 2
as_user user1 "tiptop -b $exact -d 0.5 -- ./loop-short"
is "level 2: a user's own command: exit status" $? 0
is "level 2: a user's own command, exactly" "$(last "$(pid_of loop-short)" 3)" "$loop_short_all"

worker su user1 -c "exec /test/wait-short"
as_user user1 "tiptop -b -i $exact -d 1 -n 3 -p $worker" &
sleep 0.6
feed
wait $!
is "level 2: attached to a user's own task, exactly" "$(last "$worker" 3)" "$wait_short_byte"

as_user user1 "tiptop -b -i -K $exact -d 1 -n 2 -p $worker"
is "level 2: -K: exit status" $? 0
is "level 2: -K: the counters are unknown, not 0" "$(last "$worker" 2) $(last "$worker" 3)" "? ?"
has "level 2: -K: a sentence says why and what to do" "$err" "^tiptop: .*$remedy"

as_user user1 "tiptop -b -i $exact -d 1 -n 2"
has_not "level 2: nothing to complain of" "$err" .

for level in 3 4; do
	paranoid $level
	as_user user1 "tiptop -b -i -d 1 -n 2"
	is "level $level: exit status" $? 0
	has "level $level: a sentence says why and what to do" "$err" "^tiptop: .*$remedy"
	is "level $level: said once" "$(grep -c perf_event_paranoid "$err")" 1
	has "level $level: the screen that needs no counter is shown" "$out" '^Screen [0-9]+: software'
	has "level $level: with the user's tasks" "$out" "^ *$worker "
	tiptop -b $exact -d 0.5 -- ./loop-short >"$out" 2>"$err"
	is "level $level: root is not affected" "$(last "$(pid_of loop-short)" 3)" "$loop_short_all"
done
worker_end
