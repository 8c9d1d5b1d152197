#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 200 damaged recordings, with values of another type, empty or too large, or swapped. The program reads each in one of its
# modes: it ends, reports an error in one sentence, and does not change the file. The damage is the same each time, to a
# recording of this machine.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v sqlite3 >"$dir/text" || skip_all "there is no sqlite3"
good=$dir/good.db bad=$dir/bad.db
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi
work_start name=bad$$ pool=2 crowd=12 wait touch=50 wait touch=50 wait
"$tiptop" -b -i -S software --tree -d 0.05 -n 12 -p bad$$ --record "$good" --record-screens software,tasks \
	-o "$dir/shown" >"$out" 2>"$err" 3>&- &
monitor=$!
shown() {
	[ -e "$dir/shown" ] && [ "$(grep -c '^$' "$dir/shown")" -ge "$1" ]
}
await shown 3
feed
await shown 6
feed
wait "$monitor"
monitor=''
work_end
cat >"$dir/rc" <<'XML'
<tiptop><screen name="texts"><column header="CGROUP" expr="CGROUP"/><column header="EXE" expr="EXECUTABLE"/></screen></tiptop>
XML

# --- what is done to them ---

# Each table and column, and what stands there in its place.
sqlite3 "$good" "SELECT m.name || '|' || p.name FROM sqlite_schema m, pragma_table_info(m.name) p
	WHERE m.type = 'table' ORDER BY 1" >"$dir/columns"
cat >"$dir/values" <<'TEXT'
NULL
'a text'
x'00ff00ff'
''
9e999
-9e999
-1
0
1
9223372036854775807
-9223372036854775807 - 1
4294967296
1e18
hex(zeroblob(30000))
zeroblob(2000000)
char(27) || '[2J' || char(10) || 'tiptop: x'
TEXT
# Beside single values: parents in circles, and of one start; things that are no tables of ours.
cat >"$dir/tricks" <<'SQL'
UPDATE reading_1 SET PPID = (SELECT number FROM task WHERE task.id = reading_1.task);
UPDATE reading_1 SET PPID = (SELECT (SELECT number FROM task u WHERE u.id = t.id + 1) FROM task t WHERE t.id = reading_1.task); UPDATE task SET start_ns = 5;
UPDATE task SET start_ns = 5; UPDATE reading_1 SET PPID = (SELECT CASE task % 2 WHEN 1 THEN max(number) ELSE min(number) END FROM task);
UPDATE task SET number = 7;
UPDATE task SET owner = number + 1;
UPDATE task SET owner = 1;
UPDATE task SET owner = number, kind = 'process';
UPDATE reading_1 SET previous = id;
UPDATE reading_1 SET previous = id + 1;
UPDATE reading_1 SET sample = 12 - sample;
UPDATE reading_1 SET count_0 = -count_0;
UPDATE event SET part_of = n + 1;
UPDATE event SET event_group = n;
DELETE FROM event;
DELETE FROM task;
DELETE FROM machine;
DELETE FROM run;
DELETE FROM layout;
DELETE FROM screen;
DROP TABLE task;
DROP TABLE event_set;
DROP TABLE screen; CREATE VIEW screen AS SELECT 1 AS id, 1 AS run, 'x' AS name, hex(randomblob(1000000000)) AS xml;
ALTER TABLE task RENAME TO t; CREATE VIEW task AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT t.* FROM t, n;
ALTER TABLE sample RENAME TO s; CREATE VIEW sample AS SELECT * FROM s;
ALTER TABLE reading_1 RENAME TO r; CREATE TABLE reading_1(id INTEGER PRIMARY KEY, sample AS (hex(randomblob(1000000000))));
CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM sample; END;
INSERT INTO layout SELECT id + 1, event_set, facts, single FROM layout;
UPDATE layout SET facts = facts || ' ' || facts;
UPDATE screen SET xml = replace(xml, '<column', '<column expr="1/0" '); UPDATE screen SET name = name || char(27);
UPDATE screen SET xml = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><tiptop><screen name="&b;"/></tiptop>';
UPDATE screen SET xml = '<tiptop><screen name="software"><column header="X" expr="' || hex(zeroblob(100000)) || '"/></screen></tiptop>';
UPDATE sample SET wall_ns = 1;
UPDATE sample SET mono_ns = 20 - id;
INSERT INTO sample SELECT id + 100000000000, run, wall_ns, mono_ns + 1000000000000, boot_ns, generation, number, last, threads, uptime_s, load1, load5, load15, n_cpus, mem_total_kb, n_left_out, first_reading, first_task, n_running, cpu_error, memory_error, memory_kb, memory_free_kb, memory_available_kb, swap_kb, swap_free_kb, tick_ns FROM sample;
INSERT OR IGNORE INTO gone SELECT 3, id FROM reading_1;
INSERT OR IGNORE INTO keyframe SELECT 3, id FROM reading_1;
INSERT OR IGNORE INTO cpu_use SELECT 3, id, id, id, id, id, id, id FROM reading_1;
SQL
# numbers N: N numbers that look like chance, the same each time.
numbers() {
	awk -v n="$1" 'BEGIN { srand(13); for (i = 0; i < n; i++) print int(rand() * 1000000) }'
}
n_tricks=$(wc -l <"$dir/tricks")
# pick FILE NUMBER: one of its lines.
pick() {
	sed -n "$(($2 % $(wc -l <"$1") + 1))p" "$1"
}
mutate() { # mutate I NUMBER
	cp "$good" "$bad"
	if [ "$1" -lt "$n_tricks" ]; then
		sql=$(sed -n "$(($1 + 1))p" "$dir/tricks")
	else
		column=$(pick "$dir/columns" "$2")
		sql="UPDATE OR IGNORE \"${column%|*}\" SET \"${column#*|}\" = $(pick "$dir/values" $(($2 / 1000)))"
		# In all rows, or in some.
		[ $(($2 % 3)) -eq 0 ] || sql="$sql WHERE abs(random()) % 3 = 0"
	fi
	sqlite3 "$bad" "$sql" 2>"$dir/text" >&2
}

# --- what comes of it ---

# look I: the program in one of its modes; 0 and 1 are its statuses.
look() {
	case $(($1 % 9)) in
	0) set -- -b -i --tree --replay "$bad" ;;
	1) set -- -b -i --format json --replay "$bad" ;;
	2) set -- -b -i --group user --format csv --replay "$bad" --from +0.2 ;;
	3) set -- -b -i -S tasks --replay "$bad" ;;
	4) set -- -b -H --values total --replay "$bad" -p 1 ;;
	5) set -- compare "$bad,to=+0.3" from=+0.3 ;;
	6) set -- -b -i -W "$dir/rc" -S texts --replay "$bad" --to -0.1 ;;
	7) set -- -b -i --metrics "$dir/m.prom" --group cgroup --replay "$bad" ;;
	8) set -- what --step 60 "$bad" ;;
	esac
	timeout -s KILL 120 "$tiptop" "$@" >"$out" 2>"$err" 3>&- </dev/null
}
: >"$dir/faults"
: >"$dir/statuses"
i=0
for number in $(numbers 200); do
	mutate $i "$number"
	cp "$bad" "$dir/before"
	look $i
	status=$?
	echo $status >>"$dir/statuses"
	case $status in
	0 | 1 | 2) ;;
	*) echo "$i: $sql: status $status: $(tail -n 1 "$err")" >>"$dir/faults" ;;
	esac
	[ $status -eq 0 ] || [ -s "$err" ] || echo "$i: $sql: nothing is said" >>"$dir/faults"
	! grep -v '^tiptop: ' "$err" >"$dir/text" || echo "$i: $sql: no sentence: $(head -n 1 "$dir/text")" >>"$dir/faults"
	[ "$(wc -l <"$err")" -le 12 ] || echo "$i: $sql: $(wc -l <"$err") sentences" >>"$dir/faults"
	! LC_ALL=C grep -q "$(printf '\033')" "$out" "$err" || echo "$i: $sql: an escape sequence" >>"$dir/faults"
	cmp -s "$bad" "$dir/before" || echo "$i: $sql: it was written" >>"$dir/faults"
	rm -f "$bad" "$bad-wal" "$bad-shm"
	i=$((i + 1))
done
is "200 recordings: each ends with a sentence, and stays as it was" "$(cat "$dir/faults")" ""
is "200 were read" "$(wc -l <"$dir/statuses")" 200
within "some of them cannot be" "$(grep -vc '^0' "$dir/statuses")" 5 100
within "most of them can" "$(grep -c '^0' "$dir/statuses")" 100 195
finish
