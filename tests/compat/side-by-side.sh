#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# With the same options as tiptop 2.3.1, the output for the same tasks is the same. Intended differences are listed with
# their reasons, and there must be no others.
# shellcheck source=lib.sh disable=SC2086 # $b is several words
. "$(dirname "$0")/lib.sh"

need_shim
need_old
command -v taskset >/dev/null || skip_all "taskset is not installed"
name=tw$$
me=$(id -un) uid=$(id -u)
[ "$uid" -eq 0 ] && other=nobody || other=root
old_program=$old new_program=$tiptop
ln -s "$tiptop" "$dir/ptiptop"
mkdir "$dir/old" "$dir/new"

# The tasks: one that uses 40 % of a CPU, one that sleeps, one with threads. They stay on one CPU, so that its number is
# the same for both.
cpu=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
mkfifo "$dir/orders"
# task STEP...: its pid is $!.
task() {
	taskset -c "$cpu" "$work" "$@" <"$dir/orders" >"$dir/reports" 3>&- &
	worker="$worker $!"
}
exec 3<>"$dir/orders"
# Which screens there are depends on the CPU.
TIPTOP_CPU=other:
export TIPTOP_CPU
task name=$name-spin duty=40:1000000
spin=$!
task name=$name-sleep wait
sleeper=$!
task name=$name-pool pool=2 wait
pool=$!
all_there() {
	grep -q spin "/proc/$spin/comm" && grep -q sleep "/proc/$sleeper/comm" && [ "$(ls "/proc/$pool/task" | wc -l)" = 3 ]
}
await all_there || exit 1
# Rows of other tasks are not compared. There is always such a one: where a command line has a newline in it, 2.3.1 takes
# what is left of the one before for its end, and so finds the name of our tasks in that of a stranger.
sh -c 'read -r line
exit' <"$dir/orders" 3>&- &
worker="$worker $!"
tasks="$spin $sleeper $(ls "/proc/$pool/task" | tr '\n' ' ')"

# both OPTION...: the two programs at the same time, each in a folder of its own. Before that, $before runs.
both() {
	rm -f "$dir/old/text" "$dir/new/text"
	$before
	(cd "$dir/old" && LD_PRELOAD=$shim exec "$old_program" "$@" >"$dir/old.out" 2>"$dir/old.err" </dev/null 3>&-) &
	old_pid=$!
	(cd "$dir/new" && LD_PRELOAD=$shim exec "$new_program" "$@" >"$out" 2>"$err" </dev/null 3>&-) &
	new_pid=$!
	wait $old_pid
	old_status=$?
	wait $new_pid
	new_status=$?
}
before=:

# facts FOLDER OUTPUT MESSAGES STATUS: what a program said, for comparing. With "-o text" it is in that file. $mask is a
# sed command for what is not to be compared; $child says that a command is run, whose pid is different each time.
mask='' child=0
facts() {
	facts_of=$2
	if [ -e "$dir/$1/text" ]; then
		echo "file, and $(wc -c <"$2") bytes on standard output"
		facts_of=$dir/$1/text
	fi
	awk -v own="$tasks" -v child=$child -f "$here/canonical.awk" "$facts_of" | sed "$mask"
	[ ! -s "$3" ] || echo "messages"
	echo "status $4"
}

# alike: whether the same tasks have the same %CPU, cycles and instructions in both, but for a quarter of a CPU: the two
# last intervals are of one length, but not at one time, and 2.3.1 counts in ticks of 10 ms.
delay=0.2
alike() {
	for alike_of in "$dir/old.out" "$out"; do
		awk -v own="$tasks" -v numbers=1 -f "$here/canonical.awk" "$alike_of" >"$alike_of.numbers"
	done
	awk -v delay=$delay '
	NR == FNR {
		want[$1, $2] = $3
		next
	}
	($1, $2) in want {
		limit = $2 ~ /^M/ ? 0.25 * delay * 1000 : 25
		distance = $3 - want[$1, $2]
		if (distance > limit || distance < -limit)
			bad = 1
	}
	END { exit bad }' "$dir/old.out.numbers" "$out.numbers"
}

# differs NAME DIFFERENCE OPTION...: the facts differ in this: lines of 2.3.1 begin with <, ours with >. In between,
# other tasks may take the CPU at the wrong moment: there are ten tries.
tries="1 2 3 4 5 6 7 8 9 10"
differs() {
	differs_name=$1 differs_want=$2
	shift 2
	for differs_try in $tries; do
		both "$@"
		facts old "$dir/old.out" "$dir/old.err" $old_status >"$dir/old.facts"
		facts new "$out" "$err" $new_status >"$dir/new.facts"
		differs_got=$(diff "$dir/old.facts" "$dir/new.facts" | grep '^[<>]')
		[ "$differs_got" = "$differs_want" ] && { [ "$mask" ] || alike; }
		differs_status=$?
		[ $differs_status -ne 0 ] || break
	done
	ok "$differs_name" $differs_status
	[ $differs_status -eq 0 ] || {
		echo "--- try $differs_try: $*"
		printf '%s\n' "--- difference, < 2.3.1, > ours:" "$differs_got" "--- wanted:" "$differs_want" "--- 2.3.1:"
		cat "$dir/old.out"
	} | sed 's/^/# /'
}

# both_until WORD OPTION...: both, until there is this word in what ours says; ten tries.
both_until() {
	both_until_word=$1
	shift
	for _ in $tries; do
		both "$@"
		! grep -q "$both_until_word" "$out" || break
	done
}

# same NAME OPTION...: no difference.
same() {
	same_name=$1
	shift
	differs "$same_name" "" "$@"
}

b="-b -n 3 -d $delay"

# What is the same.
same "-i -p TEXT" $b -i -p $name
same "-i --pid TEXT" $b -i --pid $name
same "-i -p PID" $b -i -p $sleeper
same "-i -p PID of a process with threads" $b -i -p $pool
same "-H -i" $b -H -i -p $name
same "-H -i -p PID" $b -H -i -p $pool
same "-U -i" $b -U -i -p $name
same "-c -i" $b -c -i -p $name
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
[ "$uid" -eq 0 ] || [ "$paranoid" -le 1 ] && kernel=-K || kernel=
if [ "$kernel" ]; then
	same "-K -i" $b -K -i -p $name
	same "--kernel -i" $b --kernel -i -p $name
else
	# Without permission to count the kernel, tiptop says so and shows the rest; 2.3.1 ends at once.
	both $b -K -p $name
	is "-K refused: status" "$old_status $new_status" "1 0"
	is "-K refused: a message" "$(grep -c -e "-K.*perf_event_paranoid is $paranoid" "$err")" 1
fi
same "-u NAME -i" $b -u "$me" -i -p $name
same "--cpu-min with -i" $b --cpu-min 90 -i -p $name
same "-S 0" $b -S 0 -i -p $name
same "-S 1" $b -S 1 -i -p $name
same "-S TEXT" $b -S ran -i -p $name
same "-d 0.5" -b -n 2 -d 0.5 -i -p $sleeper
same "--epoch" $b --epoch -i -p $name
same "--timestamp" $b --timestamp -i -p $name
same "--epoch --timestamp -U" $b --epoch --timestamp -U -i -p $name
same "-w TEXT" $b -w spin -i -p $name
same "-w PID" $b -w $sleeper -i -p $name
same "-w TEXT -c -H -U" $b -w spin -c -H -U -i -p $name
same "--no-collect" $b --no-collect -i -p $name
same "-o FILE" $b -o text -i -p $name
same "-E FILE" $b -E errors -i -p $name
same "-o FILE that cannot be written" $b -o $dir/none/text -i -p $name
old_program=/usr/bin/ptiptop new_program=$dir/ptiptop
same "ptiptop TEXT" $name $b -i
same "ptiptop, the text behind the options" $b -i $name
same "ptiptop PID" $sleeper $b -i -U
old_program=$old new_program=$tiptop


# The configuration file: the same options, toggles inverted by the command line, screens.
mkdir "$dir/all" "$dir/screens"
cat >"$dir/all/.tiptoprc" <<XML
<tiptop>
  <options>
    <option name="idle" value="1"/>
    <option name="show_user" value="1"/>
    <option name="show_threads" value="1"/>
    <option name="show_cmdline" value="1"/>
    <option name="show_epoch" value="1"/>
    <option name="show_timestamp" value="1"/>
    <option name="show_kernel" value="0"/>
    <option name="sticky" value="0"/>
    <option name="delay" value="$delay"/>
    <option name="max_iter" value="3"/>
    <option name="watch_name" value="sleep"/>
    <option name="cpu_threshold" value="0.5"/>
  </options>
</tiptop>
XML
cat >"$dir/screens/.tiptoprc" <<XML
<tiptop>
  <options>
    <option name="delay" value="$delay"/>
  </options>
  <screen name="mine" desc="A screen of one's own">
    <counter alias="C" config="CPU_CYCLES"/>
    <counter alias="I" config="INSTRUCTIONS" type="HARDWARE"/>
    <counter alias="R" config="0x1c2" type="RAW"/>
    <counter alias="L" type="HW_CACHE" config="L1D | (OP_READ shl 8) | (RESULT_MISS shl 16)"/>
    <column header="  IPC" format="%5.2f" expr="delta(I)/delta(C)"/>
    <column header="    TOT" format=" %6.3f" expr="I / C"/>
    <column header="   %MISS" format="%8.1f" expr="100*(delta(L) / delta(R))"/>
    <column header="   P" format=" %3.0f" expr="PROC_ID"/>
    <column header=" %ALL" format="%5.1f" expr="(CPU_TOT + CPU_SYS + CPU_USER) / 2"/>
  </screen>
  <screen name="total" desc="Cycles">
    <counter alias="C" config="CPU_CYCLES"/>
    <column header="  Mcycle" format="%8.2f" expr="delta(C) / 1e6"/>
  </screen>
</tiptop>
XML
all="-b -p $name -W $dir/all"
same "file" $all
for option in -U -H -c --epoch --timestamp --sticky $kernel; do
	same "file, $option inverts" $all $option
done
same "file, -d -n -w --cpu-min replace" $all -d 0.3 -n 2 -w pool --cpu-min 0.001
HOME=$dir/all
same "file in HOME" -b -p $name
HOME=$dir/home TIPTOP=$dir/all
export TIPTOP
same "file in TIPTOP" -b -p $name
unset TIPTOP
cp "$dir/all/.tiptoprc" "$dir/old"
cp "$dir/all/.tiptoprc" "$dir/new"
same "file in the current folder" -b -p $name
HOME=$dir/screens
same "file in the current folder, not the one in HOME" -b -p $name
HOME=$dir/home
rm "$dir/old/.tiptoprc" "$dir/new/.tiptoprc"
own="-b -n 3 -i -p $name -W $dir/screens"
mask='s/Screen [0-9]*:/Screen:/' # its number stands behind those that are built in
same "screen of the file, by its name" $own -S otal
mask=
same "screen of the file, --only-conf" $own --only-conf
same "screen of the file, --only-conf -S" $own --only-conf -S 1

# Usage errors: what 2.3.1 refuses, is refused.
for option in --foo -Z word -d "-S none" "-S 99" "-u no-such-user"; do
	both $b $option
	is "refused by both: $option" "$([ $old_status -ne 0 ] && echo old) $([ $new_status -ne 0 ] && echo new)" "old new"
done

# What differs, and why. doc/compatibility.md lists the same.
row_of_sleeper="row $sleeper . | %CPU=0 %SYS=0 P=$cpu Mcycle=0 Minstr=0 IPC=- %MISS=- %BMIS=- %BUS=- | $name-sleep"

# The first refresh of 2.3.1 comes at once: nothing could have been counted. Ours has an interval, of a quarter of a
# second at most.
mask='s/ |.*//'
same "first refresh: head, names, rows" -b -n 1 -d $delay -i -p $name
mask=''
both_until "^ *$spin  *[1-9]" -b -n 1 -d $delay -i -p $name
# cpu_of FILE: the %CPU of the spinner.
cpu_of() {
	awk -v pid=$spin '$1 == pid { print $2 }' "$1"
}
is "first refresh: nothing yet in 2.3.1" "$(cpu_of "$dir/old.out")" 0.0
within "first refresh: something in ours" "$(cpu_of "$out")" 1 100

# A refresh without rows writes nothing in 2.3.1: which refresh a row is from can be told from --timestamp only. Ours
# writes the empty line that ends it. (Without -i, the first refresh of 2.3.1 has no rows.)
empty="< refreshes 2
> refreshes 3"
differs "refresh without rows: the first one" "$empty" $b -p $name
differs "refresh without rows: all" "< refreshes 0
> refreshes 3" $b -p $sleeper
differs "refresh without rows: --cpu-min" "< refreshes 0
> refreshes 3" $b --cpu-min 90 -p $name
# A number that no task has is a mistake, which ours says and ends with.
differs "refresh without rows: no task" "< refreshes 0
< status 0
> refreshes 1
> messages
> status 1" $b -i -p 999999999
differs "refresh without rows: -H" "$empty" $b -H -p $name
differs "refresh without rows: file, -i inverts" "< refreshes 0
> refreshes 3" $all -i -p $sleeper

# A toggle counts once, so that one in an alias can be repeated.
differs "toggle given twice" "< head delay: ${delay}0  idle: 0  threads: 0
> head delay: ${delay}0  idle: 1  threads: 0
< refreshes 0
> refreshes 3
> $row_of_sleeper" $b -i -i -p $sleeper

# Both filters count; -p puts -u out of action in 2.3.1.
differs "-p and -u" "< refreshes 3
< $row_of_sleeper
< status 0
> refreshes 1
> messages
> status 1" $b -i -p $sleeper -u $other

# 0 is not text to search, but the way to undo what the file says.
both -b -n 1 -d $delay -p 0 -w 0
is "-p 0 -w 0: 2.3.1 searches a 0" "$(sed -n 4,5p "$dir/old.out" | tr '\n' ,)" "watching pid '0',only pid '0',"
is "-p 0 -w 0: nothing is searched" "$(grep -c " pid " "$out")" 0
# A number with something behind it is a text.
both -b -n 1 -d $delay -p 1x
is "-p 1x" "$(sed -n 4p "$dir/old.out"), $(sed -n 4p "$out")" "only pid 1, only pid '1x'"

# What cannot be meant ends the start with status 2 (an option) or 1 (a file); 2.3.1 goes on with something else, or
# says 1 for both.
for option in "-d abc" "-d 0.001" "-d 1000000" "-n abc" "--cpu-min -5" "--cpu-min abc"; do
	both -b -n 1 -p $name $option -n 1
	[ "$option" != "-n abc" ] || both -b -d 0.1 -p $name -n 1 $option -n 1
	is "refused, 2.3.1 goes on: $option" "$old_status $new_status" "0 2"
done
both -b -n 1 -d $delay -p $name -W "$dir/none"
is "refused, 2.3.1 goes on: -W FOLDER that is not there" "$old_status $new_status" "0 1"
mkdir "$dir/no-xml"
echo "<tiptop><screen" >"$dir/no-xml/.tiptoprc"
both -b -n 1 -d $delay -p $name -W "$dir/no-xml"
is "refused, 2.3.1 goes on: a file that is not XML" "$old_status $new_status" "0 1"
both $b --foo
is "refused: another status" "$old_status $new_status" "1 2"

# More is allowed: joined options, cut names, -W FILE.
both -bin3 --del $delay -p $sleeper
is "allowed, 2.3.1 refuses: joined options and cut names" "$old_status $new_status" "1 0"
both --only-conf -W "$dir/screens/.tiptoprc" --list-screens
is "allowed: -W FILE" "$(file_screens <"$out" | wc -l)" 2
is "allowed: -W FILE is passed over by 2.3.1" "$(file_screens <"$dir/old.out" | wc -l)" 0

# The options only_name, only_pid and batch of the file, which 2.3.1 writes but does not read.
mkdir "$dir/only"
cat >"$dir/only/.tiptoprc" <<XML
<tiptop>
  <options>
    <option name="batch" value="1"/>
    <option name="only_name" value="$name-sleep"/>
    <option name="delay" value="$delay"/>
    <option name="max_iter" value="1"/>
  </options>
</tiptop>
XML
both -b -i -W "$dir/only"
is "only_name of the file" "$(awk -v pid=$sleeper '$1 == pid' "$out" | wc -l) $(sed -n 4p "$out")" \
	"1 only pid '$name-sleep'"
matches "only_name of the file: not in 2.3.1" "$(sed -n 4p "$dir/old.out")" "Screen 0: default"
both -i -W "$dir/only"
matches "batch of the file" "$(head -n 1 "$out")" "tiptop - up .*"
is "batch of the file: not in 2.3.1" "$(grep -c "^tiptop - up" "$dir/old.out")" 0

# The current folder comes first, as the manual of 2.3.1 says.
cp "$dir/screens/.tiptoprc" "$dir/old"
cp "$dir/screens/.tiptoprc" "$dir/new"
TIPTOP=$dir/all
export TIPTOP
both --list-screens
is "\$TIPTOP and the current folder: which file" \
	"$(file_screens <"$dir/old.out" | wc -l) $(file_screens <"$out" | wc -l)" "0 2"
unset TIPTOP
rm "$dir/old/.tiptoprc" "$dir/new/.tiptoprc"

# The built-in screens have numbers and descriptions of their own; those of the file stand behind them.
both --list-screens -W "$dir/screens"
unnumbered() {
	sed 's/^[ 0-9]*: //'
}
is "--list-screens: the first two" "$(sed "s/',.*/'/" "$out" | head -n 3)" "$(sed "s/',.*/'/" "$dir/old.out" | head -n 3)"
is "--list-screens: what the file says" "$(file_screens <"$out" | unnumbered)" "$(file_screens <"$dir/old.out" | unnumbered)"
is "--list-screens: it stands behind the others" "$(tail -n 2 "$out")" "$(file_screens <"$out")"

# The end of a task is shown, with what it did in its last interval; in 2.3.1 its row is gone, or with --sticky its last
# but one. What only /proc knows has ended with it: that is of the last but one here, too, and marked as stale.
# task_short: a task that ends between the first refresh and the last one.
task_short() {
	taskset -c "$cpu" "$work" name=$name-short duty=30:600 3>&- &
	tasks=$!
	await grep -q short "/proc/$tasks/comm"
}
before=task_short
mask="s/^row [0-9]* //; s/'[0-9.]*''/n'/"
differs "--sticky" "< . | %CPU=n %SYS=n P=$cpu Mcycle=n Minstr=n IPC=1 %MISS=100 %BMIS=100 %BUS=1 | $name-short DEAD
> . | %CPU=n %SYS=n' P=$cpu' Mcycle=n Minstr=n IPC=1 %MISS=100 %BMIS=100 %BUS=1 | $name-short DEAD" \
	-b -n 6 -d 0.4 --sticky -i -p $name-short
both_until DEAD -b -n 6 -d 0.4 -i -p $name-short
is "the end of a task: its last row says DEAD" "$(grep " $name-short" "$out" | tail -n 1 | awk '{ print $NF }')" DEAD
is "the end of a task: once" "$(grep -c DEAD "$out")" 1
is "the end of a task: not in 2.3.1" "$(grep -c "DEAD" "$dir/old.out")" 0
before=: mask=''

# A command: the end of it is the end of ours, and its status is ours.
child=1 tasks='' mask='s/ P=[0-9]*//'
same "command" $b -- "$work" duty=40:2000
# Beside a command, -p is ignored; 2.3.1 then shows no task at all.
differs "command and -p" "< refreshes 0
> refreshes 3
> row CHILD . | %CPU=n %SYS=n Mcycle=n Minstr=n IPC=1 %MISS=100 %BMIS=100 %BUS=1 | work" \
	$b -p $name -- "$work" duty=40:2000
child=0 mask=''
both_until DEAD -b -n 6 -d 0.3 -- "$work" spin=50 exit=3
is "command: status" "$old_status $new_status" "0 3"
is "command: DEAD" "$(grep -c DEAD "$dir/old.out") $(grep -c DEAD "$out")" "0 1"
is "command: ours never shows it under the name of the program" "$(grep -c " tiptop" "$out")" 0
both -b -n 1 -d 0.3 -- "$dir/none"
is "command that is not there" "$old_status $new_status" "0 127"

# Without a terminal there is no live screen.
both -n 1 -d $delay
is "no terminal" "$old_status $new_status $(wc -c <"$out")" "0 1 0"

# The help that was asked for is output.
for option in -h --help -v --version; do
	both $option
	is "$option: status" "$old_status $new_status" "0 0"
	is "$option: on standard output" "$(wc -c <"$err") $(wc -l <"$out" | sed 's/[1-9][0-9]*/lines/')" "0 lines"
done

finish
