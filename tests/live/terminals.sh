#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Types of terminals: many sizes while the program runs, stops by signals from outside, and the end by a signal.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# From edge to edge: in the first line the title, or on a low screen the bars or the tasks; the footer in the last one.
fills_screen()
{
	screen | sed -n '1p;$p' | tr '\n' '|' | grep -Eq '^(tiptop|Tasks:| *[0-9]+\[|[0-9]+ CPUs\[).*[|]h help.*[|]$'
}
fills_size()
{
	size_is "$1" && fills_screen
}
# Fifty sizes, each with another number of lines than the one before. Prints those at which nothing was painted.
walk_sizes()
{
	step=0
	while [ $step -lt 50 ]; do
		size=$((20 + step * 37 % 130))x$((10 + step * 17 % 31))
		mux resize-window -x "${size%x*}" -y "${size#*x}"
		tries=0
		until fills_size $size; do
			tries=$((tries + 1))
			[ $tries -le 600 ] || { echo "$size"; return; }
			sleep 0.1
		done
		step=$((step + 1))
	done
}
is_stopped()
{
	grep -q '^[0-9]* ([^)]*) T ' "/proc/$(cat "$dir/$starts/pid")/stat"
}
has_no_other_screen()
{
	! infocmp "$1" | grep -q smcup
}

for type in xterm-256color linux vt100 screen; do
	infocmp "$type" >/dev/null 2>&1 || { ok "$type # SKIP terminfo does not have it"; continue; }
	echo "$type" >"$dir/term"
	start run "$type"
	faults=$(walk_sizes)
	check "$type: it is painted at 50 sizes" test -z "$faults"
	resize 100x30
	await "$type: and at the first one" fills_screen
	send STOP
	await "$type: it is stopped" is_stopped
	send CONT
	press h
	await "$type: it goes on" shows 'Help: screen'
	press h
	await "$type: the rows are there again" painted
	send TERM
	await "$type: the program has ended" ended
	check "$type: the first screen is there, with a cursor" on_first_screen
	check "$type: the terminal's modes are as before" same_modes
	if has_no_other_screen "$type"; then
		check "$type: its footer has gone" hides 'q quit'
	else
		check "$type: the text of before is back" shows '^first screen'
	fi
done
rm "$dir/term"

# A shell with job control takes the terminal back when the program is stopped from outside, and gives it back with
# modes of its own.
cat >"$dir/shell" <<END
cd "\$1" || exit
PS1='shell> ' HISTFILE=/dev/null exec bash --norc --noprofile --noediting -i
END
prompt()
{
	[ "$(screen | grep -c '^shell>')" -ge 1 ]
}
job_runs()
{
	pgrep -P "$(mux display-message -p '#{pane_pid}')" >"$dir/$starts/pid"
}
if command -v bash >/dev/null; then
	mux kill-server 2>/dev/null
	starts=$((starts + 1))
	mkdir "$dir/$starts"
	HOME=$dir LC_ALL=C.UTF-8 mux -u new-session -d -x 100 -y 30 "exec sh '$dir/shell' '$dir/$starts'"
	await "a shell: it asks" prompt
	mux send-keys -l "stty -g >before; '$prog' -d 0.5"
	press Enter
	await "a shell: the program paints its screen" painted
	check "a shell: it is a job" job_runs
	send STOP
	await "a shell: it is stopped" shows 'Stopped'
	mux send-keys -l 'fg'
	press Enter
	await "fg: all is painted" fills_screen
	press h
	await "fg: keys are obeyed" shows 'Help: screen'
	press h
	await "fg: the rows are there again" painted
	press q
	await "fg: the shell asks again" prompt
	mux send-keys -l 'stty -g >after; echo >rc'
	press Enter
	await "fg: it takes lines" test -e "$dir/$starts/rc"
	check "fg: the first screen is back, with a cursor" on_first_screen
	check "fg: the terminal's modes are as before" same_modes
fi

echo "1..$count"
exit $failed
