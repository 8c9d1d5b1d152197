#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The key A: with a running job whose children do the work; and with a command, whose children get rows.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

# A job that only waits; each child computes for a while. It ends where its file goes.
busy='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
: >"$dir/goes-on"
sh -c 'while [ -e "$0" ]; do sh -c "$1"; done' "$dir/goes-on" "$busy" &
victim=$!

# cpu_of_job: the first column of its row.
cpu_of_job()
{
	screen | sed -n "s/^ *${victim}[-+ ] *\([0-9.]*\) .*/\1/p"
}
job_is_above()
{
	cpu_of_job | awk -v least="$1" '$1 > least { found = 1 } END { exit !found }'
}
job_is_below()
{
	cpu_of_job | awk -v most="$1" '$1 != "" && $1 < most { found = 1 } END { exit !found }'
}

echo "-i -p $victim -e task-clock,page-faults -S one" >"$dir/options"
start run "a job"
await "it does nothing itself" job_is_below 8
press A
await "A: %CPU has that of its ended children" job_is_above 10
check "and the screen says so" shows '\[with ended children\]'
press A
await "A again: its own" hides '\[with ended children\]'
await "which is nothing" job_is_below 8
press q
await "q ends it" ended

echo "--children -i -p $victim -S one" >"$dir/options"
start run "with the option"
await "with --children from the start" job_is_above 10
press q
await "its end" ended
rm "$dir/goes-on"

# A command: its children are rows or not.
cp "$(command -v sleep)" "$dir/leaf$$"
cat >"$dir/words" <<EOF
'$dir/leaf$$' 1000 &
echo \$! >'$dir/leaf'
wait
EOF
echo "-S one -i -- sh $dir/words" >"$dir/options"
start run "a command"
await "its children have rows" shows " leaf$$"
press A
await "A: the command alone" hides " leaf$$"
await "which has its row" shows ' sh\>'
press A
await "A again: with its children" shows " leaf$$"
kill "$(cat "$dir/leaf")"
await "its end is said" shows '^the command has ended'
press q
await "q ends it then" ended

# Each is followed to its end; what the user leaves running goes on by itself.
echo "-S one --exact -i -- sh $dir/words" >"$dir/options"
rm -f "$dir/leaf"
start run "--exact"
await "--exact: its children have rows" shows " leaf$$"
leaf=$(cat "$dir/leaf")
check "--exact: they are followed" grep -q '^TracerPid:.*[1-9]' "/proc/$leaf/status"
press q
await "--exact: q asks what becomes of it" shows 'is still running: '
press l
await "--exact: l leaves it" ended
check "--exact: tiptop does not follow it then" grep -q '^TracerPid:[[:space:]]*0$' "/proc/$leaf/status"
kill "$leaf"

echo "1..$count"
exit $failed
