#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop locks --live: rows of locks, their groups, and the end of the command.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
cat >"$dir/victim.c" <<'EOF'
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

int main(int argc, char **argv)
{
	(void)argc;
	while (access(argv[1], F_OK)) {
		pthread_mutex_lock(&busy);
		pthread_mutex_unlock(&busy);
		usleep(1000);
	}
	return 3;
}
EOF
gcc -std=gnu11 -D_DEFAULT_SOURCE -pthread "$dir/victim.c" -o "$dir/victim" || skip_all "there is no compiler"
sed "s,'$prog' -d 0.5,'$prog' locks --live -d 0.5," "$dir/run" >"$dir/run-locks"
echo "-- $dir/victim $dir/stop" >"$dir/options"
begin run-locks
await "the screen is that of locks" shows '^ *[0-9]* locks'
await "a lock has a row" shows 'mutex.*victim *busy'
press g
await "g puts them together by name and program" shows '^ LOCK .*MEMBERS'
press g
await "and takes them apart again" shows 'mutex.*victim *busy'
touch "$dir/stop"
await "the end of the command is said" shows '^the command has ended with status 3'
check "its final row stays" shows 'mutex.*victim *busy'
press q
check_restored "q"
echo "1..$count"
exit $failed
