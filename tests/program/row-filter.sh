#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --filter: each of its forms, on tasks of this test; errors in a filter; the number of hidden rows.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# run OPTION...: two refreshes, idle tasks too; only those of this test are there.
run() {
	timeout 20 "$tiptop" -b -S software -d 0.1 -n 2 -i -p $name "$@" >"$out" 2>"$err" </dev/null 3>&- 4>&-
	status=$?
}
# shown: which of the two are in the last refresh: "a", "b", "a b".
shown() {
	awk 'body && NF { row[n] = row[n] $1 " " } body && !NF { n++ } $1 == "PID" { body = 1; getline } END { print row[n - 1] }' \
		"$out" | tr ' ' '\n' | sed -n "s/^${worker}[+-]*\$/a/p; s/^${partner}[+-]*\$/b/p" | LC_ALL=C sort | tr '\n' ' '
}
# lets FILTER WANT [OPTION...]
lets() {
	lets_filter=$1 lets_want=$2
	shift 2
	run --filter "$lets_filter" "$@"
	is "$lets_filter $*" "$status $(shown)" "0 $lets_want"
}
# refused FILTER SENTENCE [OPTION...]
refused() {
	refused_filter=$1 refused_want=$2
	shift 2
	run --filter "$refused_filter" "$@"
	is "$refused_filter: exits with 2, and nothing is written" "$status $(wc -c <"$out")" "2 0"
	is "$refused_filter: says what is wrong where" "$(cat "$err")" "tiptop: --filter: $refused_want"
}

name=rf$$
me=$(id -un)
mkfifo "$dir/input"
"$work" "name=$name-b" wait <"$dir/input" >"$dir/second" 3>&- &
partner=$!
exec 4>"$dir/input"
await grep -q '^# wait' "$dir/second"
renice -n 11 -p $partner >"$dir/text" 2>&1
work_start name=$name-a pool=1 wait

lets "" "a b "
lets "$name-a" "a "
lets "${name}-" "a b "
lets "'$name-b'" "b "
lets "/-b\$/" "b "
lets "/^$name-(a|c)\$/" "a "
lets "/$name-a" "" # not closed: a text, which is in no name
lets "pid == $worker" "a "
lets "command == '$name-b'" "b "
lets "user == \"$me\"" "a b "
lets "user != '$me'" ""
lets "user == '$me' && pid != $worker" "b "
lets "pid == $worker || pid == $partner" "a b "
lets "!(command == '$name-a')" "b "
lets "cpu >= 0 && cpu <= 100000" "a b "
lets "num_threads > 1" "a "
lets "nice == 11" "b " # the screen does not show it: it is read for the filter
lets "delta(minflt) >= 0" "a b "
lets "under($$)" "a b "
lets "under($worker)" "a "
lets "!under($worker)" "b "
lets "under($partner) || under($worker)" "a b "
# what is not known is not shown, unless the other side decides
lets "1 / 0 > 1" ""
lets "1 / 0 > 1 || pid == $worker" "a "
lets "!(1 / 0 > 1)" ""
lets "/name=$name-a pool/" "a " -c
lets "cpu < 100000 && user == '$me'" "a b " -H

run --filter "pid == $worker" --group program
is "members are asked, before they are put together" "$(grep -c "^ *$name-a .* 1\$" "$out") $(grep -c "^ *$name-b" "$out")" "2 0"
run --filter "cpu >= 0"
is "the head says by what" "$(grep -c '^filter: cpu >= 0$' "$out")" 1

run --filter "/^$name-x/"
is "no row passes: it is said once" "$(cat "$err")" "tiptop: no task that -p or -u lets pass passes the filter '/^$name-x/' (--filter)"
run --filter "cpu > 1e6"
is "a condition is not true now: it may be later" "$status $(cat "$err")" "0 "

# Without an answer within its steps.
lets '/^(.|..)+[x-z]$/' "a b " -c
is "an expression that takes too long hides nothing, which is said once" "$(cat "$err")" \
	"tiptop: the filter '/^(.|..)+[x-z]\$/' takes too long on some names, whose rows are shown unfiltered: simplify its repeats"

# In any case, and by the header of a column.
lets "PID == $worker && CPU >= 0" "a "
lets "%CPU >= 0 && [%cpu] >= 0 && Cpu_Tot >= 0 && pid == $worker" "a "

NO="there is no counter, variable or column"
refused "ipx < 0.5" "column 1: $NO 'ipx' in this screen"
refused "cpu > 1 && usr == 'x'" "column 12: $NO 'usr' in this screen (did you mean 'user'?)"
refused "CPU_TOTAL > 1" "column 1: $NO 'CPU_TOTAL' in this screen (did you mean 'CPU_TOT'?)"
refused "cpu >" "column 6: a number, a name or '(' is expected, not the end"
refused "user == 5" "column 6: a text can only be compared with another text, and one side of '==' is a number"
refused "user == 'x" "column 9: the text that begins here has no quote at its end"
refused "under(x) && 1" "column 7: a whole number is expected, not 'x'"
refused "/(/" "column 2: this is not a regular expression: missing closing parenthesis"
refused '/\d/' "column 2: \\d means nothing in extended regular expressions: leave out the backslash, or write a class such as [[:digit:]]"
refused "@x" "column 2: no filter is called 'x': tiptoprc(5) says how to name one; in quotes it is a text to look for"

# In the file: by option, and where it is for another screen, that is no reason not to start.
printf '<tiptop><options><option name="filter" value="pid == %s"/></options></tiptop>' "$partner" >"$dir/rc"
run -W "$dir/rc"
is "that of the file" "$status $(shown)" "0 b "
run -W "$dir/rc" --filter "pid == $worker"
is "the command line goes before it" "$(shown)" "a "
run -W "$dir/rc" --filter ""
is "and may take it away" "$(shown)" "a b "
printf '<tiptop><options><option name="filter" value="ipx &lt; 1"/></options></tiptop>' >"$dir/rc"
run -W "$dir/rc"
is "one of another screen hides nothing" "$status $(shown)" "0 a b "
is "which is said" "$(cat "$err")" "tiptop: the filter 'ipx < 1' is not for this screen, and all rows are shown: column 1: $NO 'ipx' in this screen"

printf '<tiptop><options>\n<option name="filter" value="/(/"/></options></tiptop>' >"$dir/rc"
run -W "$dir/rc"
is "an invalid regular expression is a mistake" "$status" 1
is "with its file and line" "$(head -n 1 "$err")" \
	"tiptop: $dir/rc:2: option 'filter': column 2: this is not a regular expression: missing closing parenthesis"
run -W "$dir/rc" --filter "pid == $worker"
is "the command line may take its place" "$status $(shown) $(cat "$err")" "0 a  "
printf '<tiptop><filter name="mine" expr="x"/><filter name="bad" expr="/(/"/></tiptop>' >"$dir/rc"
run -W "$dir/rc" --filter @mine
is "one with a name, too" "$status $(head -n 1 "$err")" \
	"1 tiptop: $dir/rc:1: <filter 'bad'> is for no screen: column 2: this is not a regular expression: missing closing parenthesis"

# Filters that have names.
cat >"$dir/rc" <<-XML
	<tiptop><filter name="mine" expr="pid == $worker"/><filter name="re" expr="/-b\$/" desc="The other"/>
	<filter name="two words" expr="x"/><filter name="mine" expr="x"/><filter name="at" expr="@re"/></tiptop>
XML
run -W "$dir/rc" --filter @mine
is "what is wrong with names is a mistake" "$status $(grep -c . "$err")" "1 4"
is "it is told in its line" "$(sed -n 3p "$err")" \
	"tiptop: $dir/rc:2: <filter 'at'>: expr is a text, /a regular expression/ or a condition: left out"
printf '<tiptop><filter name="mine" expr="pid == %s"/><filter name="re" expr="/-b$/"/></tiptop>' "$worker" >"$dir/rc"
lets @mine "a " -W "$dir/rc"
lets @re "b " -W "$dir/rc"
refused @no "column 2: no filter is called 'no': there are @mine, @re" -W "$dir/rc"
printf '<tiptop><filter name="odd" expr="nosuch &lt; 1"/></tiptop>' >"$dir/rc"
run -W "$dir/rc"
is "one that is for no screen is reported, and does not prevent the start" "$status $(cat "$err")" \
	"0 tiptop: $dir/rc:1: <filter 'odd'> is for no screen: column 1: $NO 'nosuch' in this screen"
mkdir -p "$dir/xdg/tiptop"
mv "$dir/rc" "$dir/xdg/tiptop/odd.xml"
XDG_CONFIG_HOME=$dir/xdg run --filter a
is "one of an additional file, with that file" "$(cat "$err")" \
	"tiptop: $dir/xdg/tiptop/odd.xml:1: <filter 'odd'> is for no screen: column 1: $NO 'nosuch' in this screen"
rm -r "$dir/xdg"

kill $partner
wait $partner 2>/dev/null
work_end

# What is hidden goes on being counted.
if "$work" can-count >"$dir/text" 2>&1; then
	work_start name=$name wait touch=300 wait touch=400 wait
	# shellcheck disable=SC2086 # several options
	watch $counters -d 0.1 -i -p "$worker" --filter "faults > 500"
	feed
	look
	is "hidden while it is not true" "$(rows "$worker")" ""
	feed
	look
	faults "then with all that it counted" "$(last "$worker" 2)" 700 2
	watch_end
	work_end
else
	skip "hidden while it is not true" "$(cat "$dir/text")"
	skip "then with all that it counted" "$(cat "$dir/text")"
fi

finish
