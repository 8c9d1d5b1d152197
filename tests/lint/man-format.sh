#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages are good mdoc.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v mandoc >/dev/null || lint_skip "mandoc is not installed"

find_faults() {
	(cd "$1" && mandoc -T lint -W warning man/*.[15] 2>&1)
}

printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Bl\n' | lint_example man/x.1
lint_detects "a list without an end"
printf '.Dd January 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n' | lint_example man/x.1
lint_accepts "a good page"
lint_project "manual pages"
lint_done
