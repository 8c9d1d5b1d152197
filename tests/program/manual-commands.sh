#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of tiptop's commands in the manual pages, in their --help and in README: each runs as printed, for a shorter
# time, on recordings, reports, files and programs with the names that it uses. examples.sh has all other examples,
# system-examples.sh those of tiptop system.
# shellcheck source=lib.sh disable=SC2016 # texts of shells are for these shells
. "$(dirname "$0")/lib.sh"

command -v mandoc >/dev/null || skip_all "mandoc, which renders the pages, is not installed"
[ -w /dev/shm ] || skip_all "there is no /dev/shm"
mkdir "$dir/bin" "$dir/run" "$dir/real"
if "$tiptop" -b -n 1 -d 0.1 --record "$dir/run/try.db" 2>&1 | grep -q 'without SQLite'; then
	skip_all "built without SQLite"
fi
own_tables
# The examples have screens whose events must be known of the CPU.
TIPTOP_CPU=x86:06_9E
export TIPTOP_CPU

# What the commands run, and what they read.
ln -s "$tiptop" "$dir/real/tiptop"
cat >"$dir/bin/tiptop" <<'SH'
#!/bin/sh
# Text in the place of a live screen, a few refreshes or rounds.
case " $* " in
" compare "*" --run "*)
	shift
	set -- compare --repeat 3 --warmup 0 "$@"
	;;
" import "*)
	shift
	set -- import --for-cpu 06_9E "$@"
	;;
*" --live "*)
	command=$1
	shift
	set -- "$command" -b -d 0.2 "$@"
	;;
" regions "[a-z]*)
	# The program of the example has no regions here: no row is found.
	shift
	said=$("$real/tiptop" regions -b -n 2 -d 0.2 "$@" 2>&1)
	status=$?
	echo "$said"
	case $status,$said in
	"1,"*"no task has 'program' in its name (-p)"*) exit 0 ;;
	*) exit $status ;;
	esac
	;;
esac
exec "$real/tiptop" "$@"
SH
printf '#!/bin/sh\ntrue; sleep 0.5\n' >"$dir/bin/make"
printf '#!/bin/sh\nexec sleep 0.6\n' >"$dir/bin/program"
for side in old new; do
	printf '#!/bin/sh\nexec sleep 0.01\n' >"$dir/run/$side"
done
chmod +x "$dir/bin"/* "$dir/run/old" "$dir/run/new"
real=$dir/real PATH=$dir/bin:$PATH
export real PATH
cd "$dir/run" || exit 1

# Two tasks, recorded.
for name in postgres simulate; do
	"$work" "name=$name" "duty=30:60000" &
	worker="$worker $!"
done
# shellcheck disable=SC2086 # pids
set -- $worker
first=$1 second=$2
"$tiptop" -b -n 16 -d 0.05 -S default --record r.db >"$out" 2>"$err"
for name in gcc clang icc a b day old new web db; do
	cp r.db $name.db
done
kill "$first" "$second"
wait "$first" "$second" 2>"$out"
worker=
# Reports of runs, a group of likwid, a function that is not in config/calls.list.
for name in old1 old2 old3 new1 new2 new3; do
	"$tiptop" locks --format json -o $name -- true 2>"$err"
done
printf 'SHORT x\n\nEVENTSET\nFIXC0 INSTR_RETIRED_ANY\nFIXC1 CPU_CLK_UNHALTED_CORE\n\nMETRICS\nCPI  FIXC1/FIXC0\nLONG\n' >FLOPS_DP.txt
mkdir -p "$HOME/.config/tiptop"
printf 'include <unistd.h>\nother long gethostid(void)\n' >zlib.list

# examples_of PAGE: the command lines in its displays.
examples_of() {
	mandoc -T html "$1" | tr '\n' '\001' | sed 's/<pre>/\n<pre>/g; s/<code class="Li">/\n<code>/g' |
		sed -nE 's|^<pre>([^<]*)</pre>.*|\1|p; s|^<code>(TIPTOP[^<]*)</code>.*|\1|p; s|^<code>(tiptop [^<]*)</code>.*|\1|p' |
		sed -E '/^tiptop/!d; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' | tr '\001' '\n' |
		awk '/^[^t]/ { line = line " " $0; next } { if (line != "") print line; line = $0 } END { if (line != "") print line }'
}
{
	for page in "${srcdir:?}"/man/tiptop-*.[17]; do
		examples_of "$page" | tr -s ' '
	done
	for command in $("$tiptop" --help=all | sed -n '/^Commands of tiptop/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
		"$tiptop" "$command" --help | sed -n 's/^Example: //p'
	done
} | grep -E '^tiptop [a-z]' | grep -v '^tiptop system' | sort -u >"$dir/examples"
cp "$srcdir/README" .
sed -n '/^Five things/,/^Marks/s/^  \(tiptop [a-z-].*\)/\1/p' README >>"$dir/examples"
within "there are examples" "$(wc -l <"$dir/examples")" 25 60

# The times and tasks of the recordings take the place of those that the manual has.
while read -r line; do
	example=$(echo "$line" | sed "s/from=14:00/from=+0.1/; s/14:00/+0.3/; s/14:10/+0.4/; s/from=+60/from=+0.2/; s/pid=4711/pid=$first/
		s/pid=4712/pid=$second/; s/\"db\"/\"$(id -un)\"/; s/-n 60/-n 2/; s/ file -- / live.db -- /; s/--from +0.3/--from +0.1/; s/ -c ipc/ -c cpu/; s/cpu,miss/cpu,sys/
		s/--kernel 4711/--kernel -n 2 $$/")
	case $line in
	*plot*)
		command -v gnuplot >"$out" || { skip "$line" "gnuplot is not installed" && continue; }
		example=$(echo "$example" | sed 's/--over minstr/--over time/')
		;;
	*locks* | *" old1,"*) [ -r "${builddir:?}/tiptop-locks.so" ] || { skip "$line" "the object was not built" && continue; } ;;
	*calls*) [ -r "${builddir:?}/tiptop-calls.so" ] || { skip "$line" "the object was not built" && continue; } ;;
	esac
	rm -f report live.db
	timeout 60 sh -c "$example" >"$out" 2>"$err" </dev/null
	status=$?
	case $(cat "$err") in
	*"cannot be followed"* | *"no hardware counter for"*"tiptop: follow"*) skip "$line" "$(head -n 1 "$err")" ;;
	*"tiptop: --kernel: "*) skip "$line" "$(head -n 1 "$err")" ;;
	*) is "$line" "$status" 0 ;;
	esac
done <"$dir/examples"
finish
