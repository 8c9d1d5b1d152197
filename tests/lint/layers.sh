#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each folder of src/ includes only what the table of the architecture allows, and each library has its one file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# folder: what it may include beside itself, of the rows above it, so that there is no circle; a folder that includes
# much has several rows
layers='
base:
report: base
pmu/perf: base
model: base
pmu/event: base pmu/perf model
pmu/check: base pmu/perf pmu/event
screen/expr: base
screen: base model screen/expr
screen/import: base pmu/event screen
record: base model
inject/lib: base pmu/perf pmu/event
inject: base inject/lib
inject/preload: base inject/lib
profile/locks: base report pmu/perf inject/lib inject inject/preload
profile/calls: base report inject/lib inject inject/preload
profile/regions: base report inject/lib
collect: base pmu/perf model record
collect/task: base pmu/perf model pmu/event pmu/check collect
collect/cpu: base report pmu/perf model pmu/event pmu/check collect collect/task
collect/command: base report pmu/perf model pmu/check collect collect/task
collect/table: base report pmu/perf model pmu/event pmu/check inject/lib inject inject/preload profile/locks profile/calls profile/regions collect collect/task
conf: base pmu/event screen
view: base model screen/expr screen
screen/bind: base model pmu/event screen view
diagnose: base report model screen view
html: base report model screen view diagnose
compare: base report model screen inject/lib profile/locks profile/calls profile/regions view
output: base report model screen record view compare
tui: base model screen conf view output
run: base report pmu/perf pmu/event pmu/check inject/preload profile/locks collect collect/cpu collect/table conf tui
session: base
session: report
session: pmu/perf
session: model
session: pmu/event
session: pmu/check
session: screen
session: record
session: collect
session: collect/task
session: collect/cpu
session: collect/command
session: collect/table
session: conf
session: view
session: screen/bind
session: diagnose
session: compare
session: output
session: tui
session: run
cmd: base
cmd: report
cmd: pmu/perf
cmd: model
cmd: pmu/event
cmd: pmu/check
cmd: screen/expr
cmd: screen
cmd: screen/import
cmd: record
cmd: inject/preload
cmd: profile/locks
cmd: profile/calls
cmd: profile/regions
cmd: collect/task
cmd: collect/cpu
cmd: collect/command
cmd: collect/table
cmd: conf
cmd: view
cmd: screen/bind
cmd: diagnose
cmd: html
cmd: compare
cmd: output
cmd: tui
cmd: run
cmd: session
'

# prefix of a header: the files that may include it
libraries='
curses.h: src/tui/term.c
ncurses: src/tui/term
perfmon/: src/pmu/event/pfm.c
json-c/: src/screen/import/parse.c src/report/read.c
pcre2.h: src/view/row_filter.c
libxml/: src/conf/xml.c
sqlite3.h: src/record/
linux/perf_event.h: src/pmu/perf/ src/inject/lib/
sys/signalfd.h: src/run/wait.c src/inject/preload/calls_headers.h
sys/timerfd.h: src/run/wait.c src/inject/preload/calls_headers.h
'

find_faults() {
	(cd "$1" && find src -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
		awk -v file="$file" -v layers="$layers" -v libraries="$libraries" '
		BEGIN {
			folder = folder_of(substr(file, 5))
			n = split(layers, line, "\n")
			for (i = 1; i <= n; i++) {
				split(line[i], name, ":")
				known[name[1]]
				if (name[1] == folder)
					allowed = allowed " " folder name[2] " "
			}
			n_libraries = split(libraries, library, "\n")
			if (!(folder in known))
				print file ": the folder " folder " is not in the table of layers"
		}
		function folder_of(path) {
			sub(/\/?[^\/]*$/, "", path)
			return path
		}
		# Whether the file is one of these, or in one of these folders.
		function is_below(places,    i, n, place) {
			n = split(places, place, " ")
			for (i = 1; i <= n; i++)
				if (index(file, place[i]) == 1)
					return 1
			return 0
		}
		function fault(text) {
			print file ":" FNR ": " text
		}
		/^[ \t]*#[ \t]*include[ \t]*"/ {
			split($0, quoted, "\"")
			if (quoted[2] == "config.h")
				next
			layer = folder_of(quoted[2])
			if (layer == "")
				fault("\"" quoted[2] "\" does not name its folder")
			else if (!index(allowed, " " layer " "))
				fault(folder "/ may not include \"" quoted[2] "\"")
		}
		/^[ \t]*#[ \t]*include[ \t]*</ {
			header = $0
			sub(/^[^<]*</, "", header)
			sub(/>.*/, "", header)
			for (i = 1; i <= n_libraries; i++)
				if (split(library[i], row, ": ") == 2 && index(header, row[1]) == 1 && !is_below(row[2]))
					fault("<" header "> is for " row[2] " only")
		}' "$file"
	done)
}

# circles TABLE: what is not of the rows above.
circles() {
	echo "$1" | awk -F ': *' '{
		n = split($2, folder, " ")
		for (i = 1; i <= n; i++)
			if (!(folder[i] in above))
				print $1 " may include " folder[i] ", which is not above it"
		above[$1]
	}'
}

[ -n "$(circles "perf: event
event: perf")" ]
lint_ok "detects a circle" $?
[ -z "$(circles "$layers")" ]
lint_ok "the table has no circle" $?
echo '#include "tui/live.h"' | lint_example src/base/err.c
lint_detects "a layer that includes a higher one"
echo '#include "err.h"' | lint_example src/base/err.c
lint_detects "an include without its folder"
echo '#include <libxml/parser.h>' | lint_example src/cmd/main.c
lint_detects "a library outside its file"
echo 'int x;' | lint_example src/misc/x.c
lint_detects "a folder that is not in the table"
echo 'int x;' | lint_example src/collect/other/x.c
lint_detects "a folder inside of a folder that is not in the table"
echo '#include "collect/task/live.h"' | lint_example src/collect/source.h
lint_detects "a folder that includes one inside of it"
printf '#include "config.h"\n#include <stdio.h>\n#include <libxml/parser.h>\n#include "base/err.h"\n' | lint_example src/conf/xml.c
lint_accepts "what the table allows"
lint_project "layers of src"
lint_done
