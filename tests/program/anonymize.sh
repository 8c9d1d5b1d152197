#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --anonymize: the pages of all commands tell nothing of users, hosts, folders, arguments and recordings.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# A folder and files with names that identify, one of which would be markup.
secret="$dir/alice&carol <b>roadmap"
mkdir -p "$secret"
cp "$(command -v sort)" "$secret/tool"
seq 5000 >"$secret/roadmap.txt"
cd "$secret" || exit 1

# leaks FILE: the lines of a page that have a name.
leaks() {
	grep -c -F -e roadmap -e alice -e carol -e "$dir" -e "\"$(uname -n)\"" -e a.db -e b.db "$1"
}
# page NAME [arguments]: the page is written, tells its numbers, and no name.
page() {
	name=$1
	shift
	"$tiptop" "$@" -o "$dir/named.html" --format html -- ./tool roadmap.txt >"$out" 2>"$err"
	"$tiptop" "$@" -o "$dir/$name.html" --format html --anonymize -- ./tool roadmap.txt >"$out" 2>"$err"
	ok "$name: a page" $?
	within "$name: names would be there" "$(leaks "$dir/named.html")" 1 1000
	is "$name: there are none" "$(leaks "$dir/$name.html")" 0
	within "$name: the program is" "$(grep -c '"command":\["tool"\]' "$dir/$name.html")" 1 1
}
if [ -r "${builddir:-.}/tiptop-locks.so" ]; then
	page locks locks
	page calls calls
	page follow follow
else
	skip "locks, calls, follow" "there is no object to preload"
fi

# recorded NAME: a recording of users on a host.
recorded() {
	sh -c 'i=0; while [ $i -lt 60 ]; do ./tool roadmap.txt >/dev/null; i=$((i + 1)); done' &
	"$tiptop" -b -S tasks -n 5 -d 0.2 -i --record "$1" >"$out" 2>"$err"
	recorded=$?
	wait
	return $recorded
}
if recorded a.db && recorded b.db; then
	for words in "what a.db" "compare a.db b.db" "compare a.db,from=+0 b.db"; do
		# shellcheck disable=SC2086
		"$tiptop" $words -o "$dir/named.html" --format html >"$out" 2>"$err"
		# shellcheck disable=SC2086
		"$tiptop" $words -o "$dir/page.html" --format html --anonymize >"$out" 2>"$err"
		ok "$words: a page" $?
		within "$words: names would be there" "$(leaks "$dir/named.html")" 1 1000
		is "$words: there are none" "$(leaks "$dir/page.html")" 0
		within "$words: a made-up one is" "$(grep -c recording1 "$dir/page.html")" 1 100
	done
	"$tiptop" compare a.db b.db a.db b.db a.db -o "$dir/page.html" --format html --anonymize >"$out" 2>"$err"
	is "five sides: the head has all" "$(grep -o '"command":\[[^]]*\]' "$dir/page.html")" \
		'"command":["recording1","recording2","recording1","recording2","recording1"]'
	"$tiptop" report a.db -o "$dir/page.html" --anonymize
	is "report a.db: none in its page" "$(leaks "$dir/page.html")" 0
else
	skip "recordings" "this tiptop writes none"
fi
"$tiptop" compare --run './tool roadmap.txt' --run './tool -r roadmap.txt' --repeat 2 --format html --anonymize \
	-o "$dir/page.html" >"$out" 2>"$err"
is "compare --run: a page without names" "$? $(leaks "$dir/page.html")" "0 0"

# Of several reports of regions, too.
for report in first second third alice; do
	cp "${srcdir:?}/tests/golden/saved/regions-a.txt" "$report.json"
done
"$tiptop" compare first.json second.json third.json alice.json --format html --anonymize -o "$dir/page.html" >"$out" 2>"$err"
is "compare, four reports: a page without names" "$? $(leaks "$dir/page.html")" "0 0"

for words in "what a.db" "compare a.db b.db" "locks -- true" "calls -- true" "follow -- true" "system --raw -c context-switches"; do
	# shellcheck disable=SC2086
	"$tiptop" ${words%% *} --anonymize --format json ${words#* } >"$out" 2>"$err"
	is "$words: other formats keep the names" "$? $(grep -c 'anonymize: .*: add --format html' "$err")" "2 1"
done
finish
