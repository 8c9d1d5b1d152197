#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of futex(2) through syscall(2) have rows of their own, with exact counts; and no system call behaves differently.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

report=$dir/report
[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
futexes=$builddir/tests/program/futexes
steps="refused wakes lock inherit queue crowd moved reused storm handler cancel child leave"

# sums FIELD...: of each futex over all of its rows, in the order of the names.
sums() {
	awk -F, -v fields="$*" 'NR == 1 { n = split(fields, field, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["kind"] == "futex" { names[$at["name"]]; for (k = 1; k <= n; k++) sum[$at["name"], k] += $at[field[k]] }
		END { for (name in names) { line = name; for (k = 1; k <= n; k++) line = line " " sum[name, k]; print line } }' "$report" | sort
}

# --- counts ---
# shellcheck disable=SC2086 # several words
"$tiptop" locks --format csv --folded "$dir/folded" -o "$report" -- "$futexes" $steps >"$out" 2>"$err"
is "a program that calls futex(2) does as without tiptop" "$?$(cat "$err")" 0
sort "$out" >"$dir/want"
sums acquisitions timeouts changed interrupted failed wakes woken | grep -v '^forever ' >"$dir/got"
is "each futex has the numbers that the program counted" "$(diff "$dir/want" "$dir/got")" ""
is "the threads that wait at the end" "$(sums under_way acquisitions | grep '^forever ')" "forever 2 0"
is "idle is a futex whose wakers do not wait for it" \
	"$(sums idle | awk '{ print $1, ($2 > 0) }' | grep -E '^(word|inheriting|items|gate|forever) ' | tr '\n' ' ')" \
	"forever 1 gate 1 inheriting 0 items 1 word 0 "
is "idle rows come last" "$(awk -F, 'NR > 1 { print $(NF - 2) }' "$report" | uniq | tr '\n' ' ')" "0 1 "
is "what other locks do not have is not known of them" \
	"$(awk -F, '$6 == "mutex" { print $(NF - 7) $(NF - 6) $(NF - 5) $(NF - 4) $(NF - 3) }' "$report" | sort -u)" ""
for step in acquire_often:word:wake take_items:items:step_queue inherit:inheriting:inherit; do
	from=${step%%:*} woken_by=${step##*:} name=${step%:*} name=${name#*:}
	ok "$name: who waited, and who woke" \
		"$(grep -c "^process [0-9]*;.*$from.*;\\[futex $name\\];\\[woken by $woken_by\\] [0-9]*\$" "$dir/folded" | sed 's/^1$/x/;s/^0$/1/;s/x/0/')"
done
is "the time of its waits is that of the row" "$(grep 'futex word' "$dir/folded" | sed 's/.* //')" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["name"] == "word" { n += $at["acquire_ns"] } END { printf "%.0f\n", n }' "$report")"

# --- the head ---
# What a handler does first during a wait takes time of its own, so there is none here.
steps=$(echo "$steps" | sed 's/storm handler //')
# shellcheck disable=SC2086 # several words
"$tiptop" locks --format json -o "$report" -- "$futexes" $steps >"$out" 2>"$err"
# of KEY, all KEY: of the process; the sum over all rows.
of() {
	sed -n '1s/.*"'"$1"'":\([0-9]*\),.*/\1/p' "$report"
}
all() {
	grep '"type":"lock"' "$report" | sed -n "s/.*\"$1\":\\([0-9]*\\)[,}].*/\\1/p" | awk '{ n += $1 } END { printf "%.0f\n", n }'
}
waits=$(grep '"type":"lock"' "$report" | sed -n 's/.*"acquire":{"n":[0-9]*,"timed":[0-9]*,"sum":\([0-9]*\),.*/\1/p' | awk '{ n += $1 } END { printf "%.0f\n", n }')
in_rows=$((waits + $(all failed_ns) + $(all under_way_ns)))
[ $(($(of waiting) - in_rows)) -ge 0 ] && [ $(($(of waiting) - in_rows)) -lt 1000 ]
is "the states have waited for $(of waiting) ns, the rows for $in_rows" $? 0
[ "$(of waiting_idle)" -gt 0 ] && [ "$(of waiting_idle)" -lt "$(of waiting)" ]
is "a part of it is idle" $? 0
is "all calls are counted" "$(of futex_calls)" \
	"$(($(awk '{ n += $2 + $6 + $7 } END { print n + 2 }' "$out") + $(of futex_left_out)))"
is "three that are no waits or wakes" "$(of futex_left_out)" 3
is "locks that are not held do not count as locks" "$(of dynamic)" 1

"$tiptop" locks --format json -o "$report" -- "$futexes" storm handler >"$out" 2>"$err"
is "and those of signal handlers, which interrupt the measuring" "$(of futex_calls)" "$(awk '{ n += $2 + $6 + $7 } END { print n }' "$out")"
"$tiptop" locks --format json -o "$report" -- "$futexes" foreign >"$out" 2>"$err"
is "a mutex has no second row as a futex" "$(grep -c '"kind":"futex"' "$report") $(of futex_calls) $(of futex_left_out)" "0 2 2"
"$tiptop" locks --children --format csv -o "$report" -- "$futexes" child >"$out" 2>"$err"
is "a child has its own calls" "$(sums wakes)" "of_child 7"
"$tiptop" locks --live -b -d 0.1 -- "$futexes" queue >"$out" 2>"$err"
matches "while it runs" "$(cat "$out")" ".* futex +wait_for.* items .*"
is "nothing is said to be missing" "$(grep -c futex "$err")" 0

# --- other system calls ---
"$builddir/tests/program/numbers" >"$dir/want" 2>"$err"
is "system calls with numbers up to 600" $? 0
"$tiptop" locks -o "$report" -- "$builddir/tests/program/numbers" >"$dir/got" 2>"$err"
is "do as without tiptop" "$?$(diff "$dir/want" "$dir/got")" 0

# --- C++ ---
cat >"$dir/waits.cpp" <<'CODE'
#include <barrier>
#include <chrono>
#include <semaphore>
#include <thread>

static std::counting_semaphore<100> ready(0);
static std::barrier<> both(2);

/* Before it waits, the library yields the CPU several times. */
static void take()
{
	for (int i = 0; i < 2; i++)
		ready.acquire();
	both.arrive_and_wait();
}

int main()
{
	std::thread thread(take);

	for (int i = 0; i < 2; i++) {
		std::this_thread::sleep_for(std::chrono::milliseconds(250));
		ready.release();
	}
	std::this_thread::sleep_for(std::chrono::milliseconds(250));
	both.arrive_and_wait();
	thread.join();
}
CODE
if ${CXX:-c++} -std=c++20 -O1 -pthread -rdynamic -o "$dir/waits" "$dir/waits.cpp" 2>"$err"; then
	"$tiptop" locks --format csv --fields kind,idle,acquisitions,wakes -o "$report" -- "$dir/waits" >"$out" 2>"$err"
	is "std::counting_semaphore and std::barrier wait, idle" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["kind"] == "futex" { waits += $at["acquisitions"]; wakes += $at["wakes"]; idle[$at["idle"]] }
			END { for (i in idle) printf "%s ", i; print (waits >= 1), (wakes >= 1) }' "$report")" "1 1 1"
else
	skip "std::counting_semaphore" "there is no compiler for C++20"
fi

# --- Rust ---
cat >"$dir/waits.rs" <<'CODE'
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

static LOCK: Mutex<u64> = Mutex::new(0);

fn work() {
    for _ in 0..30 {
        let mut n = LOCK.lock().unwrap();
        *n += 1;
        thread::sleep(Duration::from_millis(1));
    }
}

fn main() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let theirs = pair.clone();
    let waiter = thread::spawn(move || {
        let mut ready = theirs.0.lock().unwrap();
        while !*ready {
            ready = theirs.1.wait(ready).unwrap();
        }
        thread::park();
    });
    let threads: Vec<_> = (0..3).map(|_| thread::spawn(work)).collect();
    for t in threads {
        t.join().unwrap();
    }
    *pair.0.lock().unwrap() = true;
    pair.1.notify_one();
    thread::sleep(Duration::from_millis(20));
    waiter.thread().unpark();
    waiter.join().unwrap();
}
CODE
if command -v rustc >"$out" && (cd "$dir" && rustc -g -o "$dir/rust" waits.rs) 2>"$err" >"$out"; then
	"$tiptop" locks --format csv -o "$report" -- "$dir/rust" >"$out" 2>"$err"
	is "std::sync::Mutex of Rust is a lock, its Condvar and park are idle" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["kind"] == "futex" && $at["acquisitions"] > 0 { n[$at["idle"]]++ }
			END { print (n[0] >= 1), (n[1] >= 2) }' "$report")" "1 1"
else
	skip "locks of Rust" "none can be made"
fi
finish
