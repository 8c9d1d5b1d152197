#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A mistyped name of any kind is refused with the most similar one. A filter that looks like a condition or a regular
# expression, but is a text, gets a note.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# means KIND NAME ARGUMENT...: the sentence offers this name.
means() {
	kind=$1 name=$2
	shift 2
	# A screen that any machine has, that numbers may be asked for.
	timeout 60 "$tiptop" "$@" >"$out" 2>"$err" </dev/null
	grep -q "(did you mean '$name'?)" "$err"
	ok "$kind: $name" $?
}
# file TEXT: a configuration file of this.
file() {
	printf '<tiptop>%s</tiptop>\n' "$1" >"$dir/rc"
}
# means_in KIND NAME TEXT: the same in a configuration file.
means_in() {
	file "$3"
	means "$1" "$2" -W "$dir/rc" -b -n 1 -p $$
}
column='<column header="B" format="%5.1f" expr="CPU_TOT"/>'

# On the command line.
means command system sytem
means "command that is asked about" system help sytem
means option --delay --dely 3
means "option of a command" --format what --formt text
means "option of a command" --format locks --frmat json -- true
means screen software -b -n 1 -S softwar1
means "screen in the order" default -b -n 1 --screens defalt
means "column to sort by" cpu -b -n 1 -S tasks --sort cpuu
means field pid -b -n 1 --fields pidd --format csv
means "field of the metrics" cpu -n 1 -S tasks --metrics "$dir/metrics" --format csv -b --fields cpuu
means variable CPU_TOT -b -n 1 --filter 'CPU_TOTAL > 5'
means "id of a column" migr_s -b -n 1 -S software --filter 'mgr_s > 5'
means format json -b -n 1 --format jsom
means "format of a command" json follow --format jsom -- true
means "format of a comparison" json compare --format jsom "$dir/a" "$dir/b"
means CPU zen4 --for-cpu zenn4 --list-screens
means theme light --theme ligt -b -n 1
means event cycles -b -n 1 -e cycels
means values total -b -n 1 --values totl
means group program -b -n 1 --group progam
means "part of the screen" meters --layout mters

# In a configuration file.
means_in "option of a file" delay '<options><option name="dely" value="3"/></options>'
means_in element options '<option_s/>'
means_in attribute desc "<screen name=\"x\" dsc=\"y\">$column</screen>"
means_in unit ratio '<screen name="x"><column header="A" format="%5.1f" expr="CPU_TOT" unit="rato"/></screen>'
means_in "variable of a column" CPU_TOT '<screen name="x"><column header="A" format="%5.1f" expr="CPU_TOTAL"/></screen>'
means_in "header of a column" Busy '<screen name="x"><column header="Busy" format="%5.1f" expr="CPU_TOT"/><column header="A" format="%5.1f" expr="2 * Busi"/></screen>'
means_in "set of keys" htop '<keys set="htp"/>'
means_in action help '<key name="F5" action="halp"/>'
means_in key Enter '<key name="Entr" action="help"/>'
means_in "screen of a metric" software '<metric name="m" unit="u" format="%.0f" desc="d"><from screen="softwar1" column="cpu"/></metric>'
means_in "column of a metric" migr_s '<metric name="m" unit="u" format="%.0f" desc="d"><from screen="software" column="mgr_s"/></metric>'
means_in look header '<theme name="x"><look name="heder" fg="red"/></theme>'

# A filter that may have been meant otherwise.
notes() {
	"$tiptop" -b -n 1 -p $$ "$@" >"$out" 2>"$err" </dev/null
}
notes --filter 'cpu above 20'
grep -q "the filter 'cpu above 20' is a text to look for in names: a condition compares, as in cpu > 20" "$err"
ok "a text that looks like a condition says so" $?
notes --filter '/half'
grep -q "the filter '/half' is a text: a regular expression ends with '/', too" "$err"
ok "so does half a regular expression" $?
file '<options><option name="filter" value="cpu above 20"/></options>'
notes -W "$dir/rc"
is "in a configuration file, too, once" "$(grep -c 'is a text to look for' "$err")" 1
notes --filter 'make'
is "a plain text does not" "$(grep -c 'is a text' "$err")" 0

# One function finds what is near: nothing else writes that sentence.
if [ -d "${srcdir:-.}/src" ]; then
	others=$(grep -rl 'did you mean' "${srcdir:-.}/src" --include='*.c' | grep -v -e '/base/suggestion\.c$' -e '/event/name\.c$')
	is "nothing else asks it" "$others" ""
fi
finish
