#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libdw 0.188-2.1 of elfutils (Debian 12), as eu-addr2line(1) uses it, while DEBUGINFOD_URLS is not set.
#
# libdw asks a server for debug information only if DEBUGINFOD_URLS names one; so one expects that a process without that
# variable does not need the client. For a file that has debug information of its own, this is so: no library but those that
# eu-addr2line is linked with is opened. For a file without it, one lookup of an address loads libdebuginfod.so.1 and with it
# libcurl and its TLS library, runs their initialization, and then finds that there is no server: no socket is made. So a
# profiler that looks up names of stripped files in many short processes pays for a client of HTTPS in each of them. It can
# load the client once before it forks, or use files with debug information only.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || { echo "this needs strace" >&2 && exit 1; }
for name in elfutils libdw1 libelf1 libasm1 libdebuginfod1; do
	package $name 0.188-2.1
done
package libcurl3-gnutls 7.88.1-10+deb12u15
unset DEBUGINFOD_URLS
lib=$(dirname "$(find "$dir/root" -name 'libdw.so.1')")
echo 'int main(void) { return 0; }' >"$dir/with.c"
gcc -g -o "$dir/with" "$dir/with.c" || exit 1
strip -o "$dir/without" "$dir/with"
address=0x$(nm "$dir/with" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')

# calls FILE: looks up the address of main() in a file, under strace.
calls() {
	LD_LIBRARY_PATH="$lib" strace -f -qq -e trace=openat,socket -o "$dir/trace" "$dir/root/usr/bin/eu-addr2line" -e "$dir/$1" \
		"$address" >"$dir/out" 2>&1 || exit 1
}
# opened LIBRARY: prints how often a file with this name was opened.
opened() {
	grep -c "/$1[^/]*\", .*= [0-9]" "$dir/trace"
}
calls with
seen "with debug information: the line is found" "$(grep -c 'with.c:1' "$dir/out")" 1
seen "with debug information: no client is loaded" "$(opened libdebuginfod) $(opened libcurl)" "0 0"
calls without
seen "without: the line is not found" "$(cat "$dir/out")" "??:0"
seen "without: the client and libcurl are loaded" "$(opened libdebuginfod) $(opened libcurl)" "1 1"
seen "without: they make no socket" "$(grep -c 'socket(' "$dir/trace")" 0
