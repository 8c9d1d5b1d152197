#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Pictures of the live screen, written by the key D.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

echo "-o $dir/rows.svg" >"$dir/options"
start run "start"
press D
answer "$dir/rows.svg"
await "D: the file of -o is refused" shows 'the picture would replace the output (-o)'
press Escape
press W
await "W asks for the file" shows 'Write the configuration to'
answer "$dir/rows.svg"
await "W: the same" shows 'the saved configuration would replace the output (-o)'
press Escape
press D
await "D asks for the file" shows '^Write a picture to'
answer "$dir/x.svg"
await "it says that the picture was written" shows 'a picture was written to'
check "it is one" grep -q '<svg ' "$dir/x.svg"
check "of the screen" grep -q 'COMMAND' "$dir/x.svg"
check "without the prompt" test "$(grep -c 'Write a picture' "$dir/x.svg")" = 0
press h
await "the help" shows 'Help: screen'
press D
await "D works there, too" shows '^Write a picture to'
answer "$dir/x.svg"
await "a file that is there is not touched unasked" shows 'overwrite it?'
check "it is as it was" test "$(grep -c 'Help: screen' "$dir/x.svg")" = 0
press n
await "no: it stays" hides 'overwrite it?'
check "it does" test "$(grep -c 'Help: screen' "$dir/x.svg")" = 0
press D
answer "$dir/x.svg"
await "it asks again" shows 'overwrite it?'
press y
await "yes: it is written" shows 'a picture was written to'
check "with the help" grep -q 'Help: screen' "$dir/x.svg"
press D
answer "$dir/x.png"
await "another suffix: a sentence says which there are" shows 'end it with'
press Escape
press q
await "q closes the help" painted
press q
check_restored "q"
echo "1..$count"
exit $failed
