# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
task "How are only my tasks shown?"
open_tiptop -S tasks
[ "$enter" != "unshare -p -f --mount-proc" ] || await "there is one of another user" shows ' other\(:.*\)*$'
key u
await "u asks" shows 'user'
type_answer "$(id -un)"
await "the title has the user" shows "\[user $(id -un)\]"
tell "\`u\`, and a name or a number."
shot
check "that of another user is not" hides ' other\(:.*\)*$'
close_tiptop
