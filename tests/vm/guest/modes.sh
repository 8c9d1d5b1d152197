# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# :u and :k: the counts of user mode and of the kernel add up to the total.
. ./lib.sh
events=cycles:u,cycles:k,cycles:uk,instructions:u,instructions:k,instructions:uk

# A program that is in the kernel nearly all of the time, and one that is there next to never.
tiptop -b -d 0.2 -e $events -- dd if=/dev/zero of=/dev/null bs=1 count=50000 >"$out" 2>"$err"
is "modes: exit status" $? 0
pid=$(pid_of dd)
for event in cycles instructions; do
	u=$(sum "$pid" "$(field $event:u)") k=$(sum "$pid" "$(field $event:k)") uk=$(sum "$pid" "$(field $event:uk)")
	within "modes: $event, in user mode" "$u" 1000000 50000000
	within "modes: $event, in the kernel more" "$k" "$(calc "2 * $u")" 500000000
	within "modes: $event, both add up" "$((u + k))" "$((uk - 100))" "$((uk + 100))"
done
for ipc in IPC:u IPC:k IPC:uk; do
	is "modes: $ipc" "$(cells "$pid" $ipc | sort -u)" 1.00
done

tiptop -b -d 0.2 -e $events -- ./loop-short >"$out" 2>"$err"
pid=$(pid_of loop-short)
is "modes: in user mode, exactly" "$(cells "$pid" instructions:u)" "$loop_short_all"
is "modes: in user mode, cycles" "$(cells "$pid" cycles:u)" "$loop_short_all"
within "modes: in the kernel" "$(cells "$pid" instructions:k)" 500 1000000
is "modes: nothing to complain of" "$(cat "$err")" ""

# -K is for events that do not say where to count.
tiptop -b -K -d 0.2 -e instructions,instructions:u,instructions:uk,INST_RETIRED:u -- ./loop-short >"$out" 2>"$err"
pid=$(pid_of loop-short)
is "modes: -K, events that say where" "$(cells "$pid" instructions:u)" "$loop_short_all"
is "modes: -K, libpfm4's that say where" "$(cells "$pid" INST_RETIRED:u)" "$loop_short_all"
is "modes: -K, an event that does not" "$(cells "$pid" instructions)" "$(cells "$pid" instructions:uk)"
within "modes: -K, which has those of the kernel, too" "$(cells "$pid" instructions)" \
	"$((loop_short_all + 500))" "$((loop_short_all + 1000000))"

# What an ordinary user may not count.
denied="instructions:u,instructions:k,instructions:uk,INST_RETIRED:k"
paranoid 2
rm -f /tmp/faults
as_user user1 "tiptop -b -d 0.2 -E /tmp/faults -e $denied -- ./loop-short"
is "modes: a user, level 2: exit status" $? 0
pid=$(pid_of loop-short)
is "modes: a user, level 2: user mode, exactly" "$(cells "$pid" instructions:u)" "$loop_short_all"
is "modes: a user, level 2: the kernel is unknown, not 0" \
	"$(cells "$pid" instructions:k) $(cells "$pid" instructions:uk) $(cells "$pid" INST_RETIRED:k)" "? ? ?"
has "modes: a user, level 2: -E says why" /tmp/faults "instructions.k.*kernel.perf_event_paranoid is 2"
paranoid 1
as_user user1 "tiptop -b -d 0.2 -e $denied -- ./loop-short"
pid=$(pid_of loop-short)
is "modes: a user, level 1: user mode, exactly" "$(cells "$pid" instructions:u)" "$loop_short_all"
within "modes: a user, level 1: the kernel, too" "$(cells "$pid" instructions:k)" 500 1000000
is "modes: a user, level 1: by another name" "$(cells "$pid" INST_RETIRED:k)" "$(cells "$pid" instructions:k)"
has_not "modes: a user, level 1: nothing to complain of" "$err" .
