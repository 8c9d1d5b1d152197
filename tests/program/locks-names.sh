#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The names of locks and of their callers come from the files that the program had mapped, or there are none.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

report=$dir/report
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"

# make_program FILE NAME FLAGS: a program that acquires the mutex `one` in the function NAME, and then executes its
# argument. Other names alone would be the same code, and so the same build.
make_program() {
	cat >"$dir/program.c" <<-CODE
		#include <pthread.h>
		#include <stdlib.h>
		static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
		static __attribute__((noinline)) int $2(void)
		{
			pthread_mutex_lock(&one);
			return pthread_mutex_unlock(&one) + ${#2};
		}
		int main(int argc, char **argv)
		{
			int length = $2();
			return argc > 1 ? system(argv[1]) : !length;
		}
	CODE
	# shellcheck disable=SC2086 # words
	${CC:-cc} -pthread -Wl,--build-id $3 -o "$1" "$dir/program.c" >"$out" 2>"$err"
}

# names: lock and caller of the only line, as CSV has them.
names() {
	"$tiptop" locks --format csv -o "$report" -- "$@" >"$out" 2>"$err"
	awk -F, 'NR > 1 { sub(/\+0x.*/, "", $7); print $2, $7 }' "$report"
}

# sources: the lines of the source in the last report, without folders.
sources() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "source") at = i } NR > 1 { sub(/.*\//, "", $at); print $at }' "$report"
}

make_program "$dir/first" its_own "" || skip_all "there is no compiler"
make_program "$dir/second" another_one ""
is "a program that is there" "$(names "$dir/first")" "one its_own"
cp "$dir/first" "$dir/moved"
is "another file with the same build" "$(names "$dir/moved" "cp $dir/moved $dir/same && mv $dir/same $dir/moved")" "one its_own"
is "another build in the same file" "$(names "$dir/moved" "ln $dir/moved $dir/link && cat $dir/second >$dir/copy && rm $dir/moved &&
	mv $dir/copy $dir/moved" | sed 's/0x[0-9a-f]*/N/g')" "[moved+N] moved"
make_program "$dir/gone" its_own ""
is "a program that has gone" "$(names "$dir/gone" "rm $dir/gone" | sed 's/0x[0-9a-f]*/N/g')" "[gone+N] gone"

# --- a library that is closed, and another one at its addresses ---
# Each has a lock of its own, acquires the program's, and is the same but for its names and a number.
for name in first second; do
	cat >"$dir/lib$name.c" <<-CODE
		#include <pthread.h>
		pthread_mutex_t in_$name = PTHREAD_MUTEX_INITIALIZER;
		static __attribute__((noinline)) int ${name}_here(pthread_mutex_t *lock)
		{
			pthread_mutex_lock(lock);
			return pthread_mutex_unlock(lock) + ${#name};
		}
		int work(pthread_mutex_t *lock, int n);
		int work(pthread_mutex_t *lock, int n)
		{
			int sum = 0;
			while (n--)
				sum += ${name}_here(lock) + ${name}_here(&in_$name);
			return sum;
		}
	CODE
	${CC:-cc} -shared -fPIC -pthread -o "$dir/lib$name.so" "$dir/lib$name.c" 2>"$err"
done
cat >"$dir/plugins.c" <<'CODE'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		void *library = dlopen(argv[i], RTLD_NOW);
		int (*work)(pthread_mutex_t *, int) = (int (*)(pthread_mutex_t *, int))dlsym(library, "work");

		printf("%p\n", (void *)work);
		work(&common, atoi(argv[i + 1]));
		dlclose(library);
	}
}
CODE
${CC:-cc} -pthread -o "$dir/plugins" "$dir/plugins.c" -ldl 2>"$err"
"$tiptop" locks --format csv -o "$report" -- "$dir/plugins" "$dir/libfirst.so" 3 "$dir/libsecond.so" 5 "$dir/libfirst.so" 7 >"$out" 2>"$err"
if [ "$(sort -u "$out" | grep -c .)" = 1 ]; then
	is "each library has its own names" "$(awk -F, 'NR > 1 { sub(/\+0x.*/, "", $7); print $2, $7, $4, $8 }' "$report" | sort | tr '\n' ';')" \
		"common first_here 1 10;common second_here 1 5;in_first first_here 1 3;in_first first_here 3 7;in_second second_here 2 5;"
else
	skip "each library has its own names" "they came to other addresses"
fi

# --- a name that is longer than its column ---
long=a_function_whose_name_is_longer_than_any_column_of_names_is_wide
cat >"$dir/long.c" <<-CODE
	#include <pthread.h>
	#include <stdlib.h>
	static __attribute__((noinline)) int $long(void)
	{
		pthread_mutex_t *lock = malloc(sizeof *lock);
		pthread_mutex_init(lock, NULL);
		pthread_mutex_lock(lock);
		return pthread_mutex_unlock(lock);
	}
	int main(void)
	{
		return $long();
	}
CODE
${CC:-cc} -pthread -o "$dir/long" "$dir/long.c" 2>"$err"
"$tiptop" locks -o "$report" -- "$dir/long" >"$out" 2>"$err"
is "a long name does not run into the next column" "$(awk -v name="$long" 'index($1, "[" name) == 1 { print $2 }' "$report")" mutex

# --- C++ ---
cat >"$dir/plus.cpp" <<'CODE'
#include <pthread.h>
namespace shop { pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER; }
struct number { int n; };
__attribute__((noinline)) int operator+(const number &a, const number &b)
{
	pthread_mutex_lock(&shop::till);
	return pthread_mutex_unlock(&shop::till) + a.n + b.n;
}
int main()
{
	number zero = {0};
	return zero + zero;
}
CODE
if ${CXX:-c++} -pthread -o "$dir/plus" "$dir/plus.cpp" 2>"$err"; then
	"$tiptop" locks --format json -o "$report" --folded "$dir/folded" -- "$dir/plus" 2>"$err"
	is "names of C++" "$(sed -n 's/.*"name":"\([^"]*\)".*"caller":"\([^"]*\)+0x.*/\1 \2/p' "$report")" \
		"shop::till operator+(number const&, number const&)"
else
	skip "names of C++" "there is no compiler for it"
fi

# --- code that the program has generated: a copy of a function, mostly right behind a large library ---
echo "char large[1 << 20];" | ${CC:-cc} -shared -fPIC -o "$dir/liblarge.so" -x c - 2>"$err"
cat >"$dir/generates.c" <<'CODE'
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
typedef int function(pthread_mutex_t *lock, int (*acquire)(pthread_mutex_t *));
static int pattern(pthread_mutex_t *lock, int (*acquire)(pthread_mutex_t *))
{
	return acquire(lock) + 1;
}
int main(int argc, char **argv)
{
	function *call = pattern;
	char path[64], *code;
	FILE *file;
	code = mmap(NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (code == MAP_FAILED || argc < 2 || !dlopen(argv[1], RTLD_NOW))
		return 3;
	memcpy(code + 64, (void *)((uintptr_t)call & -16ul), 256);
	__builtin___clear_cache(code, code + 1024);
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	file = fopen(path, "w");
	fprintf(file, "%lx 100 int Shop.buy(int; long)\n", (unsigned long)code + 64);
	fclose(file);
	call = (function *)(code + 64 + ((uintptr_t)call & 15));
	call(&one, pthread_mutex_lock);
	pthread_mutex_unlock(&one);
	puts(path);
	return 0;
}
CODE
${CC:-cc} -O1 -pthread -fno-stack-protector -o "$dir/generates" "$dir/generates.c" -ldl 2>"$err"
if "$tiptop" locks --format csv -o "$report" -- "$dir/generates" "$dir/liblarge.so" >"$out" 2>"$err"; then
	is "generated code" "$(awk -F, 'NR > 1 { sub(/[+].*/, "", $7); print $2, $7 }' "$report")" "one int Shop.buy(int; long)"
	rm -f "$(cat "$out")"
	"$tiptop" locks -o "$report" -- "$dir/generates" "$dir/liblarge.so" >"$out" 2>"$err"
	is "and where its names come from" "$(sed -n 's/^#   names of code .* of //p' "$report")" "$(cat "$out")"
	rm -f "$(cat "$out")"
else
	skip "generated code" "no memory is both writable and executable"
fi

# --- what a file has lost ---
features=$("$tiptop" -v)
if [ "${features#*no libdw}" != "$features" ] || ! command -v objcopy >"$out"; then
	skip "names of files that have lost their symbols" "tiptop was built without libdw, or there is no objcopy"
	finish
fi
make_program "$dir/whole" its_own -g
cp "$dir/whole" "$dir/stripped" && objcopy -S "$dir/stripped"
is "a file without symbols" "$(names "$dir/stripped" | sed 's/0x[0-9a-f]*/N/g')" "[stripped+N] stripped"
(cd "$dir" && objcopy --only-keep-debug whole apart.debug && objcopy --add-gnu-debuglink=apart.debug stripped)
is "debug information in a file apart" "$(names "$dir/stripped")" "one its_own"
is "and the line of the caller" "$(sources)" "program.c:$(grep -n 'mutex_lock' "$dir/program.c" | cut -d: -f1)"
"$tiptop" locks -o "$report" -- "$dir/stripped" >"$out" 2>"$err"
matches "which people see, too" "$(cat "$report")" ".* its_own[+]0x[0-9a-f]* [(]program.c:[0-9]*[)] .*"
make_program "$dir/other" another_one -g
(cd "$dir" && objcopy --only-keep-debug other apart.debug)
is "but not that of another build" "$(names "$dir/stripped" | sed 's/0x[0-9a-f]*/N/g')" "[stripped+N] stripped"
is "nor its lines" "$(sources)" ""

# --- a file whose exported functions alone are known ---
cat >"$dir/near.c" <<'CODE'
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
int exported(int n);
__attribute__((noinline, section(".text.work"))) int exported(int n)
{
	return n + 1;
}
static __attribute__((noinline, section(".text.work"))) int hidden(void)
{
	__asm__ volatile(GAP);
	pthread_mutex_lock(&one);
	return pthread_mutex_unlock(&one);
}
int main(void)
{
	return exported(hidden()) - 1;
}
CODE
# near_names: names of that file, whose debug information is in the cache at most.
near_names() {
	DEBUGINFOD_CACHE_PATH=$dir/cache names "$dir/exports" | sed 's/0x[0-9a-f]*/N/g'
}

near='-pthread -rdynamic -fno-toplevel-reorder -Wl,--build-id -g'
# shellcheck disable=SC2086 # words
${CC:-cc} $near -DGAP='"nop"' -o "$dir/near" "$dir/near.c" 2>"$err" &&
	${CC:-cc} $near -DGAP='".balign 32768"' -o "$dir/far" "$dir/near.c" 2>"$err"
cp "$dir/near" "$dir/exports" && objcopy -S "$dir/exports"
is "the nearest function" "$(near_names)" "[~exported+N] ~exported"
"$tiptop" locks -o "$report" -- "$dir/exports" >"$out" 2>"$err"
is "which is said" "$(sed -n 's/^#   names after ~ .*: //p' "$report")" exports
"$tiptop" locks --format json -o "$report" -- "$dir/exports" >"$out" 2>"$err"
matches "for programs, too" "$(cat "$report")" '.*"names_nearest":1,.*'
"$tiptop" locks -o "$report" -- "$dir/near" >"$out" 2>"$err"
is "but not of a file with symbols" "$(grep -c 'names after ~' "$report")" 0

objcopy -S "$dir/far"
is "but not one that is far away" "$(names "$dir/far" | sed 's/0x[0-9a-f]*/N/g')" "[far+N] far"

# --- what a client of debuginfod has downloaded ---
build=$(readelf -n "$dir/near" 2>"$err" | awk '/Build ID/ { print $3 }')
cache=$dir/cache/$build
mkdir -p "$cache" "$dir/another_home/.cache"
(cd "$dir" && objcopy --only-keep-debug near "$cache/debuginfo")
is "the cache of debuginfod" "$(DEBUGINFOD_CACHE_PATH=$dir/cache names "$dir/exports")" "one hidden"
cp -r "$dir/cache" "$dir/another_home/.cache/debuginfod_client"
is "where it is without a variable" \
	"$(unset XDG_CACHE_HOME DEBUGINFOD_CACHE_PATH && HOME=$dir/another_home names "$dir/exports")" "one hidden"
: >"$cache/debuginfo"
is "a file that the server did not have" "$(near_names)" "[~exported+N] ~exported"
cp "$dir/whole" "$cache/debuginfo"
is "another build in the cache" "$(near_names)" "[~exported+N] ~exported"
rm "$cache/debuginfo" && mkfifo "$cache/debuginfo"
is "a pipe in the cache" "$(near_names)" "[~exported+N] ~exported"

# --- a table of symbols in the file, as Fedora packs it ---
if command -v xz >"$out"; then
	(cd "$dir" && objcopy -S --keep-symbol hidden --keep-symbol one near small && xz -f small &&
		objcopy --add-section .gnu_debugdata=small.xz exports packed)
	is "symbols in .gnu_debugdata" "$(names "$dir/packed")" "one hidden"
else
	skip "symbols in .gnu_debugdata" "there is no xz"
fi

# --- a function that the compiler has put into another one ---
cat >"$dir/inline.c" <<'CODE'
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static inline __attribute__((always_inline)) int acquire(void)
{
	return pthread_mutex_lock(&one);
}
static inline __attribute__((always_inline)) int both(void)
{
	return acquire() + pthread_mutex_unlock(&one);
}
int main(void)
{
	return both();
}
CODE
${CC:-cc} -g -O1 -pthread -o "$dir/inline" "$dir/inline.c" 2>"$err"
is "the caller is the outermost one" "$(names "$dir/inline")" "one main"
is "and so is the line" "$(sources)" "inline.c:13"
# clang does not write this section.
objcopy --remove-section .debug_aranges "$dir/inline" "$dir/unlisted" 2>"$err"
is "without a list of the addresses of units: the caller" "$(names "$dir/unlisted")" "one main"
is "and its line" "$(sources)" "inline.c:13"
if ${CC:-cc} -g -O1 -flto -pthread -o "$dir/whole" "$dir/inline.c" 2>"$err"; then
	is "optimized at link time: the caller" "$(names "$dir/whole")" "one main"
	is "and its line, though the inlined function is in another unit" "$(sources)" "inline.c:13"
else
	skip "lines of a program that was optimized at link time" "the compiler does not do this"
fi
finish
