# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop calls -e: the counts of instructions equal those executed in a library call and in the program outside of it, and
# instructions in the kernel are counted separately.
. ./lib.sh

export LD_LIBRARY_PATH=/test
echo 1 >/proc/sys/kernel/perf_user_access

# cell NAME COLUMN: of a line of the report, by its name.
cell() {
	awk -F, -v name="$1" -v column="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
	$3 == name { print $at }' "$out"
}

for n in 1000 3000; do
	./tiptop calls -e instructions --format csv -o "$out" -- ./asks $n >/tmp/said 2>"$err"
	ok "calls: the program came to its end" $?
	is "calls: all of its calls" "$(cell qsort calls) $(cell write calls)" "50 200"
	for part in qsort program library; do
		eval "${part}_$n=$(cell $part instructions_user)"
	done
	echo "# qsort: $(cell qsort instructions_user) user, program: $(cell program instructions_user)"
	echo "# write: $(cell write instructions_user) user, $(cell write instructions_kernel) kernel"
done
within "calls: a call has the instructions that are executed in it" "$(calc "$qsort_3000 - $qsort_1000")" 199990 200010
# What the loader does differs by some hundred, as it is elsewhere each time.
within "calls: and the program those that are executed outside" "$(calc "$program_3000 - $program_1000")" 199000 201000
within "calls: the library has no more" "$(calc "$library_3000 - $library_1000")" 199800 200200
within "calls: what the kernel does for a call is its own" "$(calc "$(cell write instructions_kernel) / 200")" 50 100000
within "calls: and little of it is the user's" "$(calc "$(cell write instructions_user) / 200")" 1 1000

# last NAME: of a row that was shown while it ran, its instructions in user mode in the end.
last() {
	awk -F, -v name="$1" '
	/^time/ { for (i = 1; i <= NF; i++) at[$i] = i }
	$at["name"] == name { n = $at["instructions_u"] } END { print n }' "$out"
}
for n in 1000 3000; do
	./tiptop calls --live -b -e instructions --format csv --values total -d 0.1 -o "$out" -- ./asks $n >/tmp/said 2>"$err"
	ok "calls --live: the program came to its end" $?
	eval "live_$n=$(last qsort)"
done
within "calls --live: a call has the instructions that are executed in it" "$(calc "$live_3000 - $live_1000")" 199990 200010

echo 0 >/proc/sys/kernel/perf_user_access
for n in 1000 3000; do
	./tiptop calls -e instructions --format csv -o "$out" -- ./asks $n >/tmp/said 2>"$err"
	ok "calls, by system calls: the program came to its end" $?
	eval "qsort_$n=$(cell qsort instructions_user)"
done
within "calls, by system calls: a call has the instructions that are executed in it" "$(calc "$qsort_3000 - $qsort_1000")" 199990 200010
./tiptop calls -e instructions -o "$out" -- ./asks 1000 >/tmp/said 2>"$err"
has_not "calls: nothing is called multiplexed that is counted all the time" "$out" 'multiplexed'
echo 1 >/proc/sys/kernel/perf_user_access
