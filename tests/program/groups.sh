#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --group: two processes with the same name are one row, which keeps the counts of the one that ends.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# group NAME: its rows, one for each refresh; field 1 is the name.
group() {
	awk -v name="$1" '$1 == name' "$out"
}
# newest FIELD
newest() {
	group "$name" | tail -n 1 | awk -v field="$1" '{ print (field ? $field : $NF) }'
}
has_members() {
	[ "$(newest 0)" = "$1" ]
}
# second STEP...: another process of that name, that goes on with a line to file 4, and at its end.
second() {
	mkfifo "$dir/input"
	"$work" "name=$name" "$@" <"$dir/input" >"$dir/second" &
	partner=$!
	exec 4>"$dir/input"
	await grep -q '^# wait' "$dir/second"
}
name=gr$$

if "$work" can-count >"$dir/text" 2>&1; then
	work_start name=$name wait touch=300 wait
	second wait touch=700 wait
	# shellcheck disable=SC2086 # several options
	watch $counters -d 0.1 -i -p "$name" --group program
	feed
	printf x >&4
	await has_members 2
	look
	is "the header" "$(awk '$1 == "PROGRAM" { print $1, $NF }' "$out")" "PROGRAM MEMBERS"
	faults "the faults of both" "$(newest 2)" 1000 4
	kill "$partner"
	wait "$partner" 2>/dev/null
	await has_members 1
	look
	within "those of the one that has ended stay" "$(newest 2)" 1000 1200
	is "no total has fallen" "$(group "$name" | awk '$2 + 0 < last { n++ } { last = $2 + 0 } END { print n + 0 }')" 0
	is "it says by what" "$(grep -c '^grouped by program$' "$out")" 1
	watch_end
	work_end
else
	skip "groups of counters" "$(cat "$dir/text")"
fi

# Any key, and one that there is not.
work_start name=$name wait
me=$(id -un)
session=$(sed 's/.*) //' "/proc/$worker/stat" | cut -d ' ' -f 4)
for pair in "user $me" "program $name" "session $session"; do
	"$tiptop" -b -S software -d 0.1 -n 2 -i -p "$worker" --group "${pair%% *}" >"$out" 2>"$err" 3>&-
	is "--group ${pair%% *}" "$(tail -n 2 "$out" | awk 'NF { print $1, $NF }')" "${pair#* } 1"
done
if [ -r "/proc/$worker/cgroup" ]; then
	"$tiptop" -b -S software -d 0.1 -n 2 -i -p "$worker" --group cgroup >"$out" 2>"$err" 3>&-
	path=$(tail -n 2 "$out" | awk 'NF { print $1 }')
	is "--group cgroup" "$(cut -d : -f 3- "/proc/$worker/cgroup" | grep -cxF -- "$path" | awk '{ print ($1 > 0) }')" 1
else
	skip "--group cgroup" "there is no /proc/PID/cgroup"
fi
"$tiptop" -b -S software -d 0.1 -n 2 -i -p "$worker" --group process >"$out" 2>"$err" 3>&-
is "--group process" "$(rows "$worker" | wc -l)" 2
work_end
"$tiptop" -b -n 1 --group colour >"$out" 2>"$err"
is "another key: status" $? 2
matches "another key: the message" "$(cat "$err")" \
	"tiptop: tasks cannot be grouped by 'colour': name one of process, user, program, program-user, session, cgroup, container"

finish
