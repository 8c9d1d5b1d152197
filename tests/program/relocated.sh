#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An installation in any folder: the program finds the objects that it preloads from where it is itself. And nothing
# needs a C library that is newer than 2.28, but by functions that this one had in another version.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

own_tables
place=$dir/moved
mkdir -p "$place/bin" "$place/lib/tiptop"
cp "$tiptop" "$place/bin/tiptop"
ln -s ../bin/tiptop "$place/lib/link"
cp "$builddir"/tiptop-*.so "$place/lib/tiptop"

# preloads PROGRAM: what a command finds in LD_PRELOAD.
preloads() {
	# shellcheck disable=SC2016 # for the command
	"$1" locks --follow-exec -o "$dir/report" -- sh -c 'echo $LD_PRELOAD' 2>"$err"
}
is "objects in lib/tiptop" "$(preloads "$place/bin/tiptop")" \
	"$place/lib/tiptop/tiptop-exec.so:$place/lib/tiptop/tiptop-locks.so"
is "the same by a link elsewhere" "$(preloads "$place/lib/link")" \
	"$place/lib/tiptop/tiptop-exec.so:$place/lib/tiptop/tiptop-locks.so"
cp "$builddir"/tiptop-*.so "$place/bin"
is "objects beside the program come first" "$(preloads "$place/bin/tiptop")" \
	"$place/bin/tiptop-exec.so:$place/bin/tiptop-locks.so"
rm -r "$place"/lib/tiptop/* "$place"/bin/*.so
matches "no object: the places are named" "$("$place/bin/tiptop" calls -- true 2>&1)" \
	"tiptop: calls: cannot find tiptop-calls.so, neither beside tiptop, nor in \.\./lib/tiptop from there, nor in .*/tiptop: is it installed\?"

if ! command -v objdump >/dev/null || [ "$(uname -m)" != x86_64 ] ||
	(cd "$builddir" && ./config.status --config) | grep -q sanitizers; then
	skip "functions of new C libraries" "needs objdump, x86-64, and a build without sanitizers"
	finish
	exit
fi

# What glibc 2.28 has under an older version: of libpthread, libdl, librt and libm, of stat, and of strtol in C23.
older='dl[a-z]*|pthread_(sigmask|once|key_[a-z]*|[gs]etspecific|[gs]etattr.*|attr_.*|create|join|detach|mutex.*|rwlock.*)'
older="$older|sem_.*|timer_[a-z]*|__libc_start_main|[lf]?stat(at)?(64)?|fstatat(64)?|log2?|pow|exp2?|fmod|__isoc23_.*"
for object in "$tiptop" "$builddir"/tiptop-*.so "$builddir/libtiptop.so.0"; do
	objdump -T "$object" 2>"$err" | awk '$4 == "*UND*" || $3 == "*UND*"' | sed -n 's/.*GLIBC_2\.\([0-9]*\)[.0-9)]* *\([^ ]*\)$/\1 \2/p' >"$out"
	is "no function of a C library above 2.28: ${object##*/}" \
		"$(awk '$1 > 28 { print $2 }' "$out" | grep -Evx "$older" | tr '\n' ' ')" ""
	grep -q . "$out"
	ok "its functions were seen: ${object##*/}" $?
done

finish
