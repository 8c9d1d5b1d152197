#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/cpus/run.sh [-j JOBS] [all [CPU]...] - runs tests of the whole program as on other CPUs: their results must not
# depend on the CPU of this machine. Prints TAP, a result for each test on each CPU, with its seconds; of a failed test, its
# failures. JOBS tests run at a time (1), the order of the results is always the same.
#
# $TIPTOP_CPU selects the CPU, $LIBPFM_FORCE_PMU the tables of libpfm4; "absent": without libpfm4. The kernel is that of this
# machine: it describes no events of that CPU, and counts none. Without "all", runs few of the tests, on few of the CPUs;
# with names of CPUs from the table, only on those.
#
# What would be the same run again is left out, and a comment says so. A test of which cpu_of() knows that the CPU cannot
# matter is run as on one CPU. A test that never looked for libpfm4 where it is absent is not run with its tables.
#
# From the environment: TIPTOP, the program; srcdir and builddir.
set -u

# On x86, libpfm4 has no tables of Arm, and up to 4.13 none of Alder Lake and Zen 5: "perf" has but the kernel's own events.
#
# for   CPU                tables
cpu_table='
all    x86:06_8F          absent
quick  x86:06_8F          spr
all    x86:06_1A          nhm
all    x86:06_5E          skl
all    x86:06_9E          absent
all    x86:06_97          perf
all    x86:17_31          amd64_fam17h_zen2
all    x86:19_01          absent
quick  x86:19_01          amd64_fam19h_zen3
all    x86:19_11          amd64_fam19h_zen4
all    x86:1A_02          perf
quick  arm64:41_D0C_R31   absent
all    arm64:41_D40       perf
quick  other:             absent
all    other:             perf
'
# Those that look at screens and events of the machine, and are quick.
quick_tests='program/system-examples program/check program/list program/replay program/screens program/output-examples'

usage() {
	echo "usage: tests/cpus/run.sh [-j JOBS] [all [CPU]...]" >&2
	exit 2
}
jobs=1
while getopts :j: option; do
	case $option,$OPTARG in
	j,*[!0-9]* | j,0* | [!j],*) usage ;;
	esac
	jobs=$OPTARG
done
shift $((OPTIND - 1))
extent=${1-quick}
case $#,$extent in
0,quick | *,all) ;;
*) usage ;;
esac
[ $# -eq 0 ] || shift
wanted=" $* "
for cpu; do
	echo "$cpu_table" | grep -Fq -e " $cpu " && continue
	echo "tests/cpus/run.sh: '$cpu' is not in its table" >&2
	exit 2
done
: "${TIPTOP:?}" "${builddir:?}"
count=0 failed=0 workers=''
dir=$(mktemp -d) || exit 1
# shellcheck disable=SC2086 # several pids
trap '[ -z "$workers" ] || kill $workers 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
touch -d '2002-01-01' "$dir/2002"

# ok NAME STATUS
ok() {
	count=$((count + 1))
	[ "$2" -eq 0 ] && echo "ok $count - $1" && return
	failed=1
	echo "not ok $count - $1"
}
all_tests() {
	(cd "${srcdir:?}/tests" && find program live compat tour/tour.sh -name '*.sh' ! -name lib.sh ! -name load.sh) |
		LC_ALL=C sort | sed 's/\.sh$//'
}
# cpu_of TEST CPU: prints the CPU, or "any" if the test is the same as on any other CPU, by what its script says:
# - it starts tiptop as locks, calls, compare or -v only (a variable in that place has only these words), not live and
#   without events: only screens, follow, events and libtiptop ask which CPU there is (callers of machine_init_here()); or
# - it sets and exports $TIPTOP_CPU before its first test, and names it nowhere else.
cpu_of() {
	awk -v cpu="$2" '
	/^[ \t]*#/ { next }
	/^[ \t]*(is|ok|matches|within|same|fine|says) / { tested = 1 }
	/TIPTOP_CPU/ { if (!tested && /^TIPTOP_CPU=[^ ]+$/) sets++; else if (tested || !/^export TIPTOP_CPU$/) elsewhere++ }
	/\$tiptop/ { starts++ }
	/\$tiptop/ && !/"\$tiptop" (-v\)|(locks|calls|compare|\$[a-z]+) )/ { others++ }
	match($0, /"\$tiptop" \$[a-z]+/) { used[substr($0, RSTART + 11, RLENGTH - 11)] }
	/^[ \t]*for [a-z]+ in / { / in (locks|calls)( locks| calls)*;/ ? known[$2] : unknown[$2] }
	/ (-e|-b|--live|--run|--event)|live_rows|metrics_of_two|watch |has_tables/ { others++ }
	END {
		for (name in used)
			others += !(name in known) || name in unknown
		print starts && !others || sets == 1 && !elsewhere ? "any" : cpu
	}' "$srcdir/tests/$1.sh"
}
# exec_as CPU TABLES PLACE COMMAND...: replaces the shell. In the folder PLACE is what stands for libpfm4 where it is absent.
exec_as() {
	exec_cpu=$1 exec_tables=LIBPFM_FORCE_PMU=$2
	if [ "$2" = absent ]; then
		exec_tables=LD_LIBRARY_PATH=$3/absent
		mkdir -p "$3/absent"
		echo >"$3/absent/libpfm.so.4"
		touch -d '2001-01-01' "$3/absent/libpfm.so.4"
	fi
	shift 3
	exec env TIPTOP_CPU="$exec_cpu" "$exec_tables" "$@" </dev/null
}
# looked PLACE: succeeds if a program has looked for libpfm4 since, where it is absent.
looked() {
	[ "$(find "$1/absent/libpfm.so.4" -anewer "$dir/2002")" ]
}
# failures LOG: of a failed test, as comments.
failures() {
	grep -A 20 '^not ok' "$1" | grep -v '^ok ' | sed 's/^/# /'
}
# skipped LOG: prints " # SKIP why" of a script that was skipped as a whole, by "1..0 # SKIP why" or by its only result.
skipped() {
	awk '/^ok / { n++ } / # SKIP / { why = substr($0, index($0, " # SKIP ")) } END { if (n < 2) print why }' "$1"
}
# result CPU TABLES TEST PLACE: prints it; a test that fails is run once more, as tools/check does it.
result() {
	what="$3 as $1, tables: $2" begin=$(date +%s) status=1
	for try in first second; do
		(exec_as "$1" "$2" "$4" "$srcdir/tests/$3.sh") >"$4/log" 2>&1 &
		script=$!
		wait $script && status=0 && break
		failures "$4/log"
	done
	case $status,$try in
	0,first) ;;
	0,second) echo "# UNSTEADY: $what" ;;
	*) echo "not ok - $what" ;;
	esac
	[ $status -ne 0 ] || echo "ok - $what$(skipped "$4/log")"
	echo "# $(($(date +%s) - begin)) s"
}
# run_once CPU TABLES TEST PLACE: prints the result, unless the same run is known.
run_once() {
	key=$dir/$(echo "$3" | tr / .),$(cpu_of "$3" "$1")
	if [ -e "$key" ] || ! mkdir "$key,$2" 2>/dev/null; then
		echo "# left out: $3 as $1, tables: $2: it was run where nothing differs for it"
		return
	fi
	result "$@"
	# Programs with rights of their own ignore $LD_LIBRARY_PATH.
	if [ "$2,$status,$try" = absent,0,first ] && ! looked "$4" && ! grep -q 'setcap\|setpriv\|need_nobody\|env -i' "$srcdir/tests/$3.sh"; then
		: >"$key"
	fi
}
# work: makes the results of all lines of $dir/tests that no other worker has begun.
work() {
	script=''
	trap 'kill $script 2>/dev/null; exit 1' TERM
	while read -r number cpu tables name <&4; do
		mkdir "$dir/$number" 2>/dev/null || continue
		run_once "$cpu" "$tables" "$name" "$dir/$number" >"$dir/$number/result"
		mv "$dir/$number/result" "$dir/$number/complete"
	done 4<"$dir/tests"
}
# gather: prints the results in the order of $dir/tests, each as soon as those before it are complete.
gather() {
	while read -r number rest; do
		until [ -e "$dir/$number/complete" ]; do
			sleep 0.2
		done
		count=$((count + $(grep -c '^ok\|^not ok' "$dir/$number/complete")))
		! grep -q '^not ok' "$dir/$number/complete" || failed=1
		sed -E "s/^(not )?ok /&$count /" "$dir/$number/complete"
	done <"$dir/tests"
}

# screens CPU: those that are shown there.
screens() {
	exec_as "$1" absent "$dir" "$TIPTOP" --list-screens
}
# Else all that follows would be about the CPU that is here.
[ "$(screens x86:06_8F)" != "$(screens x86:19_01)" ]
ok "another CPU has other screens" $?
exec_as other: absent "$dir" "$TIPTOP" --check | tr -s ' \n' ' ' | grep -q "a vendor's name needs libpfm4 .*which cannot be loaded"
ok "where libpfm4 is absent, it is not found" $?
looked "$dir" || echo "# the file system keeps no times of access: each test is run with all tables"
# Unit tests that ask libpfm4; those of other layers do not load it.
for test in screen/bind pmu/event screen/import; do
	for program in "$builddir/tests/unit/$test"/test_*; do
		case $program in
		*.*) continue ;; # an object, what it depends on, a log
		esac
		name=unit/$test/${program##*/}
		(exec_as other: absent "$dir" "$program") >"$dir/log" 2>&1
		status=$?
		[ $status -eq 0 ] || failures "$dir/log"
		ok "$name where libpfm4 is absent" $status
	done
done

number=0
while read -r scope cpu tables; do
	[ -n "$scope" ] || continue
	[ "$extent" = all ] || [ "$scope" = quick ] || continue
	[ $# -eq 0 ] || [ "${wanted#* "$cpu" }" != "$wanted" ] || continue
	tests=$quick_tests
	# It takes a minute: on one, which has the fewest screens.
	[ "$cpu" != other: ] || tests="$tests compat/effects"
	[ "$extent" != all ] || tests=$(all_tests)
	for test in $tests; do
		number=$((number + 1))
		echo "$number $cpu $tables $test"
	done
done >"$dir/tests" <<END
$cpu_table
END
while [ "$jobs" -gt 0 ]; do
	work &
	workers="$workers $!"
	jobs=$((jobs - 1))
done
gather
wait
echo "1..$count"
exit $failed
