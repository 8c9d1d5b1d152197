#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel is the one that was asked for, and what tiptop writes has the form that it has on the host.
# shellcheck source=../../program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

read -r least level cpus _ </test/expected
matches "the kernel is Linux $least or later" "$(printf '%s\n' "$(uname -r)" "$least" | sort -V | head -n 1)" "$least"
is "the number of CPUs" "$(getconf _NPROCESSORS_ONLN)" "$cpus"

"$tiptop" -b -d 0.2 -e page-faults --format json -- "$work" touch=100 children=3 >"$out" 2>"$err"
is "the counts of ended tasks are reported: each, or their sum" "$(jq -r 'select(.type == "summary").level' "$out")" "$level"
"$tiptop" -b -d 0.2 -e page-faults -- "$work" touch=100 children=3 >"$out" 2>"$err"
is "which is said if it is the sum" "$(grep -c '^# this kernel does not report the counts of each task: ' "$out")" "$([ "$level" = sum ] && echo 1 || echo 0)"
"$tiptop" -b -d 0.2 -e page-faults --exact --format json -- "$work" touch=100 children=3 >"$out" 2>"$err"
is "--exact has each" "$(jq -r 'select(.type == "summary") | "\(.level) \(.ended.tasks)"' "$out")" "exact 3"

mkdir "$dir/files"
TIPTOP=$tiptop sh /test/structure "$dir/files" >"$out" 2>&1
ok "the form of all that is written is that of the host" "$(cmp -s /test/structure.host "$out" && echo 0 || echo 1)"
diff /test/structure.host "$out" | sed 's/^/# /'
finish
