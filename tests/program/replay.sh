#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --replay: shows a recording as the machine was shown live.

recordings=$(cd "$(dirname "$0")/../golden/record" && pwd)
old=$recordings/version-1.sql
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

file=$dir/r.db
confine=$builddir/tests/program/confine

if "$tiptop" -b -n 1 -d 0.1 --record "$file" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi
rm -f "$file"

# The screen that is compared is the first one: before it, a recording may have others than the machine, since it does not
# know which events the kernel described there.
first="--screens=software -S software"

# is_as_then NAME FILE1 FILE2
is_as_then() {
	without_waits "$2" >"$dir/waits-1"
	without_waits "$3" >"$dir/waits-2"
	cmp "$dir/waits-1" "$dir/waits-2"
	ok "$1" $?
}
# replay OPTION...
replay() {
	"$tiptop" -b --screens=software --replay "$file" "$@" >"$out" 2>"$err" 3>&-
}
# refuses NAME STATUS PATTERN OPTION...
refuses() {
	refused=$1 wanted=$2 pattern=$3
	shift 3
	"$tiptop" -b "$@" >"$out" 2>"$err" 3>&-
	is "$refused: status" "$?" "$wanted"
	matches "$refused: a sentence" "$(cat "$err")" "$pattern"
}

work_start name=rep$$ wait touch=300 wait
# shellcheck disable=SC2086 # several options
"$tiptop" -b $first -d 0.1 -n 6 -i --record "$file" -o "$dir/then" >"$out" 2>"$err" 3>&- &
monitor=$!
await grep -q "rep$$" "$dir/then"
feed
wait "$monitor"
monitor=''
work_end
replay -i
ok "it is replayed" $?
is_as_then "as it was, byte for byte but for waits" "$dir/then" "$out"
replay -p "rep$$" -i
is "only one task" "$(awk '$NF ~ /^rep/ { n++ } END { print (n > 3) }' "$out")" 1
is "no others" "$(awk '/COMMAND/ { on = 1; next } on && NF && $NF !~ /^rep/ && $NF != "DEAD"' "$out" | wc -l | tr -d ' ')" 0
replay --group program -i
is "groups" "$(awk -v name="rep$$" '$1 == name { print $NF; exit }' "$out")" 1
replay -i -S branch
is "another screen, of which nothing was counted" "$(grep -c "the recording lacks counters of the screen 'branch'" "$err")" 1
replay -i -S memory
# On a CPU that the screen is not for, it cannot be chosen.
is "one with events of some CPUs only" \
	"$(grep -c "the recording lacks counters of the screen 'memory'\|the screen 'memory' cannot be shown here" "$err")" 1
replay -H
is "threads that were not recorded" "$(grep -c 'threads were not recorded' "$err")" 1
cat >"$dir/rc" <<'XML'
<tiptop><screen name="mine"><counter alias="a" type="SOFTWARE" config="PAGE_FAULTS"/>
  <column header=" FAULTS" format="%8.0f" expr="delta(a)"/></screen></tiptop>
XML
"$tiptop" -b -W "$dir/rc" -S mine -d 0.1 -n 1 -p $$ --record "$dir/user.db" >"$out" 2>"$err" 3>&-
"$tiptop" -b -K -i --replay "$dir/user.db" >"$out" 2>"$err" 3>&-
is "the kernel, of which nothing was counted" "$(grep -c "the recording lacks counters of the screen 'mine'" "$err")" 1
is "is unknown" "$(awk -v pid=$$ '$1 == pid { print $2 }' "$out")" '?'

# Counters that could not be counted then: the reason of then is told, as it was when it was recorded.
"$confine" true 2>/dev/null
if [ $? != 99 ]; then
	"$confine" "$tiptop" -b -W "$dir/rc" -S mine -d 0.1 -n 1 -p $$ --record "$dir/denied.db" >"$out" 2>"$err" 3>&-
	grep -q 'seccomp' "$err"
	ok "a counter that is refused: the reason is told when it is recorded" $?
	"$tiptop" -b -i --replay "$dir/denied.db" >"$out" 2>"$err" 3>&-
	matches "and when it is replayed" "$(cat "$err")" \
		".*: the screen 'mine' has unknown numbers: the kernel did not let 'SOFTWARE PAGE_FAULTS' be counted when this was recorded; .*"
	if command -v sqlite3 >/dev/null; then
		sqlite3 "$dir/denied.db" "UPDATE event SET quality = 15"
		"$tiptop" -b -i --replay "$dir/denied.db" >"$out" 2>"$err" 3>&-
		matches "an event that its machine did not have" "$(cat "$err")" \
			".*: the screen 'mine' has unknown numbers: the machine of the recording has no event 'SOFTWARE PAGE_FAULTS'"
	else
		skip "an event that its machine did not have" "there is no sqlite3"
	fi
else
	skip "a counter that is refused when it is recorded" "no seccomp filter can be set here"
fi
# ids FORMAT FIELD OPTION...: what the rows of all samples are of, in their order. In CSV, a name may be quoted.
ids() {
	format=$1 field=$2
	shift 2
	case $format in
	text) replay -i "$@" && awk '/ COMMAND/ { on = 1; next } on && NF { sub(/[+-]$/, "", $1); print $1 }' "$out" ;;
	csv) replay -i --format csv --fields "$field" "$@" && sed '1d; s/^"\(.*\)"$/\1/; s/""/"/g' "$out" ;;
	json) replay -i --format json "$@" && jq -r "select(.type == \"refresh\") | .rows[].$field" "$out" ;;
	esac
}
if command -v jq >"$dir/text"; then
	for option in --rows=3 --sort=pid --sort=cpu:asc "--filter=command == 'rep$$' or pid == 1"; do
		ids text pid "$option" >"$dir/text"
		for format in csv json; do
			ids $format pid "$option" | cmp -s "$dir/text" -
			ok "$option: the same rows in the same order in $format" $?
		done
		within "$option: the number" "$(wc -l <"$dir/text")" 3 100000
	done
	ids csv name --group=program >"$dir/text"
	ids json name --group=program | cmp -s "$dir/text" -
	ok "the same groups in CSV and JSON" $?
	within "the number" "$(wc -l <"$dir/text")" 3 100000
else
	skip "the same rows in the same order in all formats" "there is no jq"
fi
# The time of the third refresh, whenever that was, as one before the end.
third=$("$tiptop" -b -i --format csv --fields mono_s --replay "$file" 2>"$err" |
	sed 1d | uniq | awk '{ t[NR] = $1 } END { print t[3] - t[NR] }')
replay -i --from="$third"
within "from a time on" "$(grep -c '^$' "$out")" 2 6
replay -i --to="$third"
within "up to a time" "$(grep -c '^$' "$out")" 2 6
replay -u "$(id -un)" -i
within "a user, by the name that he had then" "$(grep -c "rep$$" "$out")" 4 9

"$tiptop" -b -i -d 7 -n 1 --replay "$file" >"$out" 2>"$err" 3>&-
is "the delay is that of the recording" "$(sed -n 's/^delay: \([0-9.]*\) .*/\1/p' "$out" | head -n 1)" 0.10

# --- a clock that was set, and several runs ---

# shown OPTION...: how many samples, and of how many runs by their clocks.
shown() {
	"$tiptop" -b -i --screens=software --replay "$dir/set.db" --format csv --fields timestamp "$@" 2>"$err" 3>&- |
		sed 1d | uniq | awk '{ y = substr($0, 1, 4); years[y]++ } END { for (y in years) n++; print NR + 0, n + 0 }'
}
if command -v sqlite3 >"$dir/text"; then
	cp "$file" "$dir/set.db"
	first_run=$(shown)
	n=${first_run% *}
	# A day back behind the third sample, as by NTP; then the second run begins in 1970.
	# shellcheck disable=SC2086 # several options
	"$tiptop" -b $first -d 0.1 -n 4 -i --record "$dir/set.db" >"$out" 2>"$err" 3>&-
	both=$(shown)
	all=${both% *}
	sqlite3 "$dir/set.db" "UPDATE sample SET wall_ns = wall_ns - 86400000000000 WHERE id > 3 AND run = 1;
		UPDATE sample SET wall_ns = mono_ns - (SELECT min(mono_ns) FROM sample WHERE run = 2) + 10000000000 WHERE run = 2"
	# span RUN OFFSET SECONDS: from the first sample of a run to another one of it, and some seconds.
	span() {
		sqlite3 "$dir/set.db" "SELECT printf('%.3f', (mono_ns - (SELECT min(mono_ns) FROM sample WHERE run = $1)) / 1e9 + $3)
			FROM sample WHERE run = $1 ORDER BY id LIMIT 1 OFFSET $2"
	}
	last=$(sqlite3 "$dir/set.db" "SELECT count(*) - 1 FROM sample WHERE run = 2")
	part=$(span 1 1 0.001)
	is "a clock that was set: all is there" "$(shown)" "$all 2"
	is "from its begin on, too" "$(shown --from +0)" "$all 2"
	is "up to its end" "$(shown --to -0)" "$all 2"
	is "the end of the second run is cut off" "$(shown --to "-$(span 2 "$last" -0.05)")" "$n 1"
	is "what comes behind the first is the second" "$(shown --from "-$(span 2 "$last" -0.05)" | sed 's/.* //')" 1
	half=$(shown --to "+$part")
	within "a part of the first run" "${half% *}" 1 $((n - 1))
	is "a time that the clock showed in 1970" "$(TZ=UTC shown --to '1970-01-01 00:00:10')" "$n 1"
	"$tiptop" what "$dir/set.db" --from +0 --to "+$part" --format json >"$dir/part" 2>"$err" 3>&-
	"$tiptop" what "$dir/set.db" --format json >"$dir/whole" 2>"$err" 3>&-
	is "what: a part of it" "$(cat "$dir/part" "$dir/whole" |
		sed -n 's/.*"intervals": *\([0-9]*\).*/\1/p' | tr '\n' ' ')" "${half% *} $all "
	"$tiptop" compare "$dir/set.db,to=+$part" "from=+$part" --format json >"$out" 2>"$err" 3>&-
	ok "compare: both parts have intervals" $?
else
	skip "a clock that was set" "there is no sqlite3"
fi

# --- nothing is asked of this machine ---

if strace -o "$dir/calls" true 2>"$dir/text"; then
	strace -f -o "$dir/calls" -e trace=file,network,perf_event_open,kill \
		"$tiptop" -b -i -S tasks -u "$(id -un)" --replay "$file" >"$out" 2>"$err" 3>&-
	within "the names of users are there" "$(grep -c " $(id -un) .*rep$$" "$out")" 1 9
	# What the loader and the C library look for is of the program, not of what it shows.
	is "neither of its tasks, nor of its users, nor of its CPUs" \
		"$(grep -E 'perf_event_open|socket|connect|kill\(|"/proc/[0-9]|"/proc"|"/sys|/etc/(passwd|group|nsswitch)' "$dir/calls" |
			head -n 3)" ""
	within "of calls that were looked at" "$(wc -l <"$dir/calls")" 5 5000
else
	skip "neither of its tasks, nor of its users, nor of its CPUs" "strace cannot be used: $(head -n 1 "$dir/text")"
fi

# --- where it cannot be written, and where it still is ---

mkdir "$dir/still"
mv "$file" "$dir/still"
file=$dir/still/r.db
chmod 444 "$file"
chmod 555 "$dir/still"
replay -i
is_as_then "from a folder that cannot be written" "$dir/then" "$out"
chmod 755 "$dir/still"

file=$dir/grows.db
# shellcheck disable=SC2086 # several options
"$tiptop" -b $first -d 0.05 -i --record "$file" >"$dir/grows" 2>"$err" 3>&- &
monitor=$!
shown() {
	[ "$(grep -c '^$' "$dir/grows")" -ge "$1" ]
}
await shown 4
replay -i
ok "it is replayed while it grows" $?
await shown "$(grep -c '^$' "$out")"
head -n "$(wc -l <"$out")" "$dir/grows" >"$dir/part"
is_as_then "as far as it is there" "$dir/part" "$out"
kill -KILL "$monitor"
wait "$monitor" 2>/dev/null
monitor=''
replay -i
# A refresh is printed after its sample was written.
[ "$(grep -c '^$' "$out")" -ge "$(grep -c '^$' "$dir/grows")" ]
ok "and all of it after its tiptop was killed" $?

# --- changes beside it that are not in it ---

if [ "$(id -u)" -eq 0 ] && command -v setpriv >"$dir/text"; then
	mkdir "$dir/shut" && cp "$tiptop" "$dir/shut/tiptop"
	"$tiptop" -b -S software -n 2 -d 0.1 -i --record "$dir/shut/r.db" >"$out" 2>"$err" 3>&-
	printf 'a journal' >"$dir/shut/r.db-journal"
	chmod 755 "$dir" && chmod 755 "$dir/shut" "$dir/shut/tiptop" && chmod 644 "$dir/shut/r.db"
	for status in 1 0; do
		HOME=/ XDG_CONFIG_HOME=/none setpriv --reuid 65534 --regid 65534 --clear-groups "$dir/shut/tiptop" -b -i \
			--replay "$dir/shut/r.db" >"$out" 2>"$err" 3>&-
		is "in a folder that cannot be written, with a journal or without: status" $? $status
		is "what to copy is said" "$(grep -c "was not finished, .*: copy it and '.*r.db-journal'" "$err")" $status
		rm -f "$dir/shut/r.db-journal"
	done
else
	skip "a journal in a folder that cannot be written" "another user needs root"
fi

# --- a recording of an older version ---

# then_rows FILE: what a replay of it shows of the task that was recorded then.
then_rows() {
	"$tiptop" -b -i --replay "$1" 2>"$err" 3>&- | awk '$1 == 21030 { print $2, $3, $4, $5, $6, $12 }' | tr '\n' ' '
}
then="0.5 0.0 ? 1 94.4 sh 0.4 0.0 ? 1 80.0 sh 0.5 0.0 ? 0 90.2 sh "
if command -v sqlite3 >"$dir/text"; then
	sqlite3 "$dir/old.db" <"$old"
	is "one of version 1 is read" "$(then_rows "$dir/old.db")" "$then"
	is "and stays as it is" "$(sqlite3 "$dir/old.db" 'PRAGMA user_version')" 1
	"$tiptop" -b -S software -n 2 -d 0.1 -i --record "$dir/old.db" >"$out" 2>"$err" 3>&-
	ok "it is continued" $?
	is "which brings it up to date" "$(sqlite3 "$dir/old.db" 'PRAGMA user_version; PRAGMA integrity_check')" "8
ok"
	is "with what was there" "$(then_rows "$dir/old.db")" "$then"
	is "what the machine was used for is not known of then" \
		"$(sqlite3 "$dir/old.db" 'SELECT run, count(cpu_error), count(memory_kb) > 1 FROM sample GROUP BY run')" "1|0|0
2|3|1"
	is "the CPUs of each sample" "$(sqlite3 "$dir/old.db" 'SELECT count(*) FROM cpu_use')" \
		$((3 * $(grep -c '^cpu[0-9]' /proc/stat)))
	sqlite3 "$dir/old.db" 'PRAGMA user_version=99'
	refuses "a newer one" 1 "tiptop: the recording '.*' was made by a newer tiptop .*: use that one" --replay "$dir/old.db"
else
	skip "a recording of version 1" "there is no sqlite3"
fi

# --- recordings of each version ---

# tasks FILE: PID, CPU, last CPU, minor faults and name in each refresh of its first run, whose tasks are of one command.
tasks() {
	"$tiptop" -b -i --format csv --fields pid,name,cpu,p,minfl_s --replay "$1" 2>"$err" 3>&- |
		awk -F, -v pid="$2" 'NR == 1 || $1 == pid'
}
# continues NAME FILE: what it shows of its command stays the same when it is recorded into.
continues() {
	was=$(sqlite3 "$2" "SELECT number FROM task WHERE kind = 'process' ORDER BY id LIMIT 1")
	tasks "$2" "$was" >"$dir/before"
	within "$1: it is read" "$(wc -l <"$dir/before")" 3 9
	is "$1: without a word" "$(cat "$err")" ""
	"$tiptop" -b -S software -d 0.1 -i --record "$2" -- true >"$out" 2>"$err" 3>&-
	is "$1: it is continued" "$? $(cat "$err")" "0 "
	is "$1: which brings it up to date" "$(sqlite3 "$2" 'PRAGMA user_version; PRAGMA integrity_check')" "8
ok"
	tasks "$2" "$was" | cmp -s "$dir/before" -
	ok "$1: with what was there" $?
	is "$1: two runs" "$(sqlite3 "$2" 'SELECT count(DISTINCT run) FROM sample')" 2
	is "$1: its views have rows of both" "$(sqlite3 "$2" 'SELECT count(DISTINCT run) FROM process')" "$3"
}
if command -v sqlite3 >"$dir/text"; then
	for version in 1 2 3 4 5 6 7 8; do
		# In its days there were no views.
		views=$((version == 1 ? 1 : 2))
		sqlite3 "$dir/version.db" <"$recordings/version-$version.sql"
		continues "version $version" "$dir/version.db" $views
		rm -f "$dir/version.db"
		# Views are for people: a file is one without them, too.
		sqlite3 "$dir/version.db" <"$recordings/version-$version.sql"
		sqlite3 "$dir/version.db" "SELECT 'DROP VIEW ' || name || ';' FROM sqlite_schema WHERE type = 'view'" >"$dir/drop"
		sqlite3 "$dir/version.db" <"$dir/drop"
		continues "version $version without views" "$dir/version.db" 1
		rm -f "$dir/version.db"
	done
	# minutes: what is said of it in steps of minutes.
	minutes() {
		"$tiptop" what "$dir/version.db" --step 60 --format json >"$out" 2>"$err" 3>&-
	}
	sqlite3 "$dir/version.db" <"$recordings/version-8.sql"
	minutes
	is "a list of a minute is read" "$? $(cat "$err")" "0 "
	cp "$out" "$dir/before"
	sqlite3 "$dir/version.db" "UPDATE minute SET list = x'00'"
	minutes
	grep -q "the list of a minute does not match the readings of that minute" "$err"
	ok "a wrong one is not believed" $?
	cmp -s "$dir/before" "$out"
	ok "and nothing else is said then" $?
	sqlite3 "$dir/version.db" "DELETE FROM minute"
	minutes
	cmp -s "$dir/before" "$out"
	ok "nor without one" $?
	rm -f "$dir/version.db"
	# The readings of its end are those of no sample.
	"$tiptop" -b -S software -d 0.05 -i --record "$dir/version.db" -- sh -c 'i=0
		while [ $i -lt 200000 ]; do i=$((i + 1)); done' >"$out" 2>"$err" 3>&-
	is "a command is recorded" "$? $(cat "$err")" "0 "
	minutes
	is "and its lists are right" "$? $(cat "$err")" "0 "
	rm -f "$dir/version.db"
else
	skip "recordings of each version" "there is no sqlite3"
fi

# --- what is refused ---

refuses "no such file" 1 "tiptop: cannot read the recording '.*': No such file or directory" --replay "$dir/none"
echo "a diary" >"$dir/diary"
refuses "another file" 1 "tiptop: the recording '.*': it is not a recording" --replay "$dir/diary"
: >"$dir/empty"
refuses "an empty file" 1 "tiptop: '.*' is empty: it is not a recording" --replay "$dir/empty"
refuses "a folder" 1 "tiptop: a recording has to be a regular file, and '.*' is none" --replay "$dir"
refuses "a command" 2 "tiptop: a recording \(--replay\) is shown: nothing is run" --replay "$file" -- true
refuses "a time behind the end" 1 "tiptop: '.*' has no interval in this time: give another --from or --to" \
	--replay "$file" --from 2999-12-31T12:00
refuses "no time" 2 "tiptop: 'noon' is not a time: .*" --replay "$file" --from noon
refuses "a time of nothing" 2 "tiptop: --from and --to are times of a recording: .*" --from 12:00
refuses "a user who is not in it" 2 "tiptop: there is no user 'ann' \(-u\) in the recording" --replay "$file" -u ann
refuses "itself" 1 "tiptop: the recording \(--record\) would overwrite the recording that is replayed .*" --replay "$file" --record "$file"
finish
