#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Faults of /proc are distinguished in messages; reading it works without the system calls that containers refuse.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

confine=$builddir/tests/program/confine

# Filters that do not know a call refuse it with EPERM.
"$confine" true 2>/dev/null
if [ $? -ne 99 ]; then
	for call in faccessat2 readlinkat fstatfs; do
		"$confine" -$call "$tiptop" -b -n 1 -d 0.1 -S software -i -p $$ >"$out" 2>"$err"
		is "without $call" "$? $(rows $$ | wc -l) $(cat "$err")" "0 1 "
	done
else
	skip "calls that a container refuses" "no seccomp filter can be set here"
fi

# refused NAME PATTERN COMMAND...: the command runs "$@", the program, in other surroundings.
refused() {
	refused_name=$1 refused_pattern=$2
	shift 2
	"$@" "$tiptop" -b -n 1 -d 0.1 >"$out" 2>"$err"
	is "$refused_name: exit status" $? 1
	matches "$refused_name: cause and remedy" "$(cat "$err")" "tiptop: $refused_pattern"
}

if unshare -m -p -f true 2>"$err"; then
	refused "another pid namespace" \
		"/proc shows another pid namespace than this one: 'mount -t proc proc /proc'" unshare -p -f
	# shellcheck disable=SC2016 # the arguments of the inner shell
	refused "no /proc" "/proc is not mounted: 'mount -t proc proc /proc'" \
		unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh
	# shellcheck disable=SC2016
	is "a /proc of its own" "$(unshare -m -p -f sh -c 'mount -t proc proc /proc && exec "$@"' sh \
		"$tiptop" -b -n 1 -d 0.1 -i -S software 2>&1 | awk 'body && NF { print $1 } $1 == "PID" { body = 1 }')" 1
	# shellcheck disable=SC2016
	unshare -m -p -f sh -c 'mount -t proc -o hidepid=2 proc /proc && "$@"; exit $?' sh \
		setpriv --reuid 65534 --regid 65534 --clear-groups "$tiptop" -b -n 1 -d 0.1 -S software -p 1 >"$out" 2>"$err"
	is "hidden tasks: exit status" $? 1
	matches "hidden tasks: cause and remedy" "$(cat "$err")" \
		"tiptop: the task 1 \(-p\) is of another user, .*\(hidepid\): run tiptop as root"
	# shellcheck disable=SC2016
	unshare -m -p -f sh -c 'mount -t proc -o hidepid=2 proc /proc && "$@"; exit $?' sh \
		setpriv --reuid 65534 --regid 65534 --clear-groups sh -c '"$0" -b -i -n 1 -d 0.1 -S software; "$0" --check' \
		"$tiptop" >"$out" 2>"$err"
	is "hidden tasks: the head says so" "$(grep -c '^/proc hides tasks of other users (hidepid)$' "$out")" 1
	matches "hidden tasks: --check, too" "$(grep -A 1 'hidden tasks' "$out" | tr -s '\n ' ' ')" \
		' warn hidden tasks /proc is mounted with hidepid: only this .*'
	"$tiptop" -b -i -n 1 -d 0.1 -S software >"$out" 2>"$err"
	is "nothing is hidden: no such line" "$(grep -c hidepid "$out")" 0
else
	skip "other surroundings" "no namespaces can be made here: $(cat "$err")"
fi

finish
