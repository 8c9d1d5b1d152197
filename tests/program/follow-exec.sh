#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks and tiptop calls --follow-exec: programs executed without LD_PRELOAD are measured, for each function of the
# exec family; programs that cannot load the object run as without tiptop, and so do all without the option.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-exec.so" ] || skip_all "the object was not built"
own_tables
cat >"$dir/runner.c" <<'CODE'
/* runner HOW FILE: executes it without an environment but KEPT=yes and PATH. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *argument[] = {"name", "one", "two three", NULL};

static int end(pid_t child)
{
	int status;

	return child > 0 && waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 99;
}

static int spawn(int (*function)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
				 char *const *, char *const *), const char *file)
{
	pid_t child;
	int error = function(&child, file, NULL, NULL, argument, environ);

	if (error)
		printf("error %d\n", error);
	return error ? 1 : end(child);
}

static void forbid_nothing(void)
{
	struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog filter = {1, code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		exit(77);
}

static void execute(const char *how, const char *file)
{
	if (!strcmp(how, "execve"))
		execve(file, argument, environ);
	else if (!strcmp(how, "execv"))
		execv(file, argument);
	else if (!strcmp(how, "execvp"))
		execvp(file, argument);
	else if (!strcmp(how, "execvpe"))
		execvpe(file, argument, environ);
	else if (!strcmp(how, "execl"))
		execl(file, "name", "one", "two three", (char *)NULL);
	else if (!strcmp(how, "execlp"))
		execlp(file, "name", "one", "two three", (char *)NULL);
	else if (!strcmp(how, "execle"))
		execle(file, "name", "one", "two three", (char *)NULL, environ);
	else if (!strcmp(how, "fexecve"))
		fexecve(open(file, O_RDONLY), argument, environ);
	else if (!strcmp(how, "execveat"))
		execveat(AT_FDCWD, file, argument, environ, 0);
	else if (!strcmp(how, "execveat-fd"))
		execveat(open(file, O_PATH), "", argument, environ, AT_EMPTY_PATH);
	else if (!strcmp(how, "syscall"))
		syscall(SYS_execve, file, argument, environ);
}

int main(int n, char **given)
{
	const char *how = given[1], *file = given[2];
	pid_t child;

	if (n != 3)
		return 2;
	clearenv();
	setenv("KEPT", "yes", 1);
	setenv("PATH", "/nowhere:/bin:/usr/bin", 1);
	if (!strcmp(how, "posix_spawn"))
		return spawn(posix_spawn, file);
	if (!strcmp(how, "posix_spawnp"))
		return spawn(posix_spawnp, file);
	if (!strcmp(how, "vfork")) {
		child = vfork();
		if (!child) {
			execv(file, argument);
			_exit(errno);
		}
		return end(child);
	}
	if (!strcmp(how, "filter")) {
		forbid_nothing();
		how = "execv";
	}
	execute(how, file);
	printf("error %d\n", errno);
	return 1;
}
CODE
${CC:-cc} -o "$dir/runner" "$dir/runner.c" 2>"$err" || skip_all "there is no compiler"
runner=$dir/runner
cat >"$dir/say" <<'SAY'
#! /bin/sh
echo "$KEPT $# $1 $2"
exit 7
SAY
chmod +x "$dir/say"
said='yes 2 one two three'

# run WHAT [OPTION...] -- COMMAND: $out has what it says, $n how many programs were measured.
run() {
	run_what=$1
	shift
	rm -f "$dir/report"
	"$tiptop" "$run_what" -o "$dir/report" "$@" >"$out" 2>"$err"
	status=$?
	n=$(grep -c "^# .* of process" "$dir/report")
}

for how in execve execv execvp execvpe execl execlp execle fexecve execveat execveat-fd; do
	[ $how != fexecve ] || [ -r /proc/self/fd ] || continue
	run calls --follow-exec -- "$runner" $how "$dir/say"
	is "$how: a script is measured, and does as without" "$status $(cat "$out") $n" "7 $said 2"
	run calls -- "$runner" $how "$dir/say"
	is "$how: without the option, it is not" "$status $(cat "$out") $n" "7 $said 1"
	"$runner" $how "$dir/none" >"$dir/without" 2>&1
	run calls --follow-exec -- "$runner" $how "$dir/none"
	is "$how: what is not there is as without" "$status $(cat "$out")" "1 $(cat "$dir/without")"
done
for how in posix_spawn posix_spawnp vfork; do
	run calls --follow-exec --children -- "$runner" $how "$dir/say"
	is "$how: a script is measured, and does as without" "$status $(cat "$out") $n" "7 $said 2"
	run calls --follow-exec -- "$runner" $how "$dir/say"
	is "$how: where children are not measured, it is not" "$status $(cat "$out") $n" "7 $said 1"
done
run calls --follow-exec --children -- "$runner" posix_spawn "$dir/none"
is "posix_spawn: what is not there is as without" "$status $(cat "$out")" "1 error 2"
run calls --follow-exec --children --format csv -- "$runner" posix_spawn "$dir/say"
is "posix_spawn: it is counted once" "$(awk -F, '$3 == "posix_spawn" { n += $5 } END { print n }' "$dir/report")" 1
for how in execvp execlp execvpe posix_spawnp; do
	run calls --follow-exec --children -- "$runner" $how cat
	is "$how: what is found in PATH is measured" "$n" 2
	run calls --follow-exec --children -- "$runner" $how no-such-program
	is "$how: what is not is as without" "$status $(cat "$out")" "1 error 2"
done

# --- what it has besides ---
run locks --follow-exec -- env -i A=1 LD_PRELOAD=libdl.so.2:libm.so.6 env
is "the list of the user stays, behind" "$(sed -n 's/^LD_PRELOAD=//p' "$out" | sed 's,[^:]*/,,g')" \
	"tiptop-exec.so:tiptop-locks.so:libdl.so.2:libm.so.6"
is "and all else" "$(grep -vE '^(LD_PRELOAD|TIPTOP_.*)=' "$out")" "A=1"
run calls --children --format csv -- sh -c 'date; env >/dev/null'
counted=$(awk -F, '$2 == "call" { print $3, $5 }' "$dir/report" | grep -cE '^(getppid|geteuid|faccessat|openat) ')
run calls --follow-exec --children --format csv -- sh -c 'date; env >/dev/null'
is "what the object does is not counted" \
	"$(awk -F, '$2 == "call" { print $3, $5 }' "$dir/report" | grep -cE '^(getppid|geteuid|faccessat|openat) ')" "$counted"
for what in locks calls; do
	run $what --follow-exec -- sh -c 'unset LD_PRELOAD; exec env'
	is "$what: a shell that unsets it" "$status $(grep -v "^TIPTOP_CPU=" "$out" | grep -c "^TIPTOP_\|^LD_PRELOAD=.*tiptop-$what.so")" "0 3"
	run $what --children --follow-exec -- sh -c 'env -i env -i sh -c "env -i env; exit 7"'
	is "$what: and again" "$status $(grep -c "^LD_PRELOAD=.*tiptop-$what.so" "$out")" "7 1"
done

# --- what is left alone ---
# alone NAME FILE [WHY]: it runs as without tiptop, with nothing in its environment; why it is not measured is said.
alone() {
	"$runner" execve "$2" >"$dir/without" 2>&1
	set -- "$1" "$2" $? "${3-}"
	run calls --follow-exec -- "$runner" execve "$2"
	is "$1" "$status $(cat "$out") $n" "$3 $(cat "$dir/without") 1"
	[ -z "$4" ] || [ -z "$watches" ] || is "$1: why" "$(sed 's/process [0-9]*/process N/' "$err")" \
		"tiptop: calls: '${2##*/}' (process N, $4) did not load tiptop-calls.so, so it is not in this report"
}
# What was not measured is known if the kernel reports each exec.
watches=$("$tiptop" -b -n 1 -e page-faults -- true 2>"$err" | head -n 1)
cat >"$dir/prints.c" <<'CODE'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	for (char **p = environ; *p; p++)
		puts(*p);
	return 5;
}
CODE
if ${CC:-cc} -D_GNU_SOURCE -static -o "$dir/static" "$dir/prints.c" 2>"$err"; then
	alone "a static program" "$dir/static" "linked statically"
	printf '#!%s\n' "$dir/static" >"$dir/of-static" && chmod +x "$dir/of-static"
	alone "a script for one" "$dir/of-static" "linked statically"
else
	skip "a static program" "the compiler makes none"
fi
loader=$(readelf -l "$runner" 2>/dev/null | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
if [ -n "$loader" ]; then
	ln -s "$loader" "$dir/ld-musl-x86_64.so.1"
	${CC:-cc} -D_GNU_SOURCE -Wl,--dynamic-linker="$dir/ld-musl-x86_64.so.1" -o "$dir/musl" "$dir/prints.c" 2>"$err"
	alone "one of another C library" "$dir/musl" "for the C library musl"
	# Its loader would end it.
	for how in 'exec "$0"' '"$0"; exit $?' 'export LD_PRELOAD=$LD_PRELOAD:libm.so.6; exec "$0"'; do
		case $how in *libm*) others="LD_PRELOAD=libm.so.6" ;; *) others='' ;; esac
		"$tiptop" locks --follow-exec -o "$dir/report" -- sh -c "$how" "$dir/musl" >"$out" 2>"$err"
		is "it gets no object: $how" "$? $(grep '^LD_PRELOAD=' "$out")" "5 $others"
	done
	posix_spawned="import os; os._exit(os.waitpid(os.posix_spawn('$dir/musl', ['musl'], os.environ), 0)[1] >> 8)"
	if command -v python3 >"$dir/text"; then
		"$tiptop" locks --follow-exec --children -o "$dir/report" -- python3 -c "$posix_spawned" >"$out" 2>"$err"
		is "nor by posix_spawn" "$? $(grep -c '^LD_PRELOAD=' "$out") $(grep -c 'for the C library musl' "$err")" "5 0 1"
	else
		skip "nor by posix_spawn" "there is no Python"
	fi
else
	skip "one of another C library" "readelf names no loader"
fi
if ${CC:-gcc} -fsanitize=address -D_GNU_SOURCE -o "$dir/asan" "$dir/prints.c" 2>"$err" && "$dir/asan" >"$out" 2>"$err" ||
	[ $? -eq 5 ]; then
	if ldd "$dir/asan" | grep -q libasan; then
		alone "one with a sanitizer's library" "$dir/asan" "with a sanitizer's library in front"
	else
		skip "one with a sanitizer's library" "the compiler links it statically"
	fi
else
	skip "one with a sanitizer's library" "the compiler makes none"
fi
# The begin of a program for another machine, which the kernel refuses.
printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000' >"$dir/i386"
chmod +x "$dir/i386"
alone "one of another class" "$dir/i386"
if [ "$(id -u)" -eq 0 ] && ${CC:-cc} -D_GNU_SOURCE -o "$dir/rights" "$dir/prints.c" 2>"$err"; then
	cp "$dir/rights" "$dir/capable"
	chmod 4755 "$dir/rights"
	alone "one with set-user-ID" "$dir/rights" "with rights of its own"
	if command -v setcap >"$out" && setcap cap_net_raw+ep "$dir/capable" 2>"$err"; then
		alone "one with file capabilities" "$dir/capable" "with rights of its own"
	else
		skip "one with file capabilities" "setcap cannot give any here"
	fi
	# What the program sees is not what is outside.
	if unshare -m true 2>"$err"; then
		# shellcheck disable=SC2016 # of the other shell
		run calls --follow-exec -- unshare -m sh -c 'mount -t tmpfs none "$1" && unset LD_PRELOAD && exec env' sh "$builddir"
		is "where the object cannot be opened" "$status $(grep -c ^LD_PRELOAD "$out") $(grep -vc 'did not load' "$err")" "0 0 0"
	else
		skip "where the object cannot be opened" "there are no mount namespaces"
	fi
else
	skip "one with set-user-ID" "root is needed"
fi
"$runner" filter "$dir/say" >"$out" 2>"$err"
if [ $? -eq 7 ]; then
	run calls --follow-exec -- "$runner" filter "$dir/say"
	is "behind a filter of system calls" "$status $(cat "$out") $n" "7 $said 1"
else
	skip "behind a filter of system calls" "no filter can be set here"
fi
if [ -x "$dir/static" ]; then
	run locks --children --follow-exec -- "$runner" posix_spawn "$dir/static"
	is "why a child is not measured" "$status $(sed -n 's/.*process [0-9]*, \(.*\)) did not load.*/\1/p' "$err")" \
		"5 ${watches:+linked statically}"
else
	skip "why a child is not measured" "the compiler makes no static program"
fi
is "nothing is left behind" "$(find "$XDG_RUNTIME_DIR" -name "tiptop*")" ""
run calls --follow-exec -- "$runner" syscall "$dir/say"
is "a system call of its own" "$status $(cat "$out") $n" "7 $said 1"

# Whatever it calls is counted as the program's, but for what finds functions when it begins.
if command -v nm >"$out"; then
	is "the object calls nothing that is measured" \
		"$(nm -D --undefined-only "$builddir/tiptop-exec.so" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' |
			grep -vxE '_*environ|__errno_location|__stack_chk_fail|dl(open|v?sym)')" ""
else
	skip "the object calls nothing that is measured" "nm is not installed"
fi
finish
