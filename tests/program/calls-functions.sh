#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop calls --functions: a user's own functions are measured, in a library that the program is linked with and in one
# that it loads; an error in the file is one sentence; and no files are left behind.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-calls.so" ] || skip_all "the object was not built"
command -v cc >"$out" || skip_all "there is no compiler"

cat >mine.h <<'CODE'
int mine_add(int, int);
int mine_sum(int, ...);
int mine_sum_of(int, __builtin_va_list);
void mine_throw(void (*)(void));
CODE
cat >mine.c <<'CODE'
#include <stdarg.h>
#include "mine.h"
int mine_add(int a, int b) { return a + b; }
int mine_sum_of(int n, va_list list) { int sum = 0; while (n--) sum += va_arg(list, int); return sum; }
int mine_sum(int n, ...) { va_list list; va_start(list, n); n = mine_sum_of(n, list); va_end(list); return n; }
void mine_throw(void (*call)(void)) { call(); }
CODE
cat >linked.c <<'CODE'
#include <pthread.h>
#include "mine.h"
static void end(void) { pthread_exit(0); }
static void *run(void *unused) { mine_throw(end); return unused; }
int main(void)
{
	pthread_t thread;
	int sum = 0;
	for (int i = 0; i < 7; i++)
		sum = mine_add(sum, mine_sum(3, 1, 2, i));
	return pthread_create(&thread, 0, run, 0) || pthread_join(thread, 0) || sum != 42;
}
CODE
cat >loads.c <<'CODE'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *plugin = dlopen(argv[argc - 1], RTLD_NOW);
	int (*work)(void) = plugin ? (int (*)(void))dlsym(plugin, "work") : 0;
	return !work || work() != 5;
}
CODE
echo 'int mine_add(int, int); int work(void) { return mine_add(2, 3); }' >plugin.c
cat >functions <<LIST
# What the program has of its own.
include "mine.h"
library $PWD/libmine.so
other   int mine_add(int, int)
io      int mine_sum(int, ...) = mine_sum_of
other	void mine_throw(void (*)(void))
LIST
cc -shared -fPIC -fexceptions -o libmine.so mine.c &&
	cc -pthread -o linked linked.c "$PWD/libmine.so" &&
	cc -shared -fPIC -o plugin.so plugin.c "$PWD/libmine.so" &&
	cc -o loads loads.c -ldl || skip_all "the compiler makes no library"
mkdir folder
TMPDIR=$PWD/folder
export TMPDIR

# rows: of functions of the library, as "NAME GROUP CALLS UNRETURNED;".
rows() {
	awk -F, '$3 ~ /^mine_/ { print $3, $4, $5, $7 }' report | sort | tr '\n' ';'
}

"$tiptop" calls --functions functions --format csv -o report -- ./linked >"$out" 2>"$err"
is "functions of the file are counted, and the program does as without it" "$? $(rows)" \
	"0 mine_add other 7 0;mine_sum io 7 0;mine_throw other 1 0;"
is "and those of the list" "$(awk -F, '$3 == "pthread_join" { print $5 }' report)" 1
sum=$(awk -F, '$2 == "call" || $3 == "program" { n += $9 } END { printf "%.1f", n }' report)
is "the program and all functions are the whole time" "$sum" 100.0
"$tiptop" calls --functions "$PWD/functions" --format csv -o report -- ./loads ./plugin.so >"$out" 2>"$err"
is "of a library that is loaded later, too" "$? $(rows)" "0 mine_add other 1 0;"
"$tiptop" calls --children --functions functions --format csv -o report -- sh -c './linked; ./loads ./plugin.so' >"$out" 2>"$err"
is "and of children" "$? $(awk -F, '$3 == "mine_add" { n += $5 } END { print n }' report)" "0 8"

# refuses NAME LINE PATTERN: of a file with this line, below two others.
refuses() {
	printf '# mine\ninclude "mine.h"\n%b\n' "$2" >wrong
	"$tiptop" calls --functions wrong -- ./linked >"$out" 2>"$err"
	is "$1: status" $? 1
	is "$1: one sentence" "$(wc -l <"$err")" 1
	matches "$1: which one" "$(cat "$err")" "$3"
}
refuses "a function that returns twice" "other  int vfork(void)" "tiptop: calls: ./wrong:3:12: vfork may have no wrapper, as it returns twice"
refuses "one of the list" "io ssize_t read(int, void *, size_t)" "tiptop: calls: ./wrong:3:12: read is measured already"
refuses "a group" "things int f(int)" "tiptop: calls: ./wrong:3:1: there is no group things"
refuses "no end" "io int f(int" "tiptop: calls: ./wrong:3:8: f has no end"
refuses "no type" "io f(int)" "tiptop: calls: ./wrong:3:4: the function has no type"
refuses "what follows" "io int f(int) ! x" "tiptop: calls: ./wrong:3:15: f: what is \"! x\"[?]"
refuses "any arguments" "io int mine_sum(int, ...)" "tiptop: calls: ./wrong:3:8: mine_sum: .*"
refuses "a version with code" 'io int f(int) @ V"},{"' "tiptop: calls: ./wrong:3:17: f: behind @ stands the version of a symbol, as GLIBC_2.15, and not .*"
refuses "a function with code" "io int f(int, ...) = g);h(" "tiptop: calls: ./wrong:3:22: f: behind = stands the name of a function, and not .*"
refuses "types with code" "io int f(int, ...) + int);h(" "tiptop: calls: ./wrong:3:22: f: behind [+] stands types, and not .*"
refuses "a version of the C library with code" "io int f(int) ? 2.x" "tiptop: calls: ./wrong:3:17: f: behind [?] stands a version of the C library, as 2.34, and not .*"
refuses "types of a prototype with code" "io int f(int; int)" "tiptop: calls: ./wrong:3:8: f: a prototype has names, .*"
refuses "a header with more" 'include "a.h"b"' "tiptop: calls: ./wrong:3:1: an include is of .*"
refuses "no header" "include mine.h" "tiptop: calls: ./wrong:3:1: an include is of .*"
refuses "no library" "library -Wl,x" "tiptop: calls: ./wrong:3:1: a library has a name, or a path, .*"
refuses "another prototype" "io int mine_add(long, int)" "tiptop: calls: cc: ./wrong:3:[0-9]+: error: .*"
refuses "a header that is not there" 'include "no.h"\nio int f(int)' "tiptop: calls: cc: ./wrong:3:[0-9]+: .*error: .*no.h.*"
refuses "nothing" "" "tiptop: calls: ./wrong: there is no function in it"
printf 'library not-there\nio int f(int)\n' >wrong
"$tiptop" calls --functions wrong -- ./linked >"$out" 2>"$err"
matches "a library that is not there" "$(cat "$err")" "tiptop: calls: cc: .*not-there.*"
"$tiptop" calls --functions none -- ./linked >"$out" 2>"$err"
is "no file" "$?$(cat "$err")" "1tiptop: calls: cannot read 'none': No such file or directory"
# A function with an old version only, which a weak reference finds.
cat >weak.c <<'CODE'
#include <stdio.h>
int isastream(int) __attribute__((weak));
int main(void) { printf("%d\n", isastream ? isastream(0) : -9); return 3; }
CODE
echo 'other int isastream(int)' >old
cc -fPIE -pie -o weak weak.c && ./weak >without </dev/null
if [ "$(cat without)" = -9 ]; then
	skip "a function with an old version only" "the C library does not have isastream()"
else
	"$tiptop" calls --functions old --format csv -o report -- ./weak >with 2>"$err" </dev/null
	is "a function with an old version only" "$?$(cat with "$err")" "3$(cat without)"
	is "is counted" "$(awk -F, '$3 == "isastream" { print $5 }' report)" 1
fi

# Finding a function may ask for memory, and the allocator may be the program's: it calls functions that are not found yet.
cat >allocates.c <<'CODE'
#include <pthread.h>
#include <string.h>
#include "mine.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char place[1 << 20];
static size_t used;
void *malloc(size_t size)
{
	char *p;
	pthread_mutex_lock(&lock);
	p = place + used;
	memcpy(p, &size, sizeof size);
	used += (size_t)mine_add((int)(size / 16) * 16, 32);
	pthread_mutex_unlock(&lock);
	return p + 16;
}
void *calloc(size_t n, size_t size) { return malloc(n * size); }
void *realloc(void *p, size_t size)
{
	size_t old = 0;
	if (p)
		memcpy(&old, (char *)p - 16, sizeof old);
	return memcpy(malloc(size), p, old < size ? old : size);
}
void free(void *p) { (void)p; }
int main(void) { return mine_add(1, 2); }
CODE
printf 'include "mine.h"\nlibrary %s\nother int mine_of_none(int)\nother int mine_add(int, int)\n' "$PWD/libmine.so" >early
echo 'int mine_of_none(int);' >>mine.h
cc -fno-builtin -pthread -o allocates allocates.c "$PWD/libmine.so"
"$tiptop" calls -o report -- ./allocates >"$out" 2>"$err"
is "an allocator of the program's own" "$?$(cat "$err")" 3
"$tiptop" calls --functions early --format csv -o report -- ./allocates >"$out" 2>"$err"
is "that calls a function of the file" "$?$(cat "$err")" 3

mkdir tools
for tool in awk mawk gawk; do
	! command -v $tool >"$out" || ln -s "$(command -v $tool)" tools/
done
PATH=$PWD/tools "$tiptop" calls --functions functions -- ./linked >"$out" 2>"$err"
is "no compiler" "$?$(cat "$err")" \
	"1tiptop: calls: functions are added by cc, which is not installed: it is in the package gcc or clang"
is "nothing is left behind" "$(ls folder)" ""

# A compiler that does not end: a signal ends it with tiptop.
cat >tools/cc <<'CC'
#!/bin/sh
echo $$ >compiles
exec sleep 100
CC
chmod +x tools/cc
ln -sf "$(command -v sh)" "$(command -v sleep)" tools/
# ignores_hangup: a shell that was started so cannot change it, as below nohup(1).
ignores_hangup() {
	sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status | grep -q '[13579bdf]'
}
for signal in 15 1; do
	if [ $signal -eq 1 ] && ignores_hangup; then
		skip "ended by signal 1 while it compiles" "this test was started with it ignored"
		continue
	fi
	rm -f compiles
	PATH=$PWD/tools "$tiptop" calls --functions functions -- ./linked >"$out" 2>"$err" &
	monitor=$!
	await test -s compiles
	worker=$(cat compiles)
	kill -$signal $monitor
	wait $monitor
	is "ended by signal $signal while it compiles: status" $? $((128 + signal))
	is "ended by signal $signal while it compiles: nothing is left" "$(ls folder)$(kill -0 "$worker" 2>&1 | grep -v 'No such')" ""
	monitor='' worker=''
done
finish
