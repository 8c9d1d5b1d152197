#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A program finds libtiptop with CMake, installed below another root.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v cmake >/dev/null; then
	skip "a program is built by CMake" "cmake is missing"
	finish
fi
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
make -C "${builddir:?}" DESTDIR="$dir/root" install-cmakeDATA install-includeHEADERS install-libtiptopexecPROGRAMS \
	install-libtiptop_archiveDATA >"$out" 2>"$err"
ok "the library is installed" $?
config=$(find "$dir/root" -name tiptopConfig.cmake)
config=${config%/*}
ln -s libtiptop.so.0 "$config/../../libtiptop.so" # as the hook of all of "make install" does

mkdir "$dir/program"
cat >"$dir/program/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(program C)
find_package(tiptop ${WANTED} REQUIRED)
message(STATUS "version ${tiptop_VERSION}")
add_executable(shared main.c)
target_link_libraries(shared PRIVATE tiptop::tiptop)
add_executable(static main.c)
target_link_libraries(static PRIVATE tiptop::tiptop_static)
END
cat >"$dir/program/main.c" <<'END'
#include <stdio.h>
#include <tiptop.h>

int main(void)
{
	struct tt *t = tt_open("page-faults");

	puts(t ? tt_name(t, 0) : tt_strerror());
	tt_close(t);
	return 0;
}
END
# configures [VERSION]: whether CMake takes it.
configures() {
	rm -rf "$dir/made"
	cmake -S "$dir/program" -B "$dir/made" -Dtiptop_DIR="$config" -DWANTED="${1-}" >"$out" 2>"$err"
}
configures
ok "CMake finds it" $?
version=$(sed -n 's/^-- version //p' "$out")
is "with its version" "$version" "$(sed -n 's/^Version: //p' "$builddir/src/inject/lib/tiptop.pc")"
cmake --build "$dir/made" >"$out" 2>"$err"
ok "a program is built" $?
is "with the shared library" "$("$dir/made/shared")" page-faults
is "with the archive" "$("$dir/made/static")" page-faults
configures "${version%%.*}"
ok "an earlier version of the same first number does" $?
configures "$((${version%%.*} + 1))"
[ $? -ne 0 ]
ok "a later one is not this one" $?
configures 1.0
[ $? -ne 0 ]
ok "nor is one of another first number" $?
rm "$(find "$dir/root" -name tiptop.h)"
configures
[ $? -ne 0 ] && grep -q "there is no .*/tiptop.h" "$err"
ok "without its header it is said what is missing" $?
finish
