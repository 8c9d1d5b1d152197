# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-or-later
# --list-events: Arm's events have the numbers of the architecture, and the list is right about which can be counted.
. ./lib.sh

# row NAME: the first row of this event, but for its description.
row() {
	awk -v name="$1" '$1 == name { print $2, $3, $4; exit }' "$out"
}

tiptop --list-events >"$out" 2>"$err"
is "list: exit status" $? 0
has_not "list: nothing to complain of" "$err" .

# Arm Architecture Reference Manual, PMU events.
# QEMU implements few of the common events; from 0x40 on, numbers are up to the maker, and any may be opened.
while read -r name code opens; do
	is "list: $name" "$(row "$name")" "arm_n1 0x4:$code $opens"
done <<-END
	L1D_CACHE_REFILL 0x3 absent
	INST_RETIRED 0x8 yes
	BR_MIS_PRED 0x10 absent
	CPU_CYCLES 0x11 yes
	L2D_CACHE_REFILL 0x17 absent
	BR_RETIRED 0x21 absent
	BR_MIS_PRED_RETIRED 0x22 absent
	STALL_FRONTEND 0x23 yes
	STALL_BACKEND 0x24 yes
	L3D_CACHE_REFILL 0x2a absent
	REMOTE_ACCESS 0x31 absent
	DTLB_WALK 0x34 absent
	ITLB_WALK 0x35 absent
	LL_CACHE_MISS_RD 0x37 absent
	ASE_SPEC 0x74 yes
	VFP_SPEC 0x75 yes
END
type=$(printf 0x%x "$(cat "/sys/bus/event_source/devices/$pmu/type")")
while read -r name code; do
	is "list: $name" "$(row "$name")" "$pmu $type:$code yes"
done <<-END
	inst_retired 0x8
	cpu_cycles 0x11
	stall_frontend 0x23
	stall_backend 0x24
END
while read -r name code opens; do
	is "list: $name" "$(row "$name")" "$pmu $code $opens"
done <<-END
	cycles 0x0:0x0 yes
	instructions 0x0:0x1 yes
	cache-misses 0x0:0x3 absent
	branch-misses 0x0:0x5 absent
	stalled-cycles-frontend 0x0:0x7 yes
	stalled-cycles-backend 0x0:0x8 yes
	LLC-load-misses 0x3:0x10002 absent
END
is "list: page-faults" "$(row page-faults)" "software 0x1:0x2 yes"
has "list: what 'absent' means" "$out" '^# absent: '
has_not "list: there is no other reason here" "$out" '^# (denied|refused|busy|failed|unusable): '

# What it says of the generic events is what -e does with them.
awk '!/^#/ && $2 != "arm_n1" { print $1, $4 }' "$out" >/tmp/listed
within "list: the table's, generic events, and those of sysfs" "$(wc -l </tmp/listed)" 40 120
worker ./wait-short
# A screen has up to 64 counters.
for part in 1,60p 61,120p; do
	sed -n $part /tmp/listed >/tmp/part
	tiptop -b -i -d 0.2 -n 2 -p "$worker" -e "$(cut -d ' ' -f 1 /tmp/part | paste -s -d ,)" >"$out" 2>"$err"
	field=2
	while read -r name opens; do
		field=$((field + 1))
		case $opens in
		yes) want=0 ;;
		*) want='?' ;;
		esac
		[ "$(last "$worker" $field)" = "$want" ] || echo "$name: '$opens', but it is shown as $(last "$worker" $field)"
	done </tmp/part
done >/tmp/wrong
is "list: what it says can be counted is counted" "$(cat /tmp/wrong)" ""
worker_end

# For a text, and for one who may count nothing.
tiptop --list-events l2d_cache_refill >"$out" 2>"$err"
is "list: a text in small letters" "$(row L2D_CACHE_REFILL)" "arm_n1 0x4:0x17 absent"
is "list: and no other" "$(grep -v '^#' "$out" | grep -icv l2d_cache_refill)" 0
paranoid 3
as_user user1 "tiptop --list-events"
is "list: a user, level 3: exit status" $? 0
is "list: a user, level 3: a vendor's event" "$(row INST_RETIRED)" "arm_n1 0x4:0x8 denied"
is "list: a user, level 3: a generic one" "$(row cycles)" "$pmu 0x0:0x0 denied"
has "list: a user, level 3: what 'denied' means" "$out" "^# denied: .*tiptop --check"
has_not "list: a user, level 3: nothing can be counted" "$out" '^# yes: '
