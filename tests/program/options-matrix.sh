#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The options that select the output of a table, for each command: each pair either works, as its output shows, or is refused
# in one sentence with the reason.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# run WORD...: tiptop with these; what stands for the name of a file is empty before.
file=$dir/file
run() {
	rm -f "$file"
	"$tiptop" "$@" >"$out" 2>"$err" </dev/null 3>&-
}

# refused NAME REASON WORD...: with status 2 and one sentence, before anything is run.
refused() {
	refused_name=$1 reason=$2
	shift 2
	run "$@"
	is "$refused_name: is refused" "$? $(cat "$out")" "2 "
	is "$refused_name: with the reason" "$(cat "$err")" "tiptop: $reason"
}

# no_table COMMAND REASON OPTION...: none of the options is one of the command.
no_table() {
	command=$1 why=$2
	shift 2
	for option in "$@"; do
		case $option in
		--append | --heat | -o) argument='' ;;
		*) argument='=1' ;;
		esac
		# shellcheck disable=SC2086 # of two words
		refused "$command $option" "'$option' is an option of tables: tiptop $command $why" $command $option$argument -- true
	done
}

work_start "name=matrix$$" wait

# live batch: rows of one task.
live="-b -S software -n 1 -d 0.1 -i -p $worker"
# shellcheck disable=SC2086
{
	run $live --format csv --fields pid,name
	is "batch --format, --fields" "$(cat "$out")" "pid,name
$worker,matrix$$"
	run -b -S software -n 1 -d 0.1 -i --format csv --fields pid --sort pid:asc --rows 2
	is "batch --rows" "$(wc -l <"$out")" 3
	is "batch --sort" "$(sed 1d "$out" | sort -n -c 2>&1)" ""
	run $live --format csv --fields pid -o "$file"
	"$tiptop" $live --format csv --fields pid -o "$file" --append 2>"$err"
	is "batch -o, --append" "$(cat "$file")" "pid
$worker
$worker"
	refused "batch --append without -o" "--append is for a file: name it with -o" $live --append
}
work_end

# The reports of commands that are run: has COMMAND NAME FIELD WORD...: which has names in NAME, and counts in FIELD; the
# command behind "--".
has() {
	command=$1 name=$2 field=$3
	shift 3
	run "$command" --format csv --fields "$name,$field" -o "$file" -- "$@"
	is "$command --format, --fields, -o: the header" "$(head -n 1 "$file")" "$name,$field"
	[ "$(sed 1d "$file" | wc -l)" -gt 2 ]
	ok "$command: rows" $?
	run "$command" --format csv --fields "$field" --sort "$field:asc" -o "$file" -- "$@"
	is "$command --sort :asc, in each part of the report" \
		"$(awk 'NR > 1 && $1 != "" { n += $1 < last; last = $1 } END { print n <= 2 }' "$file")" 1
	run "$command" --format csv --fields "$name" --rows 1 -o "$file" -- "$@"
	within "$command --rows: one of each part" "$(sed 1d "$file" | wc -l)" 1 3
	run "$command" --rows 1 --sort "$field" -o "$file" -- "$@"
	grep -q '^# ' "$file"
	ok "$command: text with all columns" $?
	run "$command" --fields "$field,$name" -o "$file" -- "$@"
	matches "$command --fields: text" "$(grep "^#$field" "$file")" "#$field +$name"
	run "$command" --format csv --fields "$name,$field" -o "$file" -- "$@"
	"$tiptop" "$command" --format csv --fields "$name,$field" -o "$file" --append -- "$@" >"$out" 2>"$err" 3>&-
	is "$command --append: status" $? 0
	is "$command --append: one header" "$(grep -c "^$name,$field$" "$file")" 1
	cp "$file" "$dir/copy"
	for other in "--fields $name" "--format json" "--format text"; do
		# shellcheck disable=SC2086
		"$tiptop" "$command" --format csv $other -o "$file" --append -- touch "$dir/ran" >"$out" 2>"$err" 3>&-
		is "$command --append behind another header ($other): status" "$?" 1
		matches "$command --append behind another header ($other): why" "$(cat "$err")" \
			"tiptop: cannot append to '$file': it does not begin with '[^']*': name another file, or leave out --append to overwrite it"
	done
	cmp -s "$file" "$dir/copy" && [ ! -e "$dir/ran" ]
	ok "$command --append behind another header: nothing has changed, and nothing ran" $?
	if command -v jq >/dev/null; then
		run "$command" --format json --fields "$name,$field" -o "$file" -- "$@"
		is "$command --fields: JSON" "$(grep "\"type\":\"[a-z]*\",\"$name\"" "$file" | jq -r 'keys_unsorted - ["type", "'"$field"'"] | join(",")' | sort -u)" "$name"
	else
		skip "$command --fields: JSON" "there is no jq"
	fi
	refused "$command --append without -o" "--append is for a file: name it with -o" "$command" --append -- "$@"
	run "$command" --sort "$field:up" -- touch "$dir/ran"
	is "$command: an order that there is not" "$(cat "$err")" \
		"tiptop: --sort: '$field' may be followed by ':asc' or ':desc', not ':up'"
	[ ! -e "$dir/ran" ]
	ok "$command: nothing ran" $?
	no_table "$command" 'has colours on the live screen alone: --live' --heat
}
# unknown COMMAND: a field that it does not have.
unknown() {
	command=$1
	run "$command" --fields nonsense -- touch "$dir/ran"
	is "$command: a field that there is not" "$? $(cat "$out")" "2 "
	matches "$command: a field that there is not: why" "$(cat "$err")" \
		"tiptop: --fields: tiptop $command has no field 'nonsense': its fields are [a-z_, ]*"
	[ ! -e "$dir/ran" ]
	ok "$command: a field that there is not: nothing ran" $?
}
for command in locks calls; do
	refused "$command: the report and the stacks in one file" \
		"the report (-o) and the stacks (--folded) would overwrite each other in '$file': name two files" \
		$command -o "$file" --folded "$file" -- touch "$dir/ran"
done
echo "rule" >"$dir/input"
refused "locks: the report over its rules" "the report (-o) would overwrite the rules (--rules), '$dir/input': name another file" \
	locks --rules "$dir/input" -o "$dir/input" -- touch "$dir/ran"
refused "calls: the stacks over its functions" \
	"the stacks (--folded) would overwrite the functions (--functions), '$dir/input': name another file" \
	calls --functions "$dir/input" --folded "$dir/input" -- touch "$dir/ran"
is "locks and calls: the files are as before, and nothing ran" "$(cat "$dir/input") $(ls "$dir/ran" 2>/dev/null)" "rule "
if [ -e "$(dirname "$tiptop")/tiptop-locks.so" ]; then
	has locks name acquisitions "$builddir/tests/program/locker" mutex
	has calls name self_ns sh -c ': $(ls /)'
	unknown locks
	unknown calls
else
	skip "locks and calls" "the objects are not beside the program"
fi

# Regions: programs are linked with libtiptop, and name their units of work.
cat >"$dir/regions.c" <<'END'
#include <tiptop.h>

TT_REGION(first, "first");
TT_REGION(second, "second");
TT_REGION(third, "third");

int main(int argc, char **argv)
{
	for (int i = 0; i < 9; i++) {
		TT_BEGIN(first);
		if (i % 2) {
			TT_BEGIN(second);
			TT_WORK(second, argc > 1 ? argv[1] : "tiles", 3);
			TT_END(second);
		}
		TT_END(first);
	}
	TT_BEGIN(third);
	TT_END(third);
	return 0;
}
END
if gcc -std=gnu11 -O1 -I "${srcdir:?}/include" "$dir/regions.c" -o "$dir/regions" "$builddir/libtiptop.so.0" -Wl,-rpath,"$builddir" >"$out" 2>"$err"; then
	own_tables
	has regions label calls "$dir/regions"
	run regions --format csv --fields label,tiles --sort calls --rows 2 -- "$dir/regions"
	is "regions: a unit of work, as the program says it" "$(cat "$out")" "label,tiles
first,
second,12"
	matches "regions: which is said to be no other field" "$(cat "$err")" \
		"tiptop: regions: .*'tiles'.*; or units of work, which the program says when it runs"
	run regions -e page-faults --format csv --fields label,"page-faults state" --sort label:desc -- "$dir/regions"
	is "regions: an event" "$(cat "$out" "$err")" "label,page-faults state
third,exact
second,exact
first,exact"
	run regions --fields label,nonsense --format csv -- "$dir/regions"
	is "regions: a field that no process has" "$? $(tail -n 1 "$out")" "1 third,"
	matches "regions: a field that no process has: why" "$(tail -n 1 "$err")" "tiptop: .*'nonsense'.*label, calls, .*tiles.*"
	TIPTOP_REGIONS='' "$tiptop" regions --format csv -o "$file" -- "$dir/regions" 2>"$err"
	TIPTOP_REGIONS='' "$tiptop" regions --format csv -o "$file" --append -- "$dir/regions" 2>"$err"
	is "regions --append: one header, with units of work" "$(grep -c '^type,' "$file") $(wc -l <"$file")" "1 7"
	cp "$file" "$dir/copy"
	TIPTOP_REGIONS='' "$tiptop" regions --format csv -o "$file" --append -- "$dir/regions" sheets >"$out" 2>"$err"
	is "regions --append behind other units of work: the file stays" "$? $(cmp "$file" "$dir/copy")" "1 "
	matches "regions --append behind other units of work: why" "$(cat "$err")" \
		"tiptop: cannot append to '$file': it does not begin with 'type,.*,\"sheets\",.*': .*; this report is on standard output"
	is "regions --append behind other units of work: the report" "$(sed 's/,.*//' "$out" | uniq -c | tr -s ' \n' ' ')" " 1 type 3 region "
	TMPDIR=$dir TIPTOP_REGIONS='' "$tiptop" regions --format csv -o "$file" --append -- "$dir/regions" sheets >/dev/full 2>"$err"
	is "regions --append behind other units of work, standard output is full: the report is kept" \
		"$(sed -n "s/.*; the report is in '\(.*\)' instead/\1/p" "$err" | xargs sed 's/,.*//' | uniq -c | tr -s ' \n' ' ')" " 1 type 3 region "
	rm -f "$dir"/tiptop-report.*
	"$tiptop" regions -e page-faults --format csv -o "$file" --append -- touch "$dir/ran" 2>"$err"
	is "regions --append behind other events" "$? $(wc -l <"$file")" "1 7"
	[ ! -e "$dir/ran" ]
	ok "regions --append behind other events: nothing ran" $?
else
	skip "regions" "no program can be built with libtiptop here"
fi

# compares NAME FIELDS SORTED FIELD WORD...: tiptop compare with these; FIELDS has two columns of CSV.
compares() {
	name=$1 fields=$2 sorted=$3
	shift 3
	run compare "$@" --format csv --fields "$fields" --sort "$sorted:asc" -o "$file"
	is "compare $name --format, --fields, -o: the header" "$(head -n 1 "$file")" "$fields"
	[ "$(sed 1d "$file" | wc -l)" -gt 2 ]
	ok "compare $name: rows" $?
	is "compare $name --sort :asc: one order of all rows, what is not known behind it" \
		"$(awk -F, 'NR > 1 && $2 != "" { n += none || (some && $2 + 0 < last + 0); last = $2; some = 1 }
			NR > 1 && $2 == "" { none = 1 } END { print n + 0 }' "$file")" 0
	"$tiptop" compare "$@" --format csv --fields "$fields" -o "$file" --append >"$out" 2>"$err" </dev/null
	is "compare $name --append: status" $? 0
	is "compare $name --append: one header" "$(grep -c "^$fields$" "$file")" 1
	cp "$file" "$dir/copy"
	for other in "--fields $sorted" "--format json" "--format text"; do
		# shellcheck disable=SC2086
		"$tiptop" compare "$@" --format csv $other -o "$file" --append >"$out" 2>"$err" </dev/null
		is "compare $name --append behind another header ($other): status" "$?" 1
	done
	cmp -s "$file" "$dir/copy"
	ok "compare $name --append behind another header: nothing has changed" $?
	run compare "$@" --fields "$fields" -o "$file"
	matches "compare $name --fields: text" "$(grep '^#[a-z]' "$file")" "#${fields%%,*} +${fields##*,} *"
	run compare "$@" --fields nonsense
	is "compare $name: a field that there is not" "$? $(cat "$out")" "2 "
	matches "compare $name: a field that there is not: why" "$(cat "$err")" \
		"tiptop: --fields: tiptop compare has no field 'nonsense': its fields are [a-z_, ]*"
	refused "compare $name --append without -o" "--append is for a file: name it with -o" compare "$@" --append
	if command -v jq >/dev/null; then
		run compare "$@" --format json --fields "$fields" --sort "$sorted" -o "$file"
		is "compare $name --fields: JSON" \
			"$(jq -r '(if .rows then .rows[] else . end) | del(.type) | keys_unsorted | join(",")' "$file" | sort -u)" "$fields"
	else
		skip "compare $name --fields: JSON" "there is no jq"
	fi
}
golden=${srcdir:?}/tests/golden
compares "of locks" name,change_pct change_pct "$golden/locks/plain-json.txt" "$golden/locks/kinds-json.txt"
compares "of calls" name,mean_a mean_a "$golden/calls/plain-json.txt" "$golden/calls/events-json.txt"
compares "of regions" phase,mean_b mean_b "$golden/saved/regions-a.txt" "$golden/saved/regions-b.txt"
compares "--run" measure,mean_a mean_a --run true --run true --repeat 3
run compare --run true --run true --repeat 3 --rows 1 --format csv
is "compare --run --rows" "$(wc -l <"$out" | tr -d ' ')" 2
run compare --run "touch $dir/ran" --run true --fields nonsense
[ ! -e "$dir/ran" ]
ok "compare --run: nothing ran" $?
if "$tiptop" -b -n 6 -d 0.05 -S software --record "$dir/compared.db" >"$out" 2>"$err" </dev/null; then
	compares "of recordings" column,mean_a mean_a "$dir/compared.db" "$dir/compared.db"
else
	skip "compare of recordings" "$(tail -n 1 "$err")"
fi

# Lists.
for list in events columns filters screens; do
	run --list-$list --format csv --fields name -o "$file"
	is "--list-$list --format, --fields, -o" "$(head -n 1 "$file")" name
	"$tiptop" --list-$list --format csv --fields name -o "$file" --append 2>"$err"
	is "--list-$list --append: one header" "$(grep -c '^name$' "$file")" 1
	"$tiptop" --list-$list --format json -o "$file" --append 2>"$err"
	is "--list-$list --append behind another header" $? 1
	run --list-$list --format csv --fields name --sort name --rows 3
	within "--list-$list --rows" "$(wc -l <"$out")" 1 4
	is "--list-$list --sort" "$(sed 1d "$out" | sort -c 2>&1)" ""
	run --list-$list --fields name --rows 1
	is "--list-$list --fields: text" "$(head -n 1 "$out")" "#name"
	run --list-$list --fields colour
	is "--list-$list: a field that there is not" "$?" 2
done

(cd "$dir" && run --list-columns --format csv --fields name --rows 1 -o -)
is "--list-columns -o -: standard output" "$(head -n 1 "$out") $(ls "$dir/-" 2>/dev/null)" "name "

# That '-' is standard output holds for each command with -o.
# dash NAME PATTERN WORD...: standard output has a line like the pattern, and there is no file of this name.
dash() {
	dash_name=$1 pattern=$2
	shift 2
	(cd "$dir" && run "$@")
	[ ! -e "$dir/-" ] && grep -Eqx -- "$pattern" "$out"
	ok "$dash_name -o -: standard output, and no file '-'" $?
	rm -f "$dir/-"
}
dash follow 'time_s,pid,.*' follow --format csv -c task-clock -o - -- true
if [ -e "$(dirname "$tiptop")/tiptop-locks.so" ]; then
	dash locks '# locks of process .*' locks -o - -- "$work" touch=1
	dash calls '# library calls of process .*' calls -o - -- "$work" touch=1
fi
if [ -e "$dir/compared.db" ]; then
	dash report '<!DOCTYPE html>.*' report "$dir/compared.db" -o -
	"$tiptop" report "$dir/compared.db" -o - >/dev/full 2>"$err"
	is "report -o -: a full disk" "$? $(cat "$err")" "1 tiptop: cannot write to standard output: No space left on device"
else
	skip "report -o -" "nothing is recorded"
fi

# A reader that closes the pipe has enough: this is no failure.
mkfifo "$dir/closed"
# enough WORD...: of a command that ends when the reader has closed the pipe.
enough() {
	{
		"$tiptop" "$@" 2>"$err"
		echo $? >"$dir/status"
	} | {
		exec <&-
		echo go >"$dir/closed"
	}
	is "$1: a reader that has enough" "$(cat "$dir/status") $(cat "$err")" "0 "
}
if [ -e "$(dirname "$tiptop")/tiptop-locks.so" ]; then
	# shellcheck disable=SC2016 # for the shells that are measured
	for command in locks calls; do
		enough $command -- sh -c 'read -r x <"$0"' "$dir/closed"
	done
fi
enough compare -S software --repeat 1 --shell --run true --run "read -r x <$dir/closed"

# Rows that come as they are made: tiptop follow.
run follow --format csv -c task-clock -o "$file" -- true
"$tiptop" follow --format csv -c task-clock -o "$file" --append -- true 2>"$err"
is "follow --append: status" $? 0
is "follow --append: one header" "$(head -n 1 "$file" | grep -cxFf - "$file")" 1
[ "$(wc -l <"$file")" -ge 3 ]
ok "follow --append: rows of both" $?
cp "$file" "$dir/copy"
rm -f "$dir/ran"
"$tiptop" follow --format json -c task-clock -o "$file" --append -- touch "$dir/ran" 2>"$err"
is "follow --append behind another header: status" $? 1
cmp -s "$file" "$dir/copy" && [ ! -e "$dir/ran" ]
ok "follow --append behind another header: nothing has changed, and nothing ran" $?
echo '{"type":"locks","pid":1}' >"$file"
"$tiptop" follow --format json -c task-clock -o "$file" --append -- touch "$dir/ran" 2>"$err"
is "follow --append behind another report in JSON" "$? $(cat "$err")" \
	"1 tiptop: cannot append to '$file': it does not begin with '{\"type\":\"follow\",': name another file, or leave out --append to overwrite it"
[ ! -e "$dir/ran" ]
ok "follow --append behind another report: nothing ran" $?
run follow --format json -c task-clock -o "$file" -- true
"$tiptop" follow --format json -c task-clock --fields pid -o "$file" --append -- true 2>"$err"
is "follow --append behind rows in JSON" "$? $(cat "$err")" "0 "
refused "follow --append without -o" "--append is for a file: name it with -o" follow --append -- true
refused "system --raw --append without -o" "--append is for a file: name it with -o" \
	system --raw -c task-clock --append 1 1


# Fields of such rows.
run follow --format csv -c task-clock --fields event,pid,task-clock -o "$file" --record "$dir/followed.db" -- true
is "follow --fields: the header" "$(head -n 1 "$file")" event,pid,task-clock
matches "follow --fields: rows" "$(tail -n 1 "$file")" 'exit,[0-9]+,[0-9.]+'
cp "$file" "$dir/copy"
"$tiptop" follow --format csv -c task-clock --fields pid -o "$file" --append -- true 2>"$err"
is "follow --fields, --append behind other fields" "$? $(cmp "$file" "$dir/copy")" "1 "
run follow --replay "$dir/followed.db" --format csv --fields event,pid,task-clock -o "$file"
is "follow --fields, --replay: the same rows" "$(cat "$file")" "$(cat "$dir/copy")"
dash "follow --replay" event,pid,task-clock follow --replay "$dir/followed.db" --format csv --fields event,pid,task-clock -o -
run follow --replay "$dir/followed.db" --fields cycles
is "follow --replay: a field that was not recorded" "$? $(cat "$err")" \
	"1 tiptop: --fields: tiptop follow has no field 'cycles': its fields are time_s, pid, lwp, event, task-clock, quality, remark"
run follow --no-header -c task-clock --fields event,task-clock -o "$file" -- true
matches "follow --fields: text" "$(tail -n 1 "$file")" 'exit +[0-9]+'
if command -v jq >/dev/null; then
	run follow --format json -c task-clock,page-faults --fields page-faults,pid -o "$file" -- true
	is "follow --fields: JSON" "$(jq -r 'keys_unsorted | join(",")' "$file" | sort -u)" type,page-faults,pid
fi
rm -f "$dir/ran"
run follow -c task-clock --fields pidd -- touch "$dir/ran"
is "follow: a field that there is not" "$? $(cat "$err")" \
	"2 tiptop: --fields: tiptop follow has no field 'pidd' (did you mean 'pid'?): its fields are time_s, pid, lwp, event, task-clock, quality, remark"
[ ! -e "$dir/ran" ]
ok "follow: nothing ran" $?
run system --raw -c task-clock -c page-faults --fields cpu,pic -o "$file" 1 1
is "system --raw: a field that there is not" "$? $(cat "$err")" \
	"2 tiptop: --fields: tiptop system --raw has no field 'pic' (did you mean 'pic0'?): its fields are time_s, cpu, cpus, event, pic0, quality, remark"
[ ! -e "$file" ]
ok "system --raw: nothing was written" $?
run system --raw -c task-clock --fields cpu,task-clock --format csv -o "$file" 0.1 1
status=$?
if [ "$status" -eq 0 ]; then
	is "system --raw --fields" "$(head -n 1 "$file")" cpu,task-clock
else
	skip "system --raw --fields" "CPUs cannot be counted here: $(cat "$err")"
fi

# What a command of its own kind prints.
no_table follow 'prints each row when something happens' --rows --sort --heat
no_table system 'prints a line at a time' --rows --sort --append --heat
no_table "system --raw" 'has the options and the lines of cpustat' --rows --sort --heat
no_table compare 'has no live screen, and so no colours' --heat
refused "compare --run --heat" "'--heat' is an option of tables: tiptop compare has no live screen, and so no colours" \
	compare --run true --run true --heat
no_table what 'prints sentences' --fields --sort --append --heat
no_table plot 'draws a picture' --format --fields --sort --append --heat
no_table import 'prints a screen for a configuration file' --fields --rows --sort -o --append --heat

finish
