#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A task in a frozen control group is shown as frozen, not as waiting for something else: cgroup v2 and v1.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

group=
# leave: thaws the group and ends the task in it.
leave() {
	[ -z "$group" ] && return
	if [ -e "$group/freezer.state" ]; then
		echo THAWED >"$group/freezer.state"
	else
		echo 0 >"$group/cgroup.freeze"
	fi
	[ -z "$worker" ] || { kill -KILL "$worker" && wait "$worker"; } 2>/dev/null
	await rmdir "$group" 2>/dev/null
	group='' worker=
}
trap 'leave; cleanup' EXIT

# is_frozen FILE WORD: the group says so.
is_frozen() {
	grep -qx "$2" "$group/$1"
}

# check NAME FOLDER FILE VALUE EVENTS WORD: freezes a task that sleeps, and one that computes.
check() {
	for program in "sleep 1000" "$work spin=600000"; do
		$program &
		worker=$!
		if ! mkdir "$2/tiptop-frozen-$$" 2>/dev/null; then
			skip "$1, ${program##*/}: frozen" "no group can be made in $2"
			kill -KILL $worker
			wait $worker 2>/dev/null
			worker=
			continue
		fi
		group=$2/tiptop-frozen-$$
		echo $worker >"$group/cgroup.procs"
		echo "$4" >"$group/$3"
		await is_frozen "$5" "$6"
		"$tiptop" --explain-verdict -i -p "$worker" -d 0.2 -n 2 >"$out" 2>"$err"
		is "$1, ${program##*/}: the verdicts that are no idleness" \
			"$(sed -n 's/^  rule  *\([a-z0-9-]*\): .*/\1/p' "$out" | grep -v '^idle$' | sort -u)" frozen
		leave
	done
}

unified='' freezer=
for folder in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ ! -e "$folder/cgroup.controllers" ] || unified=${unified:-$folder}
done
[ ! -e /sys/fs/cgroup/freezer/cgroup.procs ] || freezer=/sys/fs/cgroup/freezer
if [ -n "$unified" ]; then
	check unified "$unified" cgroup.freeze 1 cgroup.events 'frozen 1'
else
	skip "unified: frozen" "no unified hierarchy is mounted"
fi
if [ -n "$freezer" ]; then
	check older "$freezer" freezer.state FROZEN freezer.state FROZEN
else
	skip "older: frozen" "no older freezer is mounted"
fi
finish
