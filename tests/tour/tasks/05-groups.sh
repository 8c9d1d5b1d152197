# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What do all tasks of a program do together?"
replay_scene -S default
tries=0
until shows '^ *PROGRAM' || [ $tries -gt 8 ]; do
	key g
	sleep 0.3
	tries=$((tries + 1))
done
check "g: a row is a program" shows '^ *PROGRAM'
tell "\`g\` groups by user, program, container, control group. Ratios of a group come from sums: the instructions of all members divided
by the cycles of all members. \`Enter\` shows the members."
shot
close_tiptop
