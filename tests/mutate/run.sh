#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh [WORD] - mutation test: breaks the code in one place at a time; the test named for the place must fail.
#
# The places are in the file "list", a block of lines for each:
#
#   what    a description of the fault
#   where   the file, and the function; "-" for all of the file
#   change  a command for sed -E, applied to the lines of that function only
#   test    the unit test that must fail, such as pmu/perf/test_group, or a script such as tests/program/x.sh
#
# A change without an effect on the text is a failure, and so is one that does not compile: a check of the test must fail.
# With a WORD, only the blocks that contain it are run. Works in copies of the tree, one for each CPU, which are removed.
# Prints TAP.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d) || exit
chmod 755 "$scratch" # for tests that are another user
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
count=0 failed=0

# use PLACE: works in the copy that is there.
use() {
	place=$scratch/$1 tree=$scratch/$1/tree build=$scratch/$1/tree/build-mutate
}

bail_out() {
	tail -n 30 "$place/log" | sed 's/^/# /'
	echo "Bail out! $1"
	exit 1
}

# result STATUS TEXT
result() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		failed=$((failed + 1))
		echo "not ok $count - $2"
	fi
}

# Not the copy's own git, and what was built elsewhere.
copy() {
	mkdir -p "$tree" && tar -C "$top" -cf - --exclude=./.git --exclude='./build*' . | tar -C "$tree" -xf - &&
		mkdir "$build" && cd "$build" && ../configure CFLAGS=-O0 >"$place/log" 2>&1
}

# make_tests TEST...: what they need, and no more.
make_tests() {
	local target=() test

	for test; do
		case $test in
		*.sh)
			target+=(tiptop tiptop-calls.so tiptop-exec.so tiptop-locks.so libtiptop.so.0 libtiptop.a bench/recording)
			mapfile -t -O ${#target[@]} target < <(sed -nE 's|^\t(tests/program/[a-z]+)( \\)?$|\1|p' "$top/Makefile.am")
			[[ $test != tests/tasks/* ]] || target+=(tests/tasks/scene)
			;;
		*) target+=("tests/unit/$test") ;;
		esac
	done
	make -s -C "$build" -j"$jobs" "${target[@]}" >"$place/log" 2>&1
}

# run_test TEST: its output is in $place/tap.
run_test() {
	local command=(stdbuf -oL "$build/tests/unit/$1")

	# Scripts look at LD_PRELOAD, which stdbuf(1) sets.
	[[ $1 != *.sh ]] || command=("$tree/$1")
	(cd "$build" && TIPTOP=$build/tiptop srcdir=$tree builddir=$build timeout 120 "${command[@]}" \
		>"$place/tap" 2>"$place/err" </dev/null)
}

# mutate WHAT FILE FUNCTION CHANGE TEST
mutate() {
	local what=$1 file=$tree/$2 function=$3 change=$4 test=$5 failure

	cp -p "$file" "$place/original"
	if [ "$function" = - ]; then
		sed -E "$change" "$place/original" >"$file"
	else
		sed -E "/^[a-z].*\\b$function\\(/,/^}/{$change}" "$place/original" >"$file"
	fi
	if cmp -s "$file" "$place/original"; then
		result 1 "$what: the change of $function() in $2 changes nothing"
	elif ! make_tests "$test"; then
		result 1 "$what: cannot be built"
		grep -m 3 'error:' "$place/log" | sed 's/^/# /'
	else
		run_test "$test" 2>"$place/err"
		failure=$(sed -n 's/^not ok [0-9]* *-* *//p' "$place/tap" | head -n 1)
		[ -n "$failure" ]
		result $? "$what: $test ${failure:+notices: }${failure:-notices nothing}"
	fi
	cp "$place/original" "$file"
}

# each COMMAND: with what, where (two words), change and test of each block that has the word, of those that are this
# worker's.
each() {
	local key value what='' file='' function='' change='' test='' number=0

	while read -r key value || [ -n "$key" ]; do
		case $key in
		what) what=$value ;;
		where) file=${value% *} function=${value##* } ;;
		change) change=$value ;;
		test)
			test=$value
			[[ "$what $file $function $test" == *"$word"* ]] || continue
			[ $((number++ % workers)) -ne "$worker" ] || "$1" "$what" "$file" "$function" "$change" "$test"
			;;
		'' | '#'*) ;;
		*) bail_out "the list has a line '$key $value'" ;;
		esac
	done <"$here/list"
}

name_test() {
	echo "$5"
}

# work NUMBER: breaks what is this worker's, in the copy of that number. Its results are in the file "results" there.
work() {
	use "$1"
	worker=$1 jobs=1
	each mutate >"$place/results"
}

# gather: the results of all workers, in turn, with one numbering.
gather() {
	local number

	for ((number = 0; number < workers; number++)); do
		cat "$scratch/$number/results"
	done | awk '
	/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n); failed += /^not/ }
	{ print }
	END { print "1.." n; exit failed > 0 }'
}

word=${1-} workers=1 worker=0 jobs=$(nproc)
use 0
copy || bail_out "the copy cannot be configured"
mapfile -t tests < <(each name_test | sort -u)
[ ${#tests[@]} -gt 0 ] || bail_out "no mutation has the word '$word'"
make_tests "${tests[@]}" || bail_out "the copy cannot be built"
for test in "${tests[@]}"; do
	# Once more, as tools/check does it.
	run_test "$test" || run_test "$test" || {
		echo "$test fails before anything is broken: $(grep -m 1 '^not ok' "$place/tap" || tail -n 1 "$place/err")" && failed=1
	}
done >"$scratch/broken"
[ $failed -eq 0 ] || bail_out "$(head -n 1 "$scratch/broken")"
workers=$(nproc)
for ((number = 1; number < workers; number++)); do
	cp -a "$scratch/0" "$scratch/$number" || bail_out "there is no room for another copy"
done
for ((number = 0; number < workers; number++)); do
	work "$number" &
done
wait
gather
