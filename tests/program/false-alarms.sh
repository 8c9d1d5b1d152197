#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Known programs get no wrong verdict: the first verdict of each is one of those in allowed-verdicts, which were written down
# before any of the programs was run. Programs that are not installed are skipped.
. "$(dirname "$0")/lib.sh"

allowed=${srcdir:?}/tests/program/allowed-verdicts

# told PID: the names of the verdicts in the second refresh, the first one first.
told() {
	"$tiptop" --explain-verdict -i -p "$1" -d 1 -n 2 >"$out" 2>"$err"
	awk -v pid="$1" '/^[A-Z][a-z][a-z] [A-Z][a-z][a-z] / { n++; shown = 0 }
		/^[0-9]+ / { shown = n == 2 && $1 == pid }
		shown && $1 == "rule" { sub(/:$/, "", $2); printf "%s ", $2 }' "$out"
}

# words: of verdicts, whose names are on standard input, a line each.
words() {
	while read -r name; do
		sed -n "s/.*<verdict name=\"$name\" word=\"\([^\"]*\)\".*/\1/p" "$srcdir/config/verdicts.xml"
	done
}

# judged NAME PID: its verdicts are allowed. Ends it.
judged() {
	rules=$(told "$2")
	word=$(echo "${rules%% *}" | words)
	[ -n "$word" ] && grep "^$1: " "$allowed" | cut -d : -f 2 | tr ' ' '\n' | words | grep -qx -- "$word"
	ok "$1: ${word:-nothing} (${rules% })" $?
	kill "$2" 2>/dev/null
	wait "$2" 2>/dev/null
	worker=
}

have() {
	command -v "$1" >/dev/null || {
		skip "$2" "$1 is not installed"
		return 1
	}
}

cc1=$(gcc -print-prog-name=cc1 2>/dev/null)
if [ -x "${cc1:-}" ]; then
	awk 'BEGIN { for (i = 0; i < 60000; i++)
		printf "int f%d(int a, int *p) { for (int i = 0; i < a; i++) p[i] = p[a - i] * %d + (a >> 3); return p[0]; }\n", i, i }' \
		>"$dir/big.c"
	"$cc1" -quiet -O2 "$dir/big.c" -o /dev/null 2>/dev/null &
	worker=$!
	judged compiler $worker
else
	skip compiler "gcc is not installed"
fi

awk 'BEGIN { for (i = 0; i < 4000000; i++) print i * 7919 % 104729, i }' >"$dir/numbers"
if have xz compressor; then
	xz -T1 -9 -c "$dir/numbers" >/dev/null &
	worker=$!
	judged compressor $worker
fi

if have sqlite3 sqlite; then
	echo 'CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000)
		INSERT INTO t SELECT i, hex(i * 7919) FROM n;' >"$dir/sql"
	sqlite3 "$dir/db" <"$dir/sql" >/dev/null 2>&1 &
	worker=$!
	judged sqlite $worker
fi

# Not a script that starts another one.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$python" ]; then
	"$python" -c 'd = {}
for i in range(10**9): d[i % 1000] = d.get(i % 1000, 0) + i' &
	worker=$!
	judged python $worker
else
	skip python "python3 is not installed"
fi

if have make make; then
	{
		echo 'all: $(shell seq 1 2000)'
		printf '%%:\n\t@sleep 0.05; seq 1 1000 >/dev/null\n'
	} >"$dir/Makefile"
	make -s -j2 -f "$dir/Makefile" all >/dev/null 2>&1 &
	worker=$!
	judged make $worker
fi

if have tar tar; then
	mkfifo "$dir/archive"
	cat "$dir/archive" >/dev/null &
	reader=$!
	tar cf - /usr 2>/dev/null >"$dir/archive" &
	worker="$! $reader"
	judged tar $!
	kill $reader 2>/dev/null
	wait $reader 2>/dev/null
fi

mkfifo "$dir/commands"
sh <"$dir/commands" &
worker=$!
exec 5>"$dir/commands"
judged shell $worker
exec 5>&-

# --- servers, whose clients are on this machine ---

# A port that is free, as far as one can know.
port=$((20000 + $$ % 20000))

# under_load NAME PID CLIENT...: judges the server while the client asks it. Ends both.
under_load() {
	load_name=$1 server=$2
	shift 2
	"$@" >"$dir/served" 2>"$err" &
	client=$!
	worker="$server $client"
	await grep -q . "$dir/served"
	judged "$load_name" "$server"
	kill $client 2>/dev/null
	wait $client 2>/dev/null
}

answers() {
	redis-cli -p $port ping 2>/dev/null | grep -q PONG
}
if have redis-server redis && have redis-benchmark redis; then
	redis-server --bind 127.0.0.1 --port $port --save '' --dir "$dir" --daemonize no >"$dir/redis.log" 2>&1 &
	worker=$!
	await answers
	under_load redis $worker redis-benchmark -h 127.0.0.1 -p $port -t get,set -l
fi

accepts() {
	timeout 1 "${builddir:?}/tests/program/visitor" $port 2>/dev/null | grep -q served
}
# Debian has it in sbin, which users do not have in their path.
PATH=$PATH:/usr/sbin
if have nginx nginx; then
	cat >"$dir/nginx.conf" <<-EOF
		daemon off;
		master_process off;
		pid $dir/nginx.pid;
		error_log $dir/nginx.log;
		events { }
		http {
			access_log off;
			client_body_temp_path $dir/nginx-body;
			proxy_temp_path $dir/nginx-proxy;
			fastcgi_temp_path $dir/nginx-fastcgi;
			uwsgi_temp_path $dir/nginx-uwsgi;
			scgi_temp_path $dir/nginx-scgi;
			keepalive_requests 1000000000;
			server {
				listen 127.0.0.1:$port;
				location / { return 200 "hello"; }
			}
		}
	EOF
	nginx -p "$dir" -c "$dir/nginx.conf" 2>"$err" &
	worker=$!
	await accepts
	under_load nginx $worker "$builddir/tests/program/visitor" $port
fi

# --- an encoder, one of those that there are ---

# A picture that is none of nature's, but no plain area either.
picture() {
	LC_ALL=C awk -v n="$1" 'BEGIN { printf "P6\n%d %d\n255\n", n, n
		for (i = 0; i < n * n; i++)
			printf "%c%c%c", 1 + (i * 7919 + i * i % 251) % 251, 1 + i % 199, 1 + i / n % 241 }' >"$dir/picture.ppm"
}
if command -v ffmpeg >/dev/null; then
	ffmpeg -nostdin -loglevel error -f lavfi -i testsrc=size=1280x720:rate=30 -c:v mpeg4 -f null - >/dev/null 2>&1 &
	worker=$!
	judged encoder $worker
elif command -v cwebp >/dev/null; then
	picture 2200
	cwebp -quiet -lossless -z 9 "$dir/picture.ppm" -o "$dir/picture.webp" 2>/dev/null &
	worker=$!
	judged encoder $worker
else
	skip encoder "neither ffmpeg nor cwebp is installed"
fi

finish
