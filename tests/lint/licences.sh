#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The code that runs inside other programs, libtiptop and the preloaded objects, is under the LGPL: each of its sources,
# and each header of the project that they include. debian/copyright has the licence of each file that names one; its
# patterns are there once, and match a file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_inside() {
	# shellcheck disable=SC2046 # names without blanks
	awk '
	# The sources of the objects that are loaded into programs, from the part.am of their folders.
	FNR == 1 {
		listed = 0
	}
	/^(nodist_)?(libtiptop|tiptop_[a-z]+)_so(_0)?_SOURCES *\+?=/ {
		listed = 1
	}
	listed {
		for (i = 1; i <= NF; i++)
			if ($i ~ /^(src|include)\/.*\.[ch]$/)
				need($i, FILENAME)
		listed = /\\$/
	}
	END {
		for (next_one = 1; next_one <= n; next_one++)
			look(queue[next_one])
		if (!n)
			print "no part.am lists the sources of an object"
	}
	function need(file, why) {
		if (file in reason)
			return
		reason[file] = why
		queue[++n] = file
	}
	function look(file,    line, first, name) {
		first = 1
		while ((getline line <file) > 0) {
			if (first && line !~ /SPDX-License-Identifier: LGPL-2\.1-or-later/)
				print file ": is not under the LGPL, and " reason[file] " needs it"
			first = 0
			if (line !~ /^[ \t]*#[ \t]*include[ \t]*"/)
				continue
			split(line, name, "\"")
			if (name[2] != "config.h")
				need("src/" name[2], file)
		}
		close(file)
		if (first)
			print file ": cannot be read, and " reason[file] " needs it"
	}' $(find src -name part.am)
}

# named: prints the files that name their licence, each with it, in the words of debian/copyright.
named() {
	find bench config completions debian doc examples findings include man packaging python src tests tools -type f 2>/dev/null |
		LC_ALL=C sort | xargs awk 'FNR <= 3 && match($0, /SPDX-License-Identifier: L?GPL-[0-9.]+-or-later( |$)/) {
			print FILENAME, substr($0, RSTART + 25, RLENGTH - 25)
			nextfile
		}' | sed 's/\.0-or-later */+/; s/-or-later */+/'
}

# patterns: prints the patterns of debian/copyright, each with its licence.
patterns() {
	awk '
	/^License:/ {
		while (last < n)
			print pattern[++last], $2
	}
	/^[A-Z]/ {
		files = /^Files:/
		sub(/^Files:/, "")
	}
	{
		for (i = 1; files && i <= NF; i++)
			pattern[++n] = $i
	}' debian/copyright
}

# copied FILE: prints the files on standard input with their licences by the patterns in FILE, the last of which counts.
copied() {
	awk '
	FNR == NR {
		pattern[++n] = $1
		licence[n] = $2
		gsub(/\./, "\\.", pattern[n])
		gsub(/\*/, ".*", pattern[n])
		next
	}
	{
		for (i = n; i && $1 !~ "^" pattern[i] "$"; i--)
			;
		print $1, licence[i]
	}' "$1" -
}

find_copyright() {
	[ -e debian/copyright ] || return 0
	named >"$lint_scratch/named"
	patterns >"$lint_scratch/patterns"
	copied "$lint_scratch/patterns" <"$lint_scratch/named" | diff "$lint_scratch/named" - |
		sed -n 's/^>/debian\/copyright: not the licence of the file:/p'
	sort "$lint_scratch/patterns" | uniq -d | sed 's/^/debian\/copyright: twice: /'
	while read -r pattern _; do
		# shellcheck disable=SC2086 # a pattern
		ls -d $pattern >"$lint_scratch/matching" 2>&1 || echo "debian/copyright: no file matches: $pattern"
	done <"$lint_scratch/patterns"
}

find_faults() {
	(cd "$1" && find_inside && find_copyright)
}

lint_part() {
	printf 'libtiptop_so_0_SOURCES = \\\n\tsrc/inject/lib/x.c \\\n\tsrc/base/y.c\n' | lint_example src/inject/lib/part.am
	printf '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n#include "base/y.h"\n' | lint_example src/inject/lib/x.c
	printf '/* SPDX-License-Identifier: %s */\n' "$1" | lint_example src/base/y.c
	printf '/* SPDX-License-Identifier: %s */\n' "$2" | lint_example src/base/y.h
}

lint_part GPL-2.0-or-later LGPL-2.1-or-later
lint_detects "a source of libtiptop under the GPL"
lint_part LGPL-2.1-or-later GPL-2.0-or-later
lint_detects "a header under the GPL that one of them includes"
printf 'tiptop_locks_so_SOURCES = src/base/y.c\n' | lint_example src/inject/preload/part.am
echo '/* SPDX-License-Identifier: GPL-2.0-or-later */' | lint_example src/base/y.c
lint_detects "a source of a preloaded object under the GPL"
lint_part LGPL-2.1-or-later LGPL-2.1-or-later
lint_accepts "what is under the LGPL as a whole"

# lint_copyright PATTERN...: the example has a file under the LGPL, and debian/copyright these patterns for it.
lint_copyright() {
	lint_part LGPL-2.1-or-later LGPL-2.1-or-later
	{
		printf 'Files: *\nCopyright: us\nLicense: GPL-2+\n\nFiles:\n'
		printf ' %s\n' "$@"
		printf 'Copyright: us\nLicense: LGPL-2.1+\n'
	} | lint_example debian/copyright
}
lint_copyright src/inject/lib/x.c src/base/y.h
lint_detects "a file whose licence is another one in debian/copyright"
lint_copyright 'src/inject/lib/*' 'src/base/y.*' src/base/z.h
lint_detects "a pattern that no file matches"
lint_copyright 'src/inject/lib/*' 'src/base/y.*' 'src/base/y.*'
lint_detects "a pattern that is there twice"
lint_copyright 'src/inject/lib/*' 'src/base/y.*'
lint_accepts "the licences of all files"
lint_project "licences of what runs inside of other programs, and in debian/copyright"
lint_done
