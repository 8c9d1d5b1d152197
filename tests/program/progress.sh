#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Work that takes longer than a second shows its progress on a terminal, in a line that is removed at the end; and not in a
# file, on a terminal that cannot remove it, or in the output of a measured command.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

terminal=$builddir/tests/program/terminal
TERM=xterm
export TERM

# on_terminal STEP... -- COMMAND...: in a terminal of its own; what is read of it is in $dir/read, what the steps say in
# $dir/steps.
on_terminal() {
	rm -f "$dir/read"
	"$terminal" "copy=$dir/read" "$@" >"$dir/steps" 2>"$err"
}
# remains: the lines that stand on the terminal in the end, by what "\r" and "\e[K" do.
remains() {
	tr '\n' '\r' <"$1" | awk 'BEGIN { RS = "\r" } {
		n = split($0, piece, "\033\\[K")
		for (i = 1; i <= n; i++) {
			if (i > 1)
				line = substr(line, 1, at)
			line = substr(line, 1, at) piece[i] substr(line, at + length(piece[i]) + 1)
			at += length(piece[i])
		}
		at = 0
	} END { print line }'
}
# slow: a command that takes some time, by which a run is told from another.
cat >"$dir/slow" <<'CODE'
#!/bin/sh
echo printed
exec sleep 0.4
CODE
chmod 755 "$dir/slow"

# --- compare --run ---
race="compare --repeat 4 --run $dir/slow --run $dir/slow"
# shellcheck disable=SC2016 # the shell in the terminal expands it
to_file='"$@" >"$OUT"; echo ended'
export OUT="$dir/result"
# shellcheck disable=SC2086 # words
on_terminal 'show=tiptop: run ' 'show= A 0.' 'show= left' show=ended end -- sh -c "$to_file" sh "$tiptop" $race
is "two commands in turns: which run, what one takes, and how long it will be" "$(cat "$dir/steps")" "show tiptop: run : yes
show  A 0.: yes
show  left: yes
show ended: yes
exit 0"
is "nothing of it remains" "$(remains "$dir/read")" ended
is "nor is it in the result" "$(grep -c 'tiptop: run\|left' "$OUT")" 0
grep -q ' of 4$\|4 runs' "$OUT"
ok "which is there" $?
# shellcheck disable=SC2086 # words
"$tiptop" $race >"$out" 2>"$err"
is "nothing in files: standard error" "$(grep -c run "$err")" 0
is "and output" "$(tr -dc '\033\r' <"$out" | wc -c)" 0
# shellcheck disable=SC2086 # words
on_terminal 'show=rounds' end -- env TERM=dumb "$tiptop" $race
is "nor on a terminal that cannot remove it" "$(grep -c 'tiptop: run' "$dir/read")" 0

# shellcheck disable=SC2086 # words
on_terminal 'show= left' 'type=^C' show=ended -- sh -c "trap : INT; $to_file" sh "$tiptop" \
	compare --repeat 100 --run "$dir/slow" --run "$dir/slow"
is "Ctrl-C ends it" "$(cat "$dir/steps")" "show  left: yes
show ended: yes"
is "and nothing of the line remains" "$(remains "$dir/read" | sed 's/^\^C//')" ended

# --- a job in the background is not stopped by it, though the terminal would stop who writes there ---
# shellcheck disable=SC2086 # words
on_terminal 'show=status 0' end -- sh -c "stty tostop; set -m; \"\$@\" >\"\$OUT\" & wait \$!; s=\$?; stty -tostop; echo status \$s" sh \
	"$tiptop" $race
is "a job in the background goes on" "$(cat "$dir/steps")" "show status 0: yes
exit 0"
is "and writes nothing" "$(grep -c 'tiptop: run' "$dir/read")" 0

# --- --repeat: the command has the terminal ---
on_terminal 'show=runs, all ended' end -- "$tiptop" --repeat 5 -- "$dir/slow"
is "a command that runs several times ends" "$(cat "$dir/steps")" "show runs, all ended: yes
exit 0"
tr -d '\r' <"$dir/read" >"$dir/lines"
within "lines say which run comes" "$(grep -c '^tiptop: run [2-5] of 5 \[[#.]*\] [0-9.]* s, about [0-9]* s left$' "$dir/lines")" 1 4
is "the command has printed lines of its own" "$(grep -c '^printed$' "$dir/lines")" 5
is "nothing was removed there" "$(tr -dc '\033' <"$dir/lines" | wc -c)" 0
"$tiptop" --repeat 5 -- "$dir/slow" >"$out" 2>"$err"
is "nothing in files" "$(cat "$out" "$err" | grep -c 'tiptop: run')" 0

# --- recordings: nothing is shown where a machine reads this one within a second ---
make=$builddir/bench/recording file=$dir/long.db
# reads NAME COMMAND...: the line of each file that it reads, with a share and an estimate; and nothing remains.
reads() {
	name=$1 begin=$(date +%s)
	shift
	on_terminal show=ended -- sh -c "$to_file" sh "$@"
	if [ $(($(date +%s) - begin)) -lt 2 ]; then
		skip "$name" "it took less than two seconds"
		return
	fi
	tr '\r' '\n' <"$dir/read" >"$dir/lines"
	within "$name: lines say how far it is" \
		"$(grep -c '^tiptop: reading long.db [0-9]* % \[[#.]*\] about [0-9]* s left' "$dir/lines")" 1 1000
	is "$name: nothing remains" "$(remains "$dir/read")" ended
}
if [ -x "$make" ] && "$make" "$file" 300 300 1800 2000 >"$out" 2>"$err"; then
	reads what "$tiptop" what --step 0 "$file"
	reads compare "$tiptop" compare "$file" from=+1
	! command -v gnuplot >"$dir/text" || reads plot "$tiptop" plot -o "$dir/picture.svg" "$file"
	reads replay "$tiptop" -b --replay "$file"
	# shellcheck disable=SC2016 # the shell in the terminal expands it
	on_terminal show=ended -- sh -c '"$@" | tail -n 1 >"$OUT"; echo ended' sh "$tiptop" -b --replay "$file"
	is "nothing where a pipe is written: its reader may have the terminal" "$(tr -d '\r' <"$dir/read")" ended
	"$tiptop" what "$file" >"$out" 2>"$err"
	is "nothing in files" "$(cat "$out" "$err" | grep -c 'tiptop: reading')" 0
else
	skip "recordings" "there is no bench/recording: it is built with SQLite, by make check"
fi

# --- refreshes that are counted ---
on_terminal 'show=tiptop: refresh ' show=ended -- sh -c "$to_file" sh "$tiptop" -b -d 0.5 -n 5
is "refreshes that are counted" "$(cat "$dir/steps")" "show tiptop: refresh : yes
show ended: yes"
tr '\r' '\n' <"$dir/read" >"$dir/lines"
within "lines say which one comes" "$(grep -c '^tiptop: refresh [2-5] of 5 \[[#.]*\] [0-9.]* s, about [0-9]* s left' "$dir/lines")" 1 20
is "no line remains" "$(remains "$dir/read" | grep -c refresh)" 0

# --- programs that do a part of the work, and take their time ---
mkdir "$dir/bin"
# delay PROGRAM: from here on, it takes two seconds more. It may search another one of its name, as ccache does.
delay() {
	real=$(command -v "$1") || return 1
	printf '#!/bin/sh\nsleep 2\nPATH=%s exec %s "$@"\n' "$PATH" "$real" >"$dir/bin/$1"
	chmod 755 "$dir/bin/$1"
}
# helps NAME LINE COMMAND...: the line stands there while the program works, and is gone then.
helps() {
	name=$1 line=$2
	shift 2
	on_terminal "show=$line" show=ended -- env "PATH=$dir/bin:$PATH" sh -c "$to_file" sh "$@"
	is "$name: it says that it goes on" "$(cat "$dir/steps")" "show $line: yes
show ended: yes"
	is "$name: nothing remains" "$(remains "$dir/read" | tr -d '\n')" ended
}
if delay gnuplot && "$tiptop" -b -i -n 3 -d 0.1 --record "$dir/r.db" >"$out" 2>"$err"; then
	helps plot 'tiptop: drawing the picture, 1 s so far' "$tiptop" plot -o "$dir/picture.svg" "$dir/r.db"
else
	skip plot "there is no gnuplot, or no SQLite"
fi
echo 'int mine(int n) { return n; }' >"$dir/mine.c"
echo 'int mine(int n);' >"$dir/mine.h"
printf 'include "mine.h"\nlibrary %s\nother int mine(int)\n' "$dir/libmine.so" >"$dir/functions"
if [ -r "$builddir/tiptop-calls.so" ] && cc -shared -fPIC -o "$dir/libmine.so" "$dir/mine.c" 2>"$err" && delay cc; then
	helps calls 'tiptop: compiling the functions, 1 s so far' "$tiptop" calls --functions "$dir/functions" -- true
else
	skip calls "there is no compiler, or no tiptop-calls.so"
fi
finish
