# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop -- COMMAND exits with the command's status.
. ./lib.sh

# status NAME WANT COMMAND...
status() {
	name=$1 want=$2
	shift 2
	timeout 60 tiptop -b -d 0.2 -- "$@" >"$out" 2>"$err" 3>&-
	is "command: $name" $? "$want"
}

status "status 0" 0 ./loop-short
status "status 7" 7 sh -c 'exit 7'
status "ended by SIGTERM" 143 sh -c 'kill -TERM $$'
status "ended by SIGKILL" 137 sh -c 'kill -KILL $$'
status "ended by SIGKILL after some refreshes" 137 sh -c 'sleep 1; kill -KILL $$'
status "not found" 127 ./no-such-program
has "command: not found is said with the name" "$err" '^tiptop: .*no-such-program'

# Children are tasks of their own.
tiptop -b $exact -d 0.2 -- sh -c './loop-short; exit 3' >"$out" 2>"$err"
is "command: status, with a child" $? 3
within "command: a child is not counted with its parent" "$(last "$(pid_of sh)" 3)" 1000 "$((loop_short_all / 2))"

# An event that this machine lacks takes no other one with it.
tiptop -b -e instructions,cache-misses -- ./loop-short >"$out" 2>"$err"
is "command: beside an event that is absent, the sum is there" "$(awk '/^# +[0-9]+ instructions$/ { print $2 }' "$out")" "$loop_short_all"
has "command: of which the reason is said" "$out" '\? cache-misses: this machine does not have the event'
has_not "command: and no counter is called short" "$out" 'no counters left'

# Nor from a comparison of two commands. of_measure NAME REGEX: what that finds in its row of each of the two.
of_measure() {
	tr '{' '\n' <"$out" | grep "^\"name\":\"$1\"" | sed "s/.*$2.*/\\1/" | tr '\n' ' '
}
tiptop compare -e instructions,cache-misses --repeat 2 --run ./loop-short --run ./loop-short --format json >"$out" 2>"$err"
is "compare --run: beside an event that is absent, each run is exact" "$(of_measure instructions '"values":\[\([^]]*\)\]')" \
	"$loop_short_all,$loop_short_all $loop_short_all,$loop_short_all "
is "compare --run: and the absent one has its reason" "$(of_measure cache-misses '"quality":"\([a-z-]*\)"')" "unsupported unsupported "
