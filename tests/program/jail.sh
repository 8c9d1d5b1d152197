#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks and tiptop calls with a seccomp filter that a program did not set itself: one set before it was executed, and
# one that tiptop runs under. The program behaves as without tiptop, and is named if it is not measured.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
own_tables
# said: what tiptop has said, without the numbers of processes.
said() {
	sed 's/(process [0-9]*)/(process N)/g' "$err"
}
"$tiptop" -b -n 1 -e page-faults -- true >"$out" 2>"$err"
named=$? # 0: the kernel tells which programs are executed
jail=$builddir/tests/program/jail
"$jail" kill all unseen "$jail" inside >"$out" 2>"$err"
is "the jail" "$?$(cat "$out" "$err")" 7inside
[ "$(cat "$out")" = inside ] || skip_all "no program runs in the jail here"

for what in locks calls; do
	# --- a filter that is set before the program is executed ---
	for way in seen unseen; do
		for deed in '' forks; do
			for children in '' --children; do
				"$tiptop" $what $children -o "$dir/report" -- "$jail" kill all $way "$jail" inside $deed >"$out" 2>"$err"
				is "$what: $way $deed $children: as without tiptop" "$? $(cat "$out")" "7 inside${deed:+
inside}"
			done
		done
	done
	why="a filter of system calls (seccomp(2)) was set before, which may end the program for a call that tiptop-$what.so makes"
	list="did not load tiptop-$what.so, so they are not in this report: a program does not load it if it is linked statically, runs with"
	list="$list other rights or mounts than yours, has a sanitizer that wants to come first (ASAN_OPTIONS=verify_asan_link_order=0 turns that"
	list="$list off), or LD_PRELOAD was changed before it was executed: --follow-exec puts it back; 1 of them did,"
	list="$list but measured nothing, as a filter of system calls (seccomp(2)) was set before"
	if [ $named -eq 0 ]; then
		"$tiptop" $what -o "$dir/report" -- "$jail" kill all unseen "$jail" inside >"$out" 2>"$err"
		is "$what: the program is named, and why" "$(said)" "tiptop: $what: 'jail' (process N) is not in this report: $why"
		"$tiptop" $what --children -o "$dir/report" -- sh -c '"$0" kill all seen "$0" inside; env -i date; :' "$jail" >"$out" 2>"$err"
		is "$what: beside another one" "$(said)" "tiptop: $what: 'jail' (process N), 'date' (process N) $list"
		"$tiptop" $what -o "$dir/report" -- sh -c '"$0" kill all seen "$0" inside; exec true' "$jail" >"$out" 2>"$err"
		is "$what: not of a child that is not to be measured" "$(said)" ""
	else
		skip "$what: the names of programs" "the kernel's software events are refused"
	fi
	"$jail" errno perf_event_open seen "$tiptop" $what -o "$dir/report" -- "$jail" kill all seen "$jail" inside >"$out" 2>"$err"
	is "$what: where the kernel tells no names" "$? $(said)" "7 tiptop: $what: 1 program that '$jail' executed is not in this report: $why"
	no_proc='mount -t tmpfs none /proc && "$0" inside; exec "$0" inside'
	if [ $named -eq 0 ] && unshare -rm mount -t tmpfs none /proc 2>"$err"; then
		"$tiptop" $what -o "$dir/report" -- unshare -rm sh -c "$no_proc" "$jail" >"$out" 2>"$err"
		is "$what: without /proc: the program is named, and why" "$? $(cat "$out") $(said)" "7 inside
inside tiptop: $what: 'jail' (process N) is not in this report: /proc/self/status could not be read there, so it is unknown\
 whether a filter of system calls (seccomp(2)) would end the program for a call that tiptop-$what.so makes: mount /proc"
	else
		skip "$what: without /proc" "no namespace can be made, or no names"
	fi
	"$tiptop" $what -o "$dir/report" -- env -i LD_PRELOAD="${builddir}/tiptop-$what.so" "$jail" inside >"$out" 2>"$err"
	is "$what: without tiptop's word nothing is measured" "$? $(cat "$out")" "7 inside"

	# --- a filter that tiptop runs under ---
	refused="tiptop: $what: nothing can be measured: tiptop runs under a filter of system calls (seccomp(2)), as in a container, that"
	remedy="which tiptop-$what.so calls: let the filter allow it, or start tiptop outside of it"
	for action in kill errno; do
		for call in madvise getppid; do
			"$jail" $action $call seen "$tiptop" $what -- "$jail" inside >"$out" 2>"$err"
			is "$what: $action $call: the command runs as without tiptop, and why it is not measured" "$? $(cat "$out" "$err")" \
				"7 inside
$refused does not allow $call, $remedy"
		done
		"$jail" $action perf_event_open seen "$tiptop" $what -o "$dir/report" -- "$jail" inside >"$out" 2>"$err"
		is "$what: $action: what is not needed may be refused" "$? $(cat "$out" "$err")" "7 inside"
		matches "$what: $action: and it is measured" "$(sed -n 1p "$dir/report")" '# (locks|library calls) of process .*'
	done
	"$jail" kill perf_event_open seen "$tiptop" $what -e page-faults -- "$jail" inside >"$out" 2>"$err"
	is "$what: events that would end the command" "$? $(cat "$out" "$err")" "7 inside
$refused does not allow perf_event_open, $remedy"
	"$jail" errno perf_event_open seen "$tiptop" $what -e page-faults -- "$jail" inside >"$out" 2>"$err"
	matches "$what: events that are refused" "$? $(head -n 2 "$out")" "7 inside
# .* of process .*"
	if [ $what = locks ]; then
		"$jail" kill perf_event_open seen "$tiptop" $what --kernel -- "$jail" inside >"$out" 2>"$err"
		is "$what: what --kernel needs, and a filter does not allow" "$? $(cat "$out" "$err")" \
			"1 tiptop: --kernel: tiptop runs under a filter of system calls (seccomp(2)), as in a container, that does not allow \
perf_event_open: let the filter allow it, start tiptop outside of it, or leave out --kernel"
	fi
	"$jail" kill madvise seen "$tiptop" $what --live -b -n 1 -- "$jail" inside >"$out" 2>"$err"
	is "$what: --live shows nothing else, so it does not begin" "$? $(cat "$out" "$err")" "1 $refused does not allow madvise, $remedy"
	n=1
	for deed in '' forks; do
		"$jail" errno sched_getaffinity seen "$tiptop" $what --children -o "$dir/report" -- "$jail" inside $deed >"$out" 2>"$err"
		is "$what: a filter that allows it all: $deed" "$? $(cat "$out" "$err") $(grep -c '^# .* of process' "$dir/report")" \
			"7 inside${deed:+
inside} $n"
		n=2
	done
done
is "no file stays" "$(ls "$XDG_RUNTIME_DIR")" ""

# --- regions of libtiptop ---
cat >"$dir/region.c" <<'CODE'
#include <pthread.h>
#include <string.h>
#include <tiptop.h>
#include <unistd.h>

TT_REGION(sorting, "sort");

static void say(void)
{
	if (write(1, tt_strerror(), strlen(tt_strerror())) < 0 || write(1, "; ", 2) < 0)
		_exit(98);
}

static void *stop(void *none)
{
	if (tt_stop())
		say();
	return none;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	for (int i = 0; i < 10; i++) {
		TT_BEGIN(sorting);
		TT_END(sorting);
	}
	if (tt_report())
		say();
	if (argc == 1)
		stop(argv);
	else if (pthread_create(&thread, NULL, stop, NULL) || pthread_join(thread, NULL))
		return 99;
	return 7;
}
CODE
# each WHY: what the program says if its regions are not measured for this reason, of the report and of tt_stop()
each() {
	echo "7 regions are not measured: $1; regions are not measured: $1; "
}
if ${CC:-cc} -I "${srcdir:?}/include" -o "$dir/region" "$dir/region.c" "$builddir/libtiptop.so.0" -Wl,-rpath,"$builddir" 2>"$err"; then
	filter="a filter of system calls (seccomp(2)) was set before the program began: it may end the program for a system call of libtiptop"
	TIPTOP_REGIONS='' TIPTOP_REPORT=$dir/report "$jail" kill all unseen "$dir/region" >"$out" 2>"$err"
	is "regions under a filter: as without them, and why they are not measured" "$? $(cat "$out" "$err")" "$(each "$filter")"
	TIPTOP_REGIONS='' "$jail" errno gettid unseen "$dir/region" thread >"$out" 2>"$err"
	is "another thread is told so, too" "$? $(cat "$out" "$err")" "$(each "$filter")"
	"$dir/region" thread >"$out" 2>"$err"
	is "without TIPTOP_REGIONS: this is why" "$? $(cat "$out" "$err")" "$(each "the program was started without TIPTOP_REGIONS")"
	cp "$dir/region" "$dir/suid"
	cp "$(command -v id)" "$dir/id"
	if [ "$(id -u)" = 0 ] && chmod 755 "$dir" && chown 65534 "$dir/suid" "$dir/id" && chmod 4755 "$dir/suid" "$dir/id" && [ "$("$dir/id" -u)" = 65534 ]; then
		TIPTOP_REGIONS='' "$dir/suid" thread >"$out" 2>"$err"
		is "a program with rights of its own: this is why" "$? $(cat "$out" "$err")" \
			"$(each "a program with other rights than its user's ignores TIPTOP_REGIONS")"
	else
		skip "a program with rights of its own" "none can be made"
	fi
	TIPTOP_REGIONS='' TIPTOP_REPORT=$dir/report "$jail" kill all free "$dir/region" >"$out" 2>"$err"
	is "without one they are" "$? $(cat "$out" "$err") $(grep -c sort "$dir/report")" "7  2"
	inside='mount -t proc proc /proc && exec "$@"'
	if unshare -mpf sh -c "$inside" - true 2>"$err"; then
		rm "$dir/report"
		TIPTOP_REGIONS='' TIPTOP_REPORT=$dir/report "$jail" errno gettid unseen unshare -mpf sh -c "$inside; exit 99" - \
			sh -c '"$0"; exit $?' "$dir/region" >"$out" 2>"$err"
		is "nor does that of a container keep them from it" "$? $(cat "$out" "$err") $(grep -c sort "$dir/report")" "7  2"
	else
		skip "regions in a container" "none can be made"
	fi
else
	skip "regions" "there is no compiler"
fi
finish
