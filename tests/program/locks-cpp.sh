#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Locks of the C++ library are POSIX locks: the counts of each agree with the report of the program.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

[ -r "${builddir:?}/tiptop-locks.so" ] || skip_all "the object was not built"
command -v jq >"$out" || skip_all "there is no jq"
cat >"$dir/plus.cpp" <<'CODE'
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
std::mutex plain, with_cond;
std::recursive_mutex again;
std::timed_mutex timed;
std::shared_mutex both;
std::condition_variable cond;
bool ready;

int main()
{
	for (int i = 0; i < 100; i++)
		std::lock_guard<std::mutex> lock(plain);
	for (int i = 0; i < 10; i++) {
		std::lock_guard<std::recursive_mutex> one(again), more(again);
	}
	for (int i = 0; i < 20; i++)
		if (timed.try_lock_for(1h))
			timed.unlock();
	for (int i = 0; i < 30; i++)
		std::shared_lock<std::shared_mutex> lock(both);
	for (int i = 0; i < 40; i++)
		std::unique_lock<std::shared_mutex> lock(both);
	std::unique_lock<std::mutex> lock(with_cond);
	std::thread other([] {
		std::lock_guard<std::mutex> own(with_cond);
		ready = true;
		cond.notify_one();
	});
	while (!ready)
		cond.wait(lock);
	lock.unlock();
	other.join();
}
CODE
${CXX:-c++} -std=c++17 -pthread -o "$dir/plus" "$dir/plus.cpp" 2>"$err" || skip_all "there is no compiler for C++"
"$tiptop" locks --format json -o "$dir/report" -- "$dir/plus" >"$out" 2>"$err"
is "the program ends well" $? 0

# counts NAME KIND KEY
counts() {
	jq -s --arg name "$1" --arg kind "$2" '[.[] | select(.name == $name and .kind == $kind) | .'"$3"'] | add // 0' "$dir/report"
}
is "std::mutex" "$(counts plain mutex acquisitions)" 100
is "std::recursive_mutex, which it has already" "$(counts again mutex acquisitions) $(counts again mutex nested)" "20 10"
is "std::timed_mutex" "$(counts timed mutex acquisitions)" 20
is "std::shared_mutex" "$(counts both rwlock-read acquisitions) $(counts both rwlock-write acquisitions)" "30 40"
waits=$(counts cond cond acquisitions)
within "std::condition_variable" "$waits" 1 3
is "whose mutex is held once more with each wait" \
	"$(counts with_cond mutex acquisitions) $(counts with_cond mutex hold.n)" "2 $((2 + waits))"
finish
