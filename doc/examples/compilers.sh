#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same program by two compilers: whose is faster, by how much, and is that more than noise? After section 3.3 of
# Inria Research Report 7789.
#
#   sh compilers.sh [SECONDS [OPTION...]]          options of tiptop compare
#
# Each is recorded by itself, one after the other. Without hardware counters it is products of matrices by CPU time that
# tell, see compilers.c; where there are some, add columns with them.
set -eu
seconds=${1:-10}
[ $# -eq 0 ] || shift
source=$(dirname "$0")/compilers.c
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/screens.xml" <<'XML'
<tiptop>
  <screen name="compilers">
    <column header=" %CPU" format="%5.1f" expr="CPU_TOT"/>
    <column header=" PROD/CPUs" format="%10.1f" expr="delta(MINFLT) / (delta(CPU_NS) / 1e9)"/>
    <column header=" NVCSW/s" format="%8.1f" expr="rate(NVCSW)"/>
  </screen>
</tiptop>
XML
for compiler in gcc clang; do
	$compiler -O2 -o "$folder/by-$compiler" "$source"
	tiptop -b -W "$folder/screens.xml" -S compilers -d "$(awk "BEGIN { print $seconds / 25 }")" \
		--record "$folder/$compiler.db" -- "$folder/by-$compiler" "$seconds" >"$folder/text"
done
tiptop compare "$folder/gcc.db" "$folder/clang.db" -W "$folder/screens.xml" "$@"
