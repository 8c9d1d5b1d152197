# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "Which task waits for a CPU?"
open_tiptop -S software
key o END UP Enter
await "the last column but COMMAND sorts" sorted_by_again 'WAITms/s'
await "who waits stands first" first_row_is queue
tell "1000 ms in a second are one thread that waits all the time; the kernel adds a wait when it ends, so that one refresh may have
more. Three tasks may run on one CPU only."
shot
close_tiptop
