#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The script of the page of tiptop report is correct JavaScript, and has nothing that makes elements or code of texts, or
# that fetches: names of processes are hostile.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || lint_skip "node is not installed"

find_faults() {
	(cd "$1" && for file in src/html/*.js; do
		node --check "$file" 2>&1 | head -n 5
		awk '/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\<eval\(|new Function|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(|new Image|\.src =/ {
			print FILENAME ":" FNR ": " $0
		}
		length($0) > 130 { print FILENAME ":" FNR ": more than 130 characters" }' "$file"
	done)
}

echo 'function f( {' | lint_example src/html/a.js
lint_detects "a fault of syntax"
echo 'e.innerHTML = name;' | lint_example src/html/a.js
lint_detects "markup made of a text"
echo 'e.textContent = name;' | lint_example src/html/a.js
lint_accepts "a clean script"
lint_project "the script of the page"
lint_done
