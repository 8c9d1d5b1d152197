# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How is the screen kept still, and copied?"
open_tiptop -S tasks
key Z
await "Z: it is paused" shows '\[paused\]'
tell "\`Z\`: what is shown stays, while counters go on."
shot
key D
await "D asks for the file" shows '^Write a picture to'
type_answer copy.txt
await "it was written" shows 'a picture was written'
shot
check "it has what the screen had" grep -q ' render\(:.*\)*$' "$dir/$starts/copy.txt"
key Z
await "Z again: it goes on" hides '\[paused\]'
tell "\`D\` writes what is shown to a file: as text, where its name ends with \`.txt\`. Or the terminal copies it: it selects text with the mouse while Shift is held."
close_tiptop
