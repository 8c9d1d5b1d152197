#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop.hpp: compiled by each compiler for each standard, with and without exceptions; scopes on the same line, scopes with
# labels computed elsewhere, and scopes that coroutines move to other threads.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

include=${srcdir:?}/include
library=${builddir:?}/libtiptop.so.0
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Werror'

# has_compiler: $compiler can make a program.
has_compiler() {
	command -v "$compiler" >"$dir/text" && echo 'int main() {}' | "$compiler" -x c++ -o "$dir/empty" - 2>"$dir/text"
}
# knows STANDARD
knows() {
	echo 'int x;' | "$compiler" -x c++ "-std=$1" -fsyntax-only - 2>"$dir/text"
}
has_coroutines() {
	printf '#include <coroutine>\nstd::suspend_always always;\n' | "$compiler" -x c++ -std=c++20 -fsyntax-only - 2>"$dir/text"
}
# compile FILE OPTION...: to $dir/program.
compile() {
	file=$1
	shift
	# shellcheck disable=SC2086 # several options
	"$compiler" $warnings -I "$include" "$@" "$file" -o "$dir/program" "$library" -Wl,-rpath,"$builddir" -pthread >"$out" 2>"$err"
}
# measured ARGUMENT...: runs it; what the regions have goes to $dir/report, without the head.
measured() {
	: >"$dir/report"
	TIPTOP_REGIONS='' TIPTOP_FORMAT=csv TIPTOP_REPORT=$dir/report "$dir/program" "$@" >"$out" 2>"$err"
}
# sum TYPE LABEL: what lines of this type have as calls.
sum() {
	awk -F, -v type="$1" -v label="\"$2\"" '$1 == "type" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == type && $at["label"] == label { n += $at["calls"] } END { print n + 0 }' "$dir/report"
}
calls() {
	sum region "$1"
}
# lacks NAME: how many of these the report says.
lacks() {
	sum lack "$1"
}

cat >"$dir/scopes.cc" <<'END'
#include <cstdio>
#include <tiptop.hpp>
#include <utility>

static int count(int n)
{
	TIPTOP_SCOPE("first"); TIPTOP_SCOPE("second");

	if (n) {
		TIPTOP_SCOPE("inner");
		return n;
	}
	return 0;
}

struct part {
	tiptop::scope own;
	explicit part(const std::string &label) : own(label) {}
};

int main()
{
	tiptop::counters counters("page-faults,task-clock"), wrong("cycles:no-modifier");
	const tiptop::reading before = counters.read();
	int sum = 0;

	for (int n = 0; n < 6; n++) {
		const part whole("part " + std::to_string(n % 2));
		whole.own.work("bytes", 10);
		sum += count(n);
	}
	tiptop::counters moved(std::move(counters));
	tt_numbers numbers{};
	if (tt_enabled && (tt_get_numbers("part 1", TT_PROCESS, &numbers) || numbers.work[0] != 30))
		return 2;
	if (!moved || counters || wrong || wrong.size() || moved.since(before).size() != 2)
		return 1;
	std::printf("%d %s %s\n", sum, moved.name(0).c_str(), tt_strerror()[0] ? "said" : "silent");
	return 0;
}
END
sed -e 's/, wrong("cycles:no-modifier")//' -e 's/ || wrong || wrong.size()//' -e 's/^int main()/static int run()/' \
	"$dir/scopes.cc" >"$dir/thrown.cc"
cat >>"$dir/thrown.cc" <<'END'

int main()
{
	try {
		tiptop::counters wrong("cycles:no-modifier");
	} catch (const std::exception &error) {
		std::puts(error.what()[0] ? "thrown" : "empty");
	}
	return run();
}
END
# Two objects of one program, of which one has no exceptions and the other one no scopes.
cat >"$dir/other.cc" <<'END'
#include <tiptop.hpp>
int other();
int other()
{
	TIPTOP_SCOPE("other");
	const tiptop::scope named(std::string("named"));
	named.work("bytes", 1);
	return tiptop::counters("page-faults").size();
}
END
cat >"$dir/mixed.cc" <<'END'
#include <tiptop.hpp>
int other();
int main()
{
	TIPTOP_SCOPE("main");
	return other() + tiptop::counters("page-faults").size() != 2;
}
END
cat >"$dir/threads.cc" <<'END'
#include <coroutine>
#include <thread>
#include <tiptop.hpp>

struct task {
	struct promise_type {
		task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_never initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> handle;
};

static task run(const std::string label)
{
	const tiptop::scope whole(label);
	{
		TIPTOP_SCOPE("before");
	}
	co_await std::suspend_always{};
	{
		TIPTOP_SCOPE("behind");
	}
}

static void hop()
{
	task t = run("task");

	std::thread([&t] {
		const tiptop::scope other(std::string("task"));
		t.handle.resume();
	}).join();
	t.handle.destroy();
}

static void take_turns()
{
	task a = run("a"), b = run("b");

	a.handle.resume();
	b.handle.resume();
	a.handle.destroy();
	b.handle.destroy();
}

int main(int argc, char **)
{
	for (int n = 0; n < 10; n++) {
		TIPTOP_SCOPE("loop");
		argc > 1 ? hop() : take_turns();
	}
}
END

for compiler in g++ clang++; do
	has_compiler || { skip "$compiler" "it is not installed" && continue; }
	for standard in c++11 c++14 c++17 c++20 c++2b c++2c; do
		knows $standard || continue
		compile "$dir/thrown.cc" -std=$standard
		ok "$compiler -std=$standard without a warning" $?
		measured
		is "$compiler -std=$standard: an error is thrown, and counters and scopes work" \
			"$(tr '\n' ' ' <"$out")$(calls first) $(calls second) $(calls inner) $(calls 'part 0') $(calls 'part 1')" \
			"thrown 15 page-faults silent 6 6 5 3 3"
		compile "$dir/scopes.cc" -std=$standard -fno-exceptions -fno-rtti
		ok "$compiler -std=$standard without exceptions" $?
		measured
		is "$compiler -std=$standard: counters are not open then" \
			"$(cat "$out") $(calls first) $(calls second) $(calls inner) $(calls 'part 0') $(calls 'part 1')" \
			"15 page-faults said 6 6 5 3 3"
	done
	"$compiler" -std=c++11 -DTT_DISABLE -fno-exceptions -I "$include" -c "$dir/other.cc" -o "$dir/other.o" 2>"$err" &&
		! nm "$dir/other.o" | grep -q tt_region_
	ok "$compiler: TT_DISABLE leaves no code of scopes" $?
	compile "$dir/mixed.cc" "$dir/other.o" && measured
	is "$compiler: objects with and without exceptions and scopes are one program" "$? $(calls main) $(calls other)" "0 1 0"
	has_coroutines || { skip "$compiler: coroutines" "it has none" && continue; }
	for optimize in -O0 -O2; do
		compile "$dir/threads.cc" -std=c++20 $optimize
		ok "$compiler $optimize: coroutines" $?
		measured hop
		is "$compiler $optimize: of a scope that ends in another thread the report says that it has no end" \
			"$(calls task) $(calls before) $(calls behind) $(calls loop) $(lacks abandoned) $(lacks unmatched)" "10 10 10 10 10 0"
		measured
		is "$compiler $optimize: and of scopes that take turns, that the first end was not of the last begin" \
			"$(calls a) $(calls b) $(calls before) $(calls behind) $(calls loop) $(lacks abandoned) $(lacks unmatched)" \
			"10 0 20 20 10 10 10"
	done
done
finish
