#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Clean text: no blanks at line ends, a newline at the end of each file, no paths of one machine, no names of package
# hosts. What tiptop prints (tests/golden) ends its lines as it does. A [] in a pattern keeps it from finding itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

foreign='(^|[^A-Za-z0-9_.$}/])/([w]ork/|[h]ome/[a-z]|[r]oot/|[U]sers/)|[a-z]+\.(debian|ubuntu|archlinux|fedoraproject)\.[o]rg|[p]ypi\.org|[g]ithub\.com/[a-z]*/[a-z]*/releases'
temporary='/[t]mp/[A-Za-z]'

find_texts() {
	find src include completions tests man doc tools bench .ci README NEWS CONTRIBUTING Makefile.am configure.ac tiptoprc.example \
		.clang-format .editorconfig .gitignore -type f 2>/dev/null | LC_ALL=C sort | while read -r file; do
		! grep -Iq . "$file" || echo "$file"
	done
}

find_faults() {
	(cd "$1" && find_texts | while read -r file; do
		case $file in
		tests/golden/*) ;;
		*) grep -Hn '[[:blank:]]$' "$file" | sed 's/$/ <- blanks at the end/' ;;
		esac
		grep -HnE "$foreign" "$file"
		case $file in
		tests/vm/*) ;; # in the guest
		*) grep -Hn "$temporary" "$file" ;;
		esac
		[ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
	done)
}

echo 'x ' | lint_example README
lint_detects "a blank at the end of a line"
printf x | lint_example README
lint_detects "a file without a newline at its end"
for text in work/main tmp/me/x home/me/x; do
	echo "see /$text" | lint_example doc/x.md
	lint_detects "a path of one machine: $text"
done
printf 'get it from deb.%s.org\n' debian | lint_example README
lint_detects "the name of a package host"
echo 'see /usr/include/linux/perf_event.h and ${TMPDIR:-/tmp}' | lint_example README
lint_accepts "other paths"
lint_project "text"
lint_done
