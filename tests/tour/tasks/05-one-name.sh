# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What do all tasks of one name do?"
open_tiptop
key p
await "p asks" shows '^Only the pid'
type_answer queue
await "there are three rows" shows "3 shown"
tell "\`p\`, and a part of the name; the line of totals has what they do together."
shot
close_tiptop
