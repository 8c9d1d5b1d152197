# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
# The live screen explains the quality of a number: exact, or the share of the time that was counted.
. ./lib.sh
names="instructions,r8,r8:uh,r8:uGH,r8:uhGH,instructions:uh"

# explain NAME EVENTS PATTERN...: the explanation of the first event, of a task at work, has lines that match.
explain() {
	name=$1
	worker ./wait-long
	feed
	{
		sleep 0.2
		printf '>x'
		sleep 0.1
		printf '\014'
		sleep 0.05
		printf 'qq'
	} | timeout -s KILL 20 ./pty 100 60 tiptop -d 0.05 -p "$worker" -e "$2" >/tmp/raw 3>&-
	is "live: $name: exit status" $? 0
	# What was painted, without what moves the cursor.
	{ tr -d '\r' </tmp/raw | sed "s/$(printf '\033')[^A-Za-z]*[A-Za-z]/\n/g"; echo; } >"$out"
	shift 2
	for pattern; do
		has "live: $name: $pattern" "$out" "$pattern"
	done
	kill "$worker"
	wait "$worker"
	exec 3>&-
}

explain exact "$names" '[0-9]: process [0-9]+ wait-long' 'running \(100 %: exact\)' '[0-9] in the last interval'
explain scaled "$names,instructions:uGH,instructions:uhGH" '[0-9]~: process [0-9]+ wait-long' \
	'share [3-6][0-9](\.[0-9]+)? %: the counter had to share the PMU' 'running \([3-6][0-9](\.[0-9]+)? %\)' \
	'[0-9]~ in the last interval \(scaled, share [3-6][0-9](\.[0-9]+)? %\)'
