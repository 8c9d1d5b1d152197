#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A shell that runs already, and the CPU time of its ended children: as their own rows, and added to the shell's.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

go=$dir/go
mkfifo "$go"
sh -c 'read -r word; "$0" spin=300; read -r word' "$work" <"$go" &
shell=$!
exec 3>"$go"

# watch NAME OPTION...: in the background, into a file of that name.
watch() {
	name=$1
	shift
	stolen_before=$(stolen)
	"$tiptop" -b -i -d 0.2 -S software --format json -o "$dir/$name" -p "$shell" "$@" 2>"$dir/$name.err" &
	watching="$watching $!"
}
watching=''
watch plain
watch ended --children
has_row() {
	grep -q '"values":{"cpu":[0-9]' "$dir/$1" 2>/dev/null
}
# ms_of NAME COLUMN: what its rates are, added up over all intervals.
ms_of() {
	sed -n 's/.*"interval_s":\([0-9.]*\).*"values":{\(.*\)}.*/\1,\2/p' "$dir/$1" |
		awk -F, -v column="\"$2\":" '{ for (i = 2; i <= NF; i++) if (index($i, column) == 1) sum += $1 * 10 * substr($i, length(column) + 1) }
			END { printf "%d\n", sum + 0.5 }'
}
has_child() {
	[ "$(ms_of "$1" chld)" -gt 0 ]
}
await has_row plain && await has_row ended
is "nothing ended so far" "$(ms_of plain chld) $(ms_of ended chld)" "0 0"
echo go >&3
await has_child plain && await has_child ended
for pid in $watching; do
	kill "$pid"
	wait "$pid"
done
exec 3>&-
wait "$shell"
stolen=$(stolen_ms)
for name in plain ended; do
	within "$name: the column has the time of the child, in ticks" "$(ms_of $name chld)" 270 2000
done
within "%CPU is that of the shell" "$(ms_of plain cpu)" 0 $((200 + stolen))
within "with --children, with that of the child" "$(ms_of ended cpu)" $(($(ms_of ended chld) - 10)) \
	$(($(ms_of ended chld) + 200 + stolen))

# The kernel does not add the time of the children of a process that ignores SIGCHLD.
if env --ignore-signal=CHLD true 2>/dev/null; then
	env --ignore-signal=CHLD "$work" wait <"$go" &
	worker=$!
	exec 3>"$go"
	ignoring() { [ "$(tr -d '\0' <"/proc/$worker/cmdline" 2>/dev/null)" = "${work}wait" ]; }
	await ignoring
	"$tiptop" -b -i -n 2 -d 0.1 -S software --format json -p "$worker" >"$out" 2>"$err"
	is "a process that ignores SIGCHLD: its column is unknown" \
		"$(grep -c '"chld":null' "$out") $(grep -c '"chld":"not-read"' "$out")" "$(wc -l <"$out") $(wc -l <"$out")"
	"$tiptop" -b -i -n 2 -d 0.1 -S software --format json --children -p "$worker" >"$out" 2>"$err"
	matches "with --children, its %CPU is a part" "$(tail -n 1 "$out")" '.*"cpu":[0-9].*"cpu":"partial".*'
	exec 3>&-
	wait "$worker"
	worker=''
else
	skip "a process that ignores SIGCHLD" "env cannot start one"
fi

# opened OPTION...: what was open at last to count a process that runs all the time.
opened() {
	"$tiptop" -b -n 3 -d 0.2 -e page-faults,context-switches --verbose -p "$busy" "$@" 2>"$err" |
		sed -n 's/^# tiptop:.* reads; //p' | tail -n 1
}
"$work" spin=600000 &
busy=$!
is "what is open is the same with --children: nothing takes turns by it" "$(opened --children)" "$(opened)"
is "which is one group of two counters" "$(opened)" "1 groups of counters, 2 descriptors"
kill "$busy"
wait "$busy"
finish
