#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# promtool of prometheus 2.42.0+ds-5+deb12u1 (Debian 12), "promtool check metrics".
#
# A page on which one series stands twice with two values, and one on which the lines of a family stand apart, pass:
# no line of output, status 0. A help text that is missing is an error (status 3). So it checks style, and cannot
# serve as the test that a page of metrics is sound.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

package prometheus 2.42.0+ds-5+deb12u1
promtool=$dir/root/usr/bin/promtool
# check FILE: its output, and its status.
check() {
	"$promtool" check metrics <"$1" 2>&1
	echo "status $?"
}
cat >"$dir/twice" <<'PAGE'
# HELP a_total Things.
# TYPE a_total counter
a_total{x="1"} 1
a_total{x="1"} 2
PAGE
cat >"$dir/split" <<'PAGE'
# HELP a_total Things.
# TYPE a_total counter
a_total{x="1"} 1
# HELP b_total Other things.
# TYPE b_total counter
b_total 1
a_total{x="2"} 1
PAGE
printf '# TYPE a_total counter\na_total 1\n' >"$dir/plain"
seen "a series with two values passes" "$(check "$dir/twice")" "status 0"
seen "a family that is split passes" "$(check "$dir/split")" "status 0"
seen "a missing help text is an error" "$(check "$dir/plain" | tr '\n' ' ')" "a_total no help text status 3 "
