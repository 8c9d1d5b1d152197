#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# collect/task/proc_lib.c compiles with both libproc2 ABIs: up to 4.0.4 PIDS_VAL takes the pids_info as a
# fourth argument, from 4.0.5 on it does not. The headers here are one of them; a copy is made the
# other by its one macro.
. "$(dirname "$0")/lib.sh"

headers=/usr/include/libproc2
[ -e "$headers/pids.h" ] || lint_skip "libproc2's headers are not in $headers"
command -v gcc >/dev/null || lint_skip "gcc is not installed"

# compiles ARGUMENTS HAVE: with a macro of these arguments, as configure would have told with HAVE.
compiles() {
	mkdir -p "$lint_scratch/libproc2"
	cp "$headers"/*.h "$lint_scratch/libproc2/"
	sed -i "s/#define PIDS_VAL(.*) /#define PIDS_VAL( $1 ) /" "$lint_scratch/libproc2/pids.h"
	echo "$2" >"$lint_scratch/config.h"
	gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$lint_scratch" -I"$srcdir/src" -fsyntax-only \
		"$srcdir/src/collect/task/proc_lib.c" 2>/dev/null
}

with_info="relative_enum, type, stack, info"
without="relative_enum, type, stack"
! compiles "$without" "#define PIDS_VAL_TAKES_INFO 1"
lint_ok "the wrong number of arguments is seen" $?
compiles "$with_info" "#define PIDS_VAL_TAKES_INFO 1"
lint_ok "libproc2 up to 4.0.4" $?
compiles "$without" ""
lint_ok "libproc2 from 4.0.5 on" $?
lint_done
