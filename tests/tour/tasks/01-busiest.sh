# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Which task uses most of the CPU?"
open_tiptop
await "the busiest task stands first" first_row_is render
tell "No key is needed: the task that uses most of the CPU is in the first row, which is selected."
shot
close_tiptop
