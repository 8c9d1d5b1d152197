# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Why did it become slow, and when?"
replay_scene -S default
key /
await "/ asks for a text" shows '^Search'
type_answer graph-search
key Enter
await "its page says what holds it up" shows 'memory  '
tell "\`tiptop --replay scene.db\` shows a recording, with the same keys. This recording is artificial, with hardware counters. The
verdicts come from these counters; each has its numbers and the next steps."
shot
scroll_to 'IPC 1.89 -> 0.38'
check "below it are the phases" shows 'IPC 1.89 -> 0.38'
tell "Further down are the phases: changes of a number that lasted. On a screen of 21 lines or more, a graph is at the top of the page."
shot
close_tiptop
