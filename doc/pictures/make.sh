#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# make.sh - writes the pictures of this folder, by the program itself, dark and light: some seconds are recorded, and their
# last moment is painted. Needs a pid namespace.
#
# From the environment: TIPTOP and builddir, as for all tests.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tests=$here/../../tests
tiptop=${TIPTOP:?}
export TIPTOP builddir="${builddir:?}" TZ=UTC LC_ALL=C.UTF-8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export folder HOME="$folder"
unset NO_COLOR

# record SCREEN [OPTION]... - beside the tasks of tests/tour/load.sh
record() {
	rm -f "$folder/recording"
	unshare -p -f --mount-proc sh "$tests/tour/load.sh" tiptop -b -i -d 2 -n 5 --record recording -S "$@" >/dev/null
}

# picture NAME LINES SCREEN [OPTION]... - of the last moment of the recording
picture() {
	picture=$here/$1 size=100x$2
	shift 2
	for theme in default light; do
		suffix=dark
		[ $theme = default ] || suffix=light
		"$tiptop" --replay "$folder/recording" -n 100000 --size "$size" --theme $theme \
			--screenshot "$picture-$suffix.svg" -S "$@"
	done
}

record software
picture software 21 software -i --heat
record tasks --tree
picture tree 22 tasks --tree
