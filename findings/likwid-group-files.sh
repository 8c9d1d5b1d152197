#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# likwid 5.2.2+dfsg1-1 (Debian 12): the files of its performance groups, which other tools read, too.
#
# A line below METRICS is a name with blanks and a formula, so one expects the formula to be the last word of the line, and
# its counters to be those that EVENTSET above sets. Neither holds for all files of the package: three formulas of
# ivybridgeEP/CACHES have blanks within them, so that the last word is the second half of an expression; and
# zen3/L2CACHE, zen3/L3CACHE and power8/CPISTACK1 divide by counters that are not in their EVENTSET, as FIXC1, or PM5 where
# the set has PMC5. A reader has to find the beginning of a formula by its brackets, and to leave out single metrics of a
# file in place of the file.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

package likwid 5.2.2+dfsg1-1
groups=$dir/root/usr/share/likwid/perfgroups

# last_words: prints the files in which the last word of a metric has unequal brackets.
last_words() {
	find "$groups" -name '*.txt' | LC_ALL=C sort | xargs awk '
		FNR == 1 { metrics = 0 }
		/^METRICS/ { metrics = 1; next }
		/^LONG/ { metrics = 0 }
		metrics && NF {
			word = $NF
			if (gsub(/\(/, "", word) != gsub(/\)/, "", word))
				n[FILENAME]++
		}
		END { for (file in n) print substr(file, length(top) + 2), n[file] }' top="$groups" | LC_ALL=C sort
}
# missing: prints the files with a counter of the core (FIXC, PMC, PM) in a formula that the event set lacks.
missing() {
	find "$groups" -name '*.txt' | LC_ALL=C sort | xargs awk '
		FNR == 1 { part = ""; split("", set) }
		/^(EVENTSET|METRICS|LONG)/ { part = $1; next }
		part == "EVENTSET" && NF > 1 { counter = $1; sub(/:.*/, "", counter); set[counter] = 1 }
		part == "METRICS" {
			rest = $NF
			while (match(rest, /[A-Z][A-Z0-9_]*/)) {
				counter = substr(rest, RSTART, RLENGTH)
				rest = substr(rest, RSTART + RLENGTH)
				if (counter ~ /^(FIXC|PMC|PM)[0-9]+$/ && !(counter in set) && !found[FILENAME]++)
					print substr(FILENAME, length(top) + 2), counter
			}
		}' top="$groups"
}
seen "formulas with blanks" "$(last_words)" "ivybridgeEP/CACHES.txt 3"
seen "counters that are not set" "$(missing | tr '\n' ';')" "power8/CPISTACK1.txt PM5;zen3/L2CACHE.txt FIXC1;zen3/L3CACHE.txt FIXC1;"
