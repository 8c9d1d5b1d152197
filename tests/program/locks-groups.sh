#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop locks --group: the rows of a group are the sum of those of its locks and callers, as the program locker.c counts them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

locker=${builddir:?}/tests/program/locker
report=$dir/report

# measure FORMAT KEY STEP...: the rows are in $report then, what the program counts in $out.
measure() {
	format=$1 key=$2
	shift 2
	"$tiptop" locks --group "$key" --format "$format" -o "$report" -- "$locker" "$@" >"$out" 2>"$err"
}

# cells COLUMN...: of each row.
cells() {
	awk -F, -v names="$*" '
	NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }' "$report"
}

measure csv variable mutex rwlock many
is "an array of locks is one row, up to the records of a table" "$(cells name acquisitions kind | grep -c '^many 24[0-9]* mutex$')" 1
is "what comes later has a row by its first caller" "$(cells name acquisitions | grep '^many \|^\[' | awk '{ n += $2 } END { print n }')" 40000
is "a variable with several callers is one row, too" "$(cells name addresses acquisitions kind | grep '^shared ')" "shared 1 250 rwlock"
is "one row for each variable" "$(cells name | sort | uniq -d)" ""

measure csv lock mutex rwlock cond barrier
said=$(awk '{ print $1, $2 }' "$out" | sort)
is "of each lock as many acquisitions as the program says" "$(cells name acquisitions | grep -v '^cond ' | sort)" "$said"
measure csv kind mutex rwlock cond barrier
is "and the same in all of each kind" "$(cells name acquisitions | awk '$1 != "cond" { n += $2 } END { print n }')" \
	"$(awk '{ n += $2 } END { print n }' "$out")"
is "rows are kinds" "$(cells name kind | awk '$1 != $2')" ""
measure csv place mutex
ok "rows are places, each with its source or without" "$(cells name caller | awk '$1 != $2 { bad = 1 } END { print bad + !NR }')"

measure json process mutex barrier
is "the report says what its rows are" "$(grep -o '"group":"[a-z]*"' "$report")" '"group":"process"'
is "locks are not added to idle waits" "$(grep -o '"name":"[a-z ]*"' "$report" | sort | tr '\n' ' ')" \
	'"name":"idle waits" "name":"locks" '
is "the sum is that of the process" "$(sed -n '/"name":"locks"/s/.*"acquire":{"n":\([0-9]*\),.*/\1/p' "$report")" \
	"$(sed -n '1s/.*"dynamic":\([0-9]*\),.*/\1/p' "$report")"

measure csv thread mutex
is "--group thread is --threads" "$(head -n 1 "$report" | cut -d, -f1-3)" "pid,tid,name"

# Two files have a variable of this name each.
for file in one two; do
	cat >"$dir/$file.c" <<-END
		#include <pthread.h>
		static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
		void $file(void)
		{
			pthread_mutex_lock(&lock);
			pthread_mutex_unlock(&lock);
		}
	END
done
cat >"$dir/main.c" <<-END
	void one(void), two(void);
	int main(void)
	{
		one(), one(), two();
		return 0;
	}
END
gcc -O1 "$dir/one.c" "$dir/two.c" "$dir/main.c" -o "$dir/same" -pthread >"$out" 2>"$err"
ok "a program is built with two variables of one name" $?
"$tiptop" locks --group variable --format csv -o "$report" -- "$dir/same" >"$out" 2>"$err"
is "each of them is a row" "$(cells name acquisitions addresses | sort | tr '\n' ' ')" "lock 1 1 lock 2 1 "

"$tiptop" locks --group place --threads -- "$locker" mutex >"$out" 2>"$err"
is "--threads has no places" $? 2
ok "a sentence says why" "$(grep -q 'numbers of a thread are not kept by place' "$err"; echo $?)"
"$tiptop" locks --group thread --folded "$dir/folded" -- "$locker" mutex >"$out" 2>"$err"
is "nor have waits threads" $? 2
"$tiptop" locks --group owner -- "$locker" mutex >"$out" 2>"$err"
is "there is no other group" $? 2
finish
