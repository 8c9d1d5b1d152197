#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts with a name in .sh or .py that begin with #! are executable: tools/check and users call them by their names.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_faults() {
	(cd "$1" && find tools tests bench doc findings .ci -type f \( -name '*.sh' -o -name '*.py' \) ! -perm -100 2>/dev/null |
		LC_ALL=C sort | LC_ALL=C xargs -r awk '
		FNR == 1 && /^#!/ { print FILENAME ": not executable" }
		FNR == 1 { nextfile }')
}

echo '#!/bin/sh' | lint_example tests/x.sh
lint_detects "a script that is not executable"
echo '# shellcheck shell=sh' | lint_example tests/lib.sh
lint_accepts "a script that others read"
echo '#!/bin/sh' | lint_example tests/x.sh
chmod +x "$lint_scratch/tree/tests/x.sh"
lint_accepts "an executable script"
lint_project "scripts"
lint_done
