# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What does the task with a certain pid do?"
open_tiptop
pid=$(screen | awk '/ render$/ { print $1; exit }')
key p
await "p asks" shows '^Only the pid'
type_answer "$pid"
await "there is but one row" shows "1 shown"
check "it is this task" first_row_is render
tell "\`p\`, and the pid. An empty answer brings all back."
shot
close_tiptop
