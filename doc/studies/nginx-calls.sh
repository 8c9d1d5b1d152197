#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Case study B: the library calls and locks of a web server. As in the LiMiT paper: how much of its time is in functions of
# the C library (figure 7), in which ones (figures 8 and 9), and how much of its CPU time is in the kernel. No hardware
# counter is read: nothing is said of cycles or caches.
# shellcheck source=lib.sh
. "${srcdir:?}/doc/studies/lib.sh"
# shellcheck source=web.sh
. "$srcdir/doc/studies/web.sh"

need nginx ab jq strace
web_prepare

# configure: a server of one process, on a port of the loopback interface that is free.
configure() {
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

server="nginx -p $dir -c $dir/nginx.conf" stop=QUIT
configure
say_machine "$(nginx -v 2>&1 | sed 's/.*: //')"
for run in $runs; do
	web_serve "without tiptop"
	report=$dir/calls-$run.json
	web_serve "tiptop calls" "$tiptop" calls --format json -o "$report" --
	keep "$report"
	# Time in epoll_wait() is that without a request.
	web_calls "$report" '^epoll_wait$'
	sends=$(jq '.call | map(select(.name | test("^sendfile"))) | map(.calls) | add' "$dir/calls")
	within "run $run: a file is sent for each request" "$sends" $((REQUESTS + 1)) $((REQUESTS + 20))

	web_serve "tiptop locks" "$tiptop" locks --format json -o "$dir/locks-$run.json" --
	keep "$dir/locks-$run.json"
	web_locks "$dir/locks-$run.json"

	web_serve "tiptop follow" "$tiptop" follow --format csv -o "$dir/follow-$run.csv" --
	keep "$dir/follow-$run.csv"
	web_modes "$dir/follow-$run.csv" 1
done

# --- another tool counts the same ---
web_serve strace strace -f -qq -e trace=sendfile,writev,recvfrom -o "$dir/strace"
for call in sendfile writev; do
	calls=$(jq --arg call $call '.call | map(select(.name == $call or .name == $call + "64")) | map(.calls) | add' "$dir/calls")
	# A call that has sent a part is repeated.
	within "strace and tiptop: $call" "$(grep -c "$call(" "$dir/strace")" $((calls - 20)) $((calls + 20))
	say "$call: $calls by tiptop, $(grep -c "$call(" "$dir/strace") by strace in another run"
done

web_say "epoll_wait()"
web_picture nginx
finish
