#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No file of code above 500 lines, no function above 60 (from its opening to its closing brace).
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_faults() {
	(cd "$1" && find src include tests bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | while read -r file; do
		awk -v file="$file" '
		/^\{/ {
			start = FNR
		}
		/^\}/ && start {
			if (FNR - start + 1 > 60)
				print file ":" start ": a function of " FNR - start + 1 " lines"
			start = 0
		}
		END {
			if (FNR > 500)
				print file ": " FNR " lines"
		}' "$file"
	done)
}

seq -f '// %g' 501 | lint_example src/base/err.c
lint_detects "a file of 501 lines"
{
	printf 'int f(void)\n{\n'
	seq -f '	// %g' 59
	echo '}'
} | lint_example src/base/err.c
lint_detects "a function of 61 lines"
{
	printf 'int f(void)\n{\n'
	seq -f '	// %g' 58
	echo '}'
	seq -f '// %g' 439
} | lint_example src/base/err.c
lint_accepts "500 lines with a function of 60"
lint_project "sizes"
lint_done
