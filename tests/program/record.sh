#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --record: the contents of the file, which stays valid whatever happens.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

file=$dir/r.db

command -v sqlite3 >"$dir/text" || skip_all "there is no sqlite3"
if "$tiptop" -b -n 1 -d 0.1 --record "$file" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi

# ask SQL: the answer, lines joined by blanks.
ask() {
	sqlite3 "$file" "$1" 2>&1 | tr '\n' ' ' | sed 's/ $//'
}
# record OPTION...
record() {
	"$tiptop" -b -S software -d 0.1 "$@" --record "$file" >"$out" 2>"$err" 3>&-
}

# --- what is in it ---

rm -f "$file"
work_start name=rec$$ wait
record -n 3 -i -p "$worker"
ok "it records" $?
is "a sample for each refresh, and the one before" "$(ask 'SELECT count(*) FROM sample')" 4
is "the task" "$(ask 'SELECT DISTINCT number, name FROM task')" "$worker|rec$$"
is "an idle task is read once" "$(ask 'SELECT count(*) FROM reading_1 WHERE flags & 1 = 0')" 1
is "the screen" "$(ask 'SELECT name FROM screen')" software
is "the option that was not as by default" "$(ask "SELECT value FROM option WHERE name = 'delay'")" 0.1
is "the version" "$(ask 'SELECT version FROM run')" "$("$tiptop" -v | sed -n '1s/.* //p')"
is "the name of the machine" "$(ask 'SELECT host FROM machine')" "$(uname -n)"
is "who is on the same core as CPU 0, and on which CPU the task was" "$(ask "SELECT count(*) FROM machine_place
	WHERE core = (SELECT core FROM machine_place WHERE cpu = 0)")|$(ask 'SELECT count(PROC_ID) FROM reading_1 WHERE flags & 1 = 0')" \
	"$(tr ',' '\n' </sys/devices/system/cpu/cpu0/topology/thread_siblings_list | awk -F- '{ n += $NF - $1 + 1 } END { print n }')|1"
is "each column is described" "$(sqlite3 "$file" "SELECT m.name || '.' || p.name FROM sqlite_schema m, pragma_table_info(m.name) p
	WHERE m.name NOT LIKE 'interval%' AND p.name NOT GLOB '[A-Z]*' AND p.name <> 'id'" | while IFS=. read -r table column; do
	# count_1 is as count_0.
	grep -q "\`$(echo "$column" | sed 's/_[0-9]*$/_0/')\`" "${srcdir:?}/doc/recording.md" || echo "$table.$column"
done)" ""
set -- "$file"*
is "one file" $# 1
record -n 2 -p "$worker"
is "the same file goes on" "$(ask 'SELECT run, count(*) FROM sample GROUP BY run')" "1|4 2|3"
feed
work_end

# --- asked without knowing tiptop ---

# samples N: at least N are there.
samples() {
	[ "$(sqlite3 "$file" 'SELECT count(*) FROM sample' 2>/dev/null || echo 0)" -ge "$1" ]
}
rm -f "$file"
work_start name=sql$$ wait spin=300 wait
"$tiptop" -b -S software -d 0.2 -p "$worker" -i --record "$file" -o "$dir/shown" --format csv 2>"$err" 3>&- &
monitor=$!
await samples 2
feed
await samples $(($(ask 'SELECT count(*) FROM sample') + 2))
watch_end
feed
work_end
is "the CPU time of all intervals" "$(ask "SELECT sum(cpu_s) > 0, round(sum(cpu_s) * 1e9) =
	(SELECT max(CPU_NS) - min(CPU_NS) FROM reading_1) FROM process WHERE name = 'sql$$'")" "1|1"
query=$(sed -n '/^sqlite3 FILE "/,/"$/p' "$srcdir/man/tiptop-record.1" | tr -d '\n' | sed 's/^sqlite3 FILE "//; s/"$//')
is "the query of the manual has it by program" "$(sqlite3 "$file" "$query")" \
	"sql$$|$(ask "SELECT sum(cpu_s) FROM process")"
is "what was not counted is unknown" \
	"$(ask "SELECT count(*) > 1, count(ipc), count(cycles) FROM process WHERE name = 'sql$$'")" "1|0|0"
if command -v python3 >"$dir/text"; then
	python3 - "$file" "$dir/shown" >"$dir/python" 2>&1 <<'EOF'
import csv, sqlite3, sys
asked = [row[0] for row in sqlite3.connect(sys.argv[1]).execute("select cpu_pct from process where cpu_pct > 0 order by time")]
shown = [float(row["cpu"]) for row in csv.DictReader(open(sys.argv[2])) if float(row["cpu"] or 0) > 0]
same = len(asked) == len(shown) > 0 and all(abs(a - b) <= 1e-9 * b for a, b in zip(asked, shown))
print("same" if same else (asked, shown))
EOF
	is "python finds the %CPU that was shown" "$(cat "$dir/python")" same
else
	skip "python finds the %CPU that was shown" "there is no python3"
fi

# --- files that must stay as they are ---

echo "dear diary" >"$dir/diary"
"$tiptop" -b -n 1 -d 0.1 --record "$dir/diary" >"$out" 2>"$err"
is "another file is refused" "$?" 1
is "and stays" "$(cat "$dir/diary")" "dear diary"
"$tiptop" -b -n 1 -d 0.1 --record "$dir/none/r.db" >"$out" 2>"$err"
is "no such folder" "$?" 1
matches "a sentence says so" "$(cat "$err")" "tiptop: cannot record into '.*': No such file or directory"
"$tiptop" -b -n 1 -d 0.1 --record "$dir/both" -o "$dir/both" >"$out" 2>"$err"
is "the file of -o is refused" "$?" 1

# --- it grows ---

rm -f "$file"
"$tiptop" -b -S software -d 0.02 --record "$file" >"$out" 2>"$err" &
monitor=$!
await samples 5
ok "it can be read while it grows" $?
"$tiptop" -b -n 1 -d 0.1 --record "$file" >"$out.2" 2>"$err.2"
is "by another one it cannot be written" "$?" 1
cp "$file" "$dir/copy.db"
"$tiptop" what "$dir/copy.db" >"$out.2" 2>"$err.2"
matches "a copy without its log: that is said" "$? $(cat "$err.2")" \
	"(0 .*|1 tiptop: the recording '$dir/copy.db' has no data: if it was copied while it was written, copy '$dir/copy.db-wal', too)"
rm -f "$dir/copy.db"*
kill "$monitor"
wait "$monitor" 2>/dev/null
monitor=''
set -- "$file"*
is "after SIGTERM it is one file" $# 1
is "and good" "$(ask 'PRAGMA integrity_check')" ok

# --- another program moves or deletes the file ---

rm -f "$file"
"$tiptop" -b -S software -d 3600 -n 2 --record "$file" >"$out" 2>"$err" &
monitor=$!
await samples 1
mv "$file" "$file.1"
"$tiptop" -b -n 1 -d 0.1 --record "$file" >"$out.2" 2>"$err.2"
is "moved: its log is not shared with a new file of this name" "$? $(tail -n 1 "$err.2")" \
	"1 tiptop: cannot record into '$file': a file of this name was moved, but is still in use: name another file"
kill "$monitor"
wait "$monitor" 2>/dev/null
monitor=''
is "moved: it is said at the end" "$(tail -n 1 "$err")" "tiptop: the recording '$file' was moved while it was written: it has ended"
is "moved: the file is good" "$(sqlite3 "$file.1" 'PRAGMA integrity_check; SELECT count(*) > 0 FROM sample' | paste -sd ' ')" "ok 1"
rm -f "$file"*
"$tiptop" -b -S software -d 0.05 -n 40 --record "$file" -o /dev/null >"$out" 2>"$err" &
monitor=$!
await samples 1
rm -f "$file"*
wait "$monitor"
is "deleted: it is said, and the exit status" "$? $(tail -n 1 "$err")" \
	"1 tiptop: the recording '$file' was deleted or replaced while it was written: it is lost"
monitor=''

# --- a reader of the output that goes away ---

file=$dir/pipe.db
"$tiptop" -b -S software -i -d 0.02 --record "$file" 2>"$err" 3>&- | head -n 30 >"$out"
is "a pipe that is closed: no complaint" "$(grep -v 'no hardware counter' "$err")" ""
set -- "$file"*
is "the recording is one file" $# 1
is "and good" "$(ask 'PRAGMA integrity_check')" ok
within "with what was shown until then" "$(ask 'SELECT count(*) FROM sample')" 1 1000
is "it has its end" "$(ask 'SELECT ended_ns IS NOT NULL FROM run')" 1

# --- killed at any moment ---

# killed N: what it printed is in the file; a refresh is printed after its sample was written.
killed() {
	file=$dir/k$1.db
	: >"$dir/k$1.out" # it may be killed before its shell has opened it
	"$tiptop" -b -S software -d 0.01 --record "$file" >"$dir/k$1.out" 2>"$dir/k$1.err" 3>&- &
	pid=$!
	sleep "$(awk -v seed="$1" 'BEGIN { srand(seed * 7919); print 0.02 + rand() / 2 }')"
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	printed=$(grep -c '^$' "$dir/k$1.out")
	[ -s "$file" ] || return 0 # before its time
	[ "$(ask 'PRAGMA integrity_check')" = ok ] || echo "# $1: $(ask 'PRAGMA integrity_check')"
	# The first empty line ends the head.
	[ "$printed" -lt 2 ] || [ "$(ask 'SELECT count(*) FROM sample')" -ge "$printed" ] ||
		echo "# $1: $printed refreshes, $(ask 'SELECT count(*) FROM sample') samples"
	rm -f "$file" "$file-wal" "$file-shm"
}
i=0
while [ $i -lt 100 ]; do
	for k in 1 2 3 4 5; do
		(killed $((i + k))) >>"$dir/faults" 2>&1 &
	done
	wait
	i=$((i + 5))
done
is "after 100 kills all files are good, and lack the last sample at most" "$(cat "$dir/faults")" ""

# --- another program locks it ---

rm -f "$file" "$dir/orders" && mkfifo "$dir/orders"
"$tiptop" -b -S software -i -d 0.1 --record "$file" >"$dir/locked.out" 2>"$err" 3>&- &
monitor=$!
await grep -q '^$' "$dir/locked.out"
shown() {
	[ "$(grep -c '^$' "$dir/locked.out")" -ge "$1" ]
}
await shown 3
sqlite3 -batch "$file" <"$dir/orders" >"$dir/answer" 2>&1 3>&- &
other=$!
exec 8>"$dir/orders"
echo '.timeout 20000
BEGIN IMMEDIATE; SELECT max(id) FROM sample;' >&8
await test -s "$dir/answer"
had=$(cat "$dir/answer")
await shown $((had + 8))
is "while another program has locked it, nothing is written" "$(ask 'SELECT max(id) FROM sample')" "$had"
echo 'COMMIT;' >&8
exec 8>&-
wait "$other"
is "and nothing is said" "$(cat "$err")" ""
more() {
	[ "$(ask 'SELECT count(*) FROM sample')" -ge $((had + 8)) ]
}
await more
ok "all of it is when it is released" $?
kill -TERM "$monitor"
wait "$monitor"
monitor=''
is "without a hole" "$(ask 'SELECT max(id) - count(*) FROM sample')" 0
within "and none of the refreshes is missing" "$(ask 'SELECT count(*) FROM sample')" \
	"$(grep -c '^$' "$dir/locked.out")" "$(($(grep -c '^$' "$dir/locked.out") + 1))"

# --- another program has it locked when the command ends ---

rm -f "$file" "$dir/answer"
# Else the refreshes of before could be taken for those of this run.
: >"$dir/locked.out"
# shellcheck disable=SC2016 # for the shell that is started
"$tiptop" -b -S software -i -d 0.1 --record "$file" -- sh -c 'until [ -e "$0" ]; do sleep 0.05; done' "$dir/go" \
	>"$dir/locked.out" 2>"$err" 3>&- &
monitor=$!
await shown 3
sqlite3 -batch "$file" <"$dir/orders" >"$dir/answer" 2>&1 3>&- &
other=$!
exec 8>"$dir/orders"
echo '.timeout 20000
BEGIN IMMEDIATE; SELECT max(id) FROM sample;' >&8
await test -s "$dir/answer"
: >"$dir/go"
wait "$monitor"
is "the recording fails in the end" $? 1
monitor=''
exec 8>&-
wait "$other"
is "which is said once" "$(grep -c "the recording '.*' lacks" "$err")" 1

# --- a full disk ---

if [ "$(id -u)" -eq 0 ] && unshare -m true 2>"$dir/text"; then
	unshare -m sh -c '
		mkdir "$1/disk" && mount -t tmpfs -o size=500k tmpfs "$1/disk" || exit 77
		"$2" -b -S software -i -d 0.01 -n 400 --record "$1/disk/r.db" >"$1/full.out" 2>"$1/full.err"
		echo $? >"$1/full.status"
		sqlite3 "$1/disk/r.db" "PRAGMA integrity_check" >"$1/full.check"
		sqlite3 "$1/disk/r.db" "SELECT count(*) > 1 FROM sample" >>"$1/full.check"
	' sh "$dir" "$tiptop" 2>"$dir/text"
	if [ $? -eq 77 ]; then
		skip "a full disk" "$(cat "$dir/text")"
	else
		is "a full disk: one sentence" "$(grep -c "the recording '.*': the disk is full" "$dir/full.err")" 1
		is "the monitor goes on" "$(grep -c '^$' "$dir/full.out")" 401
		is "and fails in the end" "$(cat "$dir/full.status")" 1
		is "what is there can be read" "$(tr '\n' ' ' <"$dir/full.check")" "ok 1 "
	fi
else
	skip "a full disk" "a mount namespace needs root"
fi
finish
