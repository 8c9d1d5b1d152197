# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For tests of the live screen in a real terminal: tmux provides one of any size, and its contents. Each step waits only
# until its condition holds, at most a minute. A test may add to $dir/.tiptoprc, write options for the program to
# $dir/options, and the type of the terminal to $dir/term.

prog=${TIPTOP:?}
unset TIPTOP   # which tells the program where its configuration file is
unset NO_COLOR # which would take away a colour that is looked for
# Without this, the sanitizers would report a crash themselves and scroll the screen away.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0"

count=0
failed=0

ok()
{
	count=$((count + 1))
	echo "ok $count - $1"
}

# A failed test also prints the contents of the terminal.
not_ok()
{
	count=$((count + 1))
	failed=1
	echo "not ok $count - $1"
	screen | sed 's/^/# |/'
}

# check NAME COMMAND... - one test: the command succeeds
check()
{
	check_name=$1
	shift
	if "$@"; then ok "$check_name"; else not_ok "$check_name"; fi
}

# await NAME COMMAND... - one test: the command succeeds within a minute, and while there is a terminal
await()
{
	await_name=$1
	await_tries=0
	shift
	until "$@"; do
		await_tries=$((await_tries + 1))
		if [ $await_tries -gt 600 ] || { [ $((await_tries % 50)) = 0 ] && ! mux has-session 2>/dev/null; }; then
			not_ok "$await_name"
			return 1
		fi
		sleep 0.1
	done
	ok "$await_name"
}

skip_all()
{
	echo "ok 1 - the live screen # SKIP $1"
	echo 1..1
	exit 0
}

command -v tmux >/dev/null || skip_all "tmux is not installed"
case $("$prog" </dev/null 2>&1) in
*"without ncurses"*) skip_all "built without ncurses" ;;
esac

dir=$(mktemp -d) || exit 1
# Each start has its own server and folder: the previous one may still be ending.
starts=0
mux()
{
	tmux -S "$dir/$starts/tmux" -f /dev/null "$@"
}
victim='' stranger=''
trap 'mux kill-server 2>/dev/null; kill $victim $stranger 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

screen()
{
	mux capture-pane -p 2>/dev/null
}
press()
{
	mux send-keys "$@"
}
# answer TEXT - at a prompt: replaces its text by this one
answer()
{
	mux send-keys -l "$1"
	press Enter
}
# shows PATTERN - succeeds if the pattern is on the screen, other than in the command line of this grep
shows()
{
	screen | grep -q -f /dev/fd/9 9<<-END
		$1
	END
}
hides()
{
	! shows "$1"
}
# The line with the column headers, and the name in its brackets, without leading blanks.
header()
{
	screen | grep -m 1 '^[[ ]*PID.*COMMAND'
}
sorted_by()
{
	header | sed -n 's|.*\[ *\([^]]*\)\].*|\1|p'
}
header_is()
{
	[ "$(header)" = "$1" ]
}
header_is_not()
{
	[ -n "$(header)" ] && ! header_is "$1"
}
sorted_by_other_than()
{
	[ -n "$(sorted_by)" ] && [ "$(sorted_by)" != "$1" ]
}
sorted_by_again()
{
	[ "$(sorted_by)" = "$1" ]
}
# total, shown - print the numbers in "Tasks: 81 total, 19 shown"
total()
{
	screen | sed -n 's/^[A-Z][a-z]*: *\([0-9]*\) total.*/\1/p'
}
shown()
{
	screen | sed -n 's/^[A-Z][a-z]*: .* \([0-9][0-9]*\) shown.*/\1/p'
}
shows_rows()
{
	screen | grep -q '^ *[0-9][0-9]*[-+x ] .*[0-9?-]'
}
# marked PID - succeeds if the id is bold, as of watched tasks: the current row hides their colour
marked()
{
	mux capture-pane -p -e | grep -q "[[;]1m\(.\[[0-9;]*m\)* *$1 .*sleep"
}
unmarked()
{
	! marked "$1"
}
shows_all()
{
	[ -n "$(shown)" ] && [ "$(shown)" = "$(total)" ]
}
shows_more_than()
{
	[ "$(shown)" -gt "$1" ]
}
# Succeeds if several rows have numbers: the row of a single task has some earlier.
numbers_in_rows()
{
	[ "$(screen | grep -c '^ *[0-9]*[-+x ] *[0-9]*\.[0-9] ')" -gt 1 ]
}
painted()
{
	shows '^tiptop - up \|^[A-Z][a-z]*: ' && header >/dev/null && shows_rows
}
size_is()
{
	[ "$(mux display-message -p '#{pane_width}x#{pane_height}')" = "$1" ]
}
resize()
{
	mux resize-window -x "${1%x*}" -y "${1#*x}"
	await "the window is $1" size_is "$1"
}
send()
{
	alive && kill -s "$1" "$(cat "$dir/$starts/pid")"
}
alive()
{
	kill -0 "$(cat "$dir/$starts/pid")" 2>/dev/null
}
ended()
{
	[ -s "$dir/$starts/rc" ]
}
on_first_screen()
{
	[ "$(mux display-message -p '#{alternate_on}#{cursor_flag}')" = 01 ]
}
same_modes()
{
	cmp -s "$dir/$starts/before" "$dir/$starts/after"
}

not()
{
	! "$@"
}

# Two screens that work on any machine, so that LEFT and RIGHT have an effect.
cat >"$dir/.tiptoprc" <<'EOF'
<tiptop>
<screen name="one" desc="the first"><column header=" %ONE" format="%5.1f" desc="CPU" expr="CPU_TOT"/>
<column header=" P" format="%2.0f" desc="processor" expr="PROC_ID"/></screen>
<screen name="two" desc="the second"><column header=" %TWO" format="%5.1f" desc="CPU" expr="CPU_TOT"/></screen>
</tiptop>
EOF

# The script in the terminal: it runs the program and records the terminal's modes before and after.
cat >"$dir/run" <<EOF
ulimit -c 0
trap : INT # it is the program that Ctrl-C is for
cd "\$1" || exit
[ ! -e ../term ] || export TERM="\$(cat ../term)"
echo first screen
stty -g >before
sh -c 'echo \$\$ >pid; exec "\$@"' sh '$prog' -d 0.5 \$(cat ../options 2>/dev/null)
echo \$? >rc.new
stty -g >after
mv rc.new rc
exec sleep 1000
EOF

# The same with job control, as in a user's shell.
cat >"$dir/run-jobs" <<EOF
cd "\$1" || exit
set -m
stty -g >before
sh -c 'echo \$\$ >pid; exec "\$@"' sh '$prog' -d 0.5
stty -g >after
echo >stopped
read line
fg >/dev/null
echo \$? >rc.new
mv rc.new rc
exec sleep 1000
EOF

# begin SCRIPT - runs a script in a new terminal; the variables for its size and the user's folder may be set
window=100x30
home=$dir
begin()
{
	mux kill-server 2>/dev/null
	starts=$((starts + 1))
	mkdir "$dir/$starts"
	HOME=$home LC_ALL=C.UTF-8 mux -u new-session -d -x "${window%x*}" -y "${window#*x}" "exec sh '$dir/$1' '$dir/$starts'"
}

# start SCRIPT NAME - one test: runs a script in a new terminal, and waits until the live screen is shown
start()
{
	begin "$1"
	await "$2: the program paints its screen" painted
}

# Tests that the terminal's modes and contents are restored.
check_restored()
{
	await "$1: the program has ended" ended
	check "$1: the first screen is back, with a cursor" on_first_screen
	check "$1: so is its text" shows '^first screen'
	check "$1: the terminal's modes are as before" same_modes
}
