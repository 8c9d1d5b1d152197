# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What did a command do, and how did it end?"
open_shell
command_line 'tiptop -b -S software -- sh -c "sleep 1; exit 3" >numbers; echo "status $?"; tail -n 18 numbers'
await "its status is that of the command" shows '^status 3'
await "its last row tells its end" shows "sh DEAD"
await "and a summary counts all that it made" shows "summary: .*, and its descendants: ended with status 3"
tell "The command after \`--\` is counted from its first instruction to its last, with all its descendants. Its exit status becomes the
exit status of tiptop."
shot
