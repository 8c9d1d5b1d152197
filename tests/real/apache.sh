# shellcheck shell=sh disable=SC2154 # $mpm is set by the program that reads this file
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the programs apache-*: Apache with the MPM $mpm. Root's workers run as another user. ab(1) uses a port of the
# loopback interface that is free at the start.
modules=$(ls -d /usr/lib/apache2/modules /usr/lib64/httpd/modules /usr/lib/httpd/modules 2>/dev/null | head -n 1)
case $1 in
prepare)
	[ -r "$modules/mod_mpm_$mpm.so" ] || { echo "the MPM $mpm is missing" && exit 77; }
	mkdir www
	seq 5000 >www/a.txt
	chmod 755 .
	;;
run)
	port=$((20000 + $$ % 20000))
	while
		cat >conf <<-CONF
			ServerRoot $PWD
			ServerName localhost
			Listen 127.0.0.1:$port
			PidFile $PWD/pid
			ErrorLog $PWD/error
			DefaultRuntimeDir $PWD
			LoadModule mpm_${mpm}_module $modules/mod_mpm_$mpm.so
			LoadModule authz_core_module $modules/mod_authz_core.so
			DocumentRoot $PWD/www
			StartServers 2
			$([ "$(id -u)" != 0 ] || printf "User %s\nGroup %s\n" "nobody" "$(id -gn nobody)")
		CONF
		setsid apache2 -f "$PWD/conf" -D FOREGROUND 2>err &
		server=$!
		until [ -s pid ] && ab -q -n 1 "http://127.0.0.1:$port/a.txt" >first 2>&1 || ! kill -0 $server 2>dead; do sleep 0.02; done
		[ -s dead ]
	do port=$((port + 1)); done
	ab -q -k -n 2000 -c 8 "http://127.0.0.1:$port/a.txt" 2>ab.err >ab.out
	grep 'Complete requests\|Failed requests\|HTML transferred' ab.out
	kill -WINCH $server
	wait $server
	echo "the server ended with $?"
	;;
esac
