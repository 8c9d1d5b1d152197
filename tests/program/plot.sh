#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# tiptop plot: recordings of this machine, drawn by the real gnuplot; names of tasks, columns and files that contain
# commands are quoted.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if "$tiptop" -b -n 1 -d 0.1 --record "$dir/try.db" 2>&1 | grep 'without SQLite' >"$dir/text"; then
	skip_all "$(cat "$dir/text")"
fi
command -v gnuplot >"$dir/text" || skip_all "gnuplot is not installed"

# plot NAME STATUS WORD...
plot() {
	plot_name=$1 plot_status=$2
	shift 2
	"$tiptop" plot "$@" >"$out" 2>"$err" </dev/null
	is "$plot_name: status" $? "$plot_status"
}
# refuses NAME STATUS PATTERN WORD...
refuses() {
	refused=$1 wanted=$2 pattern=$3
	shift 3
	plot "$refused" "$wanted" "$@"
	matches "$refused: a sentence" "$(tail -n 1 "$err")" "$pattern"
}
# size FILE: width and height of a PNG.
size() {
	od -A n -t u1 -j 16 -N 8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'
}

# cut_texts FILE: how many texts of an SVG do not stand within it, with what goes below their lines.
cut_texts() {
	awk -F '[(,)"]' '
		/^ *width=/ { width = $2; height = $4 }
		/translate\([0-9.-]*,[0-9.-]*\)/ && /font-family/ {
			rotated = /rotate\(270\)/
			cut += $3 < 12 || $3 + 4 > width || $4 < 10 || (!rotated && $4 + 4 > height)
		}
		END { print height ? cut + 0 : "no SVG" }' "$1"
}

# A name that is a command for gnuplot, one for a shell, one that is markup; the column is one, too.
cat >"$dir/screens" <<'XML'
<tiptop>
  <screen name="mine">
    <column header=" `touch GONE`" id="cpu2" format="%5.1f" expr="2 * CPU_TOT"/>
    <column header=" x'; system('touch GONE') #" id="faults" format="%5.0f" expr="delta(MINFLT)"/>
    <column header=" TINY" id="tiny" format="%8.6f" expr="-delta(MINFLT) / 1000000"/>
  </screen>
</tiptop>
XML
mine="-W $dir/screens -S mine"
work_start 'name=`touch GONE`' wait touch=500 wait touch=100 wait
# shellcheck disable=SC2086 # two options
"$tiptop" -b $mine -d 0.05 -i --record "$dir/r.db" -o "$dir/shown" >"$out" 2>"$err" 3>&- &
monitor=$!
shown() {
	[ -e "$dir/shown" ] && [ "$(grep -c '^$' "$dir/shown")" -ge "$1" ]
}
await shown 2
feed
await shown 5
feed
await shown 20
await shown $(($(grep -c '^$' "$dir/shown") + 2))
watch_end
task="pid=$worker"
work_end
# shellcheck disable=SC2016 # no command of ours
strange="$dir/\`touch GONE\`'\"{x}.db"
cp "$dir/r.db" "$strange"
set -- -W "$dir/screens" -S mine

plot "a PNG" 0 "$@" "$dir/r.db,$task" -c cpu2,faults -o "$dir/a.png"
is "is one" "$(head -c 4 "$dir/a.png" | tail -c 3)" PNG
is "of two panels" "$(size "$dir/a.png")" "1000 576"
is "nothing else is said" "$(cat "$err")" ""
plot "an SVG" 0 "$@" "$dir/r.db,$task" "$strange,$task" -c cpu2,faults -o "$dir/a.svg"
within "names are texts of it" "$(grep -c 'touch GONE' "$dir/a.svg")" 3 9
is "all texts are within it" "$(cut_texts "$dir/a.svg")" 0
plot "an SVG of one panel" 0 "$@" "$dir/r.db,$task" -c cpu2 -o "$dir/c.svg"
is "the title of its axis is within it" "$(cut_texts "$dir/c.svg")" 0
plot "a small one" 0 "$@" "$dir/r.db,$task" -c cpu2 --size 400x200 -o "$dir/d.svg"
is "so is that of a small one" "$(cut_texts "$dir/d.svg")" 0
plot "two parts of a file" 0 "$@" "$dir/r.db,$task,to=+99" "$task" -c cpu2 -o "$dir/f.svg"
within "the part is in the name of a curve" "$(grep -c '<text>.*, .*,to=+99<' "$dir/f.svg")" 1 9
is "all texts are within it" "$(cut_texts "$dir/f.svg")" 0
plot "one of small numbers" 0 "$@" "$dir/r.db,$task" -c tiny -o "$dir/e.svg"
is "so is the title of an axis of these" "$(cut_texts "$dir/e.svg")" 0
plot "over what was counted" 0 "$@" "$dir/r.db,$task" -c cpu2 --over faults --size 600x300 -o "$dir/b.png"
is "of this size" "$(size "$dir/b.png")" "600 300"
is "no name was a command" "$(find "$dir" "$HOME" -name GONE)" ""

# The queries of the page, of a recording of another compiler beside it; FP_ASSIST is not counted here.
if command -v sqlite3 >"$dir/text"; then
	cp "$dir/r.db" "$dir/icc.db"
	awk '/^    (select|attach)/ { on = 1 } on && !/fp-assists/ { print } /;$/ { on = 0 }' "${srcdir:?}/doc/plots.md" |
		sed "/^    select sample.wall_ns/,/;/d; s/'program'/'\`touch GONE\`'/" >"$dir/queries"
	within "plots.md has queries" "$(grep -c ';$' "$dir/queries")" 4 9
	(cd "$dir" && sqlite3 -bail r.db <"$dir/queries") >"$out" 2>"$err"
	is "which sqlite3 answers" "$?$(cat "$err")" 0
	within "with numbers of the process" "$(grep -c '^[0-9.]*|' "$out")" 5 500
fi

mkdir "$dir/fake"
cat >"$dir/fake/gnuplot" <<'SH'
#!/bin/sh
printf '\nset terminal foo\n             ^\n         line 7: no such terminal\n\n' >&2
exit 1
SH
chmod +x "$dir/fake/gnuplot"
cp "$dir/a.png" "$dir/before"
env PATH="$dir/fake:$PATH" "$tiptop" plot "$@" "$dir/r.db,$task" -o "$dir/a.png" >"$out" 2>"$err"
is "a gnuplot that fails: status" $? 1
matches "it is told" "$(cat "$err")" "tiptop: gnuplot could not draw: line 7: no such terminal"
cmp "$dir/before" "$dir/a.png"
ok "and the picture of before stays" $?
cat >"$dir/fake/gnuplot" <<'SH'
#!/bin/sh
i=0
while [ $i -lt 300 ]; do
	echo "line $i: warning: a curve without points"
	i=$((i + 1))
done >&2
echo "line 300: no such terminal" >&2
exit 1
SH
env PATH="$dir/fake:$PATH" "$tiptop" plot "$@" "$dir/r.db,$task" -o "$dir/a.png" >"$out" 2>"$err"
is "a gnuplot that says much: the last line is the reason" "$? $(cat "$err")" \
	"1 tiptop: gnuplot could not draw: line 300: no such terminal"
printf '#!/bin/sh\nexec truncate -s 300M /dev/fd/1\n' >"$dir/fake/gnuplot"
env PATH="$dir/fake:$PATH" "$tiptop" plot "$@" "$dir/r.db,$task" -o "$dir/a.png" >"$out" 2>"$err"
matches "a picture that is too large: it is told" "$? $(cat "$err")" "1 tiptop: plot: the picture is larger than 256 MiB: .*"
cmp "$dir/before" "$dir/a.png"
ok "and the picture of before stays" $?
env PATH="$dir/none" "$tiptop" plot "$@" "$dir/r.db,$task" -o "$dir/a.png" >"$out" 2>"$err"
is "no gnuplot: status" $? 1
matches "no gnuplot: where it is to be had" "$(cat "$err")" "tiptop: pictures are drawn by gnuplot, which is not installed: .*"

refuses "no picture" 2 "tiptop: plot: -o is missing: .*" "$dir/r.db"
refuses "another format" 2 "tiptop: plot: '.*' \(-o\) is not a picture: .*" "$dir/r.db" -o "$dir/a.gif"
refuses "no recording" 2 "tiptop: plot: a recording is missing: 'tiptop --record FILE' writes one .* 'tiptop plot FILE -o PICTURE.svg' reads it" -o "$dir/a.png"
refuses "neither a recording nor a picture" 2 "tiptop: plot: a recording is missing: .*"
refuses "no such column" 2 "tiptop: there is no column 'x' .*" "$@" "$dir/r.db" -c x -o "$dir/a.png"
refuses "an axis that does not count" 2 "tiptop: plot: 'cpu2' \(--over\) .*" "$@" "$dir/r.db" --over cpu2 -o "$dir/a.png"
refuses "no size" 2 "tiptop: plot: '1x1' is not a size .*" "$@" "$dir/r.db" --size 1x1 -o "$dir/a.png"
refuses "no such task" 1 "tiptop: '.*' has no interval of such tasks: .*" "$@" "$dir/r.db,pid=nobody-of-this-name" -o "$dir/a.png"
refuses "what was not counted" 1 "tiptop: there is no number of 'ipc' to draw: .*" "$dir/r.db,$task" -S default -c ipc -o "$dir/a.png"
refuses "a folder that is not there" 1 "tiptop: cannot write '.*': No such file or directory" "$@" "$dir/r.db,$task" -o "$dir/none/a.png"
finish
