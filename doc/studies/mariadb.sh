# shellcheck shell=sh disable=SC2034,SC2154 # used by the scripts that read it; from lib.sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the studies of MariaDB: a server with its data in a folder of the study, and mariadb-slap with eight clients.

QUERIES=20000

# mariadb_prepare: makes the database.
mariadb_prepare() {
	need mariadbd mariadb mariadb-admin mariadb-install-db mariadb-slap jq
	mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$dir/data" --auth-root-authentication-method=normal \
		--skip-test-db >"$out" 2>&1 || skip_all "mariadb-install-db makes no database"
}

mariadb_sql() {
	mariadb --no-defaults -u root -S "$dir/socket" -N "$@"
}

# mariadb_run OPTION WORD...: the server with an option, begun by these words, under the load. Sets $load_s, and
# $fsyncs, how often the server has forced its files to the disk, as it counts itself.
mariadb_run() {
	option=$1
	shift
	"$@" mariadbd --no-defaults --user="$(id -un)" --datadir="$dir/data" --socket="$dir/socket" --skip-networking \
		--pid-file="$dir/pid" --innodb-buffer-pool-size=64M "$option" >"$out" 2>"$err" &
	worker=$!
	await mariadb_is_up
	begin=$(seconds)
	mariadb-slap --no-defaults -u root -S "$dir/socket" --engine=innodb -c 8 --number-of-queries=$QUERIES -a \
		--auto-generate-sql-load-type=mixed --auto-generate-sql-add-autoincrement >"$dir/slap" 2>&1
	slap=$?
	load_s=$(calc "$(seconds) - $begin")
	fsyncs=$(mariadb_sql -e "show global status like 'Innodb_data_fsyncs'" | cut -f 2)
	mariadb-admin --no-defaults -u root -S "$dir/socket" shutdown 2>>"$err"
	wait $worker
	is "${*:+measured: }the load and the server end well" "$slap $?" "0 0"
	worker=''
}

mariadb_is_up() {
	! kill -0 "$worker" 2>/dev/null || mariadb-admin --no-defaults -u root -S "$dir/socket" ping >"$dir/pong" 2>&1
}
