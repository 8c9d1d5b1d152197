# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What is wrong with a screen of my own?"
cat >"$dir/mine" <<'END'
<tiptop>
<screen name="mine" desc="what I want to see">
<column header=" %CPU" format="%5.1f" expr="CPU_TOT"/>
<column header=" FLT/s" format="%6.1f" expr="rate(MINFAULT)"/>
</screen>
</tiptop>
END
open_tiptop -W ../mine -S mine
await "the footer says that there is an error, and names its key" shows 'error.*: e'
shot
key e
await "e: the sentence" shows 'MINFAULT'
tell "The footer says that an error occurred, and which key shows it. The error names the file, the line, the wrong name, and the most
similar valid name."
shot
key e
await "the errors are closed" painted
close_tiptop
