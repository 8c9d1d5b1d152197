#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks and tiptop calls report what they could not measure: programs executed without the object, and processes that
# outlive the command, whose tables stay for --live until they have ended.
# shellcheck source=lib.sh disable=SC2086 # $as_other is several words
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
"$tiptop" -b -n 1 -e page-faults -- true >"$out" 2>"$err" || skip_all "the kernel's software events are refused"
printf '#include <unistd.h>\nint main(void) { sleep(60); return 0; }\n' >"$dir/static.c"
${CC:-cc} -static -o "$dir/static" "$dir/static.c" 2>"$err" || skip "a static program that goes on" "none can be linked here"

# A program that asks for the loader of musl, and gets that of glibc.
loader=$(readelf -lW "$tiptop" 2>"$err" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
ln -s "${loader:-none}" "$dir/ld-musl-x86_64.so.1"
echo 'int main(void) { return 5; }' >"$dir/musl.c"
has_musl=no
[ "$loader" ] && ${CC:-cc} -Wl,--dynamic-linker="$dir/ld-musl-x86_64.so.1" -o "$dir/musl" "$dir/musl.c" 2>"$err" && has_musl=yes

own_tables
as_other="setpriv --reuid 65534 --regid 65534 --clear-groups"

printf '#!%s\n' "$dir/musl" >"$dir/of-musl" && chmod 755 "$dir/of-musl"

# said: what tiptop has said, without the numbers of processes.
said() {
	sed 's/process [0-9]*)/process N)/g; s/--live [0-9]*/--live N/' "$err"
}
why='a program does not load it if it is linked statically, runs with other rights or mounts than yours, has a sanitizer that wants to come first'
why="$why (ASAN_OPTIONS=verify_asan_link_order=0 turns that off), or LD_PRELOAD was changed before it was executed"
why="$why: --follow-exec puts it back"

for what in locks calls; do
	if [ $has_musl = yes ]; then
		for program in musl of-musl; do
			PATH=$PATH:$dir "$tiptop" $what -o "$dir/report" -- $program >"$out" 2>"$err"
			is "$what: a $program that uses musl runs unmeasured" "$? $(sed 's/: --kernel.*//' "$err")" \
				"5 tiptop: $what: '$program' cannot be measured: it uses the C library musl, which would end it, as tiptop-$what.so needs glibc"
		done
	else
		skip "$what: musl" "no such program can be made"
	fi
	# lost NAME PROGRAM OPTION... -- COMMAND...: the program that is named.
	lost() {
		lost_name=$1 lost_program=$2
		shift 2
		"$tiptop" $what -o "$dir/report" "$@" >"$out" 2>"$err"
		is "$what: $lost_name" "$? $(said)" \
			"0 tiptop: $what: '$lost_program' (process N) did not load tiptop-$what.so, so it is not in this report: $why"
	}
	lost "an empty environment" date -- env -i date
	lost "a shell that unsets it" date -- sh -c 'unset LD_PRELOAD; exec date'
	lost "a shell that preloads something else" date -- sh -c 'export LD_PRELOAD=libdl.so.2; exec date'
	if unshare -rm true 2>"$err"; then
		lost "other mounts" sleep -- unshare -rm sh -c 'mount -t tmpfs none "$XDG_RUNTIME_DIR"; exec sleep 0'
	else
		skip "$what: other mounts" "there are no user namespaces"
	fi
	lost "a child" date --children -- sh -c 'env -i date; :'
	lost "between two that are measured" env --children -- sh -c 'env -i env LD_PRELOAD=$LD_PRELOAD $(env | grep TIPTOP_) date'
	"$tiptop" $what -o "$dir/report" -- sh -c 'env -i date; exec date' >"$out" 2>"$err"
	is "$what: a child that is not to be measured" "$? $(said)" "0 "
	"$tiptop" $what --children -o "$dir/report" -- sh -c 'date; (date; :); date & wait; exec date' >"$out" 2>"$err"
	is "$what: all are measured" "$? $(said)" "0 "
	"$tiptop" $what --children -o "$dir/report" -- sh -c 'unset LD_PRELOAD; for i in 1 2 3 4 5 6; do date; done' >"$out" 2>"$err"
	is "$what: some are named, all are counted" "$(grep -o "'date' (process" "$err" | wc -l) $(grep -c ' and 2 more did not load' "$err")" "4 1"

	# --- a program of another user ---
	if $as_other test -r "$builddir/tiptop-$what.so" 2>"$err"; then
		other="another user than that of tiptop cannot make tables: start tiptop as that user"
		chmod 711 "$XDG_RUNTIME_DIR"
		"$tiptop" $what -o "$dir/report" -- $as_other date >"$out" 2>"$err"
		is "$what: another user executes a program" "$? $(said)" "0 tiptop: $what: 'date' (process N) is not in this report: $other"
		"$tiptop" $what --children -o "$dir/report" -- sh -c "$as_other sh -c '(:); (:)'; env -i date; :" >"$out" 2>"$err"
		is "$what: which forks, beside one without the object" "$? $(said)" "0 tiptop: $what: 'sh' (process N), 'date' (process N)\
 did not load tiptop-$what.so, so they are not in this report: $why; 1 of them did, but measured nothing, as $other"
		chmod 700 "$XDG_RUNTIME_DIR"
	else
		skip "$what: a program of another user" "only root can execute one, where that user can read the object"
	fi

	# --- a table that could not be made ---
	# shellcheck disable=SC2016 # a program of the inner shell
	"$tiptop" $what --children --format csv -o "$dir/report" -- \
		sh -c '"$0" mutex; (ulimit -f 10; "$0" mutex; exit 0); exec "$0" mutex' "$builddir/tests/program/locker" >"$out" 2>"$err"
	# The shell that waits for it has a table of locks, too.
	is "$what: a program that may not write a file" "$? $(sed "s/'table[^']*'/T/; s/; 1 other table could not be read either$//" "$err")" \
		"0 tiptop: the table of $what T was not begun: the program may not write a file that large: raise its limit (ulimit -f)"
	is "$what: the programs before and after it are in the report" \
		"$(grep -cE '^([0-9]+,plain,.*,mutex,step_mutex[^,]*,1000,|[0-9]+,call,pthread_mutex_trylock,)' "$dir/report")" 2

	# --- what goes on ---
	"$tiptop" $what -o "$dir/report" -- sh -c 'sleep 60 >/dev/null 2>&1 & echo $!' >"$out" 2>"$err"
	worker=$(cat "$out")
	is "$what: a process that goes on" "$(said)" \
		"tiptop: $what: 1 process that 'sh' started still runs, and is not in this report: --children measures it, and 'tiptop $what --live' shows it then"
	kill "$worker"
	"$tiptop" $what --children -o "$dir/report" -- sh -c 'sleep 60 >/dev/null 2>&1 & echo $!' >"$out" 2>"$err"
	worker=$(cat "$out")
	is "$what: which is measured" "$(said)" \
		"tiptop: $what: 1 process that 'sh' started still runs, and the report has what was measured so far: 'tiptop $what --live N' shows what follows"
	is "$what: its pid is named" "$(sed -n 's/.*--live \([0-9]*\).*/\1/p' "$err")" "$worker"
	has_table() { ls "$XDG_RUNTIME_DIR"/tiptop-$what.*/table."$worker".* >/dev/null 2>&1; }
	await has_table
	ok "$what: its table stays" $?
	"$tiptop" $what -o "$dir/report" -- true >"$out" 2>"$err"
	has_table
	ok "$what: also when another tiptop starts" $?
	"$tiptop" $what --live -b -n 1 "$worker" >"$out" 2>"$err"
	is "$what: --live takes it" "$? $(grep -c "only pid $worker" "$out")" "0 1"
	kill "$worker"
	gone() { ! kill -0 "$worker" 2>/dev/null; }
	await gone
	worker=''
	if [ -x "$dir/static" ]; then
		"$tiptop" $what --children -o "$dir/report" -- sh -c '"$0" >/dev/null 2>&1 & echo $!
			until [ "$(readlink "/proc/$!/exe")" = "$0" ]; do sleep 0.02; done' "$dir/static" >"$out" 2>"$err"
		worker=$(cat "$out")
		is "$what: a static program that goes on" "$(said | tail -n 1)" \
			"tiptop: $what: 1 process that 'sh' started still runs, and is not in this report: linked statically, it cannot load tiptop-$what.so"
		kill "$worker"
		await gone
		worker=''
	fi
	"$tiptop" $what -o "$dir/report" -- true >"$out" 2>"$err"
	is "$what: once it has ended, the next start removes it" "$(ls "$XDG_RUNTIME_DIR")" ""
done
finish
