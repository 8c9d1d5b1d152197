#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks: the counts agree with the report of the program locker.c, whose behaviour does not change. Times are compared
# with the program's own, as lower and upper bounds, so that other load does not matter.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

locker=${builddir:?}/tests/program/locker
object=$builddir/tiptop-locks.so
report=$dir/report
sampled=''

# measure FORMAT STEP...: the program's words are in $out then, the rows of its locks in $report.
measure() {
	format=$1
	shift
	# shellcheck disable=SC2086 # an option and its number, or nothing
	"$tiptop" locks $sampled --format "$format" -o "$report" -- "$locker" "$@" >"$out" 2>"$err"
}

# sum NAME COLUMN: over the rows of a lock, by its name.
sum() {
	awk -F, -v name="$1" -v column="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
	{ sub(/\+0x[0-9a-f]+$/, "", $2) }
	$2 == name { n += $at; rows++ }
	END { if (rows) printf "%.0f\n", n; else print "none" }' "$report"
}

# counts STEP...: as often as the program says, of each lock that it names.
counts() {
	measure csv "$@"
	is "$*: the program ends well" $? 0
	awk '$1 != "hold" { n[$1] += $2 } END { for (name in n) print name, n[name] }' "$out" | sort >"$dir/said"
	while read -r name acquired; do
		is "$*: $name" "$(sum "$name" acquisitions)" "$acquired"
	done <"$dir/said"
}

# of KEY: a number of the line about the whole program.
of() {
	sed -n '1s/.*"'"$1"'":\([0-9]*\).*/\1/p' "$report"
}

own_tables
[ -r "$object" ] || skip_all "the object was not built"

# --- what is counted ---
counts mutex
is "attempts that got nothing are no acquisitions" "$(sum plain failed)" 3
is "no other thread had it: only what timed out had to wait" "$(sum plain contended)" 0
is "a lock of one thread never changes its owner" "$(awk -F, '$2 == "plain" && $12 != 0' "$report")" ""
counts rwlock
is "readers and writers have rows of their own" \
	"$(awk -F, '$2 == "shared" && $8 { print $6, $8 }' "$report" | sort | tr '\n' ';')" "rwlock-read 100;rwlock-read 100;rwlock-write 50;"
counts spin cond semaphore barrier
is "with each turn, the lock has another owner" "$(awk -F, '$2 == "with_cond" && ($12 < 399 || $12 > 400)' "$report")" ""
counts c11
counts types
is "what a thread has already, it has once more" "$(sum recursive nested)" 2
counts threads
counts handlers
counts cancel
is "a wait that was cancelled is none" "$(sum never acquisitions) $(sum never failed)" "0 1"
counts mutex child
counts given
is "what another thread has released is no more held" "$(sum given nested)" 0
measure json given
is "which is said" "$(of unmatched)" 5
counts spawn
counts unlike
is "what a child does to its copy of a lock is its own" "$(awk -F, '$2 == "plain" { print $4 }' "$report" | sort -u)" 1
measure json unlike free kill
[ "$(of time)" -gt 30000000 ]
ok "nor is the end of a child that of its parent" $?
measure csv child
is "a child is not measured" "$(sum plain acquisitions)" 20
"$tiptop" locks --children --format csv -o "$report" -- sh -c '"$0" child; "$0" spin' "$locker" >"$out" 2>"$err"
is "or each of them, with what they execute" "$(sum plain acquisitions) $(sum spinning acquisitions)" "120 70"
is "as a process of its own" "$(awk -F, 'NR > 1 { print $1 }' "$report" | sort -u | grep -c .)" 3
counts again
is "a lock that is made again is another one" \
	"$(awk -F, '$2 ~ /^renewed/ { print $4 }' "$report" | sort | tr '\n' ' ')" "1 2 3 4 5 "

# --- which thread waits for which ---
"$tiptop" locks --format csv -o "$report" -- "$builddir/tests/program/waiter" 30 >"$out" 2>"$err"
is "which thread finds the lock taken each time, and its holder" "$(awk -F, '
	{ sub(/\+0x.*/, "", $7); sub(/\+0x.*/, "", $25) }
	$2 == "wanted" { print $7, $8, $9, $25, $26 == $13 || $26 == "" }' "$report" | sort | tr '\n' ';')" \
	"hold_here 30 0  1;wait_here 30 30 hold_here 1;"

"$tiptop" locks --format csv -o "$report" --folded "$dir/folded" -- "$builddir/tests/program/waiter" 30 >"$out" 2>"$err"
is "on which ways it came there" "$(sed 's/.*;wait_in_turns;//; s/ [0-9]*$//' "$dir/folded" | sort | tr '\n' '|')" \
	"another_way;wait_here;[lock wanted];[held by hold_here]|one_way;wait_here;[lock wanted];[held by hold_here]|"
within "which have all of the time" \
	"$(($(awk '{ n += $NF } END { print n }' "$dir/folded") - $(awk -F, '$7 ~ /^wait_here/ { print $13 }' "$report")))" -2 2
"$tiptop" locks --format csv -o "$report" --folded "$dir/folded" -- "$locker" mutex >"$out" 2>"$err"
is "no thread waits: no lines" "$? $(wc -l <"$dir/folded")" "0 0"

# --- two versions of a program ---
for n in 10 30; do
	"$tiptop" locks --format json -o "$dir/of-$n" -- "$builddir/tests/program/waiter" $n >"$out" 2>"$err"
done
"$tiptop" compare --rows 0 --format csv "$dir/of-10" "$dir/of-30" >"$out" 2>"$err"
is "compare: the locks of both" "$? $(awk -F, '$4 == "acquire" && $1 == "wanted" { print $3, $6, $9 }' "$out" | sort | tr '\n' ';')" \
	"0 hold_here 10 30;wait_here 10 30;"
"$tiptop" compare "$dir/of-10" "$dir/of-10" >"$out" 2>"$err"
is "nothing has changed from a run to itself" "$(grep -c '+0[.]000 ms$' "$out") $(grep -cE '^    (acquire|hold|release) .*%$' "$out") $(grep -cE '^    (acquire|hold|release) .* \+0[.]0% ' "$out")" "5 9 9"
"$tiptop" compare "$dir/of-10" "$tiptop" >"$out" 2>"$err"
is "what is no report" $? 2

# --- what comes early ---
mkdir "$dir/early"
cat >"$dir/early/library.c" <<'CODE'
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t early = PTHREAD_MUTEX_INITIALIZER, heap = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char pool[1 << 20];
static size_t used;

static void lock(int n)
{
	while (n--) {
		pthread_mutex_lock(&early);
		pthread_mutex_unlock(&early);
	}
}

__attribute__((constructor)) static void begin(void)
{
	lock(5);
}

__attribute__((destructor)) static void end(void)
{
	lock(7);
}

void *malloc(size_t n)
{
	char *p;

	pthread_mutex_lock(&heap);
	p = pool + used;
	used += (n + 15) / 16 * 16;
	pthread_mutex_unlock(&heap);
	return p;
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

void *realloc(void *p, size_t n)
{
	char *new = malloc(n);

	return p ? memmove(new, p, n) : new;
}

size_t allocated(void);
size_t allocated(void)
{
	return used;
}
CODE
cat >"$dir/early/program.c" <<'CODE'
#include <stdlib.h>
size_t allocated(void);
int main(void)
{
	void *volatile p = malloc(1);

	return !p || !allocated();
}
CODE
if ${CC:-cc} -fno-builtin -shared -fPIC -pthread -o "$dir/early/libearly.so" "$dir/early/library.c" 2>"$err" &&
	${CC:-cc} -fno-builtin -o "$dir/early/program" "$dir/early/program.c" -L"$dir/early" -learly -Wl,-rpath,"$dir/early" 2>"$err"; then
	"$tiptop" locks --format csv -o "$report" -- "$dir/early/program" >"$out" 2>"$err"
	is "a program whose memory has a lock" $? 0
	is "its constructors and destructors" "$(sum early acquisitions)" 12
	[ "$(sum heap acquisitions)" -ge 1 ]
	ok "and its memory" $?
else
	skip "what comes early" "there is no compiler"
fi

# --- more locks than have room ---
measure csv many
is "40,000 locks are counted" "$(awk -F, 'NR > 1 { n += $8 } END { print n }' "$report")" 40000
is "each of them" "$(awk -F, 'NR > 1 { n += $5 } END { print n }' "$report")" 40000
is "those that came late are one" "$(awk -F, 'NR > 1 && $5 > 1 { n++ } END { print n }' "$report")" 1
measure csv many late
is "threads with any number of locks may acquire one that came late" "$?" 0
is "and all acquisitions are counted" "$(awk -F, 'NR > 1 { n += $8 } END { print n }' "$report")" \
	"$(awk '{ n += $2 } END { print n }' "$out")"

mkdir "$dir/small"
# shellcheck disable=SC2016 # the inner shell expands
small='mount -t tmpfs -o size="$1" none "$2" && shift 2 && XDG_RUNTIME_DIR=$dir/small && export XDG_RUNTIME_DIR && exec "$@"'
if unshare -rm sh -c 'mount -t tmpfs none "$0"' "$dir/small" 2>"$err"; then
	export dir
	for size in 300k 12m; do
		unshare -rm sh -c "$small" sh $size "$dir/small" "$tiptop" locks --format csv -o "$report" -- "$locker" mutex many threads >"$out" 2>"$err"
		is "a folder of $size that is full: the program ends well" $? 0
		is "and nothing is lost" "$(awk -F, 'NR > 1 { n += $8 } END { print n }' "$report")" 43003
	done
	unshare -rm sh -c "$small" sh 64k "$dir/small" "$tiptop" locks -- "$locker" mutex >"$out" 2>"$err"
	is "the program runs where there is no memory at all" "$(cat "$out")" "plain 1003"
	matches "and that is said" "$(cat "$err")" "tiptop: the table of locks '.*' was not begun: there was no memory for it in its folder [(]tmpfs[)]"
	# shellcheck disable=SC2016 # the inner shell expands
	full='mount -t tmpfs -o size=8k none "$1" && head -c 8192 /dev/zero >"$1/zeros" && shift && exec "$@"'
	unshare -rm sh -c "$full" sh "$dir/small" "$tiptop" locks -o "$dir/small/report" -- "$locker" mutex >"$out" 2>"$err"
	is "a full disk is told before the command starts" "$? $(cat "$out" "$err")" \
		"1 tiptop: cannot write '$dir/small/report': No space left on device"
else
	skip "a folder that is full" "no namespace can be made"
fi

# --- times ---
measure csv hold
held=$(sum held hold_ns)
awk -v held="$held" '$1 == "hold" { exit !(held >= $2 * 0.995 && held <= $3 * 1.005) }' "$out"
ok "how long it was held, $held ns, lies between what was seen from inside and outside" $?
measure json hold mutex threads cond
within "the states have all of the time, to the ns" "$(($(of time) - $(of waiting) - $(of holding) - $(of free) - $(of own)))" 0 4
[ "$(of holding)" -gt 29000000 ] && [ "$(of waiting)" -gt 0 ] && [ "$(of free)" -gt 0 ]
ok "in which the program waited, held and did neither" $?
is "all of its threads" "$(of threads)" 1002

# --- how programs end ---
measure csv mutex kill
is "a program that is killed" $? 137
is "leaves its numbers" "$(sum plain acquisitions)" 1003
measure csv mutex _exit
is "one that ends by _exit(2)" $? 3
is "too" "$(sum plain acquisitions)" 1003
measure csv mutex quick
is "by quick_exit(3)" "$? $(sum plain acquisitions)" "4 1003"
measure csv mutex abort
is "by abort(3)" "$? $(sum plain acquisitions)" "134 1003"
measure csv mutex exec
is "and what it has become by exec(2) has its own" "$(awk -F, '$2 == "plain" { n[$8]++ } END { print n[1000] }' "$report")" 2
# The program reads the states of its threads at its end, however it ends by exec(2).
for how in exec execle execlp execve execveat fexecve; do
	measure csv mutex $how
	is "ended by $how: both programs are measured" "$? $(sum plain acquisitions)" "0 2006"
	measure text mutex $how
	is "ended by $how: the states are known" "$(grep -c "did not read it at its end" "$report")" 0
done
"$tiptop" locks -- /no/such/program >"$out" 2>"$err"
is "a program that is not there" $? 127
echo "old" >"$report"
"$tiptop" locks -o "$report" -- /no/such/program >"$out" 2>"$err"
is "and the file of the report is as before" "$? $(cat "$report")" "127 old"
printf '#!%s/none\n' "$dir" >"$dir/script"
chmod 755 "$dir/script"
for how in "126:$report" "127:$dir/script"; do
	echo "old" >"$dir/old-stacks"
	"$tiptop" locks -o "$report" --folded "$dir/old-stacks" -- "${how#*:}" >"$out" 2>"$err"
	is "what cannot be executed: the files are as before" "$? $(cat "$report" "$dir/old-stacks" | xargs)" "${how%%:*} old old"
done
"$tiptop" locks -- sh -c 'kill -TERM $$' >"$out" 2>"$err"
is "the status is that of the command" $? 143
is "the command reads what is given to tiptop" "$(echo words | "$tiptop" locks -o "$report" -- cat)" words
is "nothing is left behind" "$(find "$XDG_RUNTIME_DIR" -name "tiptop-*")" ""

# --- what is left by a tiptop that is killed ---
folders() {
	find "$XDG_RUNTIME_DIR" -name "tiptop-locks.*" | wc -l
}
has_table() {
	find "$XDG_RUNTIME_DIR" -name 'table.*' -size +0 | grep -q .
}
runs() {
	sed -n 's/^State:[^A-Z]*//p' "/proc/$1/status" 2>/dev/null | grep -q '^[^ZX]'
}
ends() {
	! runs "$1"
}
mkfifo "$dir/first" "$dir/second"
"$tiptop" locks -o "$report" -- sh -c 'read x; "$0" mutex' "$locker" <"$dir/first" >"$out" 2>"$err" &
monitor=$!
exec 3>"$dir/first"
await has_table
"$tiptop" locks -o "$dir/another" -- true
is "that of one that runs stays" "$(folders)" 1
echo go >&3
wait $monitor
is "which reads it at its end" "$? $(grep -c '^# locks of process' "$report") $(folders)" "0 1 0"
exec 3>&-
"$tiptop" locks -o "$report" -- sh -c 'echo $$; read x; exit 0' <"$dir/second" >"$dir/pid" 2>"$err" &
monitor=$!
exec 3>"$dir/second"
await [ -s "$dir/pid" ]
await has_table
kill -KILL $monitor
wait $monitor 2>"$err"
monitor=''
"$tiptop" locks -o "$dir/another" -- true
is "that of a program that still runs stays" "$(folders) $(runs "$(cat "$dir/pid")" && echo runs)" "1 runs"
echo go >&3
exec 3>&-
await ends "$(cat "$dir/pid")"
mkdir "$XDG_RUNTIME_DIR/tiptop-locks.other"
: >"$XDG_RUNTIME_DIR/tiptop-locks.other/file"
"$tiptop" locks -o "$dir/another" -- true
is "when it has ended, the next tiptop removes it" "$(find "$XDG_RUNTIME_DIR" -name "table.*" | wc -l)" 0
is "but nothing that is no table" "$(cd "$XDG_RUNTIME_DIR" && echo tiptop-locks.*/*)" tiptop-locks.other/file
rm -r "$XDG_RUNTIME_DIR/tiptop-locks.other"

# --- one in N is timed: all are counted, and nothing else differs ---
sampled='--sample 7'
counts mutex
is "one in seven: what got nothing, and what waited" "$(sum plain failed) $(sum plain contended)" "3 0"
# Of 1,006 attempts, 143 to 145 are drawn, wherever the first block begins; three of them may fail.
within "one in seven: the number that are timed" "$(sum plain acquire_timed)" 140 145
is "one in seven: and their releases, and holds" "$(sum plain hold_timed) $(sum plain release_timed)" \
	"$(sum plain acquire_timed) $(sum plain acquire_timed)"
counts rwlock
counts spin cond semaphore barrier
is "one in seven: who waits for what is not held is timed each time" "$(sum cond acquire_timed)" "$(sum cond acquisitions)"
counts c11
counts types
is "one in seven: what a thread has already" "$(sum recursive nested)" 2
counts threads
counts handlers
counts cancel
counts mutex child
counts given
counts again
measure json mutex
is "one in seven: when a thread holds a lock is unknown" "$(grep -c '"holding":null,"free":null,.*"sample":7' "$report") $(of held)" "1 0"
measure text mutex
matches "one in seven: an estimate is marked" "$(grep '^plain ' "$report")" 'plain .* ~[0-9.]*ms .* ~[0-9].*'
matches "one in seven: and it is said" "$(cat "$report")" '.*#   one in 7 acquisitions was timed.*'
"$tiptop" locks --sample 7 --threads --format csv -o "$report" -- "$locker" mutex >"$out" 2>"$err"
is "one in seven: threads" "$? $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["acquisitions"], $at["holding_ns"] $at["free_ns"] "." }' "$report")" "0 1003 ."
"$tiptop" locks --sample 7 --format json -o "$dir/a" -- "$locker" mutex >"$out" 2>"$err"
"$tiptop" compare --rows 0 --format csv "$dir/a" "$report" >"$out" 2>"$err"
"$tiptop" locks --format json -o "$report" -- "$locker" mutex >"$out" 2>"$err"
"$tiptop" compare --rows 0 --format csv "$dir/a" "$report" >"$out" 2>"$err"
is "one in seven: compare has as many as were timed" \
	"$? $(awk -F, '$1 == "plain" && $4 == "hold" { a += $6; b += $9 } END { print (a >= 140 && a <= 145), b }' "$out")" "0 1 1003"
# Nearly always, none is drawn; if one is, its row says so, and is known.
"$tiptop" locks --sample 1000000 --format csv -o "$report" -- "$locker" spin >"$out" 2>"$err"
is "one in a million: what is not known is empty" "$? $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$2 == "spinning" { rows++ }
	$2 == "spinning" && (($at["acquire_ns"] == "") != !$at["acquire_timed"] ||
		($at["hold_mean_ns"] == "") != !$at["hold_timed"]) { wrong++ }
	END { print (rows > 0), wrong + 0 }' "$report")" "0 1 0"
measure csv mutex
sampled=''
for wrong in '--sample 0' '--sample 1000001' '--sample x' '--sample 7 -e page-faults'; do
	# shellcheck disable=SC2086
	"$tiptop" locks $wrong -- true >"$out" 2>"$err"
	is "refused: $wrong" "$? $(grep -c sample "$err")" "2 1"
done

# --- what cannot be measured ---
if echo 'int main(void) { return 3; }' >"$dir/static.c" && ${CC:-cc} -static -o "$dir/static" "$dir/static.c" 2>"$err"; then
	"$tiptop" locks -- "$dir/static" >"$out" 2>"$err"
	is "a static program: the status is its own" $? 3
	matches "and says so" "$(cat "$err")" "tiptop: locks: '.*/static' did not load tiptop-locks.so: it is linked statically, .*"
else
	skip "a static program" "none can be made"
fi
"$tiptop" locks >"$out" 2>"$err"
is "without a command" $? 2
"$tiptop" locks --format xml -- true >"$out" 2>"$err"
matches "a format that there is not" "$(cat "$err")" "tiptop: --format: there is no format 'xml': text, csv, json or html"

# --- the object ---
nm -D --defined-only "$object" | awk '{ print $3 }' >"$dir/symbols"
is "what it stands before has no version, so it stands for all" "$(grep -c @ "$dir/symbols")" 0
sed -e '/^#/d' -e '/(/s/.* \**\([a-z_]*\)(.*/\1/' -e 's/^[a-z]* *//' "${srcdir:?}/config/blocking.list" | tr ' ' '\n' >"$dir/blocking"
is "no function of it is seen by programs but those" "$(grep -vxF -f "$dir/blocking" "$dir/symbols" |
	grep -Evc '^(__asan_default_options$|dlclose$|prctl$|syscall$|exec(l|le|lp|ve|veat|v|vp|vpe)$|fexecve$|_exit$|_Exit$|abort$|set(e|re|res)?uid$|chroot$|unshare$|setns$|(set|p)rlimit(64)?$|pthread_(mutex|rwlock|spin|cond|barrier)_|pthread_create$|sem_|mtx_|cnd_|thrd_create$)')" 0
is "it asks for functions by version" "$(nm -D --undefined-only "$object" | grep -c ' dlvsym')" 1
is "what a thread has is reached without a function" "$(nm -D --undefined-only "$object" | grep -c __tls_get_addr)" 0
finish
