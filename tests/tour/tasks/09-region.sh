# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016 # for the shell on the screen
task "What does a part of my program cost?"
tell "A program names its regions itself, in C, C++ or Python (\`with tiptop.region(\"sort\"):\`). If the kernel allows it, counters are
read in user mode, in tens of nanoseconds."
cp "${srcdir:?}/examples/sort.py" "$srcdir/python/tiptop.py" "$dir"
open_shell
command_line 'clear; TIPTOP_LIBRARY=$LIBTIPTOP tiptop regions -- python3 ../sort.py'
await "the region has a row" shows '^sort '
shot
