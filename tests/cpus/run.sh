#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/cpus/run.sh [all [CPU]...] - runs tests of the whole program as on other CPUs: their results must not depend on the
# CPU of this machine. Prints TAP, a result for each test on each CPU; of a failed test, its failures.
#
# $TIPTOP_CPU selects the CPU, $LIBPFM_FORCE_PMU the tables of libpfm4; "absent": without libpfm4. The kernel is that of this
# machine: it describes no events of that CPU, and counts none. Without "all", runs few of the tests, on few of the CPUs;
# with names of CPUs from the table, only on those.
#
# From the environment: TIPTOP, the program; srcdir and builddir.
set -u

# On x86, libpfm4 has no tables of Arm, and up to 4.13 none of Alder Lake and Zen 5: "perf" has but the kernel's own events.
#
# for   CPU                tables
cpu_table='
quick  x86:06_8F          spr
all    x86:06_8F          absent
all    x86:06_1A          nhm
all    x86:06_5E          skl
all    x86:06_9E          absent
all    x86:06_97          perf
all    x86:17_31          amd64_fam17h_zen2
quick  x86:19_01          amd64_fam19h_zen3
all    x86:19_01          absent
all    x86:19_11          amd64_fam19h_zen4
all    x86:1A_02          perf
quick  arm64:41_D0C_R31   absent
all    arm64:41_D40       perf
quick  other:             absent
all    other:             perf
'
# Those that look at screens and events of the machine, and are quick.
quick_tests='program/system-examples program/check program/list program/replay program/screens program/output-examples'

extent=${1-quick}
case $#,$extent in
0,quick | *,all) ;;
*) echo "usage: tests/cpus/run.sh [all [CPU]...]" >&2 && exit 2 ;;
esac
[ $# -eq 0 ] || shift
wanted=" $* "
for cpu; do
	echo "$cpu_table" | grep -Fq -e " $cpu " && continue
	echo "tests/cpus/run.sh: '$cpu' is not in its table" >&2
	exit 2
done
: "${TIPTOP:?}" "${builddir:?}"
count=0 failed=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$dir/absent"
: >"$dir/absent/libpfm.so.4"

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
# as CPU TABLES COMMAND...
as() (
	TIPTOP_CPU=$1
	export TIPTOP_CPU
	if [ "$2" = absent ]; then
		LD_LIBRARY_PATH=$dir/absent
		export LD_LIBRARY_PATH
	else
		LIBPFM_FORCE_PMU=$2
		export LIBPFM_FORCE_PMU
	fi
	shift 2
	"$@" </dev/null
)
# result CPU TABLES TEST: a test that fails is run once more, as tools/check does it.
result() {
	as "$1" "$2" "$srcdir/tests/$3.sh" >"$dir/log" 2>&1
	status=$?
	if [ $status -ne 0 ]; then
		grep -A 4 '^not ok' "$dir/log" | sed 's/^/# /' >"$dir/first"
		as "$1" "$2" "$srcdir/tests/$3.sh" >"$dir/log" 2>&1
		status=$?
		[ $status -ne 0 ] || echo "# UNSTEADY: $3 as $1, tables: $2"
		cat "$dir/first"
	fi
	ok "$3 as $1, tables: $2" $status
}

# screens CPU: those that are shown there.
screens() {
	as "$1" absent "$TIPTOP" --list-screens
}
# Else all that follows would be about the CPU that is here.
[ "$(screens x86:06_8F)" != "$(screens x86:19_01)" ]
ok "another CPU has other screens" $?
as other: absent "$TIPTOP" --check | tr -s ' \n' ' ' | grep -q "a vendor's name needs libpfm4 .*which is not there"
ok "where libpfm4 is absent, it is not found" $?
# Unit tests that ask libpfm4; those of other layers do not load it.
for test in screen/bind pmu/event screen/import; do
	for program in "$builddir/tests/unit/$test"/test_*; do
		case $program in
		*.*) continue ;; # an object, what it depends on, a log
		esac
		name=unit/$test/${program##*/}
		as other: absent "$program" >"$dir/log" 2>&1
		status=$?
		[ $status -eq 0 ] || grep -A 4 '^not ok' "$dir/log" | sed 's/^/# /'
		ok "$name where libpfm4 is absent" $status
	done
done

while read -r scope cpu tables; do
	[ -n "$scope" ] || continue
	[ "$extent" = all ] || [ "$scope" = quick ] || continue
	[ $# -eq 0 ] || [ "${wanted#* "$cpu" }" != "$wanted" ] || continue
	tests=$quick_tests
	# It takes a minute: on one, which has the fewest screens.
	[ "$cpu" != other: ] || tests="$tests compat/effects"
	[ "$extent" != all ] || tests=$(all_tests)
	for test in $tests; do
		result "$cpu" "$tables" "$test"
	done
done <<END
$cpu_table
END
echo "1..$count"
exit $failed
