#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The code that runs inside other programs, libtiptop and the preloaded objects, is under the LGPL: each of its sources,
# and each header of the project that they include.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_faults() {
	# shellcheck disable=SC2046 # names without blanks
	(cd "$1" && awk '
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
	}' $(find src -name part.am))
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
lint_project "licences of what runs inside of other programs"
lint_done
