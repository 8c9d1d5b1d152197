# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How are columns changed, and kept?"
printf '<tiptop>\n  <!-- mine -->\n</tiptop>\n' >"$home/.tiptoprc"
open_tiptop -S software
key F2
await "F2: the columns of the screen" shows '^ Columns of software'
tell "\`F2\` opens the setup: the columns of the screen are marked, and all other columns are listed below them."
shot
key DOWN -
await "- takes the second one away" hides '^\* %SYS'
key +
await "+ asks for a column" shows '^Column (NAME = expression)'
mux send-keys -l 'SHARE = CPU / 100'
await "what is wrong is told while it is typed" shows "no counter, variable or column 'CPU'"
tell "An expression is checked while you type it: here a name is wrong, and a mark below the line points to it."
shot
key ESC +
await "+ asks again" shows '^Column (NAME = expression)'
type_answer 'SHARE = CPU_TOT / 100'
await "it is a column of the screen" shows '^\* SHARE'
key q
await "q closes the page, and the table has it" shows '^ *PID.*SHARE.*COMMAND'
check "and not the other one" hides '^ *PID.*%SYS'
tell "The table shows the changed columns at once. The message says how to save the changes."
shot
key W
await "W asks for the file" shows '^Write the configuration to'
key Enter
await "which is there" shows 'change what is different in it'
key y
await "it was written" shows 'written to'
check "what the file said before is still there" grep -q '<!-- mine -->' "$home/.tiptoprc"
close_tiptop
open_tiptop -S software
await "at the next start the columns are there" shows '^ *PID.*SHARE.*COMMAND'
tell "\`W\` changes only the differing settings in the file; the next start uses them."
close_tiptop
rm "$home/.tiptoprc"
