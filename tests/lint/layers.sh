#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each folder of src/ includes only what the table of the architecture allows, and each library has its one file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# folder: what it may include beside itself, of the rows above it, so that there is no circle; a folder that includes
# much has several rows
layers='
base:
theme: base
stats: base
phase: base
report: base
perf: base
model: base
event: base perf model
check: base perf event
lib: base perf event
container: base lib
preload: base lib
locks: base report lib container preload
calls: base report lib container preload
saved: base stats report lib container preload locks calls
expr: base
history: base model
record: base model
screen: base model expr
follow: base report perf check
source: base perf model
source/live: base perf event check model source
source/cpus: base perf event check model source source/live
source/tables: base perf event check model lib container preload source source/live
source/calls: base lib preload calls model source source/live source/tables
source/locks: base lib preload locks model source source/live source/tables
source/regions: base perf event check model lib container source source/live source/tables
source/replay: base perf model record source
source/whole: base perf follow event check model source source/live
import: base event screen
ticks: base report perf model source
conf: base theme event expr screen
view: base phase model history expr screen
verdict: base model expr screen view
story: base report model screen view verdict
series: base stats report model expr screen view
bind: base perf event model expr screen view
sink: base report model record screen view series
ui: base theme model screen view sink
app/doctor: base perf event check bind screen source/live conf
app: base
app: report
app: stats
app: perf
app: event
app: check
app: bind
app: model
app: expr
app: follow
app: history
app: record
app: screen
app: import
app: source
app: source/live
app: source/cpus
app: source/calls
app: source/locks
app: source/regions
app: source/tables
app: source/replay
app: source/whole
app: report
app: ticks
app: calls
app: locks
app: saved
app: preload
app: conf
app: view
app: verdict
app: story
app: series
app: sink
app: theme
app: ui
app: app/doctor
'

# prefix of a header: the files that may include it
libraries='
curses.h: src/ui/term.c
ncurses: src/ui/term
perfmon/: src/event/pfm_load.h
json-c/: src/import/perf.c src/report/read.c
pcre2.h: src/view/regex.c
libproc2/: src/source/live/proc_lib.c
libxml/: src/conf/xml.c
sqlite3.h: src/record/
linux/perf_event.h: src/perf/ src/lib/
sys/signalfd.h: src/app/signals.c src/preload/calls_headers.h
sys/timerfd.h: src/app/pace.c src/preload/calls_headers.h
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
echo '#include "ui/live.h"' | lint_example src/base/err.c
lint_detects "a layer that includes a higher one"
echo '#include "err.h"' | lint_example src/base/err.c
lint_detects "an include without its folder"
echo '#include <libxml/parser.h>' | lint_example src/app/main.c
lint_detects "a library outside its file"
echo 'int x;' | lint_example src/misc/x.c
lint_detects "a folder that is not in the table"
echo 'int x;' | lint_example src/source/other/x.c
lint_detects "a folder inside of a folder that is not in the table"
echo '#include "source/live/live.h"' | lint_example src/source/source.h
lint_detects "a folder that includes one inside of it"
printf '#include "config.h"\n#include <stdio.h>\n#include <libxml/parser.h>\n#include "base/err.h"\n' | lint_example src/conf/xml.c
lint_accepts "what the table allows"
lint_project "layers of src"
lint_done
