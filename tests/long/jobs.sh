#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Real jobs under "tiptop -- command": the counts of the tasks add up to the command's total, to the last page fault; and
# test suites of this project run under it as without it.
# shellcheck source=../program/lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/../program/lib.sh"

reason=$("$work" can-count) || skip_all "$reason"

# Page faults as events, and as getrusage(2) has them, which counts those in the kernel, too.
cat >"$dir/faults" <<-XML
	<tiptop><screen name="faults">
	  <counter alias="fault" type="SOFTWARE" config="PAGE_FAULTS"/>
	  <column id="faults" header=" FAULTS" format="%8.0f" expr="fault"/>
	  <column id="rusage" header=" RUSAGE" format="%8.0f" expr="delta(MINFLT) + delta(MAJFLT)"/>
	</screen></tiptop>
XML

# number KEY FILE: of the JSON object in it; of events, their values.
number() {
	sed -n "s/.*\"$1\":\({\"value\":\)\{0,1\}\([-0-9.e+]*\).*/\2/p" "$2"
}

# job NAME COMMAND...
job() {
	job_name=$1
	shift
	rm -f "$out"
	"$tiptop" -b --only-conf -W "$dir/faults" --format json -o "$out" --values total -d 1000 -- "$@" >"$dir/printed" 2>"$err" </dev/null
	is "$job_name: status" $? 0
	grep '^{"type":"summary"' "$out" >"$dir/json"
	sed 's/"level".*//' "$dir/json" >"$dir/whole"
	sed 's/.*"ended"://; s/"programs":.*//' "$dir/json" >"$dir/ended"
	sed 's/.*"values"://' "$dir/json" >"$dir/values"
	own=$(grep '^{"type":"exit"' "$out" | sed -n 's/.*"faults":\([0-9]*\).*/\1/p' | tail -n 1)
	whole=$(number "SOFTWARE PAGE_FAULTS" "$dir/whole")
	within "$job_name: page faults, and no more than getrusage(2) has" "$whole" 1 "$(number rusage "$dir/values")"
	echo "# $job_name: CPU $(number cpu_s "$dir/whole") s, by getrusage(2) $(calc "$(number user_s "$dir/whole") + $(number system_s "$dir/whole")") s;" \
		"$(number tasks "$dir/ended") tasks have ended, $(number lost "$dir/ended") ends were lost"
	if ! grep -q '"level":"each"' "$dir/json"; then
		skip "$job_name: the sum" "this kernel does not tell what each task has counted"
	elif [ "$(number lost "$dir/ended")" -ne 0 ]; then
		skip "$job_name: the sum" "ends were lost on this busy machine"
	else
		ended=$(number "SOFTWARE PAGE_FAULTS" "$dir/ended")
		is "$job_name: the first task and all that ended are the whole" $((own + ended)) "$whole"
	fi
}

# Another shell is the first task, so that all others end before it.
job "a pipeline of five" sh -c 'seq 200000 | sort -r | uniq | tail -n 50000 | wc -l; true'
job "a parallel sort" sh -c 'seq 400000 | sort --parallel=4 -S 1M -T "$0" -r | tail -n 1; true' "$dir"
if command -v python3 >"$dir/text"; then
	job "multiprocessing" sh -c 'python3 -c "
import multiprocessing
def work(n):
    return sum(i * i for i in range(n))
if __name__ == \"__main__\":
    with multiprocessing.get_context(\"fork\").Pool(4) as pool:
        print(sum(pool.map(work, range(2000))))
        pool.close()
        pool.join()"; true'
else
	skip "multiprocessing" "python3 is missing"
fi
mkdir "$dir/build"
if (cd "$dir/build" && "${srcdir:?}/configure" --quiet) >"$dir/text" 2>&1; then
	job "make -j2 of this project" sh -c 'make -s -j2 -C "$0" libbase.a libconf.a; true' "$dir/build"
	is "make -j2 of this project: it is made" "$(ls "$dir/build/libbase.a" "$dir/build/libconf.a" | wc -l)" 2
else
	skip "make -j2 of this project" "configure fails: $(tail -n 1 "$dir/text")"
fi

# unharmed SUITE...: as many tests pass under tiptop as without, which are all.
unharmed() {
	for suite in "$@"; do
		rm -f "$out"
		(
			cd "$builddir" || exit
			TIPTOP=$tiptop srcdir=$srcdir builddir=$builddir
			export TIPTOP srcdir builddir
			exec "$tiptop" -b -o "$out" -d 1 -- "$suite"
		) >"$dir/printed" 2>"$err" </dev/null
		is "under tiptop: ${suite##*/}: status, and tests that fail" "$? $(grep -c '^not ok' "$dir/printed")" "0 0"
		grep '^not ok' "$dir/printed" | sed 's/^/# /'
		plan=$(sed -n 's/^1\.\.\([1-9][0-9]*\)$/\1/p' "$dir/printed")
		is "under tiptop: ${suite##*/}: all of its tests" "$(grep -c '^ok' "$dir/printed")" "$plan"
	done
}
for suite in batch command signals threads tree values; do
	unharmed "$srcdir/tests/program/$suite.sh"
done
for suite in "$builddir"/tests/unit/base/test_* "$builddir"/tests/unit/pmu/perf/test_* "$builddir"/tests/unit/record/test_* \
	"$builddir"/tests/unit/collect/task/test_*; do
	case $suite in
	*.o | *.log | *.trs) ;;
	*) [ ! -x "$suite" ] || unharmed "$suite" ;;
	esac
done
finish
