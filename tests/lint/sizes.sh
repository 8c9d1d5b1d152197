#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No file of code above 1,000 lines, no function above 60 (from its opening to its closing brace), no line above 100
# columns; in tables, which clang-format leaves alone, above 120.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_faults() {
	(cd "$1" && find src include tests bench -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | while read -r file; do
		expand -t 8 "$file" | LC_ALL=C awk -v file="$file" '
		/^\{/ {
			start = FNR
		}
		/clang-format (on|off)/ {
			table = /off/
		}
		{
			columns = $0
			gsub(/[\200-\277]/, "", columns) # of UTF-8, what continues a character
			if (length(columns) > (table ? 120 : 100))
				print file ":" FNR ": " length(columns) " columns"
		}
		/^\}/ && start {
			if (FNR - start + 1 > 60)
				print file ":" start ": a function of " FNR - start + 1 " lines"
			start = 0
		}
		END {
			if (FNR > 1000)
				print file ": " FNR " lines"
		}'
	done)
}

seq -f '// %g' 1001 | lint_example src/base/err.c
lint_detects "a file of 1,001 lines"
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
	seq -f '// %g' 939
} | lint_example src/base/err.c
lint_accepts "1,000 lines with a function of 60"
printf '\t// %092d\n' 0 | lint_example src/base/err.c
lint_detects "a line of 103 columns"
printf '// clang-format off\n// %0118d\n' 0 | lint_example src/base/err.c
lint_detects "a row of 121 columns in a table"
printf '// clang-format off\n// %0117d\n// clang-format on\n// %097d\n// %096d\303\227\n' 0 0 0 | lint_example src/base/err.c
lint_accepts "a row of 120, and lines of 100"
lint_project "sizes"
lint_done
