#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The program of the default build has the compiler's protections against attacks; see --disable-hardening in configure.ac.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

for tool in readelf nm; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
if (cd "$builddir" && ./config.status --config) | grep -qE 'sanitizers|hardening|FLAGS='; then
	skip_all "this build was configured with other guards than the default ones"
fi

# has NAME PATTERN FILE: a line of the file matches.
has() {
	grep -Eq -- "$2" "$3"
	ok "$1" $?
}

readelf -hldW "$tiptop" >"$out" 2>"$err"
has "position-independent" '^ *Type: +DYN' "$out"
has "the linker's tables are read only once it has run" ' GNU_RELRO ' "$out"
has "all functions are looked up at the start" '\(FLAGS\).*BIND_NOW|\(FLAGS_1\).* NOW' "$out"
has "the stack is not executable" ' GNU_STACK .* RW ' "$out"
! grep -q 'TEXTREL' "$out"
ok "no code is changed at the start" $?

nm -D --undefined-only "$tiptop" >"$out" 2>"$err"
has "stack protector" ' __stack_chk_fail(@|$)' "$out"
has "functions of the C library know the sizes of buffers" ' __snprintf_chk(@|$)' "$out"

# best: the highest level of _FORTIFY_SOURCE that compiler and C library have. A higher one than theirs is a warning.
cc=$(sed -n 's/^CC = //p' "$builddir/Makefile")
best() {
	for level in 3 2; do
		# shellcheck disable=SC2086 # the compiler may have options
		! echo '#include <stdio.h>' | $cc -O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level -fsyntax-only -xc - \
			2>/dev/null || break
	done
	echo $level
}
is "at the highest level" "$(sed -nE 's/^HARDEN_CPPFLAGS =.*-D_FORTIFY_SOURCE=//p' "$builddir/Makefile")" "$(best)"

# What leaves no other trace is in the notes of the compiler: the options of each file of the project.
readelf --debug-dump=info "$tiptop" 2>"$err" | grep 'DW_AT_producer  *:' >"$out"
# noted OPTION...: all files were compiled with one of these.
noted() {
	for option in "$@"; do
		[ -s "$out" ] && ! grep -qv -e " $option" "$out" && return
	done
}
if grep -q -e ' -f' "$out"; then
	noted -fstack-protector-strong
	ok "the strong stack protector, everywhere" $?
	noted -fstack-clash-protection
	ok "no frame leaps over the guard page of the stack" $?
else
	skip "options of the compiler" "this compiler does not note its options"
fi

# taken FLAG: whether the compiler has it.
taken() {
	# shellcheck disable=SC2086
	echo 'int main(void) { return 0; }' | $cc -Werror "$1" -c -o "$dir/o" -xc - 2>/dev/null
}
if taken -fcf-protection=full || taken -mbranch-protection=standard; then
	readelf -n "$builddir/libsession.a" >"$out" 2>"$err"
	is "jumps land where they may, in each file" "$(grep -cE 'Properties:.*(IBT, SHSTK|BTI, PAC)' "$out")" \
		"$(grep -c '^File: ' "$out")"
else
	skip "jumps land where they may" "this compiler cannot guard them"
fi

finish
