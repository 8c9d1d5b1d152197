#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/real/states.sh [--long] [NAME]... - real programs under tiptop locks --threads: the states of their threads add up to
# their life, and time on a CPU and ready to run are those of the kernel. Prints TAP, and as comments the table of
# doc/locks.md: how much of the life is in which state. The programs are those of tests/real/table (run.sh).
#
# A program runs twice: alone, and below clocks.c, a tracer that reads schedstat of each thread as it exits. The object of
# tiptop lacks the first and the last moments of a thread: 0.3 ms on a CPU, and two waits for one, each of which may take 10 ms,
# and as long as two of the thread's average waits.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)} builddir=${builddir:-$srcdir/build}
TIPTOP=${TIPTOP:-$builddir/tiptop}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"
# shellcheck source=lib.sh
. "$srcdir/tests/real/lib.sh"

states="running runnable blocked_lock blocked_work blocked_input blocked_time blocked_task blocked_device unknown"

# measure FILE [COMMAND...]: the report of the program, below the command.
measure() {
	report=$1
	shift
	rm -rf "$dir/place" "$report"
	cp -a "$dir/prepared" "$dir/place"
	(
		cd "$dir/place" || exit
		SELF=$here/programs/$name
		export SELF
		exec timeout -k 5 120 "$tiptop" locks --children --threads --format json -o "$report" -- \
			"$@" /bin/sh "$SELF" run
	) >"$out" 2>"$err" </dev/null
}

# sums FILE: the threads, their life and their states, in ns; and the threads whose life and states differ by more than 1/1000,
# and 10 ns, as each state is cut to ns.
sums() {
	jq -r -s --arg states "$states" '
	def parts: . as $row | $states | split(" ") | map($row[.] // 0);
	[.[] | select(.type == "thread")] |
	([.[].threads] | add // 0), ([.[].time] | add // 0), ([.[] | parts] | transpose | map(add))[],
	([.[] | select(((.time - (parts | add) | fabs) - 10) * 1000 > .time)] | length)' "$1" | tr '\n' ' '
}

# kernel FILE: of the threads that the tracer has seen, what the report has of running, and of both, in % of the kernel; and
# the same with all that the object may lack.
kernel() {
	jq -r 'select(.type == "thread" and .running != null) | "\(.tid) \(.running) \(.runnable)"' "$1" >"$dir/ours"
	awk 'NR == FNR { run[$1] += $2; ready[$1] += $3; next }
		# Of short threads, the first and last moments are too much.
		$1 in run && $2 + $3 > 1e8 {
			n++
			ours_run += run[$1]; ours += run[$1] + ready[$1]
			kernels_run += $2; kernels += $2 + $3
			lack_run += 3e5
			lack += 2e7 + ($4 ? 4 * $3 / $4 : 0)
		}
		END {
			if (n)
				printf "%d %.2f %.2f %.2f %.2f\n", n, 100 * ours_run / kernels_run, 100 * ours / kernels,
					100 * (ours_run + lack_run) / kernels_run, 100 * (ours + lack) / kernels
		}' "$dir/ours" "$dir/clocks"
}

# program NAME NEEDS
program() {
	name=$1
	prepare "$2" || return 0
	measure "$dir/alone"
	# shellcheck disable=SC2046 # numbers
	set -- $(sums "$dir/alone")
	row=$(echo "$@" | awk '{
		printf "%d | %d |", $1, $2 / 1e6
		for (i = 3; i < NF; i++)
			printf " %.1f |", $2 ? 100 * $i / $2 : 0
	}')
	shift $(($# - 1))
	different=$1
	is "$name: the states of each thread add up to its life" "$different" 0
	measure "$dir/traced" "$dir/clocks-of" "$dir/clocks"
	# shellcheck disable=SC2046 # numbers
	set -- $(kernel "$dir/traced")
	if [ $# -gt 0 ]; then
		within "$name: running is what the kernel counts of $1 threads" "$2" 0 101
		within "$name: ... but for begin and end" "$4" 99 1e9
		within "$name: running and ready are" "$3" 0 101
		within "$name: ... but for begin and end" "$5" 99 1e9
	fi
	echo "# | $name | $row ${3--} |"
}

form=quick
[ "${1-}" != --long ] || { form=long && shift; }
wanted=" $* "
command -v jq >"$dir/text" || skip_all "jq is missing"
${CC:-cc} -O2 -o "$dir/clocks-of" "$here/clocks.c" 2>"$err" || skip_all "there is no C compiler: $(tail -n 1 "$err")"
own_tables
echo "# | program | threads | life, ms | running | ready | lock | work | input | time | task | device | unknown | of schedstat, % |"
while read -r row_name needs row_form _; do
	case $row_name,$wanted,$form,$row_form in
	,* | '#'*) continue ;;
	*,"  ",quick,long) continue ;;
	*,"  ",*) ;;
	*) [ "${wanted#* "$row_name" }" != "$wanted" ] || continue ;;
	esac
	case $row_name in
	go | gdb) continue ;; # without the object; a tracer itself
	esac
	program "$row_name" "$needs"
done <"$here/table"
finish
