#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A recording of all tasks here is replayed repeatedly while it grows: each replay equals the batch output until then, except
# for the waits for a CPU (without_waits in lib.sh). At least twenty times; with GROW_SECONDS set, for that time.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

file=$dir/r.db seconds=${GROW_SECONDS:-0}
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

# Tasks that come and go are there in any case.
churn() {
	while :; do
		"$work" name=grow$$ touch=20 spin=5
	done
}
# A task of its own, so that the loop ends with it.
churn &
worker=$!
# Its screen is the first one: before it, a recording may have others than the machine. With more refreshes, the replays
# would be of ever longer recordings where the machine is busy.
"$tiptop" -b --screens=software -S software -d 0.2 -i --record "$file" >"$dir/live" 2>"$dir/live.err" 3>&- &
monitor=$!
refreshes() {
	grep -c '^$' "$1"
}
# shown FILE N: its first N refreshes.
shown() {
	without_waits "$1" | awk -v n="$2" '{ print } /^$/ && ++k == n { exit }'
}
# more REFRESHES: what has been shown.
more() {
	[ "$(refreshes "$dir/live")" -gt "$1" ]
}
replay() {
	"$tiptop" -b --screens=software --replay "$file" "$@" 2>"$err" 3>&-
}

n=0 seen=0 faults='' begin=$(date +%s)
await more 4
while [ $n -lt 20 ] || [ $(($(date +%s) - begin)) -lt "$seconds" ]; do
	# Something new each time.
	await more "$seen" || break
	replay -i >"$out" || faults="$faults $n: status $?: $(tail -n 1 "$err");"
	seen=$(refreshes "$out")
	# A refresh is shown after its sample was written.
	await more $((seen - 1)) || break
	shown "$dir/live" "$seen" >"$dir/live-shown"
	shown "$out" "$seen" | cmp -s - "$dir/live-shown" || faults="$faults $n: other rows;"
	n=$((n + 1))
done
is "each replay is what had been shown until then" "$faults" ""
within "replays of a growing recording" "$n" 20 1000000
within "each of them has something new" "$seen" 24 1000000
replay -i --from -1 --format csv --fields timestamp,cpu,name >"$out"
ok "its last moments" $?
within "which are few" "$(cut -d , -f 1 "$out" | sort -u | wc -l)" 2 60
"$tiptop" compare "$file,to=+1" from=+1 --format csv >"$out" 2>"$err"
ok "it is compared with itself while it grows" $?
kill "$monitor"
wait "$monitor"
monitor=''
kill "$worker"
wait "$worker" 2>/dev/null
worker=''
is "nothing was complained of" "$(grep -v 'no hardware counter' "$dir/live.err")" ""
replay -i >"$out"
# The end may have come between the writing of a sample and the showing of it.
seen=$(refreshes "$dir/live")
shown "$dir/live" "$seen" >"$dir/live-shown"
shown "$out" "$seen" | cmp - "$dir/live-shown"
ok "all of it in the end" $?
within "and no more than was being shown" "$(($(refreshes "$out") - $(refreshes "$dir/live")))" 0 1
finish
