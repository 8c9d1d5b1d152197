#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each folder of src/ includes only what the table of the architecture allows, and each library has its one file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# folder: what it may include beside itself
layers='
base:
perf: base
model: base
expr: base
screen: base model expr
source: base model perf
conf: base expr screen
view: base model expr screen
sink: base model screen view
ui: base model screen view sink
app: base perf model expr screen source conf view sink ui
lib: base perf
'

# prefix of a header: the files that may include it
libraries='
curses.h: src/ui/term.c
ncurses: src/ui/term.c
perfmon/: src/perf/event_pfm.c
libproc2/: src/source/proc_lib.c
libxml/: src/conf/xml.c
linux/perf_event.h: src/perf/
sys/epoll.h: src/app/loop.c
sys/signalfd.h: src/app/signals.c
sys/timerfd.h: src/app/loop.c
'

find_faults() {
	(cd "$1" && find src -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
		awk -v file="$file" -v layers="$layers" -v libraries="$libraries" '
		BEGIN {
			split(file, part, "/")
			folder = part[2]
			n = split(layers, line, "\n")
			for (i = 1; i <= n; i++) {
				split(line[i], name, ":")
				known[name[1]]
				if (name[1] == folder)
					allowed = " " folder name[2] " "
			}
			n_libraries = split(libraries, library, "\n")
			if (!(folder in known))
				print file ": the folder " folder " is not in the table of layers"
		}
		function fault(text) {
			print file ":" FNR ": " text
		}
		/^[ \t]*#[ \t]*include[ \t]*"/ {
			split($0, quoted, "\"")
			if (quoted[2] == "config.h")
				next
			slash = index(quoted[2], "/")
			layer = substr(quoted[2], 1, slash - 1)
			if (!slash)
				fault("\"" quoted[2] "\" does not name its folder")
			else if (!index(allowed, " " layer " "))
				fault(folder "/ may not include \"" quoted[2] "\"")
		}
		/^[ \t]*#[ \t]*include[ \t]*</ {
			header = $0
			sub(/^[^<]*</, "", header)
			sub(/>.*/, "", header)
			for (i = 1; i <= n_libraries; i++)
				if (split(library[i], row, ": ") == 2 && index(header, row[1]) == 1 && index(file, row[2]) != 1)
					fault("<" header "> is for " row[2] " only")
		}' "$file"
	done)
}

echo '#include "ui/live.h"' | lint_example src/base/err.c
lint_detects "a layer that includes a higher one"
echo '#include "err.h"' | lint_example src/base/err.c
lint_detects "an include without its folder"
echo '#include <libxml/parser.h>' | lint_example src/app/main.c
lint_detects "a library outside its file"
echo 'int x;' | lint_example src/misc/x.c
lint_detects "a folder that is not in the table"
printf '#include "config.h"\n#include <stdio.h>\n#include <libxml/parser.h>\n#include "base/err.h"\n' | lint_example src/conf/xml.c
lint_accepts "what the table allows"
lint_project "layers of src"
lint_done
