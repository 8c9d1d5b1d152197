#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Configuration files of tiptop 2.3.1 work unchanged: its example, on several CPU models, and the file that its key W writes.
# shellcheck source=lib.sh disable=SC2086 # $with is several words
. "$(dirname "$0")/lib.sh"

example=${EXAMPLE:-/usr/share/doc/tiptop/tiptoprc.gz}
need_shim
need_old
[ -r "$example" ] || skip_all "the example of tiptop 2.3.1 is not installed as $example"

mkdir "$dir/example" "$dir/broken" "$dir/live"
rc=$dir/example/.tiptoprc
gzip -cd "$example" >"$rc" 2>"$dir/text" || skip_all "the example of tiptop 2.3.1 cannot be read: $(cat "$dir/text")"
screens="default branch L1 uOps FP imix"

# run OPTION...: ours, with $cpu as the CPU model; the exit status is $status.
cpu=''
run() {
	TIPTOP_CPU=$cpu LD_PRELOAD=$shim "$tiptop" "$@" >"$out" 2>"$err" </dev/null 3>&-
	status=$?
}
# numbered: the lines of --list-screens that are screens.
numbered() {
	grep "^ *[0-9][0-9]*: '"
}

# On this CPU: what comes of the file has the same names and descriptions; its numbers stand behind those that are built in.
with_shim "$old" -W "$dir/example" --list-screens >"$dir/old.out" 2>"$dir/old.err"
run -W "$dir/example" --list-screens
is "list: no message" "$(cat "$err")" ""
numbered <"$dir/old.out" | tail -n 6 | sed 's/^[ 0-9]*: //' >"$dir/six"
is "list: the six screens of the file" "$(numbered <"$out" | tail -n 6 | sed 's/^[ 0-9]*: //')" "$(cat "$dir/six")"
is "list: they are six" "$(numbered <"$dir/old.out" | tail -n 6 | cut -d "'" -f 2 | tr '\n' ' ')" "$screens "

with_shim "$old" -W "$dir/example" --only-conf --list-screens >"$dir/only" 2>"$dir/old.err"
models="x86:06_1A x86:06_2A x86:06_55 x86:19_11 arm64:41_D0C"
for cpu in '' $models; do
	run -W "$dir/example" --only-conf --list-screens
	is "list, --only-conf, ${cpu:-this CPU}: as 2.3.1 has it" "$(cat "$out")" "$(cat "$dir/only")"
	is "list, --only-conf, ${cpu:-this CPU}: no message" $status"$(cat "$err")" 0
done

# unknown CPU SCREEN: the columns whose counters the file does not have for this model.
unknown() {
	case $1/$2 in
	x86:06_1A/*) ;;
	x86:06_2A/uOps) echo "macrof" ;;
	x86:06_2A/FP) echo "%SSES %SSED" ;;
	x86:06_2A/*) ;;
	*/uOps) echo "Muops uPI macrof" ;;
	*/FP) echo "%x87 %SSES %SSED %assist" ;;
	*/imix) echo "%LD %ST %FP %BR" ;;
	esac
}
# names FILE: of the columns of the batch output. Two have a blank in their name.
names() {
	sed -n 's/[][]/ /g; s/ \([RW]\) miss/ \1miss/g; s/^ *PID \(.*\) COMMAND *$/\1/p' "$1" |
		tr -s ' ' | sed 's/^ //; s/ $//'
}
# cells PATTERN: the names of the columns in whose cell of the only row the pattern is.
cells() {
	awk -v pattern="$1" '
	/^ *PID.*COMMAND/ {
		gsub(/[][]/, " ")
		gsub(/R miss/, "Rmiss")
		gsub(/W miss/, "Wmiss")
		n = split($0, name, " ") - 1
		next
	}
	n && NF {
		for (i = 2; i <= n; i++)
			if ($i ~ pattern)
				list = list (list == "" ? "" : " ") name[i]
		exit
	}
	END { print list }' "$out"
}
number_text='^[0-9]+[.]?[0-9]*$'

# run_busy OPTION...: until the worker did something: else ratios are "-".
run_busy() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		run "$@"
		[ "$(cells '^-$')" ] || break
	done
}

work_start duty=50:1000000
with="--only-conf -b -n 1 -d 0.1 -i -p $worker"
for cpu in $models; do
	for screen in $screens; do
		run_busy -W "$dir/example" $with -S $screen
		is "$cpu $screen: runs, without a message" $status"$(cat "$err")" 0
		is "$cpu $screen: unknown columns" "$(cells '^[?]$')" "$(unknown $cpu $screen)"
		is "$cpu $screen: all others have numbers" "$(cells "$number_text" | wc -w)" \
			$(($(names "$out" | wc -w) - $(unknown $cpu $screen | wc -w)))
	done
done

# Beside 2.3.1, which knows only this CPU, and leaves out the columns whose counters are not for it.
cpu=''
for screen in $screens; do
	with_shim "$old" -W "$dir/example" $with -S $screen >"$dir/old.out" 2>"$dir/old.err" </dev/null 3>&-
	run -W "$dir/example" $with -S $screen
	is "this CPU, $screen: the line of the screen" "$(grep ^Screen "$out")" "$(grep ^Screen "$dir/old.out")"
	shown=$(for name in $(names "$out"); do
		case " $(cells '^[?]$') " in
		*" $name "*) ;;
		*) echo "$name" ;;
		esac
	done)
	is "this CPU, $screen: the columns" "$(echo $shown)" "$(names "$dir/old.out")"
	[ "$(cells '^[?]$')" ] ||
		is "this CPU, $screen: the line of the columns" "$(grep "PID.*COMMAND" "$out")" \
			"$(grep "PID.*COMMAND" "$dir/old.out")"
done

# A broken variant: what is wrong is reported, with its place, and left out; the rest is used.
bad=$dir/broken/.tiptoprc
sed -e 's/delta(MISS)/delta(MISSING)/' \
	-e 's/<counter alias="L1read"/<counter alias="UNUSED" config="0x1" type="RAW"\/> &/' \
	-e '/alias="uOP"/{n;s/model="06_1A;/model="06_01;/;}' "$rc" >"$bad"
line_of() {
	grep -n "$1" "$bad" | head -n 1 | cut -d : -f 1
}
cpu=x86:06_1A
run_busy -W "$dir/broken" $with -S default
is "broken: exit status" $status 0
is "broken: one message for each mistake" "$(wc -l <"$err")" 2
matches "broken: an undeclared counter" "$(grep MISSING "$err")" \
	"tiptop: .*/\.tiptoprc:$(line_of MISSING): .*'default'.*'%MISS'.*'MISSING'.*"
matches "broken: a counter that nothing uses" "$(grep UNUSED "$err")" \
	"tiptop: .*/\.tiptoprc:$(line_of UNUSED): .*'L1'.*'UNUSED'.*"
is "broken: the column is left out, the others are there" "$(names "$out")" "%CPU %SYS P Mcycle Minstr IPC %BMIS"
is "broken: with numbers" "$(cells "$number_text")" "$(names "$out")"
run -W "$dir/broken" $with -S uOps
is "broken: a counter for another model" "$(cells '^[?]$')" "Muops uPI"

# What the key W of 2.3.1 writes, of all that the example has.
mux() {
	tmux -S "$dir/live/tmux" -f /dev/null "$@"
}
if command -v tmux >/dev/null; then
	trap 'mux kill-server 2>/dev/null; cleanup' EXIT
	mux new-session -d -x 100 -y 30 \
		"cd '$dir/live' && LD_PRELOAD='$shim' exec '$old' -W '$dir/example' -d 0.5 -p example$$"
	painted() {
		mux capture-pane -p 2>"$dir/text" | grep -q COMMAND
	}
	written() {
		grep -q '</tiptop>' "$dir/live/.tiptoprc" 2>"$dir/text"
	}
	await painted
	mux send-keys W
	await written
	ok "W: 2.3.1 has written a file" $?
	mux kill-server
	with_shim "$old" -W "$dir/live" --only-conf --list-screens >"$dir/old.out" 2>"$dir/old.err"
	run -W "$dir/live" --only-conf --list-screens
	is "W: the file is read" $status 0
	# 2.3.1 writes some numbers of one type as names of another: that is said, and the counter left out.
	is "W: only what 2.3.1 wrote wrongly is reported" "$(grep -vc "of type HW_CACHE" "$err")" 0
	is "W: the same screens" "$(cat "$out")" "$(cat "$dir/old.out")"
	is "W: all of them" "$(numbered <"$out" | wc -l)" "$(grep -c '<screen' "$dir/live/.tiptoprc")"
	for number in 0 1 2 3 4 5 6 7; do
		with_shim "$old" -W "$dir/live" $with -S $number >"$dir/old.out" 2>"$dir/old.err" </dev/null 3>&-
		run_busy -W "$dir/live" $with -S $number
		is "W: screen $number" "$(grep -e ^Screen -e "PID.*COMMAND" "$out")" \
			"$(grep -e ^Screen -e "PID.*COMMAND" "$dir/old.out")"
		grep -q "^Screen.*: L1$" "$out" || is "W: screen $number: numbers in all columns" "$(cells "$number_text")" "$(names "$out")"
	done
	is "W: the delay" "$(run -W "$dir/live" -b -n 1 -p 1 && sed -n 3p "$out" | cut -d ' ' -f 2)" 0.50
else
	skip "W" "tmux is not installed"
fi

kill "$worker"
work_end
finish
