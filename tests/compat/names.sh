#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Users, names and filters in batch mode, compared with tiptop 2.3.1, for tasks of this test only.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

need_shim
need_old
name=nm$$
me=$(id -un) uid=$(id -u)
mkfifo "$dir/orders"
exec 3<>"$dir/orders"
# Which screens there are depends on the CPU.
TIPTOP_CPU=other:
export TIPTOP_CPU

# task COMMAND...: its pid is $!.
task() {
	"$@" <"$dir/orders" >"$dir/reports" 3>&- &
	worker="$worker $!"
}
is_named() {
	grep -q "^$2" "/proc/$1/comm"
}

# told PROGRAM PIDS OPTION...: what it says of these tasks: the lines of the head about filters, then pid, mark, user and
# COMMAND in the last refresh, in the order of pids.
told() {
	told_by=$1 told_pids=$2
	shift 2
	with_shim "$told_by" -b -n 3 -d 0.1 -i "$@" </dev/null 2>"$err" >"$out" 3>&-
	awk -f "$here/canonical.awk" "$out" | awk -v pids=" $told_pids " '
	/^head (only|watching) / { print }
	$1 == "row" && index(pids, " " $2 " ") { sub(/\|.*\|/, "|"); print }' | sort
}
# same NAME PIDS OPTION...: both say the same.
same() {
	same_name=$1
	shift
	same_old=$(told "$old" "$@")
	is "$same_name" "$(told "$tiptop" "$@")" "$same_old"
}

task "$work" name=$name wait
plain=$!
await is_named $plain "$name" || exit 1

# Users: -u in both ways; a name that is longer than its column is whole.
same "-u NAME" $plain -U -u "$me" -p $name
same "-u UID: the login name" $plain -U -u "$uid" -p $name
long=$(getent passwd | awk -F: 'length($1) > 10 { print $1; exit }')
if [ "$uid" -eq 0 ] && [ "$long" ] && command -v setpriv >/dev/null; then
	# A copy that this user may execute.
	cp "$work" "$dir/work"
	task setpriv --reuid="$long" --clear-groups "$dir/work" name=$name-long wait
	of_long=$!
	await is_named $of_long "$name-long" || exit 1
	same "a user whose name is longer than the column" $of_long -U -p $name
	matches "a user whose name is longer than the column: whole" "$(told "$tiptop" $of_long -U -p $name | grep ^row)" \
		"row $of_long . $long \\| $name-long"
else
	skip "a user whose name is longer than the column" "needs root, setpriv, and such a user"
fi

# A filter that is empty, as of a variable that is not set, is none. 2.3.1 names it in the head all the same.
for option in -p --pid; do
	is "$option '': all tasks" "$(told "$tiptop" $plain $option '')" "$(told "$old" $plain $option '' | grep -v '^head')"
done

# Threads have the name of their process, also where their own is another, by which only ours finds them.
task "$work" name=$name-p other name=th$$ wait
main=$!
has_named() {
	grep -qs "^th$$" "/proc/$main/task"/*/comm
}
await has_named || exit 1
threads=$(cd "/proc/$main/task" && echo *)
thread=${threads#* }
same "-H: COMMAND is the name of the process" "$threads" -H -p $name
same "-H -p PID" "$threads" -H -p $main
same "-H -c: COMMAND is the command line" "$threads" -H -c -p $name
same "-H -w NAME marks all threads of the process" "$threads" -H -w $name-p -p $name
same "-H -w NUMBER of a thread marks it alone" "$threads" -H -w "$thread" -p $name
is "-H -p NAME of a thread: its row, and no other" "$(told "$tiptop" "$threads" -H -p th$$)" \
	"head only pid 'th$$'
row $thread - | $name-p"
is "-H -p NAME of a thread: none in 2.3.1" "$(told "$old" "$threads" -H -p th$$)" "head only pid 'th$$'"
is "-H -w NAME of a thread marks it alone" "$(told "$tiptop" "$threads" -H -w th$$ -p $name-p | grep -- '<---')" \
	"row $thread - | $name-p <---"

# 2.3.1 cuts a name at its first blank.
task "$work" "name=$name b" wait
blank=$!
await is_named $blank "$name b" || exit 1
is "a name with a blank is whole" "$(told "$old" $blank -p $name | tail -n 1), $(told "$tiptop" $blank -p $name | tail -n 1)" \
	"row $blank . | $name, row $blank . | $name b"
is "-p with what is behind the blank" "$(told "$old" $blank -p "$name b"), $(told "$tiptop" $blank -p "$name b")" \
	"head only pid '$name b', head only pid '$name b'
row $blank . | $name b"

# Kernel threads; 2.3.1 does not find the name of one in its command line.
if grep -qsx kthreadd /proc/2/comm && [ "$uid" -eq 0 ]; then
	same "a kernel thread" 2 -p 2
	same "a kernel thread, -H" 2 -H -p kthreadd
	is "a kernel thread, -c" "$(told "$old" 2 -c -p 2 | tail -n 1), $(told "$tiptop" 2 -c -p 2 | tail -n 1)" \
		"row 2 . | [null], row 2 . | [kthreadd]"
else
	skip "a kernel thread" "none is visible"
fi

finish
