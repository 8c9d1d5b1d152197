#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# doc/system.md has the formula, unit and events of each column of tiptop system as in config/, and what the column does
# not mean. "metrics.sh write" regenerates its tables.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

awk=${AWK:-awk}
tables=$srcdir/tests/lint/metrics.awk

# table NAME DIR: prints the rows that belong behind <!-- NAME -->.
table() {
	(
		cd "$2/config" || exit
		case $1 in
		columns)
			printf '| Column | -r | -i | -s | What it is |\n|---|---|---|---|---|\n'
			LC_ALL=C $awk -v make=columns -f "$tables" screens/har.xml screens/har-i.xml screens/har-s.xml
			;;
		others)
			printf '| Screen | Column | Formula | What it is |\n|---|---|---|---|\n'
			LC_ALL=C $awk -v make=others -f "$tables" screens/har-cpi.xml screens/har-more.xml \
				screens/sockets.xml screens/cpus.xml
			;;
		events)
			printf "| In formulas | Event | Counts | The vendor's event on each CPU |\n|---|---|---|---|\n"
			LC_ALL=C $awk -v make=events -f "$tables" screens/har.xml screens/har-more.xml \
				screens/sockets.xml events/*.xml
			;;
		esac
	)
}

# page DIR: prints the page as it should be.
page() {
	for name in columns others events; do
		table $name "$1" >"$lint_scratch/$name"
	done
	$awk -v dir="$lint_scratch" '
	/^<!-- end -->$/ { inside = 0 }
	!inside
	/^<!-- [a-z]+ -->$/ && $2 != "end" {
		inside = 1
		while ((getline line <(dir "/" $2)) > 0)
			print line
	}' "$1/doc/system.md"
}

# Each column is mentioned behind the last table; a share of the cycles (%dsr), or an approximation (~dsr), counts as the
# column itself.
find_faults() {
	page "$1" | diff - "$1/doc/system.md"
	{
		sed 1,2d "$lint_scratch/columns" | cut -d '|' -f 2
		sed 1,2d "$lint_scratch/others" | cut -d '|' -f 3
	} | tr -d '` ~%' >"$lint_scratch/shown"
	$awk -F '|' '/^<!-- end -->$/ { delete told }
		FILENAME == ARGV[1] { gsub(/[` ]/, "", $2); told[$2] = 1; next }
		!($1 in told) { print "what " $1 " does not mean is not told" }' "$1/doc/system.md" "$lint_scratch/shown"
}

if [ "${1:-}" = write ]; then
	page "$srcdir" >"$lint_scratch/page" && cp "$lint_scratch/page" "$srcdir/doc/system.md"
	exit
fi

# example COLUMN FORMULA: makes a page of one column with this formula; in config/ it is a / b.
example() {
	for screen in har har-i har-s har-cpi har-more sockets cpus; do
		lint_example config/screens/$screen.xml <<-XML
			<tiptop><screen name="$screen"><counter alias="a" event="x-y"/>
			<column header=" cpi" unit="ratio" expr="a / b" desc="Cycles"/></screen></tiptop>
		XML
	done
	echo '<tiptop><event name="x-y" desc="what"><for model="zen3" event="r1" name="XY"/></event></tiptop>' |
		lint_example config/events/x.xml
	lint_example doc/system.md <<-MD
		<!-- columns -->
		| Column | -r | -i | -s | What it is |
		|---|---|---|---|---|
		| \`cpi\` | \`$2\` | \`a / b\` | \`a / b\` | Cycles |
		<!-- end -->
		<!-- others -->
		| Screen | Column | Formula | What it is |
		|---|---|---|---|
		| \`har-cpi\` | \`cpi\` | \`a / b\` | Cycles |
		| \`har-more\` | \`cpi\` | \`a / b\` | Cycles |
		| \`sockets\` | \`cpi\` | \`a / b\` | Cycles |
		| \`cpus\` | \`cpi\` | \`a / b\` | Cycles |
		<!-- end -->
		<!-- events -->
		| In formulas | Event | Counts | The vendor's event on each CPU |
		|---|---|---|---|
		| \`a\` | \`x-y\` | what | zen3: XY |
		<!-- end -->
		| \`$1\` | the time |
	MD
}
example cpi "a / b"
lint_accepts "a page that is what config/ says"
example cpi "a / c"
lint_detects "a formula that is another one"
example dcm "a / b"
lint_detects "a column without a text on what it does not mean"
lint_project "doc/system.md describes the columns as config/ does"
lint_done
