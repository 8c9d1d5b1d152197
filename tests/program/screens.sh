#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The sources of screens: built in, files that only add screens, the single file; which screens replace others, their
# numbers, and --show-screen.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

TIPTOP_CPU=x86:06_9E
XDG_CONFIG_HOME=$dir/xdg
export TIPTOP_CPU XDG_CONFIG_HOME
folder=$XDG_CONFIG_HOME/tiptop
mkdir -p "$folder"

# screens OPTION...: the numbers and names of --list-screens; messages are in $err.
screens() {
	"$tiptop" "$@" --list-screens 2>"$err" | sed -n "s/^ *\([0-9]*\): '\([^']*\)', .*/\1 \2/p" >"$out"
}
# number NAME, name NUMBER
number() {
	sed -n "s/ $1\$//p" "$out"
}
# a_screen NAME [ATTRIBUTE]: that has a column of CPU time.
a_screen() {
	printf '<screen name="%s" desc="own %s" %s><column header="OWN" format="%%5.1f" expr="CPU_TOT"/></screen>\n' "$1" "$1" "${2-}"
}
# file NAME: the elements on standard input as a whole file.
file() {
	{
		echo '<tiptop>'
		cat
		echo '</tiptop>'
	} >"$1"
}

screens
is "without files: no message" "$(cat "$err")" ""
built_in=$(cat "$out")
n=$(wc -l <"$out")
# The first number that no built-in screen has, of this CPU or of another one.
next=$(cat "${srcdir:?}"/config/screens/*.xml | sed -n 's/.*<screen .*number="\([0-9]*\)".*/\1/p' | sort -n | tail -n 1)
next=$((next + 1))

# Built-in screens keep their numbers; the one file gets the next ones, then files that add, in the order of their names.
a_screen rc | file "$HOME/.tiptoprc"
a_screen of-b | file "$folder/b.xml"
a_screen of-a | file "$folder/a.xml"
a_screen of-B | file "$folder/B.xml"
a_screen no | file "$folder/.hidden.xml"
a_screen no | file "$folder/a.txt"
mkdir "$folder/folder.xml"
screens
matches "a folder is passed over, with a message" "$(cat "$err")" "tiptop: '$folder/folder.xml' is passed over: .*"
rmdir "$folder/folder.xml"
mv "$folder" "$folder.kept"
ln -s tiptop "$folder"
screens
is "a folder that cannot be read is named" "$(grep -c "^tiptop: '$folder' is passed over: " "$err")" 1
rm "$folder"
mv "$folder.kept" "$folder"
screens
is "files: no message" "$(cat "$err")" ""
is "the screen of the file has the next free number" "$(number rc)" "$next"
is "the built-in screens keep their numbers" "$(head -n "$n" "$out")" "$built_in"
is "those of files that add come last, in the order of bytes" "$(tail -n 3 "$out" | tr '\n' ' ')" \
	"$((next + 1)) of-B $((next + 2)) of-a $((next + 3)) of-b "
screens --only-conf
is "--only-conf: all files" "$(tr '\n' ' ' <"$out")" "0 rc 1 of-B 2 of-a 3 of-b "
screens -W "$HOME/.tiptoprc"
is "-W reads nothing else" "$(wc -l <"$out")" $((n + 1))

# A name that is there already.
rm "$folder/a.xml" "$folder/B.xml"
{
	a_screen memory
	a_screen branch 'replace="yes"'
} | file "$folder/b.xml"
{
	a_screen stalls
	a_screen memory 'replace="yes"'
} | file "$HOME/.tiptoprc"
screens
is "left out, with both places" "$(cat "$err")" \
	"tiptop: $folder/b.xml:2: <screen 'memory'>: a built-in one has this name: replace=\"yes\" puts this one in its place: left out"
is "there are as many, and one of the file" "$(wc -l <"$out")" $((n + 1))
is "of the file, one may have the name of another" "$(number stalls | tr '\n' ' ')" "7 $next "
is "numbers stay" "$(number branch) $(number memory)" "1 6"
"$tiptop" --list-screens 2>/dev/null >"$out"
is "in their place" "$(grep -c "own branch\|own memory" "$out")" 2
a_screen memory 'replace="yes"' | file "$folder/b.xml"
a_screen memory 'replace="yes"' | sed 's/own memory/the last one/' | file "$HOME/.tiptoprc"
"$tiptop" --list-screens 2>"$err" >"$out"
is "the file goes before those that add" "$(cat "$err") $(grep -c "'memory', the last one" "$out") $(grep -c "'memory'" "$out")" " 1 1"
a_screen one | file "$folder/b.xml"
a_screen one | file "$folder/c.xml"
screens
matches "of two files that add, the first" "$(cat "$err")" "tiptop: $folder/c.xml:2: <screen 'one'>: that of $folder/b.xml:2 has this name: .*"
is "of two files that add, one" "$(number one | wc -l)" 1
rm "$folder/c.xml" "$HOME/.tiptoprc"
echo '<options><option name="delay" value="1"/></options>' | file "$folder/b.xml"
screens
is "options are for the one file" "$(cat "$err")" \
	"tiptop: $folder/b.xml:2: option 'delay': options belong into the file .tiptoprc: left out"
echo '<tiptop>' >"$folder/b.xml"
"$tiptop" --list-screens >"$out" 2>"$err"
is "a file that is not XML ends the start" $? 1
matches "and is named" "$(cat "$err")" "tiptop: $folder/b.xml:[12]: bad XML: .*"

# Events and CPUs of files, wherever an event can be named.
{
	echo '<cpu name="mine" models="06_9E"/>'
	echo '<event name="own-faults" unit="faults" desc="what I count"><for model="mine" event="NO:SUCH; page-faults"/></event>'
	echo '<event name="of-others" unit="faults" desc="what others count"><for model="zen4" event="page-faults"/></event>'
} | file "$folder/b.xml"
printf '<screen name="faults"><counter alias="f" event="own-faults" model="mine"/><column header="F" format="%%5.0f" expr="f"/></screen>\n' |
	file "$HOME/.tiptoprc"
"$tiptop" --list-events what >"$out" 2>"$err"
matches "it is listed" "$(grep own-faults "$out")" 'own-faults +software +0x1:0x2 +yes +what I count \[faults; .*b.xml:3\]'
is "one of other CPUs is not" "$(grep -c of-others "$out")" 0
"$tiptop" -b -n 1 -d 0.1 -S faults >"$out" 2>"$err"
is "a screen of the one file can use it" "$? $(cat "$err")" "0 "
"$tiptop" -b -n 1 -d 0.1 -e own-faults >"$out" 2>"$err"
is "-e can use it" "$? $(cat "$err")" "0 "
"$tiptop" -b -n 1 -d 0.1 -e of-others >"$out" 2>"$err"
is "one of other CPUs: exit status" $? 2
matches "one of other CPUs: a sentence" "$(cat "$err")" "tiptop: -e: the event 'of-others' is not known for this CPU.*"
rm "$folder/b.xml" "$HOME/.tiptoprc"

# --show-screen: what it prints is read in its place.
"$tiptop" --show-screen memory >"$dir/shown" 2>"$err"
is "--show-screen: exit status" "$? $(cat "$err")" "0 "
mv "$dir/shown" "$HOME/.tiptoprc"
screens
is "it takes the place of the built-in one" "$(cat "$out")" "$built_in"
"$tiptop" --show-screen memory >"$out" 2>"$err"
is "printed again, it is the same" "$(cmp "$out" "$HOME/.tiptoprc" 2>&1)" ""
is "columns for other CPUs are there, too" "$(grep -c DRAMPKI "$out")" 1
TIPTOP_CPU=x86:17_31 "$tiptop" --show-screen memory >"$out" 2>"$err"
is "on another CPU it is the same, without a message" "$(cmp "$out" "$HOME/.tiptoprc" 2>&1)$(cat "$err")" ""
rm "$HOME/.tiptoprc"
"$tiptop" --show-screen=mem 2>"$err" | sed -n 's/.*<screen name="\([^"]*\)".*/\1/p' >"$out"
is "one that is hidden here, by its name" "$(cat "$out" "$err")" mem
"$tiptop" -S 1 --show-screen 2>"$err" | sed -n 's/.*<screen name="\([^"]*\)".*/\1/p' >"$out"
is "that of -S" "$(cat "$out" "$err")" branch
"$tiptop" --show-screen 99 >"$out" 2>"$err"
is "one that there is not: exit status" $? 2
matches "one that there is not: a sentence" "$(cat "$err")" "tiptop: there is no screen 99: .*"
# Without hardware counters, that is why a screen is empty, whatever the CPU; its events are not.
export TIPTOP_CPU=x86:19_11
if "$tiptop" -S default -b -n 1 2>&1 >"$out" | grep -q 'no hardware counters'; then
	"$tiptop" -S memory -b -n 1 >"$out" 2>"$err"
	matches "an empty screen: no hardware counters" "$(cat "$err")" \
		"tiptop: this machine has no hardware counters: .*: the screen 'memory' is empty"
else
	skip "an empty screen: no hardware counters" "this machine has some"
fi
unset TIPTOP_CPU
# Their order, and which have no tab.
rm -rf "$folder"
{ a_screen mine && a_screen other; } | file "$dir/rc"
screens -W "$dir/rc" --screens "mine,memory, -branch"
is "--screens: no message" "$(cat "$err")" ""
is "those that it names come first, in its order" "$(head -n 2 "$out" | sed 's/.* //' | tr '\n' ' ')" "mine memory "
is "and keeps its number" "$(number mine)" "$next"
is "one is left out" "$(number branch)" ""
is "all others follow, in their usual order" "$(sed -n '3,$s/^[0-9]* //p' "$out")" \
	"$(screens -W "$dir/rc" && sed -n 's/^[0-9]* //p' "$out" | grep -vx 'mine\|memory\|branch')"
"$tiptop" -W "$dir/rc" --screens=-other -S other -b -n 1 >"$out" 2>"$err"
is "what is left out cannot be chosen: status" $? 2
matches "and why" "$(cat "$err")" "tiptop: the screen 'other' cannot be shown here: the option 'screens' leaves it out"
"$tiptop" --screens memory,nosuch --list-screens >"$out" 2>"$err"
is "a name that is none: status" $? 2
matches "the sentence has it" "$(cat "$err")" "tiptop: --screens: there is no screen 'nosuch' to be put in order: .*"
"$tiptop" --screens=memory,-,nosuch --list-screens >"$out" 2>"$err"
is "a '-' without a name: status" $? 2
matches "it does not end the list" "$(cat "$err")" "tiptop: --screens: there is no screen '' to be put in order: .*"
"$tiptop" -W "$dir/rc" --only-conf --screens=-mine,-other --list-screens >"$out" 2>"$err"
is "one must be left: status" $? 2
matches "and why" "$(cat "$err")" "tiptop: one screen must be left to be shown"
{ echo '<options><option name="screens" value="other,nosuch,-mine"/></options>' && a_screen mine && a_screen other; } | file "$dir/rc"
screens -W "$dir/rc"
is "in a file: the order" "$(head -n 1 "$out")" "$((next + 1)) other"
is "and what is left out" "$(number mine)" ""
matches "a name that is none is told" "$(cat "$err")" "tiptop: $dir/rc: the option 'screens': there is no screen 'nosuch' .*"
screens -W "$dir/rc" --screens all
is "all: the usual order" "$(cat "$err") $(number default)" " 0"
finish
