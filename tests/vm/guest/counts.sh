# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Exact counts, of a command from its first instruction and of a task that tiptop attaches to.
. ./lib.sh

# run_command NAME PROGRAM EXPECTED: sum of the increments and total.
run_command() {
	tiptop -b $exact -d 0.5 -- "./$2" >"$out" 2>"$err"
	is "$1: exit status" $? 0
	pid=$(pid_of "$2")
	is "$1: the increments add up to what the program executes" "$(sum "$pid" 2)" "$3"
	is "$1: the last total is what the program executes" "$(last "$pid" 3)" "$3"
}

run_command "a command of some refreshes" loop-long "$loop_long_all"
within "a command of some refreshes: it was shown in each" "$(rows "$pid" 2 | wc -l)" 4 7
run_command "a command that ends before the first refresh" loop-short "$loop_short_all"

# Attached while it waits; a byte in the third interval, another in the fourth.
worker ./wait-short
monitor -i $exact -d 1 -n 6 -p "$worker"
sleep 2.7
feed
sleep 1
feed
wait $tiptop
is "attached: exit status" $? 0
is "attached: one row in each refresh" "$(rows "$worker" 2 | wc -l)" 6
is "attached: an interval with one byte" "$(rows "$worker" 2 | sed -n 4p)" "$wait_short_byte"
is "attached: the next interval, with another" "$(rows "$worker" 2 | sed -n 5p)" "$wait_short_byte"
is "attached: an interval in which it waited is 0" "$(rows "$worker" 2 | sed -n 6p)" 0
is "attached: the total" "$(last "$worker" 3)" "$((2 * wait_short_byte))"
worker_end

# Two tasks at once, and others beside them: each has its own counts.
worker ./wait-short
first=$worker
mkfifo /tmp/second
./wait-short </tmp/second 3>&- &
second=$!
exec 4>/tmp/second
settle $second
monitor -i $exact -d 1 -n 4 -p wait-short 4>&-
sleep 1.7
feed
printf xxx >&4
wait $tiptop
is "two tasks: the first" "$(last "$first" 3)" "$wait_short_byte"
is "two tasks: the second" "$(last $second 3)" "$((3 * wait_short_byte))"
exec 4>&-
worker_end

# With the kernel's instructions, there are more.
worker ./wait-short
monitor -i -K $exact -d 1 -n 3 -p "$worker"
sleep 0.6
feed
wait $tiptop
within "kernel: user and kernel instructions" "$(last "$worker" 3)" "$((wait_short_byte + 500))" "$((wait_short_byte + 100000))"
worker_end
