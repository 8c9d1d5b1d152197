#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --record-max, --record-when and --record-screens: which samples and data a recording keeps. A replay of a full recording
# is recorded again, so both have the same samples.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v sqlite3 >"$dir/text" || skip_all "there is no sqlite3"
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/r.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

# ask FILE SQL: the answer, lines joined by blanks.
ask() {
	sqlite3 "$1" "$2" 2>&1 | tr '\n' ' ' | sed 's/ $//'
}
# again FILE OPTION...: records the whole one once more.
again() {
	to=$1
	shift
	"$tiptop" -b --replay "$dir/whole.db" "$@" --record "$to" >"$out" 2>"$err" 3>&-
}
# frames FILE: what a replay of it shows, without the head.
frames() {
	"$tiptop" -b -i -p keep$$ --replay "$1" 2>"$err" 3>&- | sed '1,/ COMMAND/d'
}
# refreshes TEXT: how many it has.
refreshes() {
	grep -c '^$' "$1"
}
refuses() {
	refused=$1 pattern=$2
	shift 2
	"$tiptop" -b -n 1 -d 0.1 "$@" >"$out" 2>"$err" 3>&-
	is "$refused: status" "$?" 2
	matches "$refused: a sentence" "$(cat "$err")" "$pattern"
}

# --- the whole recording: the task is idle, touches memory in the middle, and is idle ---

# faults FILE: how often it did.
faults() {
	ask "$1" "SELECT max(MINFLT) - min(MINFLT) FROM reading_1 JOIN task ON task.id = task WHERE name = 'keep$$'"
}

samples() {
	[ "$(ask "$dir/whole.db" 'SELECT count(*) FROM sample')" -ge "$1" ] 2>/dev/null
}
work_start name=keep$$ wait touch=3000 wait
"$tiptop" -b -S software -i -d 0.05 --record "$dir/whole.db" >"$out" 2>"$err" 3>&- &
monitor=$!
await samples 40
feed
busy() {
	[ "$(faults "$dir/whole.db")" -ge 3000 ] 2>/dev/null
}
await busy
n=$(ask "$dir/whole.db" 'SELECT count(*) FROM sample')
await samples $((n + 40))
kill "$monitor"
wait "$monitor" 2>/dev/null
monitor=''
feed
work_end
frames "$dir/whole.db" >"$dir/whole"

# --- the last second ---

again "$dir/last.db" --record-max 1s
frames "$dir/last.db" >"$dir/last"
# On a busy machine, some samples are far from the one before.
gap=$(ask "$dir/whole.db" 'SELECT max(gap) / 1000000 FROM
	(SELECT wall_ns - lag(wall_ns) OVER (ORDER BY wall_ns) AS gap FROM sample)')
within "the last second is left, and a part before it at most" \
	"$(ask "$dir/last.db" 'SELECT (max(wall_ns) - min(wall_ns)) / 1000000 FROM sample')" $((1000 - gap)) $((1500 + gap))
tail -n "$(wc -l <"$dir/last")" "$dir/whole" | cmp - "$dir/last"
ok "which is shown as it was, byte for byte" $?
is "with the names of all" "$(ask "$dir/last.db" "SELECT count(*) FROM task WHERE name = 'keep$$'")" 1
is "the file is good" "$(ask "$dir/last.db" 'PRAGMA integrity_check')" ok

# --- around what is busy ---

again "$dir/busy.db" --record-when "minfl_s > 0 && command == 'keep$$'" --record-around 300m >"$dir/text"
is "where all is near enough, all is kept" \
	"$(ask "$dir/busy.db" 'SELECT count(*) FROM sample')" "$(ask "$dir/whole.db" 'SELECT count(*) FROM sample')"
rm -f "$dir/busy.db"
again "$dir/busy.db" --record-when "minfl_s > 0 && command == 'keep$$'" --record-around 0.5s,0.2s
frames "$dir/busy.db" >"$dir/busy"
n=$(refreshes "$dir/busy")
within "only what is around is kept: $n refreshes of $(refreshes "$dir/whole")" "$n" 1 $(($(refreshes "$dir/whole") - 30))
first=$(ask "$dir/busy.db" 'SELECT min(wall_ns) FROM sample')
n_before=$(ask "$dir/whole.db" "SELECT count(*) FROM sample WHERE wall_ns <= $first")
awk -v RS= -v from="$n_before" -v n="$n" 'NR >= from && NR < from + n { print $0 "\n" }' "$dir/whole" >"$dir/then"
cmp "$dir/then" "$dir/busy"
ok "and shown as it was, byte for byte" $?
is "what it did is all there" "$(faults "$dir/busy.db")" "$(faults "$dir/whole.db")"
again "$dir/none.db" --record-when "minfl_s > 0 && command == 'nobody$$'"
is "where it is never true, nothing is kept" "$(ask "$dir/none.db" 'SELECT count(*) FROM sample')" 0

# --- other screens ---

cat >"$dir/home/.tiptoprc" <<'EOT'
<tiptop>
  <screen name="faults"><counter alias="pf" event="page-faults"/>
    <column header="FAULTS" format="%7.0f" expr="delta(pf)"/></screen>
  <screen name="turns"><counter alias="cs" event="context-switches"/>
    <column header="TURNS" format="%7.0f" expr="delta(cs)"/><column header="VIRT" format="%9.0f" expr="VSZ_KB"/></screen>
</tiptop>
EOT
# shown: what the replay knows of the column TURNS and VIRT: numbers, or not.
shown() {
	"$tiptop" -b -i -S turns --replay "$1" 2>"$err" | awk -v name="scr$$" '$NF == name { print ($2 ~ /^[0-9]+$/), ($3 ~ /^[0-9]+$/) }' |
		sort | uniq | tail -n 1
}
if "$work" can-count 2>"$dir/text"; then
	work_start name=scr$$ duty=20:2000 wait
	"$tiptop" -b -S faults -i -d 0.1 -n 6 -p "$worker" --record "$dir/one.db" >"$out" 2>"$err" 3>&-
	"$tiptop" -b -S faults -i -d 0.1 -n 6 -p "$worker" --record "$dir/two.db" --record-screens turns >"$out" 2>"$err" 3>&-
	feed
	work_end
	is "of another screen nothing was counted" "$(shown "$dir/one.db")" "0 0"
	is "but where it is recorded, too" "$(shown "$dir/two.db")" "1 1"
	is "it is among the screens of the recording, behind the one that was shown" \
		"$(ask "$dir/two.db" 'SELECT name FROM screen ORDER BY id')" "faults turns"
	"$tiptop" -b -S faults -d 0.1 -n 1 --record "$dir/all.db" --record-screens all >"$out" 2>"$err" 3>&-
	within "all screens" "$(ask "$dir/all.db" 'SELECT count(*) FROM screen')" 4 99
else
	skip "other screens" "$(cat "$dir/text")"
fi
rm "$dir/home/.tiptoprc"
"$tiptop" -b -d 0.1 -n 1 --record "$dir/every.db" --record-screens all >"$out" 2>"$err" 3>&-
is "why there are no counters is said once" "$(sort "$err" | uniq -d)" ""

# --- what is refused ---

refuses "no amount" "tiptop: --record-max: '5' is neither a size .* nor a time .*" --record "$dir/x.db" --record-max 5
refuses "another unit" "tiptop: --record-max: '500ms' is neither a size .* nor a time .*" --record "$dir/x.db" --record-max 500ms
refuses "too little" "tiptop: --record-max: '1K': 1M at least" --record "$dir/x.db" --record-max 1K
refuses "too much" "tiptop: --record-max: '1000000G': 900000G at most" --record "$dir/x.db" --record-max 1000000G
refuses "far too much" "tiptop: --record-max: '9999999999999999K': 900000G at most" --record "$dir/x.db" --record-max 9999999999999999K
refuses "too long" "tiptop: --record-around: '20000d': 30 years at most" \
	--record "$dir/x.db" --record-when 'cpu > 5' --record-around 20000d
refuses "no time" "tiptop: --record-around: '5M': one time, or two .*" \
	--record "$dir/x.db" --record-when 'cpu > 5' --record-around 5M
refuses "around nothing" "tiptop: --record-around needs a condition: add --record-when" --record "$dir/x.db" --record-around 5m
refuses "no condition" "tiptop: --record-when: column 1: there is no counter, variable or column 'nonsense' in this screen" --record "$dir/x.db" --record-when 'nonsense > 1'
refuses "no screen" "tiptop: --record-screens: there is no screen .*" --record "$dir/x.db" --record-screens nosuch
refuses "an empty name" "tiptop: --record-screens: 'software,' has an empty name" --record "$dir/x.db" --record-screens software,
refuses "no recording" "tiptop: --record-max needs a recording: add --record" --record-max 1G
finish
