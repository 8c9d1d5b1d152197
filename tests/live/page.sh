#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page of a task: one that runs and then ends, one of another user, and one in a recording.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cp "$(command -v sleep)" "$dir/leaf$$"
# So that its graph, what it is and its columns are seen at once.
window=100x70

# begin_task - one whose page is opened
begin_task()
{
	"$dir/leaf$$" 1000 >"$dir/leaf" 2>&1 &
	victim=$!
	echo "-p $victim -i" >"$dir/options"
}

# run-nobody starts what run does, as an ordinary user.
as_nobody()
{
	cp "$prog" "$dir/tiptop"
	chmod 755 "$dir" "$dir/tiptop"
	sed "s|'$prog'|setpriv --reuid 65534 --regid 65534 --clear-groups '$dir/tiptop'|" "$dir/run" >"$dir/run-nobody"
}

begin_task
start run "a task"
press F8
await "F8 says which nice value it has, and had" shows "^nice value $(($(nice) + 1)), before it was $(nice), for $victim"
press M
await "M says how to add what it would sort by" shows '^this screen does not show RSS_KB, .*F2 adds it'
press Enter
await "Enter opens its page" shows "^ process $victim leaf$$"
# line PATTERN: the first line that has it.
line()
{
	screen | grep -n -m 1 -e "$1" | cut -d : -f 1
}
check "why it is no faster comes before what it is" test "$(line '^Why it is no faster')" -lt "$(line '^What it is')"
check "who it belongs to" shows "^  user  *$(id -un) ($(id -u))"
check "when it started" shows "^  started  *$(date +%Y-)"
may_run_on="$(sed -n 's/^Cpus_allowed_list:.//p' "/proc/$victim/status")"
check "on which CPUs it may run" shows "^  may run on  *CPUs* $may_run_on"
check "its command line" shows "^  command  *$dir/leaf$$ 1000"
check "the columns of the screen" shows '^  %ONE  '
await "other screens, too" shows '^Screen [0-9]*, two$'
press /
answer 'Threads, and'
await "threads" shows "^  $victim  S "
check "with the CPU of each" shows '^  TID .* S  CPU'
# What the page says may become longer meanwhile.
ends_with() {
	press END
	shows "$1"
}
await "limits are at the end" ends_with '^  Max realtime timeout '
check "one that is known" shows "^  Max open files  *$(sed -n "s/^Max open files *\([0-9]*\) *\([0-9]*\) .*/\1  *\2/p" "/proc/$victim/limits")  files"
if prlimit --pid "$victim" --nofile=64:64; then
	press C-r
	await "Ctrl-R reads them again" shows '^  Max open files  *64  *64  files'
fi
press HOME RIGHT
await "RIGHT: another screen, and the page stays" shows ', two (shown now)'
check "the page is there" shows "^ process $victim leaf$$"
press LEFT
for size in 40x15 20x5 132x43; do
	resize $size
	await "$size: it is painted" shows "^ process $victim"
done
resize $window
kill "$victim"
await "when the task ends, that is said" shows '^it has ended'
await "its last numbers stay" shows '^  %ONE  '
press Escape
check "ESC ends the search first" shows "^ process $victim"
press Escape
await "ESC closes the page" shows "^h help  q quit"
press Escape q
check_restored "a task"
wait "$victim" 2>/dev/null

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	begin_task
	as_nobody
	start run-nobody "another user's task"
	press Enter
	await "its page" shows "^ process $victim leaf$$"
	check "its owner" shows '^  user  *root (0)'
	press END
	await "its limits may be read" shows '^  Max realtime timeout '
	press q q
	check_restored "another user's task"
	kill "$victim"
else
	ok "another user's task # SKIP only root can have one started"
fi

begin_task
: >"$dir/options"
"$prog" -b -S one -d 0.2 -n 10 -p "$victim" -i --record "$dir/r.db" -W "$dir/.tiptoprc" >"$dir/out" 2>"$dir/err"
kill "$victim"
if ! grep -q 'without SQLite' "$dir/err"; then
	echo "--replay $dir/r.db -i" >"$dir/options"
	start run "a recording"
	press . Enter
	await "the page of a task that was recorded" shows "^ process $victim leaf$$"
	check "with its numbers" shows '^  %ONE  '
	press END
	await "what was not recorded is not asked for" shows 'there are processes here, not their threads'
	check "nor are limits" hides 'Limits'
	press q q
	check_restored "a recording"
fi

# What happened: one that has ended, and one that begins while the page is open.
cp "$(command -v yes)" "$dir/busy$$"
cp "$(command -v yes)" "$dir/next$$"
"$dir/busy$$" >/dev/null 2>&1 &
victim=$!
echo "-d 0.3" >"$dir/options"
start run "what happened"
await "a task runs" shows "busy$$"
kill "$victim"
await "and ends" hides "busy$$"
press V
await "V tells what happened" shows '^ *What happened from [0-9-]* [0-9:]* to '
check "who ran, though it has ended" shows "^ *[0-9.]* *[0-9.]*  busy$$  *1 "
check "why they were no faster" shows '^Why they were no faster'
check "and what is not known" shows 'between two samples was not seen'
"$dir/next$$" >/dev/null 2>&1 &
victim=$!
# updates: Ctrl-R adds tasks that came later.
updates()
{
	press C-r
	shows " next$$  *1 "
}
await "Ctrl-R updates it" updates
kill "$victim"
press V
await "V closes it" shows "^h help  q quit"
press q
check_restored "what happened"

# A command that ends badly: its parent is told how.
cat >"$dir/command" <<'SH'
ulimit -c 0
while [ ! -e "$1" ]; do :; done
kill -SEGV $$
SH
echo "-d 0.3 -- sh $dir/command $dir/end" >"$dir/options"
start run "a command that ends badly"
press V
# runs: the page is there, before the end.
runs()
{
	press C-r
	shows '^ *What happened from [0-9-]* [0-9:]* to '
}
await "it runs" runs
: >"$dir/end"
# ends: the page has the end of the command after it was read again.
ends()
{
	press C-r
	shows '^  *\([0-9-]* [0-9:]*  \)*[0-9]* sh: ended by signal 11 (SIGSEGV)'
}
await "how it ended is told" ends
check "nothing of that is unknown" hides 'ended is not known'
if grep -q '^oom_kill ' /proc/vmstat; then
	check "nor whether the kernel killed a process" hides 'for lack of memory is not known'
fi
press V
await "V closes it" shows "^h help  q quit"
press q
check_restored "a command that ends badly"

echo "1..$count"
exit $failed
