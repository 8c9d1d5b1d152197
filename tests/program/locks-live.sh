#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop locks --live: the rows of locks agree with the reports of a running program: of a command, of programs measured by
# another tiptop, recorded, compared, and after SIGKILL and exec.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -w /dev/shm ] || skip_all "there is no /dev/shm"
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
unset XDG_RUNTIME_DIR

# Takes its locks as often as it is told, and says when it has; "x" executes it again.
cat >"$dir/victim.c" <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER, idle = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((noinline)) take(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
}

static void *other(void *n)
{
	for (int i = *(int *)n; i; i--)
		take(&busy);
	return NULL;
}

int main(int argc, char **argv)
{
	char line[32];
	int n;

	(void)argc;
	setvbuf(stdin, NULL, _IONBF, 0);
	take(&idle);
	while (fgets(line, sizeof line, stdin)) {
		pthread_t thread;

		if (line[0] == 'x')
			execv(argv[0], argv);
		sscanf(line, "%d", &n);
		pthread_create(&thread, NULL, other, &n);
		other(&n);
		pthread_join(thread, NULL);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
EOF
gcc -std=gnu11 -pthread "$dir/victim.c" -o "$dir/victim" >"$out" 2>"$err"
ok "the victim is built" $?

# Counts, where the screen that is built in has rates.
cat >"$dir/conf" <<'EOF'
<tiptop><screen name="counts" rows="lock" idle="yes">
<column header="ACQ" format="%8.0f" expr="delta(ACQUISITIONS)" desc="acquisitions"/>
<column header="CONT" format="%8.0f" expr="delta(CONTENDED)" desc="contended"/>
<column header="HOLDS" format="%8.0f" expr="delta(HOLDS)" desc="holds"/>
<column header="REL" format="%8.0f" expr="delta(RELEASES)" desc="releases"/>
<column header="OWN" format="%8.0f" expr="delta(OWNER_CHANGES)" desc="owner changes"/>
</screen><screen name="times" rows="lock" idle="yes">
<column header="ACQ" format="%8.0f" expr="delta(ACQUISITIONS)" desc="acquisitions"/>
<column header="NS" format="%8.0f" expr="delta(ACQUIRE_NS)" desc="their time"/>
</screen></tiptop>
EOF
counts="-W $dir/conf -S counts --format csv --fields timestamp,pid,name,acq,holds,rel,quality"

# live OPTION...: the victim as its command: twice as many acquisitions as it is asked for, by two threads.
live() {
	live_rows locks "$@"
}
# shown N: N acquisitions of the busy lock.
shown() {
	[ "$(sum_rows busy 4)" -ge "$1" ]
}

# --- a command ---

live
ask 500
await shown 1000
ask 300
exec 3>&-
wait "$monitor"
is "the exit status is that of the command" $? 0
monitor=''
is "all acquisitions of two threads" "$(sum_rows busy 4)" 1600
is "each was held, and released" "$(sum_rows busy 5) $(sum_rows busy 6)" "1600 1600"
is "what happened before the first interval, too" "$(sum_rows idle 4)" 1
is "nothing is left" "$(ls -d /dev/shm/tiptop-locks.*/table."$(awk -F, 'NR == 2 { print $2 }' "$dir/shown")".* 2>/dev/null)" ""

all_counts=$counts
counts="-W $dir/conf -S times --format csv --fields timestamp,pid,name,acq,ns,quality"
live --sample 5
ask 500
await shown 1000
ask 300
exec 3>&-
wait "$monitor"
monitor=''
is "one in five is timed: all acquisitions" "$? $(sum_rows busy 4)" "0 1600"
is "their time is estimated, and never falls" "$(awk -F, '$3 == "busy" { n += $5; low += $5 < 0 } END { print (n > 0), low + 0 }' "$dir/shown")" "1 0"
counts=$all_counts

live
ask 200
kill -KILL "$(pgrep -P "$monitor" -x victim)"
wait "$monitor"
is "a command that is killed" $? 137
monitor=''
exec 3>&-
is "leaves all that it did" "$(sum_rows busy 4)" 400

live
ask 100
await shown 200
echo x >&3
ask 50
exec 3>&-
wait "$monitor"
monitor=''
is "with what it executes" "$(sum_rows busy 4) $(sum_rows idle 4)" "300 2"

printf '70\n' >"$dir/one"
# shellcheck disable=SC2086
"$tiptop" locks --live -b -d 60 $counts -- "$dir/victim" <"$dir/one" 2>"$err" | grep -v '^done' >"$dir/shown"
is "one that ends in the first interval" "$(sum_rows busy 4)" 140
# shellcheck disable=SC2086
"$tiptop" locks --live -b -d 60 $counts --children -- sh -c "'$dir/victim' <'$dir/one'; '$dir/victim' <'$dir/one'; exit 3" >"$dir/shown" 2>"$err"
is "children: the status of the command" $? 3
is "children: all of them" "$(sum_rows busy 4)" 280
# shellcheck disable=SC2086
"$tiptop" locks --live -b -d 60 $counts -- sh -c "'$dir/victim' <'$dir/one'; exit 0" >"$dir/shown" 2>"$err"
is "which are not measured unless it is said" "$(sum_rows busy 4)" 0

# --- for people, and for programs ---

"$tiptop" locks --live -b -d 60 --values total -- "$dir/victim" <"$dir/one" >"$out" 2>"$err"
is "the final rows are those of who has ended" "$(grep -c 'busy DEAD$' "$out")" 1
is "with the kind of the lock" "$(awk -v at="$(column KIND)" '/busy DEAD$/ { print $at }' "$out")" mutex
matches "who acquired it" "$(awk -v at="$(column CALLER)" '/busy DEAD$/ { print $at }' "$out")" 'take\+0x[0-9a-f]+'
is "and the program" "$(awk -v at="$(column PROGRAM)" '/busy DEAD$/ { print $at }' "$out")" victim
if command -v python3 >"$dir/text"; then
	"$tiptop" locks --live -b -d 60 --format json -o "$dir/json" -- "$dir/victim" <"$dir/one" >"$out" 2>"$err"
	python3 -c 'import json, sys
rows = [r for line in sys.stdin for r in json.loads(line).get("rows", [])]
row = [r for r in rows if r["name"] == "busy"][0]
v = row["values"]
print(row["kind"], v["lock_kind"], v["program"], v["ns_per_hold"] > 0, v["acquisitions_per_s"] > 0)' <"$dir/json" >"$dir/text" 2>"$err"
	is "as JSON" "$(cat "$dir/text")" "lock mutex victim True True"
else
	skip "as JSON" "python3 is missing"
fi

# --- of who is measured by another ---

rm -f "$dir/orders"
mkfifo "$dir/orders"
: >"$dir/answers"
"$tiptop" locks --format csv -o "$dir/report" -- "$dir/victim" <"$dir/orders" >"$dir/answers" 2>"$err" &
monitor=$!
exec 3>"$dir/orders"
asked=0
ask 150
worker=$(pgrep -P "$monitor" -x victim)
# shellcheck disable=SC2086
"$tiptop" locks --live "$worker" -b -n 1 -d 0.1 $counts --values total >"$dir/shown" 2>"$err" 3>&-
is "what a process has done so far" "$(awk -F, -v pid="$worker" 'NR > 1 && $2 != pid' "$dir/shown") $(sed -n '/busy/h; ${g;p;}' "$dir/shown" | cut -d, -f 4)" " 300"
# shellcheck disable=SC2086
"$tiptop" locks --live bus -b -n 1 -d 0.1 $counts --values total >"$dir/shown" 2>"$err" 3>&-
is "by the name of the lock" "$(awk -F, -v pid="$worker" 'NR > 1 && $2 == pid { print $3 }' "$dir/shown" | sort -u)" busy
"$tiptop" locks --live "$worker" -b -n 1 -d 0.1 --group lock --format csv --fields name,program,members >"$out" 2>"$err" 3>&-
is "by name and program" "$(sed -n 's/^busy,//p' "$out")" victim,1
exec 3>&-
wait "$monitor"
monitor='' worker=''
is "who looks at it does not disturb the report" "$(awk -F, '$2 == "busy" { print $8 }' "$dir/report")" 300

# --- recorded ---

metrics_of_two locks 'lock="busy"'

if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip "recorded" "$(cat "$dir/text")"
else
	# record NAME ORDER...: with intervals of 0.1 s.
	record() {
		record_name=$1
		shift
		live --record "$dir/$record_name.db"
		for record_n; do
			ask "$record_n"
			sleep 0.15
		done
		exec 3>&-
		wait "$monitor"
		monitor=''
	}
	record old 100 200 300 100 200 300
	cp "$dir/shown" "$dir/was"
	# shellcheck disable=SC2086
	"$tiptop" --replay "$dir/old.db" -b $counts >"$dir/shown" 2>"$err"
	is "a recording has the same numbers" "$(sum_rows busy 4) $(sum_rows busy 5) $(sum_rows busy 6) $(sum_rows idle 4)" "2400 2400 2400 1"
	cmp -s "$dir/shown" "$dir/was"
	ok "in the same rows" $?
	"$tiptop" --replay "$dir/old.db" -b -S locks >"$out" 2>"$err"
	matches "with names" "$(awk -v at="$(column CALLER)" '/busy DEAD$/ { print $at }' "$out")" 'take\+0x[0-9a-f]+'
	record new 100 200 300 100 200 300
	"$tiptop" compare "$dir/old.db" "$dir/new.db" -S locks --format csv -c ns_per_hold >"$out" 2>"$err"
	is "two recordings are compared" "$? $(cat "$err")" "0 "
	is "by their locks" "$(tail -n +2 "$out" | cut -d, -f 1-4 | sort -u)" "victim,victim,busy,busy
victim,victim,idle,idle"
fi

# --- what is not ---

if [ "$(id -u)" -eq 0 ]; then
	mkdir "$dir/tiptop-locks.other"
	echo >"$dir/tiptop-locks.other/table.$$.000"
	chown -R 65534 "$dir/tiptop-locks.other"
	XDG_RUNTIME_DIR=$dir "$tiptop" locks --live -b -n 1 >"$out" 2>"$err"
	is "root gets no report of tables of other users" "$? $(grep -c other "$err")" "0 0"
	rm -r "$dir/tiptop-locks.other"
else
	skip "tables of other users" "only root could read them"
fi
"$tiptop" locks --live -b -n 1 -S default >"$out" 2>"$err"
is "a screen of tasks is refused" "$? $(cat "$err")" "2 tiptop: the screen 'default' cannot be shown here: its rows are of another kind: 'tiptop' has them"
"$tiptop" -b -n 1 -S locks >"$out" 2>"$err"
matches "and the other way round" "$(cat "$err")" "tiptop: the screen 'locks' cannot be shown here: its rows are of another kind: 'tiptop locks --live' has them"
"$tiptop" locks --live -b --repeat 2 -- true >"$out" 2>"$err"
is "nor is there a summary, of several runs" "$? $(cat "$err")" \
	"2 tiptop: --repeat shows the summary of a command, and no rows: tiptop locks --live shows nothing else"
"$tiptop" --live >"$out" 2>"$err"
is "the option is that of the command" "$? $(cut -d: -f 1-2 "$err")" "2 tiptop: unknown option '--live'"
is "its own help" "$("$tiptop" locks --help | grep '^Usage' | tail -n 1)" "Usage: tiptop locks --live [option]... [pid|text] [-- command]"
finish
