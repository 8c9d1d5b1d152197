# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the lints. A lint defines find_faults DIR, which prints one line for each fault in the tree DIR. It first
# proves with a bad example that it finds faults, then checks the project.
#
# From the environment: srcdir, the top of the source tree; builddir, that of the build.
set -u

srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
lint_count=0 lint_failed=0
lint_scratch=$(mktemp -d)
trap 'rm -rf "$lint_scratch"' EXIT

# lint_ok NAME STATUS: reports a test, passed if the status is 0.
lint_ok() {
	lint_count=$((lint_count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $lint_count - $1"
	else
		echo "not ok $lint_count - $1"
		lint_failed=1
	fi
}

# lint_skip WHY: skips the whole lint.
lint_skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

# lint_example PATH: adds a file to the example, from standard input.
lint_example() {
	mkdir -p "$(dirname "$lint_scratch/tree/$1")"
	cat >"$lint_scratch/tree/$1"
}

# lint_detects NAME: the lint must find a fault in the example, which is then removed.
lint_detects() {
	find_faults "$lint_scratch/tree" >"$lint_scratch/faults" 2>&1
	[ -s "$lint_scratch/faults" ]
	lint_ok "detects $1" $?
	rm -rf "$lint_scratch/tree"
}

# lint_accepts NAME: the lint must find no fault in the example.
lint_accepts() {
	find_faults "$lint_scratch/tree" >"$lint_scratch/faults" 2>&1
	[ ! -s "$lint_scratch/faults" ]
	lint_ok "accepts $1" $?
	sed 's/^/# /' "$lint_scratch/faults"
	rm -rf "$lint_scratch/tree"
}

# lint_project NAME: the project must have no fault.
lint_project() {
	find_faults "$srcdir" >"$lint_scratch/faults" 2>&1
	[ ! -s "$lint_scratch/faults" ]
	lint_ok "$1" $?
	sed 's/^/# /' "$lint_scratch/faults"
}

lint_done() {
	echo "1..$lint_count"
	exit $lint_failed
}
