#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of doc/system.md, and of tiptop system in the manual page: each one runs as printed, for a shorter time, and
# its output is checked.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

mkdir "$dir/bin" "$dir/run"
cat >"$dir/bin/tiptop" <<'SH'
#!/bin/sh
# Two intervals of 0.1 s in the place of what is said; with a command, until it ends.
for word; do
	shift
	case $command$word in
	--)
		command=command:
		set -- "$@" 0.1 --
		;;
	[0-9]*) ;;
	*) set -- "$@" "$word" ;;
	esac
done
[ "$command" ] || set -- "$@" 0.1 2
exec "$real" "$@"
SH
printf '#!/bin/sh\nsleep 0.3\n' >"$dir/bin/make"
chmod +x "$dir/bin/tiptop" "$dir/bin/make"
real=$tiptop PATH=$dir/bin:$PATH
export real PATH

{
	sed -nE 's/^    (tiptop system.*)/\1/p' "${srcdir:?}/doc/system.md" | sed -E 's/  +.*//'
	sed -nE 's/^(\.Dl )?(tiptop system .*)/\2/p' "$srcdir"/man/tiptop[.-]*1
} >"$dir/examples"
within "there are examples" "$(wc -l <"$dir/examples")" 12 40

if ! "$tiptop" system --spread all 0.1 1 >"$out" 2>"$err"; then
	skip "the examples" "CPUs may not be counted here: $(head -n 1 "$err")"
	finish
fi
while read -r example; do
	rm -f "$dir/run/day.csv"
	(cd "$dir/run" && sh -c "$example") >"$out" 2>"$err" </dev/null
	status=$?
	if [ $status -eq 2 ] && grep -q '^tiptop: the screen .* cannot be shown here: it needs ' "$err"; then
		is "$example: the screen is not for this CPU, and nothing is written" "$(wc -c <"$out")" 0
		continue
	fi
	is "$example: exit status" $status 0
	case $example in
	*"-o day.csv"*) is "$example: its file" "$(awk -F, 'NR > 1 && $3 != "socket" { bad = 1 } END { print (NR > 1 && !bad) }' "$dir/run/day.csv")" 1 ;;
	*--raw*) is "$example: ticks, and their sum" "$(awk '{ n[$3]++ } END { print (n["tick"] > 0 && n["total"] > 0) }' "$out")" 1 ;;
	*) is "$example: lines, and that of the whole time" "$(awk '/^# all of the last/ { all = NR } END { print (all > 2 && NR > all) }' "$out")" 1 ;;
	esac
done <"$dir/examples"
finish
