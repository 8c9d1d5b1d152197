# shellcheck shell=sh disable=SC2034,SC2154 # variables of the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the scripts that run the programs of tests/real/table: their environment, and what they need. After
# tests/program/lib.sh.
here=$srcdir/tests/real
PATH=$PATH:/usr/sbin:/sbin
# What PATH has may be a script that finds the interpreter: other processes, and other calls.
PYTHON=$(for python in /usr/bin/python3 python3; do
	"$python" -c 'import os, sys; print(os.path.realpath(sys.executable))' 2>/dev/null && break
done)
export PYTHON
CCACHE_DISABLE=1 # a compiler makes as many processes each time
export CCACHE_DISABLE

# there WHAT: whether it is, as in tools/lib.sh.
there() {
	case $1 in
	command:python3) [ "$PYTHON" ] ;;
	command:*) command -v "${1#*:}" ;;
	option:*:*)
		option=${1#*:*:} compiler=${1#*:}
		echo 'int main(void) { return 0; }' | "${compiler%%:*}" "$option" -x c -o "$dir/linked" -
		;;
	esac >"$dir/text" 2>&1
}

# prepare NEEDS: makes $dir/prepared for the program $name. Skips it, with status 1, if it cannot run here.
prepare() {
	for need in $(echo "$1" | tr , ' '); do
		there "$need" || { skip "$name" "$need is missing" && return 1; }
	done
	rm -rf "$dir/prepared"
	mkdir "$dir/prepared"
	(cd "$dir/prepared" && SELF=$here/programs/$name sh -eu "$here/programs/$name" prepare) >"$out" 2>"$err" </dev/null
	case $? in
	0) ;;
	77) skip "$name" "$(tail -n 1 "$out")" && return 1 ;;
	*) ok "$name: it is prepared" 1 && return 1 ;;
	esac
}
