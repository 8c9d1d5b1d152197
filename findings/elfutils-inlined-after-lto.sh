#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# eu-addr2line -i of elfutils 0.188-2.1 (Debian 12), on a program that gcc has optimized at link time (-flto -g).
#
# For an address in an inlined function, "eu-addr2line -f -i" prints that function and its line, then the caller and the
# line of the call. After optimization at link time, it prints no inlined function: it names the caller, with the line of
# the function that was inlined, in another file, as if the caller stood there. The debug information is complete, as
# addr2line(1) of binutils shows: the function is described in the unit of its own file, which the unit with the code
# imports, and dwarf_getscopes() of libdw, which eu-addr2line uses, returns no scope for such an address. So a profiler that
# takes scopes from libdw blames the caller with a line that is not its own; it can walk the entries below the unit with
# dwarf_child() and dwarf_haspc() instead.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

for name in elfutils libdw1 libelf1 libasm1 libdebuginfod1; do
	package $name 0.188-2.1
done
lib=$(dirname "$(find "$dir/root" -name 'libdw.so.1')")
cat >"$dir/twice.c" <<'C'
extern volatile int sink;
int twice(int x);
int twice(int x)
{
	sink = x;
	return 2 * x;
}
C
cat >"$dir/main.c" <<'C'
int twice(int x);
volatile int sink;
int main(int argc, char **argv)
{
	(void)argv;
	return twice(argc);
}
C
cat "$dir/twice.c" "$dir/main.c" >"$dir/together.c"
(cd "$dir" && gcc -O2 -g -o one together.c && gcc -O2 -g -flto -o linked twice.c main.c) || exit 1

# names PROGRAM COMMAND...: prints the functions that a command names for the first instruction of main.
names() {
	program=$dir/$1
	shift
	"$@" -f -i -e "$program" "0x$(nm "$program" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')" |
		awk 'NR % 2 { printf "%s ", $1 } NR % 2 == 0 { sub(/.*\//, ""); split($1, part, ":"); printf "%s:%s ", part[1], part[2] }'
}
eu() {
	LD_LIBRARY_PATH="$lib" "$dir/root/usr/bin/eu-addr2line" "$@"
}
seen "one file: the inlined function, then its caller" "$(names one eu)" "twice together.c:5 main together.c:13 "
seen "linked with -flto: binutils name both" "$(names linked addr2line)" "twice twice.c:5 main main.c:6 "
seen "eu-addr2line names the caller, with the line of the other" "$(names linked eu)" "main twice.c:5 "
