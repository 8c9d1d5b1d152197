# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests beside tiptop 2.3.1 share, on top of tests/program/lib.sh. Both programs run with a library of our own
# in front of libc (shim.c), which gives hardware counters to a machine that has none.
# shellcheck source=../program/lib.sh
. "$(dirname "$0")/../program/lib.sh"

here=${srcdir:?}/tests/compat
old=/usr/bin/tiptop
shim=$dir/shim.so

# need_shim: builds it, or skips all.
need_shim() {
	need_shim_why=$("$work" can-count) || skip_all "$need_shim_why"
	need_shim_cc=${CC:-cc}
	# shellcheck disable=SC2086 # $CC may have options
	$need_shim_cc -D_GNU_SOURCE -shared -fPIC -o "$shim" "$here/shim.c" -ldl >"$dir/text" 2>&1 ||
		skip_all "the library for LD_PRELOAD cannot be built with '$need_shim_cc'"
	# A program with sanitizers wants to be the first.
	[ "$(LD_PRELOAD=$shim "$tiptop" --version 2>&1)" = "$("$tiptop" --version 2>&1)" ] ||
		skip_all "this build does not run with LD_PRELOAD"
}

# need_old: tiptop 2.3.1 is installed, or skips all. Without counters it does not even say its version.
need_old() {
	case $(with_shim "$old" --version 2>/dev/null) in
	*2.3.1*) ;;
	*) skip_all "tiptop 2.3.1 is not installed as $old" ;;
	esac
}

# with_shim COMMAND...
with_shim() {
	LD_PRELOAD=$shim "$@"
}

# screens: those that --list-screens printed on standard input, without the built-in ones, whose descriptions are each
# program's own: "NUMBER: 'NAME', DESCRIPTION".
file_screens() {
	sed -n "s/^ *\([0-9]*: '.*\)/\1/p" | grep -v -E ": '(default|branch|frontend|system|software|tasks|why)',"
}
