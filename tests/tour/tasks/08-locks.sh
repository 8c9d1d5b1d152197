# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Where do threads wait for locks?"
tell "\`tiptop locks\` runs an unchanged program, and shows for each lock and caller the number of acquisitions, the waits and the holds,
and what waiting costs. This program starts a thousand threads, eight at a time."
open_shell
command_line 'clear; tiptop locks -o report -- locker threads; cut -c -98 report | head -n 14'
await "there is a row for each lock and caller" shows 'mutex .*locker\.c:'
shot
