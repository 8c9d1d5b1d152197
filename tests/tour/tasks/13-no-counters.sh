# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Why are there no counters?"
open_shell
command_line 'confine tiptop -S default'
await "a sentence says why" shows 'seccomp\|no hardware counters'
await "cells have a mark, not 0" shows '?  *render\>'
tell "A sentence above the table says why there are none; cells without a number have a mark, never 0."
shot
key q
await "the shell is back" hides 'COMMAND'
command_line 'clear; confine tiptop --check | grep -A 1 seccomp'
await "--check has it, too" shows 'seccomp *a filter'
tell "\`tiptop --check\` lists everything that can prevent counting, with remedies. Here one of the causes is a system call filter."
shot
