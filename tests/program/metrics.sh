#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --metrics: the numbers of the frame, in a file that is replaced atomically, and totals that never fall.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

name=mt$$ me=$(id -un) file=$dir/tiptop.prom
# metric NAME: its value for our program.
metric() {
	awk -v series="tiptop_$1{program=\"$name\",user=\"$me\",screen=\"software\"}" '$1 == series { print $2 }' \
		"$file" 2>/dev/null
}
# value ID: what JSON had in its last refresh.
value() {
	grep '"type":"refresh"' "$dir/json" | tail -n 1 | grep -oE "\"$1\":[^,}]*" | cut -d : -f 2
}

work_start "name=$name" touch=100 wait
(
	umask 077
	"$tiptop" -b --format json -o "$dir/json" -S software -d 0.2 -n 3 -i -p "$worker" --group program-user \
		--metrics "$file" >"$out" 2>"$err" 3>&-
)
is "JSON beside metrics" $? 0
for pair in minfl_per_second:minfl_s vcsw_per_second:vcsw_s members:members; do
	is "${pair%:*} is what the frame has" "$(metric "${pair%:*}")" "$(value "${pair#*:}")"
done
within "cpu_ratio is a hundredth of %CPU" "$(calc "$(metric cpu_ratio) * 100 - $(value cpu)")" -0.000001 0.000001
is "readable for the collector, whatever the umask is" "$(stat -c %a "$file")" 644
is "nothing else is left" "$(find "$dir" -name 'tiptop.prom*' | wc -l)" 1
is "other tasks are not in it" "$(grep -c "^tiptop_cpu_ratio{" "$file")" 1
is_well_formed "promtool has nothing to say" "$file"
for key in user program session cgroup container process; do
	"$tiptop" -b -o /dev/null -d 0.1 -n 2 --metrics "$file" --metrics-by $key 2>"$err" 3>&-
	is_well_formed "nor of those by $key" "$file"
done
for screen in $("$tiptop" --list-screens --format csv --fields name 2>"$err" | tail -n +2); do
	"$tiptop" -b -o /dev/null -S "$screen" -d 0.1 -n 2 --metrics "$file" >"$out" 2>"$err" 3>&-
	is_well_formed "nor of the screen $screen" "$file"
done
"$tiptop" system -o /dev/null --metrics "$file" 0.1 2 2>"$err" 3>&-
is_well_formed "nor of CPUs" "$file"
"$tiptop" -b -o /dev/null -d 0.1 -n 2 --metrics "$file" --metrics-by process --rows 3 2>"$err" 3>&-
is "the number of series" "$(grep -c '^tiptop_members\|^tiptop_cpu_ratio{pid="[0-9][0-9]*",program=".*",user=".*"} ' "$file")" 3
is "the others are one" "$(grep -c '^tiptop_cpu_seconds_total{pid="",program="other",user=""} ' "$file")" 1
"$tiptop" -b --metrics "$file" --metrics-by colour >"$out" 2>"$err"
is "another key: status" $? 2
"$tiptop" -b -d 0.1 -n 2 --metrics "$dir/none/x.prom" >"$out" 2>"$err" 3>&-
is "a folder that there is not: status" $? 1
matches "a folder that there is not: the message" "$(tail -n 1 "$err")" \
	"tiptop: cannot write '$dir/none/x.prom': No such file or directory"
work_end

# What doc/fleet.md says of the number of series, computed: events and columns of the screen, facts of a real file.
for screen in default software; do
	"$tiptop" -b -o /dev/null -S "$screen" -d 0.1 -n 2 --metrics "$file" 2>"$err" 3>&-
	declared=${srcdir:?}/config/screens/$screen.xml
	events=$(grep -c '<counter ' "$declared") columns=$(grep -c '<column ' "$declared")
	named=$(sed -n 's/.*<counter .*event="\([^"]*\)".*/tiptop_\1_total/p' "$declared" | tr '-' '_')
	facts=$(sed -n '/ tiptop_members /q; s/^# TYPE \([^ ]*\) .*/\1/p' "$file" | grep -vcxF "${named:-none}")
	series=$((51 * (events + facts + columns + 1) + 3))
	is "doc/fleet.md: series of $screen" "$(grep -F "| \`$screen\` |" "$srcdir/doc/fleet.md")" \
		"| \`$screen\` | $events | $facts | $columns | $series |"
	[ $screen = software ] || continue
	ok "and no file has more" "$(($(grep -vc '^#' "$file") > series))"
done
is "a thousand nodes" "$(sed -n 's/^On 1,000 nodes the screen `default` has \([0-9]*\),000 series.*/\1/p' "$srcdir/doc/fleet.md")" \
	"$(sed -n 's/^| `default` .* \([0-9]*\) |$/\1/p' "$srcdir/doc/fleet.md")"

# labels NAME OPTIONS: the labels of the series without a group, after one run.
labels() {
	rm -f "$file"
	"$tiptop" "$@" >"$out" 2>"$err" 3>&-
	sed -n 's/^tiptop_interval_seconds\(.*\) .*/\1/p' "$file"
}
is "without options, series of tiptop itself have no labels" "$(labels -b -o /dev/null -d 0.1 -n 2 --metrics "$file")" ""
is "-S: its name, however it is asked for" \
	"$(labels -b -o /dev/null -S soft -d 0.1 -n 2 --metrics "$file")" '{screen="software"}'
is "-e is no screen" "$(labels -b -o /dev/null -e page-faults -d 0.1 -n 2 --metrics "$file")" ""
is "--metrics-source" "$(labels -b -o /dev/null -S software -d 0.1 -n 2 --metrics "$file" --metrics-source 'a "b"')" \
	'{screen="software",source="a \"b\""}'
is "all series have it" "$(grep -v '^#' "$file" | grep -vc 'source="a \\"b\\""')" 0
"$tiptop" -b -n 1 --metrics-source a >"$out" 2>"$err"
is "without --metrics: status" $? 2
is "without --metrics: the message" "$(sed 1q "$err")" "tiptop: --metrics-source needs metrics: add --metrics"
"$tiptop" -b -n 1 --metrics "$file" --metrics-source '' >"$out" 2>"$err"
is "an empty name: status" $? 2

# Two files of one folder: node_exporter drops series that are in both.
mkdir "$dir/folder"
# note NAME OPTIONS: what a start says of other files, which writes NAME.
note() {
	written=$dir/folder/$1
	shift
	"$tiptop" -b -o /dev/null -d 0.1 -n 2 --metrics "$written" "$@" 2>"$err" 3>&-
	grep -c "has series that '[a-z]*.prom' beside it has, too, and node_exporter drops one of two: give this one another" "$err"
}
is "the first file of a folder" "$(note a.prom)" 0
is "it is written again" "$(note a.prom)" 0
is "a second one" "$(note b.prom)" 1
is "which the collector does not read" "$(note b.text)" 0
rm "$dir/folder/b.prom"
is "with a source" "$(note b.prom --metrics-source b)" 0
is "with a screen" "$(note c.prom -S software)" 0
is "with the same screen once more" "$(note d.prom -S software)" 1
rm "$dir/folder/d.prom"
is "no two series are the same" "$(cat "$dir/folder/"*.prom | grep -v '^#' | sed 's/ [^ ]*$//' | sort | uniq -d | wc -l)" 0
is_well_formed "promtool has nothing to say of an instance with a source" "$dir/folder/b.prom"
is "no two files explain a metric in different words" \
	"$(grep -h '^# HELP' "$dir/folder/"*.prom | sort -u | cut -d ' ' -f 3 | uniq -d | wc -l)" 0

# Fifty tasks of one name, one after the other: what each has used stays in the total, and no more than that.
rm -f "$file"
"$tiptop" -b -o /dev/null -S software -d 0.05 -p "$name" --metrics "$file" 2>"$err" 3>&- &
monitor=$!
follow() {
	while kill -0 "$monitor" 2>/dev/null; do
		metric cpu_seconds_total
		sleep 0.02
	done >"$dir/totals"
}
follow &
worker=$!
await test -e "$file"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	for _ in 1 2 3 4 5; do
		"$work" "name=$name" spin=30 report
	done
done >"$dir/reports"
used=$(awk '/^report/ { sum += $3 } END { print sum / 1e9 }' "$dir/reports")
gone() {
	[ "$(metric members)" = 0 ]
}
await gone
total=$(metric cpu_seconds_total)
kill "$monitor"
wait "$worker"
monitor='' worker=''
is "fifty have run" "$(grep -c ^report "$dir/reports")" 50
is "the total never falls" "$(awk '$1 < last { n++ } { last = $1 } END { print n + 0 }' "$dir/totals")" 0
# After the report, the end of a task uses some more.
within "and is not more than they have used" "$total" 0.03 "$(calc "$used * 1.25 + 0.1")"
finish
