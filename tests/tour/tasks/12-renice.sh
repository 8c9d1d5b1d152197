# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How are three tasks made nicer?"
open_tiptop -S tasks
key p
await "p asks" shows '^Only the pid'
type_answer queue
await "there are three rows" shows '3 shown'
key SPACE SPACE SPACE
await "three are tagged" shows '\[3 tagged\]'
check "each has a mark" test "$(screen | grep -c '#.* queue\(:.*\)*$')" = 3
shot
key r
await "r asks for the nice value, and says for which tasks" shows '^Nice value of 3 tagged tasks'
type_answer 19
await "it was set for three" shows 'nice value 19 for 3 tasks'
tell "\`SPACE\` tags, \`r\` changes the nice value of all that are tagged."
shot
close_tiptop
