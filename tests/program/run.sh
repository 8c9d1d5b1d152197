#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tools/run: its message at the first start, and no other output. The build itself is a fake.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -e "${srcdir:?}/tools/run" ] || skip_all "there is no tools/run here"
command -v bash >/dev/null || skip_all "bash is not installed"

# A tree that is configured, whose program prints its arguments. No package is asked for.
tree=$dir/tree
mkdir -p "$tree/tools" "$tree/build"
cp "$srcdir/tools/run" "$tree/tools"
sed '/^run  /d; /^check  /d' "$srcdir/tools/lib.sh" >"$tree/tools/lib.sh"
: >"$tree/configure"
: >"$tree/Makefile.in"
printf 'tiptop: ../source\n\t@echo compiling\n\t@cp ../source tiptop\n\t@chmod +x tiptop\n' >"$tree/build/Makefile"
# shellcheck disable=SC2016 # for the script that is written
printf '#!/bin/sh\necho "output $*"\n' >"$tree/source"

# run OPTION...; the exit status is $status.
run() {
	(cd / && exec "$tree/tools/run" "$@") >"$out" 2>"$err" </dev/null
	status=$?
}
run -b -n 1
is "first start: the program's output alone" "$(cat "$out")" "output -b -n 1"
is "first start: it says what it does" "$(cat "$err")" "tools/run: building, about half a minute"
run -b
is "second start: the program's output" "$(cat "$out")" "output -b"
is "second start: not a word" "$(cat "$err")" ""
printf '#!/bin/sh\necho changed\nexit 3\n' >"$tree/source"
touch -d '+2 seconds' "$tree/source"
run
is "after a change: the new program, and its status" "$(cat "$out") $status" "changed 3"
is "after a change: not a word" "$(cat "$err")" ""
rm "$tree/build/tiptop" "$tree/source"
run
is "a build that fails: exit status" "$([ $status -ne 0 ] && echo failed) $(cat "$out")" "failed "
is "a build that fails: what make said, and what failed" "$(grep -c 'source' "$err") $(grep -c '^tools/run: failed: make' "$err")" "1 1"

finish
