# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For tests of the live screen in a real terminal: tmux gives one of any size, and shows what is on it. Nothing is waited
# for longer than it takes, at most a minute a step. A test may add to $dir/.tiptoprc, and to $dir/options what is given
# to the program, and to $dir/term the type of the terminal.

prog=${TIPTOP:?}
unset TIPTOP   # which tells the program where its configuration file is
unset NO_COLOR # which would take away a colour that is looked for
# A crash must look as it does without the sanitizers, whose report would scroll the screen away.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0"

count=0
failed=0

ok()
{
	count=$((count + 1))
	echo "ok $count - $1"
}

# Says what is on the terminal, too.
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
# Each start has a server and a folder of its own: the one before may still be ending.
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
# answer TEXT - at a prompt: the text replaces what is there
answer()
{
	mux send-keys -l "$1"
	press Enter
}
# shows PATTERN - somewhere on the screen
shows()
{
	screen | grep -q -e "$1"
}
hides()
{
	! shows "$1"
}
# The line with the column headers, and what the brackets in it hold, without the blanks before it.
header()
{
	screen | grep -m 1 '^ *PID.*COMMAND'
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
# total, shown - the numbers in "Tasks: 81 total, 19 shown"
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
# marked PID - its id is bold, as of watched tasks: their colour is not seen in the current row
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
# In several of them: the row of a single task has some already.
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

# Two screens that any machine has, so that LEFT and RIGHT lead somewhere.
cat >"$dir/.tiptoprc" <<'EOF'
<tiptop>
<screen name="one" desc="the first"><column header=" %ONE" format="%5.1f" desc="CPU" expr="CPU_TOT"/>
<column header=" P" format="%2.0f" desc="processor" expr="PROC_ID"/></screen>
<screen name="two" desc="the second"><column header=" %TWO" format="%5.1f" desc="CPU" expr="CPU_TOT"/></screen>
</tiptop>
EOF

# What runs in the terminal: the program between two looks at the terminal's modes.
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

# The same with job control, as a user's shell has it.
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

# begin SCRIPT - in a new terminal; its size and the folder of the user may be set
window=100x30
home=$dir
begin()
{
	mux kill-server 2>/dev/null
	starts=$((starts + 1))
	mkdir "$dir/$starts"
	HOME=$home LC_ALL=C.UTF-8 mux -u new-session -d -x "${window%x*}" -y "${window#*x}" "exec sh '$dir/$1' '$dir/$starts'"
}

# start SCRIPT NAME
start()
{
	begin "$1"
	await "$2: the program paints its screen" painted
}

# The terminal is as it was before.
check_restored()
{
	await "$1: the program has ended" ended
	check "$1: the first screen is back, with a cursor" on_first_screen
	check "$1: so is its text" shows '^first screen'
	check "$1: the terminal's modes are as before" same_modes
}
