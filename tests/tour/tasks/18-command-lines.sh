# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How are full command lines seen?"
open_tiptop -S tasks
key c
await "c: command lines" shows ' work name=render spin=1'
tell "\`c\`: command lines in place of names."
shot
close_tiptop
