# shellcheck shell=sh disable=SC2034,SC2154 # used by, and of, the scripts that read it
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The load of the two web servers, and what their studies print. The script sets $server, the words that start it, and $stop, the
# signal that ends it.
REQUESTS=20000

web_prepare() {
	mkdir "$dir/logs" "$dir/www"
	seq 5000 >"$dir/www/a.txt"
	port=$((20000 + $$ % 20000))
}

web_is_up() {
	! kill -0 "$worker" 2>/dev/null || ab -q -n 1 "http://127.0.0.1:$port/a.txt" >"$dir/first" 2>&1
}

# web_serve NAME WORD...: the server, begun by these words, under the load.
web_serve() {
	name=$1
	shift
	# shellcheck disable=SC2086 # words
	"$@" $server >"$out" 2>"$err" &
	worker=$!
	await web_is_up
	ab -q -k -n $REQUESTS -c 8 "http://127.0.0.1:$port/a.txt" >"$dir/ab" 2>&1
	rate=$(sed -n 's/^Requests per second: *\([0-9.]*\).*/\1/p' "$dir/ab")
	kill -"$stop" "$(cat "$dir/pid")"
	wait "$worker"
	is "$name: the server ends well, after all requests" \
		"$? $(sed -n 's/^Complete requests: *//p; s/^Failed requests: */failed /p' "$dir/ab" | tr '\n' ' ')" "0 $REQUESTS failed 0 "
	worker=''
	printf '%s\t%s\n' "$name" "$rate" >>"$dir/rates"
}

# web_calls REPORT WAITS: shares of the time, without functions in which threads wait for a request: those that match WAITS.
web_calls() {
	jq -s --arg waits "$2" '{process: map(select(.type == "calls"))[0], part: map(select(.type == "part")),
		group: map(select(.type == "group")), call: map(select(.type == "call"))} |
		.waiting = (.call | map(select(.name | test($waits))) | map({(.group): .self}) | add) |
		.busy = .process.time - ([.waiting[]] | add)' "$1" >"$dir/calls"
	is "run $run: program and functions add up to the time" \
		"$(jq '(.call | length) as $n | (.part + .call | map(select(.type == "call" or .name == "program").self) | add) as $sum |
			$sum - .process.time | fabs < $n + 8' "$dir/calls")" true
	jq -r '.busy as $busy | .waiting as $waiting | (.part[] | select(.name == "program") | "program\t\(100 * .self / $busy)"),
		(.group[] | "\(.name)\t\(100 * (.self - ($waiting[.name] // 0)) / $busy)")' "$dir/calls" >"$dir/shares"
	within "run $run: shares of the time" "$(awk -F '\t' '{ n += $2 } END { print n }' "$dir/shares")" 99.99 100.01
	cat "$dir/shares" >>"$dir/groups"
	jq -r --arg waits "$2" '.busy as $busy | .call | map(select(.name | test($waits) | not)) | sort_by(-.self)[:8][] |
		"\(.name)\t\(.calls)\t\(.self / .calls)\t\(100 * .self / $busy)"' "$dir/calls" >>"$dir/functions"
}

# web_locks REPORT
web_locks() {
	jq -r 'select(.type == "locks") | "acquisitions per request\t\(.dynamic / '$REQUESTS')", "locks\t\(.static)",
		"% of the time waiting for locks\t\(100 * (.waiting - .waiting_idle) / .time)",
		"% of the time holding locks\t\(100 * .holding / .time)", (("running", "runnable", "blocked_lock", "blocked_work",
		"blocked_input", "unknown") as $state | "% of the time \($state)\t\(100 * .[$state] / .time)")' "$1" >>"$dir/locks"
}

# web_modes FILE TASKS: of tiptop follow. The kernel cuts both modes of each task to ticks.
web_modes() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["event"] == "exit" { print $at["cpu-us"], $at["user-us"], $at["system-us"] }' "$1" >"$dir/cpu"
	read -r cpu user system <"$dir/cpu"
	within "run $run: user and kernel add up to the CPU time, but for two ticks of each task" "$((user + system))" \
		$((cpu - 20000 * $2)) $((cpu + 20000 * $2))
	printf 'user\t%s\nkernel\t%s\n' "$(calc "100 * $user / ($user + $system)")" "$(calc "100 * $system / ($user + $system)")" >>"$dir/modes"
}

# web_say WAITS: all tables.
web_say() {
	say ""
	say_spread "requests per second" <"$dir/rates"
	say ""
	say_spread "figure 7: % of the time without $1" <"$dir/groups"
	say ""
	say_spread "figure 7: % of the CPU time" <"$dir/modes"
	for column in 2:calls 3:ns 4:%; do
		say ""
		cut -f 1,${column%%:*} "$dir/functions" | say_spread "figures 8 and 9: functions, ${column##*:}"
	done
	say ""
	say_spread "locks" <"$dir/locks"
}

# web_picture NAME: the server over time.
web_picture() {
	if ! command -v gnuplot >"$out"; then
		skip "a picture of the CPU time" "gnuplot is not installed"
		return
	fi
	web_serve "tiptop --record" "$tiptop" -b -d 0.25 -S software --record "$dir/$1.db" --
	"$tiptop" plot "$dir/$1.db" -S software -c cpu,sys --rows 1 --size 900x560 -o "$dir/$1-cpu.svg" >"$out" 2>"$err"
	ok "a picture of the CPU time" $?
	keep "$dir/$1.db" "$dir/$1-cpu.svg"
}
