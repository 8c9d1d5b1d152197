#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Case study E: the same as study B for Apache httpd, the web server of the LiMiT paper, with the event MPM: a thread that waits
# for connections hands them to a pool of threads.
# shellcheck source=lib.sh
. "${srcdir:?}/doc/studies/lib.sh"
# shellcheck source=web.sh
. "$srcdir/doc/studies/web.sh"

need apache2 ab jq strace
modules=${APACHE_MODULES:-/usr/lib/apache2/modules}
[ -r "$modules/mod_mpm_event.so" ] || skip_all "$modules has no mod_mpm_event.so"
web_prepare
while grep -qi ":$(printf %04x $port) " /proc/net/tcp; do
	port=$((port + 1))
done
# Connections are kept while there are more threads than connections.
cat >"$dir/httpd.conf" <<-CONF
	ServerRoot $dir
	LoadModule mpm_event_module $modules/mod_mpm_event.so
	LoadModule authz_core_module $modules/mod_authz_core.so
	Listen 127.0.0.1:$port
	ServerName localhost
	PidFile $dir/pid
	ErrorLog $dir/logs/error
	DocumentRoot $dir/www
	ServerLimit 1
	StartServers 1
	ThreadsPerChild 16
	MaxRequestWorkers 16
	MaxKeepAliveRequests 0
	KeepAliveTimeout 60
	User www-data
	Group www-data
CONF
chmod -R a+rX "$dir"
server="apache2 -X -f $dir/httpd.conf" stop=TERM
waits='^(epoll_wait|pthread_cond_wait|sigwait|select)$'

say_machine "$(apache2 -v | sed -n 's/^Server version: //p')"
for run in $runs; do
	web_serve "without tiptop"
	report=$dir/calls-$run.json
	web_serve "tiptop calls" "$tiptop" calls --format json -o "$report" --
	keep "$report"
	web_calls "$report" "$waits"
	sends=$(jq '.call | map(select(.name == "writev")) | map(.calls) | add' "$dir/calls")
	within "run $run: a file is written for each request" "$sends" $((REQUESTS + 1)) $((REQUESTS + 20))

	web_serve "tiptop locks" "$tiptop" locks --format json -o "$dir/locks-$run.json" --
	keep "$dir/locks-$run.json"
	web_locks "$dir/locks-$run.json"
	is "run $run: the queue of connections is the lock with most waits" \
		"$(jq -s '[.[] | select(.type == "lock" and .kind == "mutex")] | group_by(.address) | max_by(map(.contended) | add) |
			any(.caller | contains("ap_queue_p"))' "$dir/locks-$run.json")" true

	web_serve "tiptop follow" "$tiptop" follow --format csv -o "$dir/follow-$run.csv" --
	keep "$dir/follow-$run.csv"
	web_modes "$dir/follow-$run.csv" 19
done

# --- another tool counts the same ---
web_serve strace strace -f -qq -e trace=writev -o "$dir/strace"
calls=$(jq '.call | map(select(.name == "writev")) | map(.calls) | add' "$dir/calls")
# A call that has written a part is repeated, and one that another thread interrupts has two lines.
within "strace and tiptop: writev" "$(grep -c 'writev(' "$dir/strace")" $((calls - 20)) $((calls + 20))
say "writev: $calls by tiptop, $(grep -c 'writev(' "$dir/strace") by strace in another run"

web_say "waits for connections"
web_picture apache
finish
