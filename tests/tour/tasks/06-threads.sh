# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What do the threads of a program do?"
open_tiptop -S software
key p
await "p asks" shows '^Only the pid'
type_answer db
await "there is no row: it waits" shows "press i"
key i
await "the key that it names shows who is idle" shows '1 shown'
tell "The program waits; a sentence says which key shows it nevertheless."
key H
await "H: four threads" shows '4 shown'
await "their rows are there" shows '[-]  *[0-9].* db'
tell "\`H\`: a row for each thread. \`-\` behind a number is one that is not the first of its process."
shot
close_tiptop
