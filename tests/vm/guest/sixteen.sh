# shellcheck shell=dash disable=SC2086,SC2154 # options are words; constants come from expected.sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sixteen counters on a machine that has six: the kernel takes turns, and tiptop scales.
. ./lib.sh

mkdir /tmp/sixteen
awk 'BEGIN {
	print "<tiptop><screen name=\"sixteen\">"
	for (i = 1; i <= 16; i++) {
		printf "<counter alias=\"i%d\" config=\"INSTRUCTIONS\"/>\n", i
		printf "<column header=\"        delta%02d\" format=\"%%15.0f\" expr=\"delta(i%d)\"/>\n", i, i
		printf "<column header=\"        total%02d\" format=\"%%15.0f\" expr=\"i%d\"/>\n", i, i
	}
	print "</screen></tiptop>"
}' >/tmp/sixteen/.tiptoprc

worker ./wait-long
monitor -i -W /tmp/sixteen --only-conf -d 1 -n 7 -p "$worker"
sleep 1.75
feed
wait $tiptop
is "sixteen: exit status" $? 0
i=0
while [ $i -lt 16 ]; do
	i=$((i + 1))
	within "sixteen: counter $i, total" "$(last "$worker" $((2 * i + 1)))" \
		"$(calc "$wait_long_byte * 0.999")" "$(calc "$wait_long_byte * 1.001")"
done

# An interval in which it ran all the time: all counters must tell the same.
rows "$worker" 0 | sed -n 4p | awk '{
	for (i = 2; i <= 33; i += 2) {
		if ($i !~ /^[0-9]+$/)
			next
		low = i == 2 || $i < low ? $i : low
		high = i == 2 || $i > high ? $i : high
	}
	print "# increments from " low " to " high
	good = low > 9e8 && high <= 1.001 * low
} END { exit !good }'
ok "sixteen: the increments of one interval agree within 0.1 %" $?
worker_end
