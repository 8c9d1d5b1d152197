# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The second CPU goes offline and comes back while it is counted. Its old counters stay readable but stand still: their
# increments of 0 would be wrong.
. ./lib.sh
paranoid 0
switch=/sys/devices/system/cpu/cpu1/online

# ticks CPU: how many rows there are of it.
ticks() {
	awk -v cpu="$1" '$3 == "tick" && $2 == cpu' "$out" | wc -l
}
# await CPU N: until it has N more rows.
await() {
	until=$(($(ticks "$1") + $2))
	while [ "$(ticks "$1")" -lt "$until" ]; do
		sleep 0.05
	done
}

: >"$out"
# Not in user mode alone, where an idle CPU truly counts 0.
tiptop system --raw -n -c cycles,sys 0.1 >"$out" 2>"$err" &
monitor=$!
await 1 2
echo 0 >$switch
await 0 4
offline=$(awk '$3 == "tick" && $2 == 1 { last = $4 } END { print last }' "$out")
echo 1 >$switch
await 1 5
kill -TERM $monitor
wait $monitor
is "hotplug: a CPU that is offline has no number" "$offline" -
is "hotplug: counted again when it is back" "$(awk '$3 == "tick" && $2 == 1 { n = $4 > 0 } END { print n }' "$out")" 1
is "hotplug: what stands still is never shown as 0" "$(awk '$3 == "tick" && $4 == "0"' "$out")" ""
is "hotplug: the other one is counted all the time" "$(awk '$3 == "tick" && $2 == 0 && $4 == "-"' "$out")" ""
is "hotplug: both are in the sum" "$(awk '$3 == "total" { print $2 }' "$out")" 2

: >"$out"
tiptop system --spread all 0.1 >"$out" 2>"$err" &
monitor=$!
# lines CPU PATTERN: how many lines it has whose first column is like this.
lines() {
	awk -v cpu="$1" -v like="$2" '$1 == cpu && $2 ~ like { n++ } END { print n + 0 }' "$out"
}
until [ "$(lines 1 "^[0-9]")" -ge 2 ]; do
	sleep 0.05
done
echo 0 >$switch
until [ "$(lines 1 "^-$")" -ge 2 ]; do
	sleep 0.05
done
before=$(lines 1 "^[0-9]")
echo 1 >$switch
until [ "$(lines 1 "^[0-9]")" -ge $((before + 2)) ]; do
	sleep 0.05
done
kill -TERM $monitor
wait $monitor
ok "hotplug: lines of a CPU come and go with it" 0
