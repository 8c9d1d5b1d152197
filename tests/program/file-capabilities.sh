#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Commands started for an ordinary user by a tiptop whose file has capabilities: they are followed, and run as without
# tiptop. tests/unit/pmu/check/test_privilege.c tests what the user can do to the tiptop process meanwhile.
# shellcheck source=lib.sh disable=SC2086,SC2016 # $as_nobody is several words; texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

need_nobody
cp "$tiptop" "$dir/capable" && chmod 755 "$dir/capable"
$as_nobody "$dir/capable" --version >"$out" 2>"$err" || skip_all "another user cannot run the program here"
setcap cap_perfmon=ep "$dir/capable" 2>"$err" || skip_all "setcap: $(cat "$err")"

# as PROGRAM ARGUMENT...: as an ordinary user; the exit status is $status. A shell stands between, since setpriv has
# more capabilities than the program gains: the kernel protects a process only where it has gained some.
as() {
	as_program=$dir/$1
	shift
	(cd "$dir/own" && exec $as_nobody sh -c '"$0" "$@"; exit $?' "$as_program" "$@") >"$out" 2>"$err" </dev/null
	status=$?
}
as capable --check
grep -q 'capabilities CAP_PERFMON' "$out" ||
	skip_all "files give no capabilities here, or the kernel does not know CAP_PERFMON"
reason=$($as_nobody "$work" can-count) || skip_all "$reason"
[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" -lt 2 ] ||
	skip_all "kernel.yama.ptrace_scope lets no ordinary user follow"

# --- followed ---

as capable follow -T 0 -fe -c page-faults -- sh -c 'date >date; exit 3'
is "follow: exit status, and no message" "$status $(cat "$err")" "3 "
is "follow: the rows" "$(awk 'NR > 1 { printf "%s ", $4 ~ /^[a-z]/ ? $4 : $3 }' "$out")" "fork exec exec exit exit "
as capable --exact -b -n 1 -S software -- sh -c 'date >date; exit 4'
is "--exact: exit status" $status 4
matches "--exact: the command and what it made are counted" "$(grep 'each followed' "$out")" \
	'# of that, 1 task that has ended, each followed to its end \(--exact\)'

# --- the environment ---

# What the C library takes from a program with capabilities, its command still has.
set_names='for name in LD_LIBRARY_PATH TMPDIR LD_PRELOAD; do eval "echo \"\$name=\$$name\""; done'
own_object=$(ldd "$work" | awk '/libc\.so/ { print $3; exit }')
# given ARGUMENT...: starts a command that prints these variables into a file.
given() {
	as_nobody="env LD_LIBRARY_PATH=$dir/own TMPDIR=$dir/own LD_PRELOAD=$own_object setpriv --reuid $nobody --regid $nobody --clear-groups"
	as capable "$@" -- sh -c "{ $set_names; } >set"
	as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups"
	cat "$dir/own/set"
}
for how in "-b -n 1 -S software" "--exact -b -n 1 -S software" "-b -S software --repeat 1" "follow -c page-faults"; do
	is "$how: the variables" "$(given $how)" "LD_LIBRARY_PATH=$dir/own
TMPDIR=$dir/own
LD_PRELOAD=$own_object"
done
for how in locks calls; do
	cp "${tiptop%/*}/tiptop-$how.so" "$dir" && chmod 755 "$dir/tiptop-$how.so"
	is "$how: the variables, the user's object behind that of tiptop" "$(given $how -o report)" "LD_LIBRARY_PATH=$dir/own
TMPDIR=$dir/own
LD_PRELOAD=$dir/tiptop-$how.so:$own_object"
	is "$how: a report" "$(grep -c '^# .* of process' "$dir/own/report")" 1
done

# --- tables ---

# A tiptop without capabilities puts the tables of its command into $XDG_RUNTIME_DIR; one with capabilities finds them there.
XDG_RUNTIME_DIR=$(mktemp -d /dev/shm/test.XXXXXX) # which must be in memory
export XDG_RUNTIME_DIR
chown "$nobody" "$XDG_RUNTIME_DIR"
cp "$tiptop" "$dir/plain" && chmod 755 "$dir/plain"
mkfifo "$dir/go"
: >"$dir/worked"
$as_nobody "$dir/plain" locks -o "$dir/own/report" -- "$work" hold=1 wait report <>"$dir/go" >"$dir/worked" 2>&1 &
plain=$!
held() {
	grep -q '^# wait' "$dir/worked"
}
await held
as capable locks --live -b -n 1 -d 0.1 work
is "locks --live: the mutex of a command of another tiptop" "$status $(grep -q ' mutex ' "$out" && echo found)" "0 found"
printf x >"$dir/go"
wait $plain
rmdir "$XDG_RUNTIME_DIR"
finish
