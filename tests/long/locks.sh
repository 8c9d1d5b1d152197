#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A real server with many locks under load: mariadbd with four clients. A second object, which counts only acquisitions, is
# preloaded between that of tiptop and the C library: both must count the same. The clients get the same results as without
# tiptop. All traffic goes through a socket in a folder of this test.
# shellcheck source=../program/lib.sh
. "$(dirname "$0")/../program/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
for program in mariadbd mariadb mariadb-admin mariadb-install-db; do
	command -v $program >"$out" || skip_all "$program is not here: install mariadb-server (Debian, Fedora) or mariadb (Arch)"
done
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"

cat >"$dir/counter.c" <<'CODE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PLACES (1u << 20)
static struct {
	_Atomic(pthread_mutex_t *) lock;
	atomic_ulong n;
} place[PLACES];

static int count(pthread_mutex_t *lock, int ret)
{
	uint32_t i = (uint32_t)(((uintptr_t)lock >> 3) * 0x9e3779b97f4a7c15 >> 44);

	for (; !ret; i = (i + 1) % PLACES) {
		pthread_mutex_t *there = NULL;

		if (atomic_compare_exchange_strong(&place[i].lock, &there, lock) || there == lock) {
			place[i].n++;
			break;
		}
	}
	return ret;
}

#define COUNT(name, parameters, arguments) \
	int name parameters \
	{ \
		static __typeof__(&name) next; \
		if (!next) \
			next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
		return count(lock, next arguments); \
	}
COUNT(pthread_mutex_lock, (pthread_mutex_t *lock), (lock))
COUNT(pthread_mutex_trylock, (pthread_mutex_t *lock), (lock))
COUNT(pthread_mutex_timedlock, (pthread_mutex_t *lock, const struct timespec *until), (lock, until))
COUNT(pthread_mutex_clocklock, (pthread_mutex_t *lock, clockid_t clock, const struct timespec *until), (lock, clock, until))

__attribute__((destructor)) static void end(void)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s.%d", getenv("COUNTS"), (int)getpid());
	f = fopen(path, "w");
	for (unsigned i = 0; f && i < PLACES; i++)
		if (place[i].lock)
			fprintf(f, "%p %lu\n", (void *)place[i].lock, place[i].n);
	if (f)
		fclose(f);
}
CODE
${CC:-cc} -O2 -shared -fPIC -pthread -o "$dir/counter.so" "$dir/counter.c" -ldl 2>"$err" || skip_all "there is no compiler"

sql() {
	mariadb --no-defaults -u root -S "$dir/socket" -N "$@"
}

client() {
	for n in $(seq 300); do
		echo "insert into t.a (who, n) values ($1, $n); update t.sum set v = v + $n; select count(*), sum(n) from t.a where who = $1;"
	done | sql
}

# load FOLDER: what each client got, and what is in the tables then; ends the server.
load() {
	mkdir "$1"
	sql -e "create database t; create table t.sum (v int); insert into t.sum values (0);
		create table t.a (id int primary key auto_increment, who int, n int)" || return
	for who in 1 2 3 4; do
		client $who >"$1/$who" &
		clients="${clients-} $!"
	done
	# shellcheck disable=SC2086 # words
	wait $clients
	sql -e "select who, count(*), sum(n) from t.a group by who order by who; select * from t.sum" >"$1/tables"
	sql -e "drop database t"
	mariadb-admin --no-defaults -u root -S "$dir/socket" shutdown
}

# serve FOLDER [WORD...]: the server, begun by these words, under that load.
serve() {
	folder=$1
	shift
	clients=''
	"$@" mariadbd --no-defaults --user="$(id -un)" --datadir="$dir/data" --socket="$dir/socket" --skip-networking \
		--pid-file="$dir/pid" >"$out" 2>"$err" &
	worker=$!
	for _ in $(seq 600); do
		[ ! -S "$dir/socket" ] && kill -0 $worker 2>/dev/null || break
		sleep 0.2
	done
	load "$folder"
	wait $worker
	is "${folder##*/}: the server ends well" $? 0
	worker=''
}

mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$dir/data" --auth-root-authentication-method=normal >"$out" 2>&1 ||
	skip_all "mariadb-install-db makes no database"
serve "$dir/without"
serve "$dir/measured" env LD_PRELOAD="$dir/counter.so" COUNTS="$dir/counts" "$tiptop" locks --format csv -o "$dir/report" --
is "the sum of what the clients wrote" "$(tail -n 1 "$dir/measured/tables")" 180600
is "what they got is the same" "$(diff -r "$dir/without" "$dir/measured")" ""

# Names have commas: the columns are counted from the address on.
sed -n 's/.*,\(0x[0-9a-f]*\),[0-9]*,1,mutex,\("[^"]*"\|[^,]*\),\([0-9]*\),.*/\1 \3/p' "$dir/report" |
	awk '{ n[$1] += $2 } END { for (a in n) print a, n[a] }' | sort >"$dir/seen"
pid=$(sed -n '2s/,.*//p' "$dir/report")
sort -k 2nr "$dir/counts.$pid" | head -n 20 | sort >"$dir/hottest"
is "there are 20 that are hot" "$(grep -c . "$dir/hottest")" 20
is "their acquisitions" "$(join "$dir/hottest" "$dir/seen")" "$(awk '{ print $1, $2, $2 }' "$dir/hottest")"
echo "# $(awk '{ n += $2 } END { print n }' "$dir/counts.$pid") acquisitions of $(grep -c . "$dir/counts.$pid") mutexes;" \
	"$(join "$dir/seen" "$dir/counts.$pid" 2>/dev/null | awk '$2 != $3' | grep -c .) differ"
finish
