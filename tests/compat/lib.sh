# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the tests that compare with tiptop 2.3.1, on top of tests/program/lib.sh. Both programs run with a preloaded
# library (shim.c), which emulates hardware counters on a machine without any.
# shellcheck source=../program/lib.sh
. "$(dirname "$0")/../program/lib.sh"

here=${srcdir:?}/tests/compat
old=/usr/bin/tiptop
shim=$dir/shim.so

# need_shim: builds the shim, or skips all tests.
need_shim() {
	need_shim_why=$("$work" can-count) || skip_all "$need_shim_why"
	need_shim_cc=${CC:-cc}
	# shellcheck disable=SC2086 # $CC may have options
	$need_shim_cc -D_GNU_SOURCE -shared -fPIC -o "$shim" "$here/shim.c" -ldl >"$dir/text" 2>&1 ||
		skip_all "the library for LD_PRELOAD cannot be built with '$need_shim_cc'"
	# The runtime of a sanitizer must be the first library, so it refuses a preloaded one.
	[ "$(LD_PRELOAD=$shim "$tiptop" --version 2>&1)" = "$("$tiptop" --version 2>&1)" ] ||
		skip_all "this build does not run with LD_PRELOAD"
}

# need_old: skips all tests unless tiptop 2.3.1 is installed. Without counters it does not even print its version.
need_old() {
	case $(with_shim "$old" --version 2>/dev/null) in
	*2.3.1*) ;;
	*) skip_all "tiptop 2.3.1 is not installed as $old" ;;
	esac
}

# with_shim COMMAND...: runs a command with the shim preloaded.
with_shim() {
	LD_PRELOAD=$shim "$@"
}

# file_screens: filters the output of --list-screens: prints the screens "NUMBER: 'NAME', DESCRIPTION" that come from files;
# the built-in ones of the two programs differ in their descriptions.
file_screens() {
	sed -n "s/^ *\([0-9]*: '.*\)/\1/p" | grep -v -E ": '(default|branch|frontend|system|software|tasks|why)',"
}
