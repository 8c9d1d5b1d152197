#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop calls --live: the rows of library calls agree with the reports of a running program: of a command, of programs
# measured by another tiptop, recorded, and after SIGKILL and exec.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -w /dev/shm ] || skip_all "there is no /dev/shm"
[ -r "${builddir:?}/tiptop-calls.so" ] || skip_all "the object was not built"
unset XDG_RUNTIME_DIR

# Calls strtol() as often as it is told, and says when it has; "x" executes it again.
cat >"$dir/victim.c" <<'EOF2'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char line[32];
	long sum = 0;
	int n = 0;

	(void)argc;
	setvbuf(stdin, NULL, _IONBF, 0);
	while (fgets(line, sizeof line, stdin)) {
		if (line[0] == 'x')
			execv(argv[0], argv);
		sscanf(line, "%d", &n);
		for (; n; n--)
			sum += strtol("17", NULL, 8);
		printf("done %ld\n", sum);
		fflush(stdout);
	}
	return 0;
}
EOF2
gcc -std=gnu11 -O0 -fno-builtin "$dir/victim.c" -o "$dir/victim" >"$out" 2>"$err"
ok "the victim is built" $?

cat >"$dir/conf" <<'EOF2'
<tiptop><screen name="counts" rows="call" idle="yes">
<column header="CALLS" format="%8.0f" expr="delta(CALLS)" desc="calls"/>
<column header="SELF" format="%8.0f" expr="delta(SELF_NS)" desc="time in it"/>
</screen></tiptop>
EOF2
counts="-W $dir/conf -S counts --format csv --fields timestamp,pid,name,calls,self,quality"

# live OPTION...: the victim as its command.
live() {
	live_rows calls "$@"
}
# shown N: N calls of strtol().
shown() {
	[ "$(sum_rows strtol 4)" -ge "$1" ]
}

# --- a command ---

live
ask 500
await shown 500
ask 300
exec 3>&-
wait "$monitor"
is "the exit status is that of the command" $? 0
monitor=''
is "all calls" "$(sum_rows strtol 4)" 800
is "those that are seldom, too" "$(sum_rows printf 4) $(sum_rows fflush 4)" "2 2"
ok "each with its time" "$([ "$(sum_rows strtol 5)" -gt 0 ]; echo $?)"
ok "and the program with its own" "$([ "$(sum_rows '(program)' 5)" -gt 0 ]; echo $?)"
is "which are no calls" "$(awk -F, '$3 == "(program)" && $4 != ""' "$dir/shown")" ""
is "nothing is left" "$(ls -d /dev/shm/tiptop-calls.*/table."$(awk -F, 'NR == 2 { print $2 }' "$dir/shown")".* 2>/dev/null)" ""

live
ask 200
kill -KILL "$(pgrep -P "$monitor" -x victim)"
wait "$monitor"
is "a command that is killed" $? 137
monitor=''
exec 3>&-
is "leaves all that it did" "$(sum_rows strtol 4)" 200

live
ask 100
await shown 100
echo x >&3
ask 50
exec 3>&-
wait "$monitor"
monitor=''
is "with what it executes" "$(sum_rows strtol 4)" 150

printf '70\n' >"$dir/one"
# shellcheck disable=SC2086
"$tiptop" calls --live -b -d 60 $counts -- "$dir/victim" <"$dir/one" 2>"$err" | grep -v '^done' >"$dir/shown"
is "one that ends in the first interval" "$(sum_rows strtol 4)" 70
# shellcheck disable=SC2086
"$tiptop" calls --live -b -d 60 $counts --children -- sh -c "'$dir/victim' <'$dir/one'; '$dir/victim' <'$dir/one'; exit 3" >"$dir/shown" 2>"$err"
is "children: the status of the command" $? 3
is "children: all of them" "$(sum_rows strtol 4)" 140
# shellcheck disable=SC2086
"$tiptop" calls --live -b -d 60 $counts -- sh -c "'$dir/victim' <'$dir/one'; exit 0" >"$dir/shown" 2>"$err"
is "which are not measured unless it is said" "$(sum_rows strtol 4)" 0

metrics_of_two calls 'function="strtol"'

# Threads that live for a moment, one after the other: the table changes as often as it can be read.
cat >"$dir/churn.c" <<'EOF2'
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
	for (int i = 0; i < 1000; i++)
		strtol("17", NULL, 8);
	return unused;
}

int main(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}
EOF2
gcc -std=gnu11 -O0 -fno-builtin -pthread "$dir/churn.c" -o "$dir/churn" >"$out" 2>"$err"
# shellcheck disable=SC2086
"$tiptop" calls --live -b -d 0.1 $counts -o "$dir/shown" -- "$dir/churn" 2>"$err"
is "threads that come and go: none is lost" "$(sum_rows strtol 4) $(cat "$err")" "2000000 "

# A command that has only begun may have no table yet; one that never makes one is named, whether it is seen for long or not.
printf 'int main(void) { return 3; }\n' >"$dir/static.c"
gcc -static "$dir/static.c" -o "$dir/static" >"$out" 2>"$err"
"$tiptop" calls --live -b -d 0.1 -- "$dir/static" >"$out" 2>"$err"
is "a static program: its status" $? 3
is "and why it has no rows" "$(grep -c 'the command has no table of calls: it is linked statically' "$err")" 1

# --- for people, and for programs ---

"$tiptop" calls --live -b -d 60 --values total -- "$dir/victim" <"$dir/one" >"$out" 2>"$err"
is "the final rows are those of who has ended" "$(grep -c 'strtol DEAD$' "$out")" 1
is "with the group" "$(awk -v at="$(column GROUP)" '/strtol DEAD$/ { print $at }' "$out")" string
is "and the program" "$(awk -v at="$(column PROGRAM)" '/strtol DEAD$/ { print $at }' "$out")" victim

# --- of who is measured by another ---

rm -f "$dir/orders"
mkfifo "$dir/orders"
: >"$dir/answers"
"$tiptop" calls --format csv -o "$dir/report" -- "$dir/victim" <"$dir/orders" >"$dir/answers" 2>"$err" &
monitor=$!
exec 3>"$dir/orders"
asked=0
ask 150
worker=$(pgrep -P "$monitor" -x victim)
# shellcheck disable=SC2086
"$tiptop" calls --live "$worker" -b -n 1 -d 0.1 $counts --values total >"$dir/shown" 2>"$err" 3>&-
is "what a process has done so far" "$(awk -F, -v pid="$worker" 'NR > 1 && $2 != pid' "$dir/shown") $(awk -F, '$3 == "printf" { n = $4 } END { print n }' "$dir/shown")" " 1"
# shellcheck disable=SC2086
"$tiptop" calls --live print -b -n 1 -d 0.1 $counts --values total >"$dir/shown" 2>"$err" 3>&-
is "by the name of the function" "$(awk -F, -v pid="$worker" 'NR > 1 && $2 == pid { print $3 }' "$dir/shown" | sort -u)" printf
"$tiptop" calls --live "$worker" -b -n 1 -d 0.1 --group call --format csv --fields name,program,members >"$out" 2>"$err" 3>&-
is "by name and program" "$(sed -n 's/^printf,//p' "$out")" victim,1
exec 3>&-
wait "$monitor"
monitor='' worker=''
is "who looks at it does not disturb the report" "$(awk -F, '$3 == "printf" { print $5 }' "$dir/report")" 1

# --- recorded ---

if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip "recorded" "$(cat "$dir/text")"
else
	live --record "$dir/calls.db"
	ask 100
	await shown 100
	ask 200
	exec 3>&-
	wait "$monitor"
	monitor=''
	cp "$dir/shown" "$dir/was"
	# shellcheck disable=SC2086
	"$tiptop" --replay "$dir/calls.db" -b $counts >"$dir/shown" 2>"$err"
	is "a recording has the same numbers" "$(sum_rows strtol 4)" 300
	cmp -s "$dir/shown" "$dir/was"
	ok "in the same rows" $?
	"$tiptop" --replay "$dir/calls.db" -b -S calls >"$out" 2>"$err"
	is "with groups" "$(awk -v at="$(column GROUP)" '/strtol DEAD$/ { print $at }' "$out")" string
	"$tiptop" compare "$dir/calls.db" "$dir/calls.db" -S calls --format csv -c ns_per_call >"$out" 2>"$err"
	is "two recordings are compared" "$? $(cat "$err")" "0 "
	is "by their functions" "$(cut -d, -f 1-4 "$out" | grep strtol)" "victim,victim,strtol,strtol"
fi

# --- what is not ---

"$tiptop" -b -n 1 -S calls >"$out" 2>"$err"
matches "its screen is shown by the command alone" "$(cat "$err")" \
	"tiptop: the screen 'calls' cannot be shown here: its rows are of another kind: 'tiptop calls --live' has them"
is "its own help" "$("$tiptop" calls --help | grep '^Usage' | tail -n 1)" "Usage: tiptop calls --live [option]... [pid|text] [-- command]"
finish
