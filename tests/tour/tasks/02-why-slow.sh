# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Why is this task not faster?"
open_tiptop -S software
await "the task has a row" shows ' queue'
key /
await "/ asks for a text" shows '^Search'
type_answer queue
key Enter
await "Enter: the page of the task" shows 'process .* queue'
scroll_to 'may run on'
check "it says what holds the task up" shows 'may run on'
tell "\`Enter\` opens the page of a task. The page shows what the task waits for, how certain this is, the numbers behind it, and what to
do next."
shot
close_tiptop
