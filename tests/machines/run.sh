#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/machines/run.sh FOLDER [MACHINE]... - builds tiptop for other machines with Debian's cross compilers, and runs the unit
# tests under qemu-user: other word sizes, another byte order. Prints TAP, a result for each test program.
#
# Each machine has a folder in FOLDER: its sysroot, its build, and the logs of the tests; the next run continues there. With
# names of machines from the table, only these. Rows of skipped.tsv are assertions that cannot hold here, with the reason;
# a row without a failure is a fault. At least 80 % of all assertions must have passed. exchange.sh then reads there
# what was written here, and the other way round.
#
# From the environment: srcdir, and builddir, the build of this machine; JOBS: how many processes at a time.
set -uo pipefail

machines=$(cd "$(dirname "$0")" && pwd)
srcdir=${srcdir:-$(cd "$machines/../.." && pwd)}
builddir=${builddir:?}
min_pct=80
count=0 failed=0
# shellcheck source=build.sh
. "$machines/build.sh"

# ok NAME STATUS
ok() {
	count=$((count + 1))
	[ "$2" -eq 0 ] && echo "ok $count - $machine: $1" && return
	failed=1
	echo "not ok $count - $machine: $1"
}

skip() {
	count=$((count + 1))
	echo "ok $count - $machine: $1 # SKIP $2"
}

# --- the tests ---

unit_tests() {
	make -s -C "$folder/build" Makefile >"$folder/make.log" 2>&1 || return
	# shellcheck disable=SC2016 # for make
	printf '%s\n' 'include Makefile' 'names:' '	@printf "%s\n" $(patsubst tests/unit/%,%,$(UNIT_TESTS))' |
		make -s -C "$folder/build" -f - names
}

# rows TEST: those of the test on this machine: the assertion and the reason.
rows() {
	awk -F '\t' -v names=" $machine ${emulator%-*} " -v test="$1" '
		!/^#/ && index(names, " " $1 " ") && $2 == test { print $3 "\t" $4 }' "$machines/skipped.tsv"
}

# reason TEST [ASSERTION]: why the assertion, or all of the test, cannot hold on this machine; fails if nothing says so.
reason() {
	rows "$1" | assertion=${2-} awk -F '\t' '
		BEGIN { assertion = ENVIRON["assertion"] }
		assertion == "" ? $1 == "*" : $1 != "*" && assertion ~ "^(" $1 ")$" { print $2; found = 1; exit }
		END { exit !found }'
}

# in_build BUILD TEST [EMULATOR]...: runs a test program of this build.
in_build() {
	local build=$1 name=$2

	shift 2
	(cd "$build" && srcdir=$srcdir builddir=$build TIPTOP=$build/tiptop timeout -k 10 600 "$@" \
		"tests/unit/$name" 2>&1 </dev/null)
}

# one_test TEST: its output is in logs/, with the exit status as the last line.
one_test() {
	local log=$folder/logs/${1//\//.}

	if reason "$1" >"$log.why"; then
		# What it would have tested.
		in_build "$builddir" "$1" >"$log"
		echo "status left out" >>"$log"
	else
		# shellcheck disable=SC2086 # no word, or one
		LOCPATH=$folder/sysroot/usr/lib/locale in_build "$folder/build" "$1" ${emulator#-} >"$log"
		echo "status $?" >>"$log"
	fi
}
export -f one_test in_build rows reason
export folder srcdir builddir emulator machine machines

# What fails is run once more, alone.
run_tests() {
	rm -rf "$folder/logs" && mkdir "$folder/logs" && unit_tests >"$folder/tests" || return
	xargs -P "$jobs" -I '{}' bash -c 'one_test {}' <"$folder/tests"
	while read -r test; do
		grep -aq '^not ok' "$folder/logs/${test//\//.}" || tail -n 1 "$folder/logs/${test//\//.}" | grep -q '^status [^0l]' || continue
		one_test "$test"
	done <"$folder/tests"
}

# --- the results ---

# judge TEST: prints the assertions that failed without a reason, and adds to the sums.
judge() {
	local log=$folder/logs/${1//\//.} line why bad=0 status n

	status=$(sed -n '$s/^status //p' "$log")
	n=$(grep -caE '^(not )?ok ' "$log")
	n_all=$((n_all + n))
	if [ "$status" = "left out" ]; then
		n_skipped=$((n_skipped + n))
		skip "$1, $n assertions" "$(cat "$log.why")"
		return
	fi
	while IFS= read -r line; do
		n_skipped=$((n_skipped + 1))
		skip "$1: ${line%% # SKIP*}" "${line#*# SKIP }"
	done < <(sed -n 's/^ok [0-9]* - \(.*# SKIP .*\)/\1/p' "$log")
	while IFS= read -r line; do
		if why=$(reason "$1" "$line"); then
			n_skipped=$((n_skipped + 1))
			skip "$1: $line" "$why"
		else
			bad=1 && grep -aF -A 3 -e "- $line" "$log" | sed 's/^/# /'
		fi
	done < <(sed -n 's/^not ok [0-9]* - //p' "$log")
	grep -aq '^1\.\.' "$log" && [[ $status = [01] ]] || { bad=1 && tail -n 3 "$log" | sed 's/^/# /'; }
	n_passed=$((n_passed + $(grep -aE '^ok ' "$log" | grep -acv '# SKIP')))
	ok "$1" $bad
}

# judge_reasons TEST: a reason that no failure needs is not true, or no longer.
judge_reasons() {
	local name why

	while IFS=$'\t' read -r name why; do
		[ "$name" != '*' ] || continue
		sed -n 's/^not ok [0-9]* - //p' "$folder/logs/${1//\//.}" | grep -qxE -e "$name" && continue
		ok "$1: '$name' fails, as skipped.tsv says: $why" 1
	done < <(rows "$1")
}

run_machine() {
	local n_all=0 n_passed=0 n_skipped=0 test begun=$SECONDS built

	for test in "$compiler-gcc" ${emulator#-}; do
		command -v "$test" >/dev/null || { skip "all" "$test is not installed" && return; }
	done
	mkdir -p "$folder"
	if ! "$machines/sysroot.sh" "$folder" "$machine" "$libraries" "$suite" >"$folder/sysroot.log" 2>&1; then
		skip "all" "$(tail -n 1 "$folder/sysroot.log")"
		return
	fi
	(build) >"$folder/build.log" 2>&1
	set -- $?
	ok "it is built without warnings" "$1"
	[ "$1" -eq 0 ] || { tail -n 20 "$folder/build.log" | sed 's/^/# /' && return; }
	built=$SECONDS
	run_tests || { ok "the tests are known" 1 && return; }
	while read -r test; do
		judge "$test"
		judge_reasons "$test"
	done <"$folder/tests"
	[ $((n_passed * 100)) -ge $((n_all * min_pct)) ]
	ok "$n_passed of $n_all assertions passed, $min_pct % at least" $?
	# shellcheck source=exchange.sh
	. "$machines/exchange.sh"
	echo "# $machine: $n_all assertions, $n_passed passed, $n_skipped skipped; $((built - begun)) s to build, $((SECONDS - built)) s to test"
}

[ $# -gt 0 ] || { echo "usage: tests/machines/run.sh FOLDER [MACHINE]..." >&2 && exit 2; }
mkdir -p "$1" && bed=$(realpath "$1") || exit
shift
wanted=" $* "
while read -r machine compiler libraries suite emulator; do
	[[ $machine && ( $wanted = "  " || $wanted = *" $machine "* ) ]] || continue
	folder=$bed/$machine
	run_machine </dev/null
done <<<"$machine_table"
echo "1..$count"
exit $failed
