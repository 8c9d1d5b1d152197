#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Modules of a folder do not include each other in a circle (between folders, the table of layers.sh prevents circles). A
# module is a header with the code that is a part of it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

find_faults() {
	(cd "$1" && find src -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs -r awk '
		BEGIN {
			for (i = 1; i < ARGC; i++)
				exists[ARGV[i]]
		}
		# Of "src/a/b.c": "src/a".
		function folder_of(path) {
			sub(/\/[^\/]*$/, "", path)
			return path
		}
		FNR == 1 {
			module[FILENAME] = FILENAME
			sub(/\.[ch]$/, "", module[FILENAME])
		}
		FNR < 5 && match($0, /part of [a-z0-9_]+:/) {
			whole = folder_of(FILENAME) "/" substr($0, RSTART + 8, RLENGTH - 9)
			if ((whole ".h") in exists || (whole ".c") in exists)
				module[FILENAME] = whole
		}
		/^#include "/ {
			split($0, quoted, "\"")
			from[++n] = FILENAME
			to[n] = "src/" quoted[2]
		}
		# Record an edge from a module to another one of its folder, once.
		function add(a, b) {
			if (a == b || folder_of(a) != folder_of(b) || (a, b) in edge)
				return
			edge[a, b]
			left[++n_edges] = a
			right[n_edges] = b
		}
		# Drop edges that are in no circle: from modules that are not included, and to modules that include none.
		function prune(    i, dropped, n_in, n_out) {
			for (i = 1; i <= n_edges; i++) {
				n_out[left[i]]++
				n_in[right[i]]++
			}
			for (i = n_edges; i; i--)
				if (!n_in[left[i]] || !n_out[right[i]]) {
					left[i] = left[n_edges]
					right[i] = right[n_edges--]
					dropped = 1
				}
			return dropped
		}
		END {
			for (i = 1; i <= n; i++)
				if (to[i] in module)
					add(module[from[i]], module[to[i]])
			while (prune())
				;
			for (i = 1; i <= n_edges; i++)
				print left[i] " includes " right[i] ", which includes it, or what does"
		}')
}

# example NAME INCLUDED...: adds a header that includes these.
example() {
	name=$1
	shift
	printf '#include "base/%s.h"\n' "$@" | lint_example "src/base/$name.h"
}

example num text
example text strbuf
example strbuf num
lint_detects "a circle of three"
example num text
example text strbuf
printf 'int f(void);\n' | lint_example src/base/strbuf.h
printf '/* SPDX */\n/* part of strbuf: its numbers. */\n#include "base/num.h"\n' | lint_example src/base/strbuf_num.c
lint_detects "a circle through a part"
example num text strbuf
example text strbuf
printf 'int f(void);\n' | lint_example src/base/strbuf.h
printf '#include "base/num.h"\n' | lint_example src/base/strbuf_num.c
lint_accepts "modules that stand above each other"
lint_project "modules of a folder stand above each other"
lint_done
