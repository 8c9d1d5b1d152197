# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the lints share. A lint defines find_faults DIR, which prints one line a fault in the tree DIR, and proves on a
# bad example that it finds something before it is believed about the project.
#
# From the environment: srcdir, the top of the source tree; builddir, that of the build.
set -u

srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
lint_count=0 lint_failed=0
lint_scratch=$(mktemp -d)
trap 'rm -rf "$lint_scratch"' EXIT

# lint_ok NAME STATUS
lint_ok() {
	lint_count=$((lint_count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $lint_count - $1"
	else
		echo "not ok $lint_count - $1"
		lint_failed=1
	fi
}

# lint_skip WHY: the whole lint.
lint_skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

# lint_example PATH: a file of the bad example, from standard input.
lint_example() {
	mkdir -p "$(dirname "$lint_scratch/tree/$1")"
	cat >"$lint_scratch/tree/$1"
}

# lint_detects NAME: the lint must find a fault in the example, which is then forgotten.
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

# lint_project NAME: the project must have none.
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
