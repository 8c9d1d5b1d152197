#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tests/real/files/run.sh [FOLDER]... - likwid's performance groups and Linux' metrics of perf, of the newest packages of
# Debian: each is imported for the CPU that it is for, and each column is compared with what evaluate.py makes of the
# maker's formula, by made-up counts. Prints TAP, and for each folder how many of its metrics are imported, which may not
# become less than the table says. Nothing that is fetched is kept.
#
# From the environment: TIPTOP, the program; srcdir and builddir; FETCHED, a folder with likwid/ and linux/ in place of
# fetching them.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../../.." && pwd)} builddir=${builddir:-$srcdir/build}
TIPTOP=${TIPTOP:-$builddir/tiptop}
# shellcheck source=../../program/lib.sh
. "$srcdir/tests/program/lib.sh"
# shellcheck source=../../apt.sh
. "$srcdir/tests/apt.sh"

here=$srcdir/tests/real/files
groups=usr/share/likwid/perfgroups events=tools/perf/pmu-events

# --- the packages, by lists of their own: nothing is installed ---

# uri_of_debian: where the host's own Debian is fetched from.
uri_of_debian() {
	apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
		awk '$1 == "Debian" && $2 !~ /security/ { print $2; exit }'
}
# newest PACKAGE: its version.
newest() {
	apt-cache madison "$1" | awk '{ print $3 }' | sort -Vu | tail -n 1
}
# fetch PACKAGE FOLDER: unpacks the newest version.
fetch() {
	version=$(newest "$1")
	[ "$version" ] && (cd "$dir/apt" && apt-get -qq download "$1=$version") >"$dir/apt/log" 2>&1 || return 1
	echo "# $1 $version"
	dpkg-deb -x "$dir/apt/$1"_*.deb "$2"
}
fetch_all() {
	apt_private "$dir/apt" "$(dpkg --print-architecture)" "$(uri_of_debian)" unstable stable-backports
	apt-get -qq update >"$dir/apt/log" 2>&1
	kernel=$(apt-cache pkgnames linux-source- | grep -x 'linux-source-[0-9.]*' | sort -V | tail -n 1)
	fetch likwid "$dir/likwid.deb" && fetch "${kernel:-linux-source}" "$dir/linux.deb" || return 1
	mkdir "$FETCHED" && mv "$dir/likwid.deb/$groups" "$FETCHED/likwid" || return 1
	tar -xJf "$dir/linux.deb/usr/src/$kernel.tar.xz" -C "$dir" --wildcards "*/$events/arch/*" &&
		mv "$dir/$kernel/$events/arch" "$FETCHED/linux"
}

# --- folders ---

# evaluated NAME CPU EVENTS FLOOR FOLDER: for the CPU as the environment has it.
evaluated() {
	python3 "$here/evaluate.py" "$tiptop" "$2" "$FETCHED/linux/$3" "$5" >"$out" 2>"$err"
	ok "$1: it is evaluated" $?
	# shellcheck disable=SC2046 # words
	set -- "$@" $(sed -n '$s/^# //p' "$out")
	[ $# -eq 10 ] || return
	# METRICS APART IMPORTED DIFFERENT BY-NAME
	shift 5
	share=$(awk -v all="$1" -v apart="$2" -v imported="$3" \
		'BEGIN { printf "%d", (all > apart) ? 100 * imported / (all - apart) : 0 }')
	echo "# $name: $3 of $(($1 - $2)) metrics imported ($share %), $2 more are no task's; in $5 columns not all codes are compared"
	awk -F '\t' -v folder="${name%%,*}" '
	FILENAME == ARGV[1] { if ($1 " " $2 == folder) known[$3] = 1; next }
	/^#/ { next }
	{ metric = $0; sub(/: .*/, "", metric) }
	!(metric in known)' "$here/known" "$out" >"$dir/unknown"
	is "$name: each column is its maker's formula, but for those that are known" "$(head -n 5 "$dir/unknown")" ""
	within "$name: the share that is imported, in %" "$share" "$floor" 100
}
# folder SET FOLDER CPU EVENTS TABLES FLOOR FLOOR-WITH-TABLES
folder() {
	folder=$FETCHED/$1/$2 name="$1 $2" floor=$6
	[ -d "$folder" ] || { ok "$name: there is such a folder" 1 && return; }
	evaluated "$name" "$3" "$4" "$6" "$folder"
	[ "$5" != - ] && [ "$pfm" ] || return
	name="$1 $2, with libpfm4" floor=$7
	TIPTOP_CPU=x86:$3 LIBPFM_FORCE_PMU=$5
	export TIPTOP_CPU LIBPFM_FORCE_PMU
	evaluated "$name" "$3" "$4" "$7" "$folder"
	unset TIPTOP_CPU LIBPFM_FORCE_PMU
}

wanted=" $* "
command -v python3 >"$out" || skip_all "python3 is missing"
if [ ! "${FETCHED-}" ]; then
	FETCHED=$dir/fetched
	for tool in apt-get dpkg-deb xz; do
		command -v $tool >"$out" || skip_all "$tool is missing: the files are in packages of Debian"
	done
	fetch_all || skip_all "the packages cannot be fetched: $(tail -n 1 "$dir/apt/log")"
fi
# libpfm4 has tables of the architecture that it runs on.
pfm=$(case $(uname -m) in x86_64) TIPTOP_CPU=x86:06_5E LIBPFM_FORCE_PMU=skl "$tiptop" --list-events INST_RETIRED:ANY_P 2>"$err" | grep -v '^#' ;; esac)
[ "$pfm" ] || echo "# libpfm4 is not there, or has no tables of x86"
while read -r set rest; do
	case $set in
	'' | '#'*) continue ;;
	esac
	# shellcheck disable=SC2086 # words
	set -- "$set" $rest
	[ "$wanted" = "  " ] || [ "${wanted#* "$2" }" != "$wanted" ] || continue
	folder "$@"
done <"$here/table"
finish
