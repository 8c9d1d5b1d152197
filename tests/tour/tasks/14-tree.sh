# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What has a shell started?"
open_tiptop -S tasks
key t
await "t: a tree" shows '\[tree\]'
await "its children are below it" shows "[├└|\`][─-] edit"
tell "\`t\`: children stand below their parents."
shot
close_tiptop
