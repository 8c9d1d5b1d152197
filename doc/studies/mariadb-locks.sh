#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Case study A: the locks of a database server. As in the LiMiT paper: how much time goes to waiting for locks and holding
# them (figure 5), for how long (figure 6), how many locks there are (table 2); and which ones they are.
# shellcheck source=lib.sh
. "${srcdir:?}/doc/studies/lib.sh"
# shellcheck source=mariadb.sh
. "$srcdir/doc/studies/mariadb.sh"

mariadb_prepare
${CC:-cc} -O2 -shared -fPIC -fno-builtin -pthread -o "$dir/tally.so" "$srcdir/tests/real/tally.c" -ldl 2>"$err" ||
	skip_all "there is no compiler"
say_machine "$(mariadbd --version | sed 's/.*Ver \([^ ]*\).*/MariaDB \1/')"
option=--innodb-flush-log-at-trx-commit=0

for run in $runs; do
	mariadb_run $option
	printf 'without tiptop, s\t%s\n' "$load_s" >>"$dir/load"
	report=$dir/locks-$run.json
	mariadb_run $option "$tiptop" locks --format json -o "$report" --
	printf 'with tiptop locks, s\t%s\n' "$load_s" >>"$dir/load"
	keep "$report"
	jq 'select(.type == "locks")' "$report" >"$dir/process"
	jq -c 'select(.type == "lock")' "$report" >"$dir/rows"

	# --- tests: the numbers agree with each other ---
	is "run $run: states of threads add up to their time" \
		"$(jq '(.waiting + .holding + .free + .own - .time) | fabs < 8' "$dir/process")" true
	is "run $run: rows add up to all acquisitions" \
		"$(jq -s 'map(select(.kind | IN("cond", "semaphore", "barrier", "futex") | not) | .acquisitions) | add' "$dir/rows")" \
		"$(jq .dynamic "$dir/process")"
	is "run $run: histograms have all times" "$(jq '[.acquire, .hold, .release | (.histogram | map(.[1]) | add) == .n] | all' "$dir/process")" true

	# --- numbers ---
	jq -r '
		"acquisitions\t\(.dynamic)", "acquisitions per query\t\(.dynamic / '$QUERIES')",
		"acquisitions per us of CPU time\t\(.dynamic / .cpu_time * 1000)",
		"locks\t\(.static)", "locks per thread\t\(.static / .threads)", "held on average, ns\t\(.hold.mean)",
		"acquired on average, ns\t\(.acquire.mean)", "released on average, ns\t\(.release.mean)"' "$dir/process" >>"$dir/table"
	jq -r '
		(.time - .waiting_idle) as $busy |
		"waiting for locks\t\(100 * (.waiting - .waiting_idle) / $busy)", "holding locks\t\(100 * .holding / $busy)",
		"neither\t\(100 * .free / $busy)", "in tiptop\t\(100 * .own / $busy)"' "$dir/process" >"$dir/shares"
	within "run $run: shares of the time" "$(awk -F '\t' '{ n += $2 } END { print n }' "$dir/shares")" 99.999 100.001
	cat "$dir/shares" >>"$dir/states"
	# 25 ns, and four times as much each: bounds are powers of two of a tick, which is below a ns.
	for phase in acquire hold; do
		jq -r ".$phase"' | .n as $n | [25, 100, 400, 1600, 6400, 25600, infinite] as $bounds | .histogram as $h |
			range($bounds | length) as $i |
			"\(if $i < 6 then "below \($bounds[$i]) ns" else "longer" end)\t\(100 / $n * ([$h[] | select((.[0] // infinite) <= $bounds[$i] and
			(if $i == 0 then true else (.[0] // infinite) > $bounds[$i - 1] end)) | .[1]] | add // 0))"' "$dir/process" >"$dir/histogram"
		within "run $run: $phase: shares of the histogram" "$(awk -F '\t' '{ n += $2 } END { print n }' "$dir/histogram")" 99.999 100.001
		cat "$dir/histogram" >>"$dir/histogram-$phase"
	done
	cat "$dir/rows" >>"$dir/all_rows"
done

# ranking FIELD: locks and callers with the largest sums, in a run on average. Callers of one name are one row.
ranking() {
	jq -r -s --argjson runs "$RUNS" 'map(select(.idle != 1)) | group_by([(.name | sub("[+]0x[0-9a-f]+"; "")), .kind]) |
		map({name: (.[0].name | sub("[+]0x[0-9a-f]+"; "")), kind: .[0].kind, n: (map(.acquisitions) | add),
		contended: (map(.contended // 0) | add), ns: (map(.'"$1"'.sum // 0) | add)}) |
		sort_by(-.ns) | .[:8][] | "\(.name[:44])\t\(.kind)\t\(.n / $runs | round)\t\(.contended / $runs | round)\t\(.ns / $runs / 1e4 | round / 100)"' "$dir/all_rows"
}

say ""
say_spread "the load" <"$dir/load"
say ""
say_spread "table 2" <"$dir/table"
say ""
say_spread "figure 5: % of the time without idle waits" <"$dir/states"
for phase in acquire hold; do
	say ""
	say_spread "figure 6: $phase, % of acquisitions" <"$dir/histogram-$phase"
done
for phase in acquire hold; do
	ranking $phase >"$dir/ranking-$phase"
	say ""
	{ printf 'locks by %s time\tkind\tacquired\tcontended\tms\n' $phase && cat "$dir/ranking-$phase"; } | say_table
done
is "there are locks that were held" "$(grep -c . "$dir/ranking-hold")" 8

# --- another object, which is preloaded in front of that of tiptop, counts the same ---
# tallied: how many locks another object has seen acquired, in front of that of tiptop.
tallied() {
	od -An -v -t u8 -w8 "$dir/tally" | head -n "$(grep -c '^LOCK(' "$srcdir/tests/real/tally.c")" | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# shellcheck disable=SC2016 # for the inner shell
preloaded='LD_PRELOAD=$TALLY_OBJECT${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"'
head -c 4096 /dev/zero >"$dir/tally"
mariadb_run $option env TALLY="$dir/tally" TALLY_OBJECT="$dir/tally.so" \
	"$tiptop" locks --format json -o "$dir/tallied.json" -- sh -c "$preloaded" sh
within "the other object counts as many acquisitions" "$(jq 'select(.type == "locks") | .dynamic' "$dir/tallied.json")" \
	$(($(tallied) - 64)) "$(tallied)"
say "acquisitions: $(jq 'select(.type == "locks") | .dynamic' "$dir/tallied.json"); by the other object: $(tallied)"

# --- a picture: the locks while the server runs ---
if command -v gnuplot >"$out"; then
	mariadb_run $option "$tiptop" locks --live -b -d 0.25 --record "$dir/mariadb-locks.db" --
	"$tiptop" plot "$dir/mariadb-locks.db,filter=acquisitions_per_s > 1000" -c acquisitions_per_s,ns_per_hold --rows 4 \
		--size 900x560 -o "$dir/mariadb-locks.svg" >"$out" 2>"$err"
	ok "a picture of the locks over time" $?
	keep "$dir/mariadb-locks.db" "$dir/mariadb-locks.svg"
else
	skip "a picture of the locks over time" "gnuplot is not installed"
fi
finish
