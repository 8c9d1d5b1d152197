# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Which task has most memory?"
open_tiptop -S tasks
key M
await "M sorts by memory" sorted_by_again 'RES'
await "who has most stands first" first_row_is cache
tell "\`M\`, as in top and htop."
shot
close_tiptop
