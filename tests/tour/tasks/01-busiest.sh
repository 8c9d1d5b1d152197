# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Which task uses most of the CPU?"
open_tiptop
await "the busiest task stands first" first_row_is render
tell "Nothing is to be pressed: what uses most stands first, and is the current row."
shot
close_tiptop
