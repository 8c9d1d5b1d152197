# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What did a command do, and how did it end?"
open_shell
command_line 'tiptop -b -S software -- sh -c "sleep 1; exit 3" >numbers; echo "status $?"; tail -n 4 numbers'
await "its status is that of the command" shows '^status 3'
await "and its last row tells its end" shows "sh DEAD"
tell "Behind \`--\` stands a command, which is counted from its first instruction to its last. Its exit status is handed on."
shot
