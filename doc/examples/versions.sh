#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two versions of a program: what do they call in libraries, how often, how long, and is what differs more than two runs of
# one of them do?
#
#   sh versions.sh OLD NEW [ARGUMENT...]          RUNS=5 of each, in turns; OPTIONS of tiptop compare
#
# With locks in place of calls below, it is what their locks cost.
set -eu
old=$1 new=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

a='' b=''
for run in $(seq "${RUNS:-5}"); do
	tiptop calls --format json -o "$folder/old-$run" -- "$old" "$@" >"$folder/text"
	tiptop calls --format json -o "$folder/new-$run" -- "$new" "$@" >"$folder/text"
	a=$a${a:+,}$folder/old-$run b=$b${b:+,}$folder/new-$run
done
# shellcheck disable=SC2086 # these are words
tiptop compare ${OPTIONS-} "$a" "$b"
