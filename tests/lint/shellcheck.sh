#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No shell script has a fault that shellcheck finds.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v shellcheck >/dev/null || lint_skip "shellcheck is not installed"

# Scripts are found by their first line, or by the name if they are only sourced.
find_scripts() {
	find tools tests bench doc completions findings .ci -type f 2>/dev/null | LC_ALL=C sort | LC_ALL=C xargs -r awk '
		FNR == 1 && (FILENAME ~ /\.sh$/ || /^#!.*[\/ ](ba|da)?sh/) { print FILENAME }
		FNR == 1 { nextfile }'
}

find_faults() {
	(cd "$1" && find_scripts | xargs -r -n 16 -P 4 shellcheck --severity=warning --external-sources --source-path=SCRIPTDIR)
}

printf '#!/bin/sh\n[[ $1 == x* ]] && echo $1\n' | lint_example tools/run
lint_detects "a fault in a script"
printf '#!/bin/sh\necho "$1"\n' | lint_example tools/run
lint_accepts "a clean script"
lint_project "shell scripts"
lint_done
