# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What belongs together is counted at the same time, even where the kernel takes turns: an instruction takes one cycle,
# so both counts are equal, to the last one. Counted in turns, they differ by some 0.01 %.
. ./lib.sh
others="r8,0x08,INST_RETIRED,$pmu/inst_retired/,$pmu/event=0x08/,$pmu/config=0x8/"
more="arm_n1::INST_RETIRED,INST_RETIRED:u,inst_retired:u,r8:u,0x8:u"

# same NAME A B: in each row, both cells have the mark, and are the same.
same() {
	awk -v pid="$pid" -v a="$2" -v b="$3" '
		{ sub(/[+-]$/, "", $1) }
		$1 == pid { n++; if ($a != $b || $a !~ /^[0-9]+~$/ || $a + 0 < 1e6) bad = 1 }
		END { exit bad || n < 2 }' "$out"
	ok "$1" $?
}

# run EVENTS
run() {
	tiptop -b -d 0.04 -e "$1" -- ./loop-tenth >"$out" 2>"$err"
	is "$1: exit status" $? 0
	has_not "$1: nothing to complain of" "$err" .
	pid=$(pid_of loop-tenth)
}

run "{instructions,cycles},$others,$more"
same "a group, and others: the counts" "$(field instructions)" "$(field cycles)"
is "a group, and others: IPC" "$(cells "$pid" IPC | sort -u)" "1.00~"
is "a group, and others: an event under other names is the same number" \
	"$(rows "$pid" 0 | sed -n 1p | tr ' ' '\n' | grep -E '[0-9]{5}~' | sort -u | wc -l)" 1

run "$others,$more,{inst_retired,cpu_cycles}"
same "a group behind others" "$(field inst_retired)" "$(field cpu_cycles)"

run "{r8,r11},{0x08,0x11},{inst_retired,cpu_cycles},{INST_RETIRED,CPU_CYCLES},{instructions,cycles}"
for i in 3 5 7 9 11; do
	same "many groups: number $((i / 2))" $i $((i + 1))
done

run "{r8,r11},{0x08,0x11},{inst_retired,cpu_cycles},{INST_RETIRED,CPU_CYCLES}"
for i in 3 5 7 9; do
	same "many groups, no ratio: number $((i / 2))" $i $((i + 1))
done

# A ratio of a screen, with the most other counters between its two.
mkdir /tmp/groups
{
	echo '<tiptop><screen name="groups"><counter alias="c" event="cycles"/>'
	echo "$others,$more" | tr , '\n' | awk '{ printf "<counter alias=\"i%d\" event=\"%s\"/>", NR, $1 }'
	echo '<counter alias="i" config="INSTRUCTIONS"/><column header="c" format="%12.0f" expr="delta(c)"/>'
	for i in 1 2 3 4 5 6 7 8 9 10 11; do
		echo "<column header=\"i$i\" format=\"%12.0f\" expr=\"delta(i$i)\"/>"
	done
	echo '<column header="ratio" format="%12.9f" expr="delta(i) / delta(c)"/>'
	echo '<column header="across" format="%12.9f" expr="(delta(i) - delta(c)) / 1e6 + delta(c) / delta(i)"/>'
	echo '</screen></tiptop>'
} >/tmp/groups/.tiptoprc
tiptop -b -W /tmp/groups --only-conf -d 0.04 -- ./loop-tenth >"$out" 2>"$err"
is "a ratio among many: exit status" $? 0
pid=$(pid_of loop-tenth)
within "a ratio among many: in some refreshes" "$(cells "$pid" ratio | wc -l)" 2 5
is "a ratio among many: exactly 1" "$(cells "$pid" ratio | sort -u)" "1.000000000~"
is "a ratio among many: also inside of a longer formula" "$(cells "$pid" across | sort -u)" "1.000000000~"
