#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Commands that a program with the capabilities of its file starts, for an ordinary user: they are followed, and are
# what they are without tiptop. tests/unit/check/test_privilege.c has what the user can do with their process meanwhile.
# shellcheck source=lib.sh disable=SC2086,SC2016 # $as_nobody is several words; texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" -eq 0 ] || skip_all "needs root, who can be an ordinary user"
for tool in setpriv setcap; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
nobody=65534
as_nobody="setpriv --reuid $nobody --regid $nobody --clear-groups"
mkdir "$dir/own" && chown $nobody "$dir/own"
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

finish
