#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks --threads: the row of each thread of the program team.c agrees with its report, and their sum with that of
# the program.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

team=${builddir:?}/tests/program/team
report=$dir/report

# measure FORMAT WHAT [OPTION...]: the program's words are in $out then, the rows of its threads in $report.
measure() {
	format=$1 what=$2
	shift 2
	"$tiptop" locks --threads --format "$format" -o "$report" "$@" -- "$team" "$what" >"$out" 2>"$err"
}

# rows: name, acquisitions and locks of each, from CSV; the main thread has the name of the program.
rows() {
	awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ sub(/^team$/, "main", $at["name"]); print $at["name"], $at["acquisitions"], $at["static"] }' "$report" | LC_ALL=C sort
}

# all_of COLUMN: the sum over all rows.
all_of() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { n += $at } END { printf "%d\n", n }' "$report"
}

# of KEY: a number of the line about the whole program; of_threads KEY: the sum over those of its threads.
of() {
	sed -n '1s/.*"'"$1"'":\([0-9]*\).*/\1/p' "$report"
}
of_threads() {
	sed -n '/"type":"thread"/s/.*"'"$1"'":\([0-9]*\).*/\1/p' "$report" | awk '{ n += $1 } END { printf "%d\n", n }'
}

own_tables
[ -r "$builddir/tiptop-locks.so" ] || skip_all "the object was not built"

# --- each as it says ---
for what in few killed forked; do
	children=--children
	measure csv $what $children
	is "$what: the program ends as without tiptop" $? "$([ $what = killed ] && echo 137 || echo 0)"
	is "$what: what each thread did" "$(rows)" "$(LC_ALL=C sort "$out")"
done

# --- together they are the program ---
measure json few
is "all acquisitions" "$(of_threads acquisitions)" "$(of dynamic)"
for state in time waiting holding free own; do
	# Each is cut to ns.
	within "$state of all" "$(($(of $state) - $(of_threads $state)))" 0 5
done
is "a row each" "$(grep -c '"type":"thread"' "$report") $(of threads)" "5 5"
is "and none of locks" "$(grep -c '"type":"lock"' "$report")" 0
is "four have ended before the program" "$(of_threads ended)" 4

"$tiptop" compare "$report" "$report" >"$out" 2>"$err"
is "threads are not compared" "$? $(cat "$err")" \
	"2 tiptop: $report:2: this report has threads instead of locks to compare: write it without --threads"

# --- more than there is room for ---
measure csv many
is "many threads: the program ends well" $? 0
is "those without room are one row, the last" "$(tail -1 "$report" | cut -d, -f 2-4)" ",,104"
is "all threads are told" "$(all_of threads)" 4201
is "all acquisitions are" "$(all_of acquisitions)" "$(awk '{ print $2 }' "$out")"
is "of the others, the number of locks is unknown" "$(tail -1 "$report" | cut -d, -f 6-7)" ","

# --- what they did with their time ---
measure csv states
is "states: the program ends well" $? 0
# told: what the kernel said, at the beginning of each thread's row: name run delay.
awk 'NR == FNR { run[$1] = $2; delay[$1] = $3; next }
	FNR == 1 { n = split($0, name, ","); for (i = 1; i <= n; i++) at[name[i]] = i; next }
	{
		split($0, f, ",")
		life = f[at["time_ns"]]
		sum = 0
		k = split("running runnable blocked_lock blocked_work blocked_input blocked_time blocked_task blocked_device unknown", id, " ")
		for (i = 1; i <= k; i++) {
			ns[id[i]] = f[at[id[i] "_ns"]]
			sum += ns[id[i]]
			if (i > 2 && ns[id[i]] > ns[best] + 0)
				best = id[i]
		}
		if (sum > life || life - sum > life / 1000)
			print "states of " f[at["name"]] ": " sum " of " life
		if (!(f[at["name"]] in run))
			next
		# Between the two readings a thread may be interrupted.
		off = ns["running"] - run[f[at["name"]]]
		if (off * off > (run[f[at["name"]]] / 100 + 1e6) ^ 2)
			print "CPU time of " f[at["name"]] ": " ns["running"] " for " run[f[at["name"]]]
		if (ns["runnable"] < delay[f[at["name"]]] * 0.99 - 1e7)
			print "delay of " f[at["name"]] ": " ns["runnable"] " for " delay[f[at["name"]]]
		if (ns["running"] + ns["runnable"] > life / 2 && f[at["name"]] == "busy")
			best = "running"
		print f[at["name"]], best
		best = ""
	}' "$out" FS=, "$report" >"$dir/states"
is "states: each as it is, and as the kernel knows them" "$(LC_ALL=C sort "$dir/states" | tr '\n' ,)" \
	"asleep blocked_time,busy running,idle blocked_work,jumping blocked_time,locked blocked_lock,parent blocked_task,reading blocked_input,"
measure json states
is "a call after the end of a thread makes no other thread" "$(of threads)" 8
for state in running runnable blocked_lock blocked_work blocked_input blocked_time blocked_task blocked_device unknown; do
	within "$state of all" "$(($(of $state) - $(of_threads $state)))" 0 5
done
measure csv killed
is "killed: what its threads did is unknown" "$(sed 1d "$report" | cut -d, -f 15-18 | sort -u)" ",,,"
measure text fight
is "fight: the program ends well" $? 0
ok "_exit: what all threads did is known" "$(grep -c 'unknown how long' "$report")"
ok "and what waiting for locks costs" \
	"$(awk '/^#   waiting for locks: / { print !($5 > 5 && /CPU time/) }' "$report")"

# --- text ---
measure text few
is "text: a row each" "$(awk '$2 ~ /^w[1-4]$/ { print $2, $4, $5 }' "$report" | sort)" "$(grep ^w "$out" | sort)"
finish
