# shellcheck shell=dash disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the test scripts in the guest share. The lines "ok - name" and "not ok - name" get their numbers on the host.
#
# Virtual time passes at once where all is idle, and by 1 ns for each instruction (SHIFT=0) where not, so sleeping costs
# nothing and the order of events does not depend on how busy the host is.
set -u
. ./expected.sh

out=/tmp/out err=/tmp/err
pmu=$(basename /sys/bus/event_source/devices/armv8_*) # of the cores, where there is one
exact="-W conf/exact --only-conf" # columns: increment and total of the instructions

# ok NAME STATUS: with status 0 the test has passed; else what tiptop printed is shown.
ok() {
	if [ "$2" -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		[ -e "$out" ] && sed 's/^/# out: /' "$out" | tail -n 40
		[ -e "$err" ] && sed 's/^/# err: /' "$err" | tail -n 10
	fi
}

# is NAME GOT WANT: equal texts.
is() {
	[ "$2" = "$3" ]
	ok "$1" $?
	[ "$2" = "$3" ] || echo "# got '$2', want '$3'"
}

# within NAME GOT LOW HIGH: a number in this range.
within() {
	awk -v got="$2" -v low="$3" -v high="$4" \
		'BEGIN { exit !(got ~ /^-?[0-9]+(\.[0-9]+)?$/ && got + 0 >= low + 0 && got + 0 <= high + 0) }'
	ok "$1" $?
	echo "# got $2, want $3 to $4"
}

# has NAME FILE PATTERN, has_not NAME FILE PATTERN: some line matches the extended regular expression, or none does.
has() {
	grep -Eq -- "$3" "$2"
	ok "$1" $?
}

has_not() {
	! grep -Eq -- "$3" "$2"
	ok "$1" $?
}

# calc EXPRESSION: arithmetic in floating point, which is exact to 2^53.
calc() {
	awk "BEGIN { printf \"%.0f\", $1 }"
}

# rows PID FIELD: the cells of a task, one for each refresh in which it was shown. Field 2 is the first column; the
# mark behind the pid is no field.
rows() {
	awk -v pid="$1" -v field="$2" '{ sub(/[+-]$/, "", $1) } $1 == pid { print $field }' "$out"
}

# field HEADER: the field of the column with this header, which has no blanks; nothing where there is none.
field() {
	awk -v header="$1" '$1 == "PID" {
		gsub(/[][]/, " ")
		for (i = 1; i <= NF; i++)
			if ($i == header)
				print i
		exit
	}' "$out"
}

# cells PID HEADER: the cells of a task in the column with this header.
cells() {
	rows "$1" "$(field "$2" | grep . || echo 1000)"
}

# sum PID FIELD: the sum of the cells that are exact numbers; "none" where there is no such cell.
sum() {
	rows "$1" "$2" | awk '/^[0-9.]+$/ { s += $1; n++ } END { if (n) printf "%.0f\n", s; else print "none" }'
}

# last PID FIELD: the cell in the last refresh.
last() {
	rows "$1" "$2" | tail -n 1
}

# pid_of COMMAND: the pid of the first row with this command.
pid_of() {
	awk -v command="$1" '$NF == command || ($NF == "DEAD" && $(NF - 1) == command) { sub(/[+-]$/, "", $1); print $1; exit }' "$out"
}

# worker COMMAND...: starts it with a pipe as its input and waits until it waits; its pid is $worker.
worker() {
	rm -f /tmp/input
	mkfifo -m 666 /tmp/input
	"$@" </tmp/input &
	worker=$!
	exec 3>/tmp/input
	settle "$worker"
}

# settle PID: waits until the task and all its threads sleep, or have ended.
settle() {
	while sleep 0.01 && cat "/proc/$1/task"/*/stat 2>/dev/null | grep -q ') [RD] '; do :; done
}

# feed: the worker gets a byte.
feed() {
	printf x >&3
}

# worker_end: the worker's input ends.
worker_end() {
	exec 3>&-
	wait "$worker"
}

# monitor ARGUMENT...: tiptop in the background, without the worker's pipe; ends with "wait $tiptop".
monitor() {
	tiptop -b "$@" >"$out" 2>"$err" 3>&- &
	tiptop=$!
}

# as_user USER COMMAND: a command line run by a user, its output where that of tiptop goes.
as_user() {
	su "$1" -c "cd /test && exec $2" >"$out" 2>"$err" 3>&-
}

paranoid() {
	echo "$1" >/proc/sys/kernel/perf_event_paranoid
}
