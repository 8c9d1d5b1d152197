# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Why did it become slow, and when?"
replay_scene -S default
key /
await "/ asks for a text" shows '^Search'
type_answer graph-search
key Enter
await "its page says what holds it up" shows 'memory  '
tell "A recording is looked at with the same keys: \`tiptop --replay scene.db\`. This one is made up, with the counters of a CPU. The
verdicts come from them, with the numbers behind each and what to try next."
shot
scroll_to 'IPC 1.89 -> 0.38'
check "below it are the phases" shows 'IPC 1.89 -> 0.38'
tell "Further down, the phases: when a number changed, and stayed so. On a screen of 24 lines or more, a graph stands above all."
shot
close_tiptop
