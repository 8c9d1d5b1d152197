#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop regions --live -- command: rows of the regions of all its processes, without exception; the work that the regions
# report; and regions that are reset.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -w /dev/shm ] || skip_all "there is no /dev/shm"
own_tables
library=${builddir:?}/libtiptop.so.0

# Calls its region as often as it is told, each with 10 bytes of work and 2 requests; "r" resets it, "f" forks a child that
# does the same, once, and ends by _exit, "x" executes it again.
cat >"$dir/victim.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(busy, "busy");
TT_REGION(idle, "idle");

static void run(int n)
{
	while (n--) {
		TT_BEGIN(busy);
		TT_WORK(busy, "bytes", 10);
		TT_WORK(busy, "requests", 2);
		TT_END(busy);
	}
}

int main(int argc, char **argv)
{
	char line[32];

	(void)argc;
	setvbuf(stdin, NULL, _IONBF, 0);
	TT_BEGIN(idle);
	TT_END(idle);
	while (fgets(line, sizeof line, stdin)) {
		if (line[0] == 'x')
			execv(argv[0], argv);
		else if (line[0] == 'r')
			tt_reset(NULL);
		else if (line[0] == 'f' && !fork()) {
			run(atoi(line + 1));
			_exit(0);
		} else if (line[0] == 'f')
			wait(NULL);
		else
			run(atoi(line));
		puts("done");
		fflush(stdout);
	}
	return 3;
}
EOF
gcc -std=gnu11 -O1 -I "${srcdir:?}/include" "$dir/victim.c" -o "$dir/victim" "$library" -Wl,-rpath,"$builddir" >"$out" 2>"$err"
ok "the victim is built" $?

# Counts, where the screens that are built in have rates.
cat >"$dir/conf" <<'EOF'
<tiptop><screen name="counts" rows="region" idle="yes">
<column header="CALLS" format="%8.0f" expr="delta(CALLS)" desc="calls"/>
<column header="BYTES" format="%8.0f" expr="delta(WORK1)" desc="the first unit"/>
<column header="REQUESTS" format="%8.0f" expr="delta(WORK2)" desc="the second unit"/>
<column header="OTHER" format="%8.0f" expr="delta(WORK3)" desc="one that there is not"/>
<column header="NAMES" format="%-16s" expr="KIND" desc="their names"/>
</screen></tiptop>
EOF
counts="-W $dir/conf -S counts --format csv --fields timestamp,pid,name,calls,bytes,requests,other,names"
shown() {
	[ "$(sum_rows busy 4)" -ge "$1" ]
}
# finish_live WANTED: the exit status of tiptop is that of the command.
finish_live() {
	exec 3>&-
	wait "$monitor"
	is "the exit status is that of the command" $? "$1"
	monitor=''
}

live_rows regions
ask 500
await shown 500
ask 300
finish_live 3
is "all calls" "$(sum_rows busy 4)" 800
is "all work, in two units" "$(sum_rows busy 5) $(sum_rows busy 6)" "8000 1600"
is "what happened before the first interval, too" "$(sum_rows idle 4)" 1
is "of a third unit nothing is known" "$(awk -F, '$3 == "busy" { print $7 }' "$dir/shown" | sort -u | tr -d '\n')" ""
is "the units have names" "$(sed -n 's/.*,\("bytes.*"\)$/\1/p' "$dir/shown" | sort -u)" '"bytes,requests"'
is "nothing else is written" "$(cat "$err")" ""
is "no table is left" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""

live_rows regions
ask f200
ask f300
ask 10
await shown 510
kill -KILL "$(awk -F, '$3 == "idle" { print $2; exit }' "$dir/shown")"
finish_live 137
is "children that end by _exit between two refreshes, and a command that is killed" "$(sum_rows busy 4)" 510

live_rows regions
ask 100
echo x >&3
ask 50
finish_live 3
is "with the programs that it executes" "$(sum_rows busy 4) $(sum_rows idle 4)" "150 2"

printf '70\n' >"$dir/one"
# shellcheck disable=SC2086
"$tiptop" regions --live -b -d 60 $counts -- "$dir/victim" <"$dir/one" 2>"$err" | grep -v '^done' >"$dir/shown"
is "one that ends in the first interval" "$(sum_rows busy 4) $(sum_rows busy 5)" "70 700"
"$tiptop" regions --live -b -d 60 -e page-faults --format json -o "$dir/json" -- sh -c "'$dir/victim' <'$dir/one'" >"$out" 2>"$err"
matches "--event is counted by the command" "$(grep -c '"page_faults":[0-9]' "$dir/json") $(cat "$err")" "[1-9] "
"$tiptop" regions --live -b -d 60 -o /dev/null --metrics "$dir/regions.prom" -- "$dir/victim" <"$dir/one" >"$out" 2>"$err"
is_well_formed "metrics: promtool has nothing to say" "$dir/regions.prom"
"$tiptop" regions --live -b -d 60 -S work -- "$dir/victim" <"$dir/one" >"$out" 2>"$err"
is "the screen of work has all of it" "$(awk '/ busy DEAD$/ { print $2, $3, $5 }' "$out")" "bytes,requests 700 10.0"
for command in true 'sleep 0.5; exit 3'; do
	"$tiptop" regions --live -b -d 0.1 -- sh -c "$command" >"$out" 2>"$err"
	is "a command without regions, $command: its status" $? "$(case $command in *3) echo 3 ;; *) echo 0 ;; esac)"
	is "and one sentence, at its end" "$(cat "$err")" "tiptop: the command has measured no regions: no program that it has executed \
is linked with libtiptop (tiptop(3)), or the program has begun no region, or runs with other rights than yours"
done
"$tiptop" regions --live -b -d 0.1 -- sh -c "sleep 0.5; '$dir/victim' <'$dir/one'" >"$out" 2>"$err"
is "one that begins regions later is not said to have none" "$? $(cat "$err")" "3 "
"$tiptop" regions --live -b --sample 5 -- true >"$out" 2>"$err"
is "what is for locks is not taken" $? 2

# --- a reset ---

# falls: how often the total of a region was less than before.
falls() {
	awk -F, '$3 == "busy" { n += $4 < last; last = $4 } END { print n + 0 }' "$dir/shown"
}
last() {
	[ "$(awk -F, '$3 == "busy" { n = $4 } END { print n }' "$dir/shown")" = "$1" ]
}
live_rows regions --values total
ask 500
await last 500
ask 100
await last 600
is "totals do not fall" "$(falls)" 0
ask r
ask 20
await last 20
ok "after a reset they are those since then" $?
ask 30
await last 50
finish_live 3
is "so they have fallen once" "$(falls)" 1
live_rows regions
ask 500
await shown 500
ask r
ask 20
finish_live 3
is "and no interval has calls of before, or fewer than none" "$(sum_rows busy 4) $(awk -F, '$3 == "busy" && $4 + 0 < 0' "$dir/shown" | wc -l)" "520 0"
finish
