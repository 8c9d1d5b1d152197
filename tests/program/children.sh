#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The rows of a command's descendants: running ones, ended ones, and the row of those not seen one by one.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

reason=$("$work" can-count) || skip_all "$reason"

recording=$dir/recording
case $("$tiptop" --help) in
*--record*) records="--record $recording" ;;
*) records='' ;;
esac

event=page-faults # what is counted
# rows_of FILE: "kind id faults name" of each row, faults "null" where they are unknown.
rows_of() {
	grep -v '"type":"summary"' "$1" |
		grep -o '"kind":"[a-z]*",\("pid":[0-9]*,\)\{0,1\}\("tid":[0-9]*,\)\{0,1\}"name":"[^"]*","user":[^,]*,"values":{[^}]*}' |
		sed 's/"kind":"\([a-z]*\)",/\1 /; s/"pid":[0-9]*,"tid":\([0-9]*\),/\1 /; s/"pid":\([0-9]*\),/\1 /; s/^rest "/rest 0 "/
			s/"name":"\([^"]*\)",.*"'"$(echo $event | tr - _)"'":\([0-9a-z.]*\).*/\2 \1/'
}
# sum_of FILE: of the last number of each row.
sum_of() {
	rows_of "$1" | awk '{ last[$1 " " $2] = $3 } END { for (i in last) sum += last[i]; printf "%d\n", sum }'
}
of_whole() {
	sed -n '/"type":"summary"/s/"level":.*//p' "$out" | sed -n 's/.*"events":{.*"'$event'":{"value":\([0-9]*\).*/\1/p'
}
# follow NAME OPTION... -- COMMAND...: the rows are the whole, to the last fault, and so they are in a recording.
follow() {
	name=$1
	shift
	rm -f "$out" "$recording"
	# shellcheck disable=SC2086 # $records is an option or nothing
	"$tiptop" -b --format json -o "$out" --values total -e $event $records --children "$@" >"$dir/printed" 2>"$err" </dev/null
	is "$name: the status" $? 0
	is "$name: all rows together are the whole" "$(sum_of "$out")" "$(of_whole)"
	[ "$records" ] || return 0
	# What had faults, but no time on a CPU, is shown with -i alone; a command's own tasks always are.
	"$tiptop" -b -i --format json -o "$dir/replayed" --values total -e $event --replay "$recording" >"$dir/printed" 2>"$err"
	is "$name: in a recording, too" "$(sum_of "$dir/replayed")" "$(of_whole)"
}
# shows NAME: a row of this name has been written.
shows() {
	grep -q '"name":"'"$1"'"' "$out" 2>"$dir/why"
}
# let_go NAME: who waits for a line of $dir/go, by descriptor 4, gets it when it has been seen; until tiptop has ended.
let_go() {
	await shows "$1"
	echo >&4
	exec 4>&-
	wait "$follower"
}
n_of() {
	rows_of "$out" | awk -v kind="$1" -v name="$2" '$1 == kind && $4 == name { seen[$2] = 1 } END { for (i in seen) n++; print n + 0 }'
}

quick='"$0" name=quick touch=300; ("$0" name=orphan touch=70 &); "$0" name=slow spin=500 touch=200; "$0" name=maker fork touch=50'
follow "children of all kinds" -d 0.1 -- sh -c "$quick; true" "$work"
follow "--exact" -d 0.1 --exact -- sh -c "$quick; true" "$work"
# In a time namespace, the kernel's records have other times than the clock and /proc.
if unshare -T --boottime 1000000 --fork true 2>"$dir/why"; then
	printf '#!/bin/sh\nexec unshare -T --boottime 1000000 --fork "%s" "$@"\n' "$tiptop" >"$dir/shifted"
	chmod +x "$dir/shifted"
	plain=$tiptop tiptop=$dir/shifted
	follow "a time namespace" -d 0.1 -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do "$0" touch=20; done; '"$quick; true" "$work"
	tiptop=$plain
else
	skip "a time namespace" "none can be made here: $(cat "$dir/why")"
fi
told=$(sed -n 's/.*"ended":{"tasks":\([0-9]*\),"lost":0.*/\1/p' "$out")
if [ "$told" ]; then
	is "each child has a row, whatever its parent and its life time" "$(rows_of "$out" | awk '$1 == "process" { print $2 }' | sort -u | wc -l)" $((told + 1))
else
	skip "each child has a row" "this kernel does not tell how many there were"
fi
is "one that lives for long has its name" "$(n_of process slow)" 1
is "what they counted before, or what was not reported, is one row" "$(rows_of "$out" | grep -c '^rest' | sed 's/^[1-9].*/some/')" some
# A thread has switched once before its first stop, where counters of its own begin.
event=context-switches
"$tiptop" follow -T 0 -K -c $event -- true >"$out" 2>"$err" || event=page-faults
follow "--exact, threads of the command" -d 0.1 --exact -- "$work" pool=5 each-spin=20 end-pool pool=3 each-spin=20 end-pool
follow "--exact, threads of a child" -d 1000 --exact -- sh -c '"$0" pool=5 each-spin=20 end-pool; true' "$work"
# And so has a process: its row has that where its counters were opened by then.
# shellcheck disable=SC2016 # for the shell that is followed
many='i=0; while [ $i -lt 60 ]; do (:) & (:) & (:) & wait; i=$((i + 1)); done'
follow "--exact, processes that are seen before their first stop" -d 0.02 --exact -- sh -c "$many"
event=page-faults
follow "one refresh, at the end" -d 1000 -- sh -c "$quick; true" "$work"
follow "many children" -d 0.1 -- sh -c '"$0" children=2000; true' "$work"
follow "threads of children" -d 0.1 -- sh -c '"$0" pool=50 each-touch=20 end-pool; "$0" pool=3 each-touch=50 leave touch=200; true' "$work"
follow "threads as rows" -d 0.1 -H -- sh -c "$quick; "'"$0" pool=5 each-touch=20 each-spin=200 end-pool' "$work"

# Where the kernel reports the counts of each, a child that was never seen has all of its counts.
rm -f "$out"
"$tiptop" -b --format json -o "$out" -d 1000 -e page-faults --children -- sh -c '"$0" touch=1000; true' "$work" 2>"$err"
if grep -q '"level":"each"' "$out"; then
	within "all that it has counted" "$(rows_of "$out" | awk '$4 == "work" { print $3; exit }')" 1000 1500
	is "and nothing is left" "$(rows_of "$out" | awk '$1 == "rest"' | sed 's/ 0 .*//')" ''
else
	is "a kernel that tells nothing: it is unknown, not 0" "$(rows_of "$out" | awk '$4 == "work" { print $3; exit }')" null
	# If the end of the child has a refresh of its own, there are two such rows.
	within "and stands in the rest" "$(rows_of "$out" | awk '$1 == "rest" { n += $3 } END { print n }')" 1000 1500
fi

# One that a refresh has seen, and that did most of its work before, has all of it in its last row.
rm -f "$out"
mkfifo "$dir/go"
exec 4<>"$dir/go"
# shellcheck disable=SC2086 # $records is an option or nothing
"$tiptop" -b --format json -o "$out" -d 0.1 --values total -e $event $records --children -- \
	sh -c '"$0" name=early touch=1000 wait touch=200 <"$1"; true' "$work" "$dir/go" >"$dir/printed" 2>"$err" </dev/null &
follower=$!
let_go early
if grep -q '"level":"each"' "$out"; then
	within "one that was seen late: all that it has done" "$(rows_of "$out" | awk '$4 == "early" { last = $3 } END { print last }')" 1200 1700
	within "and the rest has nothing of it" "$(rows_of "$out" | awk '$1 == "rest" { last = $3 } END { print last }')" 0 100
else
	# On a slow machine, it is seen before it has done all of that.
	within "one that was seen late: what it did before is in the rest" \
		"$(rows_of "$out" | awk '$1 == "rest" { rest = $3 } $4 == "early" { row = $3 } END { print rest + row }')" 1200 1900
fi
is "together they are the whole" "$(sum_of "$out")" "$(of_whole)"

# How they ended, and how long they lived: those that were seen, those that were not, and the command.
cat >"$dir/how" <<-'end'
	<tiptop><screen name="how"><column header="HOW" format="%4.0f" expr="EXIT"/><column header="LIVED" format="%8.3f" expr="LIFE_NS / 1e9"/></screen></tiptop>
end
"$tiptop" -b -i -W "$dir/how" -S how --format json -o "$out" -d 0.1 --children -- sh -c '"$0" name=seen spin=500 exit=5; "$0" name=quick exit=7; "$0" name=killed kill=9; "$0" name=left leave exit=4; "$0" name=well; exit 3' "$work" 2>"$err"
is "how: the status of the command is that of tiptop" $? 3
# ends_of FIELD FIELD: two fields of each row that is of an end, in order; one may be seen before it has its name.
ends_of() {
	grep '"type":"exit"' "$out" | sed -n 's/.*"'"$1"'":\([-0-9a-z]*\),"'"$2"'":\([0-9.]*\).*/\1 \2/p' | sort -n
}
# lived NAME STATUS: of the row of this name that ended so.
lived() {
	grep '"type":"exit"' "$out" | sed -n 's/.*"name":"'"$1"'".*"exit":'"$2"',"lived_s":\([0-9.]*\).*/\1/p'
}
is "how: of all" "$(ends_of exit lived_s | wc -l)" 6
is "how: beside the columns, as in them" "$(ends_of exit lived_s)" "$(ends_of how lived)"
is "how: the command" "$(lived sh 3 | wc -l)" 1
within "how: it lived longer than what it waited for" "$(lived sh 3)" "$(lived seen '[5n][ul]*')" 1000
within "how: one that was seen has lived at least as long as it computed" "$(lived seen '[5n][ul]*')" 0.5 1000
# tells_how: whether this kernel tells it here. The numbers are those of the machine's own namespaces.
tells_how() {
	grep -qs cn_proc /proc/net/connector && [ "$(readlink /proc/self/ns/pid /proc/self/ns/user | tr '\n' ' ')" = "pid:[4026531836] user:[4026531837] " ] &&
		printf '6.6\n%s\n' "$(uname -r)" | sort -VC
}
if tells_how; then
	is "how: the ends that the kernel told" "$(ends_of exit lived_s | sed 's/ .*//' | tr '\n' ' ')" "-9 0 3 4 5 7 "
else
	is "how: what is not told is unknown, not 0" "$(ends_of exit lived_s | grep -c '^null')" 5
fi
# In a container, those that a refresh has seen are held, which tells it from Linux 6.15 on.
if unshare -pf --mount-proc true 2>"$dir/why"; then
	rm -f "$out"
	exec 4<>"$dir/go"
	unshare -pf --mount-proc "$tiptop" -b -i --format json -o "$out" -d 0.1 --children -- \
		sh -c '"$0" name=held wait exit=5 <"$1"; exit 3' "$work" "$dir/go" >"$dir/printed" 2>"$err" </dev/null &
	follower=$!
	let_go held
	want="3 5 "
	printf '6.15\n%s\n' "$(uname -r)" | sort -VC || want="null 3 "
	is "how: in a namespace of its own" "$(ends_of exit lived_s | sed 's/ .*//' | tr '\n' ' ')" "$want"
else
	skip "how: in a namespace of its own" "$(head -n 1 "$dir/why")"
fi
"$tiptop" -b -S software -o "$dir/text" -d 0.1 --children -- sh -c '"$0" name=quick exit=7; exit 3' "$work" 2>"$err"
within "how: in text, behind the name: how long it lived" "$(sed -n 's/.* sh DEAD (status 3, \([0-9.]*\) s)$/\1/p' "$dir/text")" 0.001 1000
"$tiptop" -b --format csv -o "$dir/csv" -d 0.1 --children -- sh -c '"$0" exit=7; exit 3' "$work" 2>"$err"
is "how: in CSV, behind the columns" "$(head -n 1 "$dir/csv" | grep -o ',exit,lived_s,quality$')" ',exit,lived_s,quality'
is "how: the command, there" "$(awk -F, '{ end = $(NF - 2) } $6 == "sh" && end == 3 { last = end } END { print last }' "$dir/csv")" 3
"$tiptop" -b --format csv -o "$dir/csv" -d 0.1 -- "$work" 2>"$err"
is "how: without --children not" "$(head -n 1 "$dir/csv" | grep -c lived_s)" 0

"$tiptop" -b -o "$out" -S software -d 0.1 -- sh -c "$quick" "$work" 2>"$err"
is "without the option: the command alone" "$(grep -v '^#' "$out" | grep -c 'quick\|slow\|seen one by one')" 0
"$tiptop" -b -o "$out" -S software -d 0.1 --children -- sh -c '"$0" spin=300; true' "$work" 2>"$err"
within "a shell's child in text: its %CPU" "$(awk '$NF == "work" { if ($2 + 0 > most) most = $2 + 0 } END { print most }' "$out")" 0.1 110

finish
