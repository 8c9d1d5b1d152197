#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prometheus-node-exporter 1.5.0-1+b6 (Debian 12), textfile collector.
#
# A series that stands twice, in one file or in two, is exported once, with the value that came first; the others are
# dropped. The reply is HTTP 200 all the same, and node_textfile_scrape_error, the metric by which one would watch the
# collector, stays 0. Only the log of the exporter has an error. So whoever writes a .prom file cannot learn from a
# scrape that a part of it is lost, and two writers that disagree are not told.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

package prometheus-node-exporter 1.5.0-1+b6
mkdir "$dir/text"
printf 'same_file 1\nsame_file 1\n' >"$dir/text/a.prom"
printf 'two_files 1\n' >"$dir/text/b.prom"
printf 'two_files 2\n' >"$dir/text/c.prom"
printf 'other 5\n' >"$dir/text/d.prom"
"$dir/root/usr/bin/prometheus-node-exporter" --collector.disable-defaults --collector.textfile \
	--collector.textfile.directory="$dir/text" --web.listen-address=127.0.0.1:19109 2>"$dir/log" &
server=$!
n=0
until curl -s -o "$dir/page" -w '%{http_code}' http://127.0.0.1:19109/metrics >"$dir/code"; do
	n=$((n + 1))
	[ $n -lt 100 ] || { echo "the exporter does not answer" >&2 && exit 1; }
	sleep 0.1
done
seen "the scrape succeeds" "$(cat "$dir/code")" 200
seen "the collector reports no error" "$(grep '^node_textfile_scrape_error' "$dir/page")" "node_textfile_scrape_error 0"
seen "a series that a file has twice is there once" "$(grep -c '^same_file ' "$dir/page")" 1
seen "two files that disagree are one series" "$(grep -c '^two_files ' "$dir/page")" 1
seen "what is not doubled is there" "$(grep '^other' "$dir/page")" "other 5"
seen "the log alone has the errors" "$(grep -c 'collected before with the same name' "$dir/log")" 1
