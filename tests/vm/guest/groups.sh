# shellcheck shell=dash disable=SC2154 # constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Related events are counted at the same time, even when the kernel multiplexes: an instruction takes one cycle, so both
# counts are exactly equal. Counted in turns, they would differ by some 0.01 %. Six counters are free. Other modes make
# another event: there is no hypervisor, so ":uh" counts the same as ":u".
. ./lib.sh
others="r8,r11,r8:uh,r11:uh,instructions:uh,cycles:uh"

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

run "{instructions,cycles},$others"
same "a group, and others: the counts" "$(field instructions)" "$(field cycles)"
is "a group, and others: IPC" "$(cells "$pid" IPC | sort -u)" "1.00~"
within "a group, and others: those that are not in it differ" \
	"$(rows "$pid" 0 | sed -n 1p | tr ' ' '\n' | grep -E '[0-9]{5}~' | sort -u | wc -l)" 2 3

run "instructions,cycles,$others,{r8:uk,r11:uk}"
same "a group behind others" "$(field r8:uk)" "$(field r11:uk)"

run "{r8,r11},{r8:uh,r11:uh},{r8:uk,r11:uk},{instructions:uh,cycles:uh},{instructions,cycles}"
for i in 3 5 7 9 11; do
	same "many groups: number $((i / 2))" $i $((i + 1))
done

run "{r8,r11},{r8:uh,r11:uh},{r8:uk,r11:uk},{r8:ukh,r11:ukh}"
for i in 3 5 7 9; do
	same "many groups, no ratio: number $((i / 2))" $i $((i + 1))
done

# What has many names is counted once: all of these need one counter, and no turns.
names="r8,0x08,INST_RETIRED,$pmu/inst_retired/,$pmu/event=0x08/,$pmu/config=0x8/,arm_n1::INST_RETIRED,r8:u"
tiptop -b -d 0.04 -e "$names" -- ./loop-tenth >"$out" 2>"$err"
is "one event of many names: exit status" $? 0
pid=$(pid_of loop-tenth)
is "one event of many names: exact in all rows, the same under each name" \
	"$(rows "$pid" 0 | awk '{ for (i = 3; i <= 10; i++) if ($i != $3 || $i !~ /^[0-9]+$/) print $i }')" ""

# A ratio of a screen, with the most other counters between its two.
mkdir /tmp/groups
{
	echo '<tiptop><screen name="groups"><counter alias="c" event="cycles"/>'
	echo "$others,r8:uk,r11:uk,r8:ukh,r11:ukh,instructions:uk" | tr , '\n' | awk '{ printf "<counter alias=\"i%d\" event=\"%s\"/>", NR, $1 }'
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
