#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Case study B: the library calls and locks of a web server. As in the LiMiT paper: how much of its time is in functions of
# the C library (figure 7), in which ones (figures 8 and 9), and how much of its CPU time is in the kernel. No hardware
# counter is read: nothing is said of cycles or caches.
# shellcheck source=lib.sh
. "${srcdir:?}/doc/studies/lib.sh"

need nginx ab jq strace
REQUESTS=20000
mkdir "$dir/logs" "$dir/www"
seq 5000 >"$dir/www/a.txt"

# configure: a server of one process, on a port of the loopback interface that is free.
configure() {
	port=$((20000 + $$ % 20000))
	until
		cat >"$dir/nginx.conf" <<-CONF
			daemon off; master_process off; pid $dir/pid; error_log $dir/logs/error;
			events { worker_connections 64; }
			http { access_log off; sendfile on; client_body_temp_path $dir/logs; proxy_temp_path $dir/logs;
				fastcgi_temp_path $dir/logs; uwsgi_temp_path $dir/logs; scgi_temp_path $dir/logs;
				keepalive_requests 1000000;
				server { listen 127.0.0.1:$port; root $dir/www; } }
		CONF
		nginx -p "$dir" -c "$dir/nginx.conf" -t 2>"$err"
	do
		port=$((port + 1))
		[ $port -lt 65000 ] || skip_all "nginx accepts no configuration: $(head -n 1 "$err")"
	done
}

is_up() {
	! kill -0 "$worker" 2>/dev/null || ab -q -n 1 "http://127.0.0.1:$port/a.txt" >"$dir/first" 2>&1
}

# serve NAME WORD...: the server, begun by these words, under the load. Sets $rate, in requests per second.
serve() {
	name=$1
	shift
	"$@" nginx -p "$dir" -c "$dir/nginx.conf" >"$out" 2>"$err" &
	worker=$!
	await is_up
	ab -q -k -n $REQUESTS -c 8 "http://127.0.0.1:$port/a.txt" >"$dir/ab" 2>&1
	rate=$(sed -n 's/^Requests per second: *\([0-9.]*\).*/\1/p' "$dir/ab")
	kill -QUIT "$(cat "$dir/pid")"
	wait "$worker"
	is "$name: the server ends well, after all requests" \
		"$? $(sed -n 's/^Complete requests: *//p; s/^Failed requests: */failed /p' "$dir/ab" | tr '\n' ' ')" "0 $REQUESTS failed 0 "
	worker=''
	printf '%s\t%s\n' "$name" "$rate" >>"$dir/rates"
}

configure
say_machine "$(nginx -v 2>&1 | sed 's/.*: //')"
for run in $runs; do
	serve "without tiptop"
	report=$dir/calls-$run.json
	serve "tiptop calls" "$tiptop" calls --format json -o "$report" --
	keep "$report"
	# Time in epoll_wait() is that without a request.
	jq -s '{process: map(select(.type == "calls"))[0], part: map(select(.type == "part")), group: map(select(.type == "group")),
		call: map(select(.type == "call"))} | .waiting = (.call | map(select(.name == "epoll_wait").self) | add)
		| .busy = .process.time - .waiting' "$report" >"$dir/calls"
	is "run $run: program and functions add up to the time" \
		"$(jq '(.call | length) as $n | (.part + .call | map(select(.type == "call" or .name == "program").self) | add) as $sum |
			$sum - .process.time | fabs < $n + 8' "$dir/calls")" true
	jq -r '.busy as $busy | .waiting as $waiting | (.part[] | select(.name == "program") | "program\t\(100 * .self / $busy)"),
		(.group[] | "\(.name)\t\(100 * (.self - (if .name == "io" then $waiting else 0 end)) / $busy)")' "$dir/calls" >"$dir/shares"
	within "run $run: shares of the time" "$(awk -F '\t' '{ n += $2 } END { print n }' "$dir/shares")" 99.99 100.01
	cat "$dir/shares" >>"$dir/groups"
	jq -r '.busy as $busy | .call | map(select(.name != "epoll_wait")) | sort_by(-.self)[:8][] |
		"\(.name)\t\(.calls)\t\(.self / .calls)\t\(100 * .self / $busy)"' "$dir/calls" >>"$dir/functions"
	sends=$(jq '.call | map(select(.name | test("^sendfile"))) | map(.calls) | add' "$dir/calls")
	within "run $run: a file is sent for each request" "$sends" $((REQUESTS + 1)) $((REQUESTS + 20))

	serve "tiptop locks" "$tiptop" locks --format json -o "$dir/locks-$run.json" --
	keep "$dir/locks-$run.json"
	jq -r 'select(.type == "locks") | "acquisitions per request\t\(.dynamic / '$REQUESTS')", "locks\t\(.static)",
		"% of the time waiting for locks\t\(100 * (.waiting - .waiting_idle) / .time)",
		"% of the time holding locks\t\(100 * .holding / .time)"' "$dir/locks-$run.json" >>"$dir/locks"

	serve "tiptop follow" "$tiptop" follow --format csv -o "$dir/follow-$run.csv" --
	keep "$dir/follow-$run.csv"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["event"] == "exit" { print $at["cpu-us"], $at["user-us"], $at["system-us"] }' "$dir/follow-$run.csv" >"$dir/cpu"
	read -r cpu user system <"$dir/cpu"
	within "run $run: user and kernel add up to the CPU time, but for two ticks" "$((user + system))" $((cpu - 20000)) $((cpu + 20000))
	printf 'user\t%s\nkernel\t%s\n' "$(calc "100 * $user / ($user + $system)")" "$(calc "100 * $system / ($user + $system)")" >>"$dir/modes"
done

# --- another tool counts the same ---
serve strace strace -f -qq -e trace=sendfile,writev,recvfrom -o "$dir/strace"
for call in sendfile writev; do
	calls=$(jq --arg call $call '.call | map(select(.name == $call or .name == $call + "64")) | map(.calls) | add' "$dir/calls")
	# A call that has sent a part is repeated.
	within "strace and tiptop: $call" "$(grep -c "$call(" "$dir/strace")" $((calls - 20)) $((calls + 20))
	say "$call: $calls by tiptop, $(grep -c "$call(" "$dir/strace") by strace in another run"
done

say ""
say_spread "requests per second" <"$dir/rates"
say ""
say_spread "figure 7: % of the time without epoll_wait()" <"$dir/groups"
say ""
say_spread "figure 7: % of the CPU time" <"$dir/modes"
for column in 2:calls 3:ns 4:%; do
	say ""
	cut -f 1,${column%%:*} "$dir/functions" | say_spread "figures 8 and 9: functions, ${column##*:}"
done
say ""
say_spread "locks" <"$dir/locks"

# --- a picture: the server over time ---
if command -v gnuplot >"$out"; then
	serve "tiptop --record" "$tiptop" -b -d 0.25 -S software --record "$dir/nginx.db" --
	"$tiptop" plot "$dir/nginx.db" -S software -c cpu,sys --rows 1 --size 900x560 -o "$dir/nginx-cpu.svg" >"$out" 2>"$err"
	ok "a picture of the CPU time" $?
	keep "$dir/nginx.db" "$dir/nginx-cpu.svg"
else
	skip "a picture of the CPU time" "gnuplot is not installed"
fi
finish
