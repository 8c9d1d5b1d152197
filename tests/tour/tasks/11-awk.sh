# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How is a number of a task used in a script?"
open_shell
command_line "tiptop -b -n 2 -d 1 --safe-names -S software | awk '\$NF == \"render\" { sum += \$2; n++ } END { print n, sum / n }'"
await "awk has added" shows '^[12] [0-9]'
tell "Batch mode writes lines of words: with \`--safe-names\`, the name of a task is one word, the last of its line."
shot
