#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Case study C: two settings of a program, compared. The LiMiT paper compares versions of MySQL (figure 10); here it is one
# server that writes its log to the disk at each commit (A), or once in a second (B). Which locks does that concern most?
# shellcheck source=lib.sh
. "${srcdir:?}/doc/studies/lib.sh"
# shellcheck source=mariadb.sh
. "$srcdir/doc/studies/mariadb.sh"

# acquisitions SIDE ADD: the mean of the acquisitions in the reports of a side, and ADD.
acquisitions() {
	jq -s --argjson runs "$RUNS" --argjson add "$2" 'map(select(.type == "lock").acquisitions) | add / $runs + $add' \
		"$dir/$(echo "$1" | tr ab AB)"[0-9]*
}

mariadb_prepare
say_machine "$(mariadbd --version | sed 's/.*Ver \([^ ]*\).*/MariaDB \1/')"
setting=--innodb-flush-log-at-trx-commit
a='' b=''
for run in $runs; do
	for side in A:1 B:0; do
		report=$dir/whole
		mariadb_run $setting="${side#*:}" "$tiptop" locks --format json -o "$report" --
		# Idle waits are not of interest: threads that wait for work wait as long as the load takes. The head counts them.
		jq -c 'select(.idle != 1) | del(.rows)' "$report" >"$dir/${side%:*}$run"
		keep "$dir/${side%:*}$run"
		jq -r --arg side "${side%:*}" 'select(.type == "locks") | (.time - .waiting_idle) as $busy |
			"\($side): % of the time waiting for locks\t\(100 * (.waiting - .waiting_idle) / $busy)",
			"\($side): % of the time holding locks\t\(100 * .holding / $busy)", "\($side): acquisitions\t\(.dynamic)",
			"\($side): locks\t\(.static)"' "$report" >>"$dir/sides"
		printf '%s: writes forced to the disk\t%s\n%s: the load, s\t%s\n' "${side%:*}" "$fsyncs" "${side%:*}" "$load_s" >>"$dir/sides"
	done
	a=$a${a:+,}$dir/A$run b=$b${b:+,}$dir/B$run
done

say ""
say_spread "A: $setting=1, B: =0" <"$dir/sides"
spread <"$dir/sides" >"$dir/means"
[ "$(sed -n 's/^A: writes forced to the disk\t[^\t]*\t\([0-9.]*\)\t.*/\1/p' "$dir/means")" -gt \
	"$(sed -n 's/^B: writes forced to the disk.*\t//p' "$dir/means")" ]
ok "the server counts fewer of these writes in each run of B than in each of A" $?

"$tiptop" compare --rows 0 --format json "$a" "$b" >"$dir/comparison" 2>"$err"
ok "the reports can be compared" $?
"$tiptop" compare --rows 0 --format json "$b" "$a" >"$dir/reverse" 2>"$err"
"$tiptop" compare --rows 6 "$a" "$b" >"$dir/text" 2>"$err"
keep "$dir/comparison" "$dir/text"
is "the lock that has changed most comes first" \
	"$(jq -s '[.[] | select(.type == "lock_change" and .change).change | fabs] | . == (sort | reverse)' "$dir/comparison")" true
is "A and B exchanged: the same locks, with opposite changes" \
	"$(jq -c 'select(.type == "lock_change") | [.name, .kind, .caller, .change]' "$dir/comparison" | sort)" \
	"$(jq -c 'select(.type == "lock_change") | [.name, .kind, .caller, (.change | if . then -. else . end)]' "$dir/reverse" | sort)"
for side in a b; do
	within "$side: the means add up to those of the reports" \
		"$(jq -s --arg side $side '[.[] | select(.type == "lock_change").acquisitions[$side].mean // 0] | add' "$dir/comparison")" \
		"$(acquisitions $side -0.5)" "$(acquisitions $side 0.5)"
done
say ""
sed "s|$dir/||g; s/^/# /" "$dir/text"
finish
