# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How is a task found by name, and ended?"
open_tiptop -S tasks
key /
await "/ asks" shows 'Search'
type_answer edit
await "the title has the search" shows '\[search: edit\]'
pid=$(screen | awk '/ edit(:|$)/ { print $1; exit }')
tell "\`/\` goes to the next row that has the text, while it is typed."
shot
key k
await "k offers its pid, and names it" shows "^Pid to send a signal to (edit): $pid"
press Enter
await "and asks for the signal, and says for which task" shows "^Signal for $pid edit "
shot
press Enter
await "it was sent" shows "SIGTERM) sent to $pid"
tell "\`k\` offers the current row, and SIGTERM: \`Enter\`, \`Enter\`."
await "it has ended" hides ' edit\(:.*\)*$'
shot
close_tiptop
