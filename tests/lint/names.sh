#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No typedef of a struct, no conditional compilation but include guards, no mutable data of file scope, with the exceptions
# of the architecture. Data is checked in the objects of the build, if there are any.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

conditional='^(include/tiptop[.]h|src/(pmu/perf/arch[.]h|inject/lib/arch[.]h))$'
mutable='^src/(tui/[^/]*term|inject/(lib|preload)/.*|pmu/event/[^/]*pfm|profile/locks/[^/]*(debug|symbol))[.]o$'

find_source_faults() {
	find src include -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs -r awk -v exempt="$conditional" '
		function fault(text) {
			print FILENAME ":" FNR ": " text
		}
		function end_file() {
			if (guard != "" && !seen && file !~ exempt)
				print file ": no include guard " guard
		}
		FNR == 1 {
			end_file()
			file = guard = FILENAME
			sub(/^(src|include)\//, "", guard)
			gsub(/[^A-Za-z0-9]/, "_", guard)
			guard = file ~ /\.h$/ ? toupper(guard) : ""
			seen = 0
		}
		/^[ \t]*typedef[ \t]+(struct|union)/ && !/\(/ { # else a function that returns one
			fault("a typedef of a struct")
		}
		/^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else)/ && file !~ exempt {
			if (!seen && $0 == "#ifndef " guard)
				seen = 1
			else
				fault("conditional compilation")
		}
		END {
			end_file()
		}'
}

# Constant tables with pointers are in .data.rel.ro. The sanitizers add data with names that begin with "__".
find_object_faults() {
	find src -name '*.o' 2>/dev/null | LC_ALL=C sort | grep -Ev "$mutable" | xargs -r nm -A -f sysv |
		awk -F '[ \t]*[|][ \t]*' '
		$4 == "OBJECT" && $7 ~ /^(\.t?data|\.t?bss|\*COM\*|.*\.(bss|data)\.[^r].*)$/ {
			object = name = $1
			sub(/:.*/, "", object)
			sub(/^[^:]*:/, "", name)
			if (name !~ /^(__|\.)/)
				print object ": " name " is mutable"
		}'
}

find_faults() {
	(cd "$1" && find_source_faults && find_object_faults)
	[ "$1" != "$srcdir" ] || [ -z "${builddir-}" ] || (cd "$builddir" && find_object_faults)
}

printf 'typedef struct {\n\tint x;\n} point;\n' | lint_example src/base/err.c
lint_detects "a typedef of a struct"
printf '#ifdef DEBUG\n#endif\n' | lint_example src/base/err.c
lint_detects "conditional compilation"
printf '#ifndef ERR_H\n#define ERR_H\n#endif\n' | lint_example src/base/err.h
lint_detects "an include guard that is not named as its file"
printf '#ifndef BASE_ERR_H\n#define BASE_ERR_H\ntypedef struct value (*load)(void);\n#endif\n' | lint_example src/base/err.h
lint_accepts "an include guard, and the type of a function"
if command -v "${CC:-gcc}" >/dev/null; then
	for code in 'int x = 1;' 'static int x; int *f(void); int *f(void) { return &x; }' 'int *f(void); int *f(void) { static int x; return &x; }'; do
		mkdir -p "$lint_scratch/tree/src/base"
		echo "$code" | ${CC:-gcc} -xc -c -o "$lint_scratch/tree/src/base/err.o" -
		lint_detects "mutable data: $code"
	done
	mkdir -p "$lint_scratch/tree/src/base"
	echo 'const int a = 1; const char *const b[] = {"x"};' | ${CC:-gcc} -fPIC -xc -c -o "$lint_scratch/tree/src/base/err.o" -
	lint_accepts "constant data"
fi
lint_project "names, conditions and data of src"
lint_done
