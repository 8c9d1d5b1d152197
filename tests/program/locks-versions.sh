#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two versions of a real program: the lock of the Python interpreter, which each write releases and acquires again.
pythons=$(ls /usr/bin/python3.* /usr/local/bin/python3.* "$(pyenv root 2>/dev/null)"/versions/3.*/bin/python3 2>/dev/null)
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
cat >"$dir/writes.py" <<'CODE'
import os, sys
null = os.open("/dev/null", os.O_WRONLY)
for i in range(int(sys.argv[1])):
    os.write(null, b"")
CODE

# measure PYTHON WRITES FILE
measure() {
	"$tiptop" locks --format json -o "$3" -- "$1" -S "$dir/writes.py" "$2" >"$out" 2>"$err"
}

# gil FILE FUNCTION: how often the function acquired mutexes.
gil() {
	jq -s --arg function "$2" \
		'[.[] | select(.kind == "mutex" and (.caller // "" | test("^" + $function + "[.+]"))) | .acquisitions] | add // 0' "$1"
}

command -v jq >"$out" || skip_all "there is no jq"
versions=0
for python in $pythons; do
	case $python in *-config) continue ;; esac
	measure "$python" 0 "$dir/without" || continue
	[ "$(gil "$dir/without" drop_gil)" -gt 0 ] || continue
	versions=$((versions + 1))
	measure "$python" 10000 "$dir/of-$versions"
	name=$("$python" -V)
	# Beside them, an interpreter does not do quite the same each time.
	within "$name: 10,000 writes give its lock up" \
		"$(($(gil "$dir/of-$versions" drop_gil) - $(gil "$dir/without" drop_gil)))" 10000 10010
	within "$name: and take it again, with another one" \
		"$(($(gil "$dir/of-$versions" take_gil) - $(gil "$dir/without" take_gil)))" 20000 20020
	[ $versions -lt 2 ] || break
done
[ $versions -gt 0 ] || skip_all "there is no python3 that has its symbols"
if [ $versions -gt 1 ]; then
	"$tiptop" compare --rows 0 --format csv "$dir/of-1" "$dir/of-2" >"$out" 2>"$err"
	is "what both did is side by side" \
		"$(awk -F, '$2 == "mutex" && $3 ~ /^drop_gil/ && $4 == "acquire" { a += $6; b += $9 } END { print a, b }' "$out")" \
		"$(gil "$dir/of-1" drop_gil) $(gil "$dir/of-2" drop_gil)"
else
	skip "what both did is side by side" "there is one version of python3 that has its symbols"
fi
finish
