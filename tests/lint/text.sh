#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Clean text: no blanks at line ends, a newline at the end of each file, no paths of a certain machine, no names of package
# hosts. Output of tiptop (tests/golden) may have blanks at line ends. A [] in a pattern keeps it from finding itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

foreign='(^|[^A-Za-z0-9_.$}/])/([w]ork/|[h]ome/[a-z]|[r]oot/|[U]sers/)|[a-z]+\.(debian|ubuntu|archlinux|fedoraproject)\.[o]rg|[p]ypi\.org|[g]ithub\.com/[a-z]*/[a-z]*/releases'
# All but perf-PID.map, which runtimes write for perf.
temporary='/[t]mp/([A-Za-oq-z]|p[^e])'

find_texts() {
	find src include completions tests man doc tools bench packaging .ci README NEWS CONTRIBUTING Makefile.am configure.ac tiptoprc.example \
		.clang-format .editorconfig .gitignore -type f 2>/dev/null | LC_ALL=C sort | xargs -r grep -lI .
}

# Prints the files, from the list on standard input, that do not end with a newline. Checks them one by one only if there
# is one.
find_unended() {
	xargs -r tail -q -c 1 | tr -d '\n' | grep -q . || return
	find_texts | while read -r file; do
		[ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
	done
}

find_faults() {
	(cd "$1" && find_texts >"$lint_scratch/texts"
	grep -v '^tests/golden/' "$lint_scratch/texts" | xargs -r grep -Hn '[[:blank:]]$' | sed 's/$/ <- blanks at the end/'
	xargs -r grep -HnE "$foreign" <"$lint_scratch/texts"
	grep -v '^tests/vm/' "$lint_scratch/texts" | xargs -r grep -HnE "$temporary" # but in the guest
	find_unended <"$lint_scratch/texts")
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
echo 'see /usr/include/linux/perf_event.h, ${TMPDIR:-/tmp} and /tmp/perf-PID.map' | lint_example README
lint_accepts "other paths"
lint_project "text"
lint_done
