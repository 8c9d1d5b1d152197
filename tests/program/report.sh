#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop report: the data of its page agree with tiptop what; what is refused; made-up names. tests/browser/run.sh looks at
# the page in a browser.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

scene=$builddir/tests/tasks/scene
[ -x "$scene" ] || skip_all "tiptop was built without SQLite"
command -v jq >/dev/null || skip_all "jq is not installed"

# report NAME STATUS WORD...
report() {
	report_name=$1 report_status=$2
	shift 2
	"$tiptop" report "$@" >"$out" 2>"$err" </dev/null
	is "$report_name: status" $? "$report_status"
}
refuses() {
	refused=$1 wanted=$2 pattern=$3
	shift 3
	report "$refused" "$wanted" "$@"
	matches "$refused: a sentence" "$(tail -n 1 "$err")" "$pattern"
}
# data PAGE: prints the JSON of a page.
data() {
	sed -n 's/.*<script type="application\/json" class="data">\(.*\)<\/script>$/\1/p' "$1"
}
# of FILTER PAGE: what jq finds in it.
of() {
	data "$2" | jq -c "$1"
}

"$scene" "$dir/a.db" || exit 1
report "a recording" 0 "$dir/a.db" -o "$dir/a.html"
is "one element of data, one script" "$(grep -c '<script' "$dir/a.html") $(grep -c '</script>' "$dir/a.html")" "2 2"
"$tiptop" what "$dir/a.db" --format json >"$dir/what"
for what in .cpu_s .measured_s .intervals; do
	is "as what tells: $what" "$(of "$what" "$dir/a.html")" "$(jq -c "$what" "$dir/what")"
done
is "programs, too" "$(of '[.programs[] | [.name, (.cpu * 1000 | round)]]' "$dir/a.html")" \
	"$(jq -c '[.programs[] | select(.cpu_s > 0) | [.program, (.cpu_s * 1000 | round)]]' "$dir/what")"
is "and verdicts" "$(of '[.programs[] | .v[] | .s | add] | add | . * 10 | round' "$dir/a.html")" \
	"$(jq '[.verdicts[].cpu_s] | add | . * 10 | round' "$dir/what")"
is "CPU time of buckets, programs, tasks and users is the same" \
	"$(of '[(.buckets.cpu | add), ([.programs[].s | add] | add), ([.tasks[].s | add] | add), ([.users[].s | add] | add)] |
		map(. * 10 | round) | unique | length' "$dir/a.html")" 1
is "unknown is null, and has a reason" "$(of '[.programs[] | select(.name == "sshd") | .m[-1], .why[-1] > 0]' "$dir/a.html")" \
	"[null,true]"
is "the machine" "$(of '.machine | [.host, .cpus, .kernel]' "$dir/a.html")" '["node1",4,"6.1.0"]'

# The policy allows the script and the style by their hashes.
hash_of() {
	python3 -c '
import base64, hashlib, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
text = re.search("<%s>(.*?)</%s>" % (sys.argv[2], sys.argv[2]), page, re.S).group(1)
print("sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())' "$dir/a.html" "$1"
}
if command -v python3 >/dev/null; then
	for part in script style; do
		is "the hash of the $part" "$(grep -o "$part-src '[^']*'" "$dir/a.html")" "$part-src '$(hash_of $part)'"
	done
else
	skip "the hashes" "python3 is not installed"
fi

# Samples that are joined: the same times and peaks in fewer intervals, which end at multiples of 10 s on the clock.
report "steps" 0 "$dir/a.db" -o "$dir/steps.html" --step 10
for what in .cpu_s .measured_s .n_tasks .n_ended '[.tasks[] | [.id, (.cpu * 1e6 | round)]]'; do
	is "as of each sample: $what" "$(of "$what" "$dir/steps.html")" "$(of "$what" "$dir/a.html")"
done
for lanes in programs tasks; do
	what="[.${lanes}[] | [.name, .id, (.hi[0] // .m[0] | max)]]"
	is "the peaks of %CPU of $lanes, too" "$(of "$what" "$dir/steps.html")" "$(of "$what" "$dir/a.html")"
done
is "intervals" "$(of '[.step_s, .intervals]' "$dir/a.html") $(of '[.step_s, .intervals]' "$dir/steps.html")" "[0,29] [10,7]"
matches "the page says so" "$(of .unknown "$dir/steps.html")" '.*verdicts, IPC, phases and names of programs are of whole intervals of up to 10 s or one sample: .*'

report "a part" 0 "$dir/a.db,pid=810" -o "$dir/part.html" --from +10 --to +20
is "has this task alone" "$(of '[.tasks[].name]' "$dir/part.html")" '["render"]'
report "another screen" 0 "$dir/a.db" -o "$dir/part.html" -S software
is "its columns" "$(of '.screen' "$dir/part.html")" '"software"'
report "made-up names" 0 "$dir/a.db" -o "$dir/anonymous.html" --anonymize
is "no user, host, argument, path" "$(grep -c 'alice\|node1\|roads.bin\|/srv/db\|a\.db' "$dir/anonymous.html")" 0
is "users are made up" "$(of '[.users[].name] | sort' "$dir/anonymous.html")" '["user1","user2","user3"]'
is "with the same numbers" "$(of '[.tasks[].cpu]' "$dir/anonymous.html")" "$(of '[.tasks[].cpu]' "$dir/a.html")"

report "two recordings" 0 "$dir/a.db,to=+30" from=+30 -o "$dir/two.html" --anonymize
is "two recordings: each has its data" "$(of .intervals "$dir/two.html" | tr '\n' ' ')" "15 14 "
is "two recordings of one machine: one name" "$(of .machine.host "$dir/two.html" | tr '\n' ' ')" '"host1" "host1" '
refuses "no second recording" 1 'tiptop: cannot read the recording .*' "$dir/a.db" "$dir/none.db" -o "$dir/b.html"

refuses "no recording" 2 'tiptop: report: a recording is missing: .*tiptop report FILE -o PAGE.html.*' -o "$dir/b.html"
refuses "a recording twice" 2 "tiptop: report: '.*' is given twice" "$dir/a.db" "$dir/a.db" -o "$dir/b.html"
refuses "no page" 2 'tiptop: report: -o is missing: the page to write' "$dir/a.db"
refuses "no such task" 1 '.* has no interval of such tasks: .*' "$dir/a.db" -p nosuch -o "$dir/b.html"
echo text >"$dir/text"
refuses "no database" 1 '.*: it is not a recording' "$dir/text" -o "$dir/b.html"
refuses "no such folder" 1 'tiptop: cannot write .*' "$dir/a.db" -o "$dir/nosuch/b.html"
is "nothing was written" "$(ls "$dir/b.html" 2>/dev/null)" ''
finish
