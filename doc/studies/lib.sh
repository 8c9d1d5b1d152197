# shellcheck shell=sh disable=SC2034 # used by the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the case studies, which are tests, too.
# shellcheck source=../../tests/program/lib.sh
. "${srcdir:?}/tests/program/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
RUNS=${RUNS:-3}
runs=$(seq "$RUNS")

# need COMMAND...: skips the study if a command is missing.
need() {
	for command; do
		command -v "$command" >"$out" || skip_all "$command is not installed: doc/studies/run installs it"
	done
}

# say TEXT: prints a line of the results.
say() {
	printf '# %s\n' "$1"
}

# say_table: prints lines of words, separated by tabs, with aligned columns. The first column is a text.
say_table() {
	awk -F '\t' '{
		for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) }
		n[NR] = NF
	}
	END {
		for (r = 1; r <= NR; r++) {
			line = sprintf("%-" width[1] "s", cell[r, 1])
			for (i = 2; i <= n[r]; i++)
				line = line sprintf("  %" width[i] "s", cell[r, i])
			print "# " line
		}
	}'
}

# spread: of each name in lines "name<TAB>number", the mean of the numbers, the smallest and the largest.
spread() {
	awk -F '\t' '
	!($1 in n) { order[++names] = $1 }
	{
		if (!n[$1]++ || $2 < low[$1]) low[$1] = $2
		if (n[$1] == 1 || $2 > high[$1]) high[$1] = $2
		sum[$1] += $2
	}
	END {
		for (i = 1; i <= names; i++) {
			name = order[i]
			printf "%s\t%.4g\t%.4g\t%.4g\n", name, sum[name] / n[name], low[name], high[name]
		}
	}'
}

# say_spread HEAD: prints the table of spread().
say_spread() {
	{ printf '%s\tmean\tleast\tmost\n' "$1" && spread; } | say_table
}

# say_machine PROGRAM: the machine and the version, without which the numbers mean nothing.
say_machine() {
	say "$1; $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, Linux $(uname -r)"
	say "$RUNS runs; load when they began: $(cut -d ' ' -f 1 /proc/loadavg)"
}

# keep FILE...: copies results to STUDIES_FOLDER, if there is one.
keep() {
	[ -z "${STUDIES_FOLDER-}" ] || { mkdir -p "$STUDIES_FOLDER" && cp "$@" "$STUDIES_FOLDER"; }
}

# seconds: the time of the wall clock.
seconds() {
	date +%s.%N
}
