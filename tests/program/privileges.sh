#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A copy of the program with set-ID bits refuses to start; one whose file has capabilities uses them only for counting. Root
# makes the copies and runs them as an ordinary user.
# shellcheck source=lib.sh disable=SC2086 # $counters and $as_nobody are several words
. "$(dirname "$0")/lib.sh"

need_nobody
cp "$work" "$dir/work" && chmod 755 "$dir/work"

# copy NAME: the program as $dir/NAME, which everybody may run.
copy() {
	cp "$tiptop" "$dir/$1" && chmod 755 "$dir/$1"
}
copy plain
$as_nobody "$dir/plain" --version >"$out" 2>"$err" || skip_all "another user cannot run the program here"

# as PROGRAM OPTION...: as an ordinary user; the exit status is $status.
as() {
	as_program=$dir/$1
	shift
	(cd "$dir/own" && $as_nobody "$as_program" "$@") >"$out" 2>"$err" </dev/null
	status=$?
}

# --- set-user-ID and set-group-ID ---

# refused NAME KIND: no file is written, and one sentence tells what to do.
refused() {
	as "$1" -b -n 1 -d 0.1 -o "$dir/own/written" -- touch "$dir/own/touched"
	is "$1: exit status" "$status $(wc -c <"$out") $(ls "$dir/own")" "1 0 "
	matches "$1: cause and remedy" "$(cat "$err")" "tiptop: set-$2-ID .*real id [0-9]+, effective id 0.*'chmod ug-s \
$dir/$1' and 'setcap cap_(perfmon|sys_ptrace).*=ep $dir/$1' .*"
	as "$1" --version
	is "$1: not even the version" "$status $(wc -c <"$out")" "1 0"
}

chown 0:0 "$dir" # a copy of another group would lose its bit
for kind in user group; do
	copy set-$kind
	chmod ${kind%"${kind#?}"}+s "$dir/set-$kind"
	if [ "$($as_nobody "$dir/plain" --version 2>&1)" = "$($as_nobody "$dir/set-$kind" --version 2>&1)" ] &&
		findmnt -nT "$dir" -o OPTIONS 2>/dev/null | grep -q nosuid; then
		skip "set-$kind-ID" "the folder for temporary files is mounted with nosuid"
	else
		refused set-$kind $kind
	fi
done

# --- capabilities of the file ---

copy capable
# More than counting may need: it has to be dropped.
if ! setcap cap_perfmon,cap_dac_override,cap_kill=ep "$dir/capable" 2>"$err"; then
	skip "capabilities of the file" "setcap: $(cat "$err")"
	finish
fi
as capable --check
if ! grep -q 'capabilities CAP_PERFMON' "$out"; then
	skip "capabilities of the file" "files give no capabilities here, or the kernel does not know CAP_PERFMON"
	finish
fi

as capable -b -i -n 2 -d 0.1 -u root -p $$ $counters
is "a task of root: exit status" $status 0
if "$work" can-count >/dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	matches "a task of root is counted" "$(last $$ 2) $(last $$ 3)" '[0-9]+ [0-9.]+'
	as plain -b -i -n 2 -d 0.1 -u root -p $$ $counters
	is "and by the plain program not" "$(last $$ 2) $(last $$ 3)" '? ?'
	as capable -b -i -n 2 -d 0.1 -K -u root -p $$ $counters
	matches "in the kernel, too" "$(last $$ 2) $(last $$ 3)" '[0-9]+ [0-9.]+'
else
	skip "a task of root is counted" "nothing may be counted here"
fi

# status_of PID FIELD
status_of() {
	awk -v field="$2:" '$1 == field { print $2 }' "/proc/$1/status"
}
perfmon=0000004000000000 none=0000000000000000
# Its refreshes are so far apart that this looks between two of them.
: >"$out"
(cd "$dir/own" && exec setpriv --reuid $nobody --regid $nobody --clear-groups --inh-caps +perfmon \
	"$dir/capable" -b -i -d 30) >"$out" 2>"$err" </dev/null &
monitor=$!
await refreshed 1
is "between refreshes nothing is effective" "$(status_of $monitor CapEff)" $none
is "only what counting needs is kept" "$(status_of $monitor CapPrm)" $perfmon
is "there is nothing to hand on" "$(status_of $monitor CapInh) $(status_of $monitor CapAmb)" "$none $none"
watch_end

as capable -b -n 1 -d 0.1 -o "$dir/own/out" $counters -- \
	sh -c "grep ^Cap /proc/self/status >$dir/own/caps"
is "the command: exit status" $status 0
is "the command gets no capabilities" "$(awk '!/Bnd/ { print $2 }' "$dir/own/caps" | sort -u)" $none

# What only root may write and read.
for file in output errors conf; do
	echo "<tiptop><screen name='secret'><column header='x' format='%f' expr='1'/></screen></tiptop>" >"$dir/$file"
	chmod 600 "$dir/$file"
done
# denied NAME FILE OPTION...
denied() {
	denied_name=$1 denied_file=$2
	shift 2
	as capable -b -n 1 -d 0.1 "$@"
	is "$denied_name: exit status" $status 1
	matches "$denied_name: refused" "$(cat "$err")" "tiptop: cannot (write|open).* '$denied_file': Permission denied"
	is "$denied_name: as it was" "$(grep -c secret "$denied_file")" 1
}
denied "-o" "$dir/output" -o "$dir/output"
denied "-E" "$dir/errors" -E "$dir/errors"
denied "-W" "$dir/conf" -W "$dir/conf"

# The caller's environment serves him as it does anyone, without any privilege.
mkdir "$dir/place" && cp "$dir/conf" "$dir/place/.tiptoprc"
for name in TIPTOP HOME XDG_CONFIG_HOME; do
	folder=$dir/place
	[ $name != XDG_CONFIG_HOME ] || { mkdir -p "$dir/place/xdg/tiptop" && mv "$dir/place/.tiptoprc" "$dir/place/xdg/tiptop"; folder=$dir/place/xdg; }
	chmod 600 "$(find "$dir/place" -name .tiptoprc)"
	as_nobody="env $name=$folder setpriv --reuid $nobody --regid $nobody --clear-groups"
	as capable --list-screens
	! grep -q secret "$out"
	ok "$name: what the caller may not read is not read" $?
	chmod 644 "$(find "$dir/place" -name .tiptoprc)"
	as capable --list-screens
	grep -q secret "$out"
	ok "$name: what he may read is" $?
done
as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups"

# A process that has gained capabilities is protected from its user: /proc/self belongs to root.
# Under a name that nothing else here has.
ln "$dir/capable" "$dir/capable$$"
as capable$$ -b -i -n 2 -d 0.1 -S software -p capable$$
is "it sees itself, whole" "$(awk -v name="capable$$" '$NF == name' "$out" | wc -l) $(grep -c ' ? ' "$out")" "2 0"

# Where /proc hides the tasks of others, a thread is found all the same. In namespaces of its own. There /proc hides the
# program from itself, too, and the sanitizer of leaks cannot look at its threads.
no_leaks=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
copy seeing
mkfifo "$dir/hold"
hidden() {
	# shellcheck disable=SC2016 # the inner shell's
	unshare -m -p -f sh -c 'mount -t proc -o hidepid=2 proc /proc || exit 77
		"$1" other wait <"$2" >/dev/null &
		exec 9>"$2"
		until [ "$(ls /proc/$!/task | wc -l)" -eq 2 ]; do sleep 0.01; done
		ls /proc/$!/task | tail -n 1 >"$3"
		shift 3
		"$@" -p "$(ls /proc/$!/task | tail -n 1)"' sh "$dir/work" "$dir/hold" "$dir/thread" \
		env ASAN_OPTIONS="$no_leaks" setpriv --reuid $nobody --regid $nobody --clear-groups \
		"$dir/$1" -b -H -i -n 1 -d 0.1 -S software -u root >"$out" 2>"$err" </dev/null
	status=$?
}
if unshare -m -p -f true 2>"$err" && setcap cap_perfmon,cap_sys_ptrace=ep "$dir/seeing" 2>"$err"; then
	hidden seeing
	thread=$(cat "$dir/thread")
	is "a thread that hidepid hides: the capable program shows it" "$status $(rows "$thread" | wc -l)" "0 1"
	hidden plain
	is "the plain program does not" "$status $(rows "$(cat "$dir/thread")" | wc -l)" "1 0"
else
	skip "a thread that hidepid hides" "$(cat "$err")"
fi

# What a user has without the file is his own: it is handed on.
as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups --inh-caps +perfmon --ambient-caps +perfmon"
as plain -b -n 1 -d 0.1 $counters -- sh -c "grep ^CapEff /proc/self/status >$dir/own/caps"
is "ambient capabilities of the user stay" "$(awk '{ print $2 }' "$dir/own/caps")" $perfmon

finish
