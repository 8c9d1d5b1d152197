#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of the manual pages and of README: each one runs as printed, and its output is checked. They run for a
# shorter time, and without a terminal; tasks that they name exist.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# What runs them: "tiptop" and "ptiptop" of our own, which shorten the time.
mkdir "$dir/bin" "$dir/real" "$dir/run" "$dir/example"
ln -s "$tiptop" "$dir/real/tiptop"
ln -s "$tiptop" "$dir/real/ptiptop"
cat >"$dir/bin/tiptop" <<'SH'
#!/bin/sh
# -d 0.3 behind all other options, where the last one counts; batch mode where there would be a live screen.
more="-b -n 3"
for word; do
	case $word in
	-b | --list-* | --check) more= ;;
	--) exec "$real/${0##*/}" $more "$@" ;;
	esac
done
case " $* " in
*" --list-"* | *" --check "*) exec "$real/${0##*/}" "$@" ;;
esac
exec "$real/${0##*/}" "$@" $more -d 0.3
SH
chmod +x "$dir/bin/tiptop"
ln -s tiptop "$dir/bin/ptiptop"
printf '#!/bin/sh\necho done\n' >"$dir/bin/command"
chmod +x "$dir/bin/command"
real=$dir/real PATH=$dir/bin:$PATH
export real PATH

command -v mandoc >/dev/null || skip_all "mandoc, which renders the pages, is not installed"
# man_examples PAGE: those that begin with tiptop, ptiptop or <tiptop>, as the page shows them, with a line "----" behind
# each. The source is not asked: macros take quotes away.
man_examples() {
	mandoc -T html "$1" |
		awk '
		{ page = page $0 "\n" }
		# text_to TAG: what stands before it; the page goes on behind it.
		function text_to(tag, text) {
			text = substr(page, 1, index(page, tag) - 1)
			page = substr(page, index(page, tag) + length(tag))
			gsub(/<[^>]*>/, "", text)
			gsub(/&lt;/, "<", text)
			gsub(/&gt;/, ">", text)
			gsub(/&quot;/, "\"", text)
			gsub(/&amp;/, "\\&", text)
			return text
		}
		END {
			while (match(page, /<pre>|<div class="Bd[ \n]+Bd-indent"><code class="Li">/)) {
				start = substr(page, RSTART, RLENGTH)
				page = substr(page, RSTART + RLENGTH)
				if (start == "<pre>") {
					text = text_to("</pre>")
				} else {
					text = text_to("</code>")
					gsub(/[ \n]+/, " ", text)
				}
				print text "\n----"
			}
		}' |
		awk 'first == "" { first = $1 }
		{ text = text $0 "\n" }
		/^----$/ { if (first ~ /^(p?tiptop|<tiptop>)$/ && text !~ /"\.\.\."/) printf "%s", text; text = first = "" }'
}
# readme_examples: what README has in quotes.
readme_examples() {
	tr '\n' ' ' <"${srcdir:?}/README" | grep -oE '"p?tiptop [^"]*"' | tr -d '"' | sed 'a ----'
}
{
	for page in "${srcdir:?}"/man/tiptop[.-]*[17]; do
		man_examples "$page"
	done
	man_examples "$srcdir/man/tiptoprc.5"
	readme_examples
} | awk -v dir="$dir/example" '
	# Commands of tiptop itself need recordings, rights or programs of their own: their tests have them.
	/^----$/ { if (name) { close(name); n++ } name = ""; own = 0; next }
	!name && /^tiptop [a-z]/ { own = 1 }
	own { next }
	{ if (!name) name = sprintf("%s/%02d", dir, n); print >name }'
n_examples=$(find "$dir/example" -type f | wc -l)
within "there are examples" "$n_examples" 15 99

# The tasks. One has blanks in its name, works and touches pages; others come and go.
steps=''
for _ in 1 2 3 4 5 6 7 8 9 10; do
	steps="$steps touch=100 spin=20 duty=20:200"
done
# again NAME: a task that works, and another one when it has ended.
again() {
	while :; do
		# shellcheck disable=SC2086 # several words
		"$work" "name=$1" $2
	done &
	worker="$worker $!"
}
again "two words" "$steps $steps $steps"
again "dies soon" "touch=100 spin=60"
for name in python java cc1; do
	again $name "duty=30:3000"
done
cp "$srcdir/tiptoprc.example" "$dir/run"
head -c 3000000 /dev/zero >"$dir/run/large.iso"

# run_example: its output is in $out, what it said in $err, its exit status in $status.
run_example() {
	cd "$dir/run" || exit 1
	rm -f counts.txt large.iso.gz
	case $example in
	"<tiptop>"*)
		cp "$file" file
		tiptop --only-conf -W file --list-screens >"$out" 2>"$err" </dev/null
		;;
	*)
		sed "s/alice/$(id -un)/" "$file" >"$dir/command"
		sh "$dir/command" >"$out" 2>"$err" </dev/null
		;;
	esac
	status=$?
	[ ! -e counts.txt ] || cp counts.txt "$out"
	cd "$dir" || exit 1
}
# What each example must show: a pattern that all lines are like, some that a line is like, and one that none is like.
# Of those that are not named here, a row is wanted, as of batch mode.
expect() {
	all='.*' none='tiptop: .*'
	some1='tiptop - up .*' some2=' *[0-9]+[-+]? .*'
	case $1 in
	"<tiptop>"*) some1=" *0: 'uops', Micro-operations.*" some2='' ;;
	*page-faults*awk*)
		all='[1-9][0-9]* [^ ]+' none='.* (DEAD|<---|words|soon)'
		some1='[0-9]+ two_words' some2=''
		;;
	*default*awk*) all='[0-9]+ 0\.[0-9]+[~*]? [^ ]+' some1='' some2='' ;;
	*software*awk*)
		all='[0-9]+(\.[0-9])? [^ ]+' none='.* (DEAD|<---|words|soon)'
		some1='[0-9.]+ two_words' some2='[0-9.]+ dies_soon'
		;;
	*"-o counts.txt"*) some2=' *[0-9]+[-+]? .* gzip DEAD' ;;
	*list-events*awk*) all='[^ ]+ +[^ ]+ +[^ ]+ +yes .*' some1='' some2='' ;;
	*list-events*) some1='page-faults .*' some2='' ;;
	*list-screens*) some1=" *[0-9]+: 'software', .*" some2='' ;;
	*--check*) some1='Hardware counters' some2='' ;;
	*" -- "*) some1='done' ;;
	*python*) some2=' *[0-9]+[-+]? .*python.*' ;;
	*java*) some2=' *[0-9]+[-+]? .* java' ;;
	*cc*) some2=' *[0-9]+[-+]? .* cc1' ;;
	esac
}
has_line() {
	[ -z "$1" ] || grep -Eqx -- "$1" "$out"
}

# A message is not an error where this machine, or this user, cannot count what the example wants.
excuse='tiptop: .*(hardware counter|known here|refuse|perf_event_paranoid|seccomp).*'
for file in "$dir/example"/*; do
	example=$(cat "$file")
	title=$(head -n 1 "$file")
	expect "$example"
	# On a busy machine, a task may get no turn in the moment that is looked at.
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		run_example
		has_line "$some1" && has_line "$some2" && break
	done
	is "$title: exit status" $status 0
	is "$title: no other message" "$(grep -Evx "$excuse" "$err")" ""
	for pattern in "$some1" "$some2"; do
		has_line "$pattern"
		ok "$title: try $try has '$pattern'" $?
	done
	is "$title: each line is like '$all'" "$(grep -Evx -- "$all" "$out" | head -n 3)" ""
	is "$title: no line is like '$none'" "$(grep -Ex -- "$none" "$out")" ""
done

finish
