# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "What happened last night?"
tell "\`tiptop -b --record night.db\` writes a recording, and \`tiptop what\` summarizes it later. This is the summary of the recording of the last section."
open_shell
command_line 'clear; tiptop what scene.db | sed -n "/^The biggest/,/^Why/p"'
await "the page names the programs" shows 'graph-search .* memory'
shot
command_line 'clear; tiptop report scene.db -o page.html && ls page.html'
await "the page is written" shows '^page\.html'
tell "\`tiptop report\` writes a page with charts for a browser, one file to mail:

![the page of a recording](pictures/report.png)"
task "What differs between two recordings, or two halves of one?"
command_line 'clear; tiptop compare -c ipc,cpu scene.db,to=12:00:30 from=12:00:32 | sed -n "/^graph-search/,/^$/p"'
await "it says what has changed" shows '^ *IPC .* less'
tell "Beside each difference is its margin: the size that chance alone can explain."
shot
