#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/fleet/run.sh - tiptop --metrics through a real node_exporter into a real Prometheus, on the loopback interface only:
# a query returns the numbers of the frame, and rates do not jump when tasks start and end. The rules of doc/fleet/ pass
# their tests. Prints TAP; TIPTOP is the program, builddir has tests/program/work.
set -u
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=../program/lib.sh
. "$srcdir/tests/program/lib.sh"

exporter=$(command -v prometheus-node-exporter || command -v node_exporter) || skip_all "there is no node_exporter"
if ! command -v prometheus >/dev/null || ! command -v promtool >/dev/null; then
	skip_all "there is no prometheus"
fi

(cd "$srcdir/doc/fleet" && promtool check rules tiptop.rules.yml && promtool test rules tiptop.rules.test.yml) >"$out" 2>&1
ok "the rules pass their tests" $?
sed 's/0\.8 \*/0.4 */' "$srcdir/doc/fleet/tiptop.rules.yml" >"$dir/tiptop.rules.yml"
cp "$srcdir/doc/fleet/tiptop.rules.test.yml" "$dir"
(cd "$dir" && promtool test rules tiptop.rules.test.yml) >"$out" 2>&1
is "which find another threshold" $? 1

# free_port: one without a listener.
free_port() {
	local port

	while :; do
		port=$((20000 + RANDOM % 20000))
		(: </dev/tcp/127.0.0.1/$port) 2>/dev/null || break
	done
	echo $port
}
exporter_port=$(free_port) port=$(free_port)
mkdir "$dir/text" "$dir/data"
cp "$srcdir/doc/fleet/tiptop.rules.yml" "$dir"
cat >"$dir/prometheus.yml" <<YML
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [tiptop.rules.yml]
scrape_configs:
  - job_name: node
    static_configs: [{targets: ['127.0.0.1:$exporter_port']}]
YML
"$exporter" --web.listen-address=127.0.0.1:"$exporter_port" --collector.disable-defaults --collector.cpu --collector.textfile \
	--collector.textfile.directory="$dir/text" >"$dir/exporter.log" 2>&1 &
servers=$!
prometheus --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/data" \
	--web.listen-address=127.0.0.1:"$port" >"$dir/prometheus.log" 2>&1 &
servers+=" $!"
# shellcheck disable=SC2086 # several
trap 'kill $servers 2>/dev/null; cleanup' EXIT

# query EXPRESSION: its value, if it has one.
query() {
	promtool query instant "http://127.0.0.1:$port" "$1" 2>/dev/null | sed -n 's/^.* => \([^ ]*\) @.*/\1/p'
}
answers() {
	[ "$(query 'vector(1)')" = 1 ]
}
if await answers; then
	ok "Prometheus answers" 0
else
	ok "Prometheus answers" 1
	tail -n 5 "$dir"/*.log | sed 's/^/# /'
	finish
fi

# get_page: what the exporter exports now.
get_page() {
	exec 8<>"/dev/tcp/127.0.0.1/$exporter_port"
	printf 'GET /metrics HTTP/1.0\r\n\r\n' >&8
	cat <&8 >"$dir/page"
	exec 8>&-
}

# Several files in one folder, of several screens and of "tiptop system", and names that labels cannot have: the
# exporter, whose scrape_error stays 0 whatever it drops, has nothing to say in its log, and exports each line.
names=$'bad\xff bad\xfe 12345678901234\xc3 12345678901234\xc4'
workers=
mkfifo "$dir/hold"
exec 7<>"$dir/hold"
for name in $names; do
	"$work" "name=$name" wait <&7 >>"$dir/waiting" 2>/dev/null &
	workers+=" $!"
done
all_wait() {
	[ "$(grep -c wait "$dir/waiting")" = 4 ]
}
await all_wait
"$tiptop" -b -o /dev/null -d 0.2 -n 2 --rows 1000 --metrics "$dir/text/one.prom" >"$out" 2>"$err" 3>&-
"$tiptop" -b -o /dev/null -S software -d 0.2 -n 2 --metrics "$dir/text/two.prom" >"$out" 2>"$err" 3>&-
"$tiptop" -b -o /dev/null -d 0.2 -n 2 --metrics "$dir/text/three.prom" --metrics-source three >"$out" 2>"$err" 3>&-
"$tiptop" system --metrics "$dir/text/four.prom" 0.2 1 >"$out" 2>"$err" 3>&-
# shellcheck disable=SC2086 # several
kill $workers
# shellcheck disable=SC2086
wait $workers 2>/dev/null
exec 7>&-
is "names that are the same as labels are one series" \
	"$(grep -c '^tiptop_members{program="\(bad\|1234\)' "$dir/text/one.prom")" 2
get_page
is "all series are exported" "$(grep -c '^tiptop_' "$dir/page")" "$(cat "$dir/text/"*.prom | grep -c '^tiptop_')"
is "with nothing to say" "$(grep -c level=error "$dir/exporter.log")" 0
"$tiptop" -b -o /dev/null -d 0.2 -n 2 --metrics "$dir/text/five.prom" >"$out" 2>"$err" 3>&-
is "a start that writes them twice says so" "$(grep -c "'one.prom' beside it has, too" "$err")" 1
get_page
is "the exporter drops some then" "$(($(grep -c level=error "$dir/exporter.log") > 0))" 1

# Metrics and labels that the rules, the alerts and the dashboard name are those of a real file, or of the exporter
# itself. Without a PMU, its counters are missing: the names of the events of the screen stand for them, and of one of
# the table what it is on some CPU.
# names_of EVENT: what an event of a screen may be.
names_of() {
	sed -n "/<event name=\"$1\"/,/<\/event>/s/.*<for .*event=\"\([^;\"]*\).*/\1/p" "$srcdir/config/events/"*.xml |
		grep . || echo "$1"
}
expressions() {
	sed -n 's/.*"\(expr\|query\)": "\(.*\)",*$/\2/p' "$srcdir/doc/fleet/tiptop-dashboard.json"
	sed -n '/expr:/,/^ *\(-\|for:\|labels:\)/p' "$srcdir/doc/fleet/tiptop.rules.yml"
	grep '^    \(topk\|sum\| \)' "$srcdir/doc/fleet.md"
}
{
	grep -o '^[a-z_]*' "$dir/page"
	sed -n 's/.*<counter .*event="\([^"]*\)".*/\1/p' "$srcdir/config/screens/default.xml" |
		while read -r event; do names_of "$event"; done | sed 's/.*/tiptop_&_total/' | tr - _
} | sort -u >"$dir/there"
expressions | grep -oE '\b(tiptop|node)_[a-z_]+\b(:[a-z0-9]+)?' | grep -v : | sort -u >"$dir/named"
is "metrics that are named" "$(($(wc -l <"$dir/named") > 5))" 1
is "they exist" "$(comm -13 "$dir/there" "$dir/named" | tr '\n' ' ')" ""
# The branches of an Arm node, which counts them by another event than the others, are on the dashboard, too; and once
# where a node has both.
expressions | grep mis_pred | sed 's/\\//g; s/\$__rate_interval/5m/g; s/\$instance/.*/g; s/\$program/.*/g' >"$dir/branches"
is "wrongly predicted branches stand in one panel" "$(wc -l <"$dir/branches")" 1
for event in $(names_of retired-branch-misses | sort -u | tr - _); do
	is "it knows them as $event" "$(grep -c "tiptop_${event}_total" "$dir/branches")" 1
done
cat >"$dir/branches.test.yml" <<END
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
$(while read -r labels event step; do
	echo "      - series: 'tiptop_${event}_total{$labels}'"
	echo "        values: '0+${step}x60'"
done <<ROWS
instance="x86",program="cc1" branch_misses 60
instance="x86",program="cc1" instructions 6000
instance="arm",program="cc1" br_mis_pred_retired 120
instance="arm",program="cc1" instructions 6000
instance="arm",program="ld" br_mis_pred_retired 600
instance="arm",program="ld" branch_misses 6000
instance="arm",program="ld" instructions 6000
ROWS
)
    promql_expr_test:
      - expr: '$(cat "$dir/branches")'
        eval_time: 30m
        exp_samples:
          - labels: '{program="cc1"}'
            value: 0.015
          - labels: '{program="ld"}'
            value: 0.1
END
promtool test rules "$dir/branches.test.yml" >"$out" 2>&1
ok "the dashboard has those of all nodes" $?
# All labels that stand in braces or behind "by".
{
	expressions | grep -oE 'by \([a-z, ]*\)' | sed 's/^by//' | grep -oE '[a-z]+'
	expressions | grep -oE '\{[^}]*\}' | grep -oE '[a-z]+(=|!)' | tr -d '=!'
	expressions | grep -oE 'label_values\(.*\)' | grep -oE '[a-z]+\)$' | tr -d ')'
} | sort -u >"$dir/labels"
grep -E '^(tiptop_cpu_seconds_total|node_textfile_mtime_seconds|node_cpu_seconds_total)\{' "$dir/page" | grep -oE '[a-z]+="' | tr -d '="' | sort -u >"$dir/has"
is "labels that are named" "$(($(wc -l <"$dir/labels") > 2))" 1
# "instance" is Prometheus' own.
is "they exist, too" "$(comm -13 "$dir/has" "$dir/labels" | grep -vx instance | tr '\n' ' ')" ""
rm -f "$dir/text/"*.prom

# What the last refresh had is what a query returns.
name=fl$$ me=$(id -un)
series="{program=\"$name\",user=\"$me\"}"
work_start "name=$name" touch=300 wait
"$tiptop" -b --format json -o "$dir/json" -S software -d 0.2 -n 5 -i -p "$worker" --group program-user \
	--metrics "$dir/text/tiptop.prom" >"$out" 2>"$err" 3>&-
metric() {
	awk -v series="tiptop_$1${series%\}},screen=\"software\"}" '$1 == series { print $2 }' "$dir/text/tiptop.prom"
}
# same NAME GOT WANT: the same number, however it is written.
same() {
	is "$1" "$(awk -v got="$2" -v want="$3" 'BEGIN { print (got != "" && got + 0 == want + 0) }')" 1
}
scraped() {
	awk -v got="$(query "tiptop_cpu_seconds_total$series")" -v want="$(metric cpu_seconds_total)" \
		'BEGIN { exit !(got != "" && got + 0 == want + 0) }'
}
await scraped
same "the CPU time" "$(query "tiptop_cpu_seconds_total$series")" "$(metric cpu_seconds_total)"
last() {
	grep '"type":"refresh"' "$dir/json" | tail -n 1 | grep -oE "\"$1\":[^,}]*" | cut -d : -f 2
}
for pair in minfl_per_second:minfl_s vcsw_per_second:vcsw_s members:members; do
	same "${pair%:*} is what the frame had" "$(query "tiptop_${pair%:*}$series")" "$(last "${pair#*:}")"
done
within "%CPU, too" "$(calc "$(query "tiptop_cpu_ratio$series") * 100 - $(last cpu)")" -0.000001 0.000001
work_end

# Fifty tasks come and go while they are scraped.
name=fm$$
series="{program=\"$name\",user=\"$me\"}"
"$tiptop" -b -o /dev/null -S software -d 0.1 -p "$name" --metrics "$dir/text/tiptop.prom" 2>"$err" 3>&- &
monitor=$!
seen() {
	[ "$(query "tiptop_members$series")" ]
}
for ((i = 0; i < 50; i++)); do
	"$work" "name=$name" spin=150 report
done >"$dir/reports"
used=$(awk '/^report/ { sum += $3 } END { print sum / 1e9 }' "$dir/reports")
await seen
none_left() {
	[ "$(query "tiptop_members$series")" = 0 ]
}
await none_left
is "fifty have run" "$(grep -c ^report "$dir/reports")" 50
is "the counter was never reset" "$(query "resets(tiptop_cpu_seconds_total${series}[5m])")" 0
# One runs at a time, on one CPU; an interval of scraping may have a refresh more than the next one.
within "the rate never jumps" "$(query "max_over_time(rate(tiptop_cpu_seconds_total${series}[5s])[5m:1s])")" 0.01 1.6
within "what it adds up to is what they have used" \
	"$(query "max_over_time(tiptop_cpu_seconds_total${series}[5m]) - min_over_time(tiptop_cpu_seconds_total${series}[5m])")" \
	0.1 "$(calc "$used * 1.25")"
rule() {
	[ "$(query "count(program:tiptop_cpus:rate5m{program=\"$name\"})")" = 1 ]
}
await rule
ok "the rules are in use" $?
kill "$monitor"
wait "$monitor" 2>/dev/null
monitor=''
finish
