# shellcheck shell=dash disable=SC2086,SC2154 # names are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sixteen counters on a machine that has six: the kernel multiplexes, and tiptop scales and marks the numbers.
. ./lib.sh
# Sixteen events of one number: an instruction takes one cycle, and there is no hypervisor and no guest.
names="r8 r8:uh r8:uGH r8:uhGH instructions instructions:uh instructions:uGH instructions:uhGH
r11 r11:uh r11:uGH r11:uhGH cycles cycles:uh cycles:uGH cycles:uhGH"

# scaled PID FIELD: the sum of the cells, if all that are not 0 have the mark; else "none".
scaled() {
	rows "$1" "$2" | awk '$1 != 0 && !/^[0-9]+~$/ { bad = 1 } { s += $1 } END { print bad ? "none" : sprintf("%.0f", s) }'
}

# In a file: increments and totals.
mkdir /tmp/sixteen
for name in $names; do
	echo "$name"
done | awk '
	BEGIN { print "<tiptop><screen name=\"sixteen\">" }
	{
		printf "<counter alias=\"i%d\" event=\"%s\"/>\n", NR, $1
		printf "<column header=\"delta%d\" format=\"%%15.0f\" expr=\"delta(i%d)\"/>\n", NR, NR
		printf "<column header=\"total%d\" format=\"%%15.0f\" expr=\"i%d\"/>\n", NR, NR
	}
	END { print "</screen></tiptop>" }' >/tmp/sixteen/.tiptoprc

worker ./wait-long
monitor -i -W /tmp/sixteen --only-conf -d 0.5 -n 7 -p "$worker"
sleep 0.85
feed
wait $tiptop
is "sixteen: exit status" $? 0
i=0
while [ $i -lt 16 ]; do
	i=$((i + 1))
	total=$(cells "$worker" total$i | tail -n 1 | sed -n 's/~$//p')
	within "sixteen: counter $i, total, with its mark" "$total" \
		"$(calc "$wait_long_byte * 0.999")" "$(calc "$wait_long_byte * 1.001")"
	within "sixteen: counter $i, the increments add up to it" "$(scaled "$worker" "$(field delta$i)")" \
		"$(calc "$total - 7")" "$(calc "$total + 7")"
done

# An interval in which it ran all the time: all counters must tell the same.
rows "$worker" 0 | sed -n 4p | awk '{
	for (i = 2; i <= 33; i += 2) {
		if ($i !~ /^[0-9]+~$/)
			exit
		n = $i + 0
		low = i == 2 || n < low ? n : low
		high = i == 2 || n > high ? n : high
	}
	print "# increments from " low " to " high
	good = low > 4.5e8 && high <= 1.003 * low
} END { exit !good }'
ok "sixteen: the increments of one interval agree within 0.3 %" $?
is "sixteen: what it did while it waited is exactly 0" "$(rows "$worker" 2 | sed -n '1,2p;7p' | tr '\n' ' ')" "0 0 0 "
worker_end

# On the command line.
tiptop -b -d 0.2 -e "$(echo $names | tr ' ' ,)" -- ./loop-half >"$out" 2>"$err"
is "sixteen, -e: exit status" $? 0
has_not "sixteen, -e: nothing to complain of" "$err" .
pid=$(pid_of loop-half) i=2
for name in $names; do
	i=$((i + 1))
	within "sixteen, -e: $name, with its mark" "$(scaled "$pid" $i)" \
		"$(calc "$loop_half_all * 0.995")" "$(calc "$loop_half_all * 1.005")"
done
has_not "sixteen, -e: the time on the CPU is exact" "$out" "^ *$pid +[0-9.]+~"
