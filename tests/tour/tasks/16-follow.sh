# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How is one task kept in sight?"
open_tiptop -S tasks
key /
await "/ asks" shows 'Search'
type_answer build
await "the search has found it" shows '\[search: build\]'
key F
await "F follows it" shows '\[following [0-9]*\]'
key P M T
check "it is the current row in whatever order" shows '\[following [0-9]*\]'
tell "\`F\`: the current row stays on it, however rows are sorted, and though it is idle."
shot
close_tiptop
